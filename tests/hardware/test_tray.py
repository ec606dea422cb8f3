"""The box of the board that comes assembled: whether plug, screws, walls and sheet fit, by what the world measures."""

from __future__ import annotations

import math
from itertools import pairwise

import msgspec
import pytest
import trimesh

from hardware.field.figures import kept
from hardware.field.judge import DISCS
from hardware.height_budget import BOARD_DEEP_MM, BOARD_MM, TOP_MM, UNDER_ASSEMBLED_MM, UNDER_TILE_MM
from hardware.manual import tiles_drawing
from hardware.manual.bill import bill
from hardware.manual.tray_drawings import crosswise, plan, section
from hardware.pcb.boards.cell import STEEL_MM
from hardware.pcb.boards.tile16 import SIDE_MM
from hardware.printables import fit
from hardware.printables.board_places import box_of, laid
from hardware.printables.geometry import BED_MM, FIELD_DISC, parts
from hardware.printables.models import models
from hardware.printables.tray import grid_values, screw_bites_mm, tray_values, walls_between
from hardware.profile import BadProfile, load

BOARD, TILES = load("cell36"), load("field144")
TRAY, GRID = tray_values(BOARD), grid_values(BOARD)

# USB Type-C Cable and Connector Specification: the grip of a plug, at most.
GRIP_MM = (12.35, 6.5)


def test_tray_and_grid_lie_on_the_bed_of_a_small_printer() -> None:
    outer = TRAY["side"][0] + 2 * (TRAY["gap"] + TRAY["wall"])
    assert outer < BED_MM
    assert TRAY["high"] == pytest.approx(TRAY["floor"] + UNDER_ASSEMBLED_MM + BOARD_MM + BOARD_DEEP_MM + TOP_MM)


def test_the_grip_of_any_plug_goes_through_the_opening_to_the_socket() -> None:
    left, right, low = TRAY["mouth"]
    (socket_left, front), (socket_right, _) = box_of(
        next(body.corners for body in laid(BOARD)[0].bodies if body.footprint == "USB-C")
    )
    assert right - left > GRIP_MM[0] + 0.5
    assert (left + right) / 2 == pytest.approx((socket_left + socket_right) / 2)
    upper_side = TRAY["floor"] + UNDER_ASSEMBLED_MM + BOARD_MM
    assert low < upper_side + 1.65 - GRIP_MM[1] / 2
    assert low > TRAY["floor"], "the floor is whole"
    assert TRAY["high"] > upper_side + 1.65 + GRIP_MM[1] / 2, "and the sheet lies above the plug"
    assert front < 0.6, "the socket ends at the board's edge"


def test_a_wall_stands_on_each_side_that_two_cells_share() -> None:
    walls = list(walls_between(BOARD.sites))
    assert len(walls) == 2 * 6 * 5
    assert all(math.dist(*wall) == pytest.approx(33.3) for wall in walls)


def test_the_button_is_reached_past_the_wall_and_no_piece_of_that_is_left_alone() -> None:
    button = next(body for body in laid(BOARD)[0].bodies if body.footprint == "Button")
    (left, low), (right, high) = box_of(button.corners)
    cut = next(cut for cut in GRID["cuts"] if cut[0] < left and cut[2] > right)
    assert cut[4] == BOARD_DEEP_MM
    assert cut[1] < GRID["reach"][1] < low < high < cut[3]


def test_each_screw_bites_and_does_not_touch_the_sheet_and_its_steel_keeps_off_the_sensors() -> None:
    assert 5.0 <= screw_bites_mm(BOARD) <= BOARD_DEEP_MM - 3.0
    board = laid(BOARD)[0]
    assert len(board.screws) == 5
    for screw in board.screws:
        assert min(math.dist(screw, sensor) for sensor in board.sensors.values()) > STEEL_MM
        assert min(abs(screw[0] / 33.3 - round(screw[0] / 33.3)), abs(screw[1] / 33.3 - round(screw[1] / 33.3))) < 0.01


def test_a_tile_s_tray_and_grid_end_where_the_next_tile_begins() -> None:
    tray, grid = tray_values(TILES), grid_values(TILES)
    assert tray["high"] == tray["floor"], "no wall stands on it: ribbons leave at its sides"
    edge = -tray["gap"] - tray["wall"]
    assert 0 < edge < tray["side"][0] - edge < SIDE_MM
    left, low, right, high = grid["reach"]
    assert (left, right) == pytest.approx((low, high))
    assert 0 < left < right < SIDE_MM
    assert len(grid["walls"]) == 2 * 4 * 3 + 4, "between its cells, and one along each of its edges"
    around = grid["walls"][-4:]
    inside = [abs(wall[0][k] - grid["reach"][k]) for wall, k in ((around[0], 0), (around[0], 1))]
    assert inside == pytest.approx([1.2 - grid["wall"] / 2] * 2), "1.2 mm of it are printed"


