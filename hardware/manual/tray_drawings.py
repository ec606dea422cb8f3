"""The box of a board that comes assembled, as drawings: a section through its stack, and the board from above.

Heights are those of `hardware.height_budget` and places those of the circuit board, so the pictures are what is built.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from controller.rules.mesh import Point
from hardware import height_budget as h
from hardware.manual.section_drawing import SectionPaper
from hardware.printables import geometry as g
from hardware.printables import tray
from hardware.printables.board_frames import BOSS_MM
from hardware.printables.board_places import Body, Laid, box_of
from hardware.printables.models import BASE_MM
from hardware.profile import Profile
from hardware.svg import box, circle, document, line, text

SCALE = 3.0  # the section is drawn larger than it is
LEFT_MM, UP_MM = 8.0, 20.0  # of paper beside the box and above the sheet's lower side
CUT_MM = 62.0  # of the box that the section shows, from its edge
PLASTIC, SHEET, COPPER, STEEL, WHITE = "#dfe6ee", "#f3f6ff", "#7fae86", "#8a8f96", "#fff"
MARGIN_MM, HEAD_MM, FOOT_MM = 24.0, 14.0, 35.0  # of the plan
LEGEND_MM = 30.0  # below the board


def section(profile: Profile) -> str:
    """Return the section through the tray's wall, a cell with its piece, and the screw at the cell's corner."""
    paper = SectionPaper(LEFT_MM, UP_MM, SCALE, size=4.8, line=0.4)
    low = h.BOARD_DEEP_MM + h.BOARD_MM + tray.under_mm(profile) + tray.FLOOR_MM
    shapes = [*_stack(paper, profile, low), *_screw(paper, profile, low), *_heights(paper, low)]
    return document((LEFT_MM + CUT_MM + 48) * SCALE, (UP_MM + low + 6) * SCALE, shapes)


def _stack(paper: SectionPaper, profile: Profile, low: float) -> Iterator[str]:
    pitch, deep = profile.pitch_mm, h.BOARD_DEEP_MM
    outer, inner = -tray.GAP_MM - g.WALL_MM, -tray.GAP_MM
    middle = pitch / 2
    if profile.has_tiles:
        yield paper.slab(0, tray.SEAM_WALL_MM, 0, deep - h.WALL_LIFT_MM, PLASTIC)
        yield paper.words(4, deep + 8, "ribbons go here")
        inner = 0.0
    else:
        yield paper.slab(outer, inner, -h.TOP_MM, low, PLASTIC)
    yield paper.slab(inner, CUT_MM, low - tray.FLOOR_MM, low, PLASTIC)
    yield paper.slab(inner, CUT_MM, -h.TOP_MM, 0, SHEET)
    yield paper.slab(0, CUT_MM, deep, deep + h.BOARD_MM, COPPER)
    yield paper.slab(middle - 1.5, middle + 1.5, deep - 1.1, deep, "#333")
    pixel = middle + h.PIXEL_OFF_MM  # it lies before or behind the sensor; drawn beside it
    yield paper.slab(pixel - h.PIXEL_SIDE_MM / 2, pixel + h.PIXEL_SIDE_MM / 2, deep - 1.6, deep, WHITE)
    face, sizes = -h.TOP_MM, g.parts(profile)
    half, (wide, high) = sizes.tokens["cell"] / 2, sizes.disc
    yield paper.slab(middle - half, middle + half, face - BASE_MM, face, WHITE)
    skin = face - h.SKIN_MM
    yield paper.slab(middle - wide / 2, middle + wide / 2, skin - high, skin, "#b33")
    yield paper.words(middle - 13, face - BASE_MM - 1.5, f"piece, with a magnet of {wide:g} × {high:g} mm")
    yield paper.words(pitch + 8, face - 1.5, "sheet, on the walls' edges")
    yield paper.words(middle - 3, deep - 2.6, "sensor", anchor="end")
    yield paper.words(pixel - 2, deep - 3.2, "pixel")
    yield paper.words(pitch + 14, deep - 3, "circuit board")
    yield paper.words(1.5, low + 4.6, "tray")


def _screw(paper: SectionPaper, profile: Profile, low: float) -> Iterator[str]:
    """Yield post, screw and boss at the corner of a cell, and the wall that begins there."""
    x, deep, under = profile.pitch_mm, h.BOARD_DEEP_MM, h.BOARD_DEEP_MM + h.BOARD_MM
    yield paper.slab(x - g.WALL_MM / 2, CUT_MM, 0, deep - h.WALL_LIFT_MM, PLASTIC)
    yield paper.slab(x - BOSS_MM / 2, x + BOSS_MM / 2, 0, deep, PLASTIC)
    yield paper.slab(x - tray.POST_MM / 2, x + tray.POST_MM / 2, under, low, PLASTIC)
    head = low - tray.HEAD_DEEP_MM
    yield paper.slab(x - tray.HEAD_MM / 2, x + tray.HEAD_MM / 2, head, low, WHITE)
    yield paper.slab(x - 2.4, x + 2.4, head, head + 1.7, STEEL)
    yield paper.slab(x - 1.25, x + 1.25, head - tray.screw_mm(profile), head, STEEL)
    yield paper.words(x + 5, 5, "grid: its wall, and the boss that the screw bites into")
    bites = f"{tray.screw_bites_mm(profile):.1f} mm in plastic"
    yield paper.words(x + 6, low + 4.6, f"screw 2.5 × {tray.screw_mm(profile):g}, {bites}")


def _heights(paper: SectionPaper, low: float) -> Iterator[str]:
    marks = (-h.TOP_MM, 0.0, h.BOARD_DEEP_MM, h.BOARD_DEEP_MM + h.BOARD_MM, low - tray.FLOOR_MM, low)
    x = CUT_MM + 4
    yield paper.path([(x, marks[0]), (x, marks[-1])], "#345")
    for deep in marks:
        yield paper.path([(x - 1, deep), (x + 1, deep)], "#345")
    for top, foot in pairwise(marks):
        yield paper.words(x + 2, (top + foot) / 2 + 0.7, f"{foot - top:.1f} mm")


def plan(profile: Profile) -> str:
    """Return the board from above, as it lies before player 1: cells, screws, button, and where the plug goes in."""
    board = tray.board_of(profile)
    side = box_of(board.edge)[1]

    def place(x: float, y: float) -> Point:
        return MARGIN_MM + x, HEAD_MM + side[1] - y

    shapes = [text((MARGIN_MM + side[0] / 2, 9), "From above; player 1 sits at the front", 5, bold=True)]
    shapes.append(box(place(0, side[1]), side, "#eef4ef", "#345", 0.5))
    for site in profile.sites:
        shapes.append(line([place(x, y) for x, y in site.outline], "#9ab", 0.3, close=True))
        shapes.append(text(place(site.x_mm - 11, site.y_mm - 13), site.name, 4.5, colour="#678"))
        shapes.append(circle(place(site.x_mm, site.y_mm), 1.5, "#333"))
        x, y = board.pixels[site.name]
        shapes.append(box(place(x - 2.5, y + 2.5), (5, 5), WHITE, "#345", 0.3))
    for number, (x, y) in enumerate(crosswise(board.screws), 1):
        shapes.append(circle(place(x, y), 4.2, "#ffe9a8", "#345", 0.4))
        shapes.append(text((place(x, y)[0], place(x, y)[1] + 1.8), str(number), 5, bold=True))
    legend = "Numbers: screws, from below, in this order. Dot: sensor. White square: light."
    shapes.append(text((MARGIN_MM + side[0] / 2, HEAD_MM + side[1] + LEGEND_MM), legend, 5))
    shapes += _pointed(_body(board, "USB-C"), place, "the cable comes in here", 12.0)
    shapes += _pointed(_body(board, "Button"), place, "button BOOT: held down while it is plugged in", 20.0)
    return document(side[0] + 2 * MARGIN_MM, side[1] + HEAD_MM + FOOT_MM, shapes)


def crosswise(screws: Sequence[Point]) -> list[Point]:
    """Return the screws in the order in which they are driven in: the middle, then from corner to corner."""
    left, right = min(x for x, _ in screws), max(x for x, _ in screws)
    low, high = min(y for _, y in screws), max(y for _, y in screws)
    corners = [(left, low), (right, high), (left, high), (right, low)]
    return sorted(screws, key=lambda at: corners.index(at) + 1 if at in corners else 0)


def _body(board: Laid, footprint: str) -> Body:
    return next(body for body in board.bodies if body.footprint == footprint)


def _pointed(body: Body, place: Callable[[float, float], Point], words: str, off_mm: float) -> Iterator[str]:
    """Yield a part, with its name below the board."""
    (left, low), (right, high) = box_of(body.corners)
    x, y = place((left + right) / 2, 0)
    yield box(place(left, high), (right - left, high - low), STEEL, "#222", 0.4)
    yield line([(x, y - low), (x, y + off_mm - 5)], "#222", 0.5)
    yield text((x, y + off_mm), words, 5)
