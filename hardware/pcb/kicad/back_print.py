"""What is printed on the back, where a person solders: values, the names of the wires at plugs, the revision."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.pcb.footprints import footprints
from hardware.pcb.netlist import Part
from hardware.pcb.placement import Land, Placement, Text, inside, lands, turned
from hardware.pcb.shapes import Box

REVISION = "rev 2, 2026-11"
SIZE = 0.8
GLYPH = 0.95  # of its size is the most that a letter takes along the line
GAP = 0.3
# Of which packages the value is printed, where from pin 1, and turned by how much.
VALUES = {"Axial": 0, "Disc": 0, "Fuse": 90, "DO-15": 0, "DO-201": 0, "Electrolytic": 90, "DIP-14": 90, "DIP-16": 90}
PLUGS = ("Pins-1x3", "Pins-1x6", "Terminal")
NAMES = {"CLOCK": "CLK", "LATCH": "LATCH", "LIGHTS": "DATA", "NEXT": "DATA", "IN_5V": "5V", "V5": "5V"}


def back_texts(board: Placement) -> tuple[Text, ...]:
    """Return the words for the back; those that would lie on a pad, on others or beyond the edge are left out."""
    pads = lands(board)
    found: list[Text] = []
    taken: list[Box] = []
    title = board.texts[-1]
    for text in (Text(REVISION, title.x, title.y, SIZE), *_values(board), *_names(board)):
        box = _box(text)
        if _fits(board, pads, taken, box):
            taken.append(box)
            found.append(text)
    return tuple(found)


def _values(board: Placement) -> Iterator[Text]:
    known = footprints()
    for each in board.circuit.parts:
        shape = known[each.device.footprint]
        if shape.name in VALUES:
            spot = board.spots[each.ref]
            xs, ys = [pad.x for pad in shape.pads], [pad.y for pad in shape.pads]
            x, y = turned((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2, spot.turn)
            yield Text(f"{each.value}", spot.x + x, spot.y + y, SIZE, (spot.turn + VALUES[shape.name]) % 180)


def _names(board: Placement) -> Iterator[Text]:
    """Yield the name of each wire at a plug, first on one side of it and then on the other."""
    for each in board.circuit.parts:
        if each.device.footprint in PLUGS:
            one, other = (list(_row(board, each, side)) for side in (1, -1))
            pads = lands(board)
            yield from one if all(_fits(board, pads, [], _box(text)) for text in one) else other


def _row(board: Placement, each: Part, side: int) -> Iterator[Text]:
    spot, shape = board.spots[each.ref], footprints()[each.device.footprint]
    for pad in shape.pads:
        net = each.nets.get(pad.number, "")
        word = NAMES.get(net, "DATA" if net[:1] == "P" and net[1:].isdigit() else net)
        x, y = turned(pad.x, pad.y + side * (pad.height / 2 + GAP + len(word) * SIZE * GLYPH / 2), spot.turn)
        yield Text(word, spot.x + x, spot.y + y, SIZE, (spot.turn + 90) % 180)


def _box(text: Text) -> Box:
    along, across = len(text.text) * text.size * GLYPH / 2, text.size * 0.65
    if text.turn % 180:
        along, across = across, along
    return text.x - along, text.y - across, text.x + along, text.y + across


def _fits(board: Placement, pads: tuple[Land, ...], taken: list[Box], box: Box) -> bool:
    left, top, right, bottom = box
    if not all(inside(board.edge, x, y, 0.5) for x in (left, right) for y in (top, bottom)):
        return False
    if any(left < b[2] + 0.1 and b[0] - 0.1 < right and top < b[3] + 0.1 and b[1] - 0.1 < bottom for b in taken):
        return False
    return not any(
        pad.drill
        and left < pad.x + pad.width / 2 + 0.15
        and pad.x - pad.width / 2 - 0.15 < right
        and top < pad.y + pad.height / 2 + 0.15
        and pad.y - pad.height / 2 - 0.15 < bottom
        for pad in pads
    )
