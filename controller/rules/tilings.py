"""Boards by a short text: ``hex 3``, ``square 4 4``, ``torus hex 4 4``, the other tilings, and patches of hexes."""

from __future__ import annotations

import cmath
import math
import re
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile
from random import Random
from typing import TypeVar

from controller.rules.mesh import (
    HEX_EDGES,
    NONE,
    BadMesh,
    Mesh,
    Point,
    hex_patch,
    hexes,
    letter_name,
    middle_of,
    planar,
    solid,
    squares,
)

T = TypeVar("T")
Disc = tuple[complex, list[complex]]  # a cell in Poincaré's disc: its centre and its corners, clockwise

MOST_CELLS = 20_000
MOST_CURVED = 8  # sides of a cell, and cells round a vertex, of a curved plane
MOST_RINGS = 3  # of a curved plane: further out the drawn cells are too small to see
MOST_LISTED = 64  # cells of a board that are named one by one
ROUNDING = 1e-7  # points of a drawing nearer than this are the same
FORMS = (
    "hex 3, square 4 4, triangle 5, 4.8.8 3, 3.6.3.6 2, 3.12.12 2, random 19 7, cells a1 a2 b1, torus hex 4 4, "
    "torus square 5 5, cylinder hex 6 4, cylinder square 6 4, cube, octahedron, {5,4} 2"
)
OFFERED = {  # boards to choose from where a game can lie on several, with what people read
    "hex 3": "hexagon of 19 hexes",
    "hex 2": "hexagon of 7 hexes",
    "hex 4": "hexagon of 37 hexes",
    "square 4 4": "4 by 4 squares",
    "square 5 5": "5 by 5 squares",
    "triangle 5": "triangle of 25 triangles",
    "4.8.8 3": "octagons and squares",
    "3.6.3.6 2": "hexagons and triangles",
    "3.12.12 2": "twelve-sided cells and triangles",
    "cylinder hex 6 4": "cylinder of hexes",
    "cylinder square 6 4": "cylinder of squares",
    "torus hex 4 4": "torus of hexes",
    "torus square 5 5": "torus of squares",
    "cube": "cube",
    "octahedron": "octahedron",
    "{5,4} 2": "curved plane of pentagons",
}


@lru_cache(maxsize=16)
def build(text: str) -> Mesh:
    """Return the mesh that ``text`` names (see `FORMS`), fit to play on; raises `BadMesh` with one sentence.

    ``hex`` and ``triangle`` give the cells of a side of the board, the mixed tilings the large cells of a side, grids
    the cells to the right and upwards, and ``{p,q}`` the rings round the middle cell. ``random`` gives the number of
    hexes, which hang together, and the seed from which they are drawn: the text alone says which board it is, so that
    all who know it play on the same one. ``cells`` names hexes as they are called on a board of hexes.

    >>> len(build("hex 6").cells)
    91
    >>> NONE in {there for row in build("torus square 5 5").neighbours for there in row}  # it has no edge
    False
    >>> build("hex 999")
    Traceback (most recent call last):
        ...
    controller.rules.mesh.BadMesh: board 'hex 999' is too large: a board has at most 20000 cells
    """
    most = count(text)
    if most > MOST_CELLS:
        raise BadMesh(f"board '{text}' is too large: a board has at most {MOST_CELLS} cells")
    match _words(text):
        case ["hex"], [side]:
            mesh = hexes(side)
        case ["square"], [wide, high]:
            mesh = squares(wide, high)
        case ["triangle"], [side]:
            mesh = _rows(_triangles(side))
        case ["4.8.8"], [side]:
            mesh = _rows(_octagons(side))
        case ["3.6.3.6"], [side]:
            mesh = _rows(_with_triangles(side, 6, 2.0))
        case ["3.12.12"], [side]:
            mesh = _rows(_with_triangles(side, 12, 2 + math.sqrt(3)))
        case [("torus" | "cylinder") as way, ("hex" | "square") as kind], [wide, high]:
            mesh = _rolled(kind, wide, high, way == "torus")
        case ["random"], [size, seed]:
            mesh = hex_patch(_drawn_patch(size, seed))
        case ["cells", *named], []:
            mesh = hex_patch(_listed(named))
        case [("cube" | "octahedron") as name], []:
            mesh = _unfolded(CUBE if name == "cube" else OCTAHEDRON)
        case _:
            mesh = _hyperbolic(*_curved(text))
    check(mesh)
    return mesh


