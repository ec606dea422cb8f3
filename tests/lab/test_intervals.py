"""Intervals hold what they promise, whatever is true, and middles are those of what was counted."""

from __future__ import annotations

from random import Random

import pytest
from scipy import stats

from controller.lab.intervals import Intervals, differs, quantile, share, strengths


@pytest.mark.parametrize(("part", "whole"), [(0, 10), (3, 10), (10, 10), (512, 1_000), (1, 5_000)])
def test_a_share_has_the_interval_that_scipy_gives_it(part: int, whole: int) -> None:
    ours, theirs = share(part, whole, 0.99), stats.binomtest(part, whole).proportion_ci(0.99, method="wilson")
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_a_report_with_many_figures_is_wrong_about_one_in_five_of_a_hundred_times_at_most() -> None:
    dice, wrong = Random(3), 0
    for _ in range(400):
        intervals = Intervals(20)
        fair = [intervals.share(sum(dice.random() < 0.5 for _ in range(100)), 100) for _ in range(20)]
        wrong += any(not each.low <= 0.5 <= each.high for each in fair)
    assert wrong <= 0.08 * 400


def test_points_of_games_that_are_often_drawn_are_known_better() -> None:
    drawn, won = Intervals().points(10, 180, 200, 0.5), Intervals().points(100, 0, 200, 0.5)
    assert drawn.value == won.value == 0.5
    assert drawn.high - drawn.low < (won.high - won.low) / 2


def test_a_seat_that_won_all_games_may_still_lose_one() -> None:
    points = Intervals().points(20, 0, 20, 0.5)
    assert points.value == 1
    assert 0.7 < points.low < 0.95


def test_the_middle_of_a_histogram_is_that_of_its_values() -> None:
    dice = Random(1)
    values = sorted(dice.randrange(60) for _ in range(501))
    histogram = {value: values.count(value) for value in set(values)}
    middle = Intervals().middle(histogram)
    assert middle.value == values[250]
    assert middle.low <= 30 <= middle.high
    assert quantile(histogram, 0.05) == values[25]


def test_two_shares_differ_where_nothing_between_them_fits_both() -> None:
    low, high = differs(share(300, 1_000, 0.95), share(400, 1_000, 0.95), 1)
    assert 0 < low < 0.1 < high
    low, high = differs(share(30, 100, 0.95), share(40, 100, 0.95), 1)
    assert low < 0 < high


def test_nothing_is_known_of_no_games() -> None:
    assert Intervals().share(0, 0).within(0, 1)
    assert Intervals().points(0, 0, 0, 0.5).count == 0
    assert Intervals().middle({}).count == 0


def test_whoever_scores_three_quarters_is_191_elo_stronger_and_steps_add_up() -> None:
    scored = {("2", "1"): 750.0, ("1", "2"): 250.0, ("3", "2"): 750.0, ("2", "3"): 250.0}
    found = strengths(scored, ["1", "2", "3"])
    assert found["1"] == 0
    assert found["2"] == pytest.approx(190.8, abs=0.5)
    assert found["3"] == pytest.approx(381.7, abs=0.5)


def test_who_has_won_every_game_is_not_infinitely_strong() -> None:
    assert 400 < strengths({("2", "1"): 100.0, ("1", "2"): 0.0}, ["1", "2"])["2"] < 5_000
