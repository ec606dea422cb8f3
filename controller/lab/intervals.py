"""How sure a share or a middle is: intervals, corrected for how many of them a report judges by.

Owns the statistics, which are scipy's. With 20 intervals of 95 of 100 one is wrong as a rule; so each of a report's is
wide enough that all of them together hold 95 times of 100 (Bonferroni).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log, sqrt

import msgspec
from scipy import stats

CONFIDENCE = 0.95
ELO = 400 / log(10)  # of one unit of strength
PRIOR = 0.01  # of a game that each pair is taken to have won and lost, so that who won all is not infinitely strong


class Estimate(msgspec.Struct, frozen=True):
    """A figure that was measured ``count`` times, and the interval in which the true one lies."""

    value: float
    low: float
    high: float
    count: float

    def within(self, low: float, high: float) -> bool:
        """Whether the true figure is between the two for certain."""
        return low <= self.low and self.high <= high

    def beyond(self, low: float, high: float) -> bool:
        """Whether it is outside of them for certain."""
        return self.high < low or self.low > high


NOTHING = Estimate(float("nan"), 0.0, 1.0, 0)


class Intervals:
    """Makes estimates for a report that judges by ``many`` of them; it counts how many were asked for.

    `shown` makes those that are only shown: each holds 95 times of 100, and none is counted.
    """

    def __init__(self, many: int = 1) -> None:
        self.asked = 0
        self.confidence = 1 - (1 - CONFIDENCE) / max(1, many)

    @property
    def shown(self) -> Intervals:
        """Makes estimates on which no colour rests."""
        return Intervals()

    def share(self, part: float, whole: float) -> Estimate:
        """Return the share of ``part`` in ``whole`` games (Wilson's interval)."""
        self.asked += 1
        if whole < 1:
            return NOTHING
        return share(part, whole, self.confidence)

    def points(self, won: float, drawn: float, games: float, fair: float) -> Estimate:
        """Return the mean points of a game, of which a drawn one brings ``fair``.

        Normal, with a game more that is won and one that is lost: without them games that all end alike would be
        known for certain.
        """
        self.asked += 1
        if games < 2:
            return NOTHING
        mean, more = (won + drawn * fair) / games, games + 2
        middle = (won + 1 + drawn * fair) / more
        spread = (
            (won + 1) * (1 - middle) ** 2 + drawn * (fair - middle) ** 2 + (games - won - drawn + 1) * middle**2
        ) / more
        half = float(stats.norm.ppf(0.5 + self.confidence / 2)) * sqrt(spread / more)
        return Estimate(mean, max(0.0, min(mean, middle - half)), min(1.0, max(mean, middle + half)), games)

    def middle(self, histogram: Mapping[int, int], part: float = 0.5) -> Estimate:
        """Return the quantile ``part`` of what a histogram counts; the interval is that of its order statistics."""
        self.asked += 1
        count = sum(histogram.values())
        if not count:
            return NOTHING
        low, high = stats.binom.interval(self.confidence, count, part)
        return Estimate(
            quantile(histogram, part), quantile(histogram, low / count), quantile(histogram, high / count), count
        )


def share(part: float, whole: float, confidence: float) -> Estimate:
    """Return the share of ``part`` in ``whole`` by Wilson's interval; ``part`` need not be a whole number."""
    z = float(stats.norm.ppf(0.5 + confidence / 2))
    value = part / whole
    middle = (value + z * z / (2 * whole)) / (1 + z * z / whole)
    half = z / (1 + z * z / whole) * sqrt(value * (1 - value) / whole + z * z / (4 * whole * whole))
    return Estimate(value, max(0.0, middle - half), min(1.0, middle + half), whole)


def quantile(histogram: Mapping[int, int], part: float) -> float:
    """Return the smallest value that ``part`` of what is counted does not exceed."""
    count, seen = sum(histogram.values()), 0
    for value in sorted(histogram):
        seen += histogram[value]
        if seen >= part * count:
            return value
    return max(histogram)


def strengths(points: Mapping[tuple[str, str], float], players: Sequence[str]) -> dict[str, float]:
    """Return by how many Elo each player is stronger than the first one, by Bradley and Terry's model (choix).

    ``points`` are those of the first of two players in all games against the second. Every player has met another.
    """
    import choix
    import numpy

    wins = numpy.zeros((len(players), len(players)))
    for (one, other), scored in points.items():
        wins[players.index(one), players.index(other)] = scored
    found = choix.ilsr_pairwise_dense(wins, alpha=PRIOR, max_iter=10_000)
    return {player: ELO * float(each - found[0]) for player, each in zip(players, found, strict=True)}


def differs(a: Estimate, b: Estimate, many: int) -> tuple[float, float]:
    """Return the interval of by how much ``b`` is more than ``a``: Newcombe's, from the interval of each."""
    scale = float(stats.norm.ppf(1 - (1 - CONFIDENCE) / (2 * max(1, many)))) / float(
        stats.norm.ppf(0.5 + CONFIDENCE / 2)
    )
    low = scale * sqrt((b.value - b.low) ** 2 + (a.high - a.value) ** 2)
    high = scale * sqrt((b.high - b.value) ** 2 + (a.value - a.low) ** 2)
    return b.value - a.value - low, b.value - a.value + high
