"""Whose request comes next: nobody who sends many keeps others waiting.

A stream is no short request: `web_panel.stream.StreamSlots` counts those. Knows of a request what WSGI says.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from werkzeug.wsgi import ClosingIterator

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

AT_ONCE = 3  # short requests of one address
READING = 4  # short requests that only read, of all: each slows down an order that is answered beside it
CHANGING = 16  # short requests that change something, of all
WAITING = 24  # short requests that wait for their turn; each holds a thread
PATIENCE_S = 20.0  # after which a request that waits is turned away
# What answers short requests while every stream is taken, and four that turn away who comes too many.
THREADS = READING + CHANGING + WAITING + 4
TURNED_AWAY = "beaconboard.turned_away"  # in the environment of a request: too many wait already


class RequestTurn:
    """The turn of a request, of which ``begun`` says whether it came; None while that is not known."""

    def __init__(self, address: str, reads: bool) -> None:
        self.address, self.reads = address, reads
        self.begun: bool | None = None
        self.known = threading.Event()

    def decide(self, begun: bool) -> None:
        """Let it begin, or turn it away."""
        self.begun = begun
        self.known.set()


class Queue:
    """The requests that are answered, and those that wait. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[RequestTurn] = []
        self._answered: Counter[str] = Counter()  # requests under way, by address
        self._under_way = {True: 0, False: 0}  # those that only read, and the others
        self._ending = False

    def enter(self, address: str, reads: bool) -> RequestTurn:
        """Line up; whether and when its turn begins is known to what is returned."""
        turn = RequestTurn(address, reads)
        with self._lock:
            if self._ending:
                turn.decide(False)
                return turn
            self._waiting.append(turn)
            self._advance()
            if len(self._waiting) > WAITING:
                self._turn_away()
        return turn

    def give_up(self, turn: RequestTurn) -> None:
        """Wait no longer, unless its turn has just begun."""
        with self._lock:
            if turn.begun is None:
                self._waiting.remove(turn)
                turn.decide(False)

    def done(self, turn: RequestTurn) -> None:
        """Count ``turn`` as answered."""
        with self._lock:
            self._answered[turn.address] -= 1
            self._answered = +self._answered
            self._under_way[turn.reads] -= 1
            self._advance()

    def end(self) -> None:
        """Turn away everybody who waits, now and from now on."""
        with self._lock:
            self._ending = True
            while self._waiting:
                self._turn_away()

    def _advance(self) -> None:
        while (turn := self._next()) is not None:
            self._waiting.remove(turn)
            self._answered[turn.address] += 1
            self._under_way[turn.reads] += 1
            turn.decide(True)

    def _next(self) -> RequestTurn | None:
        """Return whose turn it is; one that changes something goes before all others."""
        ready = [turn for turn in self._waiting if self._answered[turn.address] < AT_ONCE]
        for reads, most in ((False, CHANGING), (True, READING)):
            if self._under_way[reads] < most:
                first = next((turn for turn in ready if turn.reads == reads), None)
                if first is not None:
                    return first
        return None

    def _turn_away(self) -> None:
        """Turn away the newest of those of the address of which most wait; one that only reads goes first."""
        many = Counter(turn.address for turn in self._waiting)
        newest_first = reversed(self._waiting)
        turn = max(newest_first, key=lambda turn: (many[turn.address], turn.reads))
        self._waiting.remove(turn)
        turn.decide(False)


class Turns:
    """``app``, each request in its turn; those that begin one of ``streams`` at once. One that cannot wait either comes
    to ``app`` marked as `TURNED_AWAY`.
    """

    def __init__(self, app: WSGIApplication, streams: Collection[str]) -> None:
        self._app, self._streams = app, streams
        self._queue = Queue()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request, as WSGI has it."""
        method = environ["REQUEST_METHOD"]
        if method == "GET" and environ["PATH_INFO"] in self._streams:
            return self._app(environ, start_response)
        turn = self._queue.enter(environ["REMOTE_ADDR"], method != "POST")
        if not turn.known.wait(PATIENCE_S):
            self._queue.give_up(turn)
        if not turn.begun:
            return self._app({**environ, TURNED_AWAY: True}, start_response)
        try:
            return ClosingIterator(self._app(environ, start_response), lambda: self._queue.done(turn))
        except BaseException:
            self._queue.done(turn)
            raise

    def end(self) -> None:
        """Let nobody wait any longer."""
        self._queue.end()
