"""Plays a run to its end: what is missing, in parts of the right size, until there is enough.

Owns how large a part is and when a case is known well enough; no queue, worker or retry, which are Dask's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import msgspec
from pyarrow import parquet

from controller.lab.files import CasePart
from controller.lab.intervals import CONFIDENCE, share
from controller.lab.plan import Case
from controller.lab.pools import PlayedPart, Pool
from controller.lab.store import Store, missing

FIRST = 4  # games of the first parts, from which it is seen how long one takes
PART_S = 5.0  # that a part is to take: sending it costs some milliseconds
FEW = 50  # workers, from where parts grow with their number: else a thousand would write a million files in an hour
MOST_IN_PART = 2_000
ROUND = 100  # games after which a case is first looked at, where it may end early; then twice as many, and so on


class RunProgress(msgspec.Struct, frozen=True):
    """How far a run is; ``seconds_left`` is None before anything is known of it."""

    games: int
    of: int
    per_second: float
    seconds_left: float | None


class Playthrough:
    """Plays what the store lacks. ``now`` is a clock in seconds."""

    def __init__(self, store: Store, pool: Pool, now: Callable[[], float]) -> None:
        self.store, self.pool, self.now = store, pool, now
        self.plan = store.run().plan
        self.cases: Sequence[Case] = self.plan.cases()
        self._seconds = dict.fromkeys(range(len(self.cases)), 0.0)  # by case what its games took, and how many
        self._played = dict.fromkeys(range(len(self.cases)), 0)
        self._fresh = 0

    def run(self) -> Iterator[RunProgress]:
        """Play; yields progress after each part."""
        began = self.now()
        while True:
            wanted = self._wanted()
            ranges = missing(self.cases, self.store.parts(), wanted)
            if not ranges:
                return
            there = sum(wanted.values()) - sum(len(each) for row in ranges.values() for each in row)
            waiting = deque((number, each) for number, row in sorted(ranges.items()) for each in row)
            for done in self.pool.results(partial(self._next, waiting)):
                self.store.add(done.part, done.games, done.plies)
                there += self._noted(done)
                yield self._progress(there, sum(wanted.values()), self.now() - began)

    def _wanted(self) -> dict[int, int]:
        """Return how many games of each case are to be there: all, or as many as the next look at it wants.

        Looks are at fixed numbers of games, so that the same games are played on any number of workers.
        """
        every = dict.fromkeys(range(len(self.cases)), self.plan.games)
        if not self.plan.until:
            return every
        winners = self._winners()
        for case in self.cases:
            look = ROUND
            while look < self.plan.games and (
                len(winners[case.number]) >= look and not self._enough(winners[case.number][:look], len(case.players))
            ):
                look *= 2
            every[case.number] = min(look, self.plan.games)
        return every

    def _winners(self) -> dict[int, list[int | None]]:
        """Return by case who won its games, from the first one on without a gap."""
        found: dict[int, list[int | None]] = {case.number: [] for case in self.cases}
        for part in self.store.parts():
            if part.first == len(found[part.case]):
                table = parquet.read_table(self.store.games / part.name, columns=["game", "winner"])
                found[part.case] += table.sort_by("game").column("winner").to_pylist()
        return found

    def _enough(self, winners: Sequence[int | None], seats: int) -> bool:
        """Whether the share of wins of every seat is known to ``until``, half an interval."""
        return all(half_width(winners.count(seat), len(winners)) <= self.plan.until for seat in range(seats))

    def _next(self, waiting: deque[tuple[int, range]]) -> CasePart | None:
        if not waiting:
            return None
        case, numbers = waiting.popleft()
        count = min(len(numbers), self._size(case, len(numbers) + sum(len(each) for _, each in waiting)))
        if count < len(numbers):
            waiting.appendleft((case, numbers[count:]))
        return CasePart(case, numbers[0], numbers[count - 1])

    def _size(self, case: int, left: int) -> int:
        """Return how many games the next part of ``case`` has: about `PART_S` of them, fewer where few are left."""
        if not self._played[case]:
            return FIRST
        each = self._seconds[case] / self._played[case]
        fair = -(-left // (4 * self.pool.workers))
        seconds = PART_S * max(1.0, self.pool.workers / FEW)
        return max(1, min(MOST_IN_PART, int(seconds / max(each, 1e-6)), fair))

    def _noted(self, done: PlayedPart) -> int:
        self._seconds[done.part.case] += done.seconds
        self._played[done.part.case] += done.part.games
        self._fresh += done.part.games
        return done.part.games

    def _progress(self, there: int, of: int, seconds: float) -> RunProgress:
        rate = self._fresh / max(seconds, 1e-9)
        return RunProgress(there, of, rate, (of - there) / rate if rate else None)


def half_width(count: int, of: int) -> float:
    """Return half of the Wilson interval of a share, 95 of 100."""
    found = share(count, of, CONFIDENCE)
    return (found.high - found.low) / 2


def told(progress: RunProgress) -> str:
    """Return progress as one line."""
    left = "" if progress.seconds_left is None else f", {_duration(progress.seconds_left)} left"
    return f"{progress.games} of {progress.of} games, {progress.per_second:.1f} a second{left}"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
