"""A tile of 4 × 4 cells, of which nine and a hub make a large board: sensors behind one multiplexer, and pixels.

All tiles are alike. One ribbon leads to the hub, where the ground of the sensors meets that of the pixels; on the tile
they stay apart. A regulator of its own makes the sensors' 3.3 V, so that the ribbon and the pixels do not move them.
"""

from __future__ import annotations

from collections.abc import Iterator

from hardware.pcb.assembled import CAPACITOR_0805, LOW_DROP, RIBBON, ribbon_header
from hardware.pcb.boards.cell import CELL_GROUND, cell_spots, multiplexer, multiplexer_spots, pixel, sensor
from hardware.pcb.boards.shared import capacitor_0603, resistor_0603
from hardware.pcb.copper import Port, Track
from hardware.pcb.fan import SOT_5, TSSOP, fan
from hardware.pcb.netlist import Circuit, Part, part
from hardware.pcb.placement import Placement, Spot, Text, at, rectangle

CELLS = 4  # along a side
PITCH_MM = 33.3
SIDE_MM = CELLS * PITCH_MM  # from tile to tile
PLAY_MM = 0.2  # that is left between the circuit boards of two tiles
LETTERS = "abcd"
MIDDLE = CELLS * PITCH_MM / 2
HEADER_UP_MM = 8.6  # from the middle of the header's pins to the corner of four cells below it: clear of their sensors


def inputs() -> tuple[str, ...]:
    """Return the cells in the order of the multiplexer's inputs and of the pixels: to and fro from the lower left."""
    rows = [LETTERS if row % 2 else LETTERS[::-1] for row in range(1, CELLS + 1)]
    return tuple(f"{letter}{row}" for row, letters in enumerate(rows, 1) for letter in letters)


def tile16() -> Placement:
    """Return the tile."""
    made = circuit()
    spots = dict(_spots())
    tracks, ports = _fans(made, spots)
    low, high = PITCH_MM, SIDE_MM - PITCH_MM
    edge = SIDE_MM - PLAY_MM
    words = (
        Text("ribbon to the hub", MIDDLE, SIDE_MM - 21.0, 0.8),
        Text(made.title, MIDDLE, SIDE_MM - 7.0, 1.5),
        Text("not manufactured yet", MIDDLE, SIDE_MM - 4.0, 1.0),
    )
    return Placement(
        made,
        {each.ref: spots[each.ref] for each in made.parts},
        rectangle(edge, edge, PLAY_MM / 2, PLAY_MM / 2),
        tuple((x, y) for x in (low, high) for y in (low, high)),
        words,
        ("V5", "VA", "GND", CELL_GROUND),
        ("GND", CELL_GROUND),
        tapers=True,
        marks=((4.0, MIDDLE), (MIDDLE - 25, 4.0), (SIDE_MM - 4.0, PITCH_MM)),
        tracks=tuple(tracks),
        ports=ports,
    )


def circuit() -> Circuit:
    """Return the circuit; sensor and pixel of a cell have its name after S and D."""
    supplies = ("V5", "VA", "GND", CELL_GROUND)
    return Circuit("tile16", "Assembled tile of 16 cells", tuple(_parts()), supplies)


def _parts() -> Iterator[Part]:
    yield part("J1", ribbon_header(slot=True), "ribbon", {str(k): net for k, net in enumerate(RIBBON, 1)})
    yield part("U2", LOW_DROP, "3.3V", {"IN": "V5", "EN": "V5", "GND": CELL_GROUND, "OUT": "VA"})
    yield part("C1", CAPACITOR_0805, "22u", {"1": "V5", "2": "GND"})
    yield capacitor_0603("C2", "V5", ground=CELL_GROUND)  # no more: what it takes shakes the sensors' ground
    yield part("C3", CAPACITOR_0805, "22u", {"1": "VA", "2": CELL_GROUND})
    yield resistor_0603("R1", "330", "DLAST", "DOUT")
    cells = inputs()
    yield from multiplexer("U1", "C4", cells, "Z", "E")
    yield resistor_0603("R2", "10k", "E", "VA")  # off until the chip that has just started has set its pins
    for name in cells:
        yield from sensor(name)
    data = ("DIN", *(f"P{number}" for number in range(1, len(cells))), "DLAST")
    for number, name in enumerate(cells):
        yield from pixel(name, data[number], data[number + 1])


def _spots() -> Iterator[tuple[str, Spot]]:
    yield from multiplexer_spots("U1", "C4", MIDDLE, MIDDLE)
    yield "R2", at(MIDDLE + 10.16, MIDDLE + 1.905)
    pins = SIDE_MM - PITCH_MM - HEADER_UP_MM
    yield "J1", at(MIDDLE, pins, 270)
    yield "C1", at(MIDDLE - 9.525, pins - 5.715, 180)
    yield "R1", at(MIDDLE + 9.525, pins - 5.715, 180)
    yield "U2", at(MIDDLE, PITCH_MM)
    yield "C2", at(MIDDLE - 5.08, PITCH_MM - 4.445, 90)
    yield "C3", at(MIDDLE + 5.08, PITCH_MM, 270)
    for name in inputs():
        column, row = LETTERS.index(name[0]), int(name[1])
        yield from cell_spots(name, (column + 0.5) * PITCH_MM, SIDE_MM - (row - 0.5) * PITCH_MM)


def _fans(made: Circuit, spots: dict[str, Spot]) -> tuple[list[Track], dict[tuple[str, str], Port]]:
    """Return all copper that is put down by hand, and the ports where the router goes on."""
    found = [fan(made.part(ref), spots[ref], ends, 0.2) for ref, ends in (("U1", TSSOP), ("U2", SOT_5))]
    return [track for each, _ in found for track in each], {
        key: port for _, each in found for key, port in each.items()
    }
