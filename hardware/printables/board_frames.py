"""Printed parts for circuit boards: sections of the frame without a floor, and what holds a sensor above a board."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import msgspec

from controller.rules.mesh import Point, sides_of
from hardware import height_budget as h
from hardware.printables import geometry as g
from hardware.printables.board_places import STAND_BOX, Laid, build_of, nearest
from hardware.printables.geometry import Section, middle
from hardware.printables.underside import FOOT_HOLE_MM, LEG_MM, legs, on_section
from hardware.profile import Profile, Site

BOSS_MM = 6.0
BOSS_HOLE_MM = 2.1  # in which a screw of 2.5 mm cuts its thread
RING_OFF_MM = 4.6  # from a node's pixel to the shade round the store


class BoardSection(msgspec.Struct, frozen=True):
    """What a section for circuit boards has besides its walls, in the board's millimetres."""

    bosses: tuple[Point, ...]
    ribs: tuple[tuple[Point, Point], ...]
    legs: tuple[tuple[float, float, float, float], ...]
    rings: tuple[tuple[float, float, float], ...]
    spokes: tuple[tuple[Point, Point], ...]


def board_section(profile: Profile, section: Section, boards: tuple[Laid, ...]) -> BoardSection:
    """Return what the section has for the circuit boards that lie in it."""
    cells = [site for site in section.sites if site.kind == "cell"]
    bosses, ribs = [], []
    for board in boards:
        if not on_section(board, section):
            continue
        for screw in board.screws:
            cell = min(profile.sites, key=lambda site: (site.kind != "cell", math.dist(middle(site), screw)))
            if cell in cells:
                bosses.append(screw)
                ribs.append((screw, nearest_wall(cell, screw)))
    rings, spokes = [], []
    if build_of(profile) == "tile":
        for cell in cells:
            radius = ring_mm(profile, cell)
            rings.append((cell.x_mm, cell.y_mm, radius))
            spokes += list(_spokes(cell, radius))
        ribs = []  # the spokes go through the bosses
    return BoardSection(tuple(bosses), tuple(ribs), legs(profile, section), tuple(rings), tuple(spokes))


def ring_mm(profile: Profile, cell: Site) -> float:
    """Return the radius of the shade between the light of a tile's store and those of its nodes."""
    nodes = (s for s in profile.sites if s.kind == "node" and s.name.startswith(f"{cell.name}:"))
    return min(math.dist(middle(cell), middle(node)) for node in nodes) - h.PIXEL_OFF_MM - RING_OFF_MM


def _spokes(cell: Site, radius: float) -> Iterator[tuple[Point, Point]]:
    """Yield lines from the ring to each corner's post, between the nodes."""
    for x, y in cell.outline:
        far = math.dist((x, y), middle(cell))
        dx, dy = (x - cell.x_mm) / far, (y - cell.y_mm) / far
        out = far - g.POST_MM / 2 - g.POST_RIM_MM - 1.0
        yield (cell.x_mm + dx * radius, cell.y_mm + dy * radius), (cell.x_mm + dx * out, cell.y_mm + dy * out)


def nearest_wall(cell: Site, at: Point) -> Point:
    """Return the point of a cell's outline that is nearest to ``at``."""
    return min((nearest(a, b, at) for a, b in sides_of(cell.outline)), key=lambda point: math.dist(point, at))


def measures(profile: Profile) -> dict[str, Any]:
    """Return the measures that all sections for circuit boards share, by the names in board_frame.scad."""
    return {
        "depth": h.BOARD_DEEP_MM, "lift": h.WALL_LIFT_MM, "shade_lift": h.SHADE_LIFT_MM, "wall": g.wall_mm(profile),
        "notch": g.POST_MM, "rim": g.POST_RIM_MM, "leg_long": h.base_deep_mm(build_of(profile)), "leg_wide": LEG_MM,
        "boss": BOSS_MM, "boss_hole": BOSS_HOLE_MM, "leg_hole": FOOT_HOLE_MM,
    }  # fmt: skip


def stand_measures(profile: Profile) -> dict[str, Any]:
    """Return the measures of what holds a sensor above a circuit board."""
    box, seat = STAND_BOX[profile.sensor], h.HALL_SEAT_MM
    return {"box": box, "height": h.stand_mm(), "sensor": profile.sensor, "seat": seat}
