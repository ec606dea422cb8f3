"""The hub of nine tiles: an RP2040 with a socket for the Pi, a socket for the supply, and a ribbon to each tile.

Tile t lies in row t // 3 from the first player and in column t % 3 from the left. The tiles of a column share the line
of their sensors, those of a row the one that picks them; the pixels' data go to tile 0, come back and go to tile 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from hardware.pcb.assembled import RIBBON, ribbon_header
from hardware.pcb.boards import rp2040, rp2040_layout
from hardware.pcb.boards.cell import CELL_GROUND
from hardware.pcb.boards.rp2040 import ANALOG
from hardware.pcb.boards.rp2040_layout import AROUND, Places, around, chip_spot, socket_spot, supply_spots
from hardware.pcb.boards.shared import resistor_0603
from hardware.pcb.copper import Track, Via
from hardware.pcb.footprints import footprints
from hardware.pcb.netlist import Circuit, Part, part
from hardware.pcb.placement import GRID, Placement, Spot, Text, at, placed, rectangle, snap, turned
from hardware.pcb.shapes import Point

TILES, COLUMNS = 9, 3
ENABLE = (6, 7, 8)  # GPIOs, one a row of tiles: low where these answer
JOINTS = ("R1", "R18", "R19", "R20")  # where the grounds meet
PI_CC, SUPPLY_CC = ("PI_CC1", "PI_CC2"), ("CC1", "CC2")

WIDE_MM, HIGH_MM = 216 * GRID, 118 * GRID
CHIP_UP_MM, ASIDE_MM = 33.3, 33.3  # of the chip above the lower edge; of regulator and button left of it
HEADER_IN_MM, HEADER_STEP_MM = 12.7, 25.4  # of a header's pins from the edge; from header to header
LABEL_IN_MM = 3.9  # of a header's label from the middle of its pins
ON_TOP = 5  # headers along the upper edge; the others go down on both sides
SUPPLY_SOCKET_MM = 27.94  # right of the chip

BAR_IN_MM, BAR_MM = 8 * GRID, 6.0  # of the bars of 5 V and ground behind the headers: from the edge; their width
STUB_MM = 1.5  # wide, from a header's pins to the bars
INNER_IN_MM, INNER_MM = 27 * GRID, 3.0  # the same of the bar of the sensors' ground, before the headers
MEET_MM = 76 * GRID  # from the left edge: the bar from there to where the grounds meet
BACK_MM, BACK_DOWN_MM = 90 * GRID, 102 * GRID  # the way of the sensors' current on the back from there to the socket
BAR_START = (165 * GRID, 106 * GRID)  # right of the supply's socket: where the bars begin

OWN: Places = {
    **{ref: (-14.605, y, 180) for ref, y in zip(JOINTS, (6.35, 8.255, 10.16, 12.065), strict=True)},
    "R16": (19.05, 25.4, 0),
    "R17": (19.05, 23.495, 0),
    "R4": (19.05, 21.59, 0),
    "R5": (19.05, 19.685, 0),
    "C4": (19.05, 17.78, 0),
    "F1": (27.94, 18.415, 0),
    "D1": (36.83, 18.415, 0),
    "C1": (38.1, 22.225, 0),
}


def hub9() -> Placement:
    """Return the hub."""
    made = circuit()
    spots = dict(_spots())
    tracks, vias, ports = rp2040_layout.fans(made, spots, {})
    tracks += _bars(spots)
    vias += [Via("GND", BACK_MM, spots[ref].y) for ref in JOINTS]
    screws = tuple((x, y) for x in (24.0, WIDE_MM - 24.0) for y in (24.0, HIGH_MM - 4.0))
    return Placement(
        made,
        {each.ref: spots[each.ref] for each in made.parts},
        rectangle(WIDE_MM, HIGH_MM),
        screws,
        (*_labels(spots), Text("not manufactured yet", WIDE_MM / 2, 21.0, 1.0)),
        ("V5", "VA", "V33", "VBUS", "GND", CELL_GROUND),
        ("V5", "GND"),
        tapers=True,
        marks=((18.0, HIGH_MM - 4.0), (WIDE_MM - 12.0, HIGH_MM - 3.5), (30.0, 24.0)),
        tracks=tuple(tracks),
        vias=tuple(vias),
        ports=ports,
    )


def circuit() -> Circuit:
    """Return the circuit."""
    supplies = (*rp2040.SUPPLIES, CELL_GROUND)
    return Circuit("hub9", "Assembled hub of nine tiles", tuple(_parts()), supplies)


def _parts() -> Iterator[Part]:
    yield from rp2040.supply("2.6A", CELL_GROUND)
    for ref in JOINTS:  # side by side: what all sensors draw must raise their ground by little
        yield resistor_0603(ref, "0", "GND", CELL_GROUND)
    yield from rp2040.data_socket("PI_5V", PI_CC)
    yield from rp2040.asking("R2", "R3", PI_CC)
    yield rp2040.socket("J2", "VBUS", SUPPLY_CC, None)
    yield from rp2040.asking("R16", "R17", SUPPLY_CC)
    yield from rp2040.offered(SUPPLY_CC)
    yield from rp2040.data_lines()
    columns = {pin: f"Z{k}" for k, pin in enumerate(ANALOG)}
    yield from rp2040.chip(columns | {pin: f"E{k}" for k, pin in enumerate(ENABLE)}, "TILE0")
    yield from rp2040.start()
    for tile in range(TILES):
        yield _header(tile)


def _header(tile: int) -> Part:
    """Return the header of a tile's ribbon; what comes back from the last tile's pixels goes nowhere."""
    row, column = divmod(tile, COLUMNS)
    own = {"E": f"E{row}", "Z": f"Z{column}", "DIN": f"TILE{tile}", "DOUT": f"TILE{tile + 1}"}
    nets = {str(k): own.get(way, way) for k, way in enumerate(RIBBON, 1) if tile < TILES - 1 or way != "DOUT"}
    return part(f"J{10 + tile}", ribbon_header(slot=False), "ribbon", nets)


def _spots() -> Iterator[tuple[str, Spot]]:
    chip = chip_spot(WIDE_MM / 2, HIGH_MM - CHIP_UP_MM)
    yield "U1", chip
    yield from around(chip, {**AROUND, **OWN})
    yield from supply_spots(chip.x - ASIDE_MM, chip)
    yield "J1", socket_spot(chip.x, HIGH_MM)
    yield "J2", socket_spot(chip.x + SUPPLY_SOCKET_MM, HIGH_MM)
    yield "SW1", at(chip.x - ASIDE_MM, HIGH_MM - 4.0)
    for tile, spot in enumerate(_header_spots()):
        yield f"J{10 + tile}", spot


def _labels(spots: Mapping[str, Spot]) -> Iterator[Text]:
    """Yield what is printed beside headers, sockets and button."""
    for tile in range(TILES):
        spot = spots[f"J{10 + tile}"]
        x, y = turned(-LABEL_IN_MM, 0, spot.turn)
        yield Text(f"tile {tile}", spot.x + x, spot.y + y, 0.8, (spot.turn + 90) % 180)
    for ref, label, aside in (("J1", "Pi", 6.5), ("J2", "5 V, 3 A", 8.5), ("SW1", "BOOT", 5.5)):
        yield Text(label, spots[ref].x + aside, HIGH_MM - 2.5, 0.8)
    yield Text("Assembled hub of nine tiles", WIDE_MM / 2, 18.5, 1.5)


def _header_spots() -> Iterator[Spot]:
    """Yield where the headers lie: up the right side, along the upper edge, down the left side.

    Behind the tiles the hub lies turned round, and then tile 0's is at the left, as that is.
    """
    beside = (TILES - ON_TOP) // 2
    down = [HEADER_IN_MM + 3.81 + HEADER_STEP_MM * (k + 0.5) for k in range(beside)]
    yield from (at(WIDE_MM - HEADER_IN_MM, y, 0) for y in reversed(down))
    yield from (at(WIDE_MM / 2 + HEADER_STEP_MM * (ON_TOP // 2 - k), HEADER_IN_MM, 90) for k in range(ON_TOP))
    yield from (at(HEADER_IN_MM, y, 180) for y in down)


def _bars(spots: Mapping[str, Spot]) -> Iterator[Track]:
    """Yield the wide copper between sockets and headers.

    5 V on the front and ground on the back run along the edges, behind the headers; before them runs the ground of the
    sensors, which ends where the grounds meet.
    """
    right, low = WIDE_MM - BAR_IN_MM, spots["J18"].y + 10 * GRID
    way = (BAR_START, (right, BAR_START[1]), (right, BAR_IN_MM), (BAR_IN_MM, BAR_IN_MM), (BAR_IN_MM, low))
    for layer, net, pin in ((0, "V5", "1"), (1, "GND", "4")):
        yield from (Track(net, layer, a, b, BAR_MM if k else 4.0) for k, (a, b) in enumerate(pairwise(way)))
        yield from _stubs(spots, net, layer, pin, HEADER_IN_MM - BAR_IN_MM)
    left, right, low = INNER_IN_MM, WIDE_MM - INNER_IN_MM, spots["J18"].y + 6 * GRID
    inner = ((right, spots["J10"].y - 6 * GRID), (right, INNER_IN_MM), (left, INNER_IN_MM), (left, low))
    yield from (Track(CELL_GROUND, 0, a, b, INNER_MM) for a, b in pairwise(inner))
    yield from _stubs(spots, CELL_GROUND, 0, "3", HEADER_IN_MM - INNER_IN_MM)
    yield from _to_where_grounds_meet(spots)
    yield from _from_socket(spots)


def _stubs(spots: Mapping[str, Spot], net: str, layer: int, pin: str, out: float) -> Iterator[Track]:
    """Yield the track from a pin of every header to the bar that runs ``out`` mm from its pins towards its mouth."""
    pad = next(pad for pad in footprints()["Box-2x6"].pads if pad.number == pin)
    for spot in (spots[f"J{10 + tile}"] for tile in range(TILES)):
        x, y = turned(out, pad.y, spot.turn)
        yield Track(net, layer, placed(pad, spot), (round(spot.x + x, 4), round(spot.y + y, 4)), STUB_MM)


def _to_where_grounds_meet(spots: Mapping[str, Spot]) -> Iterator[Track]:
    """Yield the copper on both sides of the resistors that join the grounds, on to the sockets' ground on the back."""
    joints, (sensors, ground) = [spots[ref] for ref in JOINTS], (footprints()["0603"].pads[k] for k in (1, 0))
    yield Track(CELL_GROUND, 0, (MEET_MM, INNER_IN_MM), (MEET_MM, joints[-1].y), INNER_MM)
    for spot in joints:
        yield Track(CELL_GROUND, 0, placed(sensors, spot), (MEET_MM, spot.y), 1.0)
        yield Track("GND", 0, placed(ground, spot), (BACK_MM, spot.y), 0.6)
    x, y, leg = BACK_MM, BACK_DOWN_MM, _leg(spots["J2"], -1)
    for a, b in pairwise(((x, joints[0].y), (x, y), (leg[0], y), leg)):
        yield Track("GND", 1, a, b, 2.0 if a[0] == b[0] == x or a[1] == b[1] else 1.0)


def _leg(socket: Spot, side: int) -> Point:
    """Return a place in the upper leg of a socket, left or right."""
    return snap(socket.x + side * 4.32), snap(socket.y - 3.035)


def _from_socket(spots: Mapping[str, Spot]) -> Iterator[Track]:
    fuse, socket = placed(footprints()["1812"].pads[1], spots["F1"]), spots["J2"]
    yield Track("V5", 0, fuse, (BAR_START[0], fuse[1]), 2.5)
    yield Track("V5", 0, (BAR_START[0], fuse[1]), BAR_START, 2.0)
    leg = _leg(socket, 1)
    yield Track("GND", 1, leg, (BAR_START[0], leg[1]), 1.5)
    yield Track("GND", 1, (BAR_START[0], leg[1]), BAR_START, 1.5)
