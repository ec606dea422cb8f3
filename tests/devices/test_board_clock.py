"""The estimate of the sensor board's clock keeps to its bounds, by figures worked out by hand."""

from __future__ import annotations

import pytest

from controller.devices.link.board_clock import WRAP, BoardClock, EventTimes, begin, observe, to_host

SECOND = 1_000_000


def test_a_clock_that_runs_fast_beyond_belief_is_taken_to_drift_by_one_percent() -> None:
    # 16 s on the board are 15.2 s here: 5 %. What is believed is 1 %.
    clock = observe(begin(0, 0), 16 * SECOND, 15_200_000)
    assert (clock.offset_us, clock.drift_ppm) == (-800_000, -10_000)
    assert to_host(clock, 17 * SECOND) == 17 * SECOND - 800_000 - 10_000


def test_a_clock_that_runs_slow_beyond_belief_is_taken_to_drift_by_one_percent() -> None:
    # Frames that come ever later raise the estimate by 8000 ppm at first, then by 400 ppm beside the drift so far.
    clock, drifts = begin(0, 0), []
    for n in range(1, 9):
        clock = observe(clock, n * 16 * SECOND, n * 32 * SECOND)
        drifts.append(clock.drift_ppm)
    assert drifts == [8000, 8400, 8800, 9200, 9600, 10_000, 10_000, 10_000]


def test_the_drift_is_measured_over_16_seconds_and_no_less() -> None:
    clock = observe(begin(0, 0), 16 * SECOND - 1, 16 * SECOND - 1 - 16_000)
    assert (clock.drift_ppm, clock.base_board_us, clock.rise_ppm) == (0, 0, 8000)
    clock = observe(begin(0, 0), 16 * SECOND, 16 * SECOND - 16_000)
    assert (clock.drift_ppm, clock.base_board_us, clock.rise_ppm) == (-1000, 16 * SECOND, 400)


@pytest.mark.parametrize(
    ("stamp_us", "at_us"), [(WRAP - 1, -1), (WRAP // 2, -WRAP // 2), (WRAP // 2 - 1, WRAP // 2 - 1)]
)
def test_a_time_is_the_nearest_one_that_the_32_bits_can_mean(stamp_us: int, at_us: int) -> None:
    assert to_host(BoardClock(0, 0, 0, 0), stamp_us) == at_us


def test_an_event_is_never_later_than_now_nor_before_the_one_before() -> None:
    times = EventTimes()
    times.restart(0, 1000)
    assert times.of(500, 9999) == 1500
    assert times.of(400, 9999) == 1500
    assert times.of(5000, 5500) == 5500


def test_three_late_frames_in_a_row_mean_that_the_clock_stood_still_and_two_do_not() -> None:
    times = EventTimes()
    times.restart(0, 0)
    for n in (1, 2):
        times.learn_present(n, n + 50_001)
    times.learn_present(3, 3 + 50_000)  # as late as a frame may be: the row begins anew
    for n in (4, 5):
        times.learn_present(n, n + 60_000)
    assert times.of(5, SECOND) == 5
    times.learn_present(6, 6 + 60_000)
    assert times.of(6, SECOND) == 60_006
