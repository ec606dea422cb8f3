"""Where the parts of the assembled board lie: a sensor in the middle of each cell, its pixel above it.

The RP2040 lies where four cells meet, its socket below it at the edge between two columns, so that its steel keeps off
the sensors.
"""

from __future__ import annotations

from collections.abc import Iterator

from hardware.pcb.boards import rp2040_layout
from hardware.pcb.boards.cell import CELL_GROUND, cell_spots, multiplexer_spots
from hardware.pcb.boards.cell36 import circuit
from hardware.pcb.boards.rp2040_layout import AROUND, Places, around, socket_spot, supply_spots
from hardware.pcb.fan import TSSOP
from hardware.pcb.placement import Placement, Spot, Text, at, rectangle
from hardware.profile import MUXES, Profile

CHIP_CELLS = (4, 1)  # where these columns and rows from the left and below begin, the chip lies
MUX_COLUMN = 2

# What this board alone has around the chip: its supply comes in at the same socket, and there the grounds meet.
OWN: Places = {
    "R1": (-10.795, 8.255, 180),
    "F1": (7.62, 21.59, 0),
    "D1": (8.89, 27.305, 0),
    "C1": (13.335, 24.13, 0),
    "R4": (-8.255, 24.13, 0),
    "R5": (-8.255, 26.035, 0),
    "C4": (-12.065, 22.225, 0),
}


def cell36(profile: Profile) -> Placement:
    """Return the assembled board of a profile."""
    made = circuit(profile)
    spots = dict(_spots(profile))
    tracks, vias, ports = rp2040_layout.fans(made, spots, {f"U{11 + mux}": TSSOP for mux in range(MUXES)})
    side, pitch = _side(profile), profile.pitch_mm
    low, high = pitch, side - pitch
    screws = tuple((x, y) for x in (low, high) for y in (low, high))
    words = (Text(made.title, side / 2, 4.0, 1.5), Text("not manufactured yet", side / 2, side - 16.5, 1.0))
    return Placement(
        made,
        {each.ref: spots[each.ref] for each in made.parts},
        rectangle(side, side),
        (*screws, (side / 2, side / 2)),
        words,
        ("V5", "VA", "V33", "VBUS", "GND", CELL_GROUND),
        ("GND", CELL_GROUND),
        tapers=True,
        marks=((5.0, side / 2), (side / 2 - 25, 3.0), (side - 5.0, pitch)),
        tracks=tuple(tracks),
        vias=tuple(vias),
        ports=ports,
    )


def _side(profile: Profile) -> float:
    return round(max(x for site in profile.sites for x, _ in site.outline), 3)


def chip_spot(profile: Profile) -> Spot:
    """Return where the RP2040 lies."""
    column, row = CHIP_CELLS
    return rp2040_layout.chip_spot(column * profile.pitch_mm, _side(profile) - row * profile.pitch_mm)


def _spots(profile: Profile) -> Iterator[tuple[str, Spot]]:
    side, pitch, chip = _side(profile), profile.pitch_mm, chip_spot(profile)
    yield "U1", chip
    yield from around(chip, {**AROUND, **OWN})
    yield from supply_spots((CHIP_CELLS[0] - 1) * pitch, chip)
    yield "J1", socket_spot(chip.x, side)
    yield "SW1", at((CHIP_CELLS[0] - 1) * pitch, side - 4.0)
    for mux in range(MUXES):
        yield from multiplexer_spots(f"U{11 + mux}", f"C{21 + mux}", MUX_COLUMN * pitch, side - (2 * mux + 1) * pitch)
    for site in profile.sites:
        yield from cell_spots(site.name, site.x_mm, side - site.y_mm)
