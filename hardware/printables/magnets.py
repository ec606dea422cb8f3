"""Does a piece's magnet close its sensor, and no other? The field of a disc magnet, and the sensors' thresholds."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

import msgspec

from hardware.elliptic import cel
from hardware.height_budget import REED_GLASS_MM, Sensor

REMANENCE_T = 1.28  # least of grade N42: Arnold Magnetic Technologies, and the IMA's table of grades
REED_COIL_MM = 10.0  # in which its ampere-turns are told: test coils of small reeds are 8 to 15 mm long (AN102A)
REED_AT = 15  # ampere-turns at which every switch of the class "10 to 15 AT" has closed
REED_RELEASE_AT = 5  # and below which every one has opened again: ORD213 data sheet, drop-out
ONE_POLE = 2.0  # a single pole needs about twice the field: Littelfuse, application note AN102A
HALL_CLOSES_MT = 12.0  # TI DRV5023AJ, SLIS151G: operate point at most
HALL_OPENS_MT = 1.0  # and release point at least

# Discs that every shop has, diameter × height in mm, the weakest first.
DISCS = ((5.0, 2.0), (6.0, 2.0), (6.0, 3.0), (8.0, 3.0), (10.0, 3.0), (10.0, 5.0), (12.0, 6.0))

Disc = tuple[float, float]
RESERVE = 1.5  # times the field that closes every sensor: reed figures hold within "a factor of 2 or more" (AN102A)


class MagnetField(msgspec.Struct, frozen=True):
    """What a sensor sees of a disc, in mT along the disc's axis, and what it wants.

    ``off_mt``: the piece stands off by ``off_mm``. ``others_mt``: its own site is empty, those that touch it have
    magnets of one pole.
    ``closes_mt`` closes every sensor; below ``opens_mt`` every sensor is open.
    """

    disc: Disc
    depth_mm: float
    on_mt: float
    off_mm: float
    off_mt: float
    others_mt: float
    closes_mt: float
    opens_mt: float

    @property
    def closes(self) -> bool:
        """Tell whether the magnet closes its sensor, with the reserve, also where its piece stands off."""
        return min(self.on_mt, self.off_mt) >= RESERVE * self.closes_mt

    @property
    def alone(self) -> bool:
        """Tell whether the sensor opens while the sites that touch it have magnets."""
        return self.others_mt <= self.opens_mt


def axial_mt(diameter_mm: float, height_mm: float, out_mm: float, along_mm: float) -> float:
    """Return the axial field of a disc magnet, in mT, at ``along_mm`` from its face and ``out_mm`` off its axis.

    The closed form of N. Derby and S. Olbert, "Cylindrical magnets and ideal solenoids", Am. J. Phys. 78 (2010) 229.
    """
    a, b = diameter_mm / 2, height_mm / 2
    z, rho = along_mm + b, out_mm
    gamma = (a - rho) / (a + rho)

    def part(edge: float) -> float:
        far = math.hypot(edge, rho + a)
        k = math.hypot(edge, a - rho) / far
        return edge / far * float(cel(k, gamma**2, gamma))

    return REMANENCE_T * 1000 / math.pi * a / (a + rho) * (part(z + b) - part(z - b))


def seen_mt(sensor: Sensor, disc: Disc, depth_mm: float, out_mm: float) -> float:
    """Return the strength of the axial field that a sensor ``depth_mm`` below a disc's face sees of it, in mT.

    A reed stands upright and sees the mean along its glass; a hall switch the field at its chip.
    """
    out_mm += 1e-6 if abs(out_mm - disc[0] / 2) < 1e-9 else 0.0  # the closed form has a hole at the rim
    steps = 20 if sensor == "reed" else 0
    reach = [depth_mm + REED_GLASS_MM * (step / steps - 0.5) for step in range(steps + 1)] if steps else [depth_mm]
    return abs(sum(axial_mt(*disc, out_mm, along) for along in reach) / len(reach))


def thresholds(sensor: Sensor) -> tuple[float, float]:
    """Return the fields, in mT, that close every sensor and that leave every one open.

    For a reed its ampere-turns over the length of its test coil, as in a long coil (AN102A).
    """
    if sensor == "hall":
        return HALL_CLOSES_MT, HALL_OPENS_MT
    per_turn_mt = 4e-7 * math.pi / (REED_COIL_MM / 1000) * 1000
    return ONE_POLE * REED_AT * per_turn_mt, REED_RELEASE_AT * per_turn_mt


def seen(sensor: Sensor, disc: Disc, depth: float, off_mm: float, others_mm: Iterable[float]) -> MagnetField:
    """Return what a sensor sees of ``disc`` above it, off by ``off_mm``, and on the sites ``others_mm`` away."""
    away = Counter(round(out, 1) for out in others_mm)
    others = sum(number * seen_mt(sensor, disc, depth, out) for out, number in away.items())
    on, off = (seen_mt(sensor, disc, depth, out) for out in (0.0, off_mm))
    return MagnetField(disc, depth, on, off_mm, off, others, *thresholds(sensor))
