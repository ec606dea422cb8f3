"""Ways out of packages that are finer than the grid of the tracks: each pin gets a track to a line of the grid.

The pins of a side lead straight out and then apart, one line of the grid a pin. What lies there is fixed: the router
goes on from the ends.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from hardware.pcb.copper import Port, Track, Via
from hardware.pcb.footprints import footprints
from hardware.pcb.netlist import Part
from hardware.pcb.placement import GRID, Spot, placed, turned
from hardware.pcb.shapes import Point

FINE = 0.15  # as wide as tracks between pads of 0.4 mm may be with 0.2 mm between them
STRAIGHT = 0.3  # out of the pad
Fan = tuple[list[Track], dict[tuple[str, str], Port]]


def fan(part: Part, spot: Spot, ends: Mapping[str, Point], width: float) -> Fan:
    """Return tracks from pads of a part to ``ends``, and the ports there, by pad.

    ``ends`` has where the track of a pad ends, from the middle of the package before it is turned; each begins with
    `STRAIGHT` mm out of the pad. Pads that are joined to nothing stay alone.
    """
    tracks: list[Track] = []
    ports = {}
    pads = {pad.number: pad for pad in footprints()[part.device.footprint].pads}
    for number, (end_x, end_y) in ends.items():
        net, pad = part.nets.get(number), pads[number]
        if net is None:
            continue
        out = pad.width > pad.height
        x = pad.x + (math.copysign(pad.width / 2 + STRAIGHT, end_x - pad.x) if out else 0)
        y = pad.y + (0 if out else math.copysign(pad.height / 2 + STRAIGHT, end_y - pad.y))
        dx, dy = turned(x, y, spot.turn)
        ex, ey = turned(end_x, end_y, spot.turn)
        knee, end = (spot.x + dx, spot.y + dy), (round(spot.x + ex, 4), round(spot.y + ey, 4))
        tracks += [Track(net, 0, placed(pad, spot), knee, width), Track(net, 0, knee, end, width)]
        ports[part.ref, number] = Port(*end)
    return tracks, ports


def sides(rows: Iterable[tuple[tuple[str, ...], Point, Point]]) -> dict[str, Point]:
    """Return the end of each pin of rows; each has its middle and the step from pin to pin, in lines of the grid."""
    found = {}
    for pins, (x, y), (step_x, step_y) in rows:
        for k, pin in enumerate(pins):
            along = k - (len(pins) - 1) / 2
            found[pin] = (x + along * step_x) * GRID, (y + along * step_y) * GRID
    return found


def below(part: Part, spot: Spot, number: str, holes: Iterable[Point]) -> tuple[list[Via], Port]:
    """Return plated holes through a pad below a chip, in lines of the grid from its middle, and a port at the first."""
    net = part.nets[number]
    vias = [Via(net, round(spot.x + x * GRID, 4), round(spot.y + y * GRID, 4)) for x, y in holes]
    return vias, Port(vias[0].x, vias[0].y, through=True)


def numbers(first: int, last: int) -> tuple[str, ...]:
    """Return the numbers of pins from ``first`` to ``last``."""
    return tuple(str(number) for number in range(first, last + 1))


# Where the tracks of these packages end.
QFN = sides(
    (
        (numbers(1, 14), (-12.5, 0), (0, 1)),
        (numbers(15, 28), (0, 12.5), (1, 0)),
        (numbers(29, 42), (12.5, 0), (0, -1)),
        (numbers(43, 56), (0, -12.5), (-1, 0)),
    )
)
TSSOP = sides(((numbers(1, 12), (-8, 0), (0, 1)), (numbers(13, 24), (8, 0), (0, -1))))
SOT_6 = sides(((numbers(1, 3), (-4, 0), (0, 2)), (numbers(4, 6), (4, 0), (0, -2))))
SOT_5 = {**sides(((numbers(1, 3), (-4, 0), (0, 2)),)), "4": SOT_6["4"], "5": SOT_6["6"]}
