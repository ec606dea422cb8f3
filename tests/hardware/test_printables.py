"""Printed parts: what they measure, whether a magnet closes its sensor, and the sentence for what cannot be built."""

from __future__ import annotations

import math
import re

import msgspec
import pytest
import trimesh

from controller.rules.registry import all_games
from hardware.height_budget import SKIN_MM, Sensor, magnet_to_sensor_mm
from hardware.pieces import bases, games, node_count
from hardware.printables.check import longest_bridge_mm
from hardware.printables.geometry import LEAST_WALL_MM, USABLE_MM, parts, sections
from hardware.printables.magnets import DISCS, RESERVE, axial_mt, seen_mt, thresholds
from hardware.printables.models import PrintedPart, models
from hardware.printables.volumes import volumes
from hardware.profile import BadProfile, Profile, Site, chained, load, names
from tests.hardware import ring_force
from tests.hardware.boards_to_refuse import squares_of


@pytest.fixture(scope="module", params=chained())
def board(request: pytest.FixtureRequest) -> Profile:
    return load(request.param)


def refusal(profile: Profile) -> str:
    with pytest.raises(BadProfile) as caught:
        parts(profile)
    return str(caught.value)


# ---- magnets


@pytest.mark.parametrize("disc", DISCS)
@pytest.mark.parametrize("along", [2.0, 5.6, 13.1, 40.0])
def test_on_its_axis_the_field_is_that_of_the_well_known_formula(disc: tuple[float, float], along: float) -> None:
    radius, height = disc[0] / 2, disc[1]
    known = 1280 / 2 * ((height + along) / math.hypot(radius, height + along) - along / math.hypot(radius, along))
    assert axial_mt(*disc, 1e-9, along) == pytest.approx(known, rel=1e-6)


def test_far_away_the_field_is_that_of_a_dipole() -> None:
    moment = 1.28 / (4e-7 * math.pi) * math.pi * 0.003**2 * 0.003
    for out, along in ((0.10, 0.05), (0.15, 0.0), (0.0001, 0.2)):
        z = along + 0.0015
        far = math.hypot(out, z)
        dipole = 1e-7 * moment * (3 * z * z / far**5 - 1 / far**3) * 1000
        assert axial_mt(6, 3, out * 1000, along * 1000) == pytest.approx(dipole, rel=0.01)


def test_a_reed_sees_less_than_a_hall_switch_that_lies_nearer() -> None:
    kinds: tuple[Sensor, ...] = ("reed", "hall")
    reed, hall = (seen_mt(kind, (6.0, 3.0), magnet_to_sensor_mm(kind), 0.0) for kind in kinds)
    assert reed < hall / 3


def test_every_sensor_of_a_board_closes_and_opens(board: Profile) -> None:
    for view in parts(board).seen.values():
        assert min(view.on_mt, view.off_mt) >= RESERVE * thresholds(board.sensor)[0]
        assert view.others_mt <= thresholds(board.sensor)[1]


# ---- what cannot be built


def test_cells_too_small_for_sensor_and_light_are_refused_with_both_figures() -> None:
    assert refusal(squares_of(pitch_mm=20)) == (
        "small: sensor and light overlap the wall of a cell: they reach 12.7 mm from its middle, the wall is at "
        "10.0 mm; make pitch_mm 26 or more"
    )
    assert parts(squares_of(pitch_mm=34)).tokens["cell"] == 27


def squeezed(board: Profile, pitch_mm: float) -> Profile:
    """Return the board with everything on it moved together."""
    share = pitch_mm / board.pitch_mm

    def moved(site: Site) -> Site:
        outline = tuple((x * share, y * share) for x, y in site.outline)
        return msgspec.structs.replace(site, x_mm=site.x_mm * share, y_mm=site.y_mm * share, outline=outline)

    sites = tuple(moved(site) for site in board.sites)
    return msgspec.structs.replace(board, name="small", pitch_mm=pitch_mm, sites=sites)


def test_magnets_too_near_to_one_another_are_refused() -> None:
    board = load("first36")
    said = [refusal(squeezed(board, pitch)) for pitch in (29, 30)]
    assert said == [
        f"small: the sensor of an empty cell sees {seen} mT of the magnets round it and may see 0.63 mT; make "
        "pitch_mm larger"
        for seen in ("0.73", "0.68")
    ]


def test_a_sensor_that_no_magnet_reaches_is_refused() -> None:
    assert refusal(squares_of(pitch_mm=190)) == (
        "small: no magnet that fits reaches the sensor of a cell: 12 × 6 mm give 0.5 mT at 9.9 mm, off by 17.5 mm, "
        "and 5.7 mT are needed; make pitch_mm smaller, so that a piece cannot stray so far"
    )


def test_pieces_on_neighbouring_sites_must_not_touch() -> None:
    board = load("first36")
    there = board.sites[0].x_mm + 23.3
    outline = tuple((x + there, y) for x, y in squares_of(pitch_mm=33.3).sites[0].outline)
    outline = tuple((x - 16.65, y) for x, y in outline)
    sites = tuple(msgspec.structs.replace(s, x_mm=there, outline=outline) if s.name == "b1" else s for s in board.sites)
    assert refusal(msgspec.structs.replace(board, sites=sites)) == (
        "first36: the pieces on a1 and b1 overlap: they lie 23.3 mm apart and need 27.0 mm; make pitch_mm larger"
    )


