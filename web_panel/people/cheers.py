"""What people at the table show each other while they wait: a clap, a laugh, a wow or an oh no, for a few seconds."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import msgspec

from web_panel.answers import Cheer, CheerTold

LASTS_S = 5.0
EVERY_S = 3.0  # so often at most from one phone
KEPT = 8


class Cheered(msgspec.Struct, frozen=True):
    """What the phone ``by`` showed at ``at_s``; its ``number`` grows with each. ``name`` is that of its person."""

    number: int
    what: Cheer
    name: str
    by: str
    at_s: float


class Cheers:
    """Every method may be called from any thread. ``clock_s`` goes on steadily."""

    def __init__(self, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._clock_s = clock_s
        self._lock = threading.Lock()
        self._told: tuple[Cheered, ...] = ()
        self._last: dict[str, float] = {}  # by phone, when it showed something

    def give(self, by: str, name: str, what: Cheer) -> bool:
        """Show ``what``; False, and nothing, where the phone ``by`` did so a moment ago."""
        now = self._clock_s()
        with self._lock:
            self._last = {id: at for id, at in self._last.items() if now - at < EVERY_S}
            if by in self._last:
                return False
            self._last[by] = now
            number = self._told[-1].number + 1 if self._told else 1
            self._told = (*self._told, Cheered(number, what, name, by, now))[-KEPT:]
            return True

    def now(self, seat_of: Callable[[str], int | None]) -> list[CheerTold]:
        """Return what is shown now, the newest last; ``seat_of`` says where the person of a phone sits."""
        now = self._clock_s()
        return [
            {"number": each.number, "what": each.what, "name": each.name, "seat": seat_of(each.by)}
            for each in self._told
            if now - each.at_s < LASTS_S
        ]
