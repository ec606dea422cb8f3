"""How sure a score is: Wilson's interval, and a test that stops as soon as enough has been played."""

from __future__ import annotations

import math
from collections.abc import Sequence

SURE = 1.959964  # standard errors of 95 of 100
RISK = 0.05  # of a wrong verdict, either way


def wilson(points: float, games: int) -> tuple[float, float]:
    """Return the 95 % interval of the share of points; a draw is half a point."""
    if not games:
        return 0.0, 1.0
    share, spread = points / games, SURE * SURE / games
    middle = (share + spread / 2) / (1 + spread)
    half = SURE / (1 + spread) * math.sqrt(share * (1 - share) / games + spread / games / 4)
    return max(0.0, middle - half), min(1.0, middle + half)


def likelihood_ratio(points: Sequence[float], low: float, high: float) -> float:
    """Return how much likelier a share of ``high`` is than one of ``low``, as a logarithm, about normal.

    One more win and one more loss, half each, keep the first games from being all too sure.
    """
    counted = len(points) + 1
    mean = (sum(points) + 0.5) / counted
    square = (sum(each * each for each in points) + 0.5) / counted
    spread = max(square - mean * mean, 1e-6)
    return (high - low) * (2 * mean - low - high) * counted / (2 * spread)


def verdict(points: Sequence[float], low: float, high: float) -> str:
    """Return "high" or "low" as soon as the share is surely nearer to that than to the other, "" before."""
    ratio, bound = likelihood_ratio(points, low, high), math.log((1 - RISK) / RISK)
    return "high" if ratio >= bound else "low" if ratio <= -bound else ""
