"""The bill of materials of a board, with what it costs by the estimates in prices.toml.

Owns the price list and the table made with it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import msgspec

from hardware.pcb.netlist import Circuit, Device, Part

PRICES = Path(__file__).with_name("prices.toml")


class Prices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Estimates: ``unit`` has the price of one by the device's name; ``date`` says when they were made."""

    currency: str
    date: str
    unit: dict[str, float]


class Line(msgspec.Struct, frozen=True):
    """Parts that are bought alike. ``unit`` is None for what costs nothing: holes."""

    refs: tuple[str, ...]
    device: Device
    value: str
    unit: float | None


def prices() -> Prices:
    """Return the price list."""
    return msgspec.toml.decode(PRICES.read_bytes(), type=Prices)


def lines(circuit: Circuit) -> tuple[Line, ...]:
    """Return the parts of a board by device and value, in the order of the board; raises KeyError for no price."""
    groups: dict[tuple[Device, str], list[Part]] = {}
    for each in circuit.parts:
        value = "" if each.note else each.value
        groups.setdefault((each.device, value), []).append(each)
    unit = prices().unit
    return tuple(
        Line(tuple(p.ref for p in parts), device, value, None if device.prefix == "H" else unit[device.name])
        for (device, value), parts in groups.items()
    )


def cost(circuit: Circuit) -> float:
    """Return what the parts of one board cost, without the board itself."""
    return sum(len(line.refs) * (line.unit or 0.0) for line in lines(circuit))


def bom(circuit: Circuit) -> str:
    """Return the bill of materials as CSV, with its sum in the last row."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(_rows(circuit))
    return text.getvalue()


def _rows(circuit: Circuit) -> Iterator[tuple[str, ...]]:
    known = prices()
    money = f"{known.currency}, estimate of {known.date}"
    yield "references", "pieces", "part", "value", "footprint", f"each ({money})", "together"
    for line in lines(circuit):
        if line.unit is not None:
            count = len(line.refs)
            head = (" ".join(line.refs), str(count), line.device.name, line.value, line.device.footprint)
            yield *head, f"{line.unit:.2f}", f"{count * line.unit:.2f}"
    yield "", "", "parts of one board", "", "", "", f"{cost(circuit):.2f}"
