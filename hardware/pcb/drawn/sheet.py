"""The sheet: where blocks, small parts and wires lie, from a plan.

What is drawn is kept twice: as shapes, and as wires with the pins and names at their ends, by which the tests see that
the drawing joins what the circuit joins.
"""

from __future__ import annotations

import math
from itertools import pairwise

import msgspec

from hardware.pcb.drawn import marks
from hardware.pcb.drawn.plan import GROUND, Block, HungPart, Leg, SheetPlan, plan
from hardware.pcb.placement import Placement
from hardware.svg import box, circle, document, line, text

Point = tuple[float, float]

ROW, STUB = 7.0, 5.0  # from pin to pin; the bare wire at a pin
SYMBOL = 12.0  # a small part with its legs
SHUNT = SYMBOL + 4 * STUB / 5  # how far a part to a supply reaches
LABEL_MM, LETTER_MM = 3.0, 1.9  # beside a wire's end; a letter of 2.8 mm on average
TRACK, CHANNEL = 2.5, 6.0  # from wire to wire in a channel; its margin
BODY, HEAD = 26.0, 9.0  # width of a block, and its title
APART, BAND = 5.0, 14.0  # between blocks, with the title whole rows; between bands
LEFT, TOP = 8.0, 16.0
INK, WIRE = "#222", "#06c"


class Sheet(msgspec.Struct):
    """A drawing. ``ends`` has where each pin of each part is met by its wire, ``names`` what is written at an end."""

    shapes: list[str] = []
    wires: list[list[Point]] = []
    ends: dict[tuple[str, str], Point] = {}
    names: list[tuple[str, Point]] = []
    width: float = 0.0
    height: float = 0.0

    def wire(self, *points: Point) -> None:
        """Draw a wire."""
        way = [(round(x, 3), round(y, 3)) for x, y in points]
        if len(set(way)) > 1:
            self.wires.append(way)
            self.shapes.append(line(way, WIRE, 0.35))

    def name(self, net: str, at: Point, way: int) -> None:
        """Write a net's name at the end of a wire that goes ``way``: 1 to the right, -1 to the left."""
        x, y = at
        self.names.append((net, (round(x, 3), round(y, 3))))
        self.shapes.append(text((x + way, y + 1), net, 2.8, "start" if way > 0 else "end", WIRE))

    def power(self, net: str, at: Point) -> None:
        """Draw the symbol of ground or of a supply."""
        self.names.append((net, (round(at[0], 3), round(at[1], 3))))
        self.shapes += marks.ground(at) if net == GROUND else marks.supply(at, net)

    def small(self, hung: HungPart, at: Point, way: int) -> Point:
        """Draw a part of two legs in a wire that goes ``way``; return where it goes on."""
        x, y = at
        end = x + way * SYMBOL, y
        self.ends[hung.part.ref, hung.near] = (round(x, 3), round(y, 3))
        self.ends[hung.part.ref, hung.far] = (round(end[0], 3), round(y, 3))
        self.shapes += marks.small(hung, at, way, SYMBOL)
        return end


def sheet(layout: SheetPlan, title: str) -> Sheet:
    """Return the drawing of a plan."""
    drawn = Sheet([], [], {}, [])
    y = TOP
    for band in layout.bands:
        y = _band(drawn, layout, band, y) + BAND
    y = _loose(drawn, layout, y)
    if layout.left_out:
        words = f"Not drawn: {layout.left_out[0]} to {layout.left_out[-1]}, holes for wires, which lead these nets on."
        drawn.shapes.append(text((LEFT, y), words, 2.8, "start"))
        y += ROW
    drawn.shapes.insert(0, text((LEFT, 9), title, 5, "start", bold=True))
    drawn.height = y
    drawn.width = max(drawn.width, 120.0)
    return drawn


def page(board: Placement) -> str:
    """Return the drawing of a board's circuit as an SVG file."""
    drawn = sheet(plan(board.circuit, board.power), board.circuit.title)
    paper = box((0, 0), (drawn.width, drawn.height), "#fff", "#fff")
    return document(drawn.width, drawn.height, [paper, *drawn.shapes])


# ---- a band of columns ------------------------------------------------------------------------------------


