"""Which bids are weighed where all bid at once: sensible ones first, others at random, each of all the units."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from controller.engine import bidding
from controller.engine.bidding import MOST, _candidates, _drawn, bid
from controller.engine.found import Found
from controller.engine.player import Player
from controller.rules.game import Share
from controller.rules.registry import game_named


def bids(seats: int, seat: int, units: int = 12) -> list[tuple[int, ...]]:
    texts = _candidates(
        Share("bid", units, tuple(f"seat {n}" for n in range(seats)), "Share them out."), seat, Random(1)
    )
    assert all(text.startswith("bid ") for text in texts)
    return [tuple(map(int, text.split()[1:])) for text in texts]


@pytest.mark.parametrize("seats", [2, 3, 6])
@pytest.mark.parametrize("units", [1, 12, 13])
def test_each_bid_shares_out_all_units_among_all(seats: int, units: int) -> None:
    for seat in range(seats):
        found = bids(seats, seat, units)
        assert all(len(bid) == seats and sum(bid) == units and min(bid) >= 0 for bid in found)
        assert len(set(found)) == len(found) <= MOST


def test_all_to_one_evenly_and_half_for_oneself_are_always_among_them() -> None:
    found = bids(3, 1)
    assert {(12, 0, 0), (0, 12, 0), (0, 0, 12)} <= set(found), "all to one"
    assert (4, 4, 4) in found, "evenly"
    assert {(6, 6, 0), (0, 6, 6)} <= set(found), "half for oneself, half for one of the others"
    assert len(found) > 6, "and some at random"
    assert (5, 4, 4) in bids(3, 0, 13), "what cannot be shared goes to the first"


def test_a_number_is_drawn_by_its_weight_and_evenly_where_none_has_any() -> None:
    dice = Random(3)
    drawn = [_drawn([0.0, 3.0, -5.0, 1.0], dice) for _ in range(400)]
    assert set(drawn) == {1, 3}
    assert 270 <= drawn.count(1) <= 330
    assert {_drawn([0.0, -1.0, 0.0], dice) for _ in range(60)} == {0, 1, 2}


def bid_of(nodes: int, stop: Callable[[], bool]) -> Found:
    game = game_named("beacons")
    state = game.start(game.options(), 1)
    assert game.known is not None
    return bid(game, game.known(state, 0), 0, 2, Player(game, 2).judge, nodes, 1, stop)


def test_a_bid_is_weighed_for_as_long_as_it_may_be_and_once_in_any_case(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A round weighs every candidate of both seats; see `docs/engine.md`, bids."""
    stopped = bid_of(10_000, lambda: True)
    a_round = stopped.nodes
    assert 0 < a_round <= 2 * MOST
    assert bid_of(1, lambda: False).nodes == a_round
    assert bid_of(a_round, lambda: False).nodes == a_round, "so many were allowed, and no more"
    assert bid_of(a_round + 1, lambda: False).nodes == 2 * a_round
    monkeypatch.setattr(bidding, "ROUNDS", 4)
    assert bid_of(10**9, lambda: False).nodes == 4 * a_round, "more than so many rounds change nothing"


def test_what_a_bid_is_worth_is_the_mean_of_what_the_rounds_gained() -> None:
    for nodes in (1, 300, 1000):
        found = bid_of(nodes, lambda: False)
        assert sum(found.shares) == pytest.approx(1)
        assert all(0 < share < 1 for share in found.shares)
        assert found.worths == ((found.ply, found.shares[0]),)
        assert not found.decided
