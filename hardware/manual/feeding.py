"""What a bill has to feed a board: two supplies, what joins them, fuse and wires.

Owns their prices. Must not know sensors, lights or what is printed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from hardware.manual.lines import Line
from hardware.power import Budget
from hardware.supply_path import KINDS, XT30, Pi, joint_for

SUPPLY_EUR = {3000: 15.0, 4000: 17.0, 5000: 21.0, 6000: 26.0}
OPEN_SUPPLY_EUR = 18.0


def feeding(power: Budget, pi: Pi = "pi4") -> Iterator[Line]:
    """Yield the lines of the bill for a board whose Pi has a supply of its own."""
    own = KINDS[pi]
    yield Line(own.own, 1, "", own.own_eur)
    yield Line(f"supply 5 V {power.supply_ma / 1000:g} A, {power.supply}", 1, "",
               SUPPLY_EUR.get(power.supply_ma, OPEN_SUPPLY_EUR))  # fmt: skip
    if joint_for(power.milliamps) is XT30:
        yield Line("XT30 plug and socket, soldered on instead of the supply's own plug", 1, "pair", 1.50)
    else:
        yield Line("socket 5.5 × 2.1 mm with screw terminals, for 5 A", 1, "", 1.20)
    yield Line(f"blade fuse {power.fuse_a:g} A with holder", 1, "", 2.50)
    yield Line(f"wire AWG {power.trunk.gauge}, red and black", metres(2 * power.trunk.length_mm), "m", 1.10)
    if power.feed:
        length = 2 * power.feed.length_mm * power.rows
        yield Line(f"wire AWG {power.feed.gauge}, red and black", metres(length), "m", 0.40)


def metres(mm: float) -> int:
    """Return how much wire to buy for so much of it laid."""
    return math.ceil(mm * 1.1 / 1000)
