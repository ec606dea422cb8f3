"""Answers that take long to make: made one at a time, and kept where they stay the same.

What takes long holds up everything else in this process, so that a few guests could keep the orders of players waiting
for seconds.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from functools import wraps
from typing import ParamSpec, TypeVar

from controller.refused import Later
from controller.sentences import say

WAITING = 3  # with the one whose answer is being made: fewer than are answered at once (`connections`)

P = ParamSpec("P")
T = TypeVar("T")


class OneAtATime:
    """Makes costly answers one after the other. May be called from any thread."""

    def __init__(self, waiting: int = WAITING) -> None:
        self._places = threading.BoundedSemaphore(waiting)
        self._one = threading.Lock()

    def make(self, answer: Callable[[], T]) -> T:
        """Return what ``answer`` makes; raises `controller.refused.Later` where too many wait already."""
        if not self._places.acquire(blocking=False):
            raise Later(say("Too many requests for this at the moment: try again shortly."))
        try:
            with self._one:
                return answer()
        finally:
            self._places.release()

    def costly(self, view: Callable[P, T]) -> Callable[P, T]:
        """Return ``view`` so that it is one of those answers."""

        @wraps(view)
        def answer(*args: P.args, **kwargs: P.kwargs) -> T:
            return self.make(lambda: view(*args, **kwargs))

        return answer


class AnswerCache:
    """Answers that stay the same, by request: at most ``most``, so that nobody can fill the memory."""

    def __init__(self, turns: OneAtATime, most: int) -> None:
        self._turns, self._most = turns, most
        self._known: dict[Hashable, str] = {}

    def get(self, asked: Hashable, make: Callable[[], str]) -> str:
        """Return the answer to ``asked``, made with ``make`` the first time."""
        found = self._known.get(asked)
        return found if found is not None else self._turns.make(lambda: self._made(asked, make))

    def _made(self, asked: Hashable, make: Callable[[], str]) -> str:
        if asked not in self._known:  # else somebody made it while this one waited
            answer = make()
            if len(self._known) >= self._most:
                self._known.clear()
            self._known[asked] = answer
        return self._known[asked]
