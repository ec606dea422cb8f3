"""What every game promises, held against every game that comes with Beaconboard, with its options and a few variants.

Must not name a game but in the table of perft figures.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from controller.rules.conformance import CHECKS, OF_THE_GAME, Sample, play_at_random, variants
from controller.rules.conformance.play import random_play_ends
from controller.rules.conformance.quick import broken_promise
from controller.rules.conformance.secret_play import secrets_show_in_nothing
from controller.rules.game import AnyGame
from controller.rules.options import parse
from controller.rules.registry import NoSuchGame, all_games, game_named

FIGURES = [
    ("beacons", {"template": "trial"}, (26, 606, 10_801)),
    ("circle", {}, (29, 955, 33_155)),
    ("circle", {"players": 4}, (19, 433, 10_529)),
    ("cyvasse", {}, (86, 7_376, 607_726)),
    ("giantslayer", {}, (144, 2_592, 340_902)),
    ("tam-ruat-chess", {}, (45, 2_025, 94_722)),
    ("tides-of-war", {}, (14, 190, 3_290, 60_034)),
]
Given = tuple[tuple[str, Any], ...]  # options that are not the default
Check = Callable[[Sample], None]
SEEDS = {random_play_ends: range(4), secrets_show_in_nothing: range(3)}  # other checks: seed 1

TABLES = [(name, tuple(given.items())) for name, game in all_games().items() for given in variants(game)]
EVERY_TABLE = pytest.mark.parametrize(
    ("name", "given"), TABLES, ids=["-".join([name, *(f"{k}={v}" for k, v in given)]) for name, given in TABLES]
)
EVERY_GAME = pytest.mark.parametrize("name", list(all_games()))


@cache
def played(name: str, given: Given, seed: int) -> Sample:
    return play_at_random(game_named(name), dict(given), seed)


# All checks of a table stand together: a worker plays its games once, and no other worker plays them too.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("check", "seed"),
    [(check, seed) for check in CHECKS for seed in SEEDS.get(check, (1,))],
    ids=lambda each: getattr(each, "__name__", str(each)),
)
@EVERY_TABLE
def test_a_game_keeps_its_promises(name: str, given: Given, check: Check, seed: int) -> None:
    check(played(name, given, seed))


@EVERY_GAME
@pytest.mark.parametrize("check", OF_THE_GAME, ids=lambda check: check.__name__)
def test_a_game_says_of_itself_what_it_promises(name: str, check: Callable[[AnyGame], None]) -> None:
    check(game_named(name))


@EVERY_GAME
def test_the_short_check_of_a_game_that_is_loaded_finds_nothing_wrong_with_ours(name: str) -> None:
    assert broken_promise(game_named(name)) == ""


def test_a_name_that_no_game_has_is_told_with_the_names_there_are() -> None:
    with pytest.raises(NoSuchGame, match=next(iter(all_games()))):
        game_named("ludo")


@pytest.mark.parametrize(("name", "given", "figures"), FIGURES)
def test_perft_has_the_figures_of_the_ruling(name: str, given: dict[str, Any], figures: tuple[int, ...]) -> None:
    game = game_named(name)
    state = game.start(parse(game.options, given), 0)
    assert tuple(game.perft(state, depth) for depth in range(len(figures) + 1)) == (1, *figures)
