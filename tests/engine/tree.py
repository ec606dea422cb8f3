"""A game that fits on one hand: each position lists what may be played and what that leads to.

A number, ``worth``, is what a position looks worth to the first seat; ``winner`` ends the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from controller.rules.game import Result

Position = Mapping[str, Any]
OF_A_POSITION = ("worth", "winner", "has")  # what is no ply


class Tree:
    """A game of two who take turns; who it is lies in the position's depth, which is the length of the line to it."""

    secret = None

    def __init__(self, root: Position, seats: int = 2) -> None:
        self.root, self.seats = (frozen(root), 0), seats
        self.facts = SimpleNamespace(name="tides-of-war")

    def seat(self, state: tuple[Position, int]) -> int:
        return state[1] % self.seats

    def moves(self, state: tuple[Position, int]) -> list[str]:
        return [ply for ply in state[0] if ply not in OF_A_POSITION] or ["on"]

    def after(self, state: tuple[Position, int], ply: str) -> tuple[Position, int]:
        return state[0].get(ply, state[0]), state[1] + 1

    def result(self, state: tuple[Position, int]) -> Result:
        return Result("winner" in state[0], state[0].get("winner"))

    def count(self, state: tuple[Position, int]) -> list[tuple[int, ...]]:
        """Return the features that the position ``has``, for each seat."""
        return state[0]["has"]

    def judge(self, state: tuple[Position, int]) -> tuple[float, ...]:
        first = state[0]["worth"]
        return (first, *[(1 - first) / (self.seats - 1)] * (self.seats - 1))


class Frozen(dict[str, Any]):
    """A position that may be looked up: no two are alike."""

    __hash__ = object.__hash__  # type: ignore[assignment]


def frozen(position: Position) -> Position:
    return Frozen({ply: frozen(below) if isinstance(below, Mapping) else below for ply, below in position.items()})
