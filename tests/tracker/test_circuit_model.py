"""Which part explains what the tracker's pins read: the voltages come from Ohm's law alone, not from the model."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from controller.tracker.circuit_model import TrackerSample, named, nearest
from hardware.profile import load
from hardware.tracker_circuit import FULL, circuit_of

PROFILE = load("shell19")
CIRCUIT = circuit_of(PROFILE.cells, {site.name: site.bit for site in PROFILE.sites})
DICE = random.Random(1)
SHELLS = {tile: DICE.getrandbits(6) for tile in CIRCUIT.registers}
Ohms = Mapping[tuple[int, int], float]  # of the resistors that are not of 10 kΩ, by axis and node


def counts(a: int, b: int, axis: int, ohms: Ohms, gates: Mapping[tuple[int, int], int] = {}) -> int:
    """Return what the ADC reads where six gates drive one pin, each through its resistor; some are stuck."""
    conductance = [1 / ohms.get((axis, node), 10_000) for node in range(6)]
    high = [gates.get((axis, node), (a >> node ^ b >> (2 * axis + 3 - node) % 6) & 1) for node in range(6)]
    return min(round(FULL * sum(g for g, up in zip(conductance, high, strict=True) if up) / sum(conductance)), FULL - 1)


def samples(ohms: Ohms, gates: Mapping[tuple[int, int], int] = {}) -> list[TrackerSample]:
    """Return a round of readings of the whole board."""
    pairs = [(SHELLS[seam.tile_a], SHELLS[seam.tile_b]) for seam in CIRCUIT.seams]
    return [TrackerSample(a, b, tuple(counts(a, b, axis, ohms, gates) for axis in range(3))) for a, b in pairs]


@pytest.mark.parametrize(("level", "said"), [(0, "low"), (1, "high")])
def test_each_gate_that_is_stuck_is_named_by_its_package(level: int, said: str) -> None:
    for axis in range(3):
        for node in range(6):
            gate, package = (6 * axis + node) % 4 + 1, 3 + (6 * axis + node) // 4
            told = named(CIRCUIT, samples({}, gates={(axis, node): level}))
            assert told == f"most likely gate {gate} of U{package} (node {node}, axis {axis}) is stuck {said}"


@pytest.mark.parametrize(("level", "said"), [(0, "low"), (1, "high")])
def test_each_output_of_a_register_that_is_stuck_is_named_by_its_pin(level: int, said: str) -> None:
    """A magnet pulls its input low: what is stuck high never has one."""
    for latch, package in (("A", "U1"), ("B", "U2")):
        for node in range(6):
            read = []
            for seam in CIRCUIT.seams:
                true = SHELLS[seam.tile_a], SHELLS[seam.tile_b]
                stuck = [shell & ~(1 << node) if level else shell | 1 << node for shell in true]
                a, b = (stuck[0], true[1]) if latch == "A" else (true[0], stuck[1])
                read.append(TrackerSample(*true, tuple(counts(a, b, axis, {}) for axis in range(3))))
            told = named(CIRCUIT, read)
            assert told == f"most likely output Q{7 - node} of {package} (latch {latch}, node {node}) is stuck {said}"


def test_a_resistor_that_is_open_is_named_as_such() -> None:
    assert named(CIRCUIT, samples({(2, 0): 1e9})) == "most likely resistor R13 (node 0, axis 2) is open"


@pytest.mark.parametrize("kilo_ohms", [3.3, 6.8, 15.0, 22.0, 47.0])
@pytest.mark.parametrize(("axis", "node", "name"), [(0, 0, "R1"), (1, 3, "R10"), (2, 5, "R18")])
def test_a_resistor_of_another_value_is_named_with_the_value_that_it_has(
    axis: int, node: int, name: str, kilo_ohms: float
) -> None:
    told = named(CIRCUIT, samples({(axis, node): kilo_ohms * 1000}))
    before, _, rest = told.partition(" has about ")
    found, _, after = rest.partition(" kΩ")
    assert (before, after) == (f"most likely resistor {name} (node {node}, axis {axis})", " instead of 10")
    assert float(found) == pytest.approx(kilo_ohms, rel=0.08)  # the converter rounds to a count


def test_two_resistors_of_another_value_are_not_explained_by_one() -> None:
    told = named(CIRCUIT, samples({(0, 1): 22_000, (2, 4): 22_000}))
    assert told == "no single part explains it: check the tracker's supply, connector and wires"


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (60, "H = 0 (0.00 V) and H = 1 (0.83 V)"),
        (430, "H = 2 (1.67 V) and H = 3 (2.50 V)"),
        (FULL - 60, "H = 5 (4.17 V) and H = 6 (5.00 V)"),
    ],
)
def test_a_voltage_between_two_levels_has_those_on_both_sides(read: int, said: str) -> None:
    assert nearest(CIRCUIT, read) == said
