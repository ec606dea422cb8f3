"""The supplies of the board that comes assembled, simulated as a whole: volts at its pixels, ripple at its sensors."""

from __future__ import annotations

from hardware.pcb.placement import Placement
from hardware.pcb.route import Routes
from hardware.spice.assembled import (
    CHIP_A,
    EDGE_S,
    FEED_FARAD,
    FUSE_OHMS,
    LEAD_HENRY,
    LEAD_OHMS,
    REGULATOR_HENRY,
    REGULATOR_OHMS,
    REJECTED,
    SENSOR_A,
    SWITCH_HZ,
    VOLTS,
    at_pad,
    copper,
    pixels,
)
from hardware.spice.ngspice import run

SENSORS = 36
FERRITE_OHMS, FERRITE_HENRY, FERRITE_LOSS = 0.05, 0.35e-6, 120.0  # BLM18PG121


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
