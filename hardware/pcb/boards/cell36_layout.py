"""Where the parts of the assembled board lie: a sensor in the middle of each cell, its pixel above it.

The RP2040 lies where four cells meet, its socket below it at the edge between two columns, so that its steel keeps off
the sensors. Around the chip everything has its place by hand, in millimetres from its middle.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise

from hardware.height_budget import PIXEL_OFF_MM
from hardware.pcb.boards.cell36 import CELL_GROUND, circuit
from hardware.pcb.copper import Port, Track, Via
from hardware.pcb.fan import Fan, below, fan, sides
from hardware.pcb.footprints import footprints
from hardware.pcb.netlist import Circuit
from hardware.pcb.placement import GRID, Placement, Spot, Text, at, placed, rectangle, snap
from hardware.pcb.shapes import Point
from hardware.profile import MUXES, Profile

STEEL_MM = 15.0  # from a sensor to a screw, to the socket's shell, to the button
CHIP_CELLS = (4, 1)  # where these columns and rows from the left and below begin, the chip lies
MUX_COLUMN = 2
TURNED = 180

# By reference: millimetres from the middle of the chip, x right, y down, and the turn.
AROUND: Mapping[str, tuple[float, float, int]] = {
    "C5": (10.795, 5.08, 0),
    "C6": (10.795, -1.27, 0),
    "C7": (-1.27, -10.795, 90),
    "C11": (-3.175, -10.795, 90),
    "R8": (-5.08, -10.795, 90),
    "R11": (0.635, -10.795, 90),
    "Y1": (0.0, -14.605, 90),  # its lid is of steel: in the middle between two sensors
    "C17": (4.445, -12.065, 0),
    "C18": (0.0, -17.78, 0),
    "U6": (-10.16, -13.97, 0),
    "C16": (-10.16, -17.145, 180),
    "R10": (-6.985, -17.145, 0),
    "C8": (-11.43, -2.54, 180),
    "R9": (-11.43, 0.0, 180),
    "D2": (-15.24, 0.0, 0),
    "C9": (-10.795, 5.08, 180),
    "R1": (-10.795, 8.255, 180),
    "C15": (-7.62, 11.43, 270),
    "C13": (-5.715, 11.43, 270),
    "C14": (-3.81, 11.43, 270),
    "C10": (0.0, 11.43, 270),
    "C12": (1.905, 11.43, 270),
    "R13": (3.81, 11.43, 270),
    "R12": (5.715, 11.43, 270),
    "U2": (6.985, 16.51, 0),
    "C19": (12.7, 13.97, 270),
    "R6": (-2.54, 14.605, 90),
    "R7": (-0.635, 14.605, 90),
    "U5": (-1.27, 19.05, 0),
    "F1": (7.62, 21.59, 0),
    "D1": (8.89, 27.305, 0),
    "C1": (13.335, 24.13, 0),
    "R3": (-8.255, 20.32, 0),
    "R2": (-8.255, 22.225, 0),
    "R4": (-8.255, 24.13, 0),
    "R5": (-8.255, 26.035, 0),
    "C4": (-12.065, 22.225, 0),
}
# The same from the corner of cells to the left of it, where the regulator lies.
SUPPLY: Mapping[str, tuple[float, float, int]] = {
    "U3": (0.0, 0.0, 0),
    "C2": (6.985, 0.0, 90),
    "R14": (9.525, 0.0, 270),
    "L1": (-6.985, 1.905, 180),
    "C3": (-6.985, -1.27, 0),
}


def cell36(profile: Profile) -> Placement:
    """Return the assembled board of a profile."""
    made = circuit(profile)
    spots = dict(_spots(profile))
    tracks, vias, ports = _fans(made, spots)
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
    """Return where the RP2040 lies: half a line beside the grid, as its pins have no middle one."""
    column, row = CHIP_CELLS
    return Spot(_half(column * profile.pitch_mm), _half(_side(profile) - row * profile.pitch_mm), TURNED)


def _half(value: float) -> float:
    return round((math.floor(value / GRID) + 0.5) * GRID, 4)


def _spots(profile: Profile) -> Iterator[tuple[str, Spot]]:
    side, pitch, chip = _side(profile), profile.pitch_mm, chip_spot(profile)
    yield "U1", chip
    for ref, (x, y, turn) in AROUND.items():
        yield ref, at(chip.x + GRID / 2 + x, chip.y + GRID / 2 + y, turn)
    for ref, (x, y, turn) in SUPPLY.items():
        yield ref, at((CHIP_CELLS[0] - 1) * pitch + x, chip.y + GRID / 2 + y, turn)
    yield "J1", Spot(chip.x, snap(side - 3.65))
    yield "SW1", at((CHIP_CELLS[0] - 1) * pitch, side - 4.0)
    for mux in range(MUXES):
        x, y = snap(MUX_COLUMN * pitch), _half(side - (2 * mux + 1) * pitch)
        yield f"U{11 + mux}", Spot(x, y)
        yield f"C{21 + mux}", at(x + 2.54, y - 6.35, 180)
    for site in profile.sites:
        yield from _cell(site.name, site.x_mm, side - site.y_mm)


def _cell(name: str, x: float, y: float) -> Iterator[tuple[str, Spot]]:
    above = y - PIXEL_OFF_MM
    backwards = int(name[1:]) % 2 == 0  # every second row of the chain runs to the left, as a pixel's pins do
    yield f"S{name}", at(x, y)
    yield f"CS{name}", at(x, y + 3.175)
    yield f"D{name}", at(x, above, 0 if backwards else 180)
    yield f"CD{name}", at(x, above - 4.445, 0) if backwards else at(x, above + 4.445, 180)


# ---- ways out of what is finer than the grid ---------------------------------------------------------------


def _numbers(first: int, last: int) -> tuple[str, ...]:
    return tuple(str(number) for number in range(first, last + 1))


QFN = sides(
    (
        (_numbers(1, 14), (-12.5, 0), (0, 1)),
        (_numbers(15, 28), (0, 12.5), (1, 0)),
        (_numbers(29, 42), (12.5, 0), (0, -1)),
        (_numbers(43, 56), (0, -12.5), (-1, 0)),
    )
)
TSSOP = sides(((_numbers(1, 12), (-8, 0), (0, 1)), (_numbers(13, 24), (8, 0), (0, -1))))
SOT_6 = sides(((_numbers(1, 3), (-4, 0), (0, 2)), (_numbers(4, 6), (4, 0), (0, -2))))
SOT_5 = {**sides(((_numbers(1, 3), (-4, 0), (0, 2)),)), "4": SOT_6["4"], "5": SOT_6["6"]}
USB_FINE = {
    pin: (x * GRID, -9 * GRID)
    for pin, x in (("A5", -2.5), ("B7", -1.5), ("A6", -0.5), ("A7", 0.5), ("B6", 1.5), ("B5", 3.5))
}
USB_WIDE = {"A4": (-5.5 * GRID, -9 * GRID), "B4": (5.5 * GRID, -9 * GRID)}
HOLES = ((1.5, 1.5), (-1.5, 1.5), (1.5, -1.5), (-1.5, -1.5))


def _fans(made: Circuit, spots: Mapping[str, Spot]) -> tuple[list[Track], list[Via], dict[tuple[str, str], Port]]:
    """Return all copper that is put down by hand, and the ports where the router goes on."""
    ways = {"U1": QFN, "U5": SOT_6, "U6": SOT_5} | {f"U{11 + mux}": TSSOP for mux in range(MUXES)}
    found: list[Fan] = [
        fan(made.part(ref), spots[ref], ends, 0.15 if ref == "U1" else 0.2) for ref, ends in ways.items()
    ]
    socket = made.part("J1")
    found += [
        fan(socket, spots["J1"], USB_FINE, 0.2),
        fan(socket, spots["J1"], USB_WIDE, 0.5),
        _legs(made, spots["J1"]),
    ]
    vias, port = below(made.part("U1"), spots["U1"], "57", HOLES)
    tracks = [track for each, _ in found for track in each]
    corners = [(via.x, via.y) for via in (vias[0], vias[1], vias[3], vias[2], vias[0])]
    tracks += [Track("GND", 1, one, other, 0.5) for one, other in pairwise(corners)]
    ports = {key: port for _, each in found for key, port in each.items()}
    return tracks, vias, ports | {("U1", "57"): port}


def _legs(made: Circuit, spot: Spot) -> Fan:
    """Return the tracks from the socket's ground pins to its legs beside them."""
    pads = footprints()["USB-C"].pads
    places: dict[str, Point] = {pad.number: placed(pad, spot) for pad in pads if pad.number in ("A1", "B1")}
    legs = [placed(pad, spot) for pad in pads if pad.number == "S"]
    tracks, ports = [], {}
    for number, place in places.items():
        leg = min(legs, key=lambda each: math.dist(each, place))
        tracks.append(Track("GND", 0, place, leg, 0.5))
        ports["J1", number] = Port(snap(leg[0]), snap(leg[1]), through=True)
    return tracks, ports
