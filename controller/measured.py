"""What is timed and counted while a service runs: for the page of the board's health, and for `/metrics`.

Kept in memory alone, and so cheap that it is always on. Every method may be called from any thread.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, ParamSpec, TypeVar

import msgspec

P = ParamSpec("P")
T = TypeVar("T")

LIFT_BOUNDS_US = (1_000, 2_000, 3_000, 5_000, 7_500, 10_000, 15_000, 20_000, 30_000, 50_000, 100_000)
STEP_BOUNDS_US = (100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 500_000)
REQUEST_BOUNDS_US = (1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000)
LATEST = 500  # that are remembered one by one

Counted = Literal["games", "refused_requests", "journal_writes"]


class Distribution(msgspec.Struct, frozen=True):
    """How long something took, all times of this run: by each bound in microseconds how many took no longer; of how
    many, and how long they took together.
    """

    up_to_us: Mapping[int, int]
    count: int
    total_us: int


class Durations:
    """How long something took, each time."""

    def __init__(self, bounds_us: Sequence[int]) -> None:
        """``bounds_us`` rise; by them the times are counted."""
        self._lock = threading.Lock()
        self._bounds_us = tuple(bounds_us)
        self._counts = [0] * (len(self._bounds_us) + 1)
        self._total_us = 0
        self._latest: deque[tuple[int, int]] = deque(maxlen=LATEST)

    def note(self, took_us: int, now_us: int) -> None:
        """Count something that took so long, until ``now_us``."""
        with self._lock:
            self._counts[bisect_left(self._bounds_us, took_us)] += 1
            self._total_us += took_us
            self._latest.append((now_us, took_us))

    def distribution(self) -> Distribution:
        """Return all times of this run."""
        with self._lock:
            counts, total_us = tuple(self._counts), self._total_us
        up_to = {bound: sum(counts[: n + 1]) for n, bound in enumerate(self._bounds_us)}
        return Distribution(up_to, sum(counts), total_us)

    def since(self, then_us: int) -> list[int]:
        """Return the latest times, in microseconds, from ``then_us`` on, `LATEST` of them at most."""
        with self._lock:
            return [took_us for now_us, took_us in self._latest if now_us >= then_us]


class Measured:
    """The times and counts of one run."""

    def __init__(self, now_us: Callable[[], int]) -> None:
        """``now_us`` is the clock of the service's events, in microseconds."""
        self.now_us = now_us
        self.begun_us = now_us()
        self.lift_to_light = Durations(LIFT_BOUNDS_US)  # from a lift in a game to the frame of lights that follows it
        self.table_step = Durations(STEP_BOUNDS_US)
        self.request = Durations(REQUEST_BOUNDS_US)  # of the panel
        self._lock = threading.Lock()
        self._counts: Counter[Counted] = Counter()

    def count(self, what: Counted) -> None:
        """Count ``what`` once more."""
        with self._lock:
            self._counts[what] += 1

    def counted(self, what: Counted) -> int:
        """Return how often ``what`` was counted in this run."""
        return self._counts[what]

    def timed(self, do: Callable[P, T], noted: Durations) -> Callable[P, T]:
        """Return ``do`` so that each call is ``noted``; one that raises is not."""

        def call(*args: P.args, **kwargs: P.kwargs) -> T:
            begun_us = self.now_us()
            done = do(*args, **kwargs)
            now_us = self.now_us()
            noted.note(now_us - begun_us, now_us)
            return done

        return call
