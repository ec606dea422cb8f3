"""Meshes and boards by a text: what holds for every polygon and gluing, and what is refused."""

from __future__ import annotations

import math
import re

import pytest

from controller.rules import tilings
from controller.rules.mesh import (
    HEX_EDGES,
    NONE,
    BadMesh,
    Mesh,
    Point,
    glue,
    hex_coordinates,
    hexes,
    letter_name,
    planar,
    solid,
    squares,
    vertex_names,
)
from controller.rules.tilings import build, check, count

# Each with what V − E + F must be: 1 for a piece of the plane, 0 for cylinder and torus, 2 for a sphere.
BOARDS = {
    **dict.fromkeys(("hex 3", "hex 6", "square 4 4", "square 2 1", "triangle 5", "triangle 2"), 1),
    **dict.fromkeys(("random 12 7", "cells a2 a3 b1 b2 b3 c1 c2"), 1),
    **dict.fromkeys(("4.8.8 3", "4.8.8 2", "3.6.3.6 2", "3.6.3.6 3", "3.12.12 2"), 1),
    **dict.fromkeys(("{5,4} 2", "{7,3} 2", "{3,7} 3", "{8,8} 2", "{4,5} 3"), 1),
    **dict.fromkeys(("cylinder square 6 4", "cylinder hex 6 4", "torus hex 4 4", "torus square 5 5"), 0),
    **dict.fromkeys(("torus hex 3 3", "torus square 3 7"), 0),
    **dict.fromkeys(("cube", "octahedron"), 2),
}
EVERY = pytest.mark.parametrize("board", BOARDS)
CLOSED = ("torus hex 4 4", "torus hex 3 3", "torus square 5 5", "torus square 3 7", "cube", "octahedron")


def adjacencies(mesh: Mesh) -> int:
    return sum(beyond != NONE for row in mesh.neighbours for beyond in row) // 2


@EVERY
def test_vertices_less_edges_and_cells_tell_the_surface(board: str) -> None:
    mesh = build(board)
    edges = sum(map(len, mesh.neighbours)) - adjacencies(mesh)
    assert len(mesh.vertices) - edges + len(mesh.cells) == BOARDS[board]


@EVERY
def test_what_lies_beyond_a_side_faces_it(board: str) -> None:
    mesh = build(board)
    for cell, row in enumerate(mesh.neighbours):
        sides = len(row)
        assert len(mesh.facing[cell]) == len(mesh.corners[cell]) == len(mesh.outlines[cell]) == sides
        met = [beyond for beyond in row if beyond != NONE]
        assert len(set(met)) == len(met)
        assert cell not in met
        for side, beyond in enumerate(row):
            if beyond == NONE:
                assert mesh.facing[cell][side] == NONE
                continue
            back = mesh.facing[cell][side]
            assert (mesh.neighbours[beyond][back], mesh.facing[beyond][back]) == (cell, side)
            # The two run against each other: where one starts the other ends.
            round_it = len(mesh.neighbours[beyond])
            assert mesh.corners[cell][side] == mesh.corners[beyond][(back + 1) % round_it]
            assert mesh.corners[cell][(side + 1) % sides] == mesh.corners[beyond][back]


@EVERY
def test_sides_run_clockwise_from_the_top(board: str) -> None:
    mesh = build(board)
    for cell, outline in enumerate(mesh.outlines):
        following = [*outline[1:], outline[0]]
        assert sum(x * v - u * y for (x, y), (u, v) in zip(outline, following, strict=True)) < 0
        if "{" in board:
            continue  # the middle of a drawn cell is not the middle of its corners there
        mid_x, mid_y = mesh.centre(cell)
        starts, ends = (math.atan2(x - mid_x, y - mid_y) for x, y in (outline[0], outline[1]))  # clockwise from the top
        assert -math.pi < starts < 1e-6
        assert ends > 1e-6


@EVERY
def test_vertices_list_the_cells_round_them_in_cell_order(board: str) -> None:
    mesh = build(board)
    for vertex, cells in enumerate(mesh.vertices):
        assert list(cells) == [c for c, corners in enumerate(mesh.corners) if vertex in corners]
    names = vertex_names(mesh)
    assert len(set(names.values())) == len(names) == sum(len(cells) > 1 for cells in mesh.vertices)


@pytest.mark.parametrize("board", [board for board, euler in BOARDS.items() if euler == 1])
def test_corners_drawn_on_the_same_spot_are_one_vertex(board: str) -> None:
    mesh = build(board)
    spots = {
        (vertex, round(x, 5), round(y, 5))
        for corners, outline in zip(mesh.corners, mesh.outlines, strict=True)
        for vertex, (x, y) in zip(corners, outline, strict=True)
    }
    assert len({(x, y) for _, x, y in spots}) == len(mesh.vertices) == len(spots)