def count(text: str) -> int:
    """Return how many cells the board has that ``text`` names, computed from its sizes: nothing is drawn.

    A curved plane, which is never large, may have fewer. Raises `BadMesh` where ``text`` is not a board.

    >>> [count(text) for text in ("hex 3", "square 12 12", "triangle 5", "cube", "random 30 1", "cells a1 b1")]
    [19, 144, 25, 6, 30, 2]
    """
    match _words(text):
        case ["hex"], [side]:
            return 3 * side * (side - 1) + 1
        case ["square"] | ["torus" | "cylinder", "hex" | "square"], [wide, high]:
            return wide * high
        case ["triangle"], [side]:
            return side * side
        case ["4.8.8"], [side]:
            return 2 * side * (side + 1) - 3
        case ["3.6.3.6" | "3.12.12"], [side]:
            return 9 * side * (side - 1) + 1
        case [("cube" | "octahedron") as name], []:
            return len(CUBE if name == "cube" else OCTAHEDRON)
        case ["random"], [size, _]:
            return size
        case ["cells", *named], []:
            return len(_listed(named))
    sides, _, rings = _curved(text)
    more: int = sum(sides * (sides - 1) ** ring for ring in range(rings))
    return 1 + more


def _words(text: str) -> tuple[list[str], list[int]]:
    """Return the words that name a tiling, and the sizes after them."""
    words = text.split()
    names = list(takewhile(lambda word: not word.isdigit(), words))
    return names, [_number(text, word) for word in words[len(names) :]]


def _number(text: str, word: str) -> int:
    if not re.fullmatch("[1-9][0-9]{0,4}", word):
        raise BadMesh(f"board '{text}': {word} is not a size; sizes are whole numbers from 1")
    return int(word)


def check(mesh: Mesh) -> None:
    """Raise `BadMesh` unless the cells hang together, each touches a beacon, and their shells fit on each other.

    >>> check(squares(1, 1))
    Traceback (most recent call last):
        ...
    controller.rules.mesh.BadMesh: cell a1 touches no beacon: none of its vertices is shared
    """
    sizes = sorted({len(row) for row in mesh.neighbours})
    for size in sizes:
        times, rest = divmod(size, sizes[0])
        if rest or times.bit_count() != 1:
            raise BadMesh(f"cells of {sizes[0]} and of {size} sides do not go together: {size} is not {sizes[0]}·2ⁿ")
    for cell, corners in enumerate(mesh.corners):
        if all(len(mesh.vertices[vertex]) < 2 for vertex in corners):
            raise BadMesh(f"cell {mesh.cells[cell]} touches no beacon: none of its vertices is shared")
    seen, waiting = {0}, [0]
    while waiting:
        beyond = {d for d in mesh.neighbours[waiting.pop()] if d != NONE} - seen
        seen |= beyond
        waiting += beyond
    lost = next((c for c in range(len(mesh.cells)) if c not in seen), None)
    if lost is not None:
        raise BadMesh(f"the board falls apart: no way leads from {mesh.cells[0]} to {mesh.cells[lost]}")


# ---- drawing ----------------------------------------------------------------------------------------------


def _polygon(sides: int, middle: Point, first_degrees: float) -> list[Point]:
    """Return a regular polygon of side 1, clockwise from the corner at ``first_degrees`` (90 is the top)."""
    radius = 0.5 / math.sin(math.pi / sides)
    turns = [math.radians(first_degrees - 360 * k / sides) for k in range(sides)]
    return [(middle[0] + radius * math.cos(t), middle[1] + radius * math.sin(t)) for t in turns]


def _apothem(sides: int) -> float:
    return 0.5 / math.tan(math.pi / sides)


