"""Can a sensor tell kinds of pieces by the strength of their magnets? Judged by other dice than the borders."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import numpy as np

from hardware.field.cylinder import Array, Disc
from hardware.field.draws import CHUNK, Tolerances, readings

# A walk with one piece over all cells has measured each cell; kinds are asked for where a piece stands well.
AFTER_A_WALK = Tolerances(most_stray_mm=3.2, offset_mt=0.25, noise_mt=0.25, gain=0.03)

SETS: tuple[tuple[Disc, ...], ...] = (
    ((8.0, 3.0), (10.0, 5.0)),
    ((10.0, 2.0), (10.0, 5.0)),
    ((10.0, 2.0), (10.0, 4.0)),
    ((8.0, 3.0), (10.0, 3.0)),
    ((8.0, 3.0), (10.0, 3.0), (10.0, 5.0)),
    ((8.0, 3.0), (10.0, 3.0), (12.0, 5.0)),
)


class KindBorders(msgspec.Struct, frozen=True):
    """Borders between the kinds of a set, in mT, and the share of each kind that is told right, with its side."""

    discs: tuple[Disc, ...]
    depth_mm: float
    draws: int
    borders_mt: tuple[float, ...]
    right: tuple[float, ...]


def told(discs: tuple[Disc, ...], depth_mm: float, off: Tolerances, draws: int) -> KindBorders:
    """Return how well kinds are told, each judged by ``draws`` pieces. The discs come from the weakest on.

    A border lies where as many of the weaker are above as of the stronger below, in one chunk of draws of each. That
    chunk is not among those that are judged; ``draws`` is a multiple of `CHUNK`.
    """
    found = [list(readings(disc, discs, depth_mm, off, draws + CHUNK)) for disc in discs]
    borders_mt = tuple(_border(weak[0].placed, strong[0].placed) for weak, strong in pairwise(found))
    ends = (0.0, *borders_mt, float("inf"))
    right = tuple(
        float(np.mean(np.concatenate([(ends[k] <= read.placed) & (read.placed < ends[k + 1]) for read in reads[1:]])))
        for k, reads in enumerate(found)
    )
    return KindBorders(
        discs, depth_mm, draws, tuple(round(mt, 3) for mt in borders_mt), tuple(round(each, 6) for each in right)
    )


def _border(weak: Array, strong: Array) -> float:
    """Return the level with as many weak readings above it as strong ones below it."""
    weak, strong = np.sort(weak)[::-1], np.sort(strong)
    crossed = int(np.argmax(strong >= weak))
    return float((weak[crossed] + strong[crossed]) / 2)
