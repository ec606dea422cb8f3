"""The power budget: what a board draws, what feeds it, and the sentence for a board that nothing can feed."""

from __future__ import annotations

import re

import msgspec
import pytest

from hardware.power import (
    DENSITY_A_MM2,
    FUSE_LOAD,
    PIXEL_LEAST_VOLTS,
    area_mm2,
    budget,
    fused,
    light_rows,
    lines,
)
from hardware.profile import BadProfile, chained, load
from hardware.supply_path import (
    BARREL,
    BARREL_LOAD,
    KINDS,
    PI_LEAST_VOLTS,
    PIS,
    XT30,
    Pi,
    joint_for,
    volts_at_pi,
)
from hardware.supply_path import lines as what_reaches_the_pi
from tests.hardware.boards_to_refuse import squares_of


def test_the_square_board_at_worst_draws_its_cap_and_all_that_stands_beside() -> None:
    found = budget(load("square144"))
    by_name = {draw.what: draw.milliamps for draw in found.draws}
    assert by_name["lights, 144 pixels"] == 4000
    assert by_name["pull-ups of closed sensors"] == 72
    assert found.milliamps == sum(by_name.values()) == 4000 + 72 + 9 + 40
    assert found.supply_ma == 5000


def test_few_lights_are_reckoned_at_full_white_where_that_is_below_the_cap() -> None:
    assert budget(squares_of(max_milliamps=5000)).draws[0].milliamps == 4 * 61


def test_hall_switches_draw_all_the_time() -> None:
    reed, hall = (budget(squares_of(sensor=sensor)).milliamps for sensor in ("reed", "hall"))
    assert hall - reed == pytest.approx(4 * 2.7)


@pytest.mark.parametrize("name", chained())
@pytest.mark.parametrize("pi", [None, *PIS])
def test_supply_fuse_and_wires_of_a_shipped_board_carry_what_it_draws(name: str, pi: Pi | None) -> None:
    found = budget(load(name), pi)
    assert found.milliamps <= found.supply_ma
    assert found.trunk.amps <= found.fuse_a * FUSE_LOAD
    assert found.fuse_a <= area_mm2(found.trunk.gauge) * DENSITY_A_MM2
    assert found.farthest_volts > PIXEL_LEAST_VOLTS + 1


@pytest.mark.parametrize("name", chained())
@pytest.mark.parametrize("pi", [None, *PIS])
def test_a_fuse_blows_before_the_supply_cuts_off(name: str, pi: Pi | None) -> None:
    """ATO fuses blow at 135 % within ten minutes (Littelfuse 257); a Mean Well may cut off from 105 % on (GST, LRS)."""
    found = budget(load(name), pi)
    assert 1.35 * found.fuse_a <= 1.05 * found.supply_ma / 1000


def test_a_board_is_fed_in_as_many_branches_as_its_fuses_need() -> None:
    assert fused(1.1, 3.0) == (1, 2)
    assert fused(4.1, 6.0) == (2, 3)  # one of 7.5 A would want 10 A to blow
    with pytest.raises(BadProfile, match=r"no fuse carries 30\.0 A and blows behind a supply of 1 A"):
        fused(30, 1)


@pytest.mark.parametrize(
    ("board_a", "supply_a", "branches", "fuse_a"),
    [
        (2.8, 5, 2, 2),  # one fuse of 4 A carries 3.0 A, but blows at 5.4 A, and the supply may cut off from 5.25 A on
        (2.25, 5, 1, 3),  # of 3 A: carries 2.25 A, blows at 4.05 A
        (2.26, 5, 2, 2),  # 1.13 A each, of the 1.5 A that 2 A carry
        (2.1, 3, 2, 2),  # 3 A blow at 4.05 A, more than 3.15 A; two of 2 A at 2.7 A each
        (1.5, 2.58, 1, 2),  # 2 A blow at 2.70 A, and 1.05 × 2.58 A are 2.709 A
        (1.5, 2.57, 2, 1),  # 1.05 × 2.57 A are 2.6985 A
        (5.6, 10, 1, 7.5),  # carry 5.625 A, blow at 10.125 A of 10.5 A
        (5.7, 10, 2, 4),  # 2.85 A each of 3.0 A
    ],
)
def test_fuses_worked_out_by_hand(board_a: float, supply_a: float, branches: int, fuse_a: float) -> None:
    assert fused(board_a, supply_a) == (branches, fuse_a)


def test_the_square_board_is_fed_as_worked_out_by_hand() -> None:
    """4121 mA want the supply of 5 A. Two branches of 2.0605 A: 3 A carry 2.25 A, blow at 4.05 A, less than 5.25 A.

    A trunk of 600 + 480 mm: AWG 20 has 0.5176 mm²: 2.0605 A × 2160 mm × 1.72e-5 Ω·mm²/mm / 0.5176 mm² = 0.148 V; 22
    with 0.3255 mm² would lose 0.235 V of the 0.15 V. A row of 12 pixels of 61 mA over half the width of 480 mm on
    AWG 22: 0.732 A × 480 mm × 1.72e-5 / 0.3255 = 0.0186 V.
    """
    found = budget(load("square144"))
    assert (found.supply, found.branches, found.fuse_a, found.rows) == ("GST40A05-P1J", 2, 3, 12)
    assert (found.trunk.amps, found.trunk.length_mm, found.trunk.gauge) == (2.0605, 1080, 20)
    assert found.trunk.drop_volts == pytest.approx(0.1479, abs=0.0001)
    assert found.feed is not None
    assert (found.feed.amps, found.feed.length_mm, found.feed.gauge) == (0.732, 240, 22)
    assert found.feed.drop_volts == pytest.approx(0.0186, abs=0.0001)
    assert found.farthest_volts == pytest.approx(4.8335, abs=0.0002)


