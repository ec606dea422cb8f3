"""Drawings for a person with a soldering iron: the board from below, a register card, and what goes to what.

Pins come from the wiring list and the budget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from controller.rules.mesh import Point
from hardware.power import Budget, light_rows
from hardware.profile import REGISTER_BITS, Profile, Site
from hardware.svg import box, circle, document, line, text
from hardware.wiring import INPUT_PINS, wiring

MARGIN = 14.0
# Colours that stay apart for colour-blind eyes (Okabe and Ito), one after the other along the chain.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
HOLE = 5.6  # from hole to hole of a perfboard of 2.54 mm, drawn larger
DATA_OHMS = 330  # in the wire from the first register to the Nano
# The Nano's pins by the job they have in firmware/README.md, with the 74HC165's pins they reach.
NANO = (("D13", "CP, pin 2 of all"), ("D12", "Q7, pin 9 of register 1"), ("D10", "PL, pin 1 of all"),
        ("5V", "pin 16 of all, pull-ups"), ("GND", "pins 8 and 15 of all"))  # fmt: skip


def from_below(profile: Profile) -> str:
    """Return the board as it lies on its face before you: every input of the chain, coloured by register."""
    width, height = _size(profile)

    def at(site: Site) -> Point:
        return width - site.x_mm + MARGIN, height - site.y_mm + MARGIN + 8

    shapes = [text((width / 2 + MARGIN, 8), f"{profile.title}, from below: left and right are exchanged", 5, bold=True)]
    for site in profile.sites:
        if site.kind == "cell":
            outline = [(width - x + MARGIN, height - y + MARGIN + 8) for x, y in site.outline]
            shapes.append(line(outline, "#bbb", close=True))
    shapes += _strip(profile, at)
    shapes += _chain(profile, at)
    shapes.append(text((MARGIN, height + 2 * MARGIN + 5), "1.D7 = register 1, input D7. Dashed: the strip. "
                       "Lines of one colour: one register.", 4, "start"))  # fmt: skip
    return document(width + 2 * MARGIN, height + 2 * MARGIN + 12, shapes)


def _size(profile: Profile) -> Point:
    corners = [point for site in profile.sites for point in site.outline]
    return max(x for x, _ in corners), max(y for _, y in corners)


def _strip(profile: Profile, at: Callable[[Site], Point]) -> Iterator[str]:
    for row in light_rows(profile):
        points = [(x, y + 5) for x, y in (at(site) for site in row)]
        yield line(points, "#888", 0.5, dash="2 1.2")
        yield circle(points[0], 1.2, "#888", "#888")


def _chain(profile: Profile, at: Callable[[Site], Point]) -> Iterator[str]:
    small = 1.0 if profile.pitch_mm < 60 else 0.9
    before: Point | None = None
    marks: list[str] = []  # above all lines
    for row in wiring(profile):
        colour = COLOURS[(row.register - 1) % len(COLOURS)]
        if row.bit % REGISTER_BITS == 0:
            before = None
        if row.site is None:
            continue
        here = at(row.site)
        if before is not None:
            yield line([before, here], colour, 0.7)
        name = f"{row.register}.D{row.data_input}"
        marks.append(circle(here, 2.2, "#fff", colour, 0.8))
        marks.append(text((here[0], here[1] - 3), row.site.name, 3.4 * small, bold=True, halo=True))
        marks.append(text((here[0], here[1] + 9.5), name, 3.2 * small, colour=colour, halo=True))
        before = here
    yield from marks


# ---- a card -----------------------------------------------------------------------------------------------

# Of a DIP-16: pins 1 to 8 go down the left side, 9 to 16 up the right one, three holes over.
LEFT, TOP = 9, 4


def _pin(number: int) -> Point:
    """Return the hole of a pin, seen from the side of the parts."""
    return (LEFT, TOP + number - 1) if number <= 8 else (LEFT + 3, TOP + 16 - number)


def _mm(hole: Point) -> Point:
    return 12 + hole[0] * HOLE, 18 + hole[1] * HOLE


def card() -> str:
    """Return one register on perfboard, from the side of the parts: sensors at the left, the chain at the right."""
    columns, rows = 20, 16
    shapes = [text((6, 8), "One register on perfboard, from the side of the parts", 5, "start", bold=True)]
    shapes.append(box(_mm((-1, -1)), ((columns + 1) * HOLE, (rows + 1) * HOLE), "#f6e8c8", "#a98"))
    shapes += [circle(_mm((x, y)), 0.7, "#fff", "#ca9", 0.15) for x in range(columns) for y in range(rows)]
    shapes += _sensor_side()
    shapes += _chain_side()
    shapes.append(box(_mm((LEFT - 0.6, TOP - 0.6)), (4.2 * HOLE, 8.2 * HOLE), "#444", "#000", radius=2))
    shapes.append(circle(_mm((LEFT + 1.5, TOP - 0.2)), 0.9, "#888", "#888"))
    for number in range(1, 17):
        x, y = _mm(_pin(number))
        shapes.append(circle((x, y), 1.4, "#ddd", "#000"))
        shapes.append(text((x + (3.6 if number <= 8 else -3.6), y + 1.2), str(number), 3.4, colour="#fff"))
    shapes.append(text(_mm((LEFT + 4.2, TOP + 9.4)), "74HC165", 4))
    return document(200, 124, shapes)


def _sensor_side() -> Iterator[str]:
    """Yield the eight inputs: header, pull-up network and wire to the register's pin."""
    for data_input, pin in enumerate(INPUT_PINS):
        header, pull_up = (1.0, TOP + data_input), (5.0, TOP + data_input)
        colour = COLOURS[data_input % len(COLOURS)]
        x, y = _pin(pin)
        lane = TOP - 1.5 - data_input * 0.42
        aside, beyond = 7.0 - data_input * 0.35, x + 0.7 + data_input * 0.35
        over = [(aside, pull_up[1]), (aside, lane), (beyond, lane), (beyond, y)]
        side = LEFT - 0.8 - (7 - data_input) * 0.3
        way = [pull_up, (side, pull_up[1]), (side, y)] if pin < 9 else [pull_up, *over]
        yield line([_mm(p) for p in (header, *way, (x, y))], colour, 0.9)
        yield circle(_mm(header), 1.6, colour)
        yield text((_mm(header)[0] - 3, _mm(header)[1] + 1.2), f"D{data_input}", 3.6, "end")
        yield circle(_mm(pull_up), 1.4, "#7a4", "#353")
    common, ninth = (5.0, TOP + 8.0), (5.0, TOP - 1.0)
    yield box(_mm((4.5, TOP - 1.5)), (HOLE, 10 * HOLE), "none", "#353", 0.8)
    yield circle(_mm(ninth), 1.4, "#c60", "#353")
    yield circle(_mm(common), 1.4, "#c33", "#353")
    yield text((_mm(common)[0] - 24, _mm(common)[1] + 7), "9 × 10 kΩ; red: common, to 5 V", 3.4, "start")
    yield text((_mm(ninth)[0] - 24, _mm(ninth)[1] - 5), "orange: to pin 10", 3.4, "start")


