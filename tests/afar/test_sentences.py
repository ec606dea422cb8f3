"""What the other board says is said in the reader's language; what it cannot have said is only text."""

from __future__ import annotations

import json
from typing import Any

import pytest

from controller.afar.far import Far
from controller.afar.home import Home
from controller.afar.log import Begun, Log
from controller.afar.messages import Ask, Declined
from controller.afar.seats import HeldSeats
from controller.afar.sentences import MOST_LETTERS, read, written
from controller.orders import NewGame, PlayPly, TakeBack
from controller.sentences import Sentence, all_of, capital, in_language, say
from tests.afar.boards import Families
from tests.service.evenings import assert_replays
from web_panel.language import read as languages

TIDES = "tides-of-war"
GERMAN = languages()["de"].said
SENTENCES = [
    say("it is {seat}'s turn", seat=say("Black")),
    say("there is no seat {seat} in this game", seat=7),
    capital(say("it is {seat}'s turn", seat=say("White"))),
    all_of((say("Black"), say("White"), say("Black"))),
    say("{what}", what=(say("Black"), 3, 2.5)),
    say("a text with {braces} and no parts"),
]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_arrives_as_it_was_said(sentence: Sentence) -> None:
    heard = read(written(sentence), sentence[:])
    assert heard == sentence
    for texts in ({}, GERMAN, {"Black": "Schwarz", "it is {seat}'s turn": "{seat} ist am Zug"}):
        assert in_language(heard, texts) == in_language(sentence, texts)


def test_text_that_is_no_sentence_stays_text() -> None:
    assert written("only text") == ""
    assert read("", "only text") == "only text"
    assert not isinstance(read("", "only text"), Sentence)


def nested(deep: int) -> str:
    return '{"template":"{a}","parts":{"a":' * deep + '"x"' + "}}" * deep


@pytest.mark.parametrize("found", [
    {"template": "{a.__class__}", "parts": {"a": "x"}},
    {"template": "{a[0]}", "parts": {"a": "x"}},
    {"template": "{a:>400}", "parts": {"a": "x"}},
    {"template": "{a!r}", "parts": {"a": "x"}},
    {"template": "{a", "parts": {"a": "x"}},
    {"template": "{b}", "parts": {"a": "x"}},
    {"template": "{}", "parts": {"a": "x"}},
    {"template": "{a}" * 200, "parts": {"a": "x" * 400}},
    {"template": "{a}", "parts": {"a": None}},
    {"template": "{a}", "parts": {"a": {"template": "{b}", "parts": {"c": 1}}}},
    {"template": "{a}", "parts": {"a": {"what": 1}}},
    {"template": 3},
    {"template": "x", "more": 1},
    [1], 7, None, "x",
])  # fmt: skip
def test_what_is_no_sentence_of_ours_is_only_text(found: Any) -> None:
    heard = read(json.dumps(found), "plain")
    assert heard == "plain"
    assert not isinstance(heard, Sentence)


@pytest.mark.parametrize("found", ["{", "\x00", nested(400), '{"template":"x"}' * 2])
def test_what_cannot_be_read_is_only_text(found: str) -> None:
    assert read(found, "plain") == "plain"


def test_a_sentence_says_what_its_english_text_says() -> None:
    """Otherwise a German reader could be told something else than an English one, and the log."""
    heard = read(written(say("it is {seat}'s turn", seat=say("White"))), "it is Black's turn")
    assert heard == "it is Black's turn"
    assert not isinstance(heard, Sentence)


def test_a_long_sentence_is_told_as_text() -> None:
    long = say("{what}", what="x" * 5000)
    assert written(long) == ""
    assert not isinstance(read(written(say("{what}", what="x" * (MOST_LETTERS + 1))), "plain"), Sentence)


def asked(log: Log) -> Ask:
    return Ask("x-1", log.n, log.head(), 1, PlayPly(text="c3-c4", seat=1))


def test_home_declines_so_that_it_can_be_said_in_another_language_and_old_boards_read_it() -> None:
    log = Log(Begun(TIDES, {}, 0))
    home = Home(log, HeldSeats(1), lambda ask: SENTENCES[0])
    (declined,) = home.hear(asked(log))
    assert isinstance(declined, Declined)
    assert declined.why == "it is Black's turn"
    assert type(declined.why) is str
    far = Far("x", log)
    far.wish(PlayPly(text="c3-c4", seat=1), 0.0)
    far.hear(declined, 0.0)
    assert in_language(far.declined, GERMAN) == in_language(SENTENCES[0], GERMAN) != declined.why


def test_a_board_of_before_gives_text() -> None:
    log = Log(Begun(TIDES, {}, 0))
    far = Far("x", log)
    far.wish(PlayPly(text="c3-c4", seat=1), 0.0)
    far.hear(Declined("x-1", "it is Black's turn"), 0.0)
    assert far.declined == "it is Black's turn"
    assert not isinstance(far.declined, Sentence)


@pytest.mark.realtime
def test_what_home_declines_is_read_in_german_at_the_far_board(two: Families) -> None:
    """The game lies beside home's table: a take-back waits for that, which home says in its own words."""
    two.begin(TIDES)
    two.play(2)
    two.home.at.order(NewGame(game=TIDES, seed=2))
    two.far.at.order(TakeBack(by=(1,), asks=True))
    two.far.until(lambda: "is not on the table" in two.far.at.table.advice)
    assert two.far.at.table.advice == "The other board: this game is not on the table at the other board now."
    german = in_language(two.far.at.table.advice, GERMAN)
    assert "board" not in german
    assert german.startswith(GERMAN["The other board: {why}."].partition("{")[0])
    assert GERMAN["this game is not on the table at the other board now"] in german
    two.stop()
    assert_replays(two.far.path / "games.sqlite3", 1)
