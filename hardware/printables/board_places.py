"""Where the circuit boards of a profile lie in its frame: every part as a box, in the board's millimetres.

Depths are below the sheet, as in `hardware.height_budget`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import msgspec

from controller.rules.mesh import Point
from hardware import height_budget as h
from hardware.pcb.boards.catalogue import ASSEMBLED, STRIPS, TILED, TILES
from hardware.pcb.boards.cell36_layout import cell36
from hardware.pcb.boards.hub9 import hub9
from hardware.pcb.boards.strip import pieces, strip
from hardware.pcb.boards.tile import TILE_BITS, tile
from hardware.pcb.boards.tile16 import SIDE_MM, inputs, tile16
from hardware.pcb.placement import Placement, court
from hardware.profile import MUX_INPUTS, REGISTER_BITS, Profile, Site

# What holds a sensor above a circuit board, from the middle hole: x towards the pixel, y towards the output's hole.
PIXEL_BOX = (-3.2, -2.5, 3.2, 2.5)  # its package of 5 mm with the joints at its sides
STAND_BOX = {"reed": (-2.2, -2.4, 2.2, 3.0), "hall": (-4.2, -4.1, 2.4, 3.4)}


class Body(msgspec.Struct, frozen=True):
    """A part as a box: its four corners seen from above, and from how deep to how deep it reaches."""

    name: str
    footprint: str
    corners: tuple[Point, ...]
    top_mm: float
    foot_mm: float

    def holds(self, point: Point, grown: float = 0.0) -> bool:
        """Tell whether a point lies within the box seen from above, ``grown`` by so much on every side."""
        (left, low), (right, high) = box_of(self.corners)
        across = left - grown <= point[0] <= right + grown
        return across and low - grown <= point[1] <= high + grown


class Laid(msgspec.Struct, frozen=True):
    """A circuit board, or a piece that was sawn off one, where it lies.

    ``sensors`` and ``pixels`` have the middles by the site's name; ``edge`` goes round it.
    """

    name: str
    edge: tuple[Point, ...]
    bodies: tuple[Body, ...]
    stands: tuple[Body, ...]
    sensors: dict[str, Point]
    pixels: dict[str, Point]
    screws: tuple[Point, ...]


def build_of(profile: Profile) -> h.Build:
    """Return which circuit boards a profile has: 'hand' where there are none."""
    if profile.name in STRIPS:
        return "strip"
    return "tile" if profile.name in TILES else "hand"


def laid(profile: Profile) -> tuple[Laid, ...]:
    """Return the circuit boards of a profile where they lie; none where its catalogue has none."""
    if profile.name in ASSEMBLED:
        return (_assembled(profile, cell36(profile)),)
    if profile.name in TILED:
        return tuple(_assembled_tiles(profile, tile16()))
    build = build_of(profile)
    if build == "strip":
        return tuple(_strips(profile, strip(profile)))
    return tuple(_tiles(profile, tile(profile))) if build == "tile" else ()


class _FrameWay(msgspec.Struct, frozen=True):
    """From a board's own place ``own`` to ``there`` in the frame, turned half round or not; y changes its sense."""

    own: Point
    there: Point
    turned: bool

    def at(self, point: Point) -> Point:
        sign = -1 if self.turned else 1
        return self.there[0] + sign * (point[0] - self.own[0]), self.there[1] - sign * (point[1] - self.own[1])


def _strips(profile: Profile, board: Placement) -> Iterator[Laid]:
    sites = {site.name: site for site in profile.sites}
    left = min(x for x, _ in board.edge)
    right = max(x for x, _ in board.edge)
    high = max(y for _, y in board.edge)
    for number, register in enumerate(pieces(profile), 1):
        cell = 0
        for names in register:
            first = sites[names[0]]
            own = (cell + 0.5) * profile.pitch_mm, high / 2
            back = len(names) > 1 and sites[names[1]].x_mm < first.x_mm
            way = _FrameWay(own, (first.x_mm, first.y_mm), back)
            ends = max(left, cell * profile.pitch_mm), min(right, (cell + len(names)) * profile.pitch_mm)
            yield _laid(f"strip {number}, {names[0]} to {names[-1]}", profile, board, way, ends, names, cell)
            cell += len(names)


