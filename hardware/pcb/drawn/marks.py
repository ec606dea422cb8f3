"""The symbols: resistor, capacitor, LED, fuse, ground, supply. IEC 60617, in millimetres."""

from __future__ import annotations

from hardware.pcb.drawn.plan import HungPart
from hardware.svg import box, circle, line, text

Point = tuple[float, float]
INK, WIRE = "#222", "#06c"


def ground(at: Point) -> list[str]:
    """Return ground, below a point."""
    x, y = at
    found = [line([(x, y), (x, y + 1.2)], INK)]
    for k, half in enumerate((1.6, 1.0, 0.4)):
        found.append(line([(x - half, y + 1.2 + 0.6 * k), (x + half, y + 1.2 + 0.6 * k)], INK, 0.4))
    return found


def supply(at: Point, net: str) -> list[str]:
    """Return a supply, above a point, with its name."""
    x, y = at
    return [line([(x, y), (x, y - 1.2)], INK), line([(x - 1.6, y - 1.2), (x + 1.6, y - 1.2)], INK, 0.5),
            text((x, y - 1.7), net, 2.0)]  # fmt: skip


def open_end(at: Point, way: int) -> list[str]:
    """Return the cross of a pin that is joined to nothing."""
    x, y = at[0] + way * 1.5, at[1]
    return [line([at, (x, y)], INK), *(line([(x - 0.7, y - s * 0.7), (x + 0.7, y + s * 0.7)], INK) for s in (1, -1))]


def small(hung: HungPart, at: Point, way: int, long: float) -> list[str]:
    """Return a part of two legs in a wire of that length that goes ``way``, with its reference and value."""
    x, y = at
    middle = x + way * long / 2
    half = {"R": 3.0, "F": 3.0, "C": 0.6, "D": 1.5}.get(hung.part.device.prefix, 3.0)
    found = [line([(x, y), (middle - way * half, y)], INK), line([(middle + way * half, y), (x + way * long, y)], INK)]
    # The leg that pin 1 is drawn on: a diode's bar is its cathode, pin 1; an electrolytic's plus is pin 1.
    first = middle - half if (hung.near == hung.part.device.pins[0].number) == (way > 0) else middle + half
    kind = hung.part.device.prefix
    if kind in "RF":
        found.append(box((middle - half, y - 1.1), (2 * half, 2.2), "none", INK, 0.4))
        if kind == "F":
            found.append(line([(middle - half, y), (middle + half, y)], INK))
    elif kind == "C":
        found += [line([(middle + s * half, y - 1.8), (middle + s * half, y + 1.8)], INK, 0.5) for s in (-1, 1)]
        if hung.part.device.pins[0].name == "+":
            found.append(text((first + (-1.2 if first < middle else 1.2), y - 0.7), "+", 2.4))
    else:
        other = 2 * middle - first
        found += [line([(first, y - 1.5), (first, y + 1.5)], INK, 0.5),
                  line([(other, y - 1.5), (other, y + 1.5), (first, y)], INK, 0.4, close=True)]  # fmt: skip
        if hung.part.device.name == "LED":
            found += [line([(middle + d, y - 1.8), (middle + d + 1, y - 2.8)], INK) for d in (-0.3, 0.9)]
            found += [circle((middle + d + 1, y - 2.8), 0.2, INK, INK) for d in (-0.3, 0.9)]
    found.append(text((middle, y - 2.0 if kind != "D" else y - 3.2), hung.part.ref, 2.2))
    found.append(text((middle, y + 3.0 if kind in "RF" else y + 3.6), hung.part.value, 2.0, colour="#555"))
    return found
