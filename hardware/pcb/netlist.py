"""Circuits as values: devices with pins, parts that join pins to nets, and what is wrong with a circuit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

# As KiCad names them. A passive pin may be joined to anything.
Electrical = Literal["input", "output", "passive", "power_in", "open_collector", "tri_state", "no_connect"]


class Pin(msgspec.Struct, frozen=True):
    """A pin of a package: its number there, its name on the data sheet, and what it does."""

    number: str
    name: str
    kind: Electrical


class Device(msgspec.Struct, frozen=True):
    """A kind of part. ``footprint`` is a name of `hardware.pcb.footprints`; ``prefix`` begins its references."""

    name: str
    prefix: str
    pins: tuple[Pin, ...]
    footprint: str

    def pin(self, name: str) -> Pin:
        """Return the pin of that name; raises KeyError."""
        for pin in self.pins:
            if pin.name == name:
                return pin
        raise KeyError(f"a {self.name} has no pin '{name}'")


class Part(msgspec.Struct, frozen=True):
    """One part of a board. ``nets`` has the net of each joined pin by the pin's number; pins left out stay open.

    ``note`` is printed beside the part where there is room: what a connector is for.
    """

    ref: str
    device: Device
    value: str
    nets: Mapping[str, str]
    note: str = ""

    def net(self, pin: str) -> str | None:
        """Return the net at the pin of that name, None where it is open; raises KeyError."""
        return self.nets.get(self.device.pin(pin).number)


def part(ref: str, device: Device, value: str, joins: Mapping[str, str], note: str = "") -> Part:
    """Return a part whose pins are joined by name; raises KeyError where the device has no such pin."""
    return Part(ref, device, value, {device.pin(name).number: net for name, net in joins.items()}, note)


class Circuit(msgspec.Struct, frozen=True):
    """A board's circuit. ``supplies`` are the nets that get their power from outside, through a connector."""

    name: str
    title: str
    parts: tuple[Part, ...]
    supplies: tuple[str, ...]

    def part(self, ref: str) -> Part:
        """Return the part with that reference; raises KeyError."""
        for each in self.parts:
            if each.ref == ref:
                return each
        raise KeyError(f"{self.name} has no part {ref}")

    def nets(self) -> dict[str, tuple[tuple[str, str], ...]]:
        """Return the (reference, pin number) pairs on every net, nets and pairs in the order of the parts."""
        found: dict[str, list[tuple[str, str]]] = {}
        for each in self.parts:
            for number, net in each.nets.items():
                found.setdefault(net, []).append((each.ref, number))
        return {net: tuple(ends) for net, ends in found.items()}


def faults(circuit: Circuit) -> tuple[str, ...]:
    """Return what is wrong with the circuit, a sentence a fault; KiCad's electrical check asks the same and more."""
    return (*_part_faults(circuit), *_net_faults(circuit))


def _part_faults(circuit: Circuit) -> Iterator[str]:
    for ref, count in Counter(each.ref for each in circuit.parts).items():
        if count > 1:
            yield f"{circuit.name}: {count} parts are called {ref}"
    for each in circuit.parts:
        for pin in each.device.pins:
            if pin.kind in ("input", "power_in") and pin.number not in each.nets:
                yield f"{circuit.name}: pin {pin.number} ({pin.name}) of {each.ref} floats; join it to a net"


def _net_faults(circuit: Circuit) -> Iterator[str]:
    kinds = {(each.ref, pin.number): pin.kind for each in circuit.parts for pin in each.device.pins}
    for net, ends in circuit.nets().items():
        if len(ends) == 1:
            yield f"{circuit.name}: net {net} ends at pin {ends[0][1]} of {ends[0][0]}, its only pin"
        found = Counter(kinds[end] for end in ends)
        if found["output"] > 1:
            yield f"{circuit.name}: {found['output']} outputs drive net {net}"
        if found["power_in"] and net not in circuit.supplies:
            yield f"{circuit.name}: net {net} supplies parts, but is no supply of the board"
        if found["input"] and set(found) == {"input"}:
            yield f"{circuit.name}: nothing drives net {net}"
