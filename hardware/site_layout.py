"""Where sites lie: from a tiling and a pitch to named places in millimetres.

Owns the names of sites (``b3`` a cell, ``b3:4`` node 4 of its shell, ``a3.b2.b3`` the vertex of these cells) and their
positions and outlines.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from controller.rules.mesh import NONE, BadMesh, Mesh, Point, letter_name, vertex_names
from controller.rules.shells import ring_of
from controller.rules.tilings import build

Kind = Literal["cell", "vertex", "node"]

# The tilings of the rules that can be built of wood: flat, not rolled up, and with cells of a size.
FLAT = ("square FILES RANKS", "hex SIDE", "triangle SIDE", "4.8.8 SIDE", "3.6.3.6 SIDE", "3.12.12 SIDE")

# A shell's nodes lie this far out on the way from the middle of the cell to the middle of a side.
NODE_REACH = 0.68
# Points of a drawing nearer than this are the same, in sides of a cell.
SAME = 1e-3
# Drawn radius of what is not a cell, in pitches.
RADIUS = {"vertex": 0.11, "node": 0.09}


class SitePlace(msgspec.Struct, frozen=True):
    """A site before it is wired: millimetres from the lower left corner of the board, x right, y up."""

    name: str
    kind: Kind
    x_mm: float
    y_mm: float
    outline: tuple[Point, ...]


def mesh_of(tiling: str) -> Mesh:
    """Return the mesh of one of the tilings in `FLAT`; raises `BadMesh`."""
    if tiling.split(" ")[0] not in {form.split()[0] for form in FLAT}:
        raise BadMesh(f"tiling '{tiling}' is none of a real board; those are written {', '.join(FLAT)}")
    return build(tiling)


def coordinates(name: str) -> tuple[int, int]:
    """Return the 0-based letter and the 1-based number of a cell's name: ``b3`` is (1, 3), ``aa3`` (26, 3)."""
    letters = name.rstrip("0123456789")
    x = 0
    for letter in letters:
        x = 26 * x + ord(letter) - ord("a") + 1
    return x - 1, int(name.removeprefix(letters))


def places(mesh: Mesh, pitch_mm: float, *, shells: bool, vertices: bool) -> tuple[SitePlace, ...]:
    """Return every site of the mesh: the cells in their order, then shared vertices, then nodes by cell."""
    scale = pitch_mm / _pitch(mesh)
    points = [p for outline in mesh.outlines for p in outline]
    left, low = min(x for x, _ in points), min(y for _, y in points)

    def mm(point: Point) -> Point:
        return (point[0] - left) * scale, (point[1] - low) * scale

    found = []
    for cell, name in enumerate(mesh.cells):
        x, y = mm(mesh.centre(cell))
        found.append(SitePlace(name, "cell", x, y, tuple(mm(p) for p in mesh.outlines[cell])))
    if vertices:
        found += [_round(n, "vertex", mm(_corner(mesh, v)), pitch_mm) for v, n in vertex_names(mesh).items()]
    if shells:
        found += [_round(n, "node", mm(p), pitch_mm) for n, p in _nodes(mesh)]
    return tuple(found)


def _pitch(mesh: Mesh) -> float:
    """Return the least distance between the middles of neighbouring cells, in sides; a lone cell counts as 1."""
    middles = [mesh.centre(c) for c in range(len(mesh.cells))]
    between = (math.dist(middles[c], middles[n]) for c, row in enumerate(mesh.neighbours) for n in row if n != NONE)
    return min(between, default=1.0)


def _corner(mesh: Mesh, vertex: int) -> Point:
    cell = mesh.vertices[vertex][0]
    return mesh.outlines[cell][mesh.corners[cell].index(vertex)]


def _nodes(mesh: Mesh) -> Iterator[tuple[str, Point]]:
    """Yield every node with its point: each side is centred on a node, further nodes lie evenly between those."""
    count = ring_of(mesh)
    for cell, name in enumerate(mesh.cells):
        outline, (mid_x, mid_y) = mesh.outlines[cell], mesh.centre(cell)
        for node in range(count):
            side, part = divmod(node * len(outline) / count + 0.5, 1)
            (x, y), (next_x, next_y) = (outline[int(k) % len(outline)] for k in (side, side + 1))
            out_x, out_y = x + part * (next_x - x) - mid_x, y + part * (next_y - y) - mid_y
            yield f"{name}:{node}", (mid_x + NODE_REACH * out_x, mid_y + NODE_REACH * out_y)


def _round(name: str, kind: Kind, middle: Point, pitch_mm: float) -> SitePlace:
    radius, (x, y) = RADIUS[kind] * pitch_mm, middle
    turns = [math.radians(30 * k) for k in range(12)]
    return SitePlace(name, kind, x, y, tuple((x + radius * math.sin(t), y + radius * math.cos(t)) for t in turns))


def seams(mesh: Mesh) -> Iterator[tuple[str, int, str, int]]:
    """Yield every side that two cells share and that is drawn twice: a cell, its side, the other cell, its side."""
    for cell, row in enumerate(mesh.neighbours):
        for side, other in enumerate(row):
            if other > cell:
                there = mesh.facing[cell][side]
                if math.dist(_middle(mesh, cell, side), _middle(mesh, other, there)) > SAME:
                    yield mesh.cells[cell], side, mesh.cells[other], there


def _middle(mesh: Mesh, cell: int, side: int) -> Point:
    outline = mesh.outlines[cell]
    (x, y), (u, v) = outline[side], outline[(side + 1) % len(outline)]
    return (x + u) / 2, (y + v) / 2


def laid(game: Mesh, board: Mesh, letters: int, numbers: int) -> dict[str, str]:
    """Return where each site of ``game`` lies on ``board``, its cells' names moved by ``letters`` and ``numbers``.

    Nodes and vertices go with their cells. Raises KeyError with the first cell that would lie beside the board.
    """
    index = {name: cell for cell, name in enumerate(board.cells)}
    on = []
    for name in game.cells:
        x, number = coordinates(name)
        on.append(index[letter_name(x + letters, number + numbers)])
    names = {name: board.cells[on[cell]] for cell, name in enumerate(game.cells)}
    there = vertex_names(board)
    for vertex, name in vertex_names(game).items():
        cell = game.vertices[vertex][0]
        names[name] = there[board.corners[on[cell]][game.corners[cell].index(vertex)]]
    for node in range(ring_of(game)):
        names |= {f"{name}:{node}": f"{board.cells[there]}:{node}" for name, there in zip(game.cells, on, strict=True)}
    return names


def first_place(game: Mesh, board: Mesh) -> dict[str, str] | None:
    """Return where the sites of ``game`` lie on ``board`` as near to the first player's left corner as they fit.

    None where they fit nowhere, with all neighbours that they have.
    """
    spare = range(len({coordinates(name)[0] for name in board.cells}))
    for numbers in range(-len(spare), len(spare)):
        for letters in spare:
            try:
                names = laid(game, board, letters, numbers)
            except (KeyError, IndexError, ValueError):  # beside the board, or cells with other corners
                continue
            if _same_neighbours(game, board, names):
                return names
    return None


def _same_neighbours(game: Mesh, board: Mesh, names: Mapping[str, str]) -> bool:
    there = {name: cell for cell, name in enumerate(board.cells)}
    on = [there[names[name]] for name in game.cells]
    return all(
        len(row) == len(board.neighbours[on[cell]])
        and all(other == NONE or board.neighbours[on[cell]][side] == on[other] for side, other in enumerate(row))
        for cell, row in enumerate(game.neighbours)
    )
