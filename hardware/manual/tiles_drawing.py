"""A board of assembled tiles from above: which tile is which, which way round each lies, and where the hub goes.

Places are those of the circuit boards, so the picture is what is built.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from controller.rules.mesh import Point
from hardware.pcb.boards.tile16 import SIDE_MM
from hardware.printables.board_places import Laid, box_of, hub, laid
from hardware.profile import Profile
from hardware.svg import box, circle, document, line, text

MARGIN_MM, HEAD_MM, FOOT_MM = 20.0, 16.0, 26.0
HUB_OFF_MM = 14.0  # from the tiles to the hub behind them
Place = Callable[[Point], Point]  # of the board to that of the drawing
WIRE, PLUG, PLATE = "#b06a2b", "#444", "#eef4ef"


def plan(profile: Profile) -> str:
    """Return tiles and hub as they lie before player 1: cells, the plugs of the ribbons, numbers."""
    tiles, centre = laid(profile), hub()
    wide = high = 3 * SIDE_MM
    hub_size = box_of(centre.edge)[1]
    left, low = (wide - hub_size[0]) / 2, high + HUB_OFF_MM  # the hub lies behind the tiles
    top = HEAD_MM + low + hub_size[1]

    def place(point: Point) -> Point:
        return MARGIN_MM + point[0], top - point[1]

    shapes = [text((MARGIN_MM + wide / 2, 10), "From above; player 1 sits at the front", 8, bold=True)]
    for number, tile in enumerate(tiles):
        shapes += _tile(profile, tile, number, place)
    shapes += _hub(centre, (left, low), place)
    legend = ("Brown: the plug of a tile's ribbon, which goes down through the slot before it.",
              "Its other end goes into the hub, at the header with the tile's number.")  # fmt: skip
    shapes += [text((MARGIN_MM + wide / 2, top + 10 + 9 * k), words, 7) for k, words in enumerate(legend)]
    return document(wide + 2 * MARGIN_MM, top + FOOT_MM, shapes)


def _tile(profile: Profile, tile: Laid, number: int, place: Place) -> Iterator[str]:
    (left, low), (right, high) = box_of(tile.edge)
    yield box(place((left, high)), (right - left, high - low), PLATE, "#345", 0.8)
    for site in (each for each in profile.sites if each.name in tile.sensors):
        yield line([place(point) for point in site.outline], "#9ab", 0.4, close=True)
        yield circle(place(tile.sensors[site.name]), 1.5, "#333")
        yield text(place((site.x_mm - 10, site.y_mm - 13)), site.name, 6, colour="#678")
    for x, y in tile.screws:
        yield circle(place((x, y)), 3.0, "#ffe9a8", "#345", 0.4)
    yield from _plug(tile, (0.0, 0.0), place)
    yield text(place(((left + right) / 2, (low + high) / 2 + 10)), f"tile {number}", 11, bold=True)


def _plug(board: Laid, moved: Point, place: Place) -> Iterator[str]:
    for body in (each for each in board.bodies if each.footprint.startswith("Box-2x6")):
        (left, low), (right, high) = box_of(body.corners)
        yield box(place((left + moved[0], high + moved[1])), (right - left, high - low), WIRE, "#222", 0.4)


def _hub(centre: Laid, moved: Point, place: Place) -> Iterator[str]:
    (left, low), (right, high) = box_of(centre.edge)
    yield box(place((left + moved[0], high + moved[1])), (right - left, high - low), PLATE, "#345", 0.8)
    yield from _plug(centre, moved, place)
    headers = [each for each in centre.bodies if each.footprint.startswith("Box-2x6")]
    for number, body in enumerate(headers):
        (x0, y0), (x1, y1) = box_of(body.corners)
        yield text(place(((x0 + x1) / 2 + moved[0], (y0 + y1) / 2 + moved[1] - 2.5)), f"{number}", 8, colour="#fff")
    names = {"J1": "Pi", "J2": "5 V 3 A", "SW1": "BOOT"}
    for body in (each for each in centre.bodies if each.name in names):
        (x0, y0), (x1, y1) = box_of(body.corners)
        yield box(place((x0 + moved[0], y1 + moved[1])), (x1 - x0, y1 - y0), PLUG, "#222", 0.4)
        yield text(place(((x0 + x1) / 2 + moved[0], y1 + moved[1] + 3)), names[body.name], 6)
    yield text(place((right / 2 + moved[0], high / 2 + moved[1] + 6)), "hub", 11, bold=True)
