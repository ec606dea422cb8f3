"""What happens on carrier and hat while + and - of their supply are exchanged: a diode carries it until a fuse opens.

Reckoned at the ends that hurt most: the smallest resistance of the fuse, its longest time, the largest drop of the
diode, the least heat that its body takes up, and a warm room.
"""

from __future__ import annotations

import math

import msgspec

SUPPLY_VOLTS, SUPPLY_AMPS = 5.25, 10.5  # the largest of the list, Mean Well LRS-50-5, cuts off above 105 %
LEAD_OHMS = 0.03
ROOM_C = 40.0


class ResettableFuse(msgspec.Struct, frozen=True):
    """A fuse of Bourns: ``least_ohms`` cold, and ``trips_s`` at ``times`` what it holds, at most."""

    name: str
    holds_a: float
    least_ohms: float
    trips_s: float
    times: float = 5.0  # the series MF-R is measured at that

    def opens_s(self, amps: float) -> float:
        """Return after how many seconds it has opened; infinite where it never does.

        One body that heats up with the square of the current: twice what it holds keeps it just below opening.
        """
        if amps <= 2 * self.holds_a:
            return math.inf
        share = (2 * self.holds_a / amps) ** 2
        body_s = self.trips_s / -math.log(1 - (2 / self.times) ** 2)
        return -body_s * math.log(1 - share)


class Rectifier(msgspec.Struct, frozen=True):
    """A diode that a wrong supply drives: its drop at two currents, at most, and the heat in its body."""

    name: str
    volts: tuple[tuple[float, float], tuple[float, float]]  # (amperes, volts), the larger current last
    kelvin_a_watt: float
    joules_a_kelvin: float
    most_c: float

    def drop_volts(self, amps: float) -> float:
        """Return its drop, on the straight line through both points."""
        (low_a, low), (high_a, high) = self.volts
        return low + (amps - low_a) * (high - low) / (high_a - low_a)


# Bourns, data sheet of the series MF-R, table of electrical characteristics.
MF_R110 = ResettableFuse("MF-R110", 1.10, 0.10, 6.6)
MF_R185 = ResettableFuse("MF-R185", 1.85, 0.04, 8.7)
MF_R300 = ResettableFuse("MF-R300", 3.00, 0.02, 10.8)
FUSES = {"1.1A": MF_R110, "1.85A": MF_R185}  # by the value that the boards name
# Vishay 1N5822: 0.525 V at 3 A, 0.95 V at 9.4 A, 150 °C. DO-201AD: 1.1 g, of which no more than 0.6 J/K are counted;
# 50 K/W on short leads.
D_1N5822 = Rectifier("1N5822", ((3.0, 0.525), (9.4, 0.95)), 50.0, 0.6, 150.0)


class Reversed(msgspec.Struct, frozen=True):
    """What flows, for how long, and how hot the diode is at the end."""

    amps: float
    seconds: float
    most_c: float


def reversed_supply(fuse: ResettableFuse, diode: Rectifier) -> Reversed:
    """Return what the largest supply does the wrong way round; a fuse that never opens is given a minute."""
    ohms = LEAD_OHMS + fuse.least_ohms
    low_a, high_a = 0.1, SUPPLY_AMPS
    for _ in range(50):
        amps = (low_a + high_a) / 2
        reaches = amps * ohms + diode.drop_volts(amps) < SUPPLY_VOLTS
        low_a, high_a = (amps, high_a) if reaches else (low_a, amps)
    seconds = min(fuse.opens_s(low_a), 60.0)
    watts = low_a * diode.drop_volts(low_a)
    body_s = diode.kelvin_a_watt * diode.joules_a_kelvin
    warmer_k = watts * diode.kelvin_a_watt * -math.expm1(-seconds / body_s)
    return Reversed(low_a, seconds, ROOM_C + warmer_k)


def lines() -> list[str]:
    """Return, as lines of Markdown, what each fuse makes of a supply that is turned round."""
    table = ["| fuse | current | open after | diode then |", "| --- | ---: | ---: | ---: |"]
    for fuse in (MF_R110, MF_R185, MF_R300):
        found = reversed_supply(fuse, D_1N5822)
        fits = "" if found.most_c <= D_1N5822.most_c else ": too hot"
        row = f"{found.amps:.1f} A | {found.seconds:.0f} s | {found.most_c:.0f} °C{fits}"
        table.append(f"| {fuse.name}, holds {fuse.holds_a:g} A | {row} |")
    return table
