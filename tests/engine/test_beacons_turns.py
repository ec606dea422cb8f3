"""How the board opens Beacons: a beginner's board bids differently from game to game."""

from __future__ import annotations

import pytest

from controller.engine.levels import level_of
from controller.engine.player import Player
from controller.rules.registry import game_named

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
