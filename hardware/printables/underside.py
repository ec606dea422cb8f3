"""What a board stands on: feet below a frame wired by hand, legs of a frame for circuit boards, the base's holes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from controller.rules.mesh import Point, sides_of
from hardware import height_budget as h
from hardware.pcb.boards.strip import HEIGHT_MM
from hardware.printables.board_places import Laid, box_of, build_of
from hardware.printables.geometry import Section, middle, sections, wall_mm
from hardware.profile import Profile, Site

FOOT_MM = 12.0  # across
FOOT_HOLE_MM = 2.6  # in which a screw of 3 mm cuts its thread
FOOT_UP_MM = 10.4  # from a sensor, on the side away from its pixel: the screw's head lies in the box of light
TILE_FOOT_MM = 22.0  # from the middle of a hex tile, between two nodes; farther out on a square one
LEG_MM = 12.0  # wide
LEG_THICK_MM = 5.0
LEG_GAP_MM = 0.8  # on both sides of a leg, to the circuit boards of two rows
LEG_OFF_MM = 10.0  # from the middle of a tile's side, where a screw is

Leg = tuple[float, float, float, float]  # x, y, degrees, thickness


def feet(section: Section) -> tuple[Point, ...]:
    """Return where the feet of a section that is wired by hand are screwed on: the middles of their screws."""
    cells = [site for site in section.sites if site.kind == "cell"]
    if any(site.kind == "node" for site in section.sites):
        spots = [foot for cell in cells for foot in _below_tile(cell)]
        if len(cells) == 1:
            return tuple(spots)
    else:
        spots = [(site.x_mm, site.y_mm + FOOT_UP_MM) for site in cells]
    xs, ys = zip(*spots, strict=True)
    wanted = [*_corners(xs, ys), ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)]
    return _nearest(spots, wanted)


def _below_tile(cell: Site) -> Iterator[Point]:
    x, y = middle(cell)
    turns, reach = ((30, 150, 270), TILE_FOOT_MM) if len(cell.outline) == 6 else ((45, 135, 225, 315), 28.0)
    for turn in turns:
        yield x + reach * math.cos(math.radians(turn)), y + reach * math.sin(math.radians(turn))


def _corners(xs: Sequence[float], ys: Sequence[float]) -> Iterator[Point]:
    for x in (min(xs), max(xs)):
        for y in (min(ys), max(ys)):
            yield x, y


def _nearest(spots: Sequence[Point], wanted: Iterable[Point]) -> tuple[Point, ...]:
    """Return for each wanted point the spot that is nearest to it, none twice."""
    return tuple(dict.fromkeys(min(spots, key=lambda s: (round(math.dist(s, at), 3), s)) for at in wanted))


def legs(profile: Profile, section: Section) -> tuple[Leg, ...]:
    """Return the legs of a section for circuit boards: beside the boards, within the section."""
    if build_of(profile) == "tile":
        return tuple(leg for site in section.sites if site.kind == "cell" for leg in _tile_legs(profile, site))
    thick = min(LEG_THICK_MM, _row_gap(profile) - 2 * LEG_GAP_MM)
    spots = [at for at, count in _level_sides(section).items() if count == 2]
    xs, ys = zip(*(point for cell in section.cells for point in cell), strict=True)
    return tuple((x, y, 0.0, thick) for x, y in _nearest(sorted(spots), _corners(xs, ys)))


def _tile_legs(profile: Profile, cell: Site) -> Iterator[Leg]:
    sides = list(sides_of(cell.outline))
    for a, b in sides[:: 2 if len(sides) == 6 else 1]:
        along = (b[0] - a[0]) / math.dist(a, b), (b[1] - a[1]) / math.dist(a, b)
        mid = (a[0] + b[0]) / 2 + LEG_OFF_MM * along[0], (a[1] + b[1]) / 2 + LEG_OFF_MM * along[1]
        foot = (a[0] + b[0]) / 2 - cell.x_mm, (a[1] + b[1]) / 2 - cell.y_mm
        inwards = (wall_mm(profile) / 2 + LEG_THICK_MM / 2 - 0.5) / math.hypot(*foot)
        x, y = mid[0] - foot[0] * inwards, mid[1] - foot[1] * inwards
        yield x, y, math.degrees(math.atan2(along[1], along[0])), LEG_THICK_MM


def _level_sides(section: Section) -> dict[Point, int]:
    """Return the middles of the sides between two rows, and how many cells of the section each belongs to."""
    found: dict[Point, int] = {}
    for cell in section.cells:
        for a, b in sides_of(cell):
            if abs(a[0] - b[0]) > 0.5:
                at = round((a[0] + b[0]) / 2, 1), round((a[1] + b[1]) / 2, 1)
                found[at] = found.get(at, 0) + 1
    return found


def _row_gap(profile: Profile) -> float:
    """Return how far the circuit boards of two rows are apart."""
    rows = sorted({round(site.y_mm, 2) for site in profile.sites})
    return min(b - a for a, b in pairwise(rows)) - HEIGHT_MM


def base_holes(profile: Profile, build: h.Build) -> tuple[Point, ...]:
    """Return where the base is screwed to feet or legs, in the board's millimetres."""
    if build == "hand":
        return tuple(foot for section in sections(profile) for foot in feet(section))
    return tuple((x, y) for section in sections(profile) for x, y, _, _ in legs(profile, section))


def on_section(board: Laid, section: Section) -> bool:
    """Tell whether a circuit board reaches into a section."""
    (left, low), (right, high) = box_of([point for cell in section.cells for point in cell])
    (near, under), (far, over) = box_of(board.edge)
    return near < right and far > left and under < high and over > low
