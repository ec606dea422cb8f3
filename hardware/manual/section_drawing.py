"""The section through a cell, for every kind of build: wired by hand, on a strip, on a tile.

Every height is from `hardware.height_budget`, so the picture is what is built.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from controller.rules.mesh import Point
from hardware import height_budget as h
from hardware.pcb.boards.strip import PIXEL_MM as STRIP_PIXEL_MM
from hardware.printables.board_places import STAND_BOX
from hardware.printables.geometry import TILE_WALL_MM, TOWER_MM, WALL_MM, WINDOW_MM
from hardware.svg import box, circle, document, line, text

SCALE = 2.4  # drawn larger than it is
PANEL_MM, HIGH_MM = 64.0, 84.0
SKY_MM = 16.0  # above the sheet, for the piece
PLASTIC, WOOD, COPPER, GLASS, WIRE, RED = "#dfe6ee", "#e8d9b8", "#7fae86", "#bfe3f2", "#888", "#c00"
MAGNET = (6.0, 3.0)
BASE_PIECE_MM = 6.0


class Kind(msgspec.Struct, frozen=True):
    """A build as it is drawn: half the width of its cell, its wall, and where its pixel is."""

    build: h.Build
    title: str
    half_mm: float
    wall_mm: float
    pixel_mm: float


KINDS = (
    Kind("hand", "wired by hand (first36)", 16.65, WALL_MM, h.PIXEL_OFF_MM),
    Kind("strip", "on a strip (square144)", 20.0, WALL_MM, STRIP_PIXEL_MM),
    Kind("tile", "on a tile: a node of shell19", 19.0, TILE_WALL_MM, h.PIXEL_OFF_MM),
)


def sections_of_a_cell() -> str:
    """Return the three sections side by side, to one scale."""
    shapes: list[str] = []
    for number, kind in enumerate(KINDS):
        shapes += _panel(kind, PANEL_MM * (number + 0.5))
    return document(PANEL_MM * len(KINDS) * SCALE, HIGH_MM * SCALE, shapes)


class SectionPaper(msgspec.Struct, frozen=True):
    """Turns mm across, and below the sheet's lower side, into a drawing's: across is 0 at ``left_mm`` of it."""

    left_mm: float
    sky_mm: float = SKY_MM
    scale: float = SCALE
    size: float = 3.4  # of words
    line: float = 0.25  # round a slab

    def at(self, x: float, deep: float) -> Point:
        """Return a place of the drawing."""
        return (self.left_mm + x) * self.scale, (self.sky_mm + deep) * self.scale

    def slab(self, left: float, right: float, top: float, foot: float, fill: str, colour: str = "#345") -> str:
        """Return what is cut, as a box."""
        size = (right - left) * self.scale, (foot - top) * self.scale
        return box(self.at(left, top), size, fill, colour, self.line)

    def path(self, points: list[Point], colour: str, width: float = 0.6) -> str:
        """Return a line."""
        return line([self.at(*point) for point in points], colour, width)

    def words(self, x: float, deep: float, words: str, size: float | None = None, anchor: str = "start") -> str:
        """Return words, whose line begins, or as ``anchor`` says ends, there."""
        return text(self.at(x, deep), words, size or self.size, anchor, halo=True)


def _panel(kind: Kind, middle: float) -> Iterator[str]:
    paper, half = SectionPaper(middle), kind.half_mm
    base = h.base_deep_mm(kind.build)
    yield text(paper.at(0, -12.5), kind.title, 4.4, bold=True)
    yield paper.slab(-half, half, -h.TOP_MM, 0, "#f3f6ff")
    yield paper.slab(-11, 11, -h.TOP_MM - BASE_PIECE_MM, -h.TOP_MM, "#fff")
    low = -h.TOP_MM - h.SKIN_MM
    yield paper.slab(-MAGNET[0] / 2, MAGNET[0] / 2, low - MAGNET[1], low, "#b33")
    yield paper.slab(-half, half, base, base + h.BASE_MM, WOOD)
    yield paper.words(4, low - 0.4, "magnet", 3.0)
    yield paper.words(-10.5, -h.TOP_MM - 2, "piece", 3.0)
    yield paper.words(-half + 1, -0.5, "top", 3.0)
    yield from _by_hand(paper, kind) if kind.build == "hand" else _on_board(paper, kind)
    yield from _reed(paper, kind)
    yield from _measures(paper, kind)


def _by_hand(paper: SectionPaper, kind: Kind) -> Iterator[str]:
    half, wall, tower = kind.half_mm, kind.wall_mm / 2, TOWER_MM / 2
    for left, right in ((-half, -half + wall), (half - wall, half)):
        yield paper.slab(left, right, 0, h.FRAME_MM, PLASTIC)
    window = kind.pixel_mm - WINDOW_MM / 2, kind.pixel_mm + WINDOW_MM / 2
    for left, right in ((-half, -1.3), (1.3, window[0]), (window[1], half)):
        yield paper.slab(left, right, h.FRAME_MM - h.FLOOR_MM, h.FRAME_MM, PLASTIC)
    for side in (-1, 1):
        yield paper.slab(min(side * 2.3, side * tower), max(side * 2.3, side * tower), h.CLEARANCE_MM, h.FRAME_MM,
                         PLASTIC)  # fmt: skip
    yield paper.slab(kind.pixel_mm - 2.5, kind.pixel_mm + 2.5, h.FRAME_MM + 0.2, h.FRAME_MM + 1.8, "#fff")
    yield paper.slab(kind.pixel_mm - 6, kind.pixel_mm + 6, h.FRAME_MM + 1.8, h.FRAME_MM + 2.3, "#555")
    base = h.base_deep_mm("hand")
    yield paper.slab(-half + 1, -half + 13, h.FRAME_MM, base, PLASTIC)
    yield paper.words(-half + 2, h.FRAME_MM + 22, "foot")
    card = base - h.FOAM_MM
    yield paper.slab(-1, half, card, base, "#f8c")
    yield paper.slab(-1, half, card - h.PERFBOARD_MM, card, COPPER)
    yield paper.slab(6, 9, card - h.PERFBOARD_MM - 16.5, card - h.PERFBOARD_MM, "#333")
    yield paper.words(0, card - 3.2, "card")
    yield paper.words(9.6, card - 9, "plug")
    yield paper.words(5.2, h.FRAME_MM + 5.4, "pixel")


def _on_board(paper: SectionPaper, kind: Kind) -> Iterator[str]:
    half, wall = kind.half_mm, kind.wall_mm / 2
    deep, low = h.BOARD_DEEP_MM, h.BOARD_DEEP_MM - h.WALL_LIFT_MM
    yield paper.slab(-half + 1, -half + 6, 0, h.base_deep_mm(kind.build), "#f4f6f8", "#99a")  # behind the board
    for left, right in ((-half, -half + wall), (half - wall, half)):
        yield paper.slab(left, right, 0, low, PLASTIC)
    yield paper.slab(-half, half, deep, deep + h.BOARD_MM, COPPER)
    left, _, right, _ = STAND_BOX["reed"]
    for side in ((left, -1.2), (1.2, right)):
        yield paper.slab(*side, h.CLEARANCE_MM, deep, PLASTIC)
    yield paper.slab(kind.pixel_mm - 2.5, kind.pixel_mm + 2.5, deep - 1.6, deep, "#fff")
    yield paper.words(kind.pixel_mm - 2, deep - 2.4, "pixel")
    boss = -9.0 if kind.build == "strip" else -11.0
    yield paper.slab(boss - 3, boss + 3, 0, deep, PLASTIC)
    yield paper.slab(boss - 1.2, boss + 1.2, deep - 5, deep + h.BOARD_MM, "#777")
    yield paper.slab(boss - 2.4, boss + 2.4, deep + h.BOARD_MM, deep + h.BOARD_MM + 1.6, "#777")
    under = deep + h.BOARD_MM
    yield paper.slab(9, 12, under, under + 16.5, "#333")
    yield paper.path([(10.5, under + 16.5), (10.5, under + 20), (14, under + h.PLUG_MM)], WIRE)
    yield paper.words(12.8, under + 10, "plug, below")
    yield paper.words(-half + 6.6, under + 18, "leg, beside the boards")
    yield paper.words(boss + 4, under + 4.5, "screw 2.5 × 6")


def _reed(paper: SectionPaper, kind: Kind) -> Iterator[str]:
    """Yield the reed with its bent lead; the lead is drawn beside the glass, though it lies behind it on a strip."""
    top, glass = h.CLEARANCE_MM, h.CLEARANCE_MM + h.REED_BEND_MM
    foot = glass + h.REED_GLASS_MM
    x, aside = (-1.0, 1.0) if kind.build == "hand" else (0.0, 2.54)
    end = h.straight_lead_deep_mm() if kind.build == "hand" else h.BOARD_DEEP_MM + h.BOARD_MM + 1.5
    yield paper.path([(x, glass), (x, top + 0.2), (aside, top + 0.2), (aside, h.bent_lead_deep_mm())], "#555")
    pigtail = h.FRAME_MM + 7 if kind.build == "hand" else h.BOARD_DEEP_MM + h.BOARD_MM + 1.5
    yield paper.path([(aside, h.bent_lead_deep_mm()), (aside, pigtail)], RED, 0.9)
    yield circle(paper.at(aside, h.bent_lead_deep_mm()), 1.1, "#ccc", "#555", 0.3)
    yield paper.path([(x, foot), (x, end)], "#555")
    yield box(paper.at(x - 0.9, glass), (1.8 * SCALE, h.REED_GLASS_MM * SCALE), GLASS, "#368", 0.3, 1.5)


def _measures(paper: SectionPaper, kind: Kind) -> Iterator[str]:
    face, middle = -h.TOP_MM - h.SKIN_MM, h.sensor_deep_mm("reed")
    x = kind.half_mm + 1.5
    yield paper.path([(x, face), (x, middle)], "#06c", 0.4)
    for deep in (face, middle):
        yield paper.path([(x - 1, deep), (x + 1, deep)], "#06c", 0.4)
    yield paper.words(x + 1, (face + middle) / 2 + 1, f"{h.magnet_to_sensor_mm('reed'):.1f}")
    under = h.FRAME_MM if kind.build == "hand" else h.BOARD_DEEP_MM
    base = h.base_deep_mm(kind.build)
    for top, foot in ((0.0, under), (under + (0 if kind.build == "hand" else h.BOARD_MM), base)):
        yield paper.path([(x + 5, top), (x + 5, foot)], "#345", 0.4)
        for deep in (top, foot):
            yield paper.path([(x + 4, deep), (x + 6, deep)], "#345", 0.4)
        yield paper.words(x + 5.6, (top + foot) / 2 + 1, f"{foot - top:.1f}")
    words = "Blue: from the magnet to the reed's middle. Red: pigtail."
    yield paper.words(-kind.half_mm, base + h.BASE_MM + 4, words, 3.0)
