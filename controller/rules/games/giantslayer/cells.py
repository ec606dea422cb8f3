"""Giantslayer: its board, with what is known of each cell before any stone stands.

A set of cells is an integer with one bit a cell, in cell order.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from functools import cache

from controller.rules.games.giantslayer.state import Ply, StepTables
from controller.rules.mesh import HEX_EDGES, hex_coordinates, hex_distance, hexes
from controller.rules.notation import bits
from controller.rules.places import Place
from controller.sentences import say

SIDE = 5
PLACES = hex_coordinates(SIDE)
CELLS = hexes(SIDE).cells
MIDDLE = PLACES[CELLS.index("e5")]
CENTRE = 1 << CELLS.index("e5")
RING = sum(1 << i for i, place in enumerate(PLACES) if hex_distance(place, MIDDLE) == SIDE - 1)
GIANTS = sum(1 << i for i, place in enumerate(PLACES) if hex_distance(place, MIDDLE) == 1)
OPEN = (1 << len(CELLS)) - 1 & ~CENTRE  # no stone enters, passes or jumps the centre
MARKED = (
    Place((CELLS[CENTRE.bit_length() - 1],), "closed", say("closed centre")),
    Place(tuple(CELLS[i] for i in bits(RING)), "edge", say("edge")),
)


@cache
def tables() -> tuple[StepTables, ...]:
    """Return the tables of all cells, made once."""
    return tuple(_table(cell) for cell in range(len(CELLS)))


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


def _table(cell: int) -> StepTables:
    lines = [line_of(cell, dx, dy) for dx, dy in HEX_EDGES]
    slides = tuple(tuple((1 << e, Ply((cell, e), False, 1 << cell | 1 << e, 0)) for e in line) for line in lines)
    return StepTables(
        sum(1 << line[0] for line in lines if line),
        tuple(slide for slide in slides if slide),
        tuple(slide[0] for slide in slides if slide),
        tuple((1 << line[0], 1 << line[1], line[1]) for line in lines if len(line) > 1),
    )
