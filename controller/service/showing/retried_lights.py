"""The lights of a service, whose faults are reported and never end anything: they are retried, ever more rarely."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from controller.devices.interfaces import Colour, Lights
from controller.devices.lights.limiter import LightsFailed
from controller.fault_report import place
from controller.sentences import say

log = logging.getLogger(__name__)

FIRST_WAIT_US, MOST_WAIT_US = 500_000, 8_000_000


class RetriedLights:
    """``fault`` is a sentence while the lights do not work, else "". ``again_us`` is when they are tried again."""

    def __init__(self, lights: Lights) -> None:
        self._lights = lights
        self._wait_us = FIRST_WAIT_US
        self.fault = ""
        self.again_us: int | None = None

    def show(self, frame: Sequence[Colour], brightness: int, t_us: int) -> None:
        """Show ``frame`` at ``brightness`` percent, unless the lights failed a moment ago."""
        if self.again_us is None or t_us >= self.again_us:
            self._try(lambda: self._send(frame, brightness), t_us)

    def set_max_milliamps(self, most: int, t_us: int) -> None:
        """Keep all frames within ``most`` milliamps."""
        self._try(lambda: self._lights.set_max_milliamps(most), t_us)

    def close(self) -> None:
        """Go dark and let go of the lights."""
        self._try(self._lights.close, 0)

    def _send(self, frame: Sequence[Colour], brightness: int) -> None:
        self._lights.set_brightness(brightness)
        self._lights.show(frame)

    def _try(self, do: Callable[[], object], t_us: int) -> None:
        try:
            do()
        except Exception as error:  # whatever a driver raises: a game needs no lights
            told = str(error) if isinstance(error, LightsFailed) else place(error)
            if not self.fault:
                log.warning("the lights do not work", exc_info=not isinstance(error, LightsFailed))
            self.fault = say("The lights do not work: {why}.", why=told)
            self.again_us = t_us + self._wait_us
            self._wait_us = min(2 * self._wait_us, MOST_WAIT_US)
        else:
            self.fault, self.again_us, self._wait_us = "", None, FIRST_WAIT_US
