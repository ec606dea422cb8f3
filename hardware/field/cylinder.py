"""The field of cylinder magnets for arrays of places: along their axis and away from it.

`hardware.printables.magnets` has the same axial field for single places, without numpy, for those who only build.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hardware.elliptic import cel

Array = NDArray[np.float64]
Disc = tuple[float, float]  # diameter and height, in mm
Discs = tuple[Array | float, Array | float]  # of every place its own


def field_mt(disc: Discs, remanence_t: Array | float, out_mm: Array, along_mm: Array) -> tuple[Array, Array]:
    """Return the field along a magnet's axis and away from it, in mT, for arrays of places.

    ``along_mm`` counts along the axis from the near face, ``out_mm`` away from it. There is a hole at the very rim.
    The closed form of N. Derby and S. Olbert, "Cylindrical magnets and ideal solenoids", Am. J. Phys. 78 (2010) 229.
    """
    a, b = disc[0] / 2, disc[1] / 2
    centre_mm = along_mm + b
    gamma = (a - out_mm) / (a + out_mm)
    along, away = np.zeros_like(out_mm), np.zeros_like(out_mm)
    for edge_mm, sign in ((centre_mm + b, 1.0), (centre_mm - b, -1.0)):
        far_mm = np.hypot(edge_mm, out_mm + a)
        kc = np.hypot(edge_mm, a - out_mm) / far_mm
        along += sign * edge_mm / far_mm * cel(kc, gamma**2, gamma, np.sqrt)
        away += sign / far_mm * cel(kc, 1.0, -1.0, np.sqrt)
    strength_mt = 1000 / np.pi * a * remanence_t
    return strength_mt / (a + out_mm) * along, strength_mt * away


def upright_mt(
    disc: Discs, remanence_t: Array | float, out_mm: Array, along_mm: Array, tilt: Array, towards: Array
) -> Array:
    """Return the vertical field, in mT, at places seen from the middle of a tilted magnet's lower face.

    ``out_mm`` sideways and ``along_mm`` below that face; ``tilt`` and ``towards`` in radians, the latter between where
    the axis leans below the magnet and the place.
    """
    sine, cosine = np.sin(tilt), np.cos(tilt)
    along = along_mm * cosine + out_mm * np.cos(towards) * sine
    lean = out_mm * np.cos(towards) * cosine - along_mm * sine
    away_mm = np.hypot(lean, out_mm * np.sin(towards)) + 1e-6
    axial, radial = field_mt(disc, remanence_t, away_mm, along)
    return axial * cosine - radial * lean / away_mm * sine