@EVERY
def test_cells_are_named_in_their_order_by_letter_then_number(board: str) -> None:
    names = build(board).cells
    assert all(re.fullmatch("[a-z][1-9][0-9]*", name) for name in names)
    assert len(set(names)) == len(names)
    assert list(names) == sorted(names, key=lambda name: (name[0], int(name[1:])))


@pytest.mark.parametrize("board", CLOSED)
def test_a_closed_board_has_no_edge(board: str) -> None:
    mesh = build(board)
    assert all(NONE not in row for row in mesh.neighbours)
    degree = {"torus hex": 3, "torus squ": 4, "cube": 3, "octahedro": 4}[board[:9]]
    assert {len(cells) for cells in mesh.vertices} == {degree}


def test_the_hex_board_of_side_three_is_the_rulings() -> None:
    mesh = build("hex 3")
    assert mesh == hexes(3)
    assert (len(mesh.cells), adjacencies(mesh), len(vertex_names(mesh))) == (19, 42, 36)
    places = hex_coordinates(3)
    for cell, (x, y) in enumerate(places):
        beyond = [mesh.cells[c] if c != NONE else None for c in mesh.neighbours[cell]]
        there = [(x + dx, y + dy) for dx, dy in HEX_EDGES]
        assert beyond == [letter_name(u, v + 1) if (u, v) in places else None for u, v in there]
        assert all(mesh.facing[cell][side] in (NONE, (side + 3) % 6) for side in range(6))


def test_the_sides_of_a_square_are_north_east_south_west() -> None:
    mesh = build("square 3 3")
    assert mesh == squares(3, 3)
    b2 = mesh.index("b2")
    assert [mesh.cells[c] for c in mesh.neighbours[b2]] == ["b3", "c2", "b1", "a2"]


def test_a_torus_leads_round_in_every_direction() -> None:
    mesh = build("torus square 5 4")
    for side, length in ((0, 4), (1, 5), (2, 4), (3, 5)):
        cell, steps = mesh.index("a1"), 0
        while steps == 0 or mesh.cells[cell] != "a1":
            cell, steps = mesh.neighbours[cell][side], steps + 1
        assert steps == length
    hexed = build("torus hex 5 4")
    a1 = hexed.index("a1")
    assert [hexed.cells[c] for c in hexed.neighbours[a1]] == ["a2", "b1", "b4", "a4", "e1", "e2"]


def test_a_cylinder_has_two_rims() -> None:
    mesh = build("cylinder square 6 4")
    assert mesh.neighbours[mesh.index("a2")][3] == mesh.index("f2")
    assert sum(NONE in row for row in mesh.neighbours) == 12


@pytest.mark.parametrize(
    ("board", "cells"),
    [
        ("triangle 5", {3: 25}),
        ("4.8.8 3", {8: 9, 4: 12}),  # 4 squares between four octagons, 8 at the rim between two
        ("3.6.3.6 2", {6: 7, 3: 12}),
        ("3.12.12 2", {12: 7, 3: 12}),
        ("{5,4} 2", {5: 21}),
        ("{7,3} 2", {7: 29}),
        ("cube", {4: 6}),
        ("octahedron", {3: 8}),
    ],
)
def test_a_tiling_has_its_cells(board: str, cells: dict[int, int]) -> None:
    mesh = build(board)
    sizes = [len(row) for row in mesh.neighbours]
    assert {size: sizes.count(size) for size in set(sizes)} == cells


@pytest.mark.parametrize(
    ("board", "round_inner"),
    [
        ("triangle 5", [3] * 6),
        ("4.8.8 3", [4, 8, 8]),
        ("3.6.3.6 3", [3, 3, 6, 6]),
        ("3.12.12 3", [3, 12, 12]),
        ("{7,3} 2", [7] * 3),
        ("{5,4} 3", [5] * 4),
        ("{3,7} 3", [3] * 7),
    ],
)
def test_round_an_inner_vertex_lie_the_cells_of_the_tilings_name(board: str, round_inner: list[int]) -> None:
    mesh = build(board)
    size = [len(row) for row in mesh.neighbours]
    # A vertex is inside when every cell round it has a neighbour on both sides of it.
    inner = [
        vertex
        for vertex, cells in enumerate(mesh.vertices)
        if all(mesh.neighbours[c][mesh.corners[c].index(vertex) - back] != NONE for c in cells for back in (0, 1))
    ]
    assert inner
    assert all(sorted(size[c] for c in mesh.vertices[vertex]) == round_inner for vertex in inner)


