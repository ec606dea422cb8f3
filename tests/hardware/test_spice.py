"""The circuits in SPICE: every pair of shells, some boards of random parts, a bouncing contact, a strip of lights."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest

from controller.rules.shells import cost
from controller.tracker.circuit_model import TrackerSample, decoded, levels, off
from hardware.cannot_build import CannotBuild
from hardware.profile import load
from hardware.spice import ngspice, sensor, strip, tracker
from hardware.tracker_circuit import BETWEEN, FULL, TOLERANCE, TrackerCircuit, circuit_of


def circuit(board: str) -> TrackerCircuit:
    profile = load(board)
    return circuit_of(profile.cells, {site.name: site.bit for site in profile.sites})


@pytest.mark.parametrize("board", ["shell19", "shellsquare16"])
def test_every_pair_of_shells_on_every_axis_gives_the_h_of_the_rules(board: str) -> None:
    found = circuit(board)
    n = found.nodes
    rows = tracker.all_pairs(found)
    assert len(rows) == 1 << 2 * n
    for pattern, counts in enumerate(rows):
        a, b = pattern % (1 << n), pattern >> n
        for axis, read in enumerate(counts):
            assert decoded(found, int(read)) == cost(a, b, axis, (axis + n // 2) % n, n, "reflect").differing(n)
        # The service's own model of the circuit says the same.
        assert off(found, TrackerSample(a, b, tuple(map(int, counts)))) <= 1
        assert len(levels(found, TrackerSample(a, b, ()))) == found.axes


@pytest.mark.parametrize("nodes", [6, 4])
def test_boards_of_random_and_of_worst_parts_are_read_right_and_not_complained_of(nodes: int) -> None:
    spread, dice = tracker.Spread(), random.Random(7)
    boards = [tracker.draw(nodes, spread, dice) for _ in range(50)]
    found = tracker.margin(nodes, boards, spread, dice)
    assert [len(row) for row in found.off] == [50 * times for times in _choose(nodes)]
    worst = tracker.worst_case(nodes, spread)
    assert found.worst <= worst.worst <= TOLERANCE
    assert worst.margin >= FULL / nodes / 2 - TOLERANCE
    assert tracker.worst_case(nodes, tracker.Spread(resistor=0.05)).worst <= BETWEEN  # read right even so


def _choose(nodes: int) -> list[int]:
    row = [1]
    for _ in range(nodes):
        row = [a + b for a, b in zip([0, *row], [*row, 0], strict=True)]
    return row


def test_a_worse_circuit_shows_in_the_margin() -> None:
    bad = tracker.worst_case(6, tracker.Spread(resistor=0.2, supply_drop=0.05))
    assert bad.margin < 0


def test_the_level_is_there_before_the_converter_samples_it() -> None:
    assert tracker.settling_us(6) < 12
    assert tracker.settling_us(4) < 12


def test_a_bouncing_contact_is_one_change_each_way_at_any_phase_of_the_scan() -> None:
    points = sensor.waveform()
    crossed = [volts < sensor.VOLTS / 2 for _, volts in points]
    assert sum(a != b for a, b in pairwise(crossed)) == 2 * len(sensor.CLOSES)
    seen = sensor.look(points)
    assert seen.changes == (2, 2)
    assert seen.undefined == 0
    assert seen.rise_us < 5


@pytest.mark.slow
def test_a_strip_fed_at_many_places_keeps_its_volts_and_one_fed_at_its_end_does_not() -> None:
    least = {(drop.feed, drop.load): drop.least_volts for drop in strip.drops(load("shell19"))}
    assert min(volts for (feed, _), volts in least.items() if feed == "every tenth light") > 4.9
    assert least["one end", "all alike"] < strip.LEAST_VOLTS
    assert least["one end", "all alike"] < least["both ends", "all alike"]


def test_the_volts_fall_along_a_strip_that_is_fed_at_its_end() -> None:
    volts = strip.along(load("shell19"), "one end", "all alike")
    assert volts == sorted(volts, reverse=True)


def test_a_netlist_that_is_none_and_a_missing_ngspice_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(CannotBuild, match="did not take the netlist"):
        ngspice.run(["R1 a b nonsense"], ["dc Vnone 0 1 1", "write"], ["v(a)"])
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CannotBuild, match="apt install ngspice"):
        ngspice.run([], [], [])
