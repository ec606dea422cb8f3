"""The cell strip: one register, eight cells in a row at a board's pitch, each with a sensor and a pixel.

The cells follow the chain from left to right; where it runs back, the strip is turned round. Where the chain turns into
the next row within a register, the strip is cut between two cells and joined again by wires from hole to hole. So the
same strip serves every row of a square or a hex board.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from hardware.cannot_build import CannotBuild
from hardware.pcb.boards.shared import bypass, chain_plug, light_plug, pull_ups, register, sensor
from hardware.pcb.devices import PIXEL, links
from hardware.pcb.footprints import LINK_PITCH
from hardware.pcb.netlist import Circuit, Part, part
from hardware.pcb.placement import Placement, Spot, Text, at, rectangle
from hardware.profile import REGISTER_BITS, Profile

HEIGHT_MM = 33.02
LEAST_PITCH_MM = 36.0
PIXEL_MM = 5.715  # from the sensor, the way the chain runs
END_MM = 0.3  # by which both ends are short of their cells, so that the next strip in the row has room


def pieces(profile: Profile) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """Return, by register, the sites of each piece of its strip; the cuts are between the pieces.

    A cell at the end of a strip that no site needs may be cut off, so unused bits are left out.
    """
    sites = {site.name: site for site in profile.sites}
    names = profile.by_bit()
    found = []
    for first in range(0, profile.chain_length, REGISTER_BITS):
        parts: list[list[str]] = []
        for name in names[first : first + REGISTER_BITS]:
            if name is None:
                continue
            here = sites[name].x_mm, sites[name].y_mm
            last = parts[-1] if parts else []
            on = [(sites[n].x_mm, sites[n].y_mm) for n in last[-2:]]
            if on and _goes_on(on, here, profile.pitch_mm):
                last.append(name)
            else:
                parts.append([name])
        found.append(tuple(tuple(names) for names in parts))
    return tuple(found)


def _goes_on(on: list[tuple[float, float]], here: tuple[float, float], pitch_mm: float) -> bool:
    """Return whether a cell is the next of a straight strip whose last one or two cells are ``on``, in a row."""
    (x, y), (new_x, new_y) = on[-1], here
    if not math.isclose(y, new_y, abs_tol=0.01) or not math.isclose(abs(new_x - x), pitch_mm, abs_tol=0.01):
        return False
    return len(on) < 2 or (x - on[0][0]) * (new_x - x) > 0


def lines(border: int) -> tuple[str, ...]:
    """Return the nets that cross the border after cell ``border``, 1 to 7, from the upper edge down."""
    bits = (f"S{cell}" for cell in range(border + 1, REGISTER_BITS + 1))
    return "V5", f"P{border}", "VCC", "LATCH", "CLOCK", "NEXT", *bits, "GND"


def strip(profile: Profile) -> Placement:
    """Return the strip for a board whose cells lie in rows; raises `CannotBuild`."""
    rows = sorted({round(site.y_mm, 2) for site in profile.sites})
    between = min((b - a for a, b in pairwise(rows)), default=profile.pitch_mm)
    if profile.pitch_mm < LEAST_PITCH_MM or between < HEIGHT_MM:
        raise CannotBuild(
            f"{profile.name}: cells lie {profile.pitch_mm:g} mm apart in rows of {between:.1f} mm; "
            f"a strip needs {LEAST_PITCH_MM:g} and {HEIGHT_MM:.1f} mm"
        )
    bits = [f"S{cell}" for cell in range(1, REGISTER_BITS + 1)]
    parts = [
        chain_plug("J1", "to reader", {}),
        light_plug("J3", "light in", "P0"),
        register("U1", "DATA", "NEXT", bits),
        pull_ups("RN1", bits, "NEXT"),
        bypass("C9"),
        *(each for cell in range(1, REGISTER_BITS + 1) for each in _cell(cell)),
        *(each for border in range(1, REGISTER_BITS) for each in _border(border)),
        chain_plug("J2", "next", {"DATA": "NEXT"}),
        light_plug("J4", "light out", f"P{REGISTER_BITS}"),
    ]
    circuit = Circuit(
        f"strip-{profile.name}",
        f"Cell strip, 8 cells at {profile.pitch_mm:g} mm",
        tuple(parts),
        ("V5", "VCC", "GND"),
    )
    return _laid(circuit, profile.pitch_mm)


def _cell(cell: int) -> tuple[Part, ...]:
    joins = {"VDD": "V5", "GND": "GND", "DIN": f"P{cell - 1}", "DOUT": f"P{cell}"}
    return sensor(f"S{cell}", f"S{cell}"), part(f"D{cell}", PIXEL, "WS2812B", joins), bypass(f"C{cell}", "V5")


def _border(border: int) -> tuple[Part, Part]:
    nets = {str(k): net for k, net in enumerate(lines(border), 1)}
    device = links(len(nets))
    return part(f"H{border}A", device, "wires", nets), part(f"H{border}B", device, "wires", nets)


def _laid(circuit: Circuit, pitch: float) -> Placement:
    middle, length = HEIGHT_MM / 2, REGISTER_BITS * pitch
    spots = dict(_cells(pitch))
    x = pitch / 2
    spots |= {
        "J1": at(3.81, 5.08, 270),
        "J3": at(3.81, 24.13, 270),
        "U1": at(x - 8.89, 11.43, 90),
        "RN1": at(x - 10.16, 26.67),
        "C9": at(x + 12.7, 5.715, 270),
        "J2": at(length - 3.81, 5.08, 270),
        "J4": at(length - 3.81, 24.13, 270),
    }
    texts = [Text(str(cell), (cell - 0.5) * pitch - 6, middle, 1.5) for cell in range(1, REGISTER_BITS + 1)]
    texts.append(Text(circuit.title, 1.5 * pitch - 1, 2.2))
    screws = tuple(((cell - 0.5) * pitch - 9, HEIGHT_MM - 4.5) for cell in (2, 5, 7))
    saws = tuple(border * pitch for border in range(1, REGISTER_BITS))
    edge, power = rectangle(length - 2 * END_MM, HEIGHT_MM, END_MM), ("V5", "VCC")
    return Placement(circuit, spots, edge, screws, tuple(texts), power, ("V5", "GND"), saws)


def _cells(pitch: float) -> Iterator[tuple[str, Spot]]:
    middle = HEIGHT_MM / 2
    for cell in range(1, REGISTER_BITS + 1):
        x = (cell - 0.5) * pitch
        yield f"S{cell}", at(x, middle, 90)
        yield f"D{cell}", at(x + PIXEL_MM, middle)
        yield f"C{cell}", at(x + 12.7, middle - 2.54, 270)
        if cell < REGISTER_BITS:
            top = middle - (len(lines(cell)) - 1) * LINK_PITCH / 2
            yield f"H{cell}A", at(cell * pitch - 2.54, top)
            yield f"H{cell}B", at(cell * pitch + 2.54, top)
