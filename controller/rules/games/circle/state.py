"""Circle: options, states and plies, and what is known of each square.

A set of squares is an integer with one bit a square, in cell order: a1 is bit 0, a2 bit 1, b1 bit 9.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache, reduce
from operator import or_
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from controller.rules.mesh import NONE, squares
from controller.rules.options import for_designers
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
TAKES, REPEATS = 1, 3
PAIR = re.compile("[1-4][1-4]")  # of classes: who beats, and whom
ENDINGS = ("quick", "annihilation", "repetition")
ENDS = {
    "quick": say("nobody else has two units left"),
    "annihilation": say("nobody else has a unit left"),
    "repetition": say("the same position came back too often"),
}


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """How many play, and what they agree on before the game; then what makes another game of it."""

    players: Annotated[Literal[2, 4], Meta(description="Players at the table.")] = 2
    victory: Annotated[
        Literal["quick", "annihilation"],
        Meta(description="quick: nobody else has two units; annihilation: nobody else has any."),
    ] = "quick"
    any_unit: Annotated[bool, Meta(description="Anyone may change any unit's class.")] = False
    units: Annotated[
        str,
        for_designers(
            "Diagonals of a corner on which units start: 3 4 for those of 3 and 4 squares; empty: as usual.",
            max_length=20,
        ),
    ] = ""
    goes: Annotated[int, for_designers("Actions a turn.", ge=1, le=6)] = GOES
    first_goes: Annotated[int, for_designers("Actions of a player's first turn.", ge=1, le=6)] = FIRST_GOES
    takes: Annotated[int, for_designers("Captures a turn, at most.", ge=1, le=6)] = TAKES
    changes: Annotated[bool, for_designers("Units can change their class.")] = True
    beats: Annotated[str, for_designers("Which class beats which: 43 42 32 31 21 14 is usual.", max_length=60)] = ""
    repeats: Annotated[int, for_designers("How often a position stands until it is a draw.", ge=2, le=5)] = REPEATS

    def __post_init__(self) -> None:
        if self.units:
            starts = self.starts()
            if sum(units.bit_count() for units in starts) > reduce(or_, starts).bit_count():
                raise ValueError("units of two players start on one square: name smaller diagonals in units")
            if self.victory == "quick" and starts[0].bit_count() < 2:
                raise ValueError("who has one unit cannot win the quick way: name more diagonals in units")
        beaten = self.beaten()
        if not self.changes and 1 not in beaten[1]:
            raise ValueError("without changes all units are of class 1, and none could be captured: put 11 into beats")

    def starts(self) -> tuple[int, ...]:
        """Return the squares of each player's units at first; raises ValueError with one sentence."""
        wanted = self.units.split()
        if self.units and (not wanted or len(set(wanted)) < len(wanted) or not set(wanted) <= set("123456789")):
            raise ValueError(f"option units='{self.units}' is not allowed: name diagonals from 1 to 9, each once")
        diagonals = tuple(map(int, wanted)) if wanted else DIAGONALS[self.players]
        return tuple(_corner(NUMBER[name], diagonals) for name in CORNERS[self.players])

    def beaten(self) -> dict[int, tuple[int, ...]]:
        """Return by class those that it beats; raises ValueError with one sentence."""
        if not self.beats:
            return BEATS
        pairs = self.beats.split()
        if not pairs or len(set(pairs)) < len(pairs) or not all(PAIR.fullmatch(pair) for pair in pairs):
            wanted = "write pairs of classes from 1 to 4, each once, as 43 where 4 beats 3"
            raise ValueError(f"option beats='{self.beats}' is not allowed: {wanted}")
        return {kind: tuple(int(pair[1]) for pair in pairs if pair[0] == str(kind)) for kind in BEATS}


def _corner(corner: int, diagonals: tuple[int, ...]) -> int:
    """Return the squares of ``diagonals`` of a corner; the corner itself is the diagonal of one square."""
    x, y = divmod(corner, SIDE)
    places = [(cell, abs(cell // SIDE - x) + abs(cell % SIDE - y)) for cell in range(SIDE * SIDE)]
    return sum(1 << cell for cell, steps in places if steps + 1 in diagonals)


def carried(options: Options) -> Options | UnsetType:
    """Return what a state carries of ``options``: nothing where those for designers are the ruling's."""
    usual = Options(options.players, options.victory, options.any_unit)
    return UNSET if options == usual else options


class Rules(msgspec.Struct, frozen=True):
    """The numbers of a game, and by class, from 0, those that it beats and those that beat it."""

    goes: int
    first_goes: int
    takes: int
    changes: bool
    repeats: int
    beats: dict[int, tuple[int, ...]]  # by class, from 1
    prey: tuple[tuple[int, ...], ...]
    foes: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=16)
def rules_of(options: Options | UnsetType) -> Rules:
    """Return the rules under the ``options`` that a state carries."""
    chosen = options or Options()
    beats = chosen.beaten()
    prey = tuple(tuple(beaten - 1 for beaten in beats[kind]) for kind in sorted(beats))
    foes = tuple(tuple(other - 1 for other in sorted(beats) if kind in beats[other]) for kind in sorted(beats))
    return Rules(chosen.goes, chosen.first_goes, chosen.takes, chosen.changes, chosen.repeats, beats, prey, foes)


USUAL = rules_of(UNSET)  # the ruling; quicker at hand than to be looked up for every position


class State(msgspec.Struct, frozen=True):
    """One position within a turn.

    ``units`` are the squares of each seat's units, ``classes`` those of the units of class 1 to 4. ``goes`` are left in
    this turn, ``gone`` are the squares of units that had theirs in it (nobody's in a first turn), ``fresh`` has
    a bit for each seat whose first turn is not over. ``seen`` are the positions at the start of a turn since
    the last taking, this turn's included. ``options`` are there only where those for designers are others than the
    ruling's.
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
    taken: bool = False  # and as many takings as a turn may have: one, by the ruling
    why: str = ""
    winner: int | None = None
    options: Options | UnsetType = UNSET
    took: int | UnsetType = UNSET  # takings of this turn, where there may be more than one


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
    rules = rules_of(state.options)
    return (
        state.options == carried(options)
        and (state.quick, state.any_unit) == (options.victory == "quick", options.any_unit)
        and len(state.units) == players
        and all(0 <= squares <= board for squares in (*sets, state.gone))
        and sum(squares.bit_count() for squares in sets) == 2 * reduce(or_, sets).bit_count()
        and reduce(or_, state.units) == reduce(or_, state.classes)
        and 0 <= state.turn < players
        and 0 <= state.goes <= max(rules.goes, rules.first_goes)
        and (state.took is UNSET or 0 < state.took <= rules.takes)
        and 0 <= state.fresh < 1 << players
        and state.winner in (None, *range(players))
        and (state.why in ENDINGS if state.why else state.winner is None)
    )
