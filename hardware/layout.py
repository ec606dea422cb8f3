"""Where sites lie: from a tiling and a pitch to named places in millimetres.

Owns the names of sites (``b3`` a cell, ``b3:4`` node 4 of its shell, ``a3.b2.b3`` the vertex of these cells) and
their positions and outlines. Must not know wires, lights or games.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

import msgspec

from controller.rules.mesh import NONE, Mesh, Point, hexes, letter_name, squares

Kind = Literal["cell", "vertex", "node"]

# A shell's nodes lie this far out on the way from the middle of the cell to the middle of a side.
NODE_REACH = 0.68
# Drawn radius of what is not a cell, in pitches.
RADIUS = {"vertex": 0.11, "node": 0.09}
# Cells are named with one letter.
MOST_LETTERS = 26


class BadTiling(ValueError):
    """A tiling that cannot be read; the sentence says what is allowed."""


class Place(msgspec.Struct, frozen=True):
    """A site before it is wired: millimetres from the lower left corner of the board, x right, y up."""

    name: str
    kind: Kind
    x_mm: float
    y_mm: float
    outline: tuple[Point, ...]


def mesh_of(tiling: str) -> Mesh:
    """Return the mesh of ``squares FILES RANKS`` or ``hexes SIDE``; raises `BadTiling`."""
    match tiling.split():
        case ["squares", files, ranks] if _within(files, MOST_LETTERS) and _within(ranks, MOST_LETTERS):
            return squares(int(files), int(ranks))
        case ["hexes", side] if _within(side, (MOST_LETTERS + 1) // 2):
            return hexes(int(side))
    raise BadTiling(
        f"tiling '{tiling}' is neither 'squares FILES RANKS' (1 to 26 each) nor 'hexes SIDE' (1 to 13)"
    )


def _within(text: str, most: int) -> bool:
    return text.isascii() and text.isdigit() and 1 <= int(text) <= most


def vertex_names(mesh: Mesh) -> dict[int, str]:
    """Return the names of the vertices that two or more cells share, by vertex.

    Where two vertices have the same cells, the second clockwise from the start of side 0 of the first cell gets
    ``#2``; that is the order in which a mesh numbers them.
    """
    names: dict[int, str] = {}
    seen: set[str] = set()
    for vertex, cells in enumerate(mesh.vertices):
        if len(cells) < 2:
            continue
        name = ".".join(mesh.cells[c] for c in cells)
        names[vertex] = f"{name}#2" if name in seen else name
        seen.add(name)
    return names


def places(mesh: Mesh, pitch_mm: float, *, shells: bool, vertices: bool) -> tuple[Place, ...]:
    """Return every site of the mesh: the cells in their order, then shared vertices, then nodes by cell."""
    scale = pitch_mm / _pitch(mesh)
    points = [p for outline in mesh.outlines for p in outline]
    left, low = min(x for x, _ in points), min(y for _, y in points)

    def mm(point: Point) -> Point:
        return (point[0] - left) * scale, (point[1] - low) * scale

    found = []
    for cell, name in enumerate(mesh.cells):
        x, y = mm(mesh.centre(cell))
        found.append(Place(name, "cell", x, y, tuple(mm(p) for p in mesh.outlines[cell])))
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
    for cell, name in enumerate(mesh.cells):
        outline, (mid_x, mid_y) = mesh.outlines[cell], mesh.centre(cell)
        for side, (x, y) in enumerate(outline):
            next_x, next_y = outline[(side + 1) % len(outline)]
            out_x, out_y = (x + next_x) / 2 - mid_x, (y + next_y) / 2 - mid_y
            yield f"{name}:{side}", (mid_x + NODE_REACH * out_x, mid_y + NODE_REACH * out_y)


def _round(name: str, kind: Kind, middle: Point, pitch_mm: float) -> Place:
    radius, (x, y) = RADIUS[kind] * pitch_mm, middle
    turns = [math.radians(30 * k) for k in range(12)]
    return Place(name, kind, x, y, tuple((x + radius * math.sin(t), y + radius * math.cos(t)) for t in turns))


def laid(game: Mesh, board: Mesh, letters: int, numbers: int) -> dict[str, str]:
    """Return where each site of ``game`` lies on ``board``, its cells' names moved by ``letters`` and ``numbers``.

    Nodes and vertices go with their cells. Raises KeyError with the first cell that would lie beside the board.
    """
    index = {name: cell for cell, name in enumerate(board.cells)}
    on = []
    for name in game.cells:
        x = ord(name[0]) - ord("a") + letters
        on.append(index[letter_name(x, int(name[1:]) + numbers)])
    names = {name: board.cells[on[cell]] for cell, name in enumerate(game.cells)}
    there = vertex_names(board)
    for vertex, name in vertex_names(game).items():
        cell = game.vertices[vertex][0]
        names[name] = there[board.corners[on[cell]][game.corners[cell].index(vertex)]]
    for cell, name in enumerate(game.cells):
        for side in range(len(game.neighbours[cell])):
            names[f"{name}:{side}"] = f"{board.cells[on[cell]]}:{side}"
    return names
