"""The bill of materials of a board: what to order, from whom, and what it costs by the estimates in prices.toml.

The lists of the houses that solder are those of `hardware.pcb.houses`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import msgspec

from controller.typed import ready
from hardware.cannot_build import CannotBuild
from hardware.pcb.netlist import Circuit, Device, Part

PRICES = Path(__file__).with_name("prices.toml")


class PartSource(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to order: the maker and its number, a ``second`` that fits as well, the number at LCSC or "".

    For an ``extended`` part JLCPCB loads a reel, which costs by the type.
    """

    maker: str
    mpn: str
    second: str
    lcsc: str = ""
    extended: bool = False


class PartInstead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Another ``part`` that may be bought for all of a device, with its price."""

    part: str
    maker: str
    mpn: str
    second: str
    unit: float


class Prices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Estimates: ``unit`` has the price of one by the device's name; ``date`` says when they were made.

    ``since`` has the date of those that were made at another time. ``source`` goes by the device's name, or by name and
    value; ``turned`` has, by house and footprint, the degrees by which the house's library is turned against ours.
    """

    currency: str
    date: str
    unit: dict[str, float]
    source: dict[str, PartSource]
    instead: dict[str, PartInstead]
    turned: dict[str, dict[str, int]]
    since: dict[str, str] = {}

    def dated(self, line: PartsLine) -> str:
        """Return of when the price of a line is."""
        return self.since.get(line.device.name, self.date)


class PartsLine(msgspec.Struct, frozen=True):
    """Parts that are bought alike. ``unit`` is None for what costs nothing: holes."""

    refs: tuple[str, ...]
    device: Device
    value: str
    unit: float | None

    @property
    def bought(self) -> bool:
        """Whether there is anything to buy."""
        return self.unit is not None


def source(line: PartsLine, known: Prices) -> PartSource:
    """Return what to order for a line; raises `CannotBuild`."""
    name, value = line.device.name, line.value
    found = known.source.get(f"{name} {value}") or known.source.get(name)
    if found is None:
        raise CannotBuild(f'{PRICES.name} does not say what to order for {name} {value}: add [source."{name} {value}"]')
    return msgspec.structs.replace(found, mpn=found.mpn.replace("{value}", _code(value))) if value else found


def _code(ohms: str) -> str:
    """Return a resistor's value as makers write it: 2.2k as 2K2, 330 as 330R."""
    digits = ohms.rstrip("kM")
    letter = ohms[len(digits) :].upper() or "R"
    return digits.replace(".", letter) if "." in digits else f"{digits}{letter}"


def prices() -> Prices:
    """Return the price list."""
    return msgspec.toml.decode(PRICES.read_bytes(), type=ready(Prices))


def lines(circuit: Circuit) -> tuple[PartsLine, ...]:
    """Return the parts of a board by device and value, in the order of the board; raises KeyError for no price."""
    groups: dict[tuple[Device, str], list[Part]] = {}
    for each in circuit.parts:
        value = "" if each.note else each.value
        groups.setdefault((each.device, value), []).append(each)
    unit = prices().unit
    return tuple(
        PartsLine(tuple(p.ref for p in parts), device, value, None if device.prefix == "H" else unit[device.name])
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
    what = ("references", "pieces", "part", "value", "footprint", "maker", "maker's number", "or", "LCSC")
    yield *what, f"each ({money})", "together"
    for line in lines(circuit):
        if line.unit is not None:
            count, order = len(line.refs), source(line, known)
            head = (" ".join(line.refs), str(count), line.device.name, line.value, line.device.footprint)
            yield (*head, order.maker, order.mpn, order.second, order.lcsc, f"{line.unit:.2f}",
                   f"{count * line.unit:.2f}")  # fmt: skip
            if other := known.instead.get(line.device.name):
                head = ("instead of the line above", str(count), other.part, "", line.device.footprint)
                yield (*head, other.maker, other.mpn, other.second, "", f"{other.unit:.2f}", "")
    yield "", "", "parts of one board", *[""] * 7, f"{cost(circuit):.2f}"
