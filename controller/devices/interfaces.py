"""What a sensor board and a strip of lights must do, whatever they are made of.

A backend is chosen by its name in the settings and handed in; nothing here imports one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from controller.events import Sensed

Clock = Callable[[], int]  # microseconds, never backwards; the same clock for all devices of a service
Emit = Callable[[Sensed], None]  # may be called from the device's own thread
Colour = tuple[int, int, int]  # red, green, blue, 0 to 255 each, before brightness


class SensorBoard(Protocol):
    """Reads the chain.

    It must:

    - say `Link` up and then a `Snapshot` first of all, and again after every loss;
    - then say each change as a `Touch`, once, in the order and with the time in which the sensors changed, by the clock
      that it was given; times never run backwards;
    - debounce, so that one magnet put down is one touch; what comes and goes after that is the table's to judge;
    - call sites by the names of the profile, and leave out bits that belong to none;
    - turn whatever goes wrong into one `Link` down with a sentence that says what to look at;
    - return from `start` at once and do its work in a thread of its own; say nothing after `stop`, and start again.

    It may:

    - call ``emit`` from its own thread, at any time; that returns at once;
    - open its port again and again until it is there, so that unplugging and plugging needs nobody; or give up where
      trying again cannot help, and say so;
    - say a `Snapshot` in between: what differs counts as touched at that moment;
    - report the pole of a magnet, where its sensors know it, and once that lies still its field, as a `FieldSettled`;
    - raise from `start` what its driver raises: that is reported on the panel, and play continues without it.

    It must not know games, pieces or lights, ask the table anything, or take a time from another clock.
    ``tests/devices/board_contract.py`` holds every board to this; a new one is added to its rigs.
    """

    def start(self, emit: Emit) -> None:
        """Begin to read, in a thread of its own; every fault becomes a `Link` down with a sentence."""

    def stop(self) -> None:
        """Stop reading and let go of the port. May be called twice."""


class Lights(Protocol):
    """Shows frames. ``frame`` has one colour a light, in the profile's light order, within the current limit.

    They must:

    - show a frame as a whole, at the brightness and below the limit that were set last, and keep it until the next;
    - refuse a frame of another length with a ValueError;
    - raise where the wire does not take a frame, and send the next one whatever it is: what is shown then is not known;
    - return within a few milliseconds, since the loop that reads hands waits for them.

    They may:

    - leave out a frame that is on the strip already;
    - raise anything a driver raises: the service reports it and retries, ever more rarely;
    - open the strip only with the first frame.

    They must not blink, fade or light anything by themselves, nor know sites, meanings or games. Who has a new kind of
    strip writes a `controller.devices.lights.limiter.Strip` alone; `LimitedLights` makes lights of it.
    """

    def show(self, frame: Sequence[Colour]) -> None:
        """Show ``frame``; a frame equal to the last one is not sent again."""

    def set_brightness(self, percent: int) -> None:
        """Show the last frame, and all to come, at ``percent``, 0 to 100."""

    def set_max_milliamps(self, most: int) -> None:
        """Show the last frame, and all to come, within ``most`` milliamps."""

    def close(self) -> None:
        """Dark, and let go of the wire."""


class SensorSwitch(Protocol):
    """The far end of a twin: sets what a sensor of the simulated or emulated board sees.

    It must act as a magnet does: what it sets stays until it is set again, also while the board is stopped or its wire
    is cut. It may be called from any thread. It must not report anything to the service; that is the board's job.
    """

    def set_sensor(self, site: str, on: bool, pole: int = 0) -> None:
        """Put a magnet over ``site``, or take it away. Raises KeyError where there is no such site."""
