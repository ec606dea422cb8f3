"""What a sensor board and a strip of lights must do, whatever they are made of.

Owns the interfaces alone. A backend is chosen by its name in the settings and handed in; nothing here imports one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from controller.events import Link, Snapshot, Touch

Clock = Callable[[], int]  # microseconds, never backwards; the same clock for all devices of a service
Emit = Callable[[Touch | Snapshot | Link], None]  # may be called from the device's own thread
Colour = tuple[int, int, int]  # red, green, blue, 0 to 255 each, before brightness


class SensorBoard(Protocol):
    """Reads the chain. It must say `Link` up and then a `Snapshot` first, again after every loss, and then each
    change as a `Touch`, in the order and with the time in which the sensors changed.
    """

    def start(self, emit: Emit) -> None:
        """Begin to read, in a thread of its own; every fault becomes a `Link` down with a sentence."""

    def stop(self) -> None:
        """Stop reading and let go of the port. May be called twice."""


class Lights(Protocol):
    """Shows frames. ``frame`` has one colour a light, in the profile's light order, within the current limit."""

    def show(self, frame: Sequence[Colour]) -> None:
        """Show ``frame``; a frame equal to the last one is not sent again."""

    def set_brightness(self, percent: int) -> None:
        """Show the last frame, and all to come, at ``percent``."""

    def set_max_milliamps(self, most: int) -> None:
        """Show the last frame, and all to come, within ``most`` milliamps."""

    def close(self) -> None:
        """Dark, and let go of the wire."""


class SensorSwitch(Protocol):
    """The far end of a twin: sets what a sensor of the simulated or emulated board sees."""

    def set_sensor(self, site: str, on: bool, pole: int = 0) -> None:
        """Put a magnet over ``site``, or take it away. Raises KeyError where there is no such site."""
