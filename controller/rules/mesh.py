"""Meshes: polygonal cells joined side to side.

Owns cells, their sides in clockwise order, which side meets which, and vertices, built from polygons and gluings alone:
squares, hexes and every other tiling come from the same code.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeVar

import msgspec

NONE = -1  # no cell beyond this side

Point = tuple[float, float]  # x to the right, y up; one unit is the length of a side
Side = tuple[int, int]  # (cell, side)
T = TypeVar("T")


class BadMesh(ValueError):
    """Polygons and gluings that make no mesh; the sentence says which cells and why."""


def sides_of(ring: Sequence[T]) -> Iterator[tuple[T, T]]:
    """Yield each corner of a ring with the next one, the last with the first."""
    return zip(ring, (*ring[1:], ring[0]), strict=True)


def middle_of(points: Sequence[Point]) -> Point:
    """Return the middle of ``points``, added by fsum: since Python 3.12 sum rounds in another way."""
    return math.fsum(x for x, _ in points) / len(points), math.fsum(y for _, y in points) / len(points)


class Mesh(msgspec.Struct, frozen=True):
    """Cells by index, in the order of their names; sides and corners of each cell clockwise.

    Corner k of a cell is where its side k starts, so side k runs from corner k to corner k + 1.
    ``neighbours[c][k]`` is the cell beyond side k of c, or NONE, and ``facing[c][k]`` that cell's side there.
    ``corners[c][k]`` is a vertex, ``vertices[v]`` the cells round vertex v, in cell order.
    ``outlines[c]`` are the corner points of c as drawn.

    >>> mesh = squares(2, 2)
    >>> mesh.cells
    ('a1', 'a2', 'b1', 'b2')
    >>> [mesh.cells[c] if c != NONE else None for c in mesh.neighbours[mesh.index("a1")]]  # N, E, S, W
    ['a2', 'b1', None, None]
    >>> mesh.facing[mesh.index("a1")][0]  # its north side is the south side of a2
    2
    >>> mesh.centre(mesh.index("b2"))
    (1.5, 1.5)
    """

    cells: tuple[str, ...]
    neighbours: tuple[tuple[int, ...], ...]
    facing: tuple[tuple[int, ...], ...]
    corners: tuple[tuple[int, ...], ...]
    vertices: tuple[tuple[int, ...], ...]
    outlines: tuple[tuple[Point, ...], ...]

    def index(self, name: str) -> int:
        """Return the index of the cell called ``name``; raises KeyError."""
        try:
            return self.cells.index(name)
        except ValueError:
            raise KeyError(name) from None

    def centre(self, cell: int) -> Point:
        """Return the middle of the cell's corner points."""
        return middle_of(self.outlines[cell])


def glue(names: Sequence[str], outlines: Sequence[Sequence[Point]], gluings: Iterable[tuple[Side, Side]]) -> Mesh:
    """Return the mesh of the polygons ``outlines`` (corner points clockwise) joined along ``gluings``.

    Two glued sides run against each other, as neighbours in the plane do. Raises `BadMesh` where a side is
    glued twice or a cell meets itself, or another cell along two sides.

    >>> up = [(0.0, 0.0), (0.5, 0.87), (1.0, 0.0)]
    >>> down = [(0.5, 0.87), (1.5, 0.87), (1.0, 0.0)]
    >>> glue(["left", "right"], [up, down], [((0, 1), (1, 2))]).neighbours
    ((-1, 1, -1), (-1, -1, 0))
    """
    neighbours = [[NONE] * len(o) for o in outlines]
    facing = [[NONE] * len(o) for o in outlines]
    first = _offsets(outlines)
    root = list(range(first[-1]))

    def find(corner: int) -> int:
        while root[corner] != corner:
            root[corner] = corner = root[root[corner]]
        return corner

    for (a, i), (b, j) in gluings:
        if a == b:
            raise BadMesh(f"cell {names[a]} meets itself")
        if neighbours[a][i] != NONE or neighbours[b][j] != NONE:
            raise BadMesh(f"a side between {names[a]} and {names[b]} is glued twice")
        if b in neighbours[a]:
            raise BadMesh(f"cells {names[a]} and {names[b]} meet along two sides")
        neighbours[a][i], neighbours[b][j] = b, a
        facing[a][i], facing[b][j] = j, i
        for x, y in ((i, j + 1), (i + 1, j)):
            root[find(first[a] + x % len(outlines[a]))] = find(first[b] + y % len(outlines[b]))

    return _finish(names, outlines, neighbours, facing, [find(c) for c in range(first[-1])], first)


