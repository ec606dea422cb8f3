"""What assembled boards cost: ``python -m hardware.pcb.price cell36`` prints it for 5 and for 50.

For a board of several circuit boards, as field144, it is what one and five of them cost.

Parts are those of prices.toml, what the house asks is in boards/house_prices.toml. Each line says of when its price is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import click
import msgspec

from controller.typed import ready
from hardware.pcb.boards.catalogue import TILED, boards, circuits_of
from hardware.pcb.bom import lines, prices, source
from hardware.pcb.footprints import footprints
from hardware.pcb.netlist import Circuit
from hardware.profile import Profile, load

HOUSE = Path(__file__).parent / "boards" / "house_prices.toml"
COUNTS = (5, 50)
LOT = 5  # the least that houses make, and by which they count
WHOLE_COUNTS = (1, 5)  # of boards of several circuit boards


class Charge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is asked ``each`` time; a ``share`` is of all other charges. ``least`` and ``most`` boards have it."""

    what: str
    each: Literal["order", "type", "joint", "board", "share"]
    amount: float
    currency: Literal["EUR", "USD"]
    date: str
    source: str
    least: int = 1
    most: int = 1_000_000


class Rate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Euros a dollar."""

    USD: float
    date: str


class PcbHouse(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file."""

    charge: tuple[Charge, ...]
    rate: Rate


class PriceLine(msgspec.Struct, frozen=True):
    """One line of what a number of boards costs together, in euros, and of when its price is."""

    what: str
    euros: float
    date: str


def house() -> PcbHouse:
    """Return what the house asks."""
    return msgspec.toml.decode(HOUSE.read_bytes(), type=ready(PcbHouse))


def joints(circuit: Circuit) -> int:
    """Return how many pads of a board are soldered."""
    known = footprints()
    return sum(bool(pad.number) for each in circuit.parts for pad in known[each.device.footprint].pads)


def extended(circuit: Circuit) -> int:
    """Return for how many types of parts the house loads a reel."""
    known = prices()
    return len({source(line, known).mpn for line in lines(circuit) if line.bought and source(line, known).extended})


def order(circuit: Circuit, count: int, asked: PcbHouse) -> tuple[PriceLine, ...]:
    """Return what ``count`` assembled boards cost, line by line."""
    times = {"order": 1, "type": extended(circuit), "joint": joints(circuit) * count, "board": count}
    found = list(_parts(circuit, count))
    shares = []
    for charge in asked.charge:
        if not charge.least <= count <= charge.most:
            continue
        euros = charge.amount * (asked.rate.USD if charge.currency == "USD" else 1.0)
        if charge.each == "share":
            shares.append(charge)
        else:
            found.append(PriceLine(f"{charge.what}, {times[charge.each]}", euros * times[charge.each], charge.date))
    together = sum(line.euros for line in found)
    return (*found, *(PriceLine(share.what, together * share.amount, share.date) for share in shares))


def _parts(circuit: Circuit, count: int) -> Iterator[PriceLine]:
    known, together = prices(), dict[str, float]()
    for line in lines(circuit):
        date = known.dated(line)
        together[date] = together.get(date, 0.0) + len(line.refs) * (line.unit or 0.0) * count
    yield from (PriceLine("parts", euros, date) for date, euros in sorted(together.items()))


def together(name: str, count: int) -> float:
    """Return what ``count`` assembled boards of that name cost, in euros; raises KeyError."""
    return sum(line.euros for line in order(boards()[name]().circuit, count, house()))


def ordered(profile: Profile, count: int = 1) -> dict[str, int]:
    """Return how many of which circuit boards are ordered for ``count`` boards of a profile: whole lots."""
    return {name: math.ceil(each * count / LOT) * LOT for name, each in circuits_of(profile).items()}


def whole(profile: Profile, count: int = 1) -> float:
    """Return what the order for ``count`` boards of a profile costs, in euros."""
    return sum(together(name, pieces) for name, pieces in ordered(profile, count).items())


def whole_table(profile: Profile) -> Iterator[str]:
    """Yield the lines of a page: what boards of several circuit boards cost, and of what that is the sum."""
    for count in WHOLE_COUNTS:
        yield from (f"{count} × `{profile.name}`:", "", "| what | ordered | EUR |", "| --- | ---: | ---: |")
        for name, pieces in ordered(profile, count).items():
            yield f"| `{name}` | {pieces} | {together(name, pieces):.2f} |"
        every = whole(profile, count)
        yield from (f"| together | | {every:.2f} |", f"| **each** | | **{every / count:.2f}** |", "")
    yield f"Houses make circuit boards by {LOT}. What one circuit board costs, by the number that is ordered:"
    for name in circuits_of(profile):
        yield from (
            "",
            f"`{name}`, {extended(boards()[name]().circuit)} types of parts that a house keeps no reel of:",
            "",
        )
        yield from table(name)


def table(name: str) -> Iterator[str]:
    """Yield the lines of a page: what boards of that name cost, each with the date of its price; raises KeyError."""
    circuit, asked = boards()[name]().circuit, house()
    for count in COUNTS:
        found = order(circuit, count, asked)
        every = sum(line.euros for line in found)
        yield from (f"{count} boards:", "", "| what | EUR | price of |", "| --- | ---: | --- |")
        yield from (f"| {line.what} | {line.euros:.2f} | {line.date} |" for line in found)
        yield from (f"| together | {every:.2f} | |", f"| **a board** | **{every / count:.2f}** | |", "")
    yield f"Dollars at {asked.rate.USD:g} euros ({asked.rate.date})."


@click.command()
@click.argument("board", type=click.Choice(sorted((*boards(), *TILED))))
def main(board: str) -> None:
    """Print what BOARD costs, assembled."""
    click.echo("\n".join(whole_table(load(board)) if board in TILED else table(board)))


if __name__ == "__main__":
    main()
