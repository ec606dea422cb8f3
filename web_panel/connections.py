"""Lines to the panel, and whose request comes next: nobody who holds or sends many keeps others waiting.

Owns how many lines an address may have, which one is closed when there are too many, and how many short requests of one
address are answered at once. A stream is not a short request: `web_panel.app.Places` counts those. Must not know HTTP
beyond a request's path. Waitress keeps neither: it serves nobody while its limit of connections is open.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from time import monotonic
from typing import Any

from waitress.channel import HTTPChannel
from waitress.task import ThreadedTaskDispatcher

AT_ONCE = 3  # short requests of one address
READING = 4  # short requests that only read, of all: each slows down an order that is answered beside it
SPARE_LINES = 16  # of an address, beside its streams
STREAM = "/api/watch"
RELAYED = "/line"  # the stream of a relay


class Line(HTTPChannel):  # type: ignore[misc]
    """One line. ``server.most_lines`` and ``server.most_lines_each`` bound how many there are."""

    def __init__(self, server: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(server, *args, **kwargs)
        self.used_s = monotonic()
        others = [line for line in server.active_channels.values() if line is not self and not line.will_close]
        own = [line for line in others if line.addr[0] == self.addr[0]]
        crowded = own if len(own) >= server.most_lines_each else others if len(others) >= server.most_lines else ()
        if crowded:
            # The longest idle is closed; one that is being answered never is.
            idle = [line for line in crowded if not line.requests]
            min(idle, key=lambda line: line.used_s, default=self).will_close = True

    def received(self, data: bytes) -> bool:
        """Take what came."""
        self.used_s = monotonic()
        return bool(super().received(data))


class Waiting:
    """The requests that wait for a thread, as the queue of a dispatcher, which calls everything with its lock held."""

    def __init__(self, lock: threading.Lock) -> None:
        self._lock = lock
        self._waiting: deque[Any] = deque()
        self._answered: Counter[str] = Counter()  # short requests under way, by address
        self._reading = 0  # of those, the ones that only read

    def __len__(self) -> int:
        return len(self._waiting)

    def __bool__(self) -> bool:
        return self._next() is not None

    def append(self, line: Any) -> None:
        """Let the request of ``line`` wait."""
        self._waiting.append(line)

    def popleft(self) -> _Turn:
        """Return the request whose turn it is; there is one while the queue is true."""
        place = self._next()
        line = self._waiting[place or 0]
        del self._waiting[place or 0]
        turn = _Turn(self, line)
        if not turn.streams:
            self._answered[turn.address] += 1
            self._reading += turn.reads
        return turn

    def done(self, turn: _Turn) -> None:
        """Count a request as answered; the thread that did it looks for the next one."""
        if not turn.streams:
            with self._lock:
                self._answered[turn.address] -= 1
                self._answered = +self._answered
                self._reading -= turn.reads

    def _next(self) -> int | None:
        """Return the place of the request whose turn it is; one that changes something goes before all others."""
        first = None
        for place, line in enumerate(self._waiting):
            if _is_stream(line):
                first = place if first is None else first
            elif self._answered[line.addr[0]] < AT_ONCE:
                if not _reads(line):
                    return place
                if self._reading < READING and first is None:
                    first = place
        return first


class _Turn:
    """A request that is answered, as a dispatcher knows it."""

    def __init__(self, waiting: Waiting, line: Any) -> None:
        self._waiting, self._line = waiting, line
        self.address, self.streams, self.reads = line.addr[0], _is_stream(line), _reads(line)

    def service(self) -> None:
        """Answer it."""
        try:
            self._line.service()
        finally:
            self._waiting.done(self)

    def cancel(self) -> None:
        """Answer it no more."""
        self._line.cancel()


def _is_stream(line: Any) -> bool:
    return bool(line.requests) and line.requests[0].path in (STREAM, RELAYED)


def _reads(line: Any) -> bool:
    return not line.requests or line.requests[0].command != "POST"


class FairThreads(ThreadedTaskDispatcher):  # type: ignore[misc]
    """The threads that answer."""

    def __init__(self) -> None:
        super().__init__()
        self.queue = Waiting(self.lock)
