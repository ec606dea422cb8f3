"""The levels climb: of two that follow each other, the higher one wins more. An order can name each, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.engine.levels import LEVELS
from controller.engine.matches import Score, chooser, match
from controller.engine.player import MOST_NODES
from controller.game_setup import BEST_LEVEL
from controller.rules.registry import all_games, game_named

ROOT = Path(__file__).parents[2]
GAMES = 40
NAMES = list(all_games())


def test_the_levels_that_there_are_are_known_everywhere() -> None:
    """By orders, by the panel's script that offers the next one, and by the player, which looks no further."""
    assert [level.number for level in LEVELS] == list(range(1, BEST_LEVEL + 1))
    script = (ROOT / "web_panel/static/common/device.js").read_text(encoding="utf-8")
    assert f"const LEVELS = {BEST_LEVEL};" in script
    assert max(level.nodes for level in LEVELS) <= MOST_NODES


@pytest.mark.night
@pytest.mark.parametrize("level", [2, 3, 4, 5])
@pytest.mark.parametrize("name", NAMES)
def test_a_level_beats_the_one_below(name: str, level: int) -> None:
    game = game_named(name)
    wants = {game.facts.players_option: 2} if game.facts.players_option else {}
    options, never = game.options(**wants), lambda: lambda: False
    players = [chooser(str(number), game, 2, None, never) for number in (level, level - 1)]
    score = Score(2)
    for played in match(game, options, players[0], players[1], GAMES, 2 * level, 2):
        score = score.and_also(played.points)
    assert score.mean > 0.5, score.line()


@pytest.mark.slow
@pytest.mark.parametrize("level", [1, 2])
def test_a_weak_level_of_beacons_lights_beacons_and_does_not_spend_itself(level: int) -> None:
    """Games among equals: with the figures of before, nearly all ended with nothing counted and somebody out."""
    game, never = game_named("beacons"), lambda: lambda: False
    each = chooser(str(level), game, 2, None, never)
    games = list(match(game, game.options(), each, each, 10, 3, 2))
    assert all(played.plies > 10 for played in games)
    assert sum(played.result.why == "tally" for played in games) >= 7
    assert sum(sum(played.result.scores or ()) for played in games) >= 2 * len(games)
