"""Giantslayer: what is known of each cell of its board before any stone stands, under each choice of options.

A set of cells is an integer with one bit a cell, in cell order.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from functools import cache, lru_cache

from msgspec import UNSET, UnsetType

from controller.rules.games.giantslayer.state import (
    CELLS,
    CENTRE,
    MIDDLE,
    PLACES,
    RING,
    SIDE,
    Options,
    Ply,
    Rules,
    StepTables,
)
from controller.rules.mesh import HEX_EDGES
from controller.rules.notation import bits
from controller.rules.places import Place
from controller.sentences import say

MARKED = (
    Place((CELLS[CENTRE.bit_length() - 1],), "closed", say("closed centre")),
    Place(tuple(CELLS[i] for i in bits(RING)), "edge", say("edge")),
)


@lru_cache(maxsize=16)
def rules_of(options: Options | UnsetType) -> Rules:
    """Return what ``options`` make of a round: those that a state carries, or any."""
    chosen = options or Options()
    white, black = chosen.starts()
    return Rules(chosen, white, black, black.bit_count(), chosen.flankers, chosen.repeats, tables(chosen.slide))


@cache
def tables(slide: int = 2 * SIDE - 2) -> tuple[StepTables, ...]:
    """Return the tables of all cells where halogai go ``slide`` cells at most, made once."""
    return tuple(_table(cell, slide) for cell in range(len(CELLS)))


@cache
def arounds() -> tuple[int, ...]:
    """Return the neighbours of all cells as sets, made once."""
    return tuple(each.around for each in tables())


def line_of(cell: int, dx: int, dy: int) -> list[int]:
    """Return the cells from ``cell`` on in one direction, up to the edge or the centre."""
    x, y = PLACES[cell]
    line: list[int] = []
    while (x := x + dx, y := y + dy) in PLACES and (x, y) != MIDDLE:
        line.append(PLACES.index((x, y)))
    return line


def _table(cell: int, slide: int) -> StepTables:
    lines = [line_of(cell, dx, dy) for dx, dy in HEX_EDGES]
    slides = tuple(tuple((1 << e, Ply((cell, e), False, 1 << cell | 1 << e, 0)) for e in line) for line in lines)
    return StepTables(
        sum(1 << line[0] for line in lines if line),
        tuple(each[:slide] for each in slides if each),
        tuple(each[0] for each in slides if each),
        tuple((1 << line[0], 1 << line[1], line[1]) for line in lines if len(line) > 1),
    )


USUAL = rules_of(UNSET)  # those of the ruling; quicker at hand than to be looked up for every position
