"""What is measured of one game when it is over: who led, when it was decided, what each seat used.

Owns these definitions alone; what they mean for a game is judged in the report. They are computed where the game was
played, so that a report need never look at all plies of a game together.

Sources: lead change, drama and decidedness after C. Browne, "Automatic Generation and Evaluation of Recombination
Games" (2008), as measures of one game; here the position is judged by the game's hand-made counts.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import msgspec

LEADS = 0.05  # by how much the largest share exceeds every other one, for its seat to lead


class Story(msgspec.Struct, frozen=True):
    """How a game went. ``decided`` is the ply after which the winner always led, None where nobody won.

    ``behind`` is how far the later winner's share was ever below the best of the others.
    """

    lead_changes: int
    behind: float
    decided: int | None
    forced: int
    used: tuple[tuple[str, ...], ...]


def leader(shares: Sequence[float]) -> int | None:
    """Return the seat that leads clearly, None where none does."""
    first, second = sorted(range(len(shares)), key=lambda seat: -shares[seat])[:2]
    return first if shares[first] - shares[second] > LEADS else None


def lead_changes(shares: Sequence[Sequence[float]]) -> int:
    """Return how often the lead went from one seat to another; positions in which nobody leads are passed over."""
    leaders = [who for each in shares if (who := leader(each)) is not None]
    return sum(before != after for before, after in itertools.pairwise(leaders))


def behind(shares: Sequence[Sequence[float]], winner: int) -> float:
    """Return how far the winner's share was ever below the best of the others, 0 where it never was."""
    return max((max(0.0, max(each) - each[winner]) for each in shares), default=0.0)


def decided(shares: Sequence[Sequence[float]], winner: int) -> int:
    """Return the number of plies after which the winner had the largest share, and kept it."""
    for number in range(len(shares), 0, -1):
        if leader(shares[number - 1]) != winner:
            return number
    return 0
