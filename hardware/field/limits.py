"""From which field on there is a piece, and below which there is none: what the firmware and the judgement agree on."""

from __future__ import annotations

THRESHOLD_MT = 3.0  # beyond it there is a piece
RELEASE_MT = 2.2  # and below it there is none any more
DEPTH_MM = 12.0  # what a board with one sensor and one pixel a cell is made for
READINGS = 8  # of which a scan takes the mean
