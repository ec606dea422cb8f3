"""The tracker's circuit on paper: what its pins must read for given nodes, and which part explains what they do read.

A shell is an integer: bit j is set when node j holds a magnet.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import reduce

import msgspec

from controller.sentences import all_of, say
from hardware.tracker_circuit import ADDING_OHMS, BETWEEN, FULL, TOLERANCE, TrackerCircuit

SUPPLY_V = 5.0
GATES = 4  # of a 74HC86
FEW = 3  # suspects are named, more are not


PARTS = {  # those of which more than a few may explain the same
    "output": say("an output"),
    "gate": say("a gate"),
    "resistor": say("a resistor"),
    "latch": say("a latch"),
    "data": say("the data wire"),
}


class TrackerSample(msgspec.Struct, frozen=True):
    """One reading: the shells of the tiles at latch A and B, and the counts by axis."""

    shell_a: int
    shell_b: int
    counts: tuple[int, ...]


class TrackerFault(msgspec.Struct, frozen=True):
    """One thing that may be wrong. ``value`` is a level (0 or 1), a shell, counts, or a conductance (1 is 10 k)."""

    kind: str  # "output", "gate", "resistor", "latch", "data" or "pin"
    place: int  # tile (0 is A) of an output or a latch, axis of the others
    node: int
    value: float


def levels(circuit: TrackerCircuit, sample: TrackerSample, fault: TrackerFault | None = None) -> tuple[float, ...]:
    """Return what each axis should read, in counts, for the shells of ``sample``; with ``fault`` in the circuit."""
    a, b = (_stored(tile, shell, fault) for tile, shell in enumerate((sample.shell_a, sample.shell_b)))
    return tuple(_level(circuit, axis, a, b, fault) for axis in range(circuit.axes))


def _stored(tile: int, shell: int, fault: TrackerFault | None) -> int:
    if fault is None:
        return shell
    if fault.kind == "data" or (fault.kind == "latch" and fault.place == tile):
        return int(fault.value)
    if fault.kind == "output" and fault.place == tile:
        bit = 1 << fault.node
        return shell & ~bit if fault.value else shell | bit  # the chain is low where a magnet is
    return shell


def _level(circuit: TrackerCircuit, axis: int, a: int, b: int, fault: TrackerFault | None) -> float:
    here = fault if fault is not None and fault.place == axis else None
    if here is not None and here.kind == "pin":
        return here.value
    conductance, current = float(circuit.nodes), 0.0
    for node in range(circuit.nodes):
        differs: float = (a >> node ^ b >> circuit.facing(axis, node)) & 1
        weight = 1.0
        if here is not None and here.node == node:
            if here.kind == "gate":
                differs = here.value
            elif here.kind == "resistor":
                weight = here.value
                conductance += weight - 1
        current += weight * differs
    return min(FULL * current / conductance, FULL - 1)


def off(circuit: TrackerCircuit, sample: TrackerSample, fault: TrackerFault | None = None) -> float:
    """Return by how many counts the worst axis of ``sample`` is off what it should be."""
    return max(
        abs(found - expected) for found, expected in zip(sample.counts, levels(circuit, sample, fault), strict=False)
    )


def decoded(circuit: TrackerCircuit, counts: int) -> int | None:
    """Return how many nodes differ by the counts of an axis; None between two levels."""
    level = round(counts * circuit.nodes / FULL)
    return level if abs(counts - FULL * level / circuit.nodes) <= BETWEEN else None


def suspects(circuit: TrackerCircuit, samples: Sequence[TrackerSample]) -> tuple[TrackerFault, ...]:
    """Return the faults of one part that explain all ``samples``, the likeliest first; none if two parts are broken.

    Faults with nothing to choose come before those with a value that was fitted to the samples.
    """
    worst_first = sorted(samples, key=lambda sample: -off(circuit, sample))
    return tuple(
        fault
        for fault in _candidates(circuit, worst_first[0], worst_first)
        if all(off(circuit, sample, fault) <= TOLERANCE for sample in worst_first)
    )


def _candidates(
    circuit: TrackerCircuit, worst: TrackerSample, samples: Sequence[TrackerSample]
) -> Iterator[TrackerFault]:
    nodes, axes = range(circuit.nodes), range(circuit.axes)
    for node in nodes:
        for high in (0, 1):
            yield from (TrackerFault("output", tile, node, high) for tile in (0, 1))
            yield from (TrackerFault("gate", axis, node, high) for axis in axes)
        yield from (TrackerFault("resistor", axis, node, 0.0) for axis in axes)
    for axis in axes:
        for node in nodes:
            weight = _weight(circuit, worst, axis, node)
            if weight is not None:
                yield TrackerFault("resistor", axis, node, weight)
    shells = range(1 << circuit.nodes)
    yield from (TrackerFault("latch", tile, 0, shell) for tile in (0, 1) for shell in shells)
    yield from (TrackerFault("data", 0, 0, shell) for shell in shells)
    for axis in axes:
        read = [sample.counts[axis] for sample in samples]
        yield TrackerFault("pin", axis, 0, (min(read) + max(read)) / 2)


def _weight(circuit: TrackerCircuit, sample: TrackerSample, axis: int, node: int) -> float | None:
    """Return the conductance of a resistor that explains the reading, 1 being right; None where none does."""
    ratio = sample.counts[axis] / FULL
    differs = (sample.shell_a >> node ^ sample.shell_b >> circuit.facing(axis, node)) & 1
    others = levels(circuit, sample, TrackerFault("resistor", axis, node, 0.0))[axis] / FULL * (circuit.nodes - 1)
    if math.isclose(ratio, differs):
        return None
    weight = (others - (circuit.nodes - 1) * ratio) / (ratio - differs)
    return weight if weight > 0 else None


# ---- in words ---------------------------------------------------------------------------------------------


def said(circuit: TrackerCircuit, fault: TrackerFault) -> str:
    """Return what is wrong and where to look, as the end of a sentence: ``resistor R10 (node 3, axis 1) is open``."""
    number = fault.place * circuit.nodes + fault.node
    at = say("(node {node}, axis {axis})", node=fault.node, axis=fault.place)
    level = say("high") if fault.value else say("low")
    match fault.kind:
        case "output":
            return say(
                "output {output} of {chip} (latch {latch}, node {node}) is stuck {level}",
                output=f"Q{7 - fault.node}",
                chip=f"U{fault.place + 1}",
                latch="AB"[fault.place],
                node=fault.node,
                level=level,
            )
        case "gate":
            chip = f"U{number // GATES + 3}"
            return say(
                "gate {gate} of {chip} {at} is stuck {level}", gate=number % GATES + 1, chip=chip, at=at, level=level
            )
        case "resistor" if fault.value < 0.01:
            return say("resistor {name} {at} is open", name=f"R{number + 1}", at=at)
        case "resistor":
            return say(
                "resistor {name} {at} has about {ohms} kΩ instead of {right}",
                name=f"R{number + 1}",
                at=at,
                ohms=f"{ADDING_OHMS / fault.value / 1000:.1f}",
                right=ADDING_OHMS // 1000,
            )
        case "latch":
            pin = "D8" if fault.place == 0 else "D9"
            latch, chip = "AB"[fault.place], f"U{fault.place + 1}"
            return say("latch {latch} ({chip}, wire from {pin}) does not follow", latch=latch, chip=chip, pin=pin)
        case "data":
            return say("the tracker gets no signal from the chain (its data and clock wires at J1)")
    reads = volts(int(fault.value))
    return say(
        "axis {axis} always reads {volts} (its wire to {pin})", axis=fault.place, volts=reads, pin=f"A{fault.place}"
    )


def named(circuit: TrackerCircuit, samples: Sequence[TrackerSample]) -> str:
    """Return the likeliest part in words, or what to do where no one part or too many explain the ``samples``."""
    found = suspects(circuit, samples)
    if not found:
        return say("no single part explains it: check the tracker's supply, connector and wires")
    likeliest = [fault for fault in found if fault.kind == found[0].kind]
    if len(likeliest) > FEW:
        kind = PARTS[found[0].kind]
        if found[0].kind in ("gate", "resistor"):  # on one axis: what is wrong there, no part of another explains
            kind = say("{part} of axis {axis}", part=kind, axis=found[0].place)
        return say("most likely {part}, but these shells do not show which; turn a shell and look again", part=kind)
    faults = dict.fromkeys(said(circuit, fault) for fault in likeliest)
    return say(
        "most likely {faults}", faults=reduce(lambda one, other: say("{one}, or {other}", one=one, other=other), faults)
    )


def volts(counts: int) -> str:
    """Return counts as a voltage at a supply of 5 V."""
    return f"{counts * SUPPLY_V / FULL:.2f} V"


def nearest(circuit: TrackerCircuit, counts: int) -> str:
    """Return the two levels on both sides of ``counts``, below `FULL`: ``H = 2 (1.67 V) and H = 3 (2.50 V)``."""
    low = counts * circuit.nodes // FULL
    return all_of(f"H = {h} ({h * SUPPLY_V / circuit.nodes:.2f} V)" for h in (low, low + 1))