def test_a_shell_without_room_for_a_store_is_refused() -> None:
    assert (
        "a shell's nodes lie 20.4 mm from the middle; with 25.4 mm the store has no room; make pitch_mm 75 or more"
    ) in refusal(squeezed(load("shell19"), 60))


def test_a_shell_whose_nodes_lie_on_no_circle_cannot_turn() -> None:
    board = load("shell19")
    sites = tuple(msgspec.structs.replace(s, x_mm=s.x_mm + 2) if s.name == "b3:1" else s for s in board.sites)
    assert "a shell cannot turn: its nodes lie 40.8 to 42.8 mm from the middle, not on a circle" in refusal(
        msgspec.structs.replace(board, sites=sites)
    )


# ---- parts


def test_sections_of_a_frame_fit_the_bed_and_have_every_cell_once(board: Profile) -> None:
    found = sections(board)
    assert all(max(section.size) <= USABLE_MM for section in found)
    assert sum(len(section.cells) for section in found) == len(board.mesh().cells)
    within = [site.name for section in found for site in section.sites]
    assert sorted(within) == sorted(site.name for site in board.sites if site.kind != "vertex")


def test_screw_holes_of_neighbouring_sections_meet(board: Profile) -> None:
    holes = [edge for section in sections(board) for edge in section.edges]
    for x, y, turn in holes:
        facing = [t for u, v, t in holes if math.dist((x, y), (u, v)) < 0.1 and abs((t - turn) % 360 - 180) < 0.1]
        assert len(facing) == 1


def test_there_are_bases_for_all_pieces_of_every_game(board: Profile) -> None:
    printed: dict[str, int] = {}
    for part in models(board):
        printed[re.sub(r"-\d$", "", part.name)] = printed.get(re.sub(r"-\d$", "", part.name), 0) + part.number
    for game in games(board):
        for (_, place), number in bases(game, node_count(board)).items():
            assert printed[{"cell": "base", "vertex": "beacon", "node": "peg"}[place]] >= number


def test_walls_are_as_thick_as_a_nozzle_can_lay(board: Profile) -> None:
    for part in models(board):
        skinned = part.name.startswith(("base", "beacon", "peg"))
        assert part.wall_mm >= (SKIN_MM if skinned else LEAST_WALL_MM), part.name


def test_a_shell_board_has_a_ring_and_a_guide_a_tile_and_a_post_a_vertex() -> None:
    number = {part.name: part.number for part in models(load("shell19"))}
    assert (number["ring"], number["guide"], number["post"], number["peg"]) == (19, 19, 36, 114)


def test_every_game_is_playable_with_printed_pieces_on_some_board() -> None:
    assert {game.facts.name for name in names() for game in games(load(name))} == set(all_games())


def test_the_measured_volumes_are_of_the_parts_as_they_are(board: Profile) -> None:
    found = models(board)
    kept = volumes(board.name, found)
    assert set(kept) == {part.name for part in found}
    assert all(volume > 100 for volume in kept.values())


def test_volumes_of_other_parts_are_not_believed() -> None:
    with pytest.raises(BadProfile, match="have changed since they were measured: make hardware-print"):
        volumes("first36", [PrintedPart("frame", "cube(2);", 1, 1.0, "another frame")])


# ---- rings and what hangs


def test_two_fingers_turn_a_shell() -> None:
    """Force at the rim: three arms as beams, E b t³ / 4 L³, 20 degrees of a guide of 30.4 mm long."""
    long_mm = math.radians(20) * 30.4
    stiff = 3000 * 5 * 1.0**3 / (4 * long_mm**3)
    push = ring_force.rim_newton(3, 30.8, 50.8, 0.4)
    assert ring_force.spring_newton_mm(ring_force.arm_long_mm(3, 30.4)) == pytest.approx(stiff)
    assert 1.0 < push < 5.0, "it clicks, and turns without holding the board"
    assert push < 11.5 * (1.0 / 1.4) ** 3, "a third of what arms of 1.4 mm took"
    assert ring_force.strain(long_mm, 0.4) < 0.01


@pytest.mark.slow
def test_what_hangs_between_walls_is_measured() -> None:
    table = trimesh.util.concatenate(
        [trimesh.creation.box(bounds=bounds) for bounds in (
            ((0, 0, 0), (2, 10, 10)), ((32, 0, 0), (34, 10, 10)), ((0, 0, 10), (34, 10, 12)))]
    )  # fmt: skip
    assert longest_bridge_mm(table) == pytest.approx(30.0, abs=0.5)
    assert longest_bridge_mm(trimesh.creation.box(bounds=((0, 0, 0), (9, 9, 9)))) == 0.0
    bracket = trimesh.util.concatenate(
        [trimesh.creation.box(bounds=bounds) for bounds in (((0, 0, 0), (2, 10, 10)), ((0, 0, 10), (30, 10, 12)))]
    )
    assert longest_bridge_mm(bracket) == math.inf
