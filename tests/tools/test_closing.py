"""Who is far ahead ends the game: what is counted, and that level 1 takes half as long as it did."""

from __future__ import annotations

from controller.rules.registry import game_named
from tools.arena.closing import Closed, closed, told
from tools.arena.strangers import Budget

GAME = game_named("tides-of-war")


def test_games_in_which_a_was_far_ahead_are_counted_from_then_on() -> None:
    games = list(closed(GAME, "ab2", "random", range(20), 3, Budget(seconds=60)))
    assert 5 < len(games) < 20, "it wins others before"
    assert all(game.points == 1 for game in games)
    assert sum(game.plies for game in games) / len(games) < 8
    assert not list(closed(GAME, "random", "ab2", range(20), 3, Budget(seconds=60)))


def test_the_plies_are_told_with_half_and_a_tenth_of_the_games() -> None:
    assert told([]) == "never far ahead"
    line = told([Closed(plies, float(plies < 30)) for plies in range(10, 50, 4)])
    assert line.startswith("far ahead in 10 games, over 28.0 plies later (30 in half of them, 46 or more in a tenth)")


def test_level_1_ends_a_game_in_which_it_is_far_ahead() -> None:
    """With the errors of an even game, and wins overlooked, it took 17 plies of Tides of War against random play."""
    games = list(closed(GAME, "1", "random", range(60), 3, Budget(seconds=60)))
    assert len(games) > 25
    assert sum(game.plies for game in games) / len(games) < 11
