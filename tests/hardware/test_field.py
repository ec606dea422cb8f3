"""Field and light of an assembled board: held to magpylib and to closed forms, and the page held to the code."""

from __future__ import annotations

import math
from typing import Any

import magpylib
import numpy as np
import pytest
from click.testing import CliRunner
from scipy.spatial.transform import Rotation

from hardware.cannot_build import CannotBuild
from hardware.field import judge
from hardware.field.cylinder import Array, Disc, field_mt, upright_mt
from hardware.field.draws import CHUNK, PITCH_MM, Tolerances, gap_mm, readings
from hardware.field.figures import CELL, DEPTHS_MM, RAYS, axial_mt, first_chunk, kept, light
from hardware.field.judge import ANY, DISCS, SENSITIVE, judged, suited
from hardware.field.light import PIXEL_MM, Cell, direct_spot_mm, followed, lit, open_spot_mm
from hardware.field.limits import DEPTH_MM, THRESHOLD_MT
from hardware.field.report import files
from hardware.printables.magnets import REMANENCE_T
from hardware.printables.magnets import axial_mt as plain_axial_mt

REMANENCE = 1.3


def of_magpylib(disc: Disc, places_mm: Array, turned: Rotation | None = None) -> Array:
    """Return the field in mT of a cylinder whose lower face has its middle at the origin, as magpylib reckons it."""
    size = (disc[0] / 1000, disc[1] / 1000)
    magnet: Any = magpylib.magnet.Cylinder(
        polarization=(0, 0, REMANENCE), dimension=size, position=(0, 0, disc[1] / 2000)
    )
    if turned:
        magnet.rotate(turned, anchor=(0, 0, 0))
    field: Array = magnet.getB(places_mm / 1000) * 1000
    return field


@pytest.mark.parametrize("disc", DISCS)
def test_the_closed_form_is_that_of_magpylib_on_a_cell_and_on_its_neighbours(disc: Disc) -> None:
    out_mm, along_mm = (each.ravel() for each in np.meshgrid(np.arange(0.05, 50, 0.7), np.arange(3.0, 25, 1.0)))
    axial, radial = field_mt(disc, REMANENCE, out_mm, along_mm)
    there = of_magpylib(disc, np.column_stack([out_mm, 0 * out_mm, -along_mm]))
    assert np.abs(axial - there[:, 2]).max() < 1e-6
    assert np.abs(radial + there[:, 0]).max() < 1e-6


@pytest.mark.parametrize("tilt_deg", [0.0, 3.0, 6.0, 20.0])
def test_a_tilted_magnet_is_that_of_magpylib_too(tilt_deg: float) -> None:
    disc, tilt = (8.0, 3.0), math.radians(tilt_deg)
    for towards in (0.0, 1.0, math.pi / 2, 3.0):
        for out_mm, along_mm in ((1.0, 13.7), (5.0, 13.7), (33.3, 13.7), (4.0, 5.7)):
            place = np.array([out_mm * math.cos(towards), out_mm * math.sin(towards), -along_mm])
            there = of_magpylib(disc, place, Rotation.from_euler("y", -tilt))[2]
            ours = upright_mt(disc, REMANENCE, *(np.array([each]) for each in (out_mm, along_mm, tilt, towards)))
            assert ours[0] == pytest.approx(there, rel=1e-4, abs=1e-5)


def test_the_field_without_numpy_is_the_same() -> None:
    for out_mm in (0.01, 3.2, 5.1, 33.3):
        array, _ = field_mt((10.0, 3.0), REMANENCE_T, np.array([out_mm]), np.array([9.9]))
        assert plain_axial_mt(10.0, 3.0, out_mm, 9.9) == pytest.approx(array[0], rel=1e-7)


def test_the_figures_on_and_off_the_axis_are_those_of_another_model() -> None:
    """By magpylib, in a review of the plan: 6 × 2 and 10 × 3 at 12 mm, 8 × 3 at 6 mm."""
    for disc, depth_mm, figures in (
        ((6.0, 2.0), 12.0, (3.5, 3.1, 2.6)),
        ((10.0, 3.0), 12.0, (12.1, 10.9, 9.3)),
        ((8.0, 3.0), 6.0, (32.0, 24.9, 17.3)),
    ):
        assert axial_mt(disc, depth_mm) == pytest.approx(figures, abs=0.06)


# ---- dice -------------------------------------------------------------------------------------------------


def test_with_no_tolerance_a_sensor_reads_its_piece_and_eight_neighbours() -> None:
    exact = Tolerances(0, 0, 0, 0, 0, REMANENCE, 0, 0, 0, 0)
    (read,) = readings((8.0, 3.0), ((8.0, 3.0),), DEPTH_MM, exact, CHUNK)
    beside, corner = (
        abs(of_magpylib((8.0, 3.0), np.array([out, 0.0, -gap_mm(DEPTH_MM)]))[2])
        for out in (PITCH_MM, math.sqrt(2) * PITCH_MM)
    )
    assert read.own == pytest.approx(np.full(CHUNK, axial_mt((8.0, 3.0), DEPTH_MM)[0]), rel=1e-6)
    assert np.abs(read.others).max() == pytest.approx(4 * (beside + corner), rel=1e-5)
    assert np.std(read.others) == pytest.approx(2 * math.hypot(beside, corner), rel=0.02)


def test_draws_are_counted_in_whole_chunks() -> None:
    with pytest.raises(ValueError, match="no multiple of 50000"):
        list(readings((8.0, 3.0), ((8.0, 3.0),), DEPTH_MM, ANY, 70_000))


