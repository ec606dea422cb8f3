"""How the board does: what each sensor did, how steady its magnets lie, how the link is, the last lines of the log.

It sees every event on its way to the table and changes none. Times are those of the events.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from controller.devices.interfaces import Emit
from controller.events import Link, Sensed, Snapshot, Touch
from controller.fault_report import discreet
from hardware.profile import Profile

BOUNCE_US = 60_000  # a hand is slower: a magnet gone and back, or there and gone, within this long did not lie well
RECENT = 64  # touches that are remembered one by one
LINES = 200  # of the log
SPAN_US = 60_000_000  # over which touches per minute are counted


class SensorCounts(msgspec.Struct):
    """What one sensor did. Dwell is how long magnets lay over it, from filled to emptied."""

    changes: int = 0
    bounces: int = 0
    on: bool = False
    since_us: int | None = None  # of the last change, None before the first
    shortest_us: int | None = None  # dwell
    dwells: int = 0
    dwelt_us: int = 0


class SensorHealth:
    """Figures of one run. Every method may be called from any thread."""

    def __init__(self, sites: Iterable[str], now_us: Callable[[], int]) -> None:
        """``now_us`` is the clock of the events."""
        self._lock = threading.Lock()
        self._sensors = {site: SensorCounts() for site in sites}
        self._now_us = now_us
        self._recent: deque[tuple[int, Touch]] = deque(maxlen=RECENT)
        self._times: deque[int] = deque(maxlen=20_000)
        self._touches = 0
        self._gap_us: int | None = None  # the longest for which a magnet that lay badly was gone
        self._downs: deque[tuple[int, str]] = deque(maxlen=20)
        self._snapshots = 0
        self._up = False

    def now_on(self, profile: Profile) -> None:
        """Count the sensors of another board from now on."""
        with self._lock:
            self._sensors = {site.name: SensorCounts() for site in profile.sites}
            self._recent.clear()

    def counting(self, emit: Emit) -> Emit:
        """Wrap ``emit`` so that every event is counted."""

        def counted(event: Sensed) -> None:
            emit(event)
            self.take(event)

        return counted

    def take(self, event: Sensed) -> None:
        """Count ``event``."""
        with self._lock:
            if isinstance(event, Touch):
                self._touch(event)
            elif isinstance(event, Snapshot):
                self._snapshots += 1
                closed = event.sites
                for site, sensor in self._sensors.items():
                    sensor.on = site in closed
                    sensor.since_us = None  # when it came to be so was not seen
            elif isinstance(event, Link):
                self._up = event.up
                if not event.up:
                    self._downs.append((event.t_us, event.sentence))

    def _touch(self, touch: Touch) -> None:
        sensor = self._sensors.get(touch.site)
        if sensor is None:
            return
        self._touches += 1
        self._recent.append((self._touches, touch))
        self._times.append(touch.t_us)
        if sensor.since_us is not None:
            lasted = touch.t_us - sensor.since_us
            sensor.bounces += lasted < BOUNCE_US
            if touch.on and lasted < BOUNCE_US:
                self._gap_us = max(lasted, self._gap_us or 0)
            if not touch.on and sensor.on:
                sensor.dwells += 1
                sensor.dwelt_us += lasted
                sensor.shortest_us = min(lasted, sensor.shortest_us if sensor.shortest_us is not None else lasted)
        sensor.changes += 1
        sensor.on = touch.on
        sensor.since_us = touch.t_us

    def report(self) -> dict[str, Any]:
        """Return the figures as plain data: ``sites``, ``weak`` (worst first), ``recent`` touches, the ``link``, and
        ``gap_ms``: the longest for which a magnet that bounced was gone, None where none did.
        """
        with self._lock:
            now_us = self._now_us()
            sites = {site: _shown(sensor) for site, sensor in self._sensors.items()}
            last = [when for when in self._times if when > now_us - SPAN_US]
            return {
                "sites": sites,
                "weak": weak(self._sensors),
                "gap_ms": None if self._gap_us is None else -(-self._gap_us // 1000),
                "recent": [{"n": n, "site": touch.site, "on": touch.on} for n, touch in self._recent],
                "link": {
                    "up": self._up,
                    "losses": len(self._downs),
                    "snapshots": self._snapshots,
                    "touches": self._touches,
                    "touches_per_minute": len(last),
                    "last_losses": [sentence for _, sentence in self._downs],
                },
            }


def _shown(sensor: SensorCounts) -> dict[str, Any]:
    mean_us = sensor.dwelt_us // sensor.dwells if sensor.dwells else None
    return {
        "changes": sensor.changes,
        "bounces": sensor.bounces,
        "on": sensor.on,
        "shortest_ms": None if sensor.shortest_us is None else sensor.shortest_us // 1000,
        "mean_ms": None if mean_us is None else mean_us // 1000,
    }


def weak(sensors: Mapping[str, SensorCounts]) -> list[str]:
    """Return the sites that bounced, those first where most changes were bounces."""
    shaky = [(each.bounces / each.changes, each.bounces, site) for site, each in sensors.items() if each.bounces]
    return [site for _, _, site in sorted(shaky, key=lambda each: (-each[0], -each[1], each[2]))]


class LastLines(logging.Handler):
    """Keeps the last lines of the log, for everybody. Nothing secret is ever logged: see `controller.table.notes`."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
        self.addFilter(discreet)
        self._lines: deque[str] = deque(maxlen=LINES)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep ``record``."""
        self._lines.append(self.format(record))

    def lines(self) -> list[str]:
        """Return them, oldest first."""
        return list(self._lines)
