"""The assembled board in SPICE: its copper, the pixels that draw by it, and what lies between them and the sensors.

The copper is that of the routed board, tracks and plated holes alone: the pours, which only help, are left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise

from hardware.pcb.copper import Track
from hardware.pcb.placement import GRID, Placement, lands
from hardware.pcb.route import VIA_DRILL, Routes

VOLTS = 5.0  # at the socket
COPPER_OHMS = 1.72e-8 / 35e-6  # of a square of 35 µm
BOARD_MM, PLATING_MM = 1.6, 0.02
VIA_OHMS = 1.72e-5 * BOARD_MM / (math.pi * (VIA_DRILL + PLATING_MM) * PLATING_MM)
FUSE_OHMS = 0.2  # MF-MSMF110/24X, the most an hour after it was soldered (its data sheet, R1max)

# What the sensors see of the pixels goes by these.
SENSOR_A = 0.006  # DRV5055: 6 mA, typical
CHIP_A = 0.030
LEAD_OHMS, LEAD_HENRY = 0.25, 1e-6  # of a cable of a metre and its plugs
REJECTED = 10 ** (-50 / 20)  # of a ripple by the regulator: AMS1117, 60 dB at 120 Hz and less further up
REGULATOR_OHMS, REGULATOR_HENRY = 0.05, 0.5e-6  # its output gives way faster than it follows
FEED_FARAD = 30e-12  # past the regulator
SWITCH_HZ, EDGE_S = 2000.0, 100e-9  # a WS2812B's own

Knot = tuple[int, int, int]  # layer, column, row in a twentieth of the grid


def pixels(board: Placement, together_a: float, tag: str = "") -> tuple[list[str], dict[str, str]]:
    """Return what draws the pixels' current, alike from each, and by pixel what the volts between its pins are."""
    refs = [each.ref for each in board.circuit.parts if each.device.name == "WS2812B"]
    netlist, ends = [], {}
    for ref in refs:
        plus, minus = at_pad("V5", ref, "1", tag), at_pad("GND", ref, "3", tag)
        netlist.append(f"I{ref} {plus} {minus} {together_a / len(refs):.6g}")
        ends[ref] = f"v({plus})-v({minus})"
    return netlist, ends


def at_pad(net: str, ref: str, number: str, tag: str = "") -> str:
    """Return the name of a pad in a netlist; ``tag`` is that of its board, where there are several."""
    return f"{tag}{net}_{ref}_{number}"


def copper(board: Placement, routes: Routes, net: str, tag: str = "") -> Iterator[str]:
    """Yield the resistances of all copper of a net but its pour."""
    knots, number = _knots(board, routes, net, tag), 0
    for track in (each for each in routes.tracks if each.net == net):
        for (here, from_mm), (there, to_mm) in pairwise(_along(track)):
            if knots[here] != knots[there]:
                number += 1
                ohms = COPPER_OHMS * (to_mm - from_mm) / track.width
                yield f"R{tag}{net}{number} {knots[here]} {knots[there]} {ohms:.6g}"
    for via in (each for each in routes.vias if each.net == net):
        a, b = (knots[_knot(layer, via.x, via.y)] for layer in (0, 1))
        if a != b:
            number += 1
            yield f"R{tag}{net}{number} {a} {b} {VIA_OHMS:.6g}"


def _knots(board: Placement, routes: Routes, net: str, tag: str) -> Mapping[Knot, str]:
    """Return the name of each place where copper of a net begins or ends; all within one pad are one."""
    ends = {_knot(track.layer, *end) for track in routes.tracks if track.net == net for end in (track.start, track.end)}
    ends |= {_knot(layer, via.x, via.y) for via in routes.vias if via.net == net for layer in (0, 1)}
    ends |= {knot for track in routes.tracks if track.net == net for knot, _ in _along(track)}
    found = {knot: f"{tag}{net}_{knot[0]}_{knot[1]}_{knot[2]}" for knot in ends}
    for land in lands(board):
        if land.net == net:
            within = [k for k in found if (land.drill or not k[0]) and land.gap(*_place(k)) <= 0]
            found |= dict.fromkeys(within, at_pad(net, land.ref, land.number, tag))
    return found


def _along(track: Track) -> Iterator[tuple[Knot, float]]:
    """Yield where a track passes the lines of the grid, and how far from its start: others join it there."""
    length = math.dist(track.start, track.end)
    steps = max(1, round(length / GRID))
    (x, y), (to_x, to_y) = track.start, track.end
    for k in range(steps + 1):
        yield _knot(track.layer, x + (to_x - x) * k / steps, y + (to_y - y) * k / steps), length * k / steps


def _knot(layer: int, x: float, y: float) -> Knot:
    return layer, round(x / GRID * 20), round(y / GRID * 20)


def _place(knot: Knot) -> tuple[float, float]:
    return knot[1] * GRID / 20, knot[2] * GRID / 20
