"""Too many volts at the socket of an assembled board: what the absorber lets pass, and which part gives way first."""

from __future__ import annotations

import math

import pytest

from hardware.wrong_voltage import MF_MSMF110, MF_MSMF260, SMAJ5_0A, Absorber, lines, too_many_volts


def test_five_volts_and_a_half_do_nothing() -> None:
    found = too_many_volts(MF_MSMF110, 5.5, 3.0)
    assert (found.amps, found.volts, found.too_hot_s, found.fuse_opens_s) == (0.0, 5.5, math.inf, math.inf)


def test_of_twelve_volts_the_parts_see_less_than_the_regulator_stands_until_the_absorber_is_lost() -> None:
    found = too_many_volts(MF_MSMF110, 12.0, 3.0)
    assert found.volts < 15.0  # AMS1117-3.3
    assert found.volts < 7.5
    assert found.too_hot_s < found.fuse_opens_s < 6


def test_a_weak_supply_warms_it_for_ever_and_never_too_much() -> None:
    assert too_many_volts(MF_MSMF110, 12.0, 0.1).too_hot_s == math.inf
    assert 10 < too_many_volts(MF_MSMF110, 12.0, 0.2).too_hot_s < 100


def test_one_body_warms_as_the_formula_of_one_body_says() -> None:
    body = Absorber("one", 7.0, 0.0, ((30.0, 0.05),), 150.0)
    assert body.too_hot_s(1.0) == pytest.approx(-1.5 * math.log(1 - 110 / 210), rel=1e-6)


def test_the_fuse_opens_when_its_data_sheet_says() -> None:
    assert MF_MSMF110.opens_s(8.0) == pytest.approx(0.5)
    assert MF_MSMF110.opens_s(2.2) == math.inf


def test_behind_the_fuse_of_a_hub_it_is_the_supply_that_has_to_give_up() -> None:
    found = too_many_volts(MF_MSMF260, 12.0, 3.0)
    assert (found.fuse_opens_s, found.too_hot_s < 1) == (math.inf, True)
    assert MF_MSMF260.opens_s(8.0) == pytest.approx(5.0)


def test_the_page_has_a_row_for_each_supply() -> None:
    rows = [line for line in lines(MF_MSMF110) if line.startswith("| 12 V")]
    assert [row.split("|")[1].strip() for row in rows] == [f"12 V, {amps} A at most" for amps in ("0.1", "1", "3")]
    assert SMAJ5_0A.name in " ".join(lines(MF_MSMF110))
