"""From which field on there is a piece, and below which there is none: what the firmware and the judgement agree on."""

from __future__ import annotations

THRESHOLD_MT = 3.0  # beyond it there is a piece
RELEASE_MT = 2.2  # and below it there is none any more
SENSOR_OFF_MT = 4.0  # a good sensor rests no further from its middle: 60 mV of 15 mV/mT (DRV5055A3, Quiescent voltage)
REST_MOST_MT = 4.4  # it may be read there, with the error of the ADC; the weakest piece has 4.8 (docs/build/field.md)
# Tiles are read from another ground than their sensors': by 77 mV, where each of these draws its most. Regulators are
# off by 25 mV here and 17 mV at the chip, as half of 3.3 V counts. docs/tiles-figures.md has the first.
TILES_OFF_MT = 8.0  # all tiles rest so far off together at most
TILE_OFF_MT = 2.0  # and one of them from the others, by its own regulator and ribbon
DEPTH_MM = 12.0  # what a board with one sensor and one pixel a cell is made for
READINGS = 8  # of which a scan takes the mean


def apart_mt(*, tiles: bool) -> float:
    """Return how far the ground of a board's sensors, with what supplies them, may be from the chip's."""
    return TILES_OFF_MT + TILE_OFF_MT if tiles else 0.0
