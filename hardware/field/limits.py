"""From which field on there is a piece, and below which there is none: what the firmware and the judgement agree on."""

from __future__ import annotations

THRESHOLD_MT = 3.0  # beyond it there is a piece
RELEASE_MT = 2.2  # and below it there is none any more
SENSOR_OFF_MT = 4.0  # a good sensor rests no further from its middle: 60 mV of 15 mV/mT (DRV5055A3, Quiescent voltage)
REST_MOST_MT = 4.4  # it may be read there, with the error of the ADC; the weakest piece has 4.8 (docs/build/field.md)
DEPTH_MM = 12.0  # what a board with one sensor and one pixel a cell is made for
READINGS = 8  # of which a scan takes the mean
