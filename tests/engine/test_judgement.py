"""What a position is worth: to each seat a share of one whole, more for who is ahead, and certain only at an end."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from controller.engine.judgement import LEAST, MOBILITY, PIECE, difference_of, judge_of, lost, outcome, shares, won
from controller.rules.characters import Slant
from controller.rules.game import Result
from controller.rules.registry import advice_of, all_games, game_named


def test_two_who_are_equal_have_half_and_one_piece_more_is_worth_most_of_the_rest() -> None:
    assert shares([0, 0]) == shares([7000, 7000]) == (0.5, 0.5)
    assert 0.70 < shares([1000, 0])[0] < 0.75
    assert 0.82 < shares([2000, 0])[0] < 0.88
    assert shares([1000, 0]) == pytest.approx(shares([0, 1000])[::-1])
    assert shares([5000, 4000]) == shares([1000, 0]), "what both have is nothing"


@pytest.mark.parametrize("count", [3, 4, 6])
def test_among_many_each_has_its_part_and_who_is_ahead_more(count: int) -> None:
    assert shares([500] * count) == pytest.approx([1 / count] * count)
    found = shares([1000 * number for number in range(count)])
    assert sum(found) == pytest.approx(1)
    assert all(one < other for one, other in pairwise(found))
    ahead = [shares([more] + [0] * (count - 1))[0] for more in (0, 500, 1000, 3000, 100_000)]
    assert all(one < other for one, other in pairwise(ahead))
    assert 1.5 / count < ahead[2] < 0.6
    assert ahead[-1] <= 1 - LEAST * (count - 1)
    assert min(shares([100_000] + [0] * (count - 1))) >= LEAST


def test_nothing_but_an_end_is_certain() -> None:
    assert not won(shares([10**9, 0])[0])
    assert not lost(shares([10**9, 0])[1])
    for seats in (2, 3, 6):
        for depth in (0, 1, 50, 400):
            ended = outcome(Result(True, 1), seats, depth)
            assert won(ended[1])
            assert all(lost(share) for seat, share in enumerate(ended) if seat != 1)
            assert sum(ended) == pytest.approx(1)


def test_a_win_is_worth_more_the_sooner_it_comes_and_a_loss_the_later() -> None:
    soon, late, never = (outcome(Result(True, 0), 2, depth) for depth in (1, 7, 100_000))
    assert soon[0] > late[0] > never[0]
    assert soon[1] < late[1] < never[1]
    assert never == outcome(Result(True, 0), 2, 400), "a bound, so that no loss looks like a game that goes on"


def test_a_draw_is_shared_by_all() -> None:
    assert outcome(Result(True, None), 4, 9) == (0.25,) * 4


def test_without_features_pieces_count_and_what_the_seat_to_move_may_do() -> None:
    game = game_named("tides-of-war")
    judge = judge_of(game, 2, None, {})
    begun = game.start(game.options(), 0)
    assert judge(begun) == shares([14 * PIECE + len(game.moves(begun)) * MOBILITY, 14 * PIECE])
    state = game.play_text(game.play_text(begun, "c3-d3"), "e3xc3xa1")
    assert judge(state)[1] > 0.85, "two stones more, whoever is to move"
    state = game.play_text(begun, "c3-c4")
    assert judge(state)[1] > 0.5, "now the other one is to move"


def test_where_all_bid_at_once_nobody_counts_what_it_may_do() -> None:
    game = game_named("beacons")
    begun = game.start(game.options(), 1)
    assert game.shared(begun) is not None
    assert judge_of(game, 2, None, {})(begun) == (0.5, 0.5)


QUICK = [name for name in sorted(all_games()) if (found := advice_of(name)) and found.difference]


@pytest.mark.parametrize("name", QUICK)
def test_a_quick_comparison_comes_to_what_the_counts_weigh(name: str) -> None:
    game, advice, dice = game_named(name), advice_of(name), random.Random(6)
    assert advice is not None
    for seed in range(6):
        weights = {feature: dice.randrange(-900, 900) for feature in advice.names}
        slant = Slant(*({feature: dice.randrange(-99, 99) for feature in advice.names} for _ in range(2)))
        slowly = difference_of(replace(advice, difference=None), weights, slant, seed % 2)
        quickly = difference_of(advice, weights, slant, seed % 2)
        state = game.start(game.options(), seed)
        while (plies := game.moves(state)) and len(plies) < 400 and dice.random() < 0.99:
            assert quickly(state) == slowly(state)
            state = game.after(state, dice.choice(plies))
