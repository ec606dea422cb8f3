"""A contact that chatters: its changes are cut down before they reach the table, the journal and the lights.

Owns which sensors chatter, and what is passed on: a magnet is present while its sensor reports it now and then, and
gone once that is quiet for a moment. A loose contact can change hundreds of times a second for hours; no hand can. For
the service's loop alone, which calls it in its one thread.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.events import SOUTH, Event, Link, Snapshot, Touch

MOST = 8000  # changes of a sensor that are passed on one by one, and one more for each half second: no game has as many
ONE_MORE_US = 500_000
MOST_OF_ALL = 20_000  # of all sensors together, and 50 more a second: beyond that the busy ones are cut down, too
ONE_MORE_OF_ALL_US = 20_000
BUSY = 200
STILL_US = 10_000_000  # a sensor that kept still for so long is believed again
QUIET_US = 250_000  # a sensor that chatters and is silent for so long has no magnet over it


class Loose:
    """A sensor: what it reported, and what was passed on of that."""

    __slots__ = ("changed_us", "chatters", "left", "off_us", "on", "pole")

    def __init__(self) -> None:
        self.left = float(MOST)  # changes that are passed on one by one
        self.chatters = False
        self.changed_us = 0  # when it changed last
        self.on, self.pole = False, 0  # as passed on
        self.off_us: int | None = None  # since when it says that no magnet is there, which was not passed on

    def counts(self, t_us: int, flooded: bool) -> bool:
        """Count a change at ``t_us``; return whether it is one of a sensor that chatters.

        It sooner is where all sensors together have the board ``flooded``.
        """
        still_us, self.changed_us = t_us - self.changed_us, t_us
        self.left = min(MOST, self.left + still_us / ONE_MORE_US)
        if still_us >= STILL_US:
            self.chatters = False
        if not self.chatters:
            self.chatters = self.left < (MOST - BUSY if flooded else 1)
            self.left -= not self.chatters
        return self.chatters


class ChatterFilter:
    """All sensors. `hear` is given every event in turn."""

    def __init__(self) -> None:
        self._sensors: dict[str, Loose] = {}
        self._left = float(MOST_OF_ALL)
        self._heard_us = 0

    @property
    def wake_us(self) -> int | None:
        """When time alone decides that a magnet is gone, None where it does not."""
        return min((each.off_us + QUIET_US for each in self._sensors.values() if each.off_us is not None), default=None)

    def hear(self, event: Event) -> tuple[Event, ...]:
        """Return what to pass on of the time until ``event``, and of ``event`` itself."""
        return *self._gone(event.t_us), *self._passed(event)

    def _gone(self, t_us: int) -> Iterator[Event]:
        """Yield that magnets are gone whose sensors have been quiet until ``t_us``."""
        due = [(each.off_us + QUIET_US, site) for site, each in self._sensors.items() if each.off_us is not None]
        for gone_us, site in sorted(due):
            if gone_us <= t_us:
                sensor = self._sensors[site]
                sensor.on, sensor.off_us = False, None
                yield Touch(gone_us, site, False)

    def _passed(self, event: Event) -> tuple[Event, ...]:
        if isinstance(event, Touch):
            return (event,) if self._counts(event) else ()
        if isinstance(event, Snapshot):
            for site, sensor in self._sensors.items():
                sensor.off_us = None
                sensor.on = not event.occupied.isdisjoint((site, SOUTH + site))
                sensor.pole = -1 if SOUTH + site in event.occupied else 0
        elif isinstance(event, Link) and not event.up:
            for sensor in self._sensors.values():
                sensor.off_us = None
        return (event,)

    def _counts(self, touch: Touch) -> bool:
        """Return whether ``touch`` is passed on."""
        sensor = self._sensors.setdefault(touch.site, Loose())
        chatters = sensor.counts(touch.t_us, self._left < 1)
        if not chatters:
            refilled = self._left + (touch.t_us - self._heard_us) / ONE_MORE_OF_ALL_US
            self._left, self._heard_us = max(0.0, min(MOST_OF_ALL, refilled) - 1), touch.t_us
        if chatters and not touch.on and sensor.on:
            sensor.off_us = touch.t_us
            return False
        sensor.off_us = None
        known = touch.on == sensor.on and (not touch.on or touch.pole == sensor.pole)
        sensor.on, sensor.pole = touch.on, touch.pole if touch.on else 0
        return not (chatters and known)
