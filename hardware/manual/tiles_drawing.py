"""A board of assembled tiles from above: which tile is which, which way round each lies, and where the hub goes.

Places are those of the circuit boards, so the picture is what is built.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from controller.rules.mesh import Point
from hardware.pcb.boards.tile16 import SIDE_MM
from hardware.printables.board_places import Body, Laid, box_of, hub, laid
from hardware.profile import Profile
from hardware.svg import box, circle, document, line, text

MARGIN_MM, HEAD_MM, FOOT_MM = 20.0, 16.0, 26.0
HUB_OFF_MM = 14.0  # from the tiles to the hub behind them
Place = Callable[[Point], Point]  # of the board to that of the drawing
WIRE, PLUG, PLATE = "#b06a2b", "#8a8f96", "#eef4ef"
NAMES = {"J1": "Pi", "J2": "5 V 3 A", "SW1": "BOOT"}  # what is printed beside these parts of the hub


def plan(profile: Profile) -> str:
    """Return tiles and hub as they lie before player 1: cells, the plugs of the ribbons, numbers."""
    tiles, centre = laid(profile), hub()
    wide = high = 3 * SIDE_MM
    hub_size = box_of(centre.edge)[1]
    behind = high + HUB_OFF_MM + hub_size[1]
    top = HEAD_MM + behind

    def place(point: Point) -> Point:
        return MARGIN_MM + point[0], top - point[1]

    def hub_place(point: Point) -> Point:
        """The hub is turned round: its sockets look away from the tiles."""
        return place(((wide + hub_size[0]) / 2 - point[0], behind - point[1]))

    shapes = [text((MARGIN_MM + wide / 2, 10), "From above; player 1 sits at the front", 8, bold=True)]
    for number, tile in enumerate(tiles):
        shapes += _tile(profile, tile, number, place)
    shapes += _hub(centre, hub_place)
    legend = ("Brown: the plug of a tile's ribbon, which goes down through the slot before it.",
              "Its other end goes into the hub, at the header with the tile's number.")  # fmt: skip
    shapes += [text((MARGIN_MM + wide / 2, top + 10 + 9 * k), words, 7) for k, words in enumerate(legend)]
    return document(wide + 2 * MARGIN_MM, top + FOOT_MM, shapes)


def _tile(profile: Profile, tile: Laid, number: int, place: Place) -> Iterator[str]:
    (left, low), (right, high) = box_of(tile.edge)
    yield _box(tile.edge, PLATE, place)
    yield from _plug(tile, place)
    for site in (each for each in profile.sites if each.name in tile.sensors):
        yield line([place(point) for point in site.outline], "#9ab", 0.4, close=True)
        yield circle(place(tile.sensors[site.name]), 1.5, "#333")
        yield text(place((site.x_mm - 10, site.y_mm - 13)), site.name, 6, colour="#678")
    for x, y in tile.screws:
        yield circle(place((x, y)), 3.0, "#ffe9a8", "#345", 0.4)
    yield text(place(((left + right) / 2, (low + high) / 2 + 10)), f"tile {number}", 11, bold=True)


def _plug(board: Laid, place: Place) -> Iterator[str]:
    for body in (each for each in board.bodies if each.footprint.startswith("Box-2x6")):
        yield _box(body.corners, WIRE, place)


def _box(corners: Sequence[Point], fill: str, place: Place) -> str:
    """Return the box round some places of the board."""
    (left, top), (right, low) = box_of([place(point) for point in corners])
    return box((left, top), (right - left, low - top), fill, "#345", 0.6)


def _hub(centre: Laid, place: Place) -> Iterator[str]:
    yield _box(centre.edge, PLATE, place)
    yield from _plug(centre, place)
    for number, body in enumerate(each for each in centre.bodies if each.footprint.startswith("Box-2x6")):
        yield _named(f"{number}", body, place, 8, "#fff", 3)
    for body in (each for each in centre.bodies if each.name in NAMES):
        yield _box(body.corners, PLUG, place)
        yield _named(NAMES[body.name], body, place, 6, "#222", 11)
    middle = place(((centre.edge[0][0] + centre.edge[2][0]) / 2, (centre.edge[0][1] + centre.edge[2][1]) / 2))
    yield text(middle, "hub", 11, bold=True)


def _named(words: str, body: Body, place: Place, size: float, colour: str, down: float) -> str:
    """Return words on a part, or ``down`` mm below its middle."""
    (left, top), (right, low) = box_of([place(point) for point in body.corners])
    return text(((left + right) / 2, (top + low) / 2 + down), words, size, colour=colour)
