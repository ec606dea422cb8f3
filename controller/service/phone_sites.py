"""Sites that a board of wood has no sensor for: its phones show them, and they read as the rules have them.

So a game whose shells are turned on phones is followed by the same table as one whose shells have sensors.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable

import msgspec

from controller.devices.interfaces import Clock, Emit
from controller.events import SOUTH, Sensed, Snapshot, Touch
from controller.table.state import Table


class PhoneSites:
    """Puts ``sites`` among what the sensors of a board say. Every method may be called from any thread."""

    def __init__(self, sites: Iterable[str], emit: Emit, clock: Clock) -> None:
        self._sites = frozenset(sites)
        self._emit, self._clock = emit, clock
        self._lock = threading.Lock()
        self._on = frozenset[str]()  # with `SOUTH` before it where that pole is down

    def heard(self, event: Sensed) -> None:
        """Pass on what the sensors say; where they say all at once, with these sites."""
        with self._lock:
            if isinstance(event, Snapshot):
                event = msgspec.structs.replace(event, occupied=event.occupied | self._on)
            self._emit(event)

    def follow(self, table: Table) -> None:
        """Let these sites be as the position wants them, once the sensors are there."""
        if table.link:
            return
        wanted = frozenset[str]()
        if table.play is not None:
            marks = table.board.marks(table.play.settled.position.standing)
            wanted = frozenset(mark for mark in marks if mark.removeprefix(SOUTH) in self._sites)
        with self._lock:
            changes = [*((mark, False) for mark in self._on - wanted), *((mark, True) for mark in wanted - self._on)]
            self._on = wanted
            for mark, on in changes:
                pole = -1 if mark.startswith(SOUTH) else 0
                self._emit(Touch(self._clock(), mark.removeprefix(SOUTH), on, pole if on else 0))
