"""The assembled board's supplies in SPICE: what is left of five volts at its pixels, and what their switching does to
the sensors.

The copper is that of the routed board, tracks and plated holes alone: the pours, which only help, are left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise

from hardware.pcb.copper import Track
from hardware.pcb.placement import GRID, Placement, lands
from hardware.pcb.route import VIA_DRILL, Routes
from hardware.spice.ngspice import run

VOLTS = 5.0  # at the socket
COPPER_OHMS = 1.72e-8 / 35e-6  # of a square of 35 µm
BOARD_MM, PLATING_MM = 1.6, 0.02
VIA_OHMS = 1.72e-5 * BOARD_MM / (math.pi * (VIA_DRILL + PLATING_MM) * PLATING_MM)
FUSE_OHMS = 0.2  # MF-MSMF110/24X, the most an hour after it was soldered (its data sheet, R1max)

Knot = tuple[int, int, int]  # layer, column, row in a twentieth of the grid


def pixel_volts(board: Placement, routes: Routes, together_a: float) -> dict[str, float]:
    """Return the volts between the pins of every pixel, where all have their share of ``together_a``."""
    netlist = [f"Vsupply in 0 {VOLTS}", f"Rfuse in {at_pad('V5', 'F1', '2')} {FUSE_OHMS}"]
    netlist.append(f"Rback {at_pad('GND', 'J1', 'A1')} 0 1e-6")
    for net in ("V5", "GND"):
        netlist += copper(board, routes, net)
    drawn, ends = pixels(board, together_a)
    netlist += drawn
    ((_, *volts),) = run(netlist, ["dc Vsupply 5 5 1", "write"], list(ends.values()))
    return dict(zip(ends, volts, strict=True))


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


# ---- what the sensors see ---------------------------------------------------------------------------------

SENSORS, SENSOR_A = 36, 0.006  # DRV5055: 6 mA, typical
CHIP_A = 0.030
LEAD_OHMS, LEAD_HENRY = 0.25, 1e-6  # of a cable of a metre and its plugs
REJECTED = 10 ** (-50 / 20)  # of a ripple by the regulator: AMS1117, 60 dB at 120 Hz and less further up
REGULATOR_OHMS, REGULATOR_HENRY = 0.05, 0.5e-6  # its output gives way faster than it follows
FEED_FARAD = 30e-12  # past the regulator
FERRITE_OHMS, FERRITE_HENRY, FERRITE_LOSS = 0.05, 0.35e-6, 120.0  # BLM18PG121
SWITCH_HZ, EDGE_S = 2000.0, 100e-9  # a WS2812B's own


def hall_ripple(together_a: float) -> float:
    """Return the volts from peak to peak at the sensors' supply while all pixels go on and off at once."""
    half = 0.5 / SWITCH_HZ
    netlist = [
        f"Vsupply in 0 {VOLTS}",
        f"Rlead in lead {LEAD_OHMS + FUSE_OHMS}",
        f"Llead lead v5 {LEAD_HENRY}",
        f"Ipixels v5 0 PULSE(0 {together_a} {half} {EDGE_S} {EDGE_S} {half} {2 * half})",
        "C1 v5 c1 4.7u",
        "Resr1 c1 0 5m",
        f"Cpixels v5 cp {SENSORS * 0.1e-6}",
        "Resrp cp 0 2m",
        f"Bregulated inside 0 V = 3.3 + {REJECTED:.4g}*(V(v5)-{VOLTS})",
        f"Rregulator inside loop {REGULATOR_OHMS}",
        f"Lregulator loop v33 {REGULATOR_HENRY}",
        f"Cfeed v5 v33 {FEED_FARAD}",
        "C2 v33 c2 15u",  # 22 µF under its 3.3 V
        "R14 c2 0 1",
        "Cchip v33 0 1.6u",
        f"Ichip v33 0 {CHIP_A}",
        f"Rferrite v33 bead {FERRITE_OHMS}",
        f"Lferrite bead va {FERRITE_HENRY}",
        f"Rloss bead va {FERRITE_LOSS}",
        "C3 va c3 15u",
        "Resr3 c3 ground 5m",
        f"Csensors va ground {(SENSORS + 4) * 0.1e-6}",
        f"Isensors va ground {SENSORS * SENSOR_A}",
        "Rground ground 0 10m",
    ]
    commands = [f"tran 0.1u {8 * half} {4 * half} 0.1u", "write"]
    rows = run(netlist, commands, ["v(va)-v(ground)"])
    seen = [volts for _, volts in rows]
    return max(seen) - min(seen)
