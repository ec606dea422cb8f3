"""The service's pulse: what each thread is at within the rules, and whether the table's loop still turns.

Owns how a hang is distinguished from a wait: by the processor time that a thread has spent on one piece of work. Work
that waits for a slow disk, or for its turn, spends none.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec

HANG_S = 20.0  # of processor time; the longest a sound ply takes is well below a second
SILENT_S = 30.0  # without a turn of the loop
TURN_US = 5_000_000  # after which the loop has a turn at the latest


class Work(msgspec.Struct, frozen=True):
    """Work within the rules of ``game``, number ``game_id`` of the journal, at ``doing``; it began at ``since_s`` of
    its thread's processor time and may take ``most_s`` of it.
    """

    game: str
    game_id: int | None
    doing: str
    since_s: float
    most_s: float


class Heartbeat:
    """Every method may be called from any thread. ``spent`` returns a thread's processor time, ``now`` a clock's."""

    def __init__(self, spent: Callable[[int], float] | None = None, now: Callable[[], float] = time.monotonic) -> None:
        self._spent, self._now = spent or processor_s, now
        self._lock = threading.Lock()
        self._works: dict[int, Work] = {}
        self._beat_s = now()

    def beat(self) -> None:
        """Note a turn of the loop."""
        self._beat_s = self._now()

    @property
    def beats(self) -> bool:
        """Whether the loop has turned of late."""
        return self._now() - self._beat_s < SILENT_S

    @contextmanager
    def at(self, game: str, game_id: int | None, doing: str, most_s: float = HANG_S) -> Iterator[None]:
        """Be at work in this thread; inside other work that continues."""
        thread = threading.get_ident()
        work = Work(game, game_id, doing, self._spent(thread), most_s)
        with self._lock:
            outer = self._works.get(thread)
            self._works[thread] = work
        try:
            yield
        finally:
            with self._lock:
                if outer is None:
                    del self._works[thread]
                else:
                    self._works[thread] = outer

    def stuck(self) -> Work | None:
        """Return work that does not come to an end, None where there is none."""
        # A thread cannot end its work, nor then itself, while the lock is held: its clock can be read.
        with self._lock:
            return next((w for thread, w in self._works.items() if self._spent(thread) - w.since_s > w.most_s), None)


def processor_s(thread: int) -> float:
    """Return the processor time that a living thread has spent."""
    return time.clock_gettime(time.pthread_getcpuclockid(thread))
