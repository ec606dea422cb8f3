"""Footprints that a machine places: packages without legs through the board, in the figures of KiCad's libraries.

Millimetres from the middle of the package, x right, y down. Pads that are finer than the grid of the tracks get to it
by `hardware.pcb.fan`.
"""

from __future__ import annotations

from collections.abc import Sequence

from hardware.pcb.shapes import Box, Footprint, Pad, Point

MOUTH_MM = 3.1  # so far below its middle the socket is printed: the board ends 0.55 mm further on
QFN_PITCH, TSSOP_PITCH = 0.4, 0.65


# A mark for the cameras of a placing machine.
FIDUCIAL = Footprint("Fiducial", (Pad("", 0, 0, 1.0, 1.0, 0),), (-1.0, -1.0, 1.0, 1.0), None)


def _pad(number: str, x: float, y: float, width: float, height: float) -> Pad:
    return Pad(number, round(x, 4), round(y, 4), width, height, 0, "rect")


def _body(width: float, height: float) -> Box:
    return -width / 2, -height / 2, width / 2, height / 2


def _two_ends(
    name: str, apart: float, size: Point, body: Point, mark: Point | None = None, *, band: float | None = None
) -> Footprint:
    """Return a package with a pad at its left and one at its right, ``apart`` from middle to middle."""
    pads = (_pad("1", -apart / 2, 0, *size), _pad("2", apart / 2, 0, *size))
    return Footprint(name, pads, _body(*body), None, mark, band=band, boxed=False)


def _rows(name: str, places: Sequence[tuple[str, float, float]], size: Point, body: Point, mark: Point) -> Footprint:
    return Footprint(name, tuple(_pad(*place, *size) for place in places), _body(*body), None, mark, boxed=False)


def _dual(name: str, count: int, pitch: float, x: float, size: Point, body: Point) -> Footprint:
    """Return a chip whose pins go down on the left and up again on the right; its dot lies outside, beside pin 1."""
    half = count // 2
    top = -(half - 1) * pitch / 2
    left = [(str(k + 1), -x, top + k * pitch) for k in range(half)]
    right = [(str(half + k + 1), x, -top - k * pitch) for k in range(half)]
    return _rows(name, [*left, *right], size, body, (-x, top - size[1] / 2 - 0.5))


def _sot23() -> Footprint:
    """Return SOT-23 with pads as high as the solder may be, so that two lines of the grid run through each."""
    places = (("1", -0.9375, -0.95), ("2", -0.9375, 0.95), ("3", 0.9375, 0.0))
    return _rows("SOT-23", places, (1.3, 0.8), (1.3, 2.9), (-0.9375, -1.85))


def _sot23_5() -> Footprint:
    places = (
        *((str(k + 1), -1.1375, -0.95 + 0.95 * k) for k in range(3)),
        ("4", 1.1375, 0.95),
        ("5", 1.1375, -0.95),
    )
    return _rows("SOT-23-5", places, (1.3, 0.6), (1.6, 2.9), (-1.1375, -1.75))


def _sot223() -> Footprint:
    pads = (*(_pad(str(k + 1), -3.15, -2.3 + 2.3 * k, 2.0, 1.5) for k in range(3)), _pad("4", 3.15, 0, 2.0, 3.8))
    return Footprint("SOT-223", pads, _body(3.5, 6.5), None, (-3.15, -3.55), boxed=False)


def _crystal() -> Footprint:
    places = (("1", -1.1, 0.85), ("2", 1.1, 0.85), ("3", 1.1, -0.85), ("4", -1.1, -0.85))
    return _rows("Crystal-3225", places, (1.4, 1.2), (3.2, 2.5), (-1.1, 1.95))


def _qfn56() -> Footprint:
    """Return QFN-56 of 7 × 7 mm: from pin 1 down on the left, right along the foot, and so on; 57 is below the chip."""
    out, first = 3.4375, -6.5 * QFN_PITCH
    along = [round(first + QFN_PITCH * k, 4) for k in range(14)]
    pads = (
        *(_pad(str(1 + k), -out, at, 0.875, 0.2) for k, at in enumerate(along)),
        *(_pad(str(15 + k), at, out, 0.2, 0.875) for k, at in enumerate(along)),
        *(_pad(str(29 + k), out, -at, 0.875, 0.2) for k, at in enumerate(along)),
        *(_pad(str(43 + k), -at, -out, 0.2, 0.875) for k, at in enumerate(along)),
        _pad("57", 0, 0, 3.2, 3.2),
    )
    return Footprint("QFN-56", pads, _body(7, 7), None, (-3.9, -3.3), boxed=False)


def _usb_c() -> Footprint:
    """Return a USB-C socket with the pins of USB 2.0, its mouth down; its four legs of steel go through slots."""
    fine = (
        ("B8", -1.75),
        ("A5", -1.25),
        ("B7", -0.75),
        ("A6", -0.25),
        ("A7", 0.25),
        ("B6", 0.75),
        ("A8", 1.25),
        ("B5", 1.75),
    )
    wide = (("A1", -3.25), ("A4", -2.45), ("B4", 2.45), ("B1", 3.25))
    legs = tuple(
        Pad("S", side * 4.32, y, 1.0, height, 0.6, "oval", height - 0.4)
        for side in (-1, 1)
        for y, height in ((-3.035, 2.1), (1.145, 1.6))
    )
    pegs = tuple(Pad("", side * 2.935, -2.505, 0.65, 0.65, 0.65) for side in (-1, 1))
    pads = (
        *(_pad(number, x, -3.95, 0.3, 1.45) for number, x in fine),
        *(_pad(number, x, -3.95, 0.6, 1.45) for number, x in wide),
    )
    return Footprint("USB-C", (*pads, *legs, *pegs), (-4.47, -3.555, 4.47, MOUTH_MM), None, boxed=False)


def surface() -> tuple[Footprint, ...]:
    """Return every footprint that lies on the surface but for the pixel."""
    return (
        _two_ends("0603", 1.6, (0.9, 0.95), (1.6, 0.8)),
        _two_ends("0805", 1.9, (1.0, 1.45), (2.0, 1.25)),
        _two_ends("1812", 4.78, (1.68, 2.95), (4.5, 3.2)),
        _two_ends("SMA", 4.0, (2.5, 1.8), (4.3, 2.6), band=-0.35),
        _two_ends("LED-0603", 1.6, (0.9, 0.95), (1.6, 0.8), (-1.6, 0)),
        _two_ends("Button", 3.4, (0.8, 1.7), (3.0, 2.5)),
        _sot23(),
        _sot23_5(),
        _dual("SOT-23-6", 6, 0.95, 1.1375, (1.3, 0.6), (1.6, 2.9)),
        _sot223(),
        _crystal(),
        _dual("SO-8", 8, 1.27, 3.6, (1.7, 0.6), (5.23, 5.23)),
        _dual("TSSOP-24", 24, TSSOP_PITCH, 2.8625, (1.475, 0.4), (4.4, 7.8)),
        _qfn56(),
        _usb_c(),
    )
