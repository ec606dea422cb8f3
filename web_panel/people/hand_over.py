"""How a phone that came by http goes on by https: the cookie of one is none of the other, so a word does it, once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic

from controller.refused import Refused
from controller.sentences import say
from web_panel.people.phones import hashed, new_secret

VALID_S = 60.0
MOST = 64


class HandOvers:
    """The words given out. Every method may be called from any thread."""

    def __init__(self, now_s: Callable[[], float] = monotonic) -> None:
        self._now_s = now_s
        self._lock = threading.Lock()
        self._given: dict[str, tuple[str, str, float]] = {}  # by hash: the phone's id, its address, until when

    def give(self, id: str, address: str) -> str:
        """Return a word with which the phone ``id`` at ``address`` may come once within a minute; an older one of it is
        worth nothing from now on.
        """
        word, now_s = new_secret(), self._now_s()
        with self._lock:
            kept = [each for each in self._given.items() if each[1][2] > now_s and each[1][0] != id]
            self._given = dict(kept[-(MOST - 1) :])
            self._given[hashed(word)] = (id, address, now_s + VALID_S)
        return word

    def take(self, word: str, address: str) -> str:
        """Return the id of the phone that was given ``word`` at ``address``; raises `Refused`."""
        with self._lock:
            id, wanted, until_s = self._given.pop(hashed(word), ("", "", 0))
        if address != wanted or self._now_s() >= until_s:
            raise Refused(say("This way over is not open any more: open the page “Secure pages” again."))
        return id