@pytest.mark.parametrize("disc", [(10.0, 2.0), (8.0, 3.0), (10.0, 3.0)])
def test_the_magnets_that_are_proposed_suit_their_depth(disc: Disc) -> None:
    assert suited(disc, draws=CHUNK).at(THRESHOLD_MT).none
    (whole,) = [each for each in kept().sensitive if (each.disc, each.depth_mm) == (disc, DEPTH_MM)]
    assert whole.draws == 1_000_000
    assert whole.at(THRESHOLD_MT).wrong == whole.at(THRESHOLD_MT).missed == 0


def test_a_magnet_that_does_not_reach_is_refused_with_the_figure() -> None:
    with pytest.raises(CannotBuild, match=r"6 × 2 mm .* 12 mm below its sheet: 51.* % of pieces are missed.* larger"):
        suited((6.0, 2.0), draws=CHUNK)
    assert suited((6.0, 2.0), 6.0, draws=CHUNK).at(THRESHOLD_MT).none
    with pytest.raises(CannotBuild, match=r"12 × 4 mm .* of empty cells are taken for full.* smaller"):
        suited((12.0, 4.0), draws=CHUNK)


def test_the_command_says_yes_or_no_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = judge.suited
    monkeypatch.setattr(judge, "suited", lambda disc, depth_mm: quick(disc, depth_mm, draws=CHUNK))
    said = CliRunner().invoke(judge.main, ["8×3"])
    assert (said.exit_code, "8×3 suits 12 mm" in said.output) == (0, True)
    assert CliRunner().invoke(judge.main, ["6x2", "--depth", "12"]).exit_code == 1
    assert "say diameter and height" in CliRunner().invoke(judge.main, ["big"]).output


def test_two_kinds_are_sure_and_three_are_good_evidence() -> None:
    right = {each.discs: each.right for each in kept().kinds}
    assert min(right[(8.0, 3.0), (10.0, 5.0)]) >= 0.999
    assert min(right[(8.0, 3.0), (10.0, 3.0), (12.0, 5.0)]) >= 0.95


# ---- light ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth_mm", [4.0, 12.0, 20.0])
def test_rays_that_nothing_gives_back_have_the_spot_of_the_closed_form(depth_mm: float) -> None:
    bare = Cell(CELL.inside_mm, board_back=0, sheet_back=0, sheet_mm=0)
    assert open_spot_mm(depth_mm, bare, 400_000) == pytest.approx(direct_spot_mm(depth_mm), rel=0.03, abs=0.1)


def test_the_direct_spot_at_twelve_millimetres() -> None:
    assert direct_spot_mm(12.0) == pytest.approx(13.4, abs=0.05)


def test_between_black_walls_only_direct_light_comes() -> None:
    """d⁴ / (d² + r²)² over a cell of 21 mm, in patches of 3 mm: the corner's against the mean of all."""
    black, d_mm = Cell(21.0, wall_back=0, board_back=0, sheet_back=0, sheet_mm=0), 12.0 - PIXEL_MM
    middles = (np.arange(210) + 0.5) / 10 - 10.5
    x, y = np.meshgrid(middles, middles)
    bright = 1 / (d_mm**2 + x**2 + y**2) ** 2
    assert lit(12.0, black, 1_000_000).evenness == pytest.approx(bright[:30, :30].mean() / bright.mean(), rel=0.04)
    assert lit(12.0, Cell(21.0), 100_000).evenness > 1.3 * lit(12.0, black, 100_000).evenness


def test_no_light_is_lost_between_white_walls() -> None:
    """All that does not go below the walls comes out above."""
    white = Cell(21.0, wall_back=1, board_back=1, sheet_back=0)
    places, weights, beside = followed(12.0, white, 20_000)
    assert weights.sum() + beside == pytest.approx(20_000, rel=1e-9)
    assert np.abs(places).max() <= 10.5 + 2.0 * math.tan(math.asin(1 / 1.49))


# ---- the page ---------------------------------------------------------------------------------------------


def test_the_page_is_that_of_the_figures() -> None:
    stale = [path.name for path, text in files(kept()).items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "run make hardware-field"


@pytest.mark.parametrize("disc", DISCS)
def test_the_figures_are_those_of_the_code(disc: Disc) -> None:
    """The first draws of each disc at the proposed depth; a changed model changes them."""
    before = [each for each in kept().first_chunk if each.disc == disc]
    for was, off in zip(before, (ANY, SENSITIVE), strict=True):
        now = first_chunk(disc, off)
        assert now.faults == was.faults
        assert (now.let_go, now.held, now.least_own_mt) == (was.let_go, was.held, was.least_own_mt)


def test_the_light_of_the_figures_is_that_of_the_code() -> None:
    figures = dict(zip((*DEPTHS_MM, 16.0, 20.0), kept().lights, strict=True))
    now, was = light(12.0, RAYS // 10), figures[12.0]
    assert now.open_spot_mm == pytest.approx(was.open_spot_mm, rel=0.05)
    assert now.beside.evenness == pytest.approx(was.beside.evenness, rel=0.1)


def test_more_draws_are_more_chunks_of_the_same_dice() -> None:
    one, two = (judged((6.0, 2.0), DEPTH_MM, ANY, draws) for draws in (CHUNK, 2 * CHUNK))
    assert one.at(THRESHOLD_MT).missed < two.at(THRESHOLD_MT).missed < 2.1 * one.at(THRESHOLD_MT).missed
