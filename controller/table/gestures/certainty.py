"""When what the sensors have seen is sure, and how long a ply must rest before it counts.

Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from controller.table.gestures.changes import NEVER_US
from controller.table.gestures.footprints import PlyFootprint, PositionFootprints
from controller.table.gestures.resolver import TouchEvidence, Verdict, stopped
from controller.table.gestures.timing import Timing
from controller.table.gestures.weak_magnets import QUICK_US

DRAGGED_US = 120_000  # a piece that arrives so soon after it left was pushed over the board, not carried
STRAIGHTENED_US = 700_000  # who puts a piece straight has it up for less
PASSED_US = 100_000  # a hand that only carries a piece low over a cell is gone by then, for a slow sensor too
SLOW_US = 450_000  # from one touch to the next: a hand that takes longer is given more time
PATIENCE_US = 1_500_000  # and never more than this
IN_THE_HAND_TIMES = 6  # so many times the settling time a piece that is up may go on


def sure_us(seen: TouchEvidence, timing: Timing) -> int:
    """Return when every change so far is sure: what is undone before was a contact's bounce, or a hand passing by."""
    wait_us = (timing.flicker_ms + timing.steady_ms) * 1000  # what comes back counts only when it is steady
    return max((change.t_us + wait_us for change in seen.changes), default=NEVER_US)


def lifted_us(seen: TouchEvidence, timing: Timing, sites: int) -> int:
    """Return when it is sure that a hand has lifted the pieces from ``sites``, and has not only bumped them."""
    lifts = (t_us + QUICK_US for bit, t_us in seen.last_off.items() if bit & sites & ~seen.now)
    return max(sure_us(seen, timing), max(lifts, default=NEVER_US))


def answered_us(seen: TouchEvidence, timing: Timing, made: PlyFootprint, sites: int) -> int | None:
    """Return when it is sure that a hand has lifted one of the ``sites`` in answer to ``made``; None if none has.

    Only what was lifted after the piece had landed can answer it: who held one before tells nothing of the other hand.
    """
    landed_us = seen.last_on.get(made.landing, NEVER_US)
    after = sum(bit for bit, t_us in seen.last_off.items() if bit & sites & ~seen.now and t_us > landed_us)
    return lifted_us(seen, timing, after) if after else None


def quiet_us(seen: TouchEvidence, timing: Timing, times: int = 1) -> int:
    """Return when nothing has moved for ``times`` the settling time."""
    return max(sure_us(seen, timing), seen.last_us + times * timing.settle_ms * 1000)


def counts_us(verdict: Verdict, position: PositionFootprints, seen: TouchEvidence, timing: Timing) -> int:
    """Return when the ply that ``verdict`` takes as made counts.

    One that was answered counts as soon as that lift is sure, and one that moves no piece as soon as the sensors are.
    One that was seen to take the place of an enemy, and ends there, counts once the hand has not only passed by. Else
    the piece must rest: fingers may be on it yet, to move it on or to put it back.
    """
    made = verdict.made
    if made is None or not made.path:
        return lifted_us(seen, timing, verdict.early)
    if (lift_us := answered_us(seen, timing, made, verdict.early)) is not None:
        return lift_us
    if made.exchanges and verdict.final:
        return max(sure_us(seen, timing), seen.last_us + min(PASSED_US, timing.settle_ms * 1000))
    others = [f for f in position.footprints if f is not made and f.path and f.origin == made.origin]
    times = _rests_times(made, others, position, seen)
    patience_us = _patience_us(made, seen) if times > 1 or (others and not verdict.final) else 0
    return max(quiet_us(seen, timing, times), seen.last_us + patience_us)


def _rests_times(
    made: PlyFootprint, others: Sequence[PlyFootprint], position: PositionFootprints, seen: TouchEvidence
) -> int:
    """Return how many times the settling time the piece that made a ply rests: longer where sensors tell less.

    Where a piece of the same pole is replaced, that one may have come back, the more so if it was lifted after the
    other and was not away for long. A piece that slides may be on its way to where ``others`` of its plies end. One
    that was set down on the stops of a longer way may have more to take; and one that is to be taken off where it
    landed, and is up again, may be in the hand that moves it on.
    """
    longer = position.longer_than(made)
    if longer and made.landing & made.chores & ~seen.now:
        return IN_THE_HAND_TIMES
    pushed = _dragged(made, seen) and any(f.landing != made.landing for f in others)
    if pushed or any(
        f.empties == made.empties or f.landing == made.landing or _stops_seen(f, made, seen) for f in longer
    ):
        return 4
    if len(position.footprints) > 1 and made.origin and made.replaced:  # else a lesson waits for this one alone
        return 4 if _straightened(made, seen) else 2
    return 1


def _stops_seen(longer: PlyFootprint, made: PlyFootprint, seen: TouchEvidence) -> bool:
    return len(longer.path) > len(made.path) and stopped(longer, seen)


def _straightened(made: PlyFootprint, seen: TouchEvidence) -> bool:
    """Whether the piece on the goal was lifted after the one that seems to take it, and may have been put back soon."""
    off_us = seen.last_off.get(made.landing, NEVER_US)
    return off_us > seen.last_off.get(made.origin, off_us) and seen.last_on[made.landing] - off_us < STRAIGHTENED_US


def _dragged(made: PlyFootprint, seen: TouchEvidence) -> bool:
    """Whether the piece came to its landing so fast that it was pushed there."""
    left_us = max((seen.last_off.get(bit, NEVER_US) for bit in made.path[:-1]), default=NEVER_US)
    return seen.last_on.get(made.landing, 0) - left_us < DRAGGED_US


def _patience_us(made: PlyFootprint, seen: TouchEvidence) -> int:
    """Return how long to wait for a slow hand: a little longer than it has taken between two touches."""
    began_us = min((us for bit, us in seen.last_off.items() if bit & made.involved), default=NEVER_US)
    touches = [change.t_us for change in seen.changes if change.t_us >= began_us]
    slowest = max((after - before for before, after in pairwise(touches)), default=0)
    return min(slowest * 5 // 4, PATIENCE_US) if slowest > SLOW_US else 0
