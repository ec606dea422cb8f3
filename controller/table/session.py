"""One game in progress: its options, the plies made and the position after each.

Owns history and take-back in the abstract. Must not know occupancies, gestures or time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from controller.rules.game import AnyGame, Result
from controller.rules.options import parse
from controller.rules.registry import game_named


class Position(msgspec.Struct, frozen=True):
    """A state and how it came about: ``text`` and ``seat`` of the last ply, "" and None at the start."""

    state: Any
    text: str = ""
    seat: int | None = None


class Session(msgspec.Struct, frozen=True):
    """``positions[n]`` is the position after n plies."""

    name: str
    options: Mapping[str, Any]
    seed: int
    positions: tuple[Position, ...]

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

    def played(self, text: str) -> Session:
        """Return the session after the ply ``text``; raises `Illegal` or `Unreadable`."""
        game, state = self.game, self.state
        ply = game.read(state, text.strip())
        after = Position(game.play(state, ply), game.text(state, ply), game.seat(state))
        return msgspec.structs.replace(self, positions=(*self.positions, after))

    def back(self, to: int) -> Session:
        """Return the session as it stood after ``to`` plies."""
        return msgspec.structs.replace(self, positions=self.positions[: to + 1])


def begin(name: str, options: Mapping[str, Any], seed: int) -> Session:
    """Return a new session; raises `NoSuchGame` or `BadOption`."""
    game = game_named(name)
    chosen = parse(game.options, options)
    return Session(name, msgspec.to_builtins(chosen), seed, (Position(game.start(chosen, seed)),))


class Left(msgspec.Struct, frozen=True):
    """A game as it was left: the plies that stand, what the clock showed at last, and how the players ended it."""

    plies: tuple[str, ...] = ()
    left_us: tuple[int, ...] = ()
    outcome: Result | None = None
