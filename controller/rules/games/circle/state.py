"""Circle: options, states and plies, and what is known of each square. Must not know which plies are legal.

A set of squares is an integer with one bit a square, in cell order: a1 is bit 0, a2 bit 1, b1 bit 9.
"""

from __future__ import annotations

from functools import cache, reduce
from operator import or_
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from controller.rules.mesh import NONE, squares
from controller.sentences import say

SIDE = 9
CELLS = squares(SIDE, SIDE).cells
NUMBER = {name: cell for cell, name in enumerate(CELLS)}
FULL = (1 << SIDE * SIDE) - 1
SEATS = (say("White"), say("Black"), say("Blue"), say("Orange"))  # as the panel and the printed pieces colour them
CORNERS = {2: ("a1", "i9"), 4: ("a1", "a9", "i9", "i1")}  # in the order of the seats, by players
DIAGONALS = {2: (3, 4), 4: (2, 3)}  # squares of the corner's diagonals on which the units start, by players
BEATS = {4: (3, 2), 3: (2, 1), 2: (1,), 1: (4,)}
GOES, FIRST_GOES = 2, 3
ENDINGS = ("quick", "annihilation", "repetition")
ENDS = {
    "quick": say("nobody else has two units left"),
    "annihilation": say("nobody else has a unit left"),
    "repetition": say("the same position came back too often"),
}


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many play, and what they agree on before the game."""

    players: Annotated[Literal[2, 4], Meta(description="Players at the table.")] = 2
    victory: Annotated[
        Literal["quick", "annihilation"],
        Meta(description="quick: nobody else has two units; annihilation: nobody else has any."),
    ] = "quick"
    any_unit: Annotated[bool, Meta(description="Anyone may change any unit's class.")] = False


class State(msgspec.Struct, frozen=True):
    """One position within a turn.

    ``units`` are the squares of each seat's units, ``classes`` those of the units of class 1 to 4. ``goes`` are left in
    this turn, ``gone`` are the squares of units that had theirs in it (nobody's in a first turn), ``fresh`` has
    a bit for each seat whose first turn is not over. ``seen`` are the positions at the start of a turn since
    the last taking, this turn's included.
    """

    units: tuple[int, ...]
    classes: tuple[int, int, int, int]
    turn: int
    goes: int
    fresh: int
    seen: tuple[int, ...]
    quick: bool
    any_unit: bool
    gone: int = 0
    began: bool = False  # a go has been made in this turn
    taken: bool = False  # and a taking
    why: str = ""
    winner: int | None = None


class Ply(msgspec.Struct, frozen=True):
    """A go: a move or a taking from ``begin`` to ``end``, a class change where both are the same; or the turn's end."""

    begin: int
    end: int
    takes: bool = False


END = Ply(NONE, NONE)


class Out(msgspec.Struct, frozen=True):
    """The seat gives up: all its units are out."""

    seat: int


AnyPly = Ply | Out


class Square(msgspec.Struct, frozen=True):
    """What is known of one square: its neighbours, the class change there, the plies to each neighbour by its bit."""

    around: int
    change: Ply
    steps: tuple[tuple[int, Ply, Ply], ...]  # (bit, move, taking)


@cache
def table() -> tuple[Square, ...]:
    """Return what is known of all squares, made once."""
    return tuple(_square(cell) for cell in range(SIDE * SIDE))


def _square(cell: int) -> Square:
    x, y = divmod(cell, SIDE)
    near = [SIDE * i + j for i in range(SIDE) for j in range(SIDE) if max(abs(i - x), abs(j - y)) == 1]
    steps = tuple((1 << end, Ply(cell, end), Ply(cell, end, True)) for end in near)
    return Square(sum(1 << end for end in near), Ply(cell, cell), steps)


def sound(state: State, options: Options) -> bool:
    """Return whether a game with ``options`` can come to ``state``, as far as the fields alone show."""
    board, players = (1 << SIDE * SIDE) - 1, options.players
    sets = (*state.units, *state.classes)
    return (
        (state.quick, state.any_unit) == (options.victory == "quick", options.any_unit)
        and len(state.units) == players
        and all(0 <= squares <= board for squares in (*sets, state.gone))
        and sum(squares.bit_count() for squares in sets) == 2 * reduce(or_, sets).bit_count()
        and reduce(or_, state.units) == reduce(or_, state.classes)
        and 0 <= state.turn < players
        and 0 <= state.goes <= FIRST_GOES
        and 0 <= state.fresh < 1 << players
        and state.winner in (None, *range(players))
        and (state.why in ENDINGS if state.why else state.winner is None)
    )