def _laid(
    name: str, profile: Profile, board: Placement, way: _FrameWay, ends: Point, names: Sequence[str], first: int
) -> Laid:
    """Return the part of ``board`` between the two ``ends`` of its length, whose cells are ``names``."""
    high = max(y for _, y in board.edge)
    edge = tuple(way.at((x, y)) for x, y in ((ends[0], 0), (ends[1], 0), (ends[1], high), (ends[0], high)))
    bodies = [body for body in _bodies(board, way) if _within(board, body.name, ends)]
    cells = {f"{k + first + 1}": site for k, site in enumerate(names)}
    sensors = {site: way.at(_spot(board, f"S{k}")) for k, site in cells.items()}
    pixels = {site: way.at(_spot(board, f"D{k}")) for k, site in cells.items()}
    stands = tuple(_stand(profile, board, f"S{k}", way) for k in cells)
    screws = tuple(way.at(at) for at in board.screws if ends[0] < at[0] < ends[1])
    return Laid(name, edge, tuple(bodies), stands, sensors, pixels, screws)


def _assembled(profile: Profile, board: Placement) -> Laid:
    """Return the one board of a profile that comes assembled; its sensors lie on it, so that it has no stands."""
    (left, _), (_, low) = box_of(board.edge)
    way = _FrameWay((left, low), (0.0, 0.0), False)
    cells = [site.name for site in profile.sites]
    return Laid(
        board.circuit.name,
        tuple(way.at(point) for point in board.edge),
        tuple(_bodies(board, way)),
        (),
        {name: way.at(_spot(board, f"S{name}")) for name in cells},
        {name: way.at(_spot(board, f"D{name}")) for name in cells},
        tuple(way.at(point) for point in board.screws),
    )


def _assembled_tiles(profile: Profile, board: Placement) -> Iterator[Laid]:
    """Yield the tiles of a board in the order of their numbers, each where it lies."""
    sites, names = {site.name: site for site in profile.sites}, profile.by_bit()
    for start in range(0, profile.chain_length, MUX_INPUTS):
        here = [name for name in names[start : start + MUX_INPUTS] if name is not None]
        corner = tuple(min(way) for way in zip(*sites[here[0]].outline, strict=True))
        way = _FrameWay((0.0, SIDE_MM), (corner[0], corner[1]), False)
        cells = list(zip(inputs(), here, strict=True))
        yield Laid(
            f"tile {start // MUX_INPUTS}",
            tuple(way.at(point) for point in board.edge),
            tuple(_bodies(board, way)),
            (),
            {site: way.at(_spot(board, f"S{cell}")) for cell, site in cells},
            {site: way.at(_spot(board, f"D{cell}")) for cell, site in cells},
            tuple(way.at(point) for point in board.screws),
        )


def hub() -> Laid:
    """Return the hub of tiles, which has no sensors, with its lower left corner at 0, 0."""
    board = hub9()
    way = _FrameWay((0.0, max(y for _, y in board.edge)), (0.0, 0.0), False)
    edge, screws = (tuple(way.at(point) for point in points) for points in (board.edge, board.screws))
    return Laid("hub", edge, tuple(_bodies(board, way)), (), {}, {}, screws)


def _tiles(profile: Profile, board: Placement) -> Iterator[Laid]:
    sites = {site.name: site for site in profile.sites}
    names = profile.by_bit()
    ring = sum(site.kind == "node" for site in profile.sites) // len(profile.mesh().cells)
    own = _spot(board, f"S{ring}")
    for start in range(0, profile.chain_length, TILE_BITS):
        here = [name for name in names[start : start + REGISTER_BITS] if name is not None]
        cell = sites[here[ring]]
        way = _FrameWay(own, (cell.x_mm, cell.y_mm), False)
        sensors = {name: way.at(_spot(board, f"S{k}")) for k, name in enumerate(here)}
        pixels = {name: way.at(_spot(board, f"D{k}")) for k, name in enumerate(here)}
        stands = tuple(_stand(profile, board, f"S{k}", way) for k in range(len(here)))
        edge = tuple(way.at(point) for point in board.edge)
        screws = tuple(way.at(point) for point in board.screws)
        yield Laid(f"tile {cell.name}", edge, tuple(_bodies(board, way)), stands, sensors, pixels, screws)


