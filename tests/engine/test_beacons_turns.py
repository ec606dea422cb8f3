"""How the board opens Beacons: a beginner's board bids differently from game to game."""

from __future__ import annotations

from typing import cast

import pytest

from controller.engine.best_first import BestFirst
from controller.engine.found import Sight
from controller.engine.levels import level_of
from controller.engine.player import Player
from controller.rules.game import AnyGame
from controller.rules.games.beacons.state import END
from controller.rules.registry import game_named
from tests.engine.tree import Position, Tree
from tests.rules.beacons_positions import stand
from tools.arena.to_and_fro import met

GAME = game_named("beacons")


def bids(level: int, players: int) -> list[tuple[int, ...]]:
    options = GAME.options(players=players)
    player = Player(GAME, players, options=options)
    return [player.choose(GAME.start(options, 3), level_of(level, "beacons"), s).ply.shares for s in range(24)]


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_beginners_board_bids_now_this_way_and_now_that_and_nearly_evenly(level: int, players: int) -> None:
    made = bids(level, players)
    assert len(set(made)) > 2
    assert made == bids(level, players), "the same seed bids the same"
    for shares in made:
        assert sum(shares) == 12
        assert sum(abs(units - 12 // players) for units in shares) <= 2


@pytest.mark.slow
@pytest.mark.parametrize("level", [2, 3, 4])
def test_no_turn_of_the_last_round_is_ended_while_a_beacon_can_be_built_that_costs_little(level: int) -> None:
    """Each beacon is a point for certain, as the other player has spent all, and units count for nothing any more."""
    state = stand("a3=9/0 a4=9/0 b3=9/0 c1=4/0 e3=0/1", rounds=1)
    player = Player(GAME, 2, options=state.options)
    made = [player.choose(state, level_of(level, "beacons"), seed).ply for seed in range(24)]
    assert END not in made


@pytest.mark.slow
def test_the_best_level_which_helps_people_carries_nothing_to_and_fro() -> None:
    """It ends its turn where it could carry units back to where they came from."""
    count = met("8", "keeper", games=4, seed=5, nodes=400)
    assert count.transfers
    assert count.back == 0


class Turns(Tree):
    """A game in which each position says whose turn it is."""

    def seat(self, state: tuple[Position, int]) -> int:
        seat: int = state[0].get("has", 0)
        return seat


@pytest.mark.parametrize(("gain", "hinted"), [(0.003, "end"), (0.008, "carry")])
def test_a_hint_ends_the_turn_where_going_on_betters_the_odds_by_less_than_a_fiftieth(gain: float, hinted: str) -> None:
    carried = {"worth": 0.5 + gain, "end": {"worth": 0.5 + gain, "has": 1}}
    tree = Turns({"worth": 0.5, "end": {"worth": 0.5, "has": 1}, "carry": carried})

    def found(sight: Sight) -> str:
        search = BestFirst(cast(AnyGame, tree), tree.root, 2, tree.judge, sight, 1)
        search.run(60, lambda: False)
        return cast(str, search.found().ply)

    assert found(Sight()) == "carry"
    assert found(Sight(varies=False)) == hinted
    assert found(Sight(varies=False, last=frozenset({"carry"}))) == "end"
