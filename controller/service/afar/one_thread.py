"""A thread in which everything about one matter happens, one thing after the other, now or after a while."""

from __future__ import annotations

import heapq
import itertools
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import TypeVar

from controller.refused import Refused
from controller.sentences import say

log = logging.getLogger(__name__)

T = TypeVar("T")
ANSWER_S = 10.0
AROUND_BYTES = 1000  # that a message takes beside what is in it, and be it empty


def done_by(put: Callable[[Callable[[], object]], None], do: Callable[[], T]) -> T:
    """Have ``do`` done by the thread that takes what is ``put``, and return or raise what comes of it.

    Raises `Refused` where that takes long, or a disk fails.
    """
    answer: Future[T] = Future()

    def work() -> None:
        try:
            answer.set_result(do())
        except Exception as error:  # noqa: BLE001  it belongs to who asked
            answer.set_exception(error)

    put(work)
    try:
        return answer.result(ANSWER_S)
    except TimeoutError as late:
        raise Refused(say("the service is too busy: try again")) from late
    except OSError as error:
        raise Refused(say("the link cannot be kept: {why}", why=str(error.strerror))) from error


class WaitingRoom:
    """Bounds what of a line waits for the thread that hears it: whoever sends faster than that is not heard, and who
    waits for an answer sends again. Every method may be called from any thread.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes, self._bytes = most_bytes, 0
        self._lock = threading.Lock()

    def let_in(self, size_bytes: int) -> bool:
        """Return whether there is room for a message of that size, which then has it until it is `let_out`."""
        with self._lock:
            fits = self._bytes + size_bytes + AROUND_BYTES <= self._most_bytes
            self._bytes += size_bytes + AROUND_BYTES if fits else 0
            return fits

    def let_out(self, size_bytes: int) -> None:
        """Give back the room of a message that was let in."""
        with self._lock:
            self._bytes -= size_bytes + AROUND_BYTES


class OneThread:
    """Starts with the first thing that is to be done. Every method may be called from any thread."""

    def __init__(self, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._name, self._clock = name, clock
        self._todo: SimpleQueue[tuple[Callable[[], object] | None, float]] = SimpleQueue()
        self._later: list[tuple[float, int, Callable[[], object]]] = []
        self._numbers = itertools.count()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def put(self, do: Callable[[], object], after_s: float = 0.0) -> None:
        """Let ``do`` be done, ``after_s`` seconds from now."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
        self._todo.put((do, self._clock() + after_s if after_s else 0.0))

    def ask(self, do: Callable[[], T]) -> T:
        """Do something in the thread, and return or raise what comes of it; raises `Refused` as `done_by`."""
        return done_by(self.put, do)

    def stop(self) -> None:
        """End the thread once what was put before is done."""
        if self._thread is not None:
            self._todo.put((None, 0.0))
            self._thread.join()

    def _run(self) -> None:
        while True:
            try:
                wait_s = max(0.0, self._later[0][0] - self._clock()) if self._later else None
                do, due_s = self._todo.get(timeout=wait_s)
            except Empty:
                _, _, do = heapq.heappop(self._later)
                due_s = 0.0
            if do is None:
                return
            if due_s:
                heapq.heappush(self._later, (due_s, next(self._numbers), do))
            else:
                self._guarded(do)

    def _guarded(self, do: Callable[[], object]) -> None:
        try:
            do()
        except Exception:  # whatever a disk or a panel raises: what comes next is done all the same
            log.exception("a fault in %s", self._name)
