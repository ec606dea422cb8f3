"""What happens on an assembled board while a supply of too many volts is at its USB socket.

The absorber conducts, and heats up until the fuse opens or it is too hot. One that was too hot is a short circuit, says
its maker: then the fuse opens all the same, and what lies behind it has seen no more than the absorber let pass.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import msgspec

from hardware.reverse_supply import LEAD_OHMS, ROOM_C, ResettableFuse

SUPPLIES = (
    (5.5, 3.0),
    (9.0, 1.0),
    (12.0, 0.1),
    (12.0, 1.0),
    (12.0, 3.0),
)  # volts, and what each gives at most in amperes


class Absorber(msgspec.Struct, frozen=True):
    """A diode that conducts above ``volts``, at most, then as ``ohms`` do. Heat goes from its chip to its leads, and
    from those to the room: kelvin a watt and joules a kelvin of each way.
    """

    name: str
    volts: float
    ohms: float
    ways: tuple[tuple[float, float], ...]
    most_c: float

    def held_volts(self, amps: float) -> float:
        """Return the voltage at it while that current flows."""
        return self.volts + self.ohms * amps

    def too_hot_s(self, amps: float) -> float:
        """Return after how many seconds it is too hot; infinite for never."""
        watts, room_k = amps * self.held_volts(amps), self.most_c - ROOM_C
        if watts * sum(kelvin for kelvin, _ in self.ways) <= room_k:
            return math.inf
        low_s, high_s = 0.0, 3600.0
        for _ in range(60):
            at_s = (low_s + high_s) / 2
            warmer_k = watts * sum(-kelvin * math.expm1(-at_s / (kelvin * heat)) for kelvin, heat in self.ways)
            low_s, high_s = (at_s, high_s) if warmer_k < room_k else (low_s, at_s)
        return low_s


# Bourns, data sheet of the series MF-MSMF: 0.5 s and 5 s at 8 A.
MF_MSMF110 = ResettableFuse("MF-MSMF110/24X", 1.10, 0.06, 0.5, 8 / 1.1)
MF_MSMF260 = ResettableFuse("MF-MSMF260/16X", 2.60, 0.015, 5.0, 8 / 2.6)
FUSES = {"1.1A": MF_MSMF110, "2.6A": MF_MSMF260}  # by the value that the boards name
# Littelfuse, data sheet of the series SMAJ: 7.0 V at most, 9.2 V at 43.5 A, 30 K/W to its leads, 120 K/W to the room,
# 150 °C. 64 mg of plastic and metal are 0.05 J/K; the square centimetre of the board below it is 0.3 J/K.
SMAJ5_0A = Absorber("SMAJ5.0A", 7.0, 2.2 / 43.5, ((30.0, 0.05), (90.0, 0.3)), 150.0)


class TooManyVolts(msgspec.Struct, frozen=True):
    """What flows, what is at the parts behind the fuse, and after how many seconds each of the two gives way."""

    amps: float
    volts: float
    fuse_opens_s: float
    too_hot_s: float


def too_many_volts(fuse: ResettableFuse, volts: float, most_amps: float) -> TooManyVolts:
    """Return what a supply of ``volts`` does behind ``fuse`` that gives ``most_amps``."""
    ohms = LEAD_OHMS + fuse.least_ohms + SMAJ5_0A.ohms
    amps = max(0.0, min(most_amps, (volts - SMAJ5_0A.volts) / ohms))
    held = min(volts, SMAJ5_0A.held_volts(amps))
    return TooManyVolts(amps, held, fuse.opens_s(amps), SMAJ5_0A.too_hot_s(amps))


def lines(fuse: ResettableFuse) -> Iterator[str]:
    """Yield, as lines of Markdown, what several supplies do to ``fuse`` and absorber."""
    yield "| supply | at the parts | fuse opens after | absorber too hot after |"
    yield "| --- | ---: | ---: | ---: |"
    for volts, amps in SUPPLIES:
        found = too_many_volts(fuse, volts, amps)
        row = f"{found.volts:.1f} V | {_seconds(found.fuse_opens_s)} | {_seconds(found.too_hot_s)}"
        yield f"| {volts:g} V, {amps:g} A at most | {row} |"
    yield ""
    yield f"With {fuse.name} and {SMAJ5_0A.name} in a room of {ROOM_C:.0f} °C. An absorber that was too hot is"
    yield "mostly a short circuit: from then on the fuse, or the supply's own limit, keeps the rest from harm."


def _seconds(seconds: float) -> str:
    return "never" if math.isinf(seconds) else f"{seconds:.1f} s"
