"""Frame and circuit boards fit: nothing overlaps, a window is over its pixel, each sensor is where its magnet wants it.

The boxes are those from which the STL files are made; ``make hardware-print`` asks the meshes themselves besides, by
`hardware.printables.fit`, which is tried here on plain blocks.
"""

from __future__ import annotations

import math
from itertools import combinations

import msgspec
import pytest
import trimesh

from hardware import height_budget as h
from hardware.cannot_build import CannotBuild
from hardware.pcb.placement import size_mm
from hardware.printables import board_frames, case, fit
from hardware.printables import geometry as g
from hardware.printables.board_places import Body, Laid, box_of, gap_mm, laid
from hardware.printables.geometry import Section, sections
from hardware.printables.magnets import DISCS, seen_mt
from hardware.printables.underside import FOOT_MM, base_holes, feet, legs, on_section
from hardware.profile import Profile, chained, load

WITH_BOARDS = ("square144", "hex91", "shell19", "shellsquare16")


@pytest.fixture(scope="module", params=WITH_BOARDS)
def board(request: pytest.FixtureRequest) -> Profile:
    return load(request.param)


@pytest.fixture(scope="module")
def placed(board: Profile) -> tuple[Laid, ...]:
    return laid(board)


@pytest.fixture(scope="module", params=chained())
def any_board(request: pytest.FixtureRequest) -> Profile:
    return load(request.param)


def overlap(a: Body, b: Body) -> bool:
    """Tell whether two parts, turned by right angles only, want the same room."""
    if min(a.foot_mm, b.foot_mm) - max(a.top_mm, b.top_mm) <= 1e-6:
        return False
    (low_a, high_a), (low_b, high_b) = box_of(a.corners), box_of(b.corners)
    shared = (min(high_a[k], high_b[k]) - max(low_a[k], low_b[k]) for k in (0, 1))
    return all(length > 1e-6 for length in shared)


# ---- heights

# Ampere-turns that a reed sees of a disc of 6 × 2 mm, by mm from the magnet's face to the reed's middle: reckoned by
# another model than ours, two soft-iron wires with the bent lead, against a coil (thin wires, method of moments).
REED_AT_BY_DEPTH = {11.4: 36.0, 13.0: 23.0, 15.0: 15.0, 17.0: 10.0}
CLOSES_EVERY_REED_AT = 15.0  # of the class 10 to 15 AT
ORD213_GLASS_MM, ORD213_OVERALL_MM = 7.0, 35.8  # data sheet, external dimensions


def test_a_reed_lies_where_another_model_sees_twice_what_closes_it() -> None:
    depth = h.magnet_to_sensor_mm("reed")
    assert depth <= min(REED_AT_BY_DEPTH)
    assert REED_AT_BY_DEPTH[11.4] > 2 * CLOSES_EVERY_REED_AT


@pytest.mark.parametrize(("depth", "known"), REED_AT_BY_DEPTH.items())
def test_our_own_reckoning_of_a_reed_is_never_kinder_than_the_other_model(depth: float, known: float) -> None:
    at_per_mt = 10.0 / (4 * math.pi * 1e-4 * 1000) / 2  # a coil of 10 mm, one pole
    ours = seen_mt("reed", (6.0, 2.0), depth, 0.0) * at_per_mt
    assert 0.6 * known < ours < known


def test_the_weakest_disc_closes_a_hall_switch_with_twice_its_operate_point() -> None:
    assert h.magnet_to_sensor_mm("hall") < 5.0
    assert seen_mt("hall", DISCS[1], h.magnet_to_sensor_mm("hall"), 0.0) > 2 * 12.0


