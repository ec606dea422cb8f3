"""A sensor board in memory, with its faults: for play without hardware and for tests."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping

from controller.devices.interfaces import Clock, Emit
from controller.devices.link.greeting import torn
from controller.devices.link.messages import SensorField, TakeFields
from controller.events import FieldSettled, Link, Sensed, Snapshot, Touch
from controller.sentences import say

THERE_MT, QUIET_MT = 3.0, 2.2  # a field is a piece from the first on; below the second where it rests is learned
RAIL_MT = 110.0  # where the range of a linear sensor ends
MAGNET_MT = 7.3  # of a disc of 8 × 3 mm, 3.2 mm beside its place (docs/build/field.md)


class SimulatedBoard:
    """A `controller.devices.interfaces.SensorBoard` whose sensors are set by name (`SensorSwitch`); reports at once.

    With ``hall`` its sensors tell poles, so that touches carry them. They are linear ones then, whose field is told on
    demand, unless each is a ``pair`` of switches. Every method may be called from any thread; events leave in the order
    of the changes. A method that names a site raises KeyError where there is none.
    """

    def __init__(self, sites: Iterable[str], clock: Clock, *, hall: bool = False, pair: bool = False) -> None:
        self._clock = clock
        self._hall = hall
        self._linear = hall and not pair
        self._lock = threading.RLock()
        self._magnets = dict.fromkeys(sites, 0)  # 0: none, else the pole that faces down
        self._stuck: dict[str, bool] = {}
        self._said: dict[str, int] = dict(self._magnets)
        self._magnets_mt: dict[str, float] = {}  # of those that are not as all others
        self._rests_mt: dict[str, float] = {}
        self._told_mt: Mapping[str, float] = {}  # where the sensors rest, by the host
        self._emit: Emit | None = None
        self._plugged = True
        self._torn = False
        self._losing = 0
        self._gap = False

    # ---- the near end: a sensor board

    def start(self, emit: Emit) -> None:
        """Report that the link is up and what is on the board; from now on report every change."""
        with self._lock:
            self._emit = emit
            if self._plugged and not self._torn:
                self._come_up()

    def stop(self) -> None:
        """Tell no more. May be called twice."""
        with self._lock:
            self._emit = None

    def has_fields(self) -> bool:
        """Return whether its sensors are linear ones."""
        return self._linear

    def ask_fields(self, take: TakeFields) -> None:
        """Tell ``take`` at once what the linear sensors read; nothing where there are none or the link is down."""
        with self._lock:
            if not self._linear or not self._plugged or self._emit is None:
                return
            fields = {site: self._field(site) for site in self._magnets}
        take(fields)

    def has_rests(self) -> bool:
        """Return whether it can be told where its sensors rest."""
        return self._linear

    def rest_at(self, rests_mt: Mapping[str, float]) -> None:
        """Begin with each sensor at where it rests on an empty board, by site."""
        with self._lock:
            self._told_mt = rests_mt
            for site in self._magnets:
                self._look(site)

    # ---- the far end: magnets

    def set_sensor(self, site: str, on: bool, pole: int = 0) -> None:
        """Put a magnet over ``site``, or take it away."""
        with self._lock:
            if site not in self._magnets:
                raise KeyError(site)
            self._magnets[site] = (pole or 1) if on else 0
            self._look(site)

    def set_field(self, site: str, magnet_mt: float) -> None:
        """Have each magnet that comes to lie on ``site`` from now on this strong a field, whichever its pole."""
        with self._lock:
            self._level(site)
            self._magnets_mt[site] = magnet_mt

    def set_rest(self, site: str, rest_mt: float) -> None:
        """Let the sensor rest there, as iron near it has it."""
        with self._lock:
            self._level(site)
            self._rests_mt[site] = rest_mt
            self._look(site)

    # ---- faults

    def lose(self, touches: int = 1) -> None:
        """Lose the next ``touches`` on the way. The gap is found with the touch after them, or by `heartbeat`."""
        with self._lock:
            self._losing += touches

    def heartbeat(self) -> None:
        """Let the board's regular sign of life arrive: a gap shows, and a snapshot heals it."""
        with self._lock:
            self._heal()

    def chatter(self, site: str, times: int = 3) -> None:
        """Let the sensor change to the other level and back ``times`` times."""
        with self._lock:
            level = self._level(site)
            for _ in range(times):
                self._tell(site, 0 if level else 1)
                self._tell(site, level)

    def stick(self, site: str, on: bool) -> None:
        """Let the sensor say ``on`` whatever is over it: a stuck cell, or a dead one."""
        with self._lock:
            if site not in self._magnets:
                raise KeyError(site)
            self._stuck[site] = on
            self._look(site)

    def free(self, site: str) -> None:
        """Mend a stuck or dead sensor."""
        with self._lock:
            self._stuck.pop(site, None)
            self._look(site)

    def unplug(self) -> None:
        """Pull the cable."""
        with self._lock:
            self._plugged = False
            self._send(Link(self._clock(), up=False, sentence=say("the sensor board is unplugged: plug it in again")))

    def replug(self) -> None:
        """Plug the cable in again."""
        with self._lock:
            self._plugged = True
            self._come_up()

    def tear(self) -> None:
        """Tear the chain's data wire: nothing that it says is believed until `mend`."""
        with self._lock:
            self._torn = True
            self._send(Link(self._clock(), up=False, sentence=torn()))

    def mend(self) -> None:
        """Join the chain's data wire again."""
        with self._lock:
            self._torn = False
            self._come_up()

    def restart(self) -> None:
        """Let the board restart, as after a voltage dip."""
        with self._lock:
            self._send(Link(self._clock(), up=False, sentence=say("the sensor board has restarted")))
            self._come_up()

    # ---- inside, with the lock held

    def _level(self, site: str) -> int:
        """Return the pole that the sensor at ``site`` sees, 0 for none; raises KeyError."""
        magnet = self._magnets[site]
        if site in self._stuck:
            return (magnet or 1) if self._stuck[site] else 0
        if not self._rests_mt.get(site):
            return magnet
        field_mt = self._field(site).field_mt
        return 0 if abs(field_mt) < THERE_MT else 1 if field_mt > 0 else -1

    def _known(self, site: str) -> float:
        """Return from where the board counts the field at ``site``: it learns the rest of a sensor that is quiet."""
        told_mt, rest_mt = self._told_mt.get(site, 0.0), self._rests_mt.get(site, 0.0)
        return rest_mt if abs(rest_mt - told_mt) < QUIET_MT else told_mt

    def _field(self, site: str) -> SensorField:
        if site in self._stuck:
            return SensorField(self._level(site) * RAIL_MT, 0.0)
        magnet_mt = self._magnets[site] * self._magnets_mt.get(site, MAGNET_MT)
        known_mt = self._known(site)
        return SensorField(magnet_mt + self._rests_mt.get(site, 0.0) - known_mt, known_mt)

    def _look(self, site: str) -> None:
        level = self._level(site)
        if level != self._said[site] if self._hall else bool(level) != bool(self._said[site]):
            told = self._tell(site, level)
            if told and level and self._linear:
                self._send(FieldSettled(self._clock(), site, self._field(site).field_mt))

    def _tell(self, site: str, level: int) -> bool:
        """Return whether it was told."""
        if not self._plugged or self._torn or self._emit is None:
            return False
        if self._losing:
            self._losing -= 1
            self._said[site] = level
            self._gap = True
            return False
        self._heal()
        self._said[site] = level
        self._send(Touch(self._clock(), site, bool(level), level if self._hall else 0))
        return True

    def _heal(self) -> None:
        if self._gap and self._plugged:
            self._snapshot()

    def _come_up(self) -> None:
        self._send(Link(self._clock(), up=True))
        self._said = {site: self._level(site) for site in self._magnets}
        self._snapshot()

    def _snapshot(self) -> None:
        self._gap = False
        south = "-" if self._hall else ""
        marks = (site if level > 0 else south + site for site, level in self._said.items() if level)
        self._send(Snapshot(self._clock(), frozenset(marks)))

    def _send(self, event: Sensed) -> None:
        if self._emit is not None:
            self._emit(event)
