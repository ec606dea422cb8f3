"""Those at the table are asked to let a phone in, where no cell of a real board is free to be touched.

They are asked, too, whether a phone that is in is of somebody whose own is away.

They are asked about one phone at a time, in the order in which these came.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection
from typing import Literal

import msgspec

from controller.refused import Refused
from controller.sentences import say

WAIT_S = 180.0  # how long a phone waits for an answer
GONE_S = 8.0  # how long once its page was closed: a reload takes less
AGAIN_S = 60.0  # so long a refusal stands, and nobody is asked again for the same address
MOST = 6  # phones that wait at once

Stand = Literal["", "waits", "refused"]


class Knock(msgspec.Struct):
    """A phone that waits: its ``id``, the ``name`` that it gave, "" for none, its address, and when it gives up.

    One that is in asks for the seats of the phone ``of``, whose person is called ``name``.
    """

    id: str
    name: str
    address: str
    until_s: float
    of: str = ""


class Knocks:
    """Every method may be called from any thread. ``clock`` counts seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._waiting: dict[str, Knock] = {}
        self._refused: dict[str, tuple[str, float]] = {}  # by id: the address, and when

    def ask(self, id: str, name: str, address: str, of: str = "") -> None:
        """Note that ``id`` waits for an answer, to go on for the phone ``of`` where one is named.

        Raises `Refused` where nobody is to be asked now.
        """
        with self._lock:
            self._pass()
            now = self._clock()
            if any(where == address for where, _ in self._refused.values()):
                raise Refused(say("Those at the table have just said no: ask them, and try again in a minute."))
            if len(self._waiting) >= MOST:
                raise Refused(say("{count} phones are joining already: try again in a minute", count=MOST))
            self._waiting[id] = Knock(id, name, address, now + WAIT_S, of)
            self._refused.pop(id, None)

    def of(self, id: str) -> str:
        """Return the id of the phone for which ``id`` asks to go on, "" where it asks for none."""
        with self._lock:
            return knock.of if (knock := self._waiting.get(id)) else ""

    def answered(self, id: str, let_in: bool) -> Knock:
        """Note an answer about ``id``, and return what was asked. Raises `Refused` where none is awaited."""
        with self._lock:
            self._pass()
            if id not in self._waiting:
                raise Refused(say("This phone no longer asks, or somebody else has answered."))
            knock = self._waiting.pop(id)
            if not let_in:
                self._refused[id] = (knock.address, self._clock())
            return knock

    def forget(self, id: str) -> None:
        """Let ``id`` wait no longer."""
        with self._lock:
            self._waiting.pop(id, None)

    def watched(self, id: str, there: bool) -> None:
        """Note that the page of ``id`` was opened, or closed and not ``there`` any more."""
        with self._lock:
            if knock := self._waiting.get(id):
                knock.until_s = self._clock() + (WAIT_S if there else GONE_S)

    def first(self, gone: Collection[str], elsewhere: Callable[[str], Collection[int]]) -> Knock | None:
        """Return the one about which those at the table are asked now; nobody asks for a phone that is not ``gone``,
        but who plays ``elsewhere``.
        """
        with self._lock:
            self._pass()
            asking = self._waiting.values()
            return next((each for each in asking if not each.of or each.of in gone or elsewhere(each.id)), None)

    def stand(self, id: str) -> Stand:
        """Return how it stands about ``id``."""
        with self._lock:
            self._pass()
            return "waits" if id in self._waiting else "refused" if id in self._refused else ""

    def _pass(self) -> None:
        now = self._clock()
        self._waiting = {id: knock for id, knock in self._waiting.items() if now < knock.until_s}
        self._refused = {id: said for id, said in self._refused.items() if now - said[1] < AGAIN_S}
