"""The circuit of the board that comes assembled: a linear hall sensor and a pixel a cell, read and lit by an RP2040.

The ground of the cells meets the other at one resistor beside the RP2040.
"""

from __future__ import annotations

from collections.abc import Iterator

from hardware.pcb.boards import rp2040
from hardware.pcb.boards.cell import CELL_GROUND, multiplexer, pixel, sensor
from hardware.pcb.boards.rp2040 import ANALOG
from hardware.pcb.boards.shared import resistor_0603
from hardware.pcb.netlist import Circuit, Part
from hardware.profile import MUX_INPUTS, MUXES, Profile

CC = ("CC1", "CC2")


def circuit(profile: Profile) -> Circuit:
    """Return the circuit for a board of linear hall sensors; sensor and pixel of a site have its name after S and D."""
    parts = (*_power(), *_chip(), *_muxes(profile), *_sensors(profile), *_pixels(profile))
    return Circuit(profile.name, f"Assembled board {profile.name}", tuple(parts), (*rp2040.SUPPLIES, CELL_GROUND))


def _power() -> Iterator[Part]:
    yield from rp2040.supply("1.1A", CELL_GROUND)
    yield resistor_0603("R1", "0", "GND", CELL_GROUND)
    yield from rp2040.data_socket("VBUS", CC)
    yield from rp2040.asking("R2", "R3", CC)
    yield from rp2040.offered(CC)


def _chip() -> Iterator[Part]:
    yield from rp2040.data_lines()
    yield from rp2040.chip({pin: f"Z{k}" for k, pin in enumerate(ANALOG, 1)}, "P0")
    yield from rp2040.start()


def _muxes(profile: Profile) -> Iterator[Part]:
    bits = profile.by_bit()
    for mux in range(MUXES):
        inputs = bits[mux * MUX_INPUTS : (mux + 1) * MUX_INPUTS]
        yield from multiplexer(f"U{11 + mux}", f"C{21 + mux}", inputs, f"Z{mux + 1}", CELL_GROUND)


def _sensors(profile: Profile) -> Iterator[Part]:
    for site in profile.sites:
        yield from sensor(site.name)


def _pixels(profile: Profile) -> Iterator[Part]:
    """Yield the pixels in the order of their chain, of which the last one's output stays open."""
    last = profile.light_count - 1
    for number, name in enumerate(profile.by_light()):
        yield from pixel(f"{name}", f"P{number}", None if number == last else f"P{number + 1}")