def test_areas_are_those_of_the_wire_tables() -> None:
    assert [round(area_mm2(gauge), 3) for gauge in (14, 18, 22, 26)] == [2.081, 0.823, 0.326, 0.129]


def test_a_supply_that_is_too_small_is_refused_with_both_figures_and_a_way_out() -> None:
    with pytest.raises(BadProfile) as caught:
        budget(load("square144"), "pi4", supply_ma=5000)
    assert str(caught.value) == (
        "square144 can draw 5621 mA, the supply gives 5000 mA; set max_milliamps to 3379 at most"
    )
    dimmer = msgspec.structs.replace(load("square144"), max_milliamps=3379)
    assert budget(dimmer, "pi4", supply_ma=5000).milliamps == 5000


def test_a_board_beyond_the_largest_supply_is_refused() -> None:
    hungry = msgspec.structs.replace(load("square144"), max_milliamps=60_000, light_count=960, name="hungry")
    with pytest.raises(BadProfile) as caught:
        budget(hungry, "pi4")
    assert "can draw 60181 mA, the largest supply of the list gives 10000 mA" in str(caught.value)
    assert str(caught.value).endswith("set max_milliamps to 8379 at most")
    assert budget(msgspec.structs.replace(hungry, max_milliamps=8379), "pi4").milliamps == 10_000


def test_a_supply_below_what_the_pi_draws_says_so() -> None:
    with pytest.raises(BadProfile, match="give the Pi a supply of its own"):
        budget(load("first36"), "pi4", supply_ma=1200)


def test_the_strip_is_fed_row_by_row_and_tile_by_tile() -> None:
    assert [len(row) for row in light_rows(load("hex91"))] == [6, 7, 8, 9, 10, 11, 10, 9, 8, 7, 6]
    assert len(light_rows(load("shell19"))) == 19


def test_the_table_ends_with_the_sum_and_names_a_source_for_each_draw() -> None:
    found = budget(load("hex91"))
    text = "\n".join(lines(found))
    assert f"**{found.milliamps:.0f}**" in text
    assert all(draw.source in text and len(draw.source) > 10 for draw in found.draws)


# ---- the way to the Pi ------------------------------------------------------------------------------------


def test_a_pi_has_its_own_supply_unless_it_is_said_to_share_one() -> None:
    alone, shared = budget(load("square144")), budget(load("square144"), "pi4")
    assert shared.milliamps - alone.milliamps == 1500
    assert shared.supply_ma == 6000


def test_one_plug_for_all_leaves_the_pi_too_little_even_from_exactly_5_volts() -> None:
    """By hand: 5.621 A × (40 + 15) mΩ = 0.309 V for all, 1.5 A × 72 mΩ = 0.108 V for the Pi: 4.583 V."""
    volts = volts_at_pi(5.0, BARREL, 5621, 1500)
    assert volts == pytest.approx(4.583, abs=0.001)
    assert volts < PI_LEAST_VOLTS


@pytest.mark.parametrize("name", chained())
@pytest.mark.parametrize("kind", [kind.name for kind in KINDS.values()])
def test_what_the_guide_builds_leaves_every_pi_enough(name: str, kind: str) -> None:
    row = next(row for row in what_reaches_the_pi(budget(load(name)).milliamps) if row.startswith(f"| {kind} |"))
    own, plug, _ = re.findall(r"(\d\.\d\d) V", row)
    assert float(own) >= PI_LEAST_VOLTS + 0.1
    assert float(plug) < PI_LEAST_VOLTS  # 5 V less 5 %: why nobody is told to build that


def test_a_supply_of_its_own_gives_what_that_pi_draws() -> None:
    assert all(kind.milliamps < kind.own_ma for kind in KINDS.values())


def test_a_current_that_heats_a_barrel_plug_goes_through_another() -> None:
    assert joint_for(BARREL_LOAD * BARREL.amps * 1000) is BARREL
    assert joint_for(budget(load("square144")).milliamps) is XT30
    assert all(
        budget(load(name)).milliamps / 1000 <= joint_for(budget(load(name)).milliamps).amps for name in chained()
    )


def test_a_board_that_comes_assembled_has_no_budget_of_fuses_and_wires() -> None:
    with pytest.raises(BadProfile, match="cell36 is fed by its USB plug"):
        budget(load("cell36"))
    with pytest.raises(BadProfile, match="field144 is fed by a supply of 5 V and 3 A at its hub"):
        budget(load("field144"))
