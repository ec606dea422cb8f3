"""Forced wins in one to four plies, found by the solver and not by the engine: level 8 plays all of them."""

from __future__ import annotations

from typing import Any

import pytest

from controller.engine.judgement import won
from controller.engine.levels import LEVELS
from controller.engine.player import Player
from controller.rules.options import parse
from controller.rules.registry import all_games, game_named
from tests.engine.solver import random_states, wins_within

NODES = 20_000  # a fraction of what level 8 may look at
# The game, its options, the seed of a game at random, a number of its plies, and in how many further plies the seat
# to move then wins whatever others do, and not sooner.
WINS: list[tuple[str, dict[str, Any], int, int, int]] = [
    ("beacons", {"players": 3}, 17, 40, 2),
    ("beacons", {"players": 3}, 31, 49, 4),
    ("beacons", {"players": 3}, 43, 42, 2),
    ("beacons", {"players": 3}, 59, 53, 4),
    ("beacons", {"template": "trial"}, 8, 23, 1),
    ("beacons", {"template": "trial"}, 10, 18, 3),
    ("beacons", {"template": "trial"}, 24, 20, 3),
    ("beacons", {"template": "trial"}, 30, 16, 3),
    ("circle", {"players": 4}, 43, 1010, 4),
    ("circle", {"players": 4}, 101, 725, 1),
    ("circle", {}, 0, 685, 1),
    ("circle", {}, 28, 781, 4),
    ("circle", {}, 100, 1078, 1),
    ("circle", {}, 112, 1491, 4),
    ("circle", {}, 140, 643, 4),
    ("circle", {}, 242, 573, 4),
    ("cyvasse", {}, 0, 343, 1),
    ("cyvasse", {}, 1, 148, 3),
    ("cyvasse", {}, 100, 83, 1),
    ("cyvasse", {}, 101, 378, 1),
    ("giantslayer", {}, 1, 20, 4),
    ("giantslayer", {}, 7, 46, 2),
    ("giantslayer", {}, 10, 26, 2),
    ("giantslayer", {}, 14, 32, 4),
    ("giantslayer", {}, 15, 30, 4),
    ("giantslayer", {}, 102, 58, 2),
    ("giantslayer", {}, 104, 36, 4),
    ("giantslayer", {}, 109, 24, 2),
    ("giantslayer", {}, 128, 62, 4),
    ("giantslayer", {}, 132, 34, 4),
    ("tam-ruat-chess", {}, 103, 684, 1),
    ("tam-ruat-chess", {}, 104, 752, 1),
    ("tam-ruat-chess", {}, 105, 787, 3),
    ("tides-of-war", {}, 0, 72, 1),
    ("tides-of-war", {}, 1, 135, 3),
    ("tides-of-war", {}, 2, 82, 3),
    ("tides-of-war", {}, 5, 168, 3),
    ("tides-of-war", {}, 100, 8, 1),
    ("tides-of-war", {}, 101, 105, 1),
    ("tides-of-war", {}, 110, 51, 3),
    ("tides-of-war", {}, 112, 103, 3),
    ("tides-of-war", {}, 113, 217, 3),
]
EVERY_WIN = pytest.mark.parametrize(("name", "given", "seed", "plies", "within"), WINS)


def test_there_are_forty_over_all_games() -> None:
    assert len(WINS) >= 40
    assert {name for name, *_ in WINS} == set(all_games())
    assert {within for *_, within in WINS} == {1, 2, 3, 4}


@pytest.mark.slow
@EVERY_WIN
def test_a_forced_win_is_found(name: str, given: dict[str, Any], seed: int, plies: int, within: int) -> None:
    game = game_named(name)
    state = random_states(game, parse(game.options, given), seed, plies)[plies]
    seat = game.seat(state)
    assert seat is not None
    assert wins_within(game, state, seat, within)
    assert not wins_within(game, state, seat, within - 1)
    choice = Player(game, given.get("players", 2)).choose(state, LEVELS[7], 1, NODES)
    assert won((choice.value + 1) / 2)
    assert choice.nodes <= NODES
    assert wins_within(game, game.after(state, choice.ply), seat, within - 1)