class LegEnd(msgspec.Struct):
    """The end of a leg in a channel, whence a wire or a name goes on; ``way`` it points."""

    net: str
    at: Point
    way: int


def _band(drawn: Sheet, layout: SheetPlan, band: list[list[Block]], top: float) -> float:
    """Draw columns and the wires between them; return where they end."""
    x, bottom = LEFT, top
    before: list[LegEnd] = []
    for number, column in enumerate(band):
        reach = max((_reach(leg, layout) for block in column for leg in block.legs if leg.side == "left"), default=0.0)
        ports = list(before)
        left_nets = [leg.outer for b in column for leg in b.legs if leg.side == "left" and _signal(leg, layout)]
        start = x
        x += _channel_width([port.net for port in ports] + left_nets, bool(before)) + reach
        # Half a row lower than its neighbours, so that no two wires lie on one another.
        y, right = top + number % 2 * ROW / 2, []
        for block in column:
            y, ends = _block(drawn, layout, block, (x, y))
            ports += [port for port in ends if port.way < 0]
            right += [port for port in ends if port.way > 0]
            y += APART
        bottom = max(bottom, y - APART)
        _wires(drawn, layout, ports, start)
        reach = max((_reach(leg, layout) for block in column for leg in block.legs if leg.side == "right"), default=0.0)
        x += BODY + reach
        before = right
    _wires(drawn, layout, before, x)
    x += _channel_width([port.net for port in before], True)
    drawn.width = max(drawn.width, x + LEFT)
    return bottom


def _signal(leg: Leg, layout: SheetPlan) -> bool:
    return bool(leg.outer) and leg.outer not in layout.power


def _reach(leg: Leg, layout: SheetPlan) -> float:
    """Return how far a leg with all that hangs on it comes out of its block."""
    reach = STUB + (SYMBOL + STUB if leg.through else 0)
    if leg.shunts_beyond:
        return reach + SHUNT + _room(leg.shunts_beyond[0].to)
    if leg.shunts:
        reach = max(reach, STUB + SHUNT + _room(leg.shunts[0].to))
    return reach if _signal(leg, layout) else reach + _room(leg.outer)


def _room(net: str) -> float:
    return len(net) * LETTER_MM / 2 + 1


def _channel_width(nets: list[str], wanted: bool) -> float:
    if not wanted and not nets:
        return 0.0
    longest = max((len(net) for net in nets), default=0) * LETTER_MM + LABEL_MM
    return 2 * CHANNEL + len(set(nets)) * TRACK + 2 * longest


def _rows(leg: Leg) -> int:
    return 1 + len(leg.shunts) + len(leg.shunts_beyond)


def _block(drawn: Sheet, layout: SheetPlan, block: Block, at: Point) -> tuple[float, list[LegEnd]]:
    """Draw a block with its legs; return where it ends and the ends of its legs."""
    x, top = at
    ports, lowest = [], top + HEAD
    for side, way in (("left", -1), ("right", 1)):
        y = top + HEAD
        for leg in block.legs:
            if leg.side == side:
                ports += _leg(drawn, layout, block, leg, (x if way < 0 else x + BODY, y), way)
                y += ROW * _rows(leg)
        lowest = max(lowest, y)
    drawn.shapes.append(box((x, top), (BODY, lowest - top - ROW / 2 + 1), "none", INK, 0.4))
    what = block.part.note or (block.part.value if block.part.value != block.part.ref else block.part.device.name)
    drawn.shapes.append(text((x + BODY / 2, top + 3.4), block.part.ref, 3.2, bold=True))
    drawn.shapes.append(text((x + BODY / 2, top + 6.2), what, 2.4))
    return lowest, ports


