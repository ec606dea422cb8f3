"""The trial of a version, at any hour of the clock: two minutes to begin, five to play, and two ends forgiven."""

from __future__ import annotations

import pytest

from controller.appliance.updates.trial import ServiceSeen, TrialWatch, Verdict

NOON_US = 12 * 3600 * 1_000_000
SECOND_US = 1_000_000


@pytest.mark.parametrize(("seconds", "verdict"), [(0, "wait"), (119, "wait"), (120, "silent"), (500, "silent")])
def test_it_has_two_minutes_to_begin(seconds: int, verdict: Verdict) -> None:
    begun = TrialWatch(NOON_US)
    assert begun.saw(NOON_US + seconds * SECOND_US, ServiceSeen(False, 0)) == (begun, verdict)
    assert begun.saw(NOON_US + seconds * SECOND_US, ServiceSeen(False, 1))[1] == "silent"  # it ended before it began


@pytest.mark.parametrize(("seconds", "verdict"), [(0, "wait"), (299, "wait"), (300, "stood")])
def test_then_it_is_watched_for_five(seconds: int, verdict: Verdict) -> None:
    ready, waits = TrialWatch(NOON_US).saw(NOON_US + 50 * SECOND_US, ServiceSeen(True, 0))
    assert waits == "wait"
    later_us = NOON_US + (50 + seconds) * SECOND_US
    assert ready.saw(later_us, ServiceSeen(True, 2)) == (ready, verdict)
    assert ready.saw(later_us, ServiceSeen(False, 2)) == (ready, "wait")  # it is about to be started again
    assert ready.saw(later_us, ServiceSeen(True, 3)) == (ready, "ends")
