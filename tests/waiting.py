"""One clock that a test moves by hand, and one way to wait for what another thread or process does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE_S = 20.0
T = TypeVar("T")


class HandClock:
    """Microseconds that go on only when told to, with a start that is not 0."""

    def __init__(self, now_us: int = 7_000_000_123) -> None:
        self.now_us = now_us

    def __call__(self) -> int:
        return self.now_us


class HandSeconds:
    """The same for what counts in seconds."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def until(true: Callable[[], T], what: object = "it never came") -> T:
    """Return what ``true`` returns once that is something; fails after `PATIENCE_S`, saying ``what``."""
    end_s = time.monotonic() + PATIENCE_S
    while not (found := true()):
        assert time.monotonic() < end_s, what
        time.sleep(0.005)
    return found


class Pauses:
    """Stands in for the event for which a thread waits between two looks: it has so many ``looks``, then all ends."""

    def __init__(self, looks: int) -> None:
        self.over, self._left = False, looks

    def wait(self, _: float) -> bool:
        self._left -= 1
        self.over = self._left < 0
        return self.over

    def set(self) -> None:
        """The service ends."""