def _rows(outlines: Sequence[Sequence[Point]]) -> Mesh:
    """Return the plane mesh, its cells named by rows: a letter from left to right, a number from the bottom up."""
    ordered, names = _by_rows(outlines)
    return planar(names, [outlines[c] for c in ordered])


def _by_rows(outlines: Sequence[Sequence[Point]]) -> tuple[list[int], list[str]]:
    """Return the cells in cell order, and their names in that order. A row shares the middle of its height."""
    rows: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for cell, outline in enumerate(outlines):
        heights = [y for _, y in outline]
        rows[round(256 * (min(heights) + max(heights)))].append((math.fsum(x for x, _ in outline) / len(outline), cell))
    places = [
        (letter, number, cell)
        for number, height in enumerate(sorted(rows), 1)
        for letter, (_, cell) in enumerate(sorted(rows[height]))
    ]
    places.sort()
    return [cell for _, _, cell in places], [letter_name(letter, number) for letter, number, _ in places]


def _triangles(side: int) -> list[list[Point]]:
    """Return a triangle of ``side``² triangles, a corner on top."""
    height, found = math.sqrt(3) / 2, []
    for row in range(side):
        for i in range(side - row):
            left, low = i + row / 2, row * height
            found.append([(left + 0.5, low + height), (left + 1, low), (left, low)])
            if i:
                found.append([(left - 0.5, low + height), (left + 0.5, low + height), (left, low)])
    return found


def _octagons(side: int) -> list[list[Point]]:
    """Return ``side`` × ``side`` octagons, and the squares that touch at least two of them."""
    apart, reach = 2 * _apothem(8), _apothem(8) + _apothem(4)
    middles = [(apart * x, apart * y) for x in range(side) for y in range(side)]
    gaps = [(m, turn) for m in middles for turn in (45, 135, 225, 315)]
    squares_ = [_polygon(4, _away(middle, turn, reach), 90) for middle, turn in gaps]
    return [_polygon(8, m, 112.5) for m in middles] + _touched_twice(squares_)


def _with_triangles(side: int, sides: int, apart: float) -> list[list[Point]]:
    """Return a hex board of polygons ``apart`` from each other, and the triangles that touch at least two of them."""
    span = range(2 * side - 1)
    places = [(x, y) for x in span for y in span if side - 1 <= x + y <= 3 * side - 3]
    middles = [(apart * (x + y / 2), apart * y * math.sqrt(3) / 2) for x, y in places]
    reach = _apothem(sides) + _apothem(3)
    # A triangle points away from the polygon at its foot: up above it and at the lower sides, else down.
    gaps = [(m, turn, 90 if turn in (90, 210, 330) else 150) for m in middles for turn in range(30, 360, 60)]
    triangles = [_polygon(3, _away(middle, turn, reach), first) for middle, turn, first in gaps]
    return [_polygon(sides, m, 90 + 180 / sides) for m in middles] + _touched_twice(triangles)


def _away(middle: Point, degrees: float, reach: float) -> Point:
    turn = math.radians(degrees)
    return middle[0] + reach * math.cos(turn), middle[1] + reach * math.sin(turn)


def _touched_twice(outlines: list[list[Point]]) -> list[list[Point]]:
    """Return the polygons that were drawn at least twice, each once."""
    drawn: dict[tuple[int, int], list[list[Point]]] = defaultdict(list)
    for outline in outlines:
        x, y = (math.fsum(p[axis] for p in outline) for axis in (0, 1))
        drawn[round(64 * x), round(64 * y)].append(outline)
    return [same[0] for same in drawn.values() if len(same) > 1]


# ---- patches of hexes -------------------------------------------------------------------------------------

CELL = re.compile("([a-z])([1-9][0-9]?)")


