"""Makes what the firmware's core needs of linear hall sensors: ``python -m hardware.field_table FILE``."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from pathlib import Path

from hardware.field.limits import READINGS, RELEASE_MT, REST_MOST_MT, THRESHOLD_MT, apart_mt

STRONG_MV = 660  # at the CC pin: a port of 0.5 A has less, one of 1.5 A more (USB Type-C, Voltage on Sink CC Pins)
SENSOR_MV_PER_MT = 15.0  # DRV5055A3 at 3.3 V (its data sheet, Sensitivity)
SUPPLY_MV = 3300  # of the sensors and of the ADC, so that a weak supply changes nothing
ADC_COUNTS = 4096
LEARNED_SCANS = 64  # in a row without a magnet make known where a sensor rests
FOLLOW_S = 30  # a step each so long is 0.8 mT an hour at most: warmth is slower, a neighbour's magnet is gone before


def steps(millitesla: float) -> int:
    """Return a field as a difference of sums of `READINGS` counts, rounded up."""
    return math.ceil(millitesla * SENSOR_MV_PER_MT / SUPPLY_MV * ADC_COUNTS * READINGS)


def strong_count() -> int:
    """Return the ADC's count from which on the supply offers 1.5 A: it reads the mean of both CC pins, of which a cable
    joins one, so half of that."""
    return math.ceil(STRONG_MV / 2 / SUPPLY_MV * ADC_COUNTS)


def told_per_step() -> Fraction:
    """Return what one step is in hundredths of a millitesla, in which the link tells fields."""
    return 100 * Fraction(SUPPLY_MV, ADC_COUNTS * READINGS) / Fraction(SENSOR_MV_PER_MT)


def header() -> str:
    """Return ``field_table.h``."""
    told = told_per_step()
    most, most_on_tiles = (round(100 * (REST_MOST_MT + apart_mt(tiles=tiles))) for tiles in (False, True))
    return f"""/* Made by hardware/field_table.py; do not edit. Fields are sums of FIELD_READINGS counts of the ADC. */
#ifndef FIELD_TABLE_H
#define FIELD_TABLE_H
#define FIELD_READINGS {READINGS}
#define FIELD_MIDDLE {ADC_COUNTS // 2 * READINGS}
#define FIELD_THRESHOLD {steps(THRESHOLD_MT)}
#define FIELD_RELEASE {steps(RELEASE_MT)}
#define FIELD_LEARNED {LEARNED_SCANS}
#define FIELD_FOLLOW_MS {FOLLOW_S * 1000}
#define FIELD_REST_MOST (MUX_GROUPS > 1 ? {most_on_tiles} : {most}) /* hundredths of a millitesla, of any rest */
#define SUPPLY_STRONG_COUNT {strong_count()} /* of a single reading: from it on the supply offers 1.5 A or more */
#define FIELD_TOLD_NUMERATOR {told.numerator} /* hundredths of a millitesla, of a step */
#define FIELD_TOLD_DENOMINATOR {told.denominator}
#endif
"""


def main(arguments: list[str]) -> str | None:
    """Write the header to the file named on the command line; return a sentence where none is named."""
    if len(arguments) != 1:
        return "usage: python -m hardware.field_table FILE"
    Path(arguments[0]).write_text(header(), encoding="ascii")
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
