"""The hat: the lights' supply and data and the chain, on the Pi's 40-pin header.

A 74AHCT125 lifts 3.3 V to 5 V; a divider brings the chain's data down again. The Pi is not fed through its header: it
has its own lead from the supply.
"""

from __future__ import annotations

from controller.devices.sensors.gpio_board import Pins
from hardware.pcb.boards.shared import bypass, chain_plug, guards, light_plug
from hardware.pcb.devices import (
    AHCT125,
    ELECTROLYTIC,
    FUSE,
    PI_GROUND,
    PI_PINS,
    PI_PLUG,
    RESISTOR,
    TERMINAL,
)
from hardware.pcb.netlist import Circuit, Part, part
from hardware.pcb.placement import Placement, Text, at, rectangle, snap

PIN_1 = (8.37, 4.77)  # of the header, from the upper left corner of a Pi
LIGHTS_BCM = 18  # settings name it D18


def hat() -> Placement:
    """Return the hat, for the chain on the default pins of `controller.devices.sensors.gpio_board`."""
    parts = (
        _header(Pins()),
        part("U1", AHCT125, "74AHCT125", _gates()),
        part("J2", TERMINAL, "5 V in", {"1": "IN_5V", "2": "GND"}, "5 V in"),
        part("F1", FUSE, "1.85A", {"1": "IN_5V", "2": "V5"}),
        part("J3", TERMINAL, "lights 5 V", {"1": "V5", "2": "GND"}, "lights"),
        light_plug("J4", "lights", "LIGHTS"),
        chain_plug("J5", "chain", {"VCC": "V5"}),
        part("C1", ELECTROLYTIC, "1000u", {"+": "V5", "-": "GND"}),
        bypass("C2", "V5"),
        part("R1", RESISTOR, "330", {"1": "LIGHTS_5V", "2": "LIGHTS"}),
        *guards("D1", "D2", "V5"),
        # The divider of the chain's data, and what holds a torn wire high: the same faults are told as on bare pins.
        part("R4", RESISTOR, "2.2k", {"1": "DATA", "2": "DATA_PI"}),
        part("R5", RESISTOR, "3.3k", {"1": "DATA_PI", "2": "GND"}),
        part("R6", RESISTOR, "1k", {"1": "V5", "2": "DATA"}),
    )
    return _laid(Circuit("hat", "Pi hat", parts, ("V5", "GND")))


def _header(pins: Pins) -> Part:
    bcm = {LIGHTS_BCM: "LIGHTS_PI", pins.clock: "CLOCK_PI", pins.latch: "LATCH_PI", pins.data: "DATA_PI"}
    nets = {str(PI_PINS[number]): net for number, net in bcm.items()}
    nets |= {str(pin): "GND" for pin in PI_GROUND}
    return part("J1", PI_PLUG, "Raspberry Pi", nets)


def _gates() -> dict[str, str]:
    """Return two gates side by side for the clock, as docs/chain-figures.md asks; the latch may rise in steps."""
    joins = {"VCC": "V5", "GND": "GND"}
    outputs = ("LIGHTS_5V", "CLOCK", "CLOCK", "LATCH")
    for gate, net in enumerate(outputs, 1):
        joins |= {f"{gate}OE": "GND", f"{gate}A": f"{net.removesuffix('_5V')}_PI", f"{gate}Y": net}
    return joins


def _laid(circuit: Circuit) -> Placement:
    spots = {
        "J1": at(*PIN_1),
        "U1": at(26.67, 24.13, 90),
        "C2": at(22.86, 22.86, 90),
        "R1": at(48.26, 13.97),
        "D1": at(40.64, 62.23),
        "D2": at(8.89, 62.23),
        "R4": at(8.89, 13.97),
        "R5": at(8.89, 17.78),
        "R6": at(8.89, 21.59),
        "J5": at(26.67, 33.02),
        "J4": at(45.72, 33.02),
        "F1": at(13.97, 38.1),
        "C1": at(45.72, 44.45),
        "J2": at(13.97, 49.53),
        "J3": at(33.02, 49.53),
    }
    # The edge and the screws keep their places to the header, which lies on the grid.
    left, top = snap(PIN_1[0]) - PIN_1[0], snap(PIN_1[1]) - PIN_1[1]
    screws = tuple((x + left, y + top) for y in (3.5, 52.5) for x in (3.5, 61.5))
    edge = rectangle(65, 68, left, top)  # the diodes lie beyond the screws, over the Pi's sockets
    power = ("V5", "IN_5V")
    return Placement(circuit, spots, edge, screws, (Text("Beaconboard", 55, 27),), power, ("V5", "GND"))
