"""Panels: small boards on one sheet with rails, so that a house mills and solders them in one go.

Boards hang in a frame by tabs with rows of holes along which they break out. The frame has what placing machines want:
holes to be held by and marks for their cameras. Figures: JLCPCB, "Mouse Bite Panelization Guide" and its help on
tooling holes and fiducials.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from string import ascii_uppercase

import msgspec

from controller.rules.mesh import sides_of
from hardware.pcb.copper import Track, Via
from hardware.pcb.footprints import footprints
from hardware.pcb.netlist import Circuit, Part
from hardware.pcb.placement import Placement, Point, Spot, Text, corner, rectangle, size_mm, turned
from hardware.pcb.route import Routes
from hardware.pcb.shapes import Footprint, Pad
from hardware.pcb.surface import FIDUCIAL

# Rows of boards, from the top; what lies on one panel is ordered as one board.
PANELS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "panel-small": (("carrier", "hat"), ("tracker-hex", "tracker-square")),
    "panel-strip-square144": (("strip-square144",), ("strip-square144",)),
    "panel-strip-hex91": (("strip-hex91",), ("strip-hex91",)),
    "panel-tile-shell19": (("tile-shell19", "tile-shell19"),),
    "panel-tile-shellsquare16": (("tile-shellsquare16", "tile-shellsquare16"),),
}
GAP_MM = 2.0  # milled around every board
WEB_MM = 5.0  # of the frame between two boards
RAIL_MM = 8.0  # of the frame around all: a mark lies 3.85 mm or more from the edge
TAB_MM, TAB_EVERY_MM, TAB_LEAST_MM = 5.0, 60.0, 20.0  # a tab's width; from tab to tab; no tab on a shorter edge
BITES, BITE_MM, BITE_STEP_MM = 5, 0.6, 0.95  # holes a tab, with 0.35 mm between them
BITE_OUT_MM = 0.15  # beyond the board's edge: clear of its copper, and little to file off
POUR_MM = 0.5  # the copper of a board ends so far from its edge, at the tabs as well

TOOLING = Footprint("Tooling", (Pad("", 0, 0, 1.152, 1.152, 1.152),), (-0.7, -0.7, 0.7, 0.7), None)
BITE_AT = tuple((k - (BITES - 1) / 2) * BITE_STEP_MM for k in range(BITES))
BITE_PADS = tuple(Pad("", x, 0, BITE_MM, BITE_MM, BITE_MM) for x in BITE_AT)
BITTEN = Footprint("Mouse-bites", BITE_PADS, (-TAB_MM / 2, -0.3, TAB_MM / 2, 0.3), None)


class Bare(msgspec.Struct, frozen=True):
    """Holes or a mark; ``turn`` is in degrees to the left."""

    shape: Footprint
    at: Point
    turn: int = 0


class PanelBoard(msgspec.Struct, frozen=True):
    """A board of a panel: ``letter`` goes before its references, ``left`` and ``top`` are its place on the panel."""

    letter: str
    board: str
    left: float
    top: float


class Panel(msgspec.Struct, frozen=True):
    """A panel; its upper left corner is 0, 0. ``slots`` are milled out."""

    name: str
    width: float
    height: float
    pieces: tuple[PanelBoard, ...]
    slots: tuple[tuple[Point, ...], ...]
    bare: tuple[Bare, ...]

    @property
    def edge(self) -> tuple[Point, ...]:
        """Return the way around the panel."""
        return rectangle(self.width, self.height)


def panel(name: str, boards: Mapping[str, Placement]) -> Panel:
    """Return the panel of that name; ``boards`` has its boards by name."""
    pieces, top, width = [], RAIL_MM + GAP_MM, 0.0
    letters = iter(ascii_uppercase)
    for row in PANELS[name]:
        left = RAIL_MM + GAP_MM
        for board in row:
            pieces.append(PanelBoard(next(letters), board, left, top))
            left += size_mm(boards[board])[0] + 2 * GAP_MM + WEB_MM
        width = max(width, left - GAP_MM - WEB_MM + RAIL_MM)
        top += max(size_mm(boards[board])[1] for board in row) + 2 * GAP_MM + WEB_MM
    height = top - GAP_MM - WEB_MM + RAIL_MM
    edges = [_edge_of(piece, boards[piece.board]) for piece in pieces]
    slots = tuple(slot for edge in edges for slot in _slots(edge))
    bites = (bites for edge in edges for bites in _bites(edge))
    return Panel(name, width, height, tuple(pieces), slots, (*_rails(width, height), *bites))


def _edge_of(piece: PanelBoard, board: Placement) -> tuple[Point, ...]:
    dx, dy = _way(piece, board)
    return tuple((x + dx, y + dy) for x, y in board.edge)


def _way(piece: PanelBoard, board: Placement) -> Point:
    """Return how far a board is moved to its place on the panel."""
    left, bottom = corner(board)
    return piece.left - left, piece.top - (bottom - size_mm(board)[1])


def _rails(width: float, height: float) -> Iterator[Bare]:
    near, far = RAIL_MM / 2, 2.5 * RAIL_MM
    for x, y in ((near, near), (width - near, near), (near, height - near), (width - near, height - near)):
        yield Bare(TOOLING, (x, y))
    for x, y in ((far, near), (width - far, near), (far, height - near)):  # three, so that it cannot lie turned
        yield Bare(FIDUCIAL, (x, y))


# ---- tabs -------------------------------------------------------------------------------------------------


def _sides(edge: Sequence[Point]) -> list[tuple[Point, Point, Point]]:
    """Return of each side of a convex shape its start, its direction and the direction outwards, both of length 1."""
    inside = math.fsum(x for x, _ in edge) / len(edge), math.fsum(y for _, y in edge) / len(edge)
    found = []
    for (ax, ay), (bx, by) in sides_of(edge):
        long = math.dist((ax, ay), (bx, by))
        along = (bx - ax) / long, (by - ay) / long
        out = -along[1], along[0]
        if (inside[0] - ax) * out[0] + (inside[1] - ay) * out[1] > 0:
            out = along[1], -along[0]
        found.append(((ax, ay), along, out))
    return found


def offset(edge: Sequence[Point], by: float) -> tuple[Point, ...]:
    """Return a convex shape ``by`` larger on every side, or smaller."""
    sides = _sides(edge)
    corners = []
    for (_, _, out_before), (start, _, out) in zip((sides[-1], *sides[:-1]), sides, strict=True):
        # The corner moves by v with v · out = by on both of its sides.
        across = out_before[0] * out[1] - out_before[1] * out[0]
        vx = by * (out[1] - out_before[1]) / across
        vy = by * (out_before[0] - out[0]) / across
        corners.append((start[0] + vx, start[1] + vy))
    return tuple(corners)


def tabs(edge: Sequence[Point]) -> list[tuple[int, float]]:
    """Return the side of each tab, and how far its middle is from the start of that side."""
    found = []
    for side, (a, b) in enumerate(sides_of(edge)):
        long = math.dist(a, b)
        count = max(1, round(long / TAB_EVERY_MM)) if long >= TAB_LEAST_MM else 0
        found += [(side, (k + 0.5) * long / count) for k in range(count)]
    return found


def _slots(edge: Sequence[Point]) -> Iterator[tuple[Point, ...]]:
    """Yield what is milled out around a board, from each tab to the next."""
    sides, outer, places = _sides(edge), offset(edge, GAP_MM), tabs(edge)
    for (side, at), (until, end) in pairwise((*places, places[0])):
        (x, y), (dx, dy), (ox, oy) = sides[side]
        start = x + dx * (at + TAB_MM / 2), y + dy * (at + TAB_MM / 2)
        near, far = [start], [(start[0] + ox * GAP_MM, start[1] + oy * GAP_MM)]
        while side != until or (len(near) == 1 and end <= at):
            side = (side + 1) % len(sides)
            near.append(edge[side])
            far.append(outer[side])
        (x, y), (dx, dy), (ox, oy) = sides[until]
        stop = x + dx * (end - TAB_MM / 2), y + dy * (end - TAB_MM / 2)
        yield (*near, stop, (stop[0] + ox * GAP_MM, stop[1] + oy * GAP_MM), *reversed(far))


def _bites(edge: Sequence[Point]) -> Iterator[Bare]:
    sides = _sides(edge)
    for side, at in tabs(edge):
        (x, y), (dx, dy), (ox, oy) = sides[side]
        turn = round(math.degrees(math.atan2(-dy, dx))) % 180
        yield Bare(BITTEN, (x + dx * at + ox * BITE_OUT_MM, y + dy * at + oy * BITE_OUT_MM), turn)


# ---- boards on a panel ------------------------------------------------------------------------------------


def moved(piece: PanelBoard, board: Placement, routes: Routes) -> tuple[Placement, Routes]:
    """Return a board as it lies on its panel: its references and nets begin with its letter, its pours end earlier."""
    dx, dy = _way(piece, board)
    letter, known = piece.letter, footprints()
    parts, texts = [], [Text(t.text, t.x + dx, t.y + dy, t.size, t.turn) for t in board.texts]
    for each in board.circuit.parts:
        pins = (pin.number for pin in each.device.pins)
        nets = {number: _net(letter, each.nets.get(number) or f"{each.ref} open {number}") for number in pins}
        parts.append(Part(letter + each.ref, each.device, each.value, nets, each.note))
        if (label := known[each.device.footprint].label) is not None:  # what is printed has no letter
            spot = board.spots[each.ref]
            x, y = turned(*label, spot.turn)
            texts.append(Text(each.ref, spot.x + x + dx, spot.y + y + dy, 0.8, spot.turn % 180))
    circuit = Circuit(f"{piece.letter} {board.circuit.name}", board.circuit.title, tuple(parts), ())
    there = Placement(
        circuit,
        {letter + ref: Spot(spot.x + dx, spot.y + dy, spot.turn) for ref, spot in board.spots.items()},
        offset(_edge_of(piece, board), -POUR_MM),
        tuple((x + dx, y + dy) for x, y in board.screws),
        tuple(texts),
        tuple(_net(letter, net) for net in board.power),
        (_net(letter, board.pours[0]), _net(letter, board.pours[1])),
        tuple(x + dx for x in board.saws),
    )
    tracks = tuple(
        Track(_net(letter, each.net), each.layer, _by(each.start, dx, dy), _by(each.end, dx, dy), each.width)
        for each in routes.tracks
    )
    vias = tuple(Via(_net(letter, via.net), *_by((via.x, via.y), dx, dy)) for via in routes.vias)
    return there, Routes(tracks, vias, routes.rounds)


def _net(letter: str, net: str) -> str:
    return f"{letter}.{net}"


def _by(point: Point, dx: float, dy: float) -> Point:
    return point[0] + dx, point[1] + dy
