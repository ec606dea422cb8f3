"""One game in progress: its options, the plies made and the position after each.

Owns history and take-back in the abstract. Must not know occupancies, gestures or time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from controller.events import Lesson
from controller.rules.game import AnyGame, Result
from controller.rules.options import parse
from controller.rules.registry import game_named
from controller.rules.words import say
from controller.table import lessons


class Position(msgspec.Struct, frozen=True):
    """A state and how it came about: ``text`` and ``seat`` of the last ply, "" and None at the start."""

    state: Any
    text: str = ""
    seat: int | None = None


class Session(msgspec.Struct, frozen=True):
    """``positions[n]`` is the position after n plies.

    In a ``lesson`` the first one is that in which it begins, and its steps before ``read_to`` have been read.
    """

    name: str
    options: Mapping[str, Any]
    seed: int
    positions: tuple[Position, ...]
    lesson: Lesson | None = None
    read_to: int = 0

    @property
    def game(self) -> AnyGame:
        """The rules of this session."""
        return game_named(self.name)

    @property
    def state(self) -> Any:
        """The state now."""
        return self.positions[-1].state

    @property
    def plies(self) -> tuple[str, ...]:
        """The texts of the plies made."""
        return tuple(p.text for p in self.positions[1:])

    @property
    def expected(self) -> str:
        """The ply that a lesson waits for; "" where any legal one may be made."""
        return lessons.expected(self.lesson, len(self.positions) - 1) if self.lesson else ""

    def played(self, text: str) -> Session:
        """Return the session after the ply ``text``; raises `Illegal` or `Unreadable`, `AnotherPly` in a lesson."""
        game, state = self.game, self.state
        ply = game.read(state, text.strip())
        after = Position(game.play(state, ply), game.text(state, ply), game.seat(state))
        if self.expected not in ("", after.text):
            raise lessons.AnotherPly(
                say(
                    "{ply} is a legal ply, but the lesson goes on with {expected}",
                    ply=after.text,
                    expected=self.expected,
                )
            )
        return msgspec.structs.replace(self, positions=(*self.positions, after))

    def back(self, to: int) -> Session:
        """Return the session as it stood after ``to`` plies."""
        return msgspec.structs.replace(self, positions=self.positions[: to + 1])


def begin(name: str, options: Mapping[str, Any], seed: int, lesson: Lesson | None = None) -> Session:
    """Return a new session; raises `NoSuchGame` or `BadOption`, and `Illegal` or `Unreadable` for a bad lesson."""
    game = game_named(name)
    chosen = parse(game.options, options)
    state = game.start(chosen, seed)
    first = Position(lessons.begun(game, state, lesson) if lesson else state)
    return Session(name, msgspec.to_builtins(chosen), seed, (first,), lesson)


class Left(msgspec.Struct, frozen=True):
    """A game as it was left: the plies that stand, what the clock showed at last, and how the players ended it."""

    plies: tuple[str, ...] = ()
    left_us: tuple[int, ...] = ()
    outcome: Result | None = None
