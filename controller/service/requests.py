"""The inbox of the loop: events and judgements from anywhere, and requests, each with an answer that a thread awaits.

Owns how long a request may wait and that each gets an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue

import msgspec

from controller.diagnostics.guided_check import CheckRequest
from controller.events import Event, Sensed
from controller.orders import AnyOrder
from controller.refused import Refused
from controller.sentences import say
from controller.service.off_table import OffTable
from controller.service.showing.display import LiveSettings
from controller.service.sifting.interceptor import Joining, Watched
from controller.table.starting_plies import Reached
from controller.tracker.judgement import Judgement

ANSWER_S = 10.0
ENDED = say("the service has stopped: start it again")


class WriteDown(msgspec.Struct, frozen=True):
    """Have all on disk that was heard, also what would wait for the next ply."""


Wanted = AnyOrder | LiveSettings | Joining | Watched | CheckRequest | OffTable | WriteDown


class Request:
    """``what`` somebody wants. The loop calls `begin`, then `grant` or `refuse`, then `end`.

    ``reached`` is where the plies of an order lead, if they were played through beforehand.
    """

    def __init__(self, what: Wanted, reached: Reached | None = None) -> None:
        self.what, self.reached = what, reached
        self._answer: Future[str] = Future()

    def begin(self) -> bool:
        """Whether somebody still waits; from now on they wait until it is answered."""
        return self._answer.set_running_or_notify_cancel()

    def grant(self, warning: str) -> None:
        """Answer that it is done; ``warning`` says what is wrong nevertheless, "" is nothing."""
        self._answer.set_result(warning)

    def refuse(self, sentence: str) -> None:
        """Answer that it is not done, and why."""
        self._answer.set_exception(Refused(sentence))

    def end(self) -> None:
        """Where answering has failed too, refuse it as a service that has stopped."""
        if not self._answer.done():
            self.refuse(ENDED)

    def wait(self) -> str:
        """Return the warning; raises `Refused`, also where the loop has not begun with it after `ANSWER_S`."""
        try:
            return self._answer.result(timeout=ANSWER_S)
        except TimeoutError as late:
            if self._answer.cancel():
                raise Refused(say("the service is too busy: try again")) from late
            return self._answer.result()


class PartFault(msgspec.Struct, frozen=True):
    """What is wrong with the part named ``where``, noticed by another thread; "" where it is mended."""

    where: str
    sentence: str


class LightLimit(msgspec.Struct, frozen=True):
    """What the lights may draw from now on, in milliamps: the supply has changed."""

    milliamps: int


Item = Event | Request | Judgement | PartFault | LightLimit


class Inbox:
    """What waits for the loop. Every method but `take` may be called from any thread."""

    def __init__(self, while_open: Callable[[Callable[[], None]], bool]) -> None:
        """``while_open`` does something unless the service has stopped, and says whether it was done."""
        self._queue: SimpleQueue[Item | None] = SimpleQueue()
        self._while_open = while_open

    def put(self, item: Item | None) -> None:
        """Hand in what needs no answer; None ends the loop. Returns at once."""
        self._queue.put(item)

    def ask(self, what: Wanted, reached: Reached | None = None) -> str:
        """Hand in a request and wait for its answer: "" or a warning; raises `Refused`."""
        request = Request(what, reached)
        if not self._while_open(lambda: self._queue.put(request)):
            raise Refused(ENDED)
        return request.wait()

    @property
    def waiting(self) -> int:
        """How much waits for the loop."""
        return self._queue.qsize()

    def take(self, wait_s: float) -> Item | None:
        """Return the next item; raises `queue.Empty` after ``wait_s`` without one."""
        return self._queue.get(timeout=wait_s)

    def forget_touches(self) -> None:
        """Drop what the sensors have said so far: their board is no more. For the loop alone."""
        for _ in range(self._queue.qsize()):
            item = self._queue.get_nowait()
            if not isinstance(item, Sensed):
                self._queue.put(item)

    def close(self) -> None:
        """Refuse every request that still waits."""
        while not self._queue.empty():
            item = self._queue.get_nowait()
            if isinstance(item, Request) and item.begin():
                item.refuse(ENDED)
