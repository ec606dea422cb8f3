"""Giantslayer: the cells of its board, its options, its state and its plies as values.

A set of cells is an integer with one bit a cell, in cell order.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from controller.rules.mesh import hex_coordinates, hex_distance, hexes
from controller.rules.notation import bits, cells_named
from controller.rules.options import for_designers

SIDE = 5
PLACES = hex_coordinates(SIDE)
CELLS = hexes(SIDE).cells
MIDDLE = PLACES[CELLS.index("e5")]
CENTRE = 1 << CELLS.index("e5")
RING = sum(1 << i for i, place in enumerate(PLACES) if hex_distance(place, MIDDLE) == SIDE - 1)
GIANTS = sum(1 << i for i, place in enumerate(PLACES) if hex_distance(place, MIDDLE) == 1)
OPEN = (1 << len(CELLS)) - 1 & ~CENTRE  # no stone enters, passes or jumps the centre


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """``rounds`` is 1 or even: after each round the players swap sides. All else makes another game of it."""

    rounds: Annotated[int, Meta(ge=1, le=20, description="Rounds of a game: 1, or an even number.")] = 1
    halogai: Annotated[str, for_designers("Where halogai start, as a5 b4 c3; empty: as usual.", max_length=200)] = ""
    giants: Annotated[str, for_designers("Where giants start, as d5 e4; empty: as usual.", max_length=200)] = ""
    flankers: Annotated[int, for_designers("Halogai that a giant has beside it when it is slain.", ge=1, le=6)] = 2
    slide: Annotated[int, for_designers("Most cells that a halogai goes in one move.", ge=1, le=8)] = 2 * SIDE - 2
    chains: Annotated[bool, for_designers("A giant that has trampled may jump on.")] = True
    repeats: Annotated[int, for_designers("How often a position stands until it ends the round.", ge=2, le=5)] = 3
    tied: Annotated[
        Literal["nobody", "first", "second"],
        for_designers("Which player wins a match in which both have as many points."),
    ] = "nobody"

    def __post_init__(self) -> None:
        if self.rounds > 1 and self.rounds % 2:
            raise ValueError(f"option rounds={self.rounds} is not allowed: a game has 1 round or an even number")
        if self.halogai or self.giants or self.flankers == 1:
            _check_starts(self)

    def starts(self) -> tuple[int, int]:
        """Return where halogai and giants stand at first; raises ValueError with one sentence."""
        return (
            cells_named("halogai", self.halogai, CELLS) if self.halogai else RING,
            cells_named("giants", self.giants, CELLS) if self.giants else GIANTS,
        )


def _check_starts(options: Options) -> None:
    """Raise ValueError where two stones start on one cell or one in the centre, where White could not begin, or where a
    giant would be slain before anybody has moved.
    """
    white, black = options.starts()
    if both := white & black:
        twice = CELLS[both.bit_length() - 1]
        raise ValueError(f"a halogai and a giant start on {twice}: leave one of them out of halogai or giants")
    if (white | black) & CENTRE:
        name = "halogai" if white & CENTRE else "giants"
        raise ValueError(f"option {name} has e5, the centre, which is closed: choose other cells")
    for cell in bits(black):
        if (_around(cell) & white).bit_count() >= options.flankers:
            raise ValueError(f"the giant on {CELLS[cell]} is flanked at the start: put fewer halogai beside it")
    if not any(_around(cell) & OPEN & ~(white | black) for cell in bits(white)):
        raise ValueError("no halogai can move at the start: leave a cell beside one out of halogai and giants")


def _around(cell: int) -> int:
    return sum(1 << other for other, place in enumerate(PLACES) if hex_distance(place, PLACES[cell]) == 1)


class State(msgspec.Struct, frozen=True):
    """One position of a match. ``seen`` are the positions of this round since the last capture, this one included.

    ``tally`` are the points by seat; ``why`` is how the last round of the match ended, "" before. ``options`` are there
    only where those of a round are others than the ruling's; they say nothing of ``rounds``.
    """

    white: int
    black: int
    turn: int
    seen: tuple[int, ...]
    rounds: int
    round: int = 0
    tally: tuple[int, int] = (0, 0)
    why: str = ""
    options: Options | UnsetType = UNSET


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


class Rules(msgspec.Struct, frozen=True):
    """What ``options`` make of a round: where its stones start, and the tables of all cells."""

    options: Options
    white: int
    black: int
    giants: int  # how many
    flankers: int
    repeats: int
    tables: tuple[StepTables, ...]