def test_the_reed_of_the_data_sheet_stands_clear_of_its_board_and_its_straight_lead_goes_through() -> None:
    assert (h.REED_GLASS_MM, h.REED_OVERALL_MM) == (ORD213_GLASS_MM, ORD213_OVERALL_MM)
    glass_ends = h.CLEARANCE_MM + h.REED_BEND_MM + ORD213_GLASS_MM
    assert glass_ends + 0.5 <= h.BOARD_DEEP_MM
    assert h.straight_lead_deep_mm() > h.BOARD_DEEP_MM + h.BOARD_MM + 1
    assert h.straight_lead_deep_mm() > h.FRAME_MM + 3


def test_the_bent_lead_ends_too_high_to_be_soldered_so_the_guide_asks_for_a_pigtail() -> None:
    lead = (ORD213_OVERALL_MM - ORD213_GLASS_MM) / 2
    down = lead - 3.5 - 2.54
    assert h.bent_lead_deep_mm() == pytest.approx(h.CLEARANCE_MM + down)
    assert h.bent_lead_deep_mm() < h.BOARD_DEEP_MM < h.FRAME_MM


def test_the_legs_of_a_hall_switch_reach_its_board() -> None:
    seat = h.CLEARANCE_MM + h.HALL_SEAT_MM
    needed = 2.5 + (h.BOARD_DEEP_MM - seat) + h.BOARD_MM + 0.5
    assert needed <= h.HALL_LEGS_MM


def test_there_is_room_below_for_plugs_and_cards() -> None:
    assert h.UNDER_BOARD_MM >= h.PLUG_MM + 1
    card = h.FOAM_MM + h.PERFBOARD_MM + h.PLUG_MM
    assert card + h.WIRES_MM <= h.UNDER_HAND_MM
    assert h.straight_lead_deep_mm() - h.FRAME_MM <= h.WIRES_MM


def test_a_part_whose_height_nobody_told_is_refused() -> None:
    with pytest.raises(CannotBuild, match="how high Coil-3 stands above a board is not known"):
        h.part_mm("Coil-3")


# ---- circuit boards in their frame


def test_every_site_on_a_board_has_its_sensor_and_its_pixel_there(board: Profile, placed: tuple[Laid, ...]) -> None:
    places = {site.name: (site.x_mm, site.y_mm) for site in board.sites if site.kind != "vertex"}
    found = {name: at for one in placed for name, at in one.sensors.items()}
    assert found.keys() == places.keys()
    assert all(math.dist(found[name], places[name]) <= 0.5 for name in places)
    lit = {name: at for one in placed for name, at in one.pixels.items()}
    assert lit.keys() == places.keys()


def test_boards_do_not_lie_on_one_another(board: Profile, placed: tuple[Laid, ...]) -> None:
    if board.name.startswith("shell"):  # tiles: hexes and squares as wide as their outline
        wide = min(math.dist(a, b) for a, b in combinations([centre(one) for one in placed], 2))
        assert wide > 2 * apothem(placed[0])
        return
    plates = [Body(one.name, "", one.edge, 0, 1) for one in placed]
    assert not [(a.name, b.name) for a, b in combinations(plates, 2) if overlap(a, b)]


def centre(one: Laid) -> tuple[float, float]:
    xs, ys = zip(*one.edge, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def apothem(one: Laid) -> float:
    mid = centre(one)
    pairs = zip(one.edge, (*one.edge[1:], one.edge[0]), strict=True)
    return min(math.dist(mid, ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)) for a, b in pairs)


def test_stands_and_parts_of_a_board_do_not_want_the_same_room(placed: tuple[Laid, ...]) -> None:
    for one in placed:
        for a, b in combinations((*one.bodies, *one.stands), 2):
            assert not overlap(a, b), f"{one.name}: {a.name} and {b.name}"


def test_each_piece_of_a_sawn_strip_keeps_a_screw_hole(placed: tuple[Laid, ...]) -> None:
    assert all(one.screws for one in placed)


def test_nothing_on_a_board_is_higher_than_the_room_below_the_top(placed: tuple[Laid, ...]) -> None:
    for one in placed:
        assert all(body.top_mm > 0.2 for body in (*one.bodies, *one.stands))
        assert all(body.foot_mm < h.base_deep_mm("strip") for body in one.bodies)


