"""The chain's clock and latch as lines: what 100 and 22 Ω did to long chains, and that two gates read every board."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from hardware.profile import load, names
from hardware.spice import line
from hardware.spice.line import (
    END_PLUG,
    HAT_100,
    NANO_22,
    NANO_100,
    NANO_PIN,
    STRONG_GATES,
    TWO_GATES,
    WEAK_GATES,
    Chain,
)
from hardware.spice.line_report import CHAINS, HAND_OHMS, MEANS

ALL_MISREAD = 0.99 * CHAINS


def strips() -> Chain:
    found = line.on_boards(load("square144"))
    assert found
    return found


def test_behind_100_ohms_the_first_register_waits_at_two_volts_for_the_echo() -> None:
    """By the divider: tracks of 92 to 95 Ω with 5.5 pF a register behave as 84 Ω: 5 V · 84 / (84 + 125) = 2.01 V."""
    volts, waits_ns = line.step(strips(), NANO_100)
    assert volts == pytest.approx(2.05, abs=0.06)
    metres = sum(piece.metres for pieces in strips().way for piece in pieces)
    assert 2 * metres * 5.0 < waits_ns < 2 * metres * 7.0  # there and back; the registers slow the tracks down


@pytest.mark.slow
@pytest.mark.parametrize("driver", [NANO_100, HAT_100])
def test_behind_100_ohms_long_chains_misread_where_short_ones_mostly_work(driver: line.Driver) -> None:
    long, short = strips(), replace(strips(), way=strips().way[:3])
    assert line.share(line.look(long, driver), 2.2, CHAINS) > ALL_MISREAD
    assert line.share(line.look(short, driver), 2.3, CHAINS) < 0.25 * CHAINS


def test_22_ohms_are_not_enough_as_the_falling_edge_stops_half_way_too() -> None:
    assert line.share(line.look(strips(), NANO_22), 2.1, CHAINS) > 0.9 * CHAINS


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_two_gates_drive_the_circuit_boards_of_every_profile_at_any_threshold(name: str) -> None:
    chain = line.on_boards(load(name))
    if chain is None:
        assert load(name).pitch_mm < 36  # no strip is made for it
        return
    for driver in (STRONG_GATES, WEAK_GATES):
        seen = line.look(chain, driver)
        assert [line.share(seen, mean, CHAINS) for mean in MEANS] == [0] * len(MEANS)


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_the_nanos_pin_drives_every_chain_that_is_wired_by_hand_within_the_limit_without_a_plug(name: str) -> None:
    for ohms in (HAND_OHMS[0], HAND_OHMS[-1]):
        seen = line.look(line.by_hand(load(name), ohms), NANO_PIN)
        assert [line.share(seen, mean, CHAINS) for mean in MEANS] == [0] * len(MEANS)
        assert seen.clamp_ma < line.CLAMP_MA


@pytest.mark.slow
def test_a_tracker_joined_to_the_clock_without_its_resistor_spoils_the_chain() -> None:
    tiles = line.on_boards(load("shell19"))
    assert tiles
    joined = replace(tiles, listeners_ohms=1.0)
    assert line.share(line.look(joined, WEAK_GATES), 1.8, CHAINS) > 0
    assert line.share(line.look(tiles, WEAK_GATES), 1.8, CHAINS) == 0


def test_an_input_carries_twenty_milliamperes_at_what_its_diode_says() -> None:
    """By hand: 20 mA · 20 Ω, and 25.85 mV · ln(20 mA / 1e-14 A) over the diode: 0.4 V + 0.733 V."""
    assert line.clamp_ma(0.4 + 0.733) == pytest.approx(20.0, abs=0.05)
    assert line.clamp_ma(0.0) == line.clamp_ma(-3.0) == 0.0


@pytest.mark.slow
def test_an_open_end_drives_inputs_beyond_their_limit_and_the_end_plug_keeps_them_within() -> None:
    """A review's own model of lines, not SPICE, had 38 mA at the last of 18 strips."""
    assert 30 < line.look(strips(), TWO_GATES).clamp_ma < 50
    ended = line.look(strips(), STRONG_GATES, END_PLUG)
    assert ended.clamp_ma < line.CLAMP_MA
    assert [line.share(ended, mean, CHAINS) for mean in MEANS] == [0] * len(MEANS)


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_with_the_end_plug_every_chain_behind_two_gates_reads_right_and_within_the_limit(name: str) -> None:
    chains = [line.on_boards(load(name)), *(line.by_hand(load(name), ohms) for ohms in (HAND_OHMS[0], HAND_OHMS[-1]))]
    for chain in chains:
        for driver in (STRONG_GATES, WEAK_GATES) if chain is chains[0] else (TWO_GATES,):
            seen = line.look(chain, driver, END_PLUG) if chain else None
            assert seen is None or seen.clamp_ma < line.CLAMP_MA
            assert seen is None or max(line.share(seen, mean, CHAINS) for mean in MEANS) == 0


@pytest.mark.slow
def test_a_latch_of_a_microsecond_reaches_the_last_register_and_one_of_125_ns_hardly() -> None:
    assert line.low_ns(strips(), NANO_100, None, 125) < 40  # a 74HC165 wants up to 24 ns
    assert line.low_ns(strips(), TWO_GATES, None, 1000) > 900


def test_a_register_that_clocks_after_its_neighbour_loses_a_bit() -> None:
    """Judged by hand: thresholds reached at 10 and at 40 ns, the neighbour's bit is gone 16 ns after it clocked."""
    at = len(line.THRESHOLDS)
    early, late, once, twice = (10.0,) * at, (40.0,) * at, (1,) * at, (2,) * at
    assert line.misreads(line.ClockSeen((once, once), (late, early), False, 5.0), [2.0, 2.0])
    assert not line.misreads(line.ClockSeen((once, once), (early, late), False, 5.0), [2.0, 2.0])
    assert line.misreads(line.ClockSeen((once, twice), (early, early), False, 5.0), [2.0, 2.0])
    # The tracker's registers, the last ones, listen to what register 0 sends.
    assert line.misreads(line.ClockSeen((once, once), (early, late), True, 5.0), [2.0, 2.0])
