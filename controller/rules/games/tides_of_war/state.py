"""Tides of War: its options, its state and its plies as values.

A set of squares is an integer with one bit a square.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from controller.rules.mesh import squares
from controller.rules.notation import cells_named
from controller.rules.options import for_designers

SIDE = 6
DIRECTIONS = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """What makes another game of it; with none of it, it is that of the ruling.

    A compiled move generator has 63 bits for a set of squares and how far one is shifted: hence the largest side.
    """

    side: Annotated[int, for_designers("Squares along each side of the board.", ge=4, le=7)] = SIDE
    white: Annotated[
        str, for_designers("Where White's stones start, as a2 a3 b1; empty: as usual.", max_length=200)
    ] = ""
    black: Annotated[
        str, for_designers("Where Black's stones start, as f4 f5 e6; empty: as usual.", max_length=200)
    ] = ""
    diagonals: Annotated[bool, for_designers("Stones step and jump diagonally, too.")] = True
    chains: Annotated[bool, for_designers("A stone that has jumped may jump on.")] = True
    must_take: Annotated[bool, for_designers("Who can capture must; any jump may still be the last.")] = False
    stuck: Annotated[Literal["lost", "draw"], for_designers("What it means that who is to move cannot.")] = "lost"
    repeats: Annotated[int, for_designers("How often a position stands until it is a draw.", ge=2, le=5)] = 3

    def __post_init__(self) -> None:
        if self.white or self.black:
            _check_starts(self)

    def ways(self) -> tuple[tuple[int, int], ...]:
        """Return the directions in which a stone goes, as steps along files and ranks."""
        return tuple((dx, dy) for dx, dy in DIRECTIONS if self.diagonals or not (dx and dy))

    def towns(self) -> tuple[int, int]:
        """Return White's town and Black's: the lowest corner, and the highest."""
        return 1, 1 << self.side * self.side - 1

    def starts(self) -> tuple[int, int]:
        """Return where White's stones and Black's stand at first; raises ValueError with one sentence.

        Where nothing else is said, White has all squares but its town on which file and rank, from 1, add up to less
        than on the diagonal between the towns, and Black all on which they add up to more.
        """
        cells = squares(self.side, self.side).cells
        sums = [cell // self.side + cell % self.side + 2 for cell in range(len(cells))]
        white, black = self.towns()
        nearer = sum(1 << cell for cell, both in enumerate(sums) if both < self.side + 1) & ~white
        farther = sum(1 << cell for cell, both in enumerate(sums) if both > self.side + 1) & ~black
        return (
            cells_named("white", self.white, cells) if self.white else nearer,
            cells_named("black", self.black, cells) if self.black else farther,
        )


def _check_starts(options: Options) -> None:
    """Raise ValueError where stones start in a town, or two on one square, or White could not begin with a step."""
    cells, side = squares(options.side, options.side).cells, options.side
    white, black = options.starts()
    if both := white & black:
        cell = cells[both.bit_length() - 1]
        raise ValueError(f"a white stone and a black one start on {cell}: leave one of them out of white or black")
    for name, stones in (("white", white), ("black", black)):
        if inside := stones & sum(options.towns()):
            raise ValueError(f"option {name} has {cells[inside.bit_length() - 1]}, which is a town: choose other cells")
    vacant = [cell for cell in range(1, len(cells)) if not (white | black) >> cell & 1]  # less White's town
    beside = {(cell // side + dx, cell % side + dy) for cell in vacant for dx, dy in options.ways()}
    if not any(white >> cell & 1 and (cell // side, cell % side) in beside for cell in range(len(cells))):
        raise ValueError("no white stone can step at the start: leave a cell beside one out of white and black")


class State(msgspec.Struct, frozen=True):
    """``stones`` are White's and Black's; ``seen`` the positions since the last capture, this one included.

    ``why`` and ``winner`` are set by the ply that ends the game, except for *stuck*, which `result` finds.
    ``options`` are there only where they are others than the ruling's.
    """

    stones: tuple[int, int]
    turn: int
    seen: tuple[int, ...]
    why: str = ""
    winner: int | None = None
    options: Options | UnsetType = UNSET


class Ply(msgspec.Struct, frozen=True):
    """A whole path. ``moved``: its first and last square (none for a round trip); ``takes``: the jumped ones."""

    path: tuple[int, ...]
    jumps: bool
    moved: int
    takes: int


# One of the 8 directions: how far a bit shifts, the squares from where one step is on the board, from where two are;
# then by the bit of the square that is left the ply of a step, and the ply of a jump with the bits of the square that
# is jumped over and of that behind it.
Ray = tuple[int, int, int, dict[int, Ply], dict[int, tuple[Ply, int, int]]]

Landing = tuple[int, int, int]  # of a jump: the bits of the square jumped over and of that behind it, and its number


class Board(msgspec.Struct, frozen=True):
    """What ``options`` make of the board of so many ``squares``, and the tables of its plies.

    ``landings`` has by the bit of a square where a stone can land that jumps on from there, in the order of the rays.
    ``rings`` are by seat the squares at each distance from its town, as a stone goes.
    """

    options: Options
    squares: int
    cells: tuple[str, ...]
    full: int  # all squares
    towns: tuple[int, int]
    rays: tuple[Ray, ...]
    jumps: tuple[tuple[int, int], ...]  # of each ray how far a bit shifts, and from where two steps are on the board
    landings: dict[int, tuple[Landing, ...]]
    rings: tuple[tuple[int, ...], tuple[int, ...]]
