"""Footprints: where the pads of a package lie. Here those for hand soldering, made by rule on a 2.54 mm grid.

Millimetres from pin 1 (a pixel: from its middle), x right, y down, as KiCad has them.
"""

from __future__ import annotations

from hardware.pcb.shapes import Box, Footprint, Pad, Point
from hardware.pcb.surface import surface

PITCH = 2.54
LINK_PITCH = 1.905
BOX_COLUMNS = 6
SCREW = "Screw-M2.5"
PLUG_SLOT, PLUG_SLOT_OFF = 6.0, 4.5  # of the slot for a ribbon: its width, its middle from the header's mouth
SMALL, WIDE = 0.8, 1.0  # drills: legs of chips and resistors; square pins
PAD = 1.6


def _pad(number: int, x: float, y: float, drill: float, size: float = PAD) -> Pad:
    return Pad(str(number), x, y, size, size, drill, "rect" if number == 1 else "circle")


def _two_rows(name: str, count: int, apart: float, body: Box, drill: float) -> Footprint:
    """Return a package whose pins go down on the left and up again on the right."""
    half = count // 2
    left = [_pad(k + 1, 0, k * PITCH, drill) for k in range(half)]
    right = [_pad(half + k + 1, apart, (half - 1 - k) * PITCH, drill) for k in range(half)]
    return Footprint(name, (*left, *right), body, (apart / 2, (half - 1) * PITCH / 2), (1.9, 0))


def _dip(count: int) -> Footprint:
    return _two_rows(f"DIP-{count}", count, 3 * PITCH, (1.1, -1.3, 6.5, (count / 2 - 1) * PITCH + 1.3), SMALL)


def _pins(rows: int, columns: int) -> Footprint:
    """Return pins that go right from pin 1; of two rows the odd numbers are in the lower one, as on every such plug."""
    pads = tuple(
        _pad(rows * column + row + 1, column * PITCH, -row * PITCH, WIDE)
        for column in range(columns)
        for row in range(rows)
    )
    end, high = (columns - 1) * PITCH, (rows - 1) * PITCH
    return Footprint(f"Pins-{rows}x{columns}", pads, (-1.27, -high - 1.27, end + 1.27, 1.27), (end / 2, -high - 2.1))


def _box_header(*, slot: bool) -> Footprint:
    """Return a box header for ribbon, from the middle of its pins, its mouth to the right: Würth WR-BHD 6120xx21721.

    A plug goes in there and lets its cable out at a right angle: with a ``slot``, down through the board.
    """
    high = (BOX_COLUMNS - 1) * PITCH / 2
    pads = tuple(
        Pad(str(2 * column + row + 1), (row - 0.5) * PITCH, column * PITCH - high, 1.7, 1.7, 1.1)
        for column in range(BOX_COLUMNS)
        for row in range(2)
    )
    end, mouth = high + 5.1, 11.96
    hole = Pad("", mouth + PLUG_SLOT_OFF, 0, PLUG_SLOT, 2 * high + 6.3, PLUG_SLOT, "oval", 2 * high + 6.3)
    body = -2.12, -end, mouth + (PLUG_SLOT_OFF + PLUG_SLOT / 2 if slot else 0), end
    name = f"Box-2x{BOX_COLUMNS}" + ("-slot" if slot else "")
    return Footprint(name, (*pads, *((hole,) if slot else ())), body, None, (-2.9, -high), boxed=False)


def _two_legs(
    name: str,
    apart: float,
    body: Box,
    *,
    drill: float = SMALL,
    pad: float = PAD,
    above: bool = False,
    plus: Point | None = None,
    band: float | None = None,
) -> Footprint:
    middle = (body[0] + body[2]) / 2, body[1] - 0.8 if above else (body[1] + body[3]) / 2
    pads = _pad(1, 0, 0, drill, pad), _pad(2, apart, 0, drill, pad)
    return Footprint(name, pads, body, middle, plus=plus, band=band)


