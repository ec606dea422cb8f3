"""A tile's supplies in SPICE, through hub and ribbon: what is left at its pixels, and what their light does to sensors.

``python -m hardware.spice.tiles`` writes the page docs/tiles-figures.md.

As in `hardware.spice.assembled` copper is that of tracks and plated holes alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from hardware.field.limits import TILE_OFF_MT, TILES_OFF_MT
from hardware.pcb.assembled import RIBBON
from hardware.pcb.boards.cell import CELL_GROUND
from hardware.pcb.boards.hub9 import TILES, hub9
from hardware.pcb.boards.tile16 import tile16
from hardware.pcb.placement import Placement
from hardware.pcb.route import Routes, route
from hardware.profile import Profile, load
from hardware.spice.assembled import (
    CHIP_A,
    EDGE_S,
    FEED_FARAD,
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

CELLS = 16
FUSE_OHMS = 0.1  # of a fuse of this class, at most: MF-MSMF260/16X has 0.05, MF-MSMF250/16X 0.1 (data sheet, R1max)
RIBBON_MM = 600.0  # to the farthest tile, with its bends
RIBBON_OHMS_M = 0.24  # of a wire of 7 × 36 AWG, tinned: 3M 3365, data sheet
RIBBON_HENRY_M = 0.7e-6  # of a wire and its way back
JUMPER_OHMS = 0.05  # of a resistor of 0 Ω, at most
CONTACT_OHMS = 0.03  # of a box header with its plug, when new 0.02
PIXEL_DARK_A = 0.001
TILE_A = CELLS * SENSOR_A  # beside it AP2112K itself takes 0.08 mA
TILE_MOST_A = CELLS * 0.010  # DRV5055: supply current, at most

WAY_OHMS = RIBBON_OHMS_M * RIBBON_MM / 1000 + 2 * CONTACT_OHMS
WAY_HENRY = RIBBON_HENRY_M * RIBBON_MM / 1000
V5_WAYS = RIBBON.count("V5")


class TileVolts(msgspec.Struct, frozen=True):
    """Volts at the pixels of one tile, and of the ground of its sensors above that of the chip which reads them."""

    pixels: dict[str, float]
    ground: float


def tile_volts(
    tile: tuple[Placement, Routes], hub: tuple[Placement, Routes], lights_a: float, number: int = 0
) -> TileVolts:
    """Return what reaches a tile where all that the lights may draw goes to its pixels, the others being dark."""
    netlist = [f"Vsupply in 0 {VOLTS}", f"Rfuse in {at_pad('V5', 'F1', '2', 'h')} {FUSE_OHMS}"]
    netlist.append(f"Rback {at_pad('GND', 'J2', 'A1', 'h')} 0 1e-6")
    netlist.append(f"Ichip {at_pad('V5', 'U3', '3', 'h')} {at_pad('GND', 'U3', '1', 'h')} {CHIP_A}")
    for net in ("V5", "GND", CELL_GROUND):
        netlist += [*copper(*hub, net, "h"), *copper(*tile, net, "t")]
    netlist += _joined_grounds(hub[0])
    netlist += _ribbon(f"J{10 + number}")
    for other in (k for k in range(TILES) if k != number):
        netlist += _dark(f"J{10 + other}")
    netlist.append(f"Isensors {at_pad('V5', 'U2', '1', 't')} {at_pad(CELL_GROUND, 'U2', '2', 't')} {TILE_A}")
    drawn, ends = pixels(tile[0], max(lights_a - PIXEL_DARK_A * CELLS * (TILES - 1), PIXEL_DARK_A * CELLS), "t")
    ground = f"v({at_pad(CELL_GROUND, 'U1', '12', 't')})-v({at_pad('GND', 'U1', '57', 'h')})"
    ((_, *volts),) = run([*netlist, *drawn], ["dc Vsupply 5 5 1", "write"], [*ends.values(), ground])
    return TileVolts(dict(zip(ends, volts, strict=False)), volts[-1])


def _ribbon(header: str) -> Iterator[str]:
    for number, way in enumerate(RIBBON, 1):
        if way in ("V5", "GND", CELL_GROUND):
            ends = at_pad(way, header, str(number), "h"), at_pad(way, "J1", str(number), "t")
            yield f"Rway{number} {' '.join(ends)} {WAY_OHMS}"


def _joined_grounds(hub: Placement) -> Iterator[str]:
    for each in hub.circuit.parts:
        if set(each.nets.values()) == {"GND", CELL_GROUND}:
            ends = (at_pad(net, each.ref, number, "h") for number, net in each.nets.items())
            yield f"R{each.ref} {' '.join(ends)} {JUMPER_OHMS}"


def _dark(header: str) -> Iterator[str]:
    """Yield what a tile draws whose pixels are dark."""
    yield f"I{header}pixels {at_pad('V5', header, '1', 'h')} {at_pad('GND', header, '4', 'h')} {CELLS * PIXEL_DARK_A}"
    yield f"I{header}sensors {at_pad('V5', header, '2', 'h')} {at_pad(CELL_GROUND, header, '3', 'h')} {TILE_A}"


def tile_ripple(lights_a: float) -> tuple[float, float]:
    """Return the volts from peak to peak at the supply of a tile's sensors, and of their ground against the hub's,
    while all pixels of the tile go on and off at once.
    """
    half = 0.5 / SWITCH_HZ
    netlist = [
        f"Vsupply in 0 {VOLTS}",
        f"Rlead in lead {LEAD_OHMS + FUSE_OHMS}",
        f"Llead lead hub {LEAD_HENRY}",
        "Chub hub chub 4.7u",
        "Rchub chub 0 5m",
        f"Rv5 hub far {WAY_OHMS / V5_WAYS}",
        f"Lv5 far v5 {WAY_HENRY / V5_WAYS}",
        f"Rground gnd near {WAY_OHMS}",
        f"Lground near 0 {WAY_HENRY}",
        f"Rsensors gnda back {WAY_OHMS}",
        f"Lsensors back 0 {WAY_HENRY}",
        f"Ipixels v5 gnd PULSE(0 {lights_a} {half} {EDGE_S} {EDGE_S} {half} {2 * half})",
        "C1 v5 c1 12u",  # 22 µF under its 5 V
        "Resr1 c1 gnd 5m",
        f"Cpixels v5 cp {CELLS * 0.1e-6}",
        "Resrp cp gnd 2m",
        "C2 v5 gnda 0.1u",
        f"Bregulated inside gnda V = 3.3 + {REJECTED:.4g}*(V(v5)-V(gnda)-{VOLTS})",
        f"Rregulator inside loop {REGULATOR_OHMS}",
        f"Lregulator loop va {REGULATOR_HENRY}",
        f"Cfeed v5 va {FEED_FARAD}",
        "C3 va c3 15u",
        "Resr3 c3 gnda 5m",
        f"Csensors va gnda {(CELLS + 1) * 0.1e-6}",
        f"Isensors va gnda {CELLS * SENSOR_A}",
    ]
    rows = run(netlist, [f"tran 0.1u {8 * half} {4 * half} 0.1u", "write"], ["v(va)-v(gnda)", "v(gnda)"])
    supply, ground = [volts for _, volts, _ in rows], [volts for _, _, volts in rows]
    return max(supply) - min(supply), max(ground) - min(ground)


# ---- the page ----------------------------------------------------------------------------------------------

PAGE = Path(__file__).parents[2] / "docs" / "tiles-figures.md"
MADE = "<!-- Made by make circuit; do not edit. -->"
SUPPLY_A, FUSE_HOLDS_A, FUSE_WARM_A = 3.0, 2.6, 2.0  # MF-MSMF260/16X at 23 °C and at 60 °C
MV_PER_MT = 15.0  # of a DRV5055A3 at 3.3 V


def page(profile: Profile, tile: tuple[Placement, Routes], hub: tuple[Placement, Routes]) -> str:
    """Return the text of the page."""
    rows = [MADE, "", f"# {profile.title}: current and volts", "", *_draws(profile), "", *_volts(profile, tile, hub)]
    return "\n".join(rows) + "\n"


def _draws(profile: Profile) -> Iterator[str]:
    """Yield what all draw together, against the supply and the fuse."""
    cells, lights = TILES * CELLS, profile.strong_milliamps
    yield from ("| what | number | mA each | mA | at most |", "| --- | ---: | ---: | ---: | ---: |")
    usual, most = cells * SENSOR_A * 1000, TILES * TILE_MOST_A * 1000
    yield f"| DRV5055A3 | {cells} | {SENSOR_A * 1000:g} | {usual:.0f} | {most:.0f} |"
    yield f"| RP2040, flash, regulator | 1 | {CHIP_A * 1000:g} | {CHIP_A * 1000:g} | {CHIP_A * 1000:g} |"
    yield f"| pixels, all that the board lets them have | {profile.light_count} | | {lights} | {lights} |"
    rest = CHIP_A * 1000 + lights
    yield f"| **together** | | | **{usual + rest:.0f}** | **{most + rest:.0f}** |"
    yield ""
    yield f"The supply gives {SUPPLY_A:g} A. The fuse holds {FUSE_HOLDS_A:g} A, at 60 °C still {FUSE_WARM_A:g} A."
    yield f"One that offers 0.5 A is too weak, though the pixels get {profile.max_milliamps} mA of it: take one of 3 A."


def _volts(profile: Profile, tile: tuple[Placement, Routes], hub: tuple[Placement, Routes]) -> Iterator[str]:
    """Yield what reaches the pixels and the sensors, with all light on one tile."""
    heads = ("light, on one tile", "least volts at a pixel", "sensors' ground moves by", "their supply ripples by",
             "their ground rings by")  # fmt: skip
    yield from ("| " + " | ".join(heads) + " |", "| ---: | ---: | ---: | ---: | ---: |")
    dark = [tile_volts(tile, hub, 0.0, number) for number in range(TILES)]
    for milliamps in (profile.max_milliamps, profile.strong_milliamps):
        lit = [tile_volts(tile, hub, milliamps / 1000, number) for number in range(TILES)]
        least = min(min(each.pixels.values()) for each in lit)
        moved = 1000 * max(abs(each.ground - other.ground) for each, other in zip(lit, dark, strict=True))
        supply, ground = (1000 * volts for volts in tile_ripple(milliamps / 1000))
        yield f"| {milliamps} mA | {least:.2f} V | {moved:.1f} mV | {supply:.1f} mV | {ground:.0f} mV |"
    yield ""
    highest = 1000 * max(each.ground for each in dark)
    yield f"From 5 V at the hub's socket, through {RIBBON_MM / 1000:g} m of ribbon, by tracks alone: pours only help."
    yield f"The sensors' ground lies up to {highest:.0f} mV above the chip's, which is {highest / MV_PER_MT:.1f} mT."
    most = highest * TILE_MOST_A / TILE_A
    yield f"With {1000 * TILE_MOST_A / CELLS:g} mA a sensor it would be {most:.0f} mV. It stays so."
    yield "Measuring the empty board takes it away, with what regulators are off:"
    yield f"up to {TILES_OFF_MT:g} mT that tiles have in common, and {TILE_OFF_MT:g} mT of each."
    yield "At an edge of the pixels' current that ground rings for some microseconds, around nothing."


def main() -> None:
    """Write the page."""
    boards = tile16(), hub9()
    tile, hub = ((board, route(board)) for board in boards)
    PAGE.write_text(page(load("field144"), tile, hub), encoding="utf-8")


if __name__ == "__main__":
    main()
