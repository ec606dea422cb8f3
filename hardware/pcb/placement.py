"""A board before it is routed: a circuit, where its parts lie, its edge.

Millimetres, x right, y down, as in KiCad; parts snap to the grid on which tracks run.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec

from controller.rules.mesh import sides_of
from hardware.pcb.copper import Port, Track, Via
from hardware.pcb.footprints import SCREW, footprints
from hardware.pcb.netlist import Circuit
from hardware.pcb.shapes import Box, Pad
from hardware.pcb.surface import FIDUCIAL

GRID = 0.635
Point = tuple[float, float]


def snap(value: float) -> float:
    """Return the nearest line of the grid."""
    return round(round(value / GRID) * GRID, 4)


def half(value: float) -> float:
    """Return the middle between the two lines of the grid that ``value`` lies between."""
    return round((math.floor(value / GRID) + 0.5) * GRID, 4)


class Spot(msgspec.Struct, frozen=True):
    """Where a part's pin 1 lies, and by how many degrees it is turned to the left: 0, 90, 180 or 270."""

    x: float
    y: float
    turn: int = 0


def at(x: float, y: float, turn: int = 0) -> Spot:
    """Return the spot on the grid that is nearest to a point."""
    return Spot(snap(x), snap(y), turn)


class Text(msgspec.Struct, frozen=True):
    """Words printed on the board, centred there."""

    text: str
    x: float
    y: float
    size: float = 1.0
    turn: int = 0


class Placement(msgspec.Struct, frozen=True):
    """A board. ``edge`` goes around it; ``screws`` are the middles of its screw holes.

    ``power`` names the nets whose tracks are made as wide as there is room; if it ``tapers``, piece by piece;
    ``pours`` has the nets that fill what is left of the front and of the back. ``saws`` are the x of lines where the
    board may be sawn: no pour comes near them. ``marks`` are for the cameras of a placing machine. ``tracks`` and
    ``vias`` were put down by hand; ``ports`` say by part and pad where the others go on.
    """

    circuit: Circuit
    spots: Mapping[str, Spot]
    edge: tuple[Point, ...]
    screws: tuple[Point, ...] = ()
    texts: tuple[Text, ...] = ()
    power: tuple[str, ...] = ()
    pours: tuple[str, str] = ("GND", "GND")
    saws: tuple[float, ...] = ()
    tapers: bool = False
    marks: tuple[Point, ...] = ()
    tracks: tuple[Track, ...] = ()
    vias: tuple[Via, ...] = ()
    ports: Mapping[tuple[str, str], Port] = {}


class Land(msgspec.Struct, frozen=True):
    """A pad where it lies on the board, as a box; ``round`` pads fill the circle within it. ``net`` None: open."""

    ref: str
    number: str
    net: str | None
    x: float
    y: float
    width: float
    height: float
    drill: float
    round: bool

    def gap(self, x: float, y: float) -> float:
        """Return how far a point is from the pad's edge; below 0 inside a round pad, 0 inside another."""
        if self.round:
            return math.hypot(x - self.x, y - self.y) - self.width / 2
        return math.hypot(max(abs(x - self.x) - self.width / 2, 0), max(abs(y - self.y) - self.height / 2, 0))


def turned(x: float, y: float, turn: int) -> Point:
    """Return the point turned to the left about 0, 0 by a multiple of 90 degrees."""
    for _ in range(turn // 90 % 4):
        x, y = y, -x
    return x, y


def placed(pad: Pad, spot: Spot) -> Point:
    """Return where a pad's middle lies on the board."""
    x, y = turned(pad.x, pad.y, spot.turn)
    return spot.x + x, spot.y + y


def lands(board: Placement) -> tuple[Land, ...]:
    """Return every pad of the board, the bare screw holes at the end."""
    known = footprints()
    found = []
    for part in board.circuit.parts:
        spot = board.spots[part.ref]
        for pad in known[part.device.footprint].pads:
            found.append(_land(part.ref, pad, spot, part.nets.get(pad.number)))
    for x, y in board.screws:
        found += [_land("", pad, Spot(x, y), None) for pad in known[SCREW].pads]
    for x, y in board.marks:
        found += [_land("", pad, Spot(x, y), None) for pad in FIDUCIAL.pads]
    return tuple(found)


def _land(ref: str, pad: Pad, spot: Spot, net: str | None) -> Land:
    x, y = placed(pad, spot)
    size = (pad.width, pad.height) if spot.turn % 180 == 0 else (pad.height, pad.width)
    return Land(ref, pad.number, net, x, y, *size, pad.drill, pad.shape == "circle")


def court(board: Placement, ref: str) -> Box:
    """Return the box on the board that belongs to one part alone."""
    spot = board.spots[ref]
    left, top, right, bottom = footprints()[board.circuit.part(ref).device.footprint].court()
    corners = [turned(x, y, spot.turn) for x in (left, right) for y in (top, bottom)]
    xs, ys = [x + spot.x for x, _ in corners], [y + spot.y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def inside(edge: Sequence[Point], x: float, y: float, margin: float) -> bool:
    """Return whether a point lies within a convex edge and at least ``margin`` from it."""
    signs = set()
    for (ax, ay), (bx, by) in sides_of(edge):
        across = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / math.hypot(bx - ax, by - ay)
        if abs(across) < margin:
            return False
        signs.add(across > 0)
    return len(signs) == 1


def area_cm2(board: Placement) -> float:
    """Return the board's area."""
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in sides_of(board.edge))) / 200


def size_mm(board: Placement) -> Point:
    """Return the width and height of the box around the board."""
    xs, ys = [x for x, _ in board.edge], [y for _, y in board.edge]
    return max(xs) - min(xs), max(ys) - min(ys)


def corner(board: Placement) -> Point:
    """Return the lower left corner of the box around the board, from which manufacturers count."""
    return min(x for x, _ in board.edge), max(y for _, y in board.edge)


def middle(board: Placement, ref: str) -> Point:
    """Return the middle of the box around the middles of a part's pads: by it a machine takes the part."""
    spot, shape = board.spots[ref], footprints()[board.circuit.part(ref).device.footprint]
    pads = [pad for pad in shape.pads if pad.number]
    xs, ys = [pad.x for pad in pads], [pad.y for pad in pads]
    x, y = turned((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2, spot.turn)
    return spot.x + x, spot.y + y


def rectangle(width: float, height: float, left: float = 0.0, top: float = 0.0) -> tuple[Point, ...]:
    """Return the edge of a board that lies right and below of its corner."""
    return (left, top), (left + width, top), (left + width, top + height), (left, top + height)
