"""The bill of materials: as many parts as the profile has sites, registers and pixels."""

from __future__ import annotations

import re

import pytest

from hardware.height_budget import REED_GLASS_MM
from hardware.manual.assembly_drawings import CARD_MM, card_places
from hardware.manual.bill import bill, cards_of, pieces_bill, screw_joints, strip_fits, table
from hardware.manual.joints import by_hand, hours, on_boards, pads, total
from hardware.manual.pages import DOCS
from hardware.manual.test_points import points
from hardware.pcb.boards.hat import hat
from hardware.pcb.price import ordered, together, whole
from hardware.power import budget
from hardware.printables.geometry import parts, sections
from hardware.printables.underside import FOOT_MM, feet
from hardware.profile import chained, load


def number(name: str, part: str) -> int:
    found = [line.number for line in bill(load(name)) if part in line.what]
    assert len(found) == 1, f"{part}: {found}"
    return found[0]


@pytest.mark.parametrize("name", chained())
def test_there_are_sensors_and_registers_for_all_sites_and_a_few_spare(name: str) -> None:
    board = load(name)
    assert len(board.sites) < number(name, "reed switch") < 1.1 * len(board.sites) + 2
    registers = board.chain_length // 8
    assert number(name, "socket DIP-16") == number(name, "resistor network") == registers
    assert number(name, "74HC165") > registers
    assert number(name, "perfboard") >= registers / 2


@pytest.mark.parametrize("name", chained())
def test_all_that_the_steps_of_the_manual_put_into_the_wires_is_bought(name: str) -> None:
    assert number(name, "resistor 330 Ω") == number(name, "resistor 470 Ω") == number(name, "socket DIP-14") == 1
    assert number(name, "0.2 mm thick at most, for the top") == 1, "foam would lift the top from the sensors"


def test_a_first_assembled_board_costs_five_boards_and_all_that_goes_with_them() -> None:
    board = load("cell36")
    page = (DOCS / "build" / "generated" / "cell36.md").read_text("utf-8")
    bought = sum(line.eur for line in bill(board)) + sum(line.eur for line in pieces_bill(board)["Tides of War"])
    printed = float(re.findall(r"([0-9.]+) € of PLA", page)[0])
    assert f"| **together** | **{together('cell36', 5) + bought + printed:.2f}** |" in page


def test_a_first_board_of_tiles_costs_whole_lots_of_both_circuit_boards_and_a_ribbon_a_tile() -> None:
    board = load("field144")
    assert ordered(board) == {"tile16": 10, "hub9": 5}
    assert ordered(board, 5) == {"tile16": 45, "hub9": 5}
    assert whole(board) == pytest.approx(together("tile16", 10) + together("hub9", 5))
    assert whole(board, 5) / 5 < 0.6 * whole(board), "five share what is asked for an order"
    page = (DOCS / "build" / "generated" / "field144.md").read_text("utf-8")
    assert f"| 10 `tile16` and 5 `hub9`, as houses make no fewer | {whole(board):.2f} |" in page
    assert number("field144", "ribbon") == 9
    assert number("field144", "screw 2.5 × 20") == 9 * 4


@pytest.mark.parametrize("name", chained())
def test_a_reed_that_is_offered_has_the_glass_that_the_magnets_are_reckoned_for(name: str) -> None:
    reed = next(line for line in bill(load(name)) if "reed switch" in line.what)
    assert f"glass {REED_GLASS_MM:g} mm" in reed.what
    assert re.findall(r"glass ([0-9.]+)", reed.which) == []


def test_a_row_of_the_first_board_is_a_strip_without_a_cut_and_other_boards_have_single_pixels() -> None:
    assert [name for name in chained() if strip_fits(load(name))] == ["first36"]
    assert number("first36", "strip, 30 pixels") == 2
    assert number("hex91", "WS2812B on a single board") == 96


