"""The carrier of the sensor board: an Arduino Nano in a socket, the plugs of the chain and of the tracker, a lamp."""

from __future__ import annotations

from hardware.pcb.boards.shared import bypass, chain_plug, guards
from hardware.pcb.devices import (
    AHCT125,
    ELECTROLYTIC,
    FUSE,
    LAMP,
    NANO,
    RESISTOR,
    SELECTOR,
    TERMINAL,
    TRACKER,
    TRACKER_PLUG,
)
from hardware.pcb.netlist import Circuit, part
from hardware.pcb.placement import Placement, Text, at, rectangle

# What each used pin of the Nano is joined to. D13 is SCK, D12 MISO; D10 must be an output, being SS.
NANO_NETS = {
    "D13": "SCK",
    "D12": "DATA_NANO",
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


# Two gates side by side for each line: about 10 Ω, as docs/chain-figures.md asks. Their inputs feed no dead supply.
GATES = {"VCC": "VCC", "GND": "GND"} | {f"{gate}OE": "GND" for gate in range(1, 5)}
GATES |= {f"{gate}A": "SCK" for gate in (1, 2)} | {f"{gate}Y": "CLOCK" for gate in (1, 2)}
GATES |= {f"{gate}A": "LOAD" for gate in (3, 4)} | {f"{gate}Y": "LATCH" for gate in (3, 4)}


def carrier() -> Placement:
    """Return the carrier. The jumper takes the chain's 5 V from the Nano's USB or from the screw terminal.

    Nano and chain may have power one without the other: 330 Ω in the data wire keeps either from feeding the other.
    The tracker always has the Nano's own 5 V, against which its levels are measured.
    """
    own = {"VCC": "NANO_5V", "CLOCK": "TRACKED", "DATA": "DATA_NANO"}
    tracker = {str(k): own.get(net, net) for k, net in enumerate(TRACKER, 1)}
    parts = (
        part("U1", NANO, "Nano", NANO_NETS),
        chain_plug("J1", "chain", {}),
        part("J2", TRACKER_PLUG, "tracker", tracker, "tracker"),
        part("J3", TERMINAL, "5 V", {"1": "IN_5V", "2": "GND"}, "5 V in"),
        part("F1", FUSE, "1.1A", {"1": "IN_5V", "2": "OUTER_5V"}),
        *guards("D2", "D3", "OUTER_5V"),
        part("U2", AHCT125, "74AHCT125", GATES),
        part("JP1", SELECTOR, "supply", {"1": "NANO_5V", "2": "VCC", "3": "OUTER_5V"}, "USB / 5 V in"),
        part("R1", RESISTOR, "100", {"1": "CLOCK", "2": "TRACKED"}),
        part("R2", RESISTOR, "330", {"1": "DATA", "2": "DATA_NANO"}),
        part("R3", RESISTOR, "10k", {"1": "VCC", "2": "DATA"}),
        part("R4", RESISTOR, "1k", {"1": "LAMP", "2": "LAMP_A"}),
        part("D1", LAMP, "lamp", {"A": "LAMP_A", "K": "GND"}),
        part("C1", ELECTROLYTIC, "100u", {"+": "VCC", "-": "GND"}),
        bypass("C2"),
        bypass("C3"),
    )
    circuit = Circuit("carrier", "Sensor board carrier", parts, ("VCC", "GND"))
    spots = {
        "U1": at(35.56, 10.16),
        "J1": at(7.62, 8.89),
        "J2": at(7.62, 20.32),
        "J3": at(15.24, 72.39),
        "F1": at(8.89, 63.5),
        "D2": at(29.21, 72.39),
        "D3": at(30.48, 64.77),
        "JP1": at(6.35, 31.75),
        "R1": at(20.32, 30.48),
        "R2": at(20.32, 34.29),
        "R3": at(20.32, 26.67),
        "R4": at(20.32, 38.1),
        "D1": at(27.94, 44.45),
        "U2": at(6.35, 48.26, 90),
        "C3": at(8.89, 54.61),
        "C1": at(59.69, 33.02, 270),
        "C2": at(24.13, 20.32, 90),
    }
    screws = ((4.5, 73.5), (65.5, 4.5), (65.5, 73.5))
    texts = (Text("USB", 43.2, 51.5), Text(circuit.title, 52, 58))
    power = ("VCC", "NANO_5V", "OUTER_5V", "IN_5V")
    return Placement(circuit, spots, rectangle(70, 78), screws, texts, power)
