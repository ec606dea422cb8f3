"""The trial of a version, at any hour of the clock: two minutes to begin, five to play, and two ends forgiven."""

from __future__ import annotations

import pytest

from controller.appliance.updates.trial import Seen, Verdict, Watch

NOON_US = 12 * 3600 * 1_000_000
SECOND_US = 1_000_000


@pytest.mark.parametrize(("seconds", "verdict"), [(0, "wait"), (119, "wait"), (120, "silent"), (500, "silent")])
def test_it_has_two_minutes_to_begin(seconds: int, verdict: Verdict) -> None:
    begun = Watch(NOON_US)
    assert begun.saw(NOON_US + seconds * SECOND_US, Seen(False, 0)) == (begun, verdict)
    assert begun.saw(NOON_US + seconds * SECOND_US, Seen(False, 1))[1] == "silent"  # it ended before it began


@pytest.mark.parametrize(("seconds", "verdict"), [(0, "wait"), (299, "wait"), (300, "stood")])
def test_then_it_is_watched_for_five(seconds: int, verdict: Verdict) -> None:
    ready, waits = Watch(NOON_US).saw(NOON_US + 50 * SECOND_US, Seen(True, 0))
    assert waits == "wait"
    later_us = NOON_US + (50 + seconds) * SECOND_US
    assert ready.saw(later_us, Seen(True, 2)) == (ready, verdict)
    assert ready.saw(later_us, Seen(False, 2)) == (ready, "wait")  # it is about to be started again
    assert ready.saw(later_us, Seen(True, 3)) == (ready, "ends")
