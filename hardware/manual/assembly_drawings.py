"""What a step of the manual looks like when it is done: the bent reed; frame, wires and lights from below; the case.

Places come from the profile and from the printed parts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from controller.rules.mesh import Point, middle_of
from hardware import height_budget as h
from hardware.manual.bill import cards_of
from hardware.manual.wiring_drawing import COLOURS, MARGIN
from hardware.pcb.placement import size_mm
from hardware.power import light_rows
from hardware.printables import case
from hardware.printables.geometry import TOWER_MM, WINDOW_MM, sections
from hardware.printables.underside import FOOT_MM, feet
from hardware.profile import Profile
from hardware.svg import box, circle, document, line, text

PLUS, GROUND, DATA = "#c00", "#000", "#093"
CARD_MM = (70.0, 50.0)
CARD_STEP_MM = 5.0
HEAD_MM = 12.0
BUS_MM = 7.0  # beside the board's edge
REED_SCALE = 5.0


class _Below:
    """Places of a board that lies on its face: left and right are exchanged, row 1 stays at the bottom."""

    def __init__(self, profile: Profile) -> None:
        corners = [point for site in profile.sites for point in site.outline]
        self.width, self.height = max(x for x, _ in corners), max(y for _, y in corners)

    def at(self, x: float, y: float) -> Point:
        return self.width - x + MARGIN, self.height - y + MARGIN + HEAD_MM

    def drawing(self, title: str, foot: str, shapes: Iterator[str]) -> str:
        head = text((self.width / 2 + MARGIN, 9), title, 5, bold=True)
        under = text((MARGIN, self.height + 2 * MARGIN + HEAD_MM - 2), foot, 4, "start")
        return document(self.width + 2 * MARGIN, self.height + 2 * MARGIN + HEAD_MM + 4, (head, *shapes, under))


def _outlines(profile: Profile, place: Callable[[float, float], Point]) -> Iterator[str]:
    for site in profile.sites:
        if site.kind == "cell":
            yield line([place(x, y) for x, y in site.outline], "#bbb", close=True)


def reed() -> str:
    """Return a reed before and after its lead is bent, with its pigtail, and which way the lead goes."""
    shapes = [text((8, 10), "The reed: before, bent, in its tower", 6, "start", bold=True)]
    shapes += _straight_reed((16, 20))
    shapes += _bent_reed((75, 20))
    shapes += _seen_from_above((165, 32))
    return document(235, 215, shapes)


def _straight_reed(at: Point) -> Iterator[str]:
    x, y, k = at[0], at[1], REED_SCALE
    lead, glass = h.reed_lead_mm(), h.REED_GLASS_MM
    yield line([(x, y), (x, y + h.REED_OVERALL_MM * k)], "#777", 1.2)
    yield box((x - 0.9 * k, y + lead * k), (1.8 * k, glass * k), "#bfe3f2", "#368", 0.5, 4)
    yield text((x + 7, y + lead * k / 2), f"lead {lead:.1f} mm", 4.5, "start")
    yield text((x + 7, y + (lead + glass / 2) * k), f"glass {glass:g} mm", 4.5, "start")
    yield text((x + 7, y + (lead + glass) * k + 30), f"in all {h.REED_OVERALL_MM:g} mm", 4.5, "start")


def _bent_reed(at: Point) -> Iterator[str]:
    x, y, k = at[0], at[1], REED_SCALE
    glass, aside = h.REED_BEND_MM, h.REED_ASIDE_MM
    end = h.bent_lead_deep_mm() - h.CLEARANCE_MM
    yield line([(x, y + glass * k), (x, y), (x + aside * k, y), (x + aside * k, y + end * k)], "#777", 1.2)
    yield line([(x + aside * k, y + 2), (x + aside * k, y + (end - 1.5) * k)], "#f2b632", 3.0)
    yield line([(x + aside * k, y + end * k), (x + aside * k, y + 33 * k)], PLUS, 1.6)
    yield circle((x + aside * k, y + end * k), 2.4, "#ddd", "#555", 0.6)
    foot = glass + h.REED_GLASS_MM + h.reed_lead_mm()
    yield line([(x, y + (glass + h.REED_GLASS_MM) * k), (x, y + foot * k)], "#777", 1.2)
    yield box((x - 0.9 * k, y + glass * k), (1.8 * k, h.REED_GLASS_MM * k), "#bfe3f2", "#368", 0.5, 4)
    yield text((x - 6, y + glass * k / 2 + 2), f"{glass:g} mm", 4.2, "end")
    yield text((x - 6, y + glass * k / 2 + 7), "pliers here", 3.6, "end")
    right = x + aside * k + 4
    yield text((right, y + 18), "sleeve", 4.2, "start")
    yield text((right, y + end * k + 2), "joint: solder the pigtail on", 4.2, "start")
    yield text((right, y + end * k + 8), "before the reed goes in", 4.2, "start")
    yield text((right, y + 27 * k), "pigtail, 60 mm of wire", 4.2, "start")
    yield text((right, y + 27 * k + 6), "to the ground wire", 4.2, "start")
    yield text((x - 4, y + 22 * k), "to the card", 4.2, "end")


def _seen_from_above(at: Point) -> Iterator[str]:
    x, y, k = at[0], at[1], REED_SCALE
    yield text((x - 12, y - 14), "from above, player 1 below", 4.2, "start")
    yield circle((x, y + 8), TOWER_MM / 2 * k, "#dfe6ee", "#345", 0.5)
    yield box((x - 2.3 * k, y + 8 - 1.3 * k), (4.6 * k, 2.6 * k), "#fff", "#345", 0.4, 1.3 * k)
    yield circle((x - k, y + 8), 0.9 * k, "#bfe3f2", "#368", 0.5)
    yield circle((x + k, y + 8), 0.5 * k, PLUS, "#555", 0.4)
    yield line([(x + 2 * k, y + 8), (x + 7 * k, y + 8)], "#345", 0.7)
    yield line([(x + 6 * k, y + 6), (x + 7 * k, y + 8), (x + 6 * k, y + 10)], "#345", 0.7)
    yield text((x - 12, y + 36), "All bent leads to the right,", 4.2, "start")
    yield text((x - 12, y + 42), "on every site of a board.", 4.2, "start")


def frame_from_below(profile: Profile) -> str:
    """Return the frame on its face: feet, screws between sections, windows, and the side of each bent lead."""
    below = _Below(profile)
    foot = "Red dot: bent lead. Square: window. Large round: foot. Green: screw from section to section."
    return below.drawing(f"{profile.title}: the frame from below", foot, _frame(profile, below))


def _frame(profile: Profile, below: _Below) -> Iterator[str]:
    yield from _outlines(profile, below.at)
    for site in profile.sites:
        x, y = below.at(site.x_mm, site.y_mm - h.PIXEL_OFF_MM)
        yield box((x - WINDOW_MM / 2, y - WINDOW_MM / 2), (WINDOW_MM, WINDOW_MM), "#fff8d8", "#a83", 0.3)
        x, y = below.at(site.x_mm, site.y_mm)
        yield circle((x, y), TOWER_MM / 2, "#fff", "#345", 0.3)
        yield circle((x + 1, y), 0.9, "#bfe3f2", "#368", 0.3)  # mirrored: the glass is at the right here
        yield circle((x - 1, y), 0.6, PLUS, PLUS, 0.2)
    for section in sections(profile):
        for at in feet(section):
            yield circle(below.at(*at), FOOT_MM / 2, "#cfd8e3", "#345", 0.4)
            yield circle(below.at(*at), 1.5, "#fff", "#345", 0.3)
        for x_mm, y_mm, _ in section.edges:
            yield circle(below.at(x_mm, y_mm), 1.6, DATA, DATA, 0.2)


def wires_from_below(profile: Profile) -> str:
    """Return the sensor wires from below: ground from site to site, and each site's own wire to its card."""
    below = _Below(profile)
    foot = "Black: ground, from site to site. Coloured: to the card, one colour a register. Cards lie on the base."
    return below.drawing(f"{profile.title}: sensor wires from below", foot, _wires(profile, below))


