"""The bill of materials: as many parts as the profile has sites, registers and pixels."""

from __future__ import annotations

import pytest

from hardware.manual.bill import bill, pieces_bill, strip_fits, table
from hardware.power import budget
from hardware.printables.geometry import parts
from hardware.profile import load, names


def number(name: str, part: str) -> int:
    found = [line.number for line in bill(load(name)) if part in line.what]
    assert len(found) == 1, f"{part}: {found}"
    return found[0]


@pytest.mark.parametrize("name", names())
def test_there_are_sensors_and_registers_for_all_sites_and_a_few_spare(name: str) -> None:
    board = load(name)
    assert len(board.sites) < number(name, "reed switch") < 1.1 * len(board.sites) + 2
    registers = board.chain_length // 8
    assert number(name, "socket DIP-16") == number(name, "resistor network") == registers
    assert number(name, "74HC165") > registers
    assert number(name, "perfboard") >= registers / 2


def test_a_row_of_the_first_board_is_a_strip_without_a_cut_and_other_boards_have_single_pixels() -> None:
    assert [name for name in names() if strip_fits(load(name))] == ["first36"]
    assert number("first36", "strip, 30 pixels") == 2
    assert number("hex91", "WS2812B on a single board") == 96


@pytest.mark.parametrize("name", names())
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
