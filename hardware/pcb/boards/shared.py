"""What several boards have alike: plugs of the chain, registers with their resistors, supplies with capacitors, and the
small parts of boards that come assembled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hardware.pcb.assembled import CAPACITOR_0603, RESISTOR_0603
from hardware.pcb.devices import CAPACITOR, CHAIN, CHAIN_PLUG, CROWBAR, HC165, PEAKS, PULL_UPS, SENSOR, header
from hardware.pcb.netlist import Part, part
from hardware.profile import REGISTER_BITS

PULL_UP = "10k"
BYPASS = "100n"


def chain_plug(ref: str, note: str, nets: Mapping[str, str]) -> Part:
    """Return a plug of the chain; ``nets`` renames what is not called as on the plug."""
    return part(ref, CHAIN_PLUG, note, {str(k): nets.get(name, name) for k, name in enumerate(CHAIN, 1)}, note)


def light_plug(ref: str, note: str, data: str) -> Part:
    """Return a plug of the light strip: 5 V, data, ground."""
    return part(ref, header(3), note, {"1": "V5", "2": data, "3": "GND"}, note)


def register(ref: str, data: str, serial: str, inputs: Sequence[str]) -> Part:
    """Return a 74HC165 that sends ``inputs`` to ``data`` in their order, eight of them, and then ``serial``.

    D7 is the first to leave, so input k of the byte goes to D(7 - k).
    """
    bits = {f"D{REGISTER_BITS - 1 - k}": net for k, net in enumerate(inputs)}
    rest = {"PL": "LATCH", "CP": "CLOCK", "CE": "GND", "Q7": data, "DS": serial, "VCC": "VCC", "GND": "GND"}
    return part(ref, HC165, "74HC165", bits | rest)


def pull_ups(ref: str, inputs: Sequence[str], serial: str) -> Part:
    """Return the network of resistors that holds eight inputs high while their sensors are open.

    The ninth holds ``serial`` high where its ribbon is torn: left to itself that input may read low, and then all
    behind it seems occupied while the end of the chain seems to be there.
    """
    return part(ref, PULL_UPS, PULL_UP, {"COM": "VCC"} | {f"R{k}": net for k, net in enumerate((*inputs, serial), 1)})


def sensor(ref: str, net: str) -> Part:
    """Return a sensor that pulls ``net`` to ground while a magnet is there."""
    return part(ref, SENSOR, "reed or hall", {"VCC": "VCC", "GND": "GND", "OUT": net})


def bypass(ref: str, supply: str = "VCC") -> Part:
    """Return the capacitor beside a chip."""
    return part(ref, CAPACITOR, BYPASS, {"1": supply, "2": "GND"})


def resistor_0603(ref: str, value: str, one: str, other: str) -> Part:
    """Return a resistor that a machine places."""
    return part(ref, RESISTOR_0603, value, {"1": one, "2": other})


def capacitor_0603(ref: str, supply: str, value: str = BYPASS, ground: str = "GND") -> Part:
    """Return a capacitor that a machine places."""
    return part(ref, CAPACITOR_0603, value, {"1": supply, "2": ground})


def guards(crowbar: str, peaks: str, supply: str) -> tuple[Part, Part]:
    """Return what stands behind a fuse: a diode that blows it where + and - are exchanged, and one against peaks."""
    ways = {"K": supply, "A": "GND"}
    return part(crowbar, CROWBAR, "1N5822", ways), part(peaks, PEAKS, "SA5.0A", ways)