def _wires(profile: Profile, below: _Below) -> Iterator[str]:
    yield from _outlines(profile, below.at)
    cards = zip(cards_of(profile), card_places(profile), strict=True)
    for number, (registers, place) in enumerate(cards, 1):
        sites = [site for _, site in registers]
        mid = below.at(*place)
        corner = mid[0] - CARD_MM[0] / 2, mid[1] - CARD_MM[1] / 2
        yield box(corner, CARD_MM, "#f6e8c8", "#a98", 0.4)
        yield text((mid[0], corner[1] + 6), f"card {number}", 4.5, halo=True)
        ground = [below.at(site.x_mm + 1, site.y_mm) for site in sites]
        for a, b in pairwise(ground):
            yield line([a, b], GROUND, 0.7)
        yield line([ground[0], (mid[0], corner[1] + CARD_MM[1] - 3)], GROUND, 0.7)
        for k, (register, site) in enumerate(registers):
            x, y = below.at(site.x_mm - 1, site.y_mm)
            edge = corner[0] + 6 + (k % 8) * 4 + (32 if k >= 8 else 0), mid[1]
            yield line([(x, y), edge], COLOURS[(register - 1) % len(COLOURS)], 0.5)
            yield circle((x, y), 0.8, COLOURS[(register - 1) % len(COLOURS)], "none")


def card_places(profile: Profile) -> list[Point]:
    """Return the middles of the cards on the base: near their sites, clear of feet, edge and other cards.

    A card for which there is no such place lies in the middle of its sites.
    """
    below = _Below(profile)
    standing = [foot for section in sections(profile) for foot in feet(section)]
    found: list[Point] = []
    steps = [k * CARD_STEP_MM for k in range(-40, 41)]
    shifts = sorted(((x, y) for x in steps for y in steps), key=lambda shift: math.hypot(*shift))
    for card in cards_of(profile):
        x, y = middle_of([(site.x_mm, site.y_mm) for _, site in card])
        spots = ((x + dx, y + dy) for dx, dy in shifts)
        found.append(next((spot for spot in spots if _free(spot, below, standing, found)), (x, y)))
    return found