@pytest.mark.parametrize("name", chained())
def test_supply_and_magnets_are_those_of_budget_and_magnet_page(name: str) -> None:
    board = load(name)
    assert any(line.what.endswith(budget(board).supply) for line in bill(board))
    disc = parts(board).disc
    assert all(f"{disc[0]:g} × {disc[1]:g} mm" in lines[0].what for lines in pieces_bill(board).values())


def test_the_pi_has_its_own_supply_and_what_carries_more_than_a_plug_does_is_an_xt30() -> None:
    assert number("first36", "USB-C supply, 5.1 V") == number("square144", "USB-C supply, 5.1 V") == 1
    assert number("first36", "socket 5.5 × 2.1 mm") == 1
    assert number("square144", "XT30") == 1


def test_a_set_of_tides_of_war_has_a_magnet_a_stone() -> None:
    magnets = pieces_bill(load("first36"))["Tides of War"][0]
    assert 28 <= magnets.number <= 31


def test_the_table_ends_with_the_sum() -> None:
    lines = bill(load("first36"))
    assert table(lines)[-1].endswith(f"**{sum(line.number * line.each_eur for line in lines):.2f}** |")


# ---- fixings and joints


@pytest.mark.parametrize(("name", "screws"), [("first36", 0), ("shell19", 42), ("square144", 48), ("hex91", 74)])
def test_there_is_a_screw_where_two_sections_meet_and_nowhere_else(name: str, screws: int) -> None:
    """Counted on the drawings: sides of cells that belong to two prints."""
    assert screw_joints(load(name)) == screws
    bought = [line.number for line in bill(load(name)) if "from section to section" in line.what]
    assert bought == ([screws] if screws else [])


def test_the_first_board_has_the_joints_that_were_counted_on_one() -> None:
    """590 by another count: cards 315, reeds 108, at the cards 36, chain 53, lights 40, shifter 24, supply 15."""
    counted = total(by_hand(load("first36")))
    assert abs(counted - 590) <= 0.05 * 590
    assert hours(counted) == (5, 10)


def test_a_reed_has_three_joints_of_its_own_as_it_has_a_pigtail() -> None:
    rows = {row.what.split(":")[0]: row for row in by_hand(load("first36"))}
    assert (rows["reed"].number, rows["reed"].each) == (36, 3)


def test_on_circuit_boards_every_pad_is_counted_and_small_cells_have_none() -> None:
    assert on_boards(load("first36")) == ()
    by_device = {"Connector 2x20": 40, "74AHCT125": 14, "Connector 1x6": 6, "Connector 1x3": 3}
    known = sum(by_device.get(part.device.name, 2) for part in hat().circuit.parts)
    assert pads(hat().circuit) == known, "everything else on the hat has two legs"
    assert total(on_boards(load("shell19"))) < total(by_hand(load("shell19")))


def test_a_part_is_named_for_all_that_must_be_a_certain_one() -> None:
    named = {line.what.split(",")[0]: line.which for line in bill(load("first36"))}
    for what in ("reed switch", "74HC165", "74AHCT125", "resistor network 9 × 10 kΩ", "socket DIP-16"):
        assert "; " in named[what], f"{what}: a part and a second one"


@pytest.mark.parametrize("name", chained())
def test_cards_lie_on_the_base_beside_the_feet_and_one_another(name: str) -> None:
    board = load(name)
    places = card_places(board)
    assert len(places) == len(cards_of(board))
    standing = [foot for section in sections(board) for foot in feet(section)]
    for k, (x, y) in enumerate(places):
        for u, v in standing:
            assert abs(u - x) >= (CARD_MM[0] + FOOT_MM) / 2 or abs(v - y) >= (CARD_MM[1] + FOOT_MM) / 2
        for u, v in places[:k]:
            assert abs(u - x) >= CARD_MM[0] or abs(v - y) >= CARD_MM[1]


def test_every_step_has_a_place_for_the_meter_and_pull_ups_are_measured_as_they_are() -> None:
    found = points(budget(load("first36")))
    assert {point.step[0] for point in found} == {"3", "4", "5", "7"}
    assert [point.expected for point in found if point.red == "each input" and "no chip" in point.step] == ["10 kΩ"]
