"""Whose page is open now, and whose has been closed for a while: on a simulated board that one cannot play."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable

from web_panel.people.phones import Visitor
from web_panel.people.phones_file import Phone

AWAY_S = 8.0  # a page that is reloaded, or whose line breaks off for a moment, is not gone
SEEN_S = 10.0  # so long a page is open that says so every few seconds (static/common/here.js)
ABSENT_S = 60.0  # who has let a phone go dark while others choose a game is not absent
UNSEEN_S = 1800.0  # after half an hour a phone that is nobody's is listed no more
LATELY_S = 600.0  # who has laid a phone down, or let it go dark, still plays


class Presence:
    """Every method may be called from any thread. ``clock`` counts seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._pages: list[Callable[[], Visitor]] = []
        self._began_s = clock()
        self._closed_s: dict[str, float] = {}  # by id, of phones that were let in
        self._seen_s: dict[str, float] = {}  # by id, when a page said that it is open

    def opened(self, visitor: Callable[[], Visitor]) -> Callable[[], None]:
        """Note that a page is open of whoever ``visitor`` says, who may be let in meanwhile; returns what closes it."""
        with self._lock:
            self._pages.append(visitor)
        return lambda: self._close(visitor)

    def _close(self, visitor: Callable[[], Visitor]) -> None:
        with self._lock:
            self._pages.remove(visitor)
            if id := visitor().id:
                self._closed_s[id] = self._clock()

    def seen(self, id: str) -> None:
        """Note that a page of the phone ``id`` is open now, other than one that was `opened`."""
        with self._lock:
            self._seen_s[id] = self._closed_s[id] = self._clock()

    def watching(self) -> frozenset[str]:
        """Return the ids of those whose page is open, the local browser with them."""
        with self._lock:
            since_s = self._clock() - SEEN_S
            seen = frozenset(id for id, seen_s in self._seen_s.items() if seen_s > since_s)
            return seen.union(visitor().id for visitor in self._pages) - {""}

    def lately(self, phones: Iterable[Phone], simulated: bool) -> frozenset[str]:
        """Return the ids of those who watch, or did within `LATELY_S`, without those of the ``phones`` that `left`."""
        since_s, here = self._clock() - LATELY_S, self.watching()
        with self._lock:
            lately = here | {id for id, closed_s in self._closed_s.items() if closed_s > since_s}
        return lately - self.left(phones, simulated)

    def here(self, phones: Iterable[Phone]) -> list[Phone]:
        """Return those of the ``phones`` at the table that have a page open."""
        watching = self.watching()
        return [phone for phone in phones if phone.id in watching]

    def gone(self, phones: Iterable[Phone]) -> list[Phone]:
        """Return those of the ``phones`` at the table that have had no page open for `AWAY_S`."""
        return self._gone(phones, AWAY_S)

    def absent(self, phones: Iterable[Phone], simulated: bool) -> frozenset[str]:
        """Return the ids of those that have been gone for `ABSENT_S`, at a ``simulated`` board as `left` does."""
        return frozenset(phone.id for phone in self._gone(phones, ABSENT_S) if simulated)

    def _gone(self, phones: Iterable[Phone], for_s: float) -> list[Phone]:
        open_s, here = self._clock() - for_s, self.watching()
        closed = [phone for phone in phones if not phone.afar and phone.id not in here]
        return [phone for phone in closed if self._closed_s.get(phone.id, self._began_s) <= open_s]

    def gone_s(self, phone: Phone, still_s: float) -> float:
        """Return how long a ``phone`` that is gone has had no page open. Where none was since the start, at least as
        long as nobody has moved, ``still_s``.
        """
        closed_s = self._closed_s.get(phone.id)
        return max(self._clock() - self._began_s, still_s) if closed_s is None else self._clock() - closed_s

    def long_gone(self, phones: Iterable[Phone]) -> list[Phone]:
        """Return those of the ``phones`` at the table that have had no page open for `LATELY_S`."""
        return self._gone(phones, LATELY_S)

    def left(self, phones: Iterable[Phone], simulated: bool) -> frozenset[str]:
        """Return the ids of those of the ``phones`` that are gone and that nobody can be expected to wait for: they
        have no name by which to be called, or have been gone for `LATELY_S`.

        Only at a ``simulated`` board: at one with sensors phones lie dark while their people play.
        """
        phones = list(phones) if simulated else []
        nameless = [phone for phone in self.gone(phones) if not phone.named]
        return frozenset(phone.id for phone in (*nameless, *self.long_gone(phones)))

    def unseen(self, phones: Iterable[Phone]) -> list[Phone]:
        """Return those of the ``phones`` that are listed no more until a page of theirs is open.

        They have no name, no seat and do not own the table. They were left behind for another one, or have been gone
        for `UNSEEN_S`.
        """
        nobodys = [phone for phone in phones if not (phone.named or phone.seats or phone.owner)]
        long = {phone.id for phone in self._gone(nobodys, UNSEEN_S)}
        return [phone for phone in self.gone(nobodys) if phone.left or phone.id in long]

    def away(self, phones: Iterable[Phone]) -> list[int]:
        """Return the seats of those that are `gone`."""
        return sorted(seat for phone in self.gone(phones) for seat in phone.seats)


class Pages:
    """The open pages of those who ask to join. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: Counter[str] = Counter()

    def opened(self, who: str, watched: Callable[[str, bool], None]) -> Callable[[], None]:
        """Count a page of ``who``, "" where nobody asks, and return what is to be called when it is closed.

        ``watched`` is called when a page was opened, and when the last one was closed.
        """
        if not who:
            return lambda: None
        with self._lock:
            self._open[who] += 1
            watched(who, True)
        return lambda: self._closed(who, watched)

    def _closed(self, who: str, watched: Callable[[str, bool], None]) -> None:
        with self._lock:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]
                watched(who, False)