def test_curved_cells_are_drawn_inside_the_disc_and_named_by_rings() -> None:
    mesh = build("{5,4} 2")
    middle = math.dist(mesh.outlines[0][0], mesh.outlines[0][1])
    assert middle == pytest.approx(1)
    disc = math.hypot(*mesh.outlines[0][0]) / math.sqrt(math.cos(math.pi * 9 / 20) / math.cos(math.pi / 20))
    assert all(math.hypot(*point) < disc for outline in mesh.outlines for point in outline)
    assert mesh.cells[:7] == ("a1", "b1", "b2", "b3", "b4", "b5", "c1")
    assert {mesh.cells[c] for c in mesh.neighbours[0]} == {"b1", "b2", "b3", "b4", "b5"}


def ends(mesh: Mesh, cell: int, side: int) -> tuple[Point, Point]:
    """Return where a side is drawn, from its first corner to the next, clockwise."""
    outline = mesh.outlines[cell]
    return outline[side], outline[(side + 1) % len(outline)]


@pytest.mark.parametrize("board", [board for board in BOARDS if not board.startswith("{")])
def test_the_cells_of_a_flat_board_are_drawn_as_regular_polygons_with_a_side_of_one(board: str) -> None:
    mesh = build(board)
    for cell, outline in enumerate(mesh.outlines):
        assert all(math.dist(*ends(mesh, cell, side)) == pytest.approx(1) for side in range(len(outline)))
        assert len({round(math.dist(corner, mesh.centre(cell)), 6) for corner in outline}) == 1


@pytest.mark.parametrize("board", [board for board in BOARDS if not board.startswith(("torus", "cylinder", "c", "o"))])
def test_cells_that_meet_are_drawn_side_by_side(board: str) -> None:
    mesh = build(board)
    for cell, row in enumerate(mesh.neighbours):
        for side, beyond in enumerate(row):
            if beyond != NONE:
                here, there = ends(mesh, cell, side), ends(mesh, beyond, mesh.facing[cell][side])
                assert math.dist(here[0], there[1]) == pytest.approx(0, abs=1e-6)
                assert math.dist(here[1], there[0]) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(("solid_board", "step"), [("cube", 90), ("octahedron", 60)])
def test_the_net_of_a_solid_is_drawn_upright(solid_board: str, step: int) -> None:
    mesh = build(solid_board)
    for cell, outline in enumerate(mesh.outlines):
        for side in range(len(outline)):
            (x, y), (right, up) = ends(mesh, cell, side)
            off = math.degrees(math.atan2(up - y, right - x)) / step
            assert off == pytest.approx(round(off), abs=1e-6)


def test_names_go_on_behind_the_last_letter() -> None:
    assert [letter_name(x, 7) for x in (0, 25, 26, 51, 52, 702)] == ["a7", "z7", "aa7", "az7", "ba7", "aaa7"]
    names = build("square 40 2").cells
    assert (names[52], len(set(names))) == ("aa1", 80)


@pytest.mark.parametrize(
    ("board", "sentence"),
    [
        ("torus square 1 5", "cell a1 meets itself"),
        ("torus square 2 5", "cells b1 and a1 meet along two sides"),
        ("cylinder hex 2 3", "cells b1 and a1 meet along two sides"),
        ("hex 1", "cell a1 touches no beacon: none of its vertices is shared"),
        ("triangle 1", "cell a1 touches no beacon"),
        ("3.6.3.6 1", "cell a1 touches no beacon"),
        ("hex 0", "board 'hex 0': 0 is not a size; sizes are whole numbers from 1"),
        ("hex 3 3", "there is no board 'hex 3 3'; boards are written as hex 3, square 4 4"),
        ("3 hex", "board '3 hex': hex is not a size"),
        ("", "there is no board ''"),
        ("4.4.4.4 3", "there is no board '4.4.4.4 3'"),
        ("square 999 999", "board 'square 999 999' is too large: a board has at most 20000 cells"),
        ("random 19", "there is no board 'random 19'"),
        ("random 0 3", "board 'random 0 3': 0 is not a size"),
        ("random 20001 3", "board 'random 20001 3' is too large: a board has at most 20000 cells"),
        ("random 1 3", "cell a1 touches no beacon"),
        ("cells a1", "after 'cells' come the names of 2 to 64 cells; these are 1"),
        ("cells " + "a1 " * 65, "after 'cells' come the names of 2 to 64 cells; these are 65"),
        ("cells a1 b0", "after 'cells', b0 names no cell: write a letter from a to z and a number from 1 to 99"),
        ("cells a1 a2 a1", "after 'cells', a1 is named twice: name each cell once"),
        ("cells a1 a2 c1 c2", "the board falls apart: no way leads from a1 to c1"),
        ("{4,4} 2", "board '{4,4} 2': {4,4} is not hyperbolic"),
        ("{3,3} 1", "board '{3,3} 1': {3,3} is not hyperbolic"),
        ("{9,3} 1", "board '{9,3} 1': {p,q} takes numbers from 3 to 8, and 1 to 3 rings"),
        ("{7,3} 4", "board '{7,3} 4': {p,q} takes numbers from 3 to 8, and 1 to 3 rings"),
    ],
)
def test_a_bad_board_is_refused_in_a_sentence(board: str, sentence: str) -> None:
    with pytest.raises(BadMesh) as refused:
        build(board)
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize(
    "board",
    [f"{name} {side}" for name in ("hex", "triangle", "4.8.8", "3.6.3.6", "3.12.12") for side in (2, 3, 4, 7)]
    + ["square 3 7", "torus hex 4 5", "torus square 5 4", "cylinder hex 6 4", "cylinder square 3 4"]
    + ["cube", "octahedron", "random 2 1", "random 40 9", "cells a1 a2 b1"],
)
def test_the_cells_of_a_board_are_reckoned_from_its_text(board: str) -> None:
    assert count(board) == len(build(board).cells)


