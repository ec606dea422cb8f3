"""What can be put in the wrong way round: the marks on the boards against the drawings of the data sheets."""

from __future__ import annotations

import math
from pathlib import Path

import msgspec
import pytest

import hardware.pcb
from hardware.pcb.boards.catalogue import boards
from hardware.pcb.footprints import footprints
from hardware.pcb.kicad.back_print import REVISION, back_texts
from hardware.pcb.kicad.sexpr import quoted
from hardware.pcb.kicad.symbols import footprint_file
from hardware.pcb.netlist import Device
from hardware.pcb.shapes import Footprint, Point

DEVICES: dict[str, Device] = {
    part.device.footprint: part.device for make in boards().values() for part in make().circuit.parts
}
# Turned by half a circle these are the same part.
EITHER_WAY = {
    "Axial",
    "Disc",
    "Fuse",
    "Sensor",
    "Pins-1x3",
    "Pins-1x6",
    "Pins-2x5",
    "Pi-2x20",
    "0603",
    "0805",
    "1812",
    "Button",
    "USB-C",
}


class PolarityRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    mark: str
    pin: str
    source: str


FOLDER = Path(hardware.pcb.__file__ or "").parent
TABLE = msgspec.toml.decode((FOLDER / "polarity.toml").read_bytes(), type=dict[str, PolarityRow])


def pin_at(shape: Footprint, device: Device, place: Point) -> tuple[str, str]:
    """Return the number and the name of the pin whose pad is nearest to a place."""
    pad = min(shape.pads, key=lambda pad: math.dist((pad.x, pad.y), place))
    return next((pin.number, pin.name) for pin in device.pins if pin.number == pad.number)


def test_every_package_is_in_the_table_or_may_be_turned() -> None:
    links = {name for name in DEVICES if name.startswith("Links")}
    assert set(DEVICES) == set(TABLE) | EITHER_WAY | links


@pytest.mark.parametrize("name", sorted(TABLE))
def test_the_mark_on_the_board_is_at_the_pin_of_the_drawing(name: str) -> None:
    row, shape, device = TABLE[name], footprints()[name], DEVICES[name]
    assert len(row.source) > 15
    printed = footprint_file(shape)
    marks = {"chamfer": shape.chamfer, "plus": shape.plus, "dot": shape.mark}
    if row.mark == "band":
        assert shape.band is not None
        assert shape.body[0] < shape.band < shape.body[2]
        place: Point | None = (shape.band, 0.0)
        assert f"(start {shape.band:g} " in printed
    elif row.mark == "square":
        (square,) = (pad for pad in shape.pads if pad.shape == "rect")
        place = square.x, square.y
    else:
        place = marks[row.mark]
    assert place is not None
    for each in (place, shape.mark):
        assert each is None or row.pin in pin_at(shape, device, each)
    if row.mark == "chamfer":
        assert "fp_poly" in printed
        assert quoted("F.SilkS") in printed


@pytest.mark.parametrize("name", sorted(boards()))
def test_the_back_says_the_revision_every_resistor_and_the_wires_of_every_plug_of_the_chain(name: str) -> None:
    board = boards()[name]()
    words = [text.text for text in back_texts(board)]
    assert REVISION in words
    parts = board.circuit.parts
    wanted = [part.value for part in parts if part.device.name in ("Resistor", "Capacitor", "Fuse")]
    assert all(words.count(value) >= wanted.count(value) for value in wanted)
    plugs = sum(part.device.footprint == "Pins-1x6" for part in parts)
    left_out = 1 if name == "strip-square144" else 0  # its pins lie too near to the first sensor
    assert words.count("CLK") == words.count("LATCH") == plugs - left_out