Line = tuple[tuple[float, float], tuple[float, float], float, float]


def walls(profile: Profile, section: Section, placed: tuple[Laid, ...]) -> list[Line]:
    """Return the lines along which a section has plastic: from, to, half its thickness, how deep."""
    low = h.BOARD_DEEP_MM - h.WALL_LIFT_MM
    found = []
    for cell in section.cells:
        for a, b in zip(cell, (*cell[1:], cell[0]), strict=True):
            found.append((a, b, g.wall_mm(profile) / 2, low))
    own = board_frames.board_section(profile, section, placed)
    found += [(a, b, 1.0, low) for a, b in own.ribs]
    found += [(a, b, 0.6, h.BOARD_DEEP_MM - h.SHADE_LIFT_MM) for a, b in own.spokes]
    found += [(at, at, board_frames.BOSS_MM / 2, h.BOARD_DEEP_MM) for at in own.bosses]
    for x, y, turn, thick in own.legs:
        dx, dy = (6 - thick / 2) * math.cos(math.radians(turn)), (6 - thick / 2) * math.sin(math.radians(turn))
        found.append(((x - dx, y - dy), (x + dx, y + dy), thick / 2, h.base_deep_mm("strip")))
    return found


def test_no_wall_rib_boss_or_leg_meets_a_part_on_a_board(board: Profile, placed: tuple[Laid, ...]) -> None:
    for section in sections(board):
        solid = walls(board, section, placed)
        for one in placed:
            if not on_section(one, section):
                continue
            for body in (*one.bodies, *one.stands):
                for a, b, half, deep in solid:
                    if deep > body.top_mm + 1e-6:
                        assert gap_mm(a, b, body) > half, f"{section.name}, {one.name}: {body.name} at {a}"


def test_legs_pass_beside_the_boards_within_their_section(board: Profile, placed: tuple[Laid, ...]) -> None:
    for section in sections(board):
        assert len(legs(board, section)) >= 2
        for x, y, turn, thick in legs(board, section):
            for one in placed:
                plate = Body(one.name, "", one.edge, 0, 1)
                if board.name.startswith("shell"):
                    assert math.dist((x, y), centre(one)) - thick / 2 > apothem(one) + 0.5
                else:
                    assert turn == 0
                    assert gap_mm((x - 6, y), (x + 6, y), plate) >= thick / 2 + 0.5


def test_between_a_pixel_and_the_top_there_is_only_air(board: Profile, placed: tuple[Laid, ...]) -> None:
    for section in sections(board):
        solid = walls(board, section, placed)
        for one in placed:
            if on_section(one, section):
                for site, (x, y) in one.pixels.items():
                    box = ((x - 2.5, y - 2.5), (x + 2.5, y + 2.5))
                    pixel = Body(site, "", box, 0.0, h.BOARD_DEEP_MM)
                    assert all(gap_mm(a, b, pixel) > half for a, b, half, _ in solid), site


def test_the_room_of_posts_leaves_the_boards_corners_free() -> None:
    for name in ("shell19", "shellsquare16"):
        board = load(name)
        posts = [(site.x_mm, site.y_mm) for site in board.sites if site.kind == "vertex"]
        for one in laid(board):
            gap = min(math.dist(corner, post) for corner in one.edge for post in posts)
            assert gap > g.POST_MM / 2 + 0.5


# ---- wired by hand


def test_feet_stand_clear_of_windows_reeds_and_the_light_strip(any_board: Profile) -> None:
    for section in sections(any_board):
        below = feet(section)
        assert len(below) >= 3
        for foot in below:
            for site in section.sites:
                pixel = site.x_mm, site.y_mm - h.PIXEL_OFF_MM
                assert math.dist(foot, pixel) > FOOT_MM / 2 + 5.0, "a single pixel sits on 10 mm"
                assert math.dist(foot, (site.x_mm, site.y_mm)) > FOOT_MM / 2 + 3.0
            if any_board.name == "first36":
                assert all(abs(foot[1] - (s.y_mm - h.PIXEL_OFF_MM)) > FOOT_MM / 2 + 6 for s in section.sites)


