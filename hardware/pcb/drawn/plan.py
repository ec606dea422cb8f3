"""Which part of a circuit is drawn where: columns of blocks, and the small parts that hang on their pins.

It goes by nets alone, so it draws whatever boards there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from hardware.pcb.netlist import Circuit, Part

Side = Literal["left", "right"]
MANY_PINS = 20  # of a block with more, open pins are left out
GROUND = "GND"


class HungPart(msgspec.Struct, frozen=True):
    """A part of two legs on a net: ``near`` is its pin there, ``far`` its other one, and ``to`` the net beyond it."""

    part: Part
    near: str
    far: str
    to: str


class Leg(msgspec.Struct):
    """A pin of a block: on ``side``, joined to ``net``; "" where it is open.

    ``shunts`` go from the net to a supply; ``through`` is a part in the wire, behind which the net is ``outer`` and
    ``shunts_beyond`` hang.
    """

    number: str
    name: str
    net: str
    side: Side = "left"
    shunts: tuple[HungPart, ...] = ()
    through: HungPart | None = None
    shunts_beyond: tuple[HungPart, ...] = ()

    @property
    def outer(self) -> str:
        """Return the net at the end of the leg."""
        return self.through.to if self.through else self.net


class Block(msgspec.Struct):
    """A part drawn as a box."""

    part: Part
    legs: list[Leg]


class SheetPlan(msgspec.Struct):
    """``bands`` lie below each other, each with columns of blocks; ``loose`` are small parts between supplies.

    ``left_out`` are holes that only lead nets on. ``power`` has the nets that have symbols of their own.
    """

    bands: list[list[list[Block]]]
    loose: list[HungPart]
    left_out: list[str]
    power: frozenset[str]


def plan(circuit: Circuit, power: tuple[str, ...]) -> SheetPlan:
    """Return the plan of a circuit; ``power`` names its supplies beside ground."""
    rails = frozenset((GROUND, *power, *circuit.supplies))
    holes = [each.ref for each in circuit.parts if each.device.prefix == "H"]
    small = {each.ref: each for each in circuit.parts if _is_small(each)}
    rest = [each for each in circuit.parts if each.ref not in small and each.device.prefix != "H"]
    blocks = [Block(each, _legs(each, rails)) for each in rest]
    bands = _bands(blocks)
    _hang(bands, small, rails)
    for band in bands:
        _choose_sides(band, rails)
    loose = [HungPart(each, *_pins(each), each.nets[_pins(each)[1]]) for each in small.values()]
    return SheetPlan(bands, loose, holes, rails)


def _is_small(each: Part) -> bool:
    return len(each.device.pins) == 2 and each.device.prefix in "RCDFL"


def _pins(each: Part) -> tuple[str, str]:
    first, second = (pin.number for pin in each.device.pins)
    return first, second


def _legs(each: Part, rails: frozenset[str]) -> list[Leg]:
    legs = [Leg(pin.number, pin.name, each.nets.get(pin.number, "")) for pin in each.device.pins]
    if len(legs) > MANY_PINS:
        legs = [leg for leg in legs if leg.net]
    if all(pin.name == pin.number for pin in each.device.pins):  # a plug: as its pins lie
        return legs
    return sorted(legs, key=lambda leg: (leg.net == GROUND, leg.net not in rails, not leg.net))


# ---- columns ----------------------------------------------------------------------------------------------


def _bands(blocks: list[Block]) -> list[list[list[Block]]]:
    """Return the lights from left to right by themselves, if there are any, below the columns of all else."""
    pixels = [block for block in blocks if {"DIN", "DOUT"} <= {leg.name for leg in block.legs}]
    data = {leg.net for block in pixels for leg in block.legs if leg.name in ("DIN", "DOUT")}
    plugs = [b for b in blocks if b not in pixels and any(leg.net in data for leg in b.legs)]
    columns: list[list[Block]] = [[], [], []]
    for block in blocks:
        if block not in pixels and block not in plugs:
            columns[_column(block)].append(block)
    bands = [[column for column in columns if column]]
    if pixels:
        first = {leg.net for leg in pixels[0].legs if leg.name == "DIN"}
        before = [plug for plug in plugs if any(leg.net in first for leg in plug.legs)]
        after = [plug for plug in plugs if plug not in before]
        bands.append([column for column in (before, *([block] for block in pixels), after) if column])
    return bands


def _column(block: Block) -> int:
    """Return 0 for plugs, 1 for what is joined to them, 2 for what lies behind that: gates and sensors."""
    kinds = {pin.kind for pin in block.part.device.pins}
    gates = sum(leg.name.endswith("Y") for leg in block.legs) > 1 and not any("OE" in leg.name for leg in block.legs)
    if "open_collector" in kinds or gates or block.part.note.startswith("vertex"):
        return 2
    return 0 if block.part.device.prefix in ("J", "JP") else 1


# ---- small parts ------------------------------------------------------------------------------------------


def _hang(bands: list[list[list[Block]]], small: dict[str, Part], rails: frozenset[str]) -> None:
    """Hang small parts on the pins of blocks, and take them out of ``small``; chips go before plugs."""
    blocks = [block for band in bands for column in band for block in column]
    legs = [leg for block in sorted(blocks, key=_column, reverse=True) for leg in block.legs if leg.net]
    ends: dict[str, int] = {}
    for leg in legs:
        ends[leg.net] = ends.get(leg.net, 0) + 1
    for leg in legs:  # in the wire: nothing else of this net but shunts
        if leg.net not in rails and leg.through is None:
            series = [hung for hung in _on(leg.net, small) if hung.to not in rails]
            if ends[leg.net] == 1 and len(series) == 1:
                leg.through = series[0]
                del small[series[0].part.ref]
    for leg in legs:
        if leg.net not in rails:
            leg.shunts = _take(leg.net, small, rails)
    for leg in legs:
        if leg.through is not None:
            leg.shunts_beyond = _take(leg.through.to, small, rails)


def _take(net: str, small: dict[str, Part], rails: frozenset[str]) -> tuple[HungPart, ...]:
    taken = tuple(hung for hung in _on(net, small) if hung.to in rails)
    for hung in taken:
        del small[hung.part.ref]
    return taken


def _on(net: str, small: dict[str, Part]) -> Iterator[HungPart]:
    for each in small.values():
        first, second = _pins(each)
        if each.nets[first] == net:
            yield HungPart(each, first, second, each.nets[second])
        elif each.nets[second] == net:
            yield HungPart(each, second, first, each.nets[first])


def _choose_sides(band: list[list[Block]], rails: frozenset[str]) -> None:
    """Turn every leg to the neighbouring column that its net goes on to."""
    nets = [{leg.outer for block in column for leg in block.legs if leg.outer not in rails} for column in band]
    for k, column in enumerate(band):
        before, after = nets[k - 1] if k else set(), nets[k + 1] if k + 1 < len(band) else set()
        for block in column:
            for leg in block.legs:
                kind = next(pin.kind for pin in block.part.device.pins if pin.number == leg.number)
                out = kind not in ("input", "power_in", "passive", "open_collector")
                if k == 0 or (leg.outer in after and leg.outer not in before):
                    leg.side = "right"
                elif leg.outer in before or leg.outer in rails or not out:
                    leg.side = "left"
                else:
                    leg.side = "right"
