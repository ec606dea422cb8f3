"""The code on the console, which lets in whoever reads it there.

Wrong codes count by address, and over all of them, since a thief may have any number of addresses.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections import Counter
from collections.abc import Callable
from time import monotonic

from controller.refused import Later, Refused
from controller.sentences import say

CODE_DIGITS = 8
GUESSES = 20  # wrong codes, from whatever addresses, after which the code is another one
GUESSES_EACH = 3  # of those from one address, after which that one has to wait
ROUNDS = 3  # codes that were guessed at so within `LOCK_S`, after which nobody's is taken
LOCK_S = 600.0


class ConsoleCode:
    """The code as it is ``now``; ``tell`` is called with each new one. Every method may be called from any thread."""

    def __init__(self, code: str | None = None) -> None:
        self.now = code or new_code()
        self.tell: Callable[[str], None] = lambda code: None
        self._lock = threading.Lock()
        self._wrong: Counter[str] = Counter()  # by address, since one was right or the code is new
        self._shut: dict[str, float] = {}  # by address, until when
        self._changed_s: list[float] = []  # when it was guessed at so often that it became another one
        self._shut_for_all_until_s = 0.0

    def take(self, given: str, address: str) -> None:
        """Take a code; raises `Refused` where it is wrong, and `Later` while none is taken from ``address``."""
        with self._lock:
            now_s = monotonic()
            self._check_shut(address, now_s)
            if hmac.compare_digest(given.encode(), self.now.encode()):
                self._wrong.clear()
                return
            self._wrong[address] += 1
            if self._wrong.total() >= GUESSES:
                self._change(now_s)
        raise Refused(say("This is not the code shown on the console now."))

    def _check_shut(self, address: str, now_s: float) -> None:
        if now_s < self._shut_for_all_until_s:
            raise Later(
                say(
                    "Too many wrong codes were tried, so no code is accepted for {minutes} minutes. Press "
                    "Join and touch the glowing cell, or come back then with the new code shown "
                    "on the console.",
                    minutes=round(LOCK_S / 60),
                )
            )
        if now_s < self._shut.get(address, 0.0):
            raise Later(
                say(
                    "Too many wrong codes came from this phone, so none is accepted from it for {minutes} minutes. "
                    "Press Join and touch the glowing cell.",
                    minutes=round(LOCK_S / 60),
                )
            )

    def _change(self, now_s: float) -> None:
        """Make a new code, which is taken at once but from those who guessed; after some rounds of that from nobody."""
        until_s = now_s + LOCK_S
        self._shut = {address: end_s for address, end_s in self._shut.items() if now_s < end_s}
        self._shut |= {address: until_s for address, wrong in self._wrong.items() if wrong >= GUESSES_EACH}
        self._changed_s = [*(then_s for then_s in self._changed_s if now_s < then_s + LOCK_S), now_s]
        if len(self._changed_s) >= ROUNDS:
            self._changed_s, self._shut_for_all_until_s = [], until_s
        self._wrong.clear()
        self.now = new_code()
        self.tell(self.now)


def new_code() -> str:
    """Return a fresh code for the console."""
    return f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"