def _chain_side() -> Iterator[str]:
    """Yield the six-pole header of the chain with its wires."""
    poles = (("5V", 16, "#c00"), ("CP", 2, "#06c"), ("PL", 1, "#093"), ("DS, from the next", 10, "#c60"),
             ("Q7, to the one before", 9, "#909"), ("GND", 8, "#000"))  # fmt: skip
    for k, (name, pin, colour) in enumerate(poles):
        header = (17.0, TOP + 1.4 * k)
        x, y = _pin(pin)
        lane = LEFT + 5.4 + k * 0.35
        if pin > 8:
            way = [(lane, y), (lane, header[1])]
        else:
            turn = TOP + 8.2 if pin == 8 else TOP - 0.9 - k * 0.35
            way = [(x + 0.7, y), (x + 0.7, turn), (lane, turn), (lane, header[1])]
        yield line([_mm(p) for p in ((x, y), *way, header)], colour, 0.9)
        yield circle(_mm(header), 1.6, colour)
        yield text((_mm(header)[0] + 3, _mm(header)[1] + 1.2), f"{name} (pin {pin})", 3.6, "start")
    yield text(_mm((0, 14.9)), "Under the board: pin 15 to pin 8; 100 nF from pin 16 to pin 8;", 3.6, "start")
    yield text(_mm((0, 15.8)), "the network's last pin to pin 10.", 3.6, "start")


