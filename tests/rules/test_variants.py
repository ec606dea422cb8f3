"""Variants: a file that says what of a game is otherwise is read, refused in one sentence, written, and tried."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules import variant_trial
from controller.rules.game import AnyGame, Illegal, Result
from controller.rules.options_page import page
from controller.rules.registry import all_games, game_named
from controller.rules.variant_trial import GAMES, Trial, tried
from controller.rules.variants import MOST_BYTES, BadVariant, Variant, broken, checked, read, shipped, written

ROOT = Path(__file__).parents[2]
GOOD = """name = "small-hoard"
title = "Small  hoard"
game = "beacons"
about = "Does it go faster?"

[options]
rounds = 1
limit = "4"
board = ["square", 4, "4"]
bid = 12
"""


def variant(options: Mapping[str, Any], game: str = "beacons") -> Variant:
    return checked("tried-here", "Tried here", game, "It tries.", options)


def at_once() -> bool:
    return False


# ---- read and written -------------------------------------------------------------------------------------


def test_a_file_says_what_is_otherwise_and_words_in_a_list_are_one_text() -> None:
    found = read(GOOD.encode())
    assert (found.name, found.title, found.game) == ("small-hoard", "Small hoard", "beacons")
    assert found.options == {"rounds": 1, "limit": 4, "board": "square 4 4"}  # a bid of 12 is the game's own


def test_what_is_written_reads_as_it_was() -> None:
    found = read(GOOD.encode())
    assert read(written(found).encode()) == found
    quoted = checked("quoted", 'A "b" \\ c', "beacons", "Ümläuts = [1] # no comment", {"experience": "3 0"})
    assert read(written(quoted).encode()) == quoted


def test_what_it_tries_may_be_left_out() -> None:
    found = read(GOOD.replace('about = "Does it go faster?"\n', "").encode())
    assert found.about == ""
    assert read(written(found).encode()) == found


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ('"beacons"', '"beacon"', 3, "unknown game 'beacon'; known games: "),
        ("limit", "limits", 8, "unknown option 'limits'; known options: "),
        ('"4"', '"0"', 8, "option limit=0 is not allowed: it must be a whole number from 1 to 50"),
        ('"4"', "[4, [5]]", 8, "option limit=[4, [5]] is not allowed"),
        ('"4"', "nan", 8, "option limit=nan is not allowed"),
        ('"4"', "1979-05-27", 8, "option limit=1979-05-27 is not allowed"),
        ('["square", 4, "4"]', '"a"', 9, "a"),
        ('["square", 4, "4"]', '"square 40 40"', 9, "1600 cells, and the limit here is 512"),
        ('"small-hoard"', '"Small hoard"', 1, "small letters and digits in words joined by '-'"),
        ('"small-hoard"', '"circle"', 1, "there is a game called 'circle': choose another name"),
        ('"Small  hoard"', '"  "', 2, "the title is missing: write a few words"),
        ('"Small  hoard"', f'"{"x" * 61}"', 2, "the title has 61 letters: at most 60"),
        ('"Small  hoard"', '"\\u202e"', 2, "the title has a letter that cannot be seen"),
        ('about = "Does it go faster?"', "about = 3", 4, "about must be there, as text"),
        ("about", "motto", 4, "unknown key 'motto'; known keys: name, title, game, about, options"),
        ('title = "Small  hoard"\n', "", 0, "title must be there, as text"),
        ("[options]", "[options.deeper]", 0, "unknown option 'deeper'"),
        ("[options]", "[[options]]", 0, "options must be a table: write them below a line [options]"),
        ("rounds = 1", "rounds 1", 0, "it is not TOML: Expected '=' after a key in a key/value pair (at line 7"),
        ("rounds = 1", f"rounds = {'[' * 5000}", 0, "it is n"),
        ("rounds = 1", f"rounds = {'9' * 5000}", 0, "it is not TOML"),
        ("limit", "rounds", 0, "it is not TOML: Cannot overwrite a value (at line 8"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(old: str, new: str, line: int, said: str) -> None:
    assert old in GOOD
    with pytest.raises(BadVariant) as wrong:
        read(GOOD.replace(old, new, 1).encode(), "own.toml")
    sentence = str(wrong.value)
    assert sentence.startswith(f"own.toml, line {line}: " if line else "own.toml: ")
    assert said in sentence
    assert len(sentence) < 500
    assert "\n" not in sentence


def test_options_that_do_not_go_together_are_refused_as_they_stand_together() -> None:
    with pytest.raises(BadVariant, match="fewer than the 5 players") as wrong:
        variant({"board": "square 2 2", "players": 5})
    assert wrong.value.field == ""
    assert variant({"board": "square 2 3", "players": 5}).options == {"board": "square 2 3", "players": 5}


def test_too_much_and_no_text_are_refused() -> None:
    with pytest.raises(BadVariant, match="more than 64 kB"):
        read(GOOD.encode() + b"#" * MOST_BYTES)
    with pytest.raises(BadVariant, match="not text in UTF-8"):
        read(b"name = \xff")


@pytest.mark.slow
@given(st.text(max_size=60), st.integers(0, len(GOOD)), st.integers(0, 40))
def test_whatever_a_file_has_it_is_read_or_refused_in_one_sentence(more: str, at: int, gone: int) -> None:
    text = GOOD[:at] + more + GOOD[at + gone :]
    try:
        found = read(text.encode(errors="surrogatepass"), "own.toml")
    except BadVariant as wrong:
        refused = str(wrong)
    else:
        refused = "own.toml"
        assert read(written(found).encode()) == found
    assert refused.startswith("own.toml")


NAMES = st.sampled_from(["limit", "board", "owned_nodes", "rounds", "mode"])
WORDS = st.text(max_size=20)
VALUES = st.one_of(st.integers(), WORDS, st.booleans(), st.floats(), st.none(), st.lists(WORDS, max_size=4))


@given(st.dictionaries(NAMES, VALUES, max_size=3))
def test_whatever_the_options_are_they_are_taken_or_refused(options: dict[str, Any]) -> None:
    try:
        found = variant(options)
    except BadVariant:
        return
    assert read(written(found).encode()).options == found.options


# ---- those that come along --------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_variant_that_comes_along_can_be_read_and_played() -> None:
    assert broken() == {}
    assert shipped()
    for each in shipped().values():
        trial = tried(each, at_once)
        assert (trial.refusals, trial.remarks) == ((), ()), each.name


def test_the_page_of_what_can_be_changed_is_made_from_the_games() -> None:
    made = (ROOT / "docs" / "game-options.md").read_text(encoding="utf-8")
    assert made == page(), "run: beaconboard variant options > docs/game-options.md"
    assert "nothing or duel or trial or trio" in made


# ---- tried ------------------------------------------------------------------------------------------------


@pytest.fixture
def changed(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that lets the trial find a game with other functions."""

    def change(**parts: Any) -> AnyGame:
        game = replace(game_named("circle"), **parts)
        monkeypatch.setattr(variant_trial, "game_named", lambda name: game)
        return game

    return change