def _free(spot: Point, below: _Below, standing: Sequence[Point], cards: Sequence[Point]) -> bool:
    half = CARD_MM[0] / 2, CARD_MM[1] / 2
    for size, at, room in ((below.width, spot[0], half[0]), (below.height, spot[1], half[1])):
        if not room <= at <= size - room:
            return False
    for x, y in standing:
        if abs(x - spot[0]) < half[0] + FOOT_MM / 2 and abs(y - spot[1]) < half[1] + FOOT_MM / 2:
            return False
    return all(abs(x - spot[0]) >= CARD_MM[0] or abs(y - spot[1]) >= CARD_MM[1] for x, y in cards)


def lights_from_below(profile: Profile) -> str:
    """Return the lights from below: the bus at the edge, every piece with its feed, data from piece to piece."""
    below = _Below(profile)
    foot = "Red: 5 V. Black: ground. Green: data, along the arrows. R: 470 Ω. C: 1000 µF, its minus on black."
    return below.drawing(f"{profile.title}: lights from below", foot, _lights(profile, below))


def _lights(profile: Profile, below: _Below) -> Iterator[str]:
    yield from _outlines(profile, below.at)
    left = MARGIN - BUS_MM
    rows = [[below.at(site.x_mm, site.y_mm - h.PIXEL_OFF_MM) for site in row] for row in light_rows(profile)]
    low, high = min(y for row in rows for _, y in row), max(y for row in rows for _, y in row)
    yield line([(left, low), (left, high + 8)], PLUS, 1.2)
    yield line([(left + 3, low), (left + 3, high + 8)], GROUND, 1.2)
    for number, row in enumerate(rows):
        near = min(row)
        yield line([(left, near[1] - 1.5), (near[0], near[1] - 1.5)], PLUS, 0.6)
        yield line([(left + 3, near[1] + 1.5), (near[0], near[1] + 1.5)], GROUND, 0.6)
        for a, b in pairwise(row):
            yield line([a, b], DATA, 0.8)
            yield from _arrow(a, b)
        if number:
            yield line([rows[number - 1][-1], row[0]], DATA, 0.6, dash="2 1")
        yield from (box((x - 2.5, y - 2.5), (5, 5), "#fff", "#555", 0.3) for x, y in row)
    x, y = rows[0][0]
    yield text((x, y + 9), "data comes in here, by R", 3.6, colour=DATA, halo=True)
    yield text((left + 5, high + 8), "C, and the trunk", 3.6, "start", halo=True)


def _arrow(a: Point, b: Point) -> Iterator[str]:
    mid, long = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), math.dist(a, b)
    dx, dy = (b[0] - a[0]) / long * 1.8, (b[1] - a[1]) / long * 1.8
    yield line([(mid[0] - dx - dy, mid[1] - dy + dx), mid, (mid[0] - dx + dy, mid[1] - dy - dx)], DATA, 0.7)


def case_plan(profile: Profile) -> str:
    """Return the case from above: what stands where, with every post."""
    wide, deep, _ = case.INSIDE_MM
    edge = 12.0

    def at(x: float, y: float) -> Point:
        return x + edge, deep - y + edge + 6

    shapes = [text((edge, 9), "The case from above; its front is below", 5, "start", bold=True)]
    shapes.append(box(at(0, deep), (wide, deep), "#f4f6f8", "#345", 1.2, 3))
    rooms = [("Raspberry Pi, hat on top", case.pi_at(), case.PI_MM), ("bare Nano", case.nano_at(), case.NANO_MM)]
    rooms += [(name, spot, size_mm(placed)) for name, (placed, spot) in case.boards_in(profile).items()]
    for name, (x, y), (w, d) in rooms:
        shapes.append(box(at(x, y + d), (w, d), "#dcebdc", "#474", 0.5))
        shapes.append(text(at(x + w / 2, y + d / 2), name, 4.5))
    holes = [(case.pi_at()[0] + x, case.pi_at()[1] + y) for x, y in case.PI_HOLES]
    holes += [post for placed, spot in case.boards_in(profile).values() for post in case.posts(placed, spot)]
    shapes += [circle(at(x, y), 2.1, "#fff", "#345", 0.4) for x, y in holes]
    shapes.append(text(at(wide + 1, 25), "USB", 3.6, "start"))
    shapes.append(text(at(case.pi_at()[0] + 25, -6), "Pi: supply, video", 3.6))
    shapes.append(text(at(case.usb_at(*case.boards_in(profile)["carrier"]), -6), "USB of the carrier", 3.6))
    return document(wide + 2 * edge + 6, deep + 2 * edge + 8, shapes)
