"""From level 2 on none leaves a piece standing that was just attacked, whatever it overlooks and misjudges.

What that is, says the arena by the rules alone (`tools/arena/hanging.py`).
"""

from __future__ import annotations

from typing import Any

import pytest

from controller.engine.levels import LEVELS, level_of
from controller.engine.player import Player
from controller.rules.registry import game_named
from tests.tools.test_hanging import ATTACKS, attacked_by
from tools.arena.hanging import Hanging

SEEDS = 12


@pytest.mark.slow
@pytest.mark.parametrize("level", [level.number for level in LEVELS if level.sight.saves])
@pytest.mark.parametrize(("name", "before", "turn"), [each[:3] for each in ATTACKS])
def test_such_a_level_never_leaves_an_attacked_piece_standing(name: str, before: Any, turn: str, level: int) -> None:
    game, attacked = game_named(name), attacked_by(name, before, turn)
    assert attacked is not None
    player, hanging, figures = Player(game, 2), Hanging(game), level_of(level, name)
    seat = game.seat(attacked.state)
    for seed in range(SEEDS):
        state, took = attacked.state, 0.0
        while game.seat(state) == seat:
            ply = player.choose(state, figures, seed, min(figures.nodes, 300)).ply
            took, state = took + hanging.gain(state, ply), game.play(state, ply)
        assert not hanging.left_standing(attacked, state, took), f"seed {seed}"
