"""Panels: boards that hang in a frame until they are broken out, and what a placing machine holds and sees them by."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, pairwise

import pytest

from hardware.pcb.boards.catalogue import boards
from hardware.pcb.kicad.panel_file import panel_file
from hardware.pcb.panel import BITTEN, PANELS, TOOLING, Panel, moved, offset, panel, tabs
from hardware.pcb.placement import Placement, Point, inside
from hardware.pcb.route import Routes
from hardware.pcb.surface import FIDUCIAL
from tests.hardware.test_pcb_boards import inner, read

NO_TRACKS = Routes((), (), 0)


@pytest.fixture(scope="module")
def every() -> dict[str, Placement]:
    return {name: make() for name, make in boards().items()}


def there(frame: Panel, every: dict[str, Placement]) -> dict[str, Placement]:
    return {piece.letter: moved(piece, every[piece.board], NO_TRACKS)[0] for piece in frame.pieces}


def box(points: Sequence[Point]) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def test_a_larger_shape_is_as_much_larger_on_every_side() -> None:
    assert offset([(0, 0), (10, 0), (10, 4), (0, 4)], 2) == ((-2, -2), (12, -2), (12, 6), (-2, 6))
    around = [(math.cos(k * math.pi / 3), math.sin(k * math.pi / 3)) for k in range(6)]
    grown = offset(around, 1)
    assert [math.hypot(*point) for point in grown] == pytest.approx([1 + 2 / math.sqrt(3)] * 6)


@pytest.mark.parametrize("name", PANELS)
def test_boards_lie_apart_within_the_rails(name: str, every: dict[str, Placement]) -> None:
    frame = panel(name, every)
    edges = [box(offset(board.edge, 0.5)) for board in there(frame, every).values()]  # pours are drawn 0.5 mm inside
    for left, top, right, bottom in edges:
        assert min(left, top, frame.width - right, frame.height - bottom) >= 8 + 2 - 1e-6
    for one, other in combinations(edges, 2):
        apart = max(other[0] - one[2], one[0] - other[2], other[1] - one[3], one[1] - other[3])
        assert apart >= 2 + 5 + 2 - 1e-6
    assert max(frame.width, frame.height) <= 400  # JLCPCB: two layers up to 400 x 500 mm
    assert min(frame.width, frame.height) >= 70  # JLCPCB: panels with parts from 70 x 70 mm


@pytest.mark.parametrize("name", PANELS)
def test_a_board_hangs_by_tabs_on_all_sides_and_is_milled_free_between_them(
    name: str, every: dict[str, Placement]
) -> None:
    frame = panel(name, every)
    for piece, board in zip(frame.pieces, there(frame, every).values(), strict=True):
        edge = offset(board.edge, 0.5)
        hanging = tabs(edge)
        assert {side for side, _ in hanging} == set(range(len(edge)))
        around = math.fsum(math.dist(a, b) for a, b in pairwise((*edge, edge[0])))
        own = [slot for slot in frame.slots if inside(offset(edge, 3), *slot[0], 0.5)]
        assert len(own) == len(hanging), piece.board
        milled = math.fsum(abs(area(slot)) for slot in own)
        corners = abs(area(offset(edge, 2))) - abs(area(edge)) - 2 * around
        assert milled == pytest.approx(2 * (around - 5 * len(hanging)) + corners, rel=1e-6)
        for slot in own:
            assert not any(inside(edge, x, y, 1e-6) for x, y in slot)


def area(points: Sequence[Point]) -> float:
    return math.fsum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise((*points, points[0]))) / 2


def test_bites_are_those_of_the_guide() -> None:
    """JLCPCB, "Mouse Bite Panelization Guide": 5 to 8 holes of 0.6 mm, 0.35 to 0.4 mm between their edges."""
    assert 5 <= len(BITTEN.pads) <= 8
    assert all(pad.drill == 0.6 for pad in BITTEN.pads)
    for one, other in pairwise(BITTEN.pads):
        assert 0.35 - 1e-9 <= other.x - one.x - 0.6 <= 0.4


@pytest.mark.parametrize("name", PANELS)
def test_a_machine_finds_holes_and_marks_and_cannot_take_it_turned(name: str, every: dict[str, Placement]) -> None:
    frame = panel(name, every)
    marks = [each.at for each in frame.bare if each.shape is FIDUCIAL]
    assert len(marks) == 3
    assert all(min(x, y, frame.width - x, frame.height - y) >= 3.85 for x, y in marks)
    turned = {(round(frame.width - x, 3), round(frame.height - y, 3)) for x, y in marks}
    assert turned != {(round(x, 3), round(y, 3)) for x, y in marks}
    holes = [each.at for each in frame.bare if each.shape is TOOLING]
    assert len(holes) == 4
    assert all(pad.drill == 1.152 for pad in TOOLING.pads)


@pytest.mark.slow
@pytest.mark.parametrize("name", PANELS)
def test_every_part_is_on_the_panel_and_no_net_joins_two_boards(name: str, every: dict[str, Placement]) -> None:
    frame = panel(name, every)
    text = panel_file(frame, {board: (every[board], NO_TRACKS) for board in every})
    found: dict[str, str] = {}
    for shape in inner(read(text), "footprint"):
        ref = next(each[2] for each in inner(shape, "property") if each[1] == "Reference")
        for pad in inner(shape, "pad"):
            if pad[1]:
                net = inner(pad, "net")[0][2]
                assert net.startswith(f"{ref[0]}.")
                found[f"{ref} {pad[1]}"] = net
    wanted = sum(len(each.device.pins) for piece in frame.pieces for each in every[piece.board].circuit.parts)
    assert len(found) == wanted
    for letter, board in there(frame, every).items():
        for each in board.circuit.parts:
            assert each.ref.startswith(letter)
            assert all(found[f"{each.ref} {number}"] == net for number, net in each.nets.items())
