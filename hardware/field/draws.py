"""A million boards by dice: what a sensor reads of a piece on its cell, and of an empty cell, with all tolerances.

The sensor is a linear hall sensor on the board, pieces stand on the sheet above it, and each of the eight cells round
it has a piece with either pole down.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import msgspec
import numpy as np

from hardware.field.cylinder import Array, Disc, Discs, upright_mt
from hardware.height_budget import SKIN_MM, TOP_MM

CHIP_MM = 0.9  # from the board's upper side to the chip in a SOT-23
PITCH_MM = 33.3  # of first36
SEED = 1
CHUNK = 50_000  # draws that are made at a time, each chunk from a seed of its own


class Tolerances(msgspec.Struct, frozen=True):
    """How far things are off. ``most_`` are limits of even draws, a stray over a disc; the others standard deviations.

    The offset is what a baseline leaves, the noise what the mean of eight readings leaves.
    """

    most_stray_mm: float = 5.0
    most_tilt_deg: float = 6.0
    depth_mm: float = 0.35
    coldest_k: float = -15.0
    warmest_k: float = 20.0
    remanence_t: float = 1.30
    remanence_off_t: float = 0.02
    per_kelvin: float = -0.0012
    offset_mt: float = 0.3
    noise_mt: float = 0.35
    gain: float = 0.0


class Readings(msgspec.Struct, frozen=True):
    """Readings in mT, towards the pole that the piece has down: with it, and of the same cell empty.

    ``lasting`` is what the empty cell's readings have in common, without noise. ``own`` and ``others`` are what piece
    and neighbours have of them.
    """

    placed: Array
    empty: Array
    lasting: Array
    own: Array
    others: Array


def gap_mm(depth_mm: float) -> float:
    """Return how far the chip lies below a magnet's face, with the board's upper side ``depth_mm`` below the sheet."""
    return SKIN_MM + TOP_MM + depth_mm - CHIP_MM


def readings(disc: Disc, others: tuple[Disc, ...], depth_mm: float, off: Tolerances, draws: int) -> Iterator[Readings]:
    """Yield readings in chunks; each neighbour has one of the ``others``. The same dice fall for every disc and depth.

    ``draws`` is a multiple of `CHUNK`; anything else raises ValueError.
    """
    if draws % CHUNK:
        raise ValueError(f"{draws} draws are no multiple of {CHUNK}")
    for number in range(draws // CHUNK):
        yield _chunk(disc, others, depth_mm, off, np.random.default_rng([SEED, number]))


def _chunk(
    disc: Disc, others: tuple[Disc, ...], depth_mm: float, off: Tolerances, dice: np.random.Generator
) -> Readings:
    warm = 1 + off.per_kelvin * dice.uniform(off.coldest_k, off.warmest_k, CHUNK)
    own = _one(disc, (0.0, 0.0), gap_mm(depth_mm), off, dice) * warm
    beside = np.zeros(CHUNK)
    for at in ((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y):
        kind = dice.integers(len(others), size=CHUNK)
        pole = dice.choice((-1.0, 1.0), CHUNK)
        diameters, heights = (np.array([each[k] for each in others])[kind] for k in (0, 1))
        place = (at[0] * PITCH_MM, at[1] * PITCH_MM)
        beside += _one((diameters, heights), place, gap_mm(depth_mm), off, dice) * warm * pole
    rest = dice.normal(0, off.offset_mt, CHUNK)
    gain = dice.normal(1, off.gain, CHUNK)
    placed = gain * (own + beside) + rest + dice.normal(0, off.noise_mt, CHUNK)
    lasting = gain * beside + rest
    return Readings(placed, lasting + dice.normal(0, off.noise_mt, CHUNK), lasting, own, beside)


def _one(
    disc: Discs,
    at: tuple[float, float],
    gap: float,
    off: Tolerances,
    dice: np.random.Generator,
) -> Array:
    """Return what the sensor sees of a piece that should stand at ``at``, in mT, at the temperature of a room."""
    stray_mm = off.most_stray_mm * np.sqrt(dice.random(CHUNK))
    turned = dice.uniform(0, 2 * math.pi, CHUNK)
    x, y = at[0] + stray_mm * np.cos(turned), at[1] + stray_mm * np.sin(turned)
    tilt = np.radians(dice.uniform(0, off.most_tilt_deg, CHUNK))
    towards = dice.uniform(0, 2 * math.pi, CHUNK)
    deep_mm = gap + dice.normal(0, off.depth_mm, CHUNK)
    remanence_t = dice.normal(off.remanence_t, off.remanence_off_t, CHUNK)
    return upright_mt(disc, remanence_t, np.hypot(x, y), deep_mm, tilt, towards)
