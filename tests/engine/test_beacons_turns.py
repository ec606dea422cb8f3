"""How the board opens Beacons: a beginner's board bids differently from game to game."""

from __future__ import annotations

import pytest

from controller.engine.levels import level_of
from controller.engine.player import Player
from controller.rules.games.beacons.state import END
from controller.rules.registry import game_named
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
