"""The program plays all six games as the designers' texts say, also where players give up, by every way it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

from .at_the_table import Table
from .compare import Pair, play
from .over_http import play as phones_play
from .panel import Panel
from .variants import GAMES

# How many games a test of a few seconds looks at, and one of `make long` in each of its parts.
SHORT = {"tides-of-war": 12, "giantslayer": 8, "circle": 6, "tam-ruat-chess": 4, "cyvasse": 6, "beacons": 30}
LONG = {game: 8 * games for game, games in SHORT.items()}
# By the slow ways `make long` plays the two of which a game is quick, `make night` the others too.
BY_DAY = ("tides-of-war", "giantslayer")
ALL_BY_NIGHT = [
    pytest.param(game, marks=pytest.mark.long if game in BY_DAY else pytest.mark.night, id=game) for game in GAMES
]
# The thirty short games of this one take over two seconds.
BEACONS_IS_SLOW = [pytest.param(game, marks=[pytest.mark.slow] if game == "beacons" else [], id=game) for game in GAMES]


def differing(game: str, seed: str, games: int, how: str = "rules") -> str:
    """Return what differs in so many games, each told as a list of plies; in three of four some give up."""
    told = []
    for number in range(games):
        random = Random(f"{seed} {game} {number}")
        leaving = 0 if number % 4 == 0 else random.randint(1, 5)
        played = play(game, random, how, leaving)
        told += [played.told()] if played.differences else []
    return "\n".join(told)


@pytest.mark.slow
@pytest.mark.parametrize("game", BEACONS_IS_SLOW)
def test_games_are_played_as_their_texts_say(game: str) -> None:
    assert not differing(game, "short", SHORT[game])


@pytest.mark.night
@pytest.mark.parametrize("game", GAMES)
def test_many_games_are_played_as_their_texts_say(game: str) -> None:
    assert not differing(game, "long", LONG[game])


@pytest.mark.night
@pytest.mark.parametrize("game", GAMES)
def test_games_of_a_night_are_played_as_their_texts_say(game: str) -> None:
    assert not differing(game, "night", 20 * LONG[game])


# A program of its own answers each question: a whole game takes half a minute of the processor.
@pytest.mark.realtime
@pytest.mark.parametrize("game", ["tides-of-war"])
@pytest.mark.long
def test_the_command_line_answers_as_the_texts_say(game: str) -> None:
    assert not differing(game, "command line", 1, "command-line")


@pytest.mark.realtime
@pytest.mark.night
@pytest.mark.parametrize("game", GAMES)
def test_the_command_line_answers_so_in_many_games(game: str) -> None:
    assert not differing(game, "command line of a night", 4, "command-line")


@pytest.fixture(scope="module")
def panel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Panel]:
    """One table with six phones, at which one game follows another."""
    with ExitStack() as held:
        yield Panel(tmp_path_factory.mktemp("panel"), held)


def evening(panel: Panel, game: str, seed: str, games: int, longest: int = 120) -> str:
    """Return what differs in so many games that phones play at a table."""
    found = [phones_play(panel, game, Random(f"{seed} {game} {number}"), longest)[0] for number in range(games)]
    return "\n".join(played.told() for played in found if played.differences)


BIDS = {"players": 3, "bid": 5, "seed": 1}
NOTHING = {"players": 3, "bid": 0, "bonus": 0, "buy_in": 2, "seed": 1}  # nobody has a unit: all may buy themselves in
CASES: dict[str, tuple[dict[str, Any], str]] = {
    # 002: "until every player has consecutively either had a cost-free turn or has passed"
    "who has left does not count among those who have passed": (
        {"players": 3, "template": "trio"}, "end; end; out 1; end"),
    "the last one to have a turn leaves": ({"players": 3, "template": "trio"}, "end; end; out 3"),
    "a turn that is cut off does not go on in the next round": (
        {"players": 3, "template": "trio"}, "end; end; s d2 +; p d2 1 1; out 1; end"),
    "a store that is too full is cut though somebody leaves meanwhile": (
        {"players": 3, "template": "trio", "limit": 6}, "end; end; t d2 c3 1; t d2 e1 1; out 1; end"),
    "one of four leaves in the middle of a row of passes": (
        {"players": 4, "seed": 3, "bid": 4},
        "bid 4 0 0 0; bid 0 4 0 0; bid 0 0 4 0; bid 0 0 0 4; place a3 5; place a4 5; place a5 5; place b2 5; "
        "end; end; out 2; end; end"),
    "who leaves after spending has ended nobody's row": (
        {"players": 3, "template": "trio"}, "end; end; s d2 +; out 3"),
    # 002: "or if you are the remaining player"
    "the last one left at the bids has won": (BIDS, "out 1; out 2"),
    "the last one left after a bid has won": (BIDS, "bid 1 2 2; out 3; out 2"),
    "the last one left has won while placing": (BIDS, "bid 1 2 2; bid 1 2 2; bid 1 2 2; out 3; out 1"),
    # docs/rules/beacons.md, the harvest, 5: who is out, and places nothing, is out for good
    "who has not bought in cannot give up": (
        NOTHING, "bid 0 0 0; bid 0 0 0; bid 0 0 0; end; end; end; end; no out 1"),
    "who has not bought in does not win when the last one gives up": (
        NOTHING, "bid 0 0 0; bid 0 0 0; bid 0 0 0; end; end; end; out 3; end; out 2"),
    "the last one who may buy in has won": (NOTHING, "bid 0 0 0; bid 0 0 0; bid 0 0 0; end; end; end; out 1; out 2"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_cases_of_giving_up_in_beacons(case: str) -> None:
    options, events = CASES[case]
    pair = Pair("beacons", options)
    for event in events.split("; "):
        assert pair.may(event), event
        found = pair.step(event)
        assert not found, (event, found)


AT_THE_TABLE: dict[str, tuple[str, dict[str, Any], int, str]] = {
    # docs/rules: a draw by agreement needs all who are still in play, and nobody else
    "three of four agree on a draw": ("circle", {"players": 4}, 0, "set up; out 4; draw 1; draw 2; draw 3"),
    "two of three agree on a draw": (
        "beacons", {"players": 3, "template": "trio"}, 0, "set up; out 2; draw 3; draw 1"),
    "two of four are not enough": ("circle", {"players": 4}, 0, "set up; out 4; draw 1; draw 2; a3-a4; draw 3"),
    "who is out does nothing more": ("circle", {"players": 4}, 0, "set up; out 4; try"),
    # docs/rules, giving up: whoever resigns is out alone, also while the board is set up
    "one of four resigns while the board is set up": ("circle", {"players": 4}, 0, "out 2; set up; a3-a4"),
    "all but one resign while the board is set up": ("circle", {"players": 4}, 0, "out 2; out 1; out 4"),
    "one of three resigns before the units stand": (
        "beacons", {"players": 3, "template": "trio"}, 0, "out 2; set up; end"),
    # 002: "or if you are the remaining player"; a match counts it at once
    "four of five resign at the bids of a match": (
        "beacons", {"players": 5, "bid": 3, "seed": 1}, 2, "set up; out 1; out 3; out 2; out 5; again; out 1"),
    "one of two resigns": ("tides-of-war", {}, 2, "set up; out 1; again; set up; c3-c4; out 2"),
}  # fmt: skip


# docs/rules, giving up: whoever resigns is out alone, also while the board is set up
WHILE_SET_UP: dict[str, tuple[str, dict[str, Any], int, str]] = {
    "one of four resigns": ("circle", {"players": 4}, 0, "out 2; set up; a3-a4"),
    "all but one resign": ("circle", {"players": 4}, 2, "out 2; out 1; out 4; again"),
    "one of three resigns": ("beacons", {"players": 3, "template": "trio"}, 0, "out 2; set up; end"),
}


def follow(table: Table, events: str) -> None:
    """Let ``events`` happen, and compare after each."""
    for event in events.split("; "):
        if event == "set up" and not table.setting_up:
            continue  # the pieces stand as they are to stand, from the game before
        assert table.may(event), event
        found = table.step(event)
        assert not found, (event, found)


@pytest.mark.slow
@pytest.mark.parametrize("case", AT_THE_TABLE)
def test_cases_of_giving_up_at_the_table(case: str, panel: Panel) -> None:
    game, options, to, events = AT_THE_TABLE[case]
    follow(Table(panel, game, options, to), events)


@pytest.mark.slow
@pytest.mark.parametrize("case", WHILE_SET_UP)
def test_cases_of_giving_up_while_the_board_is_set_up(case: str, tmp_path: Path) -> None:
    game, options, to, events = WHILE_SET_UP[case]
    with ExitStack() as held:
        table = Table(Panel(tmp_path, held), game, options, to)
        assert table.setting_up
        follow(table, events)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tides-of-war", "circle", "beacons"])
def test_phones_play_as_the_texts_say(game: str, panel: Panel) -> None:
    assert not evening(panel, game, "phones", 3, longest=30)


@pytest.mark.parametrize("game", ALL_BY_NIGHT)
def test_phones_play_an_evening_as_the_texts_say(game: str, panel: Panel) -> None:
    assert not evening(panel, game, "evening", 8)


@pytest.mark.night
@pytest.mark.parametrize("game", GAMES)
def test_phones_play_a_night_as_the_texts_say(game: str, panel: Panel) -> None:
    assert not evening(panel, game, "evening", 25)
