"""What a sensor's readings mean, by docs/build/field.md and in its units: firmware/core/field.c is held to it.

A piece is there from 3 mT on, and gone below 2.2 mT, by the mean of eight readings. A south pole raises what they say;
the other pole is another piece. Fields count from where the sensor rests. That is the middle of its range until 64
scans in a row were below 2.2 mT; their mean then, as fine as eight readings can tell. A host that knows where it rests
has it begin there instead. From then on it follows what an empty cell reads, by such a step every 30 seconds.
"""

from __future__ import annotations

from fractions import Fraction

THERE_MT, GONE_MT = Fraction(3), Fraction("2.2")
MV_PER_MT = 15  # of the DRV5055A3 at 3.3 V
SUPPLY_MV, COUNTS = 3300, 4096
READINGS = 8
LEARNING_SCANS = 64
FOLLOW_SCANS = 30_000
STEP = Fraction(1, READINGS)  # of a count


class Cell:
    """One sensor. Readings are in counts of the ADC, as fractions."""

    def __init__(self) -> None:
        self.pole = 0  # 1 where a north pole faces down, -1 where a south pole does
        self.rest = Fraction(COUNTS, 2)
        self._quiet: list[Fraction] = []
        self._learned = False
        self._scans = 0

    def begin_at(self, rest_mt: Fraction) -> None:
        """A host says where the sensor rests, above 0 as of a north pole. It learns anew from there."""
        self.rest = round((Fraction(COUNTS, 2) - rest_mt * MV_PER_MT * COUNTS / SUPPLY_MV) / STEP) * STEP
        self._quiet.clear()
        self._learned = False

    def field_mt(self, reading: Fraction) -> Fraction:
        """Return a reading as a field, of either sign."""
        return (reading - self.rest) * SUPPLY_MV / COUNTS / MV_PER_MT

    def take(self, readings: list[int]) -> int:
        """Take the eight readings of a scan; return the pole of the piece that is there, 0 for none."""
        self._scans += 1
        mean = Fraction(sum(readings), len(readings))
        field_mt = self.field_mt(mean)
        pole = -1 if field_mt > 0 else 1
        self.pole = pole if abs(field_mt) >= (GONE_MT if self.pole == pole else THERE_MT) else 0
        if abs(field_mt) >= GONE_MT:
            self._quiet.clear()
        elif not self._learned:
            self._learn(mean)
        elif self._scans % FOLLOW_SCANS == 0 and field_mt:
            self.rest += STEP if field_mt > 0 else -STEP
        return self.pole

    def _learn(self, mean: Fraction) -> None:
        self._quiet.append(mean)
        if len(self._quiet) == LEARNING_SCANS:
            middle = sum(self._quiet) / LEARNING_SCANS / STEP
            self.rest = int(middle + Fraction(1, 2)) * STEP  # the nearest, halves upwards
            self._learned = True
