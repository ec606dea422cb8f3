"""The box of a board that comes assembled: a tray for the circuit board, and the grid of walls that carries the sheet.

Screws from below go through both and the board between them. Nothing else holds it. A tile has a tray and a grid of its
own, whose sides are open below: there the ribbons go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from controller.rules.mesh import Point, sides_of
from hardware import height_budget as h
from hardware.printables import geometry as g
from hardware.printables.board_frames import BOSS_HOLE_MM, BOSS_MM
from hardware.printables.board_places import Laid, box_of, gap_mm, hub, laid
from hardware.profile import BadProfile, Profile, Site

FLOOR_MM = 2.0
GAP_MM = 0.4  # round the board
RIM_MM = 0.3  # by which the grid stays inside the board's edge
POST_MM = 9.0  # below a screw
THROUGH_MM = 2.9
HEAD_MM, HEAD_DEEP_MM = 5.4, 2.2  # of a pan head of 2.5 mm, sunk so that the box lies flat
SCREW_MM = 10.0  # long; a tile's are longer by 10
OPEN_EDGE_MM = 0.1  # by which a tray without walls stays inside the edge of its board
TILE_RIM_MM = 0.1  # by which a tile's grid does
SEAM_WALL_MM = 1.2  # thick, at the edges of a tile: two of them meet
PLUG_WIDE_MM, PLUG_HIGH_MM = 12.35, 6.5  # of a USB-C plug's grip: USB Type-C specification, at most
MOUTH_MIDDLE_MM = 1.65  # of the socket above the board
EASE_MM = 0.6  # round the grip, and between a part and the wall above it


def board_of(profile: Profile) -> Laid:
    """Return the circuit board that goes into the box, or the first tile; raises `BadProfile` where none is drawn."""
    boards = laid(profile)
    if not boards:
        named = f"{profile.name}: no circuit board with linear sensors is drawn for it, and so no box"
        raise BadProfile([f"{named}; make hardware-tops makes its top and tokens"])
    return boards[0]


def tray_values(profile: Profile) -> dict[str, Any]:
    """Return the measures of the tray, by the names in tray.scad."""
    board = board_of(profile)
    if profile.has_tiles:
        return _open_tray(board, h.UNDER_TILE_MM, THROUGH_MM, HEAD_MM)
    socket = box_of(next(body.corners for body in board.bodies if body.footprint == "USB-C"))
    middle, half = (socket[0][0] + socket[1][0]) / 2, PLUG_WIDE_MM / 2 + EASE_MM
    upper = FLOOR_MM + h.UNDER_ASSEMBLED_MM + h.BOARD_MM
    return {
        "side": box_of(board.edge)[1], "gap": GAP_MM, "wall": g.WALL_MM, "floor": FLOOR_MM,
        "under": h.UNDER_ASSEMBLED_MM, "high": upper + h.BOARD_DEEP_MM + h.TOP_MM, "posts": board.screws,
        "post": POST_MM, "through": THROUGH_MM, "head": HEAD_MM, "head_deep": HEAD_DEEP_MM,
        "mouth": (middle - half, middle + half, upper + MOUTH_MIDDLE_MM - PLUG_HIGH_MM / 2 - EASE_MM),
    }  # fmt: skip


def hub_values() -> dict[str, Any]:
    """Return the measures of what carries a hub, by the names in tray.scad: screws from above bite into its posts."""
    return _open_tray(hub(), h.UNDER_HUB_MM, BOSS_HOLE_MM, head=BOSS_HOLE_MM / 2)


def _open_tray(board: Laid, under: float, through: float, head: float) -> dict[str, Any]:
    """Return the measures of a floor with posts but without walls: ribbons leave at its sides."""
    side = box_of(board.edge)[1]
    return {
        "side": side, "gap": -OPEN_EDGE_MM - g.WALL_MM, "wall": g.WALL_MM, "floor": FLOOR_MM, "under": under,
        "high": FLOOR_MM, "posts": board.screws, "post": POST_MM, "through": through, "head": head,
        "head_deep": HEAD_DEEP_MM, "mouth": (side[0] / 2, side[0] / 2 + 1, FLOOR_MM),
    }  # fmt: skip


def grid_values(profile: Profile) -> dict[str, Any]:
    """Return the measures of the grid, by the names in tray.scad."""
    board = board_of(profile)
    (left, low), (right, high) = box_of(board.edge)
    rim = TILE_RIM_MM if profile.has_tiles else RIM_MM
    reach = left + rim, low + rim, right - rim, high - rim
    walls = tuple(walls_between([site for site in profile.sites if site.name in board.sensors]))
    walls += tuple(_walls_around(reach)) if profile.has_tiles else ()
    return {
        "walls": walls, "bosses": board.screws, "cuts": tuple(_cuts(board, walls)),
        "reach": reach, "depth": h.BOARD_DEEP_MM,
        "lift": h.WALL_LIFT_MM, "wall": g.WALL_MM, "boss": BOSS_MM, "boss_hole": BOSS_HOLE_MM,
    }  # fmt: skip


def _walls_around(reach: tuple[float, float, float, float]) -> Iterator[tuple[Point, Point]]:
    """Return walls along the edges of a tile's grid, of which `SEAM_WALL_MM` lie within it."""
    inset = SEAM_WALL_MM - g.WALL_MM / 2
    left, low, right, high = reach[0] + inset, reach[1] + inset, reach[2] - inset, reach[3] - inset
    return sides_of(((left, low), (right, low), (right, high), (left, high)))


def walls_between(sites: Iterable[Site]) -> Iterator[tuple[Point, Point]]:
    """Yield the side that two of these cells share, once each."""
    seen: set[frozenset[Point]] = set()
    for site in sites:
        for a, b in sides_of(site.outline):
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


def screw_mm(profile: Profile) -> float:
    """Return the length of the screws."""
    return SCREW_MM + (10.0 if profile.has_tiles else 0.0)


def under_mm(profile: Profile) -> float:
    """Return how far the circuit board lies above the tray's floor."""
    return h.UNDER_TILE_MM if profile.has_tiles else h.UNDER_ASSEMBLED_MM


def screw_bites_mm(profile: Profile) -> float:
    """Return how far a screw goes into the grid."""
    return screw_mm(profile) - (FLOOR_MM + under_mm(profile) - HEAD_DEEP_MM) - h.BOARD_MM
