"""The board of Cyvasse: its cells, the lines that pieces follow on it, its ports, and what a capture is worth.

Owns geometry and arithmetic only, as tables made once; boards are text with one character a cell, in cell
order ("." is empty, "M" a mountain), and sets of cells integers with one bit a cell.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

from controller.rules.mesh import HEX_DIAGONALS, HEX_EDGES, hex_coordinates, hex_distance, hexes
from controller.rules.notation import as_set

SIDE = 6
NOWHERE = -1
PLACES = hex_coordinates(SIDE)
CELLS = hexes(SIDE).cells
NUMBER = {place: i for i, place in enumerate(PLACES)}
CORNERS = tuple(CELLS.index(name) for name in ("f1", "k1", "k6", "f11", "a11", "a6"))
HOMES = (
    frozenset(i for i, (_, y) in enumerate(PLACES) if y < SIDE - 1),  # White's: numbers 1 to 5
    frozenset(i for i, (_, y) in enumerate(PLACES) if y > SIDE - 1),  # Black's: 7 to 11
)
FLIGHT = 4  # steps of a dragon, and cells from the fortress at which it comes out

Line = tuple[int, ...]  # cells, nearest first

# Directions and range of the pieces that move in straight lines.
STRAIGHT = {
    "R": (HEX_EDGES, 1),
    "K": (HEX_EDGES, 1),
    "C": (HEX_EDGES, 3),
    "B": (HEX_EDGES, 2 * SIDE),
    "S": (HEX_DIAGONALS, 2),
    "E": (HEX_DIAGONALS, 2 * SIDE),
}
GALLOP = {"L": 3, "H": 12 * SIDE}


# ---- sets of cells ----------------------------------------------------------------------------------------


def holding(board: str, pieces: str) -> int:
    """Return the set of the cells whose character in ``board`` is one of ``pieces``."""
    return int(board[::-1].translate(_marks(pieces)), 2)


@cache
def _marks(pieces: str) -> Mapping[int, str]:
    """Return the digits by which `holding` has one character of a board replaced, by its code."""
    return {character: "1" if chr(character) in pieces else "0" for character in range(128)}


# ---- lines ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 12)
def lines(piece: str, centres: tuple[int, int], cell: int) -> tuple[Line, ...]:
    """Return the lines of a piece other than the dragon on ``cell``; only horses' depend on ``centres``."""
    kind = piece.upper()
    if kind in STRAIGHT:
        directions, most = STRAIGHT[kind]
        return tuple(line for dx, dy in directions if (line := _ray(PLACES[cell], dx, dy)[:most]))
    return tuple(line[: GALLOP[kind]] for centre in sorted(set(centres)) for line in _rounds(centre, cell))


@lru_cache(maxsize=1 << 12)
def sight(piece: str, centres: tuple[int, int], cell: int) -> int:
    """Return the set of the cells on the lines of a piece."""
    return as_set(end for line in lines(piece, centres, cell) for end in line)


def _ray(place: tuple[int, int], dx: int, dy: int) -> Line:
    x, y = place
    ray: list[int] = []
    while (x := x + dx, y := y + dy) in NUMBER:
        ray.append(NUMBER[x, y])
    return tuple(ray)


@cache
def _rounds(centre: int, cell: int) -> tuple[Line, ...]:
    """Return both ways from ``cell`` round ``centre``, up to the board's edge, the cell itself never again."""
    distance = hex_distance(PLACES[cell], PLACES[centre])
    if not distance:
        return ()
    ring = _ring(centre, distance)
    i = ring.index(cell)
    onward = ring[i + 1 :] + ring[:i]
    return tuple(line for line in (_until_edge(onward), _until_edge(onward[::-1])) if line)


@cache
def _ring(centre: int, distance: int) -> Line:
    """Return all cells at ``distance`` from ``centre``, clockwise, with NOWHERE for each place off the board."""
    x, y = PLACES[centre]
    y += distance
    ring = []
    for turn in range(6):
        dx, dy = HEX_EDGES[(turn + 2) % 6]  # from the NE corner of the ring the way round starts SE
        for _ in range(distance):
            ring.append(NUMBER.get((x, y), NOWHERE))
            x, y = x + dx, y + dy
    return tuple(ring)


def _until_edge(line: Line) -> Line:
    return line[: line.index(NOWHERE)] if NOWHERE in line else line


@cache
def within_flight(cell: int) -> int:
    """Return the set of the cells at a distance of at most 4 from ``cell``, itself included."""
    return as_set(i for i, place in enumerate(PLACES) if hex_distance(place, PLACES[cell]) <= FLIGHT)


@cache
def _neighbours() -> tuple[Line, ...]:
    """Return by cell the cells beside it."""
    return tuple(tuple(line[0] for dx, dy in HEX_EDGES if (line := _ray(place, dx, dy))) for place in PLACES)


def flights(board: str, begin: int) -> Mapping[int, int]:
    """Return every cell that a dragon on ``begin`` can fly to or over, with the cell before it on a shortest path.

    It flies over empty cells and mountains; cells of other pieces, of either side, are in the answer as ends.
    """
    return _flights(begin, holding(board, ".M") & within_flight(begin))


@lru_cache(maxsize=1 << 10)
def _flights(begin: int, open_air: int) -> Mapping[int, int]:
    around = _neighbours()
    before = {begin: begin}
    edge = [begin]
    for _ in range(FLIGHT):
        ahead: list[int] = []
        for cell in edge:
            for onward in around[cell]:
                if onward not in before:
                    before[onward] = cell
                    if open_air >> onward & 1:
                        ahead.append(onward)
        edge = ahead
    return before


# ---- ports ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def ports(fortresses: tuple[int, int]) -> Mapping[int, tuple[int, int]]:
    """Return the two neighbours of each port round the rim: the corners and every fortress on the rim."""
    rim = _ring(NUMBER[SIDE - 1, SIDE - 1], SIDE - 1)
    order = [cell for cell in rim if cell in CORNERS or cell in fortresses]
    return {cell: (order[i - 1], order[(i + 1) % len(order)]) for i, cell in enumerate(order)}


def way(
    board: str, centres: tuple[int, int], hops: Mapping[int, tuple[int, int]], begin: int, end: int
) -> tuple[int, ...] | None:
    """Return the cells after ``begin`` on a shortest free way of its piece to ``end``, whatever stands there.

    ``hops`` are the ports with their neighbours: a way goes by sea only where none is by land. None: there is none.
    """
    if found := _way_by_land(board, centres, begin, end):
        return found
    for port in hops.get(end, ()):
        found = _way_by_land(board, centres, begin, port)
        if found and board[port] == ".":
            return (*found, end)
    return None


def _way_by_land(board: str, centres: tuple[int, int], begin: int, end: int) -> tuple[int, ...] | None:
    kind = board[begin].upper()
    if kind == "D":
        before, back = flights(board, begin), [end]
        while before.get(back[-1], begin) != begin:
            back.append(before[back[-1]])
        return tuple(reversed(back)) if end in before else None
    found = [line[: line.index(end) + 1] for line in lines(kind, centres, begin) if end in line]
    return min((line for line in found if all(board[cell] == "." for cell in line[:-1])), key=len, default=None)


# ---- captures ---------------------------------------------------------------------------------------------
