"""The carrier of the sensor board: an Arduino Nano in a socket, the plugs of the chain and of the tracker, a lamp.

Owns this board's circuit and placement, and which pin of the Nano does what; the firmware's pins are the same.
"""

from __future__ import annotations

from hardware.pcb.boards.shared import bypass, chain_plug
from hardware.pcb.devices import ELECTROLYTIC, LAMP, NANO, RESISTOR, SELECTOR, TERMINAL, TRACKER, TRACKER_PLUG
from hardware.pcb.netlist import Circuit, part
from hardware.pcb.placement import Placement, Text, at, rectangle

# What each used pin of the Nano is joined to. D13 is SCK, D12 MISO; D10 must be an output, being SS.
NANO_NETS = {
    "D13": "SCK",
    "D12": "DATA",
    "D10": "LOAD",
    "D4": "LAMP",
    "D8": "LATCH_A",
    "D9": "LATCH_B",
    "A0": "AXIS_0",
    "A1": "AXIS_1",
    "A2": "AXIS_2",
    "5V": "NANO_5V",
    "GND_1": "GND",
    "GND_2": "GND",
}


def carrier() -> Placement:
    """Return the carrier. The jumper takes the chain's 5 V from the Nano's USB or from the screw terminal.

    The tracker always has the Nano's own 5 V, against which its levels are measured.
    """
    tracker = {str(k): "NANO_5V" if net == "VCC" else net for k, net in enumerate(TRACKER, 1)}
    parts = (
        part("U1", NANO, "Nano", NANO_NETS),
        chain_plug("J1", "chain", {}),
        part("J2", TRACKER_PLUG, "tracker", tracker, "tracker"),
        part("J3", TERMINAL, "5 V", {"1": "OUTER_5V", "2": "GND"}, "5 V in"),
        part("JP1", SELECTOR, "supply", {"1": "NANO_5V", "2": "VCC", "3": "OUTER_5V"}, "USB / 5 V in"),
        part("R1", RESISTOR, "100", {"1": "SCK", "2": "CLOCK"}),
        part("R2", RESISTOR, "100", {"1": "LOAD", "2": "LATCH"}),
        part("R3", RESISTOR, "10k", {"1": "VCC", "2": "DATA"}),
        part("R4", RESISTOR, "1k", {"1": "LAMP", "2": "LAMP_A"}),
        part("D1", LAMP, "lamp", {"A": "LAMP_A", "K": "GND"}),
        part("C1", ELECTROLYTIC, "100u", {"+": "VCC", "-": "GND"}),
        bypass("C2"),
    )
    circuit = Circuit("carrier", "Sensor board carrier", parts, ())
    spots = {
        "U1": at(35.56, 10.16),
        "J1": at(7.62, 8.89),
        "J2": at(7.62, 20.32),
        "J3": at(13.97, 54.61),
        "JP1": at(6.35, 31.75),
        "R1": at(20.32, 34.29),
        "R2": at(20.32, 30.48),
        "R3": at(20.32, 26.67),
        "R4": at(20.32, 38.1),
        "D1": at(27.94, 45.72),
        "C1": at(59.69, 33.02, 270),
        "C2": at(24.13, 20.32, 90),
    }
    screws = ((4.5, 57.5), (65.5, 4.5), (65.5, 57.5))
    texts = (Text("USB", 43.2, 51.5), Text(circuit.title, 43.2, 58))
    return Placement(circuit, spots, rectangle(70, 62), screws, texts, ("VCC", "NANO_5V", "OUTER_5V"))
