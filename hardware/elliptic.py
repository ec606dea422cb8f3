"""Bulirsch's complete elliptic integral, of which the field of a cylinder is made: for numbers, and for arrays of them.

Without numpy, which those who only build have not.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

TURNS = 7  # of the arithmetic-geometric mean: exact to 1e-9 from 1 µm off the rim


def cel(kc: Any, p: Any, second: Any, sqrt: Callable[[Any], Any] = math.sqrt) -> Any:
    """Return the integral whose first coefficient is 1, with ``kc`` and ``p`` above zero.

    With numpy's ``sqrt`` of arrays, of each their own.
    """
    k, kk, em, pp = kc, kc, 1.0, sqrt(p)
    s = second / pp
    f, c, g = 1.0, 1.0 + s / pp, k / pp
    s, pp = 2 * (s + f * g), g + pp
    g, em = em, k + em
    for _ in range(TURNS):
        k = 2 * sqrt(kk)
        kk = k * em
        f, c, g = c, c + s / pp, kk / pp
        s, pp = 2 * (s + f * g), g + pp
        g, em = em, k + em
    return math.pi / 2 * (s + c * em) / (em * (em + pp))
