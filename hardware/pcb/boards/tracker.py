"""The shell-cost tracker: measures how many facing nodes of two tiles differ, from the chain's own bits.

Two 74HC595 listen to the chain; each is latched when the shell nodes of its tile have just passed. Gates compare the
nodes that face each other on each axis, and equal resistors add the gates up to one voltage an axis: Vcc · H / n.
"""

from __future__ import annotations

from collections.abc import Sequence

from hardware.pcb.boards.shared import bypass
from hardware.pcb.devices import HC86, HC595, RESISTOR, TRACKER, TRACKER_PLUG
from hardware.pcb.netlist import Circuit, Part, part
from hardware.pcb.placement import Placement, Text, at, rectangle
from hardware.tracker_circuit import TrackerCircuit as Rule

GATES = 4  # of a 74HC86
ADDING = "10k 1%"
HEIGHT_MM = 71.12


def tracker(ring: int) -> Placement:
    """Return the tracker for shells of ``ring`` nodes, 4 or 6: two or three axes."""
    axes = ring // 2
    rule = Rule(ring, axes, {}, ())
    pairs = [(axis, node) for axis in range(axes) for node in range(ring)]
    chips = -(-len(pairs) // GATES)
    parts = [_plug(axes), _listener("U1", "A", ring), _listener("U2", "B", ring)]
    parts += [_gates(chip, pairs[chip * GATES : (chip + 1) * GATES], rule) for chip in range(chips)]
    parts += [
        part(f"R{k}", RESISTOR, ADDING, {"1": f"X{axis}_{node}", "2": f"AXIS_{axis}"})
        for k, (axis, node) in enumerate(pairs, 1)
    ]
    parts += [bypass(f"C{k}") for k in range(1, chips + 3)]
    shape = {4: "square", 6: "hex"}[ring]
    circuit = Circuit(f"tracker-{shape}", f"Shell-cost tracker, {shape} tiles", tuple(parts), ("VCC", "GND"))
    return _laid(circuit, chips, len(pairs))


def _plug(axes: int) -> Part:
    names = [name for name in TRACKER if not name.startswith("AXIS_") or int(name[-1]) < axes]
    return part("J1", TRACKER_PLUG, "tracker", {str(k): name for k, name in enumerate(names, 1)}, "tracker")


def _listener(ref: str, tile: str, ring: int) -> Part:
    """Return the register of a tile: after eight clocks the byte's first bit, node 0, is in Q7."""
    nodes = {f"Q{7 - node}": f"{tile}{node}" for node in range(ring)}
    rest = {"DS": "DATA", "SHCP": "CLOCK", "STCP": f"LATCH_{tile}", "MR": "VCC", "OE": "GND"}
    return part(ref, HC595, "74HC595", nodes | rest | {"VCC": "VCC", "GND": "GND"})


def _gates(chip: int, pairs: Sequence[tuple[int, int]], rule: Rule) -> Part:
    joins = {"VCC": "VCC", "GND": "GND"}
    for gate in range(1, GATES + 1):
        if gate > len(pairs):
            joins |= {f"{gate}A": "GND", f"{gate}B": "GND"}
            continue
        axis, node = pairs[gate - 1]
        joins |= {f"{gate}A": f"A{node}", f"{gate}B": f"B{rule.facing(axis, node)}", f"{gate}Y": f"X{axis}_{node}"}
    return part(f"U{chip + 3}", HC86, "74HC86", joins)


def _laid(circuit: Circuit, chips: int, resistors: int) -> Placement:
    """Plug and listeners above, the gates below them, the resistors at the bottom in the order of the gates."""
    step = 17.78
    width = max(chips * step + 5.08, resistors * 3.81 + 7.62, 71.12)
    middle = width / 2
    spots = {
        "J1": at(8.89, 15.24),
        "U1": at(middle - 3.81, 10.16),
        "U2": at(middle + 15.24, 10.16),
        "C1": at(middle - 8.89, 16.51, 270),
        "C2": at(middle + 10.16, 16.51, 270),
    }
    left = (width - chips * step) / 2
    for chip in range(chips):
        x = left + chip * step
        spots[f"U{chip + 3}"] = at(x + 7.62, 34.29)
        spots[f"C{chip + 3}"] = at(x + 3.81, 39.37, 270)
    left = (width - (resistors - 1) * 3.81) / 2
    for k in range(resistors):
        spots[f"R{k + 1}"] = at(left + k * 3.81, 55.88, 270)
    edge = rectangle(width, HEIGHT_MM)
    screws = ((4.5, 4.5), (width - 4.5, 4.5), (4.5, HEIGHT_MM - 4.5), (width - 4.5, HEIGHT_MM - 4.5))
    return Placement(circuit, spots, edge, screws, (Text(circuit.title, middle, 4.5),), ("VCC", "GND"))
