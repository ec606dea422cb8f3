"""A cell of the boards that come assembled: a linear hall sensor in its middle, a pixel above it, the multiplexer.

Two grounds: CELL_GROUND has the sensors, the multiplexers and what filters their supply, GND all else. They join at one
place alone, so that no current of the pixels flows past a sensor.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hardware.height_budget import PIXEL_OFF_MM
from hardware.pcb.assembled import HALL, HC4067
from hardware.pcb.boards.shared import capacitor_0603
from hardware.pcb.devices import PIXEL
from hardware.pcb.netlist import Part, part
from hardware.pcb.placement import Spot, at, half, snap

CELL_GROUND = "GNDA"
STEEL_MM = 15.0  # from a sensor to a screw, to a socket's shell, to a button
ADDRESS_LINES = 4  # S0 to S3 of every multiplexer


def sensor(name: str) -> Iterator[Part]:
    """Yield the sensor of a cell, which is called so, and its capacitor."""
    yield part(f"S{name}", HALL, "DRV5055A3", {"VCC": "VA", "GND": CELL_GROUND, "OUT": f"H_{name}"})
    yield capacitor_0603(f"CS{name}", "VA", ground=CELL_GROUND)


def pixel(name: str, data: str, after: str | None) -> Iterator[Part]:
    """Yield the pixel of a cell and its capacitor; ``after`` is the net behind it, None where its output stays open."""
    out = {} if after is None else {"DOUT": after}
    yield part(f"D{name}", PIXEL, "WS2812B", {"VDD": "V5", "GND": "GND", "DIN": data} | out)
    yield capacitor_0603(f"CD{name}", "V5")


def multiplexer(ref: str, capacitor: str, inputs: Sequence[str | None], output: str, enable: str) -> Iterator[Part]:
    """Yield a 74HC4067 that joins the sensor of one of ``inputs`` to ``output``, and its capacitor; None: on ground."""
    ways = {f"Y{k}": f"H_{site}" if site else CELL_GROUND for k, site in enumerate(inputs)}
    address = {f"S{k}": f"S{k}" for k in range(ADDRESS_LINES)}
    rest = {"Z": output, "E": enable, "VCC": "VA", "GND": CELL_GROUND}
    yield part(ref, HC4067, "74HC4067", ways | address | rest)
    yield capacitor_0603(capacitor, "VA", ground=CELL_GROUND)


# ---- where it lies -----------------------------------------------------------------------------------------


def cell_spots(name: str, x: float, y: float) -> Iterator[tuple[str, Spot]]:
    """Yield where the parts of a cell lie whose middle is at ``x``, ``y``."""
    above = y - PIXEL_OFF_MM
    backwards = int(name[1:]) % 2 == 0  # every second row of the chain runs to the left, as a pixel's pins do
    yield f"S{name}", at(x, y)
    yield f"CS{name}", at(x, y + 3.175)
    yield f"D{name}", at(x, above, 0 if backwards else 180)
    yield f"CD{name}", at(x, above - 4.445, 0) if backwards else at(x, above + 4.445, 180)


def multiplexer_spots(ref: str, capacitor: str, x: float, y: float) -> Iterator[tuple[str, Spot]]:
    """Yield where a multiplexer and its capacitor lie: half a line beside the grid, as its pins have no middle one."""
    spot = Spot(snap(x), half(y))
    yield ref, spot
    yield capacitor, at(spot.x + 2.54, spot.y - 6.35, 180)