@pytest.mark.parametrize("board", ["{5,4} 2", "{7,3} 3", "{3,8} 3", "{8,8} 3"])
def test_a_curved_board_has_at_most_the_cells_that_are_reckoned(board: str) -> None:
    assert len(build(board).cells) <= count(board) < 512


def test_a_board_that_is_too_large_is_never_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("hexes", "hex_patch", "squares", "planar"):
        monkeypatch.setattr(tilings, name, None)
    for board in ("hex 99999", "torus hex 137 146", "3.12.12 50", "4.8.8 100", "random 20001 1"):
        with pytest.raises(BadMesh, match="too large: a board has at most 20000 cells"):
            build(board)


def test_a_patch_is_drawn_from_its_text_alone_and_begins_at_the_edge_of_its_names() -> None:
    names = build("random 19 7").cells
    assert " ".join(names) == "a6 b5 b6 b7 b8 b9 c3 c4 c5 c6 c7 d2 d3 d4 d5 d7 e1 e4 e5"  # on every board
    assert names != build("random 19 8").cells
    assert ("a" in names[0], min(int(name[1:]) for name in names)) == (True, 1)


def test_cells_that_are_named_lie_as_they_do_on_a_board_of_hexes() -> None:
    whole = hexes(3)
    assert build(f"cells {' '.join(reversed(whole.cells))}") == whole
    ring = build("cells a2 a3 b1 b3 c1 c2")  # round a hole, where no cell is
    assert [ring.cells[c] for c in ring.neighbours[ring.index("a2")] if c != NONE] == ["a3", "b1"]


def unit_square(x: float, y: float) -> list[tuple[float, float]]:
    return [(x, y + 1), (x + 1, y + 1), (x + 1, y), (x, y)]


def test_cells_that_fit_on_no_common_ring_are_refused() -> None:
    roof = [(0.5, 1.9), (1.0, 1.0), (0.0, 1.0)]
    with pytest.raises(BadMesh, match="cells of 3 and of 4 sides do not go together: 4 is not 3·2ⁿ"):
        check(planar(["a1", "a2"], [unit_square(0, 0), roof]))


def test_a_board_in_two_parts_is_refused() -> None:
    apart = [unit_square(x, 0) for x in (0, 1, 5, 6)]
    with pytest.raises(BadMesh, match="the board falls apart: no way leads from a1 to c1"):
        check(planar(["a1", "b1", "c1", "d1"], apart))


def test_cells_that_touch_at_a_corner_only_are_refused() -> None:
    with pytest.raises(BadMesh, match="cell a1 touches no beacon"):
        check(solid(["a1", "b1"], [unit_square(0, 0), unit_square(1, 1)], [[0, 1, 2, 3], [4, 5, 6, 1]]))


def test_cells_drawn_over_each_other_are_refused() -> None:
    with pytest.raises(BadMesh, match="cells a1 and b1 lie on each other"):
        planar(["a1", "b1"], [unit_square(0, 0), unit_square(0, 0)])


def test_a_side_is_glued_once() -> None:
    outlines = [unit_square(x, 0) for x in range(3)]
    with pytest.raises(BadMesh, match="a side between a1 and c1 is glued twice"):
        glue(["a1", "b1", "c1"], outlines, [((0, 1), (1, 3)), ((0, 1), (2, 3))])
    with pytest.raises(BadMesh, match="a side between c1 and b1 is glued twice"):
        glue(["a1", "b1", "c1"], outlines, [((0, 1), (1, 3)), ((2, 1), (1, 3))])


def test_three_vertices_of_the_same_cells_are_numbered() -> None:
    mesh = hexes(2)
    alike = Mesh(
        ("a1", "b1"), ((1, NONE), (0, NONE)), ((0, NONE), (0, NONE)), ((0, 1), (1, 2)), ((0, 1),) * 3, mesh.outlines[:2]
    )
    assert list(vertex_names(alike).values()) == ["a1.b1", "a1.b1#2", "a1.b1#3"]