def _pixel() -> Footprint:
    places = ((1, -2.45, -1.65), (2, -2.45, 1.65), (3, 2.45, 1.65), (4, 2.45, -1.65))
    pads = tuple(Pad(str(number), x, y, 1.5, 1.0, 0, "rect") for number, x, y in places)
    # Worldsemi's drawing: the corner that is cut off is at pin 3. A dot at pin 1 is what most people turn towards it.
    return Footprint("WS2812B", pads, (-3.6, -2.6, 3.6, 2.6), (0, 0), chamfer=(3.6, 2.6))


def _sil(count: int) -> Footprint:
    pads = tuple(_pad(k + 1, k * PITCH, 0, SMALL) for k in range(count))
    end = (count - 1) * PITCH
    return Footprint(f"SIL-{count}", pads, (-1.27, -1.27, end + 1.27, 1.27), (end / 2, -2.1))


def _links(count: int) -> Footprint:
    pads = tuple(_pad(k + 1, 0, k * LINK_PITCH, SMALL, 1.3) for k in range(count))
    return Footprint(f"Links-{count}", pads, (-0.9, -0.9, 0.9, (count - 1) * LINK_PITCH + 0.9), None)


def _hole() -> Footprint:
    """Return a bare hole for an M2.5 screw, as a Pi has, with room for its head."""
    return Footprint(SCREW, (Pad("", 0, 0, 2.7, 2.7, 2.7),), (-2.5, -2.5, 2.5, 2.5), None)


def _pi() -> Footprint:
    """Return the 40 pins as a board on top of a Pi has them, seen from above, along the upper edge."""
    pins = _pins(2, 20)
    return Footprint("Pi-2x20", pins.pads, pins.body, (19 * PITCH / 2, 2.1))


def _made() -> tuple[Footprint, ...]:
    return (
        *(_dip(count) for count in (14, 16)),
        *(_pins(1, columns) for columns in (3, 6)),
        _pins(2, 5),
        _box_header(slot=False),
        _box_header(slot=True),
        _pi(),
        _sil(10),
        _two_rows("Nano", 30, 6 * PITCH, (-1.27, -3.8, 16.51, 39.4), WIDE),
        _two_legs("Axial", 4 * PITCH, (1.9, -1.2, 8.26, 1.2)),
        _two_legs("Disc", 2 * PITCH, (1.0, -0.95, 4.08, 0.95)),
        _two_legs("Electrolytic", 2 * PITCH, (-2.6, -5.1, 7.7, 5.1), drill=WIDE, pad=2.0, plus=(0, -2.5)),
        # Bourns MF-R110 to MF-R300: legs 5.1 mm apart, at most 14.2 mm wide and 3.1 mm thick.
        _two_legs("Fuse", 2 * PITCH, (-4.6, -1.8, 9.7, 1.8), drill=WIDE, pad=2.0),
        _two_legs("DO-15", 5 * PITCH, (2.4, -1.9, 10.3, 1.9), drill=WIDE, pad=2.0, band=3.4),
        _two_legs("DO-201", 6 * PITCH, (2.8, -2.7, 12.44, 2.7), drill=1.4, pad=2.6, band=4.2),
        _two_legs("LED", PITCH, (-1.1, -1.6, 3.64, 1.6), above=True),
        _two_legs("Terminal", 2 * PITCH, (-2.6, -4.2, 7.7, 4.2), drill=1.3, pad=2.6, plus=(0, -2.6)),
        Footprint(
            "Sensor", tuple(_pad(k + 1, (k - 1) * PITCH, 0, SMALL) for k in range(3)), (-3.6, -1.3, 3.6, 1.3), (0, -2.1)
        ),
        _pixel(),
        *(_links(count) for count in range(7, 15)),
        _hole(),
        *surface(),
    )


def footprints() -> dict[str, Footprint]:
    """Return every footprint by its name."""
    return {each.name: each for each in _made()}