# ---- what goes to what ------------------------------------------------------------------------------------


def blocks(profile: Profile, found: Budget) -> str:
    """Return the whole board as blocks: supply, fuse, Pi, sensor board, chain and strip, with every wire named."""
    registers = profile.chain_length // REGISTER_BITS
    shapes = [text((100, 8), f"{profile.title}: what goes to what", 5, bold=True)]
    shapes += _block((6, 20), (36, 18), f"5 V {found.supply_ma / 1000:g} A", "supply")
    shapes += _block((54, 20), (26, 18), f"{found.branches} × {found.fuse_a:g} A", "fuses, in +")
    shapes += _block((156, 20), (42, 18), "5.1 V", "the Pi's own supply")
    shapes += _block((94, 14), (44, 30), "Raspberry Pi", "USB-C: 5.1 V", "pin 12: GPIO 18", "pin 14: GND")
    shapes += _block((94, 62), (44, 26), "74AHCT125", "pin 14: 5 V; 7, 1: GND", "pin 2: in, pin 3: out",
                     "pins 4, 10, 13: 5 V")  # fmt: skip
    shapes += _block((94, 106), (44, 36), "Arduino Nano", *(f"{pin}" for pin, _ in NANO))
    shapes += _block((156, 62), (42, 26), f"strip, {profile.light_count} pixels",
                     f"{found.rows} pieces, each fed", "1000 µF at its start")  # fmt: skip
    shapes += _block((156, 106), (42, 36), f"{registers} × 74HC165", *(f"{name}" for _, name in NANO))
    shapes.append(text((139, 128.5), f"{DATA_OHMS} Ω in D12", 2.4, "start"))
    for way, colour, words, at in _ways(found):
        shapes.append(line(way, colour, 0.8))
        shapes.append(text(at, words, 2.8, "start", colour))
    return document(204, 150, shapes)


def _block(at: Point, size: Point, title: str, *lines: str) -> Iterator[str]:
    yield box(at, size, "#f4f7fa", "#345", 0.5, 2)
    yield text((at[0] + size[0] / 2, at[1] + 6), title, 4, bold=True)
    for k, words in enumerate(lines):
        yield text((at[0] + size[0] / 2, at[1] + 11.5 + 4.6 * k), words, 3)


def _ways(found: Budget) -> Iterator[tuple[list[Point], str, str, Point]]:
    """Yield every run of wire: its points, its colour, what is written on it and where."""
    red, blue, gray = "#c00", "#06c", "#555"
    trunk = f"AWG {found.trunk.gauge}, + and GND"
    yield [(42, 29), (54, 29)], red, "", (0, 0)
    yield [(156, 29), (138, 29)], red, "USB-C", (142, 27.5)
    yield [(67, 38), (67, 98), (177, 98), (177, 88)], red, f"{trunk}, to the bus", (118.5, 96.5)
    yield [(116, 98), (116, 88)], red, "", (0, 0)
    yield [(116, 44), (116, 62)], blue, "GPIO 18 to pin 2, and GND", (118, 54)
    yield [(138, 75), (156, 75)], blue, "470 Ω", (142, 73.5)
    yield [(94, 36), (84, 36), (84, 124), (94, 124)], gray, "USB", (76, 116)
    yield [(138, 124), (156, 124)], blue, "5 wires", (140, 122)