CIRCLE = variant({"any_unit": True}, "circle")


def test_a_variant_that_changes_nothing_is_refused() -> None:
    assert tried(variant({}), at_once).refusals == ("it changes nothing: give at least one option another value",)


def test_nobody_can_move_as_it_begins(changed: Any) -> None:
    changed(moves=lambda state: [])
    assert tried(CIRCLE, at_once).refusals == ("nobody can move as it begins",)


def test_it_is_over_as_it_begins(changed: Any) -> None:
    changed(result=lambda state: Result(over=True, why="annihilation"))
    assert tried(CIRCLE, at_once).refusals == ("it is over as it begins (annihilation)",)


def test_a_seat_never_comes_to_move(changed: Any) -> None:
    usual = game_named("circle")
    changed(result=lambda state: Result(over=state.turn != 0, winner=0))
    (said,) = tried(CIRCLE, at_once).refusals
    assert said == f"{usual.facts.seats[1]} can never move: every game at random is over before"


def test_what_the_rules_have_a_sentence_for_is_said_in_it(changed: Any) -> None:
    def refuse(*_: Any) -> Any:
        raise Illegal("there is no room for the king")

    changed(start=refuse)
    assert tried(CIRCLE, at_once).refusals == ("there is no room for the king",)


def test_what_the_rules_raise_is_a_refusal_of_the_variant(changed: Any) -> None:
    def fail(*_: Any) -> Any:
        raise ZeroDivisionError("by nought")

    changed(start=fail)
    assert tried(CIRCLE, at_once).refusals == ("the rules fail at it (ZeroDivisionError: by nought)",)


@pytest.mark.slow
def test_a_sound_variant_is_told_by_how_many_games_and_who_won() -> None:
    trial = tried(CIRCLE, at_once)
    assert (trial.refusals, trial.remarks) == ((), ())
    seats = game_named("circle").facts.seats
    won = f"[34][0-9] games at random came to their end, and {seats[0]} and {seats[1]} won some each"
    assert re.fullmatch(won, trial.well)


@pytest.mark.slow
def test_who_never_wins_is_a_remark(changed: Any) -> None:
    usual = game_named("circle")
    changed(result=lambda state: Result(over=usual.result(state).over, winner=0))
    trial = tried(CIRCLE, at_once)
    assert (trial.refusals, len(trial.remarks)) == ((), 1)
    assert re.fullmatch(f"in [34][0-9] games at random nobody but {usual.facts.seats[0]} won", trial.remarks[0])


def test_games_that_do_not_end_are_a_remark(changed: Any) -> None:
    usual = game_named("circle")
    changed(facts=msgspec.structs.replace(usual.facts, longest=5))
    assert tried(CIRCLE, at_once) == Trial(remarks=(f"{GAMES} of {GAMES} games at random were not over after 5 moves",))


def test_a_trial_ends_with_the_time_that_it_has_and_says_what_it_does_not_know() -> None:
    asked: list[int] = []

    def after_some() -> bool:
        asked.append(1)
        return len(asked) > 3

    trial = tried(CIRCLE, after_some)
    assert len(asked) < 10
    assert trial.remarks == (
        "no game at random came to its end in the time for a trial: nobody knows whether one does",
    )


@pytest.mark.parametrize("name", [name for name in all_games() if name != "circle"])
def test_the_same_trial_finds_the_same(name: str) -> None:
    own = Variant("as-it-is", "As it is", name, "Nothing.", {})
    assert tried(own, at_once) == tried(own, at_once)