def _leg(drawn: Sheet, layout: SheetPlan, block: Block, leg: Leg, at: Point, way: int) -> list[LegEnd]:
    x, y = at
    inner = (x - way * 1.2, y + 0.9)
    said = leg.name if leg.name != leg.number else leg.net
    drawn.shapes.append(text(inner, said, 2.5, "end" if way > 0 else "start"))
    drawn.shapes.append(text((x + way * 0.8, y - 0.6), leg.number, 1.8, "start" if way > 0 else "end", "#777"))
    end = x + way * STUB, y
    drawn.ends[block.part.ref, leg.number] = (round(x, 3), round(y, 3))
    if not leg.net:
        drawn.shapes += marks.open_end((x, y), way)
        return []
    drawn.wire(at, end)
    low = _shunts(drawn, leg.shunts, end, y, way)
    if leg.through is not None:
        there = drawn.small(leg.through, end, way)
        end = there[0] + way * STUB, y
        drawn.wire(there, end)
    _shunts(drawn, leg.shunts_beyond, end, low, way)
    if leg.outer in layout.power:
        drawn.power(leg.outer, end)
        return []
    if leg.shunts_beyond and _places(layout)[leg.outer] == 1:
        return []  # it ends here
    return [LegEnd(leg.outer, end, way)]


def _shunts(drawn: Sheet, shunts: tuple[HungPart, ...], at: Point, low: float, way: int) -> float:
    """Draw what hangs between a wire at ``at`` and supplies, a row each below ``low``; return the lowest row."""
    for hung in shunts:
        low += ROW
        x = at[0]
        drawn.wire(at, (x, low), (x + way * STUB / 5, low))
        drawn.shapes.append(circle(at, 0.6, WIRE, WIRE))
        there = drawn.small(hung, (x + way * STUB / 5, low), way)
        end = there[0] + way * STUB / 5, low
        drawn.wire(there, end)
        drawn.power(hung.to, end)
    return low


# ---- wires in a channel -----------------------------------------------------------------------------------


def _wires(drawn: Sheet, layout: SheetPlan, ports: list[LegEnd], start: float) -> None:
    """Join the ends of legs that face each other; a net that goes on elsewhere has its name at its wire."""
    nets = dict.fromkeys(port.net for port in ports)
    everywhere = _places(layout)
    tracks = [net for net in nets if sum(port.net == net for port in ports) > 1]
    alone = [net for net in nets if net not in tracks]
    first = max((port.at[0] for port in ports if port.way > 0), default=start) + CHANNEL
    first += max((len(port.net) * LETTER_MM for port in ports if port.way > 0 and port.net in alone), default=0.0)
    for net in nets:
        mine = [port for port in ports if port.net == net]
        if net not in tracks:
            port = mine[0]
            drawn.name(net, port.at, port.way)
            continue
        x = first + tracks.index(net) * TRACK
        ys = sorted(port.at[1] for port in mine)
        for port in mine:
            drawn.wire(port.at, (x, port.at[1]))
        for above, below in pairwise(ys):
            drawn.wire((x, above), (x, below))
        for y in ys[1:-1]:
            drawn.shapes.append(circle((x, y), 0.6, WIRE, WIRE))
        if everywhere[net] > len(mine):
            drawn.names.append((net, (round(x, 3), round(ys[0], 3))))
            drawn.shapes.append(text((x + 0.6, ys[0] - 0.8), net, 2.4, "start", WIRE, halo=True))


def _places(layout: SheetPlan) -> dict[str, int]:
    found: dict[str, int] = {}
    for band in layout.bands:
        for column in band:
            for block in column:
                for leg in block.legs:
                    found[leg.outer] = found.get(leg.outer, 0) + 1
    return found


def _loose(drawn: Sheet, layout: SheetPlan, top: float) -> float:
    """Draw what lies between supplies in rows at the foot."""
    step = SYMBOL + 26.0
    across = max(1, math.floor((max(drawn.width, 160.0) - 2 * LEFT) / step))
    for k, hung in enumerate(layout.loose):
        x, y = LEFT + 8 + k % across * step, top + k // across * 3 * ROW
        there = drawn.small(hung, (x, y), 1)
        for net, at, way in ((hung.part.nets[hung.near], (x, y), -1), (hung.to, there, 1)):
            end = at[0] + way * STUB / 2, y
            drawn.wire(at, end)
            if net in layout.power:
                drawn.power(net, end)
            else:
                drawn.name(net, end, way)
    rows = math.ceil(len(layout.loose) / across)
    drawn.width = max(drawn.width, LEFT + 8 + min(len(layout.loose), across) * step)
    return top + rows * 3 * ROW
