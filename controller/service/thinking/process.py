"""The process that thinks for the seats which the board plays, and for whom it helps: `beaconboard think`.

It is kept running while it is needed.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Literal, Protocol

import msgspec

from controller.service.thinking.child import Child, begun, end, heard, tell

log = logging.getLogger(__name__)

COMMAND: tuple[str, ...] = (sys.executable, "-m", "controller", "think")
NAME = "thinking"


class Question(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is asked of the process: which ply the ``seat`` (from 1) makes, who knows of the game what is ``known``; or
    what the ply ``made`` would cost it, with the plies of its ``turn`` before that. It chooses ``among`` some plies,
    or among all where that is empty.

    ``number`` is how many plies the game has. It takes ``ms``, up to ``most_ms`` where the best level does not see
    clearly. What is thought ``ahead`` on that seat's own time serves the next ply of the other one, and gives way to
    whatever is said then. Of plies that are worth nearly the same it may draw one, but where the ``best`` is asked for:
    then those that come ``last`` are made only where no other is worth nearly as much.
    """

    id: int
    game: str
    options: dict[str, Any]
    known: msgspec.Raw
    seat: int
    level: int
    seed: int
    ms: int
    nodes: int | None = None
    made: str = ""
    turn: tuple[str, ...] = ()
    among: tuple[str, ...] = ()
    number: int | None = None
    character: str = ""
    most_ms: int | None = None
    ahead: bool = False
    best: bool = False
    last: tuple[str, ...] = ()


class CoachCost(msgspec.Struct, frozen=True):
    """What a ply has cost: `controller.engine.coach.PlyCost` as the process tells it."""

    much: bool = False
    end: Literal["", "won", "lost"] = ""
    feature: str = ""
    now: int = 0
    could: int = 0
    theirs: bool = False
    answer: str = ""


class ProcessAnswer(msgspec.Struct, frozen=True):
    """What the process said: a ``ply`` and its ``value`` to the seat from -1 to 1, or an ``error`` in one sentence.

    ``cost`` is what the ply that was asked about has cost; ``note`` what people should know of how it was judged.
    """

    id: int | None = None
    ply: str = ""
    value: float = 0.0
    error: str = ""
    cost: CoachCost = CoachCost()
    note: str = ""


class Thinker(Protocol):
    """Who answers questions. ``heard`` gets each answer, in another thread, and None when the thinker has died."""

    heard: Callable[[ProcessAnswer | None], None]

    def wake(self) -> None:
        """Be ready, so that the first answer takes no longer than the others; raises OSError."""

    def ask(self, question: Question) -> None:
        """Begin to think; raises OSError."""

    def stop(self, id: int) -> None:
        """Think no longer about the question ``id``."""

    def close(self) -> None:
        """End, until the next question, whatever is thought about."""

    def rest(self) -> None:
        """Note that nothing more is asked for now: it may end until the next question."""


class Thinking:
    """A `Thinker` that is a process, with a low priority and limited memory of its own accord."""

    def __init__(self, command: Sequence[str] | None = None) -> None:
        """``command`` starts it, `COMMAND` where it is None."""
        self.heard: Callable[[ProcessAnswer | None], None] = lambda said: None
        self._command = command or COMMAND
        self._process: Child | None = None

    def wake(self) -> None:
        """Start the process, if it does not run; raises OSError."""
        if self._process is None:
            self._process = begun(self._command, self._listen, NAME)

    def ask(self, question: Question) -> None:
        """Send ``question``, and start the process if it does not run; raises OSError."""
        self.wake()
        assert self._process is not None
        tell(self._process, question)

    def stop(self, id: int) -> None:
        """Think no longer about the question ``id``; a process that is gone does not."""
        if self._process is not None:
            with suppress(OSError):
                tell(self._process, {"id": id, "stop": True})

    def close(self) -> None:
        """Kill the process: it keeps nothing."""
        process, self._process = self._process, None
        if process is not None:
            end(process)

    def rest(self) -> None:
        """As `close`: nobody else asks it."""
        self.close()

    def _listen(self, process: Child) -> None:
        """Hand on what the process says, and that it has ended where nobody has ended it."""
        for said in heard(process, ProcessAnswer, NAME):
            self.heard(said)
        if process is self._process:
            log.warning("the thinking process ended by itself, with status %s", process.wait())
            self.heard(None)
