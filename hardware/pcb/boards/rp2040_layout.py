"""Where the RP2040 and what is around it lie, by hand, in millimetres from its middle: x right, y down, and the turn.

The data socket lies below it at the board's edge. What is finer than the grid of the tracks gets ways out by hand, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise

from hardware.pcb.copper import Port, Track, Via
from hardware.pcb.fan import FINE, QFN, SOT_5, SOT_6, Fan, below, fan
from hardware.pcb.footprints import footprints
from hardware.pcb.netlist import Circuit
from hardware.pcb.placement import GRID, Spot, at, half, placed, snap
from hardware.pcb.shapes import Point

Places = Mapping[str, tuple[float, float, int]]
Laid = tuple[list[Track], list[Via], dict[tuple[str, str], Port]]  # tracks and holes, and where the router goes on
TURNED = 180
SOCKET_OFF_MM = 3.65  # Korean Hroparts: from the socket's middle to the board's edge

AROUND: Places = {
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
    "R3": (-8.255, 20.32, 0),
    "R2": (-8.255, 22.225, 0),
}
# The same from a place beside it, where the regulator lies.
SUPPLY: Places = {
    "U3": (0.0, 0.0, 0),
    "C2": (6.985, 0.0, 90),
    "R14": (9.525, 0.0, 270),
    "L1": (-6.985, 1.905, 180),
    "C3": (-6.985, -1.27, 0),
}


def chip_spot(x: float, y: float) -> Spot:
    """Return where the RP2040 lies near a place: half a line beside the grid, as its pins have no middle one."""
    return Spot(half(x), half(y), TURNED)


def around(chip: Spot, places: Places) -> Iterator[tuple[str, Spot]]:
    """Yield where parts lie whose places count from the middle of the chip."""
    for ref, (x, y, turn) in places.items():
        yield ref, at(chip.x + GRID / 2 + x, chip.y + GRID / 2 + y, turn)


def supply_spots(x: float, chip: Spot) -> Iterator[tuple[str, Spot]]:
    """Yield where the regulator and what belongs to it lie: at ``x``, as high as the chip."""
    for ref, (aside, y, turn) in SUPPLY.items():
        yield ref, at(x + aside, chip.y + GRID / 2 + y, turn)


def socket_spot(x: float, edge: float) -> Spot:
    """Return where a socket lies whose mouth is at the board's lower ``edge``."""
    return Spot(x, snap(edge - SOCKET_OFF_MM))


# ---- ways out of what is finer than the grid ---------------------------------------------------------------

USB_FINE = {
    pin: (x * GRID, -9 * GRID)
    for pin, x in (("A5", -2.5), ("B7", -1.5), ("A6", -0.5), ("A7", 0.5), ("B6", 1.5), ("B5", 3.5))
}
USB_WIDE = {"A4": (-5.5 * GRID, -9 * GRID), "B4": (5.5 * GRID, -9 * GRID)}
HOLES = ((1.5, 1.5), (-1.5, 1.5), (1.5, -1.5), (-1.5, -1.5))


def fans(made: Circuit, spots: Mapping[str, Spot], others: Mapping[str, Mapping[str, Point]]) -> Laid:
    """Return the copper that is put down by hand round the chip, and at ``others``, by reference."""
    ways = {"U1": QFN, "U5": SOT_6, "U6": SOT_5, **others}
    found: list[Fan] = [
        fan(made.part(ref), spots[ref], ends, FINE if ref == "U1" else 0.2) for ref, ends in ways.items()
    ]
    for ref in (each.ref for each in made.parts if each.device.footprint == "USB-C"):
        found += _socket(made, spots, ref)
    vias, port = below(made.part("U1"), spots["U1"], "57", HOLES)
    tracks = [track for each, _ in found for track in each]
    corners = [(via.x, via.y) for via in (vias[0], vias[1], vias[3], vias[2], vias[0])]
    tracks += [Track("GND", 1, one, other, 0.5) for one, other in pairwise(corners)]
    ports = {key: port for _, each in found for key, port in each.items()}
    return tracks, vias, ports | {("U1", "57"): port}


def _socket(made: Circuit, spots: Mapping[str, Spot], ref: str) -> Iterator[Fan]:
    socket, spot = made.part(ref), spots[ref]
    yield fan(socket, spot, USB_FINE, 0.2)
    yield fan(socket, spot, USB_WIDE, 0.5)
    yield _legs(ref, spot)


def _legs(ref: str, spot: Spot) -> Fan:
    """Return the tracks from a socket's ground pins to its legs beside them."""
    pads = footprints()["USB-C"].pads
    places: dict[str, Point] = {pad.number: placed(pad, spot) for pad in pads if pad.number in ("A1", "B1")}
    legs = [placed(pad, spot) for pad in pads if pad.number == "S"]
    tracks, ports = [], {}
    for number, place in places.items():
        leg = min(legs, key=lambda each: math.dist(each, place))
        tracks.append(Track("GND", 0, place, leg, 0.5))
        ports[ref, number] = Port(snap(leg[0]), snap(leg[1]), through=True)
    return tracks, ports