def _spot(board: Placement, ref: str) -> Point:
    spot = board.spots[ref]
    return spot.x, spot.y


def _within(board: Placement, ref: str, ends: Point) -> bool:
    left, _, right, _ = court(board, ref)
    return ends[0] <= (left + right) / 2 <= ends[1]


def _bodies(board: Placement, way: _FrameWay) -> Iterator[Body]:
    """Yield the parts as they stand above the board; sensors are in their stands."""
    for part in board.circuit.parts:
        footprint = part.device.footprint
        if footprint == "Sensor":
            continue
        left, top, right, low = _box(board, part.ref, footprint)
        corners = tuple(way.at(at) for at in ((left, top), (right, top), (right, low), (left, low)))
        high, below = h.part_mm(footprint), h.below_mm(footprint)
        yield Body(part.ref, footprint, corners, h.BOARD_DEEP_MM - high, h.BOARD_DEEP_MM + h.BOARD_MM + below)


def _box(board: Placement, ref: str, footprint: str) -> tuple[float, float, float, float]:
    if footprint == "WS2812B":
        (x, y), (left, top, right, low) = _spot(board, ref), PIXEL_BOX
        return x + left, y + top, x + right, y + low
    left, top, right, low = court(board, ref)
    spare = 0.25  # of a court, around the part
    return left + spare, top + spare, right - spare, low - spare


def _stand(profile: Profile, board: Placement, ref: str, way: _FrameWay) -> Body:
    x, y = _spot(board, ref)
    left, low, right, high = STAND_BOX[profile.sensor]
    u = _turned((1, 0), board.spots[ref].turn)  # from the middle hole to the output's, y down
    v = -u[1], u[0]  # towards the pixel of a strip
    corners = tuple(
        way.at((x + a * v[0] + b * u[0], y + a * v[1] + b * u[1]))
        for a, b in ((left, low), (right, low), (right, high), (left, high))
    )
    return Body(ref, "stand", corners, h.CLEARANCE_MM, h.BOARD_DEEP_MM)


def _turned(point: Point, turn: int) -> Point:
    x, y = point
    for _ in range(turn // 90 % 4):
        x, y = y, -x
    return x, y


def hand_pixel(site: Site) -> Point:
    """Return where the pixel of a site lies in a frame that is wired by hand."""
    return site.x_mm, site.y_mm - h.PIXEL_OFF_MM


def box_of(points: Sequence[Point]) -> tuple[Point, Point]:
    """Return the lower left and the upper right corner of the box round points."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (min(xs), min(ys)), (max(xs), max(ys))


def gap_mm(a: Point, b: Point, body: Body) -> float:
    """Return how far the line from ``a`` to ``b`` passes a part seen from above; 0 where it meets it."""
    (left, low), (right, high) = box_of(body.corners)
    if _meets(a, b, (left, low), (right, high)):
        return 0.0
    ends = (math.hypot(max(left - x, 0, x - right), max(low - y, 0, y - high)) for x, y in (a, b))
    corners = ((left, low), (left, high), (right, low), (right, high))
    return min(*ends, *(math.dist(at, nearest(a, b, at)) for at in corners))


def nearest(a: Point, b: Point, at: Point) -> Point:
    """Return the point of the line from ``a`` to ``b`` that is nearest to ``at``."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    share = ((at[0] - a[0]) * dx + (at[1] - a[1]) * dy) / ((dx**2 + dy**2) or 1.0)
    share = min(1.0, max(0.0, share))
    return a[0] + share * dx, a[1] + share * dy


def _meets(a: Point, b: Point, low: Point, high: Point) -> bool:
    """Tell whether a line runs into a box, by cutting off what lies beside it in each direction."""
    first, last = 0.0, 1.0
    for k in (0, 1):
        way = b[k] - a[k]
        if abs(way) < 1e-12:
            if not low[k] <= a[k] <= high[k]:
                return False
            continue
        ends = sorted(((low[k] - a[k]) / way, (high[k] - a[k]) / way))
        first, last = max(first, ends[0]), min(last, ends[1])
    return first <= last