def test_a_strip_of_lights_passes_beside_the_reeds() -> None:
    assert h.PIXEL_OFF_MM - 12 / 2 > 2.6 / 2 + 0.5


def test_the_base_has_a_hole_for_each_foot_and_each_leg(board: Profile) -> None:
    own = [len(feet(section)) for section in sections(board)]
    assert len(base_holes(board, "hand")) == sum(own)
    assert len(set(base_holes(board, "strip"))) == sum(len(legs(board, section)) for section in sections(board))


# ---- the case


def test_all_that_stands_in_the_case_has_its_own_room(any_board: Profile) -> None:
    rooms = [(*case.pi_at(), *case.PI_MM), (*case.nano_at(), case.NANO_MM[0], case.NANO_MM[1])]
    rooms += [(*at, *size_mm(placed)) for placed, at in case.boards_in(any_board).values()]
    for x, y, wide, deep in rooms:
        assert 0 <= x <= case.INSIDE_MM[0] - wide
        assert 0 <= y <= case.INSIDE_MM[1] - deep
    for a, b in combinations(rooms, 2):
        apart = max(a[0] - b[0] - b[2], b[0] - a[0] - a[2], a[1] - b[1] - b[3], b[1] - a[1] - a[3])
        assert apart >= 1.0


def test_a_board_in_the_case_has_a_post_at_every_screw() -> None:
    values, _ = case.case_values(load("shell19"))
    assert len(values["screws"]) == 3 + 4  # the carrier's and the tracker's
    assert len(case.case_values(load("first36"))[0]["screws"]) == 3


# ---- the check of meshes itself


def block(low: tuple[float, float, float], high: tuple[float, float, float]) -> trimesh.Trimesh:
    return trimesh.creation.box(bounds=(low, high))


def test_a_mesh_is_asked_where_it_has_plastic() -> None:
    column = fit.Column(block((0, 0, 0), (10, 10, 20)), (100.0, 50.0), flipped=False)
    assert column.spans((105.0, 55.0)) == [(0.0, 20.0)]
    assert column.spans((111.0, 55.0)) == []
    upside_down = fit.Column(block((0, -10, 0), (10, 0, 9.5)), (100.0, 50.0), flipped=True)
    assert upside_down.spans((105.0, 55.0)) == [(0.0, 9.5)]


def test_a_wall_that_stands_on_a_chip_is_named() -> None:
    one = laid(load("square144"))[0]
    chip = next(body for body in one.bodies if body.name == "U1")
    (x, y), deep = chip.corners[0], h.BOARD_DEEP_MM - h.WALL_LIFT_MM
    bad = block((x - 1, -y - 1, 0), (x + 1, -y + 1, deep))
    said = list(fit.board_faults(one, fit.Column(bad, (0.0, 0.0), flipped=True), "1-1"))
    assert said == ["section 1-1, strip 1, a1 to h1: U1 and the frame want the same room"]


def test_a_shadow_over_a_pixel_is_named() -> None:
    one = laid(load("square144"))[0]
    x, y = one.pixels["c1"]
    bad = block((x - 1, -y - 1, 0), (x + 1, -y + 1, 2))
    said = list(fit.board_faults(one, fit.Column(bad, (0.0, 0.0), flipped=True), "1-1"))
    assert said == ["section 1-1, strip 1, a1 to h1: plastic between the pixel of c1 and the top"]


def test_a_window_beside_its_pixel_is_named() -> None:
    board = load("first36")
    full = block((0, 0, 0), (200, 200, 20))
    said = fit.faults(msgspec.structs.replace(board), {"frame-1-1": full})
    assert "section 1-1: the window of a1 is not over its pixel" in said
    assert "section 1-1: the tower of a1 does not end 0.3 mm below the top" in said