def _listed(named: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of hexes by their names; raises `BadMesh`."""
    if not 1 < len(named) <= MOST_LISTED:
        raise BadMesh(f"after 'cells' come the names of 2 to {MOST_LISTED} cells; these are {len(named)}")
    places: list[tuple[int, int]] = []
    for name in named:
        if not (found := CELL.fullmatch(name)):
            raise BadMesh(f"after 'cells', {name} names no cell: write a letter from a to z and a number from 1 to 99")
        place = ord(found[1]) - ord("a"), int(found[2]) - 1
        if place in places:
            raise BadMesh(f"after 'cells', {name} is named twice: name each cell once")
        places.append(place)
    return places


def _drawn_patch(size: int, seed: int) -> list[tuple[int, int]]:
    """Return the places of ``size`` hexes: each new one is drawn among the free ones beside those before.

    Of all that the generator offers, `random` alone is promised to give the same numbers in every version of Python.
    """
    dice = Random(seed)
    beside, met = [(0, 0)], {(0, 0)}
    taken: list[tuple[int, int]] = []
    while len(taken) < size:
        x, y = beside.pop(int(dice.random() * len(beside)))
        taken.append((x, y))
        beyond = [place for dx, dy in HEX_EDGES if (place := (x + dx, y + dy)) not in met]
        beside += beyond
        met.update(beyond)
    left, low = (min(place[axis] for place in taken) for axis in (0, 1))
    return [(x - left, y - low) for x, y in taken]


# ---- rolled and closed ------------------------------------------------------------------------------------


def _rolled(kind: str, wide: int, high: int, closed: bool) -> Mesh:
    """Return a grid whose left and right sides meet; ``closed``: its lower and upper sides too."""
    names, outlines = [], []
    for x in range(wide):
        for y in range(high):
            names.append(letter_name(x, y + 1))
            if kind == "hex":
                outlines.append(_polygon(6, (math.sqrt(3) * (x + y / 2), 1.5 * y), 90))
            else:
                outlines.append(_polygon(4, (float(x), float(y)), 135))
    across = (wide * math.sqrt(3), 0.0) if kind == "hex" else (float(wide), 0.0)
    up = (high * math.sqrt(3) / 2, 1.5 * high) if kind == "hex" else (0.0, float(high))
    both = ((across[0] + up[0], up[1]), (across[0] - up[0], -up[1]))
    return planar(names, outlines, (across, up, *both) if closed else (across,))


# The faces by the numbers of their corners, clockwise as seen from outside.
CUBE = ((0, 1, 2, 3), (1, 0, 4, 5), (2, 1, 5, 6), (3, 2, 6, 7), (0, 3, 7, 4), (7, 6, 5, 4))
OCTAHEDRON = ((0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 1), (5, 2, 1), (5, 3, 2), (5, 4, 3), (5, 1, 4))


def _unfolded(faces: Sequence[Sequence[int]]) -> Mesh:
    """Return a solid of regular faces, drawn as its net: each face is laid down at a side of an earlier one."""
    count = len(faces[0])
    drawn = {0: _polygon(count, (0.0, 0.0), 90 + (180 / count if count == 4 else 0))}
    ends = {(ring[k], ring[(k + 1) % count]): (c, k) for c, ring in enumerate(faces) for k in range(count)}
    for cell in (laid := [0]):
        for k in range(count):
            start, end = faces[cell][k], faces[cell][(k + 1) % count]
            other, side = ends[end, start]
            if other not in drawn:
                drawn[other] = _laid_at(drawn[cell][(k + 1) % count], drawn[cell][k], side, count)
                laid.append(other)
    ordered, names = _by_rows([drawn[c] for c in range(len(faces))])
    first = {c: _top(drawn[c], middle_of(drawn[c])) for c in ordered}
    return solid(names, [_from(drawn[c], first[c]) for c in ordered], [_from(faces[c], first[c]) for c in ordered])


def _top(outline: Sequence[Point], middle: Point) -> int:
    """Return the corner at which side 0 starts: at the top, or the last one before it."""
    turns = [(math.pi / 2 - math.atan2(y - middle[1], x - middle[0]) + ROUNDING) % math.tau for x, y in outline]
    least = min(turns)
    return turns.index(least if least < 2 * ROUNDING else max(turns))


def _from(ring: Sequence[T], first: int) -> list[T]:
    return [*ring[first:], *ring[:first]]


def _laid_at(start: Point, end: Point, side: int, count: int) -> list[Point]:
    """Return a regular polygon, clockwise, whose side number ``side`` runs from ``start`` to ``end``."""
    corners, step = [complex(*start)], complex(*end) - complex(*start)
    for _ in range(count - 1):
        corners.append(corners[-1] + step)
        step *= cmath.exp(-2j * math.pi / count)
    return [(z.real, z.imag) for z in (corners[(k - side) % count] for k in range(count))]


# ---- curved planes ----------------------------------------------------------------------------------------


def _curved(text: str) -> tuple[int, int, int]:
    """Return the sides of a cell, the cells round a vertex and the rings of ``{p,q} rings``."""
    match _words(text):
        case [tiling], [rings] if found := re.fullmatch(r"\{([0-9]),([0-9])\}", tiling):
            sides, degree = int(found[1]), int(found[2])
        case _:
            raise BadMesh(f"there is no board '{text}'; boards are written as {FORMS}")
    if not (3 <= sides <= MOST_CURVED and 3 <= degree <= MOST_CURVED) or rings > MOST_RINGS:
        raise BadMesh(f"board '{text}': {{p,q}} takes numbers from 3 to {MOST_CURVED}, and 1 to {MOST_RINGS} rings")
    if (sides - 2) * (degree - 2) <= 4:
        raise BadMesh(f"board '{text}': {{{sides},{degree}}} is not hyperbolic; the flat and closed boards have names")
    return sides, degree, rings


def _hyperbolic(sides: int, degree: int, rings: int) -> Mesh:
    """Return ``rings`` rings round a cell of the tiling {sides,degree}, drawn in Poincaré's disc.

    Cells are named by ring, from the letter a, and clockwise from the top.
    """
    at, around = math.pi / sides, math.pi / degree
    radius = math.sqrt(math.cos(at + around) / math.cos(at - around))
    corners = [cmath.rect(radius, math.pi / 2 - 2 * at * k) for k in range(sides)]
    spots = _Spots()
    ring, names, found = {spots.number(0j): (0j, corners)}, ["a1"], [(0j, corners)]
    known = set(ring)
    for number in range(1, rings + 1):
        beyond = [_beyond(cell, k) for cell in ring.values() for k in range(sides)]
        ring = {n: cell for cell in beyond if (n := spots.number(cell[0])) not in known}
        known |= ring.keys()
        found += sorted(ring.values(), key=lambda cell: _clockwise(cell[0]))
        names += [letter_name(number, i + 1) for i in range(len(ring))]
    scale = 1 / abs(corners[1] - corners[0])
    outlines, rings_ = [], []
    for centre, ends in found:
        points = [(z.real, z.imag) for z in ends]
        first = _top(points, (centre.real, centre.imag))
        outlines.append([(x * scale, y * scale) for x, y in _from(points, first)])
        rings_.append([spots.number(z) for z in _from(ends, first)])
    return solid(names, outlines, rings_)


def _clockwise(z: complex) -> float:
    """Return how far ``z`` is turned from the top, clockwise."""
    return (math.pi / 2 - cmath.phase(z) + ROUNDING) % math.tau


def _beyond(cell: Disc, side: int) -> Disc:
    """Return the cell beyond a side: this one after half a turn about the middle of that side."""
    centre, corners = cell
    start, end = corners[side], corners[(side + 1) % len(corners)]
    there = (end - start) / (1 - start.conjugate() * end)  # the end, as seen when the start is moved to 0
    half = there / (1 + math.sqrt(1 - abs(there) ** 2))
    pivot = (half + start) / (1 + start.conjugate() * half)

    def turned(z: complex) -> complex:
        back = -(z - pivot) / (1 - pivot.conjugate() * z)
        return (back + pivot) / (1 + pivot.conjugate() * back)

    return turned(centre), [turned(z) for z in corners]


class _Spots:
    """Numbers points of the disc; points nearer than the rounding have the same number."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], int] = {}

    def number(self, z: complex) -> int:
        """Return the number of ``z``, a new one if no point is near."""
        x, y = math.floor(z.real / ROUNDING), math.floor(z.imag / ROUNDING)
        near = (self._known.get((x + i, y + j)) for i in (0, -1, 1) for j in (0, -1, 1))
        found = next((n for n in near if n is not None), None)
        return self._known.setdefault((x, y), len(self._known)) if found is None else found
