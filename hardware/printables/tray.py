"""The box of a board that comes assembled: a tray for the circuit board, and the grid of walls that carries the sheet.

Five screws from below go through both and the board between them. Nothing else holds it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from controller.rules.mesh import Point
from hardware import height_budget as h
from hardware.printables import geometry as g
from hardware.printables.board_frames import BOSS_HOLE_MM, BOSS_MM
from hardware.printables.board_places import Laid, box_of, gap_mm, laid
from hardware.profile import BadProfile, Profile

FLOOR_MM = 2.0
GAP_MM = 0.4  # round the board
RIM_MM = 0.3  # by which the grid stays inside the board's edge
POST_MM = 9.0  # below a screw
THROUGH_MM = 2.9
HEAD_MM, HEAD_DEEP_MM = 5.4, 2.2  # of a pan head of 2.5 mm, sunk so that the box lies flat
SCREW_MM = 10.0  # long
PLUG_WIDE_MM, PLUG_HIGH_MM = 12.35, 6.5  # of a USB-C plug's grip: USB Type-C specification, at most
MOUTH_MIDDLE_MM = 1.65  # of the socket above the board
EASE_MM = 0.6  # round the grip, and between a part and the wall above it


def board_of(profile: Profile) -> Laid:
    """Return the circuit board that goes into the box; raises `BadProfile` where none is drawn."""
    boards = laid(profile)
    if not boards:
        named = f"{profile.name}: no circuit board with linear sensors is drawn for it, and so no box"
        raise BadProfile([f"{named}; make hardware-tops makes its top and tokens"])
    return boards[0]


def tray_values(profile: Profile) -> dict[str, Any]:
    """Return the measures of the tray, by the names in tray.scad."""
    board = board_of(profile)
    socket = box_of(next(body.corners for body in board.bodies if body.footprint == "USB-C"))
    middle, half = (socket[0][0] + socket[1][0]) / 2, PLUG_WIDE_MM / 2 + EASE_MM
    upper = FLOOR_MM + h.UNDER_ASSEMBLED_MM + h.BOARD_MM
    return {
        "side": box_of(board.edge)[1], "gap": GAP_MM, "wall": g.WALL_MM, "floor": FLOOR_MM,
        "under": h.UNDER_ASSEMBLED_MM, "high": upper + h.BOARD_DEEP_MM + h.TOP_MM, "posts": board.screws,
        "post": POST_MM, "through": THROUGH_MM, "head": HEAD_MM, "head_deep": HEAD_DEEP_MM,
        "mouth": (middle - half, middle + half, upper + MOUTH_MIDDLE_MM - PLUG_HIGH_MM / 2 - EASE_MM),
    }  # fmt: skip


def grid_values(profile: Profile) -> dict[str, Any]:
    """Return the measures of the grid, by the names in tray.scad."""
    board = board_of(profile)
    walls = tuple(walls_between(profile))
    (left, low), (right, high) = box_of(board.edge)
    return {
        "walls": walls, "bosses": board.screws, "cuts": tuple(_cuts(board, walls)),
        "reach": (left + RIM_MM, low + RIM_MM, right - RIM_MM, high - RIM_MM), "depth": h.BOARD_DEEP_MM,
        "lift": h.WALL_LIFT_MM, "wall": g.WALL_MM, "boss": BOSS_MM, "boss_hole": BOSS_HOLE_MM,
    }  # fmt: skip


def walls_between(profile: Profile) -> Iterator[tuple[Point, Point]]:
    """Yield the side that two cells share, once each."""
    seen: set[frozenset[Point]] = set()
    for site in profile.sites:
        for a, b in zip(site.outline, (*site.outline[1:], site.outline[0]), strict=True):
            ends = frozenset((round(x, 2), round(y, 2)) for x, y in (a, b))
            if ends in seen:
                yield a, b
            seen.add(ends)


def _cuts(board: Laid, walls: tuple[tuple[Point, Point], ...]) -> Iterator[tuple[float, ...]]:
    """Yield the room that parts want of the walls above them; the button's goes up to the sheet, for a pen."""
    for body in board.bodies:
        free = h.BOARD_DEEP_MM - body.top_mm + EASE_MM
        (left, low), (right, high) = box_of(body.corners)
        if body.footprint == "Button":
            free, low = h.BOARD_DEEP_MM, box_of(board.edge)[0][1]  # to the edge: nothing is left standing alone
        if free > h.WALL_LIFT_MM and any(gap_mm(*wall, body) < g.WALL_MM / 2 + EASE_MM for wall in walls):
            yield left - EASE_MM, low - EASE_MM, right + EASE_MM, high + EASE_MM, free


def screw_bites_mm() -> float:
    """Return how far a screw goes into the grid."""
    return SCREW_MM - (FLOOR_MM + h.UNDER_ASSEMBLED_MM - HEAD_DEEP_MM) - h.BOARD_MM