def _offsets(outlines: Sequence[Sequence[Point]]) -> list[int]:
    first = [0]
    for outline in outlines:
        first.append(first[-1] + len(outline))
    return first


def _finish(
    names: Sequence[str],
    outlines: Sequence[Sequence[Point]],
    neighbours: list[list[int]],
    facing: list[list[int]],
    roots: list[int],
    first: list[int],
) -> Mesh:
    number: dict[int, int] = {}
    round_vertex: dict[int, set[int]] = defaultdict(set)
    corners = []
    for cell, outline in enumerate(outlines):
        ids = [number.setdefault(roots[first[cell] + k], len(number)) for k in range(len(outline))]
        corners.append(tuple(ids))
        for vertex in ids:
            round_vertex[vertex].add(cell)
    return Mesh(
        tuple(names),
        tuple(map(tuple, neighbours)),
        tuple(map(tuple, facing)),
        tuple(corners),
        tuple(tuple(sorted(round_vertex[v])) for v in range(len(number))),
        tuple(tuple(o) for o in outlines),
    )


def planar(names: Sequence[str], outlines: Sequence[Sequence[Point]], shifts: Sequence[Point] = ()) -> Mesh:
    """Return the mesh of polygons drawn in the plane: sides that lie on each other are joined.

    So are sides that lie on each other when one of them is moved by one of ``shifts``: a single shift rolls the
    drawing into a cylinder; two shifts, their sum and their difference make it a torus.

    >>> unit = [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)]
    >>> row = [[(x + step, y) for x, y in unit] for step in (0.0, 1.0, 2.0)]
    >>> planar("abc", row).neighbours
    ((-1, 1, -1, -1), (-1, 2, -1, 0), (-1, -1, -1, 1))
    >>> planar("abc", row, [(3.0, 0.0)]).neighbours[0]  # rolled up, a meets c
    (-1, 1, -1, 2)
    """
    known: dict[tuple[tuple[int, int], tuple[int, int]], Side] = {}
    for side, start, end in _drawn(outlines):
        twin = known.setdefault((_snap(start), _snap(end)), side)
        if twin != side:
            raise BadMesh(f"cells {names[twin[0]]} and {names[side[0]]} lie on each other")
    pairs = []
    for dx, dy in ((0.0, 0.0), *shifts):
        for side, start, end in _drawn(outlines):
            other = known.get((_snap((end[0] + dx, end[1] + dy)), _snap((start[0] + dx, start[1] + dy))))
            # Unmoved, each pair is met twice; moved, once, for the way back is not among the shifts.
            if other is not None and (dx or dy or other < side):
                pairs.append((other, side))
    return glue(names, outlines, pairs)


def _drawn(outlines: Sequence[Sequence[Point]]) -> Iterator[tuple[Side, Point, Point]]:
    for cell, outline in enumerate(outlines):
        for side, start in enumerate(outline):
            yield (cell, side), start, outline[(side + 1) % len(outline)]


def solid(names: Sequence[str], outlines: Sequence[Sequence[Point]], rings: Sequence[Sequence[int]]) -> Mesh:
    """Return the mesh in which corner k of cell c is the point numbered ``rings[c][k]``, wherever it is drawn.

    A side from point p to point q meets the side from q to p.

    >>> tetrahedron = [(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)]
    >>> solid("abcd", [[(0.0, 0.0), (0.5, 0.87), (1.0, 0.0)]] * 4, tetrahedron).vertices
    ((0, 1, 2), (0, 2, 3), (0, 1, 3), (1, 2, 3))
    """
    known = {pair: (c, k) for c, ring in enumerate(rings) for k, pair in enumerate(sides_of(ring))}
    pairs = [(known[q, p], side) for (p, q), side in known.items() if (q, p) in known and known[q, p] < side]
    return glue(names, outlines, pairs)


