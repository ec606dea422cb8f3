"""Which positions of Tides of War are solved: those with four stones at most, whoever has how many of them.

Each is seen from the side to move. A stone is on one of 34 squares: its own town it may not enter, and in the other
one the game is over.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb

from controller.rules.game import Endgames
from controller.rules.games.tides_of_war.state import SIDE, State
from controller.rules.notation import as_set, bits

STONES = 4
SQUARES = SIDE * SIDE - 2
LAST = SIDE * SIDE - 1
SPLITS = tuple((own, both - own) for both in range(2, STONES + 1) for own in range(1, both))
COUNTS = tuple(comb(SQUARES, own) * comb(SQUARES, enemy) for own, enemy in SPLITS)
BEGINS = {split: sum(COUNTS[:place]) for place, split in enumerate(SPLITS)}
CHOICES = tuple(tuple(comb(square, stone + 1) for square in range(SQUARES)) for stone in range(STONES))


def number(state: State) -> int | None:
    """Return the number of a position that goes on, None where more stones are left."""
    white, black = state.stones
    if (white | black).bit_count() > STONES:
        return None
    own, enemy = (_turned(black), _turned(white)) if state.turn else (bits(white), bits(black))
    begin = BEGINS.get((len(own), len(enemy)))
    return None if begin is None else begin + _rank(own) * comb(SQUARES, len(enemy)) + _rank(enemy)


def _turned(stones: int) -> list[int]:
    """Return the squares of ``stones`` from Black's town on, the nearest first."""
    return [LAST - square for square in reversed(bits(stones))]


def _rank(squares: list[int]) -> int:
    """Return the number of a set of squares among all sets of as many."""
    return sum([CHOICES[stone][square - 1] for stone, square in enumerate(squares)])


def positions() -> Iterator[State]:
    """Yield each position with White to move; those with Black to move are the same ones turned round."""
    for own, enemy in SPLITS:
        for white in combinations(range(1, LAST), own):
            left = [square for square in range(1, LAST) if square not in white]
            for black in combinations(left, enemy):
                yield State((as_set(white), as_set(black)), 0, ())


ENDGAMES = Endgames(sum(COUNTS), number, positions, whatever=("white", "black", "repeats"))
