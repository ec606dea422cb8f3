"""Asks a board of linear sensors for its fields while somebody looks, and only then."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from controller.devices.interfaces import SensorBoard
from controller.devices.link.messages import SensorField
from controller.devices.sensors.serial_board import SerialBoard
from controller.devices.sensors.simulated_board import SimulatedBoard
from hardware.profile import Profile

ASK_EVERY_US = 150_000
STALE_US = 2_000_000  # what was read so long ago is not shown any more


class FieldWatch:
    """The newest fields of the board that there is. Every method may be called from any thread."""

    def __init__(self, sensors: Callable[[], SensorBoard], now_us: Callable[[], int]) -> None:
        """``sensors`` is the board that there is now."""
        self._sensors = sensors
        self._now_us = now_us
        self._lock = threading.Lock()
        self._asked_us: int | None = None
        self._read: dict[str, tuple[int, SensorField]] = {}

    def look(self) -> Mapping[str, SensorField] | None:
        """Return what the sensors read last, by site, and ask for more; None where the board tells no fields.

        It returns at once: what is asked for now is there when somebody looks again.
        """
        sensors, now_us = self._sensors(), self._now_us()
        if not isinstance(sensors, SerialBoard | SimulatedBoard) or not sensors.has_fields():
            return None
        with self._lock:
            due = self._asked_us is None or now_us - self._asked_us >= ASK_EVERY_US
            if due:
                self._asked_us = now_us
        if due:
            sensors.ask_fields(self._take)
        with self._lock:
            return {site: read for site, (t_us, read) in self._read.items() if now_us - t_us < STALE_US}

    def read_since(self, t_us: int) -> Mapping[str, SensorField]:
        """Return what the sensors have read from ``t_us`` on, by site; `look` asks for it."""
        with self._lock:
            return {site: read for site, (read_us, read) in self._read.items() if read_us >= t_us}

    def _take(self, fields: Mapping[str, SensorField]) -> None:
        now_us = self._now_us()
        with self._lock:
            self._read |= {site: (now_us, read) for site, read in fields.items()}

    def forget(self, _: Profile | None = None) -> None:
        """Forget what another board has read."""
        with self._lock:
            self._read.clear()
            self._asked_us = None
