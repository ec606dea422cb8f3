"""Times and counts of a run, worked out by hand."""

from __future__ import annotations

import pytest

from controller.measured import LATEST, Distribution, Durations, Measured
from tests.waiting import HandClock


def test_times_are_counted_by_the_bounds_that_they_do_not_exceed() -> None:
    times = Durations((1_000, 5_000))
    for took_us in (10, 1_000, 1_001, 5_000, 5_001, 90_000):
        times.note(took_us, now_us=0)
    assert times.distribution() == Distribution({1_000: 2, 5_000: 4}, count=6, total_us=102_012)


def test_only_the_latest_times_are_remembered_one_by_one() -> None:
    times = Durations((1_000,))
    for n in range(LATEST + 10):
        times.note(took_us=n, now_us=100 * n)
    assert len(times.since(0)) == LATEST
    assert times.since(100 * (LATEST + 8)) == [LATEST + 8, LATEST + 9]
    assert times.distribution().count == LATEST + 10


def test_a_call_is_timed_by_the_clock_of_the_service_and_one_that_fails_is_not() -> None:
    clock = HandClock()
    measured = Measured(clock)

    def work(us: int) -> str:
        clock.now_us += us
        if us > 1_000:
            raise ZeroDivisionError
        return "done"

    timed = measured.timed(work, measured.table_step)
    assert timed(us=700) == "done"
    with pytest.raises(ZeroDivisionError):
        timed(us=2_000)
    assert measured.table_step.since(0) == [700]


def test_each_thing_is_counted_for_itself() -> None:
    measured = Measured(HandClock())
    for _ in range(3):
        measured.count("games")
    measured.count("journal_writes")
    counts = [measured.counted(what) for what in ("games", "journal_writes", "refused_requests")]
    assert counts == [3, 1, 0]
