"""Giantslayer: its options, its state and its plies as values. A set of cells is an integer with one bit a cell."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``rounds`` is 1 or even: after each round the players swap sides."""

    rounds: Annotated[int, Meta(ge=1, le=20, description="Rounds of the match: 1, or an even number.")] = 1

    def __post_init__(self) -> None:
        if self.rounds > 1 and self.rounds % 2:
            raise ValueError(f"option rounds={self.rounds} is not allowed: a match has 1 round or an even number")


class State(msgspec.Struct, frozen=True):
    """One position of a match. ``seen`` are the positions of this round since the last capture, this one included.

    ``tally`` are the points by seat; ``why`` is how the last round of the match ended, "" before.
    """

    white: int
    black: int
    turn: int
    seen: tuple[int, ...]
    rounds: int
    round: int = 0
    tally: tuple[int, int] = (0, 0)
    why: str = ""


class Ply(msgspec.Struct, frozen=True):
    """A whole path. ``moved``: its first and last cell (none for a round trip); ``takes``: the trampled ones."""

    path: tuple[int, ...]
    tramples: bool
    moved: int
    takes: int


class StepTables(msgspec.Struct, frozen=True):
    """What is known of one cell: its neighbours as a set, and by direction the slides and the trample over one."""

    around: int
    slides: tuple[tuple[tuple[int, Ply], ...], ...]  # (bit of the cell arrived at, ply), nearest first
    steps: tuple[tuple[int, Ply], ...]
    jumps: tuple[tuple[int, int, int], ...]  # (bit jumped over, bit landed on, cell landed on)