def _snap(point: Point) -> tuple[int, int]:
    return round(point[0] * 4096), round(point[1] * 4096)


def vertex_names(mesh: Mesh) -> dict[int, str]:
    """Return the names of the vertices that two or more cells share, by vertex: ``a3.b2.b3``.

    Where several vertices have the same cells, the second one clockwise from the start of side 0 of the first
    cell gets ``#2``, and so on; that is the order in which a mesh numbers them.

    >>> sorted(vertex_names(squares(2, 2)).values())
    ['a1.a2', 'a1.a2.b1.b2', 'a1.b1', 'a2.b2', 'b1.b2']
    """
    names: dict[int, str] = {}
    times: dict[tuple[int, ...], int] = defaultdict(int)
    for vertex, cells in enumerate(mesh.vertices):
        if len(cells) > 1:
            times[cells] += 1
            again = f"#{times[cells]}" if times[cells] > 1 else ""
            names[vertex] = ".".join(mesh.cells[c] for c in cells) + again
    return names


# ---- the two tilings of the real boards -------------------------------------------------------------------


def letter_name(x: int, number: int) -> str:
    """Return the name of a cell from its 0-based letter and its 1-based number: (1, 3) is ``b3``, (26, 3) ``aa3``."""
    letters = ""
    x += 1
    while x:
        x, letter = divmod(x - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return f"{letters}{number}"


@lru_cache(maxsize=32)
def squares(files: int, ranks: int) -> Mesh:
    """Return the mesh of ``files`` × ``ranks`` squares; side 0 is N, then clockwise; in cell order."""
    names, outlines = [], []
    for x in range(files):
        for y in range(ranks):
            names.append(letter_name(x, y + 1))
            outlines.append([(x, y + 1.0), (x + 1.0, y + 1.0), (x + 1.0, y), (x, float(y))])
    return planar(names, outlines)


# Directions over the sides of a hex, clockwise from the upper right: NE, E, SE, SW, W, NW.
HEX_EDGES = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
# Directions through the corners of a hex, clockwise from the top.
HEX_DIAGONALS = ((-1, 2), (1, 1), (2, -1), (1, -2), (-1, -1), (-2, 1))


def hex_coordinates(side: int) -> tuple[tuple[int, int], ...]:
    """Return (x, y) of every cell of a hex board of ``side`` cells a side, in cell order."""
    span = range(2 * side - 1)
    return tuple((x, y) for x in span for y in span if side - 1 <= x + y <= 3 * side - 3)


def hex_distance(a: tuple[int, int], b: tuple[int, int]) -> int:
    """Return the number of edge steps from ``a`` to ``b``.

    >>> hex_distance((0, 4), (2, 3))
    2
    """
    dx, dy = b[0] - a[0], b[1] - a[1]
    return max(abs(dx), abs(dy), abs(dx + dy))


@lru_cache(maxsize=32)
def hexes(side: int) -> Mesh:
    """Return the mesh of a hex board of ``side``: pointy-topped cells; side 0 is NE, then clockwise.

    >>> board = hexes(3)
    >>> [board.cells[c] for c in board.neighbours[board.index("c3")]]
    ['c4', 'd3', 'd2', 'c2', 'b3', 'b4']
    """
    return hex_patch(hex_coordinates(side))


def hex_patch(places: Iterable[tuple[int, int]]) -> Mesh:
    """Return the mesh of the hexes at these (x, y), which count from 0, named and joined as in `hexes`; in cell order.

    >>> hex_patch([(1, 0), (0, 1), (0, 0)]).cells
    ('a1', 'a2', 'b1')
    """
    names, outlines = [], []
    for x, y in sorted(places):
        names.append(letter_name(x, y + 1))
        mid_x, mid_y = math.sqrt(3) * (x + y / 2), 1.5 * y
        # Corner k lies 60° further clockwise; corner 0, where side NE starts, is the top.
        turns = [math.radians(90 - 60 * k) for k in range(6)]
        outlines.append([(mid_x + math.cos(t), mid_y + math.sin(t)) for t in turns])
    return planar(names, outlines)
