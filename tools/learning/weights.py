"""The fit of weights: what each count of a game is worth, so that its positions foretell what a search finds.

It costs nothing when the program plays, and wants far fewer games than a network.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.optimize import minimize

from tools.learning.fit import FARTHEST, HELD, SCALE, curve, wanted_of
from tools.learning.selfplay import Seen

PULL = 0.002  # towards the weights that one begins with, for a count that is as telling as they are
Floats = Any  # of numpy


def weighed(
    seen: Sequence[Seen], names: Sequence[str], begin: Mapping[str, int], search: float, told: Callable[[str], None]
) -> dict[str, int]:
    """Return the weights, in thousandths, that come nearest to what is wanted of the positions in ``seen``.

    ``begin`` are those that one has. All together they keep the scale of these: a search has margins that hang on it. A
    count that never differs keeps its weight. ``search`` is the part of the search's word, as in `fit.Course`. How
    wrong both are on the last games is told; of those nothing is learned.
    """
    last = len(seen) // HELD
    held, seen = seen[-last:], seen[:-last]
    more = np.array([each.more for each in seen], dtype=float)
    wanted = wanted_of(seen, search)
    spans = np.sqrt((more * more).mean(0))
    differs, begun = spans > 0, np.array([begin.get(name, 0) for name in names])
    rows, start, first = more[:, differs] / spans[differs], begun[differs] * spans[differs] / SCALE, begun.copy()

    def wrong(now: Floats) -> tuple[float, Floats]:
        worth, apart = rows @ now, now - start
        loss = np.mean(np.logaddexp(0, worth) - wanted * worth) + PULL * (apart @ apart)
        return float(loss), rows.T @ (curve(worth) - wanted) / len(rows) + 2 * PULL * apart

    found = minimize(wrong, start, jac=True, method="L-BFGS-B").x
    found *= np.sqrt(np.mean(np.clip(rows @ start, -FARTHEST, FARTHEST) ** 2)
                     / np.mean(np.clip(rows @ found, -FARTHEST, FARTHEST) ** 2))  # fmt: skip
    first[differs] = np.rint(SCALE * found / spans[differs])
    wrongs = [_wrong_of(held, row, search) for row in (begun, first)]
    told(f"{wrongs[0]:.5f} by the weights before, {wrongs[1]:.5f} by those that were learned")
    return {name: int(weight) for name, weight in zip(names, first, strict=True)}


def _wrong_of(seen: Sequence[Seen], weights: Floats, search: float) -> float:
    worth = np.array([each.more for each in seen]) @ weights / SCALE
    return float(np.mean((curve(np.clip(worth, -FARTHEST, FARTHEST)) - wanted_of(seen, search)) ** 2))
