"""Light frames on their way out: brightness, the current limit, and nothing sent twice."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Protocol

from controller.devices.interfaces import Colour
from controller.sentences import say

# A WS2812 pixel: each of its three channels is driven with about 20 mA at 255, in proportion below (the 60 mA a
# pixel that makers of strips and Adafruit's NeoPixel guide plan for); its driver draws a little under 1 mA when
# dark. Newer kinds draw less, so that frames stay on the safe side.
IDLE_MILLIAMPS = 1
CHANNEL_MILLIAMPS = 20
FULL = 255

DARK: Colour = (0, 0, 0)


class LightsFailed(RuntimeError):
    """The lights cannot be used; the sentence says why and what to do."""


def unanswered(error: Exception) -> LightsFailed:
    """Return what to raise where a strip that was opened takes nothing any more."""
    return LightsFailed(
        say("the lights do not respond ({error}): check whether another program uses their pin", error=str(error))
    )


class Strip(Protocol):
    """The last step to the wire."""

    def write(self, frame: Sequence[Colour]) -> None:
        """Send ``frame`` as it is; raises `LightsFailed`."""

    def close(self) -> None:
        """Let go of the wire."""


def milliamps(frame: Sequence[Colour]) -> float:
    """Return what ``frame`` draws, by the figures above."""
    return len(frame) * IDLE_MILLIAMPS + sum(chain.from_iterable(frame)) * CHANNEL_MILLIAMPS / FULL


def limit(frame: Sequence[Colour], max_milliamps: int, brightness: int) -> tuple[Colour, ...]:
    """Return ``frame`` at ``brightness`` percent, and darker, all pixels alike, where it would draw too much.

    Never brighter than asked and never above ``max_milliamps``, unless the dark strip alone draws that.
    """
    total = sum(chain.from_iterable(frame))
    share, whole = brightness, 100
    spare = max(0, max_milliamps - len(frame) * IDLE_MILLIAMPS)
    if total * share * CHANNEL_MILLIAMPS > spare * FULL * whole:
        share, whole = spare * FULL, total * CHANNEL_MILLIAMPS
    # Whole numbers rounded down: a fraction of a milliamp too much cannot slip through.
    return tuple((r * share // whole, g * share // whole, b * share // whole) for r, g, b in frame)


class LimitedLights:
    """The `Lights` of a service, whatever the strip: each frame leaves limited, and once."""

    def __init__(self, strip: Strip, count: int, max_milliamps: int, brightness: int = 60) -> None:
        self._strip = strip
        self._count = count
        self._max_milliamps = max_milliamps
        self._brightness = brightness
        self._frame: tuple[Colour, ...] = (DARK,) * count
        self._sent: tuple[Colour, ...] | None = None

    def show(self, frame: Sequence[Colour]) -> None:
        """Show ``frame``, a colour a light. Raises ValueError for another length, `LightsFailed` from the strip."""
        if len(frame) != self._count:
            raise ValueError(f"the frame has {len(frame)} colours, the strip {self._count} lights")
        self._frame = tuple(frame)
        self._send()

    def set_brightness(self, percent: int) -> None:
        """Show the last frame, and all to come, at ``percent``; raises ValueError outside 0 to 100."""
        if not 0 <= percent <= 100:
            raise ValueError(f"brightness {percent} is not allowed: it must be 0 to 100 percent")
        self._brightness = percent
        if self._sent is not None:
            self._send()

    def set_max_milliamps(self, most: int) -> None:
        """Show the last frame, and all to come, within ``most`` milliamps."""
        self._max_milliamps = most
        if self._sent is not None:
            self._send()

    def close(self) -> None:
        """Dark, and let go of the wire; raises `LightsFailed` where the strip does not take the dark frame."""
        try:
            self.show((DARK,) * self._count)
        finally:
            self._strip.close()

    def _send(self) -> None:
        frame = limit(self._frame, self._max_milliamps, self._brightness)
        if frame != self._sent:
            self._sent = None  # what a strip shows that failed half-way is not known
            self._strip.write(frame)
            self._sent = frame


class ReopenedStrip:
    """A `Strip` that is opened by ``open`` when it is first written to, and again after it has failed."""

    def __init__(self, open: Callable[[], Strip]) -> None:
        self._open = open
        self._strip: Strip | None = None

    def write(self, frame: Sequence[Colour]) -> None:
        """Send ``frame`` as it is; raises `LightsFailed`, and whatever else the strip raises."""
        if self._strip is None:
            self._strip = self._open()
        try:
            self._strip.write(frame)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the wire; raises what the strip raises."""
        strip, self._strip = self._strip, None
        if strip is not None:
            strip.close()


class SimulatedStrip:
    """A strip in memory. ``frames`` has the last ``keep`` that were written, the newest at the end."""

    def __init__(self, keep: int = 1000) -> None:
        self.frames: deque[tuple[Colour, ...]] = deque(maxlen=keep)
        self.closed = False

    def write(self, frame: Sequence[Colour]) -> None:
        """Keep ``frame``."""
        self.frames.append(tuple(frame))

    def close(self) -> None:
        """Note that the wire was let go."""
        self.closed = True