def test_a_tile_s_screws_bite_and_go_in_where_four_cells_meet() -> None:
    assert 5.0 <= screw_bites_mm(TILES) <= BOARD_DEEP_MM - 3.0
    for tile in laid(TILES):
        assert len(tile.screws) == 4
        for screw in tile.screws:
            assert min(math.dist(screw, sensor) for sensor in tile.sensors.values()) > STEEL_MM


def test_a_ribbon_s_plug_has_room_below_the_sheet_and_below_the_walls() -> None:
    header = next(body for body in laid(TILES)[0].bodies if body.footprint == "Box-2x6-slot")
    assert header.top_mm > 2.0, "its header ends below the sheet"
    (left, low), (right, high) = box_of(header.corners)
    cut = next(cut for cut in grid_values(TILES)["cuts"] if cut[0] < left and cut[2] > right)
    assert cut[1] < low < high < cut[3]
    assert cut[4] > BOARD_DEEP_MM - header.top_mm
    assert UNDER_TILE_MM > 10.0, "a ribbon bends below the board"


def test_nine_tiles_cover_all_cells_once() -> None:
    places = [site for tile in laid(TILES) for site in tile.sensors.items()]
    assert {name for name, _ in places} == set(TILES.site_names)
    assert len(places) == 144
    sites = {site.name: site for site in TILES.sites}
    assert all(math.dist(at, (sites[name].x_mm, sites[name].y_mm)) < 0.5 for name, at in places)
    assert {part.name: part.number for part in models(TILES)}["grid"] == 9


def test_the_picture_of_the_tiles_has_each_with_its_number_and_the_hub() -> None:
    drawn = tiles_drawing.plan(TILES)
    assert all(f">tile {number}</text>" in drawn for number in range(9))
    assert ">hub</text>" in drawn
    assert all(f">{site.name}</text>" in drawn for site in TILES.sites)


def test_its_pieces_have_the_weakest_magnet_that_a_million_draws_read_without_a_fault() -> None:
    found = next(one.disc for one in kept().any_sensor if one.depth_mm == BOARD_DEEP_MM and one.at(3.0).none)
    assert parts(BOARD).disc == FIELD_DISC == found
    assert FIELD_DISC in DISCS


def test_it_prints_a_tray_a_grid_and_the_pieces_and_nothing_of_what_lies_on_the_phones() -> None:
    names = {part.name for part in models(BOARD)}
    assert names == {"tray", "grid", "base-0", "base-1", "chip"}


def test_a_board_with_linear_sensors_of_which_no_circuit_board_is_drawn_is_told_so() -> None:
    own = msgspec.structs.replace(BOARD, name="mine")
    for made in (models, bill, plan):
        with pytest.raises(BadProfile, match="mine: no circuit board with linear sensors is drawn for it"):
            made(own)


def plain_box(*bounds: float) -> trimesh.Trimesh:
    return trimesh.creation.box(bounds=(bounds[:3], bounds[3:]))


@pytest.mark.slow
def test_a_box_that_is_a_block_is_told_to_want_the_board_s_room() -> None:
    high = TRAY["high"]
    block, plate = plain_box(-3, -3, 0, 203, 203, high), plain_box(0, -199.8, 0, 199.8, 0, 12)
    faults = fit.faults(BOARD, {"tray": block, "grid": plate})
    assert "section tray, cell36: the board and the frame want the same room" in faults
    assert "section grid, cell36: plastic between the pixel of a1 and the top" in faults
    assert "grid: the hole at 33.3, 166.5 is too short for its screw" in faults
    assert "tray: no hole for the screw at 99.9, 99.9" in faults


@pytest.mark.slow
def test_a_grid_that_carries_nothing_is_told() -> None:
    floor, nothing = plain_box(-3, -3, 0, 203, 203, 2), plain_box(0, -1, 0, 1, 0, 1)
    faults = fit.faults(BOARD, {"tray": floor, "grid": nothing})
    assert "grid: no boss over the screw at 99.9, 99.9" in faults


def test_the_drawings_tell_the_heights_and_the_order_of_the_screws() -> None:
    drawn = section(BOARD)
    for height in (TOP_MM, BOARD_DEEP_MM, BOARD_MM, UNDER_ASSEMBLED_MM, TRAY["floor"]):
        assert f"{height:.1f} mm" in drawn
    above = plan(BOARD)
    places = [above.index(f">{number}</text>") for number in range(1, 6)]
    assert all(one < other for one, other in pairwise(places))
    middle, *corners = crosswise(laid(BOARD)[0].screws)
    assert middle == pytest.approx((99.9, 99.9))
    assert all(a[0] != b[0] and a[1] != b[1] for a, b in (corners[:2], corners[2:])), "each corner, then its opposite"
    assert ">a1</text>" in above
