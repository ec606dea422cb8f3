"""Sentences that remember how they were made: English to everybody, another language to who asks for it."""

from __future__ import annotations

import copy
import pickle

import msgspec
import pytest

from controller.rules.game import Illegal, Result
from controller.rules.registry import game_named
from controller.sentences import ENGLISH, NAMELESS, Sentence, all_of, any_of, capital, in_form, say, spoken, together

GERMAN = {
    "White": "Weiß",
    "the stone on {cell} is {seat}'s": "Der Stein auf {cell} gehört {seat}",
    "{one} or {other}": "{one} oder {other}",
    "{one} and {other}": "{one} und {other}",
    "take off {cells}": "nimm {cells} weg",
    "stuck": "festgefahren",
}
STONE = say("the stone on {cell} is {seat}'s", cell="b2", seat=say("White"))


def in_german(value: object) -> object:
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=spoken(GERMAN)))


def test_a_sentence_is_english_text_to_everybody() -> None:
    assert STONE == "the stone on b2 is White's"
    assert hash(STONE) == hash("the stone on b2 is White's")
    assert {STONE: 1}["the stone on b2 is White's"] == 1
    assert f"refused: {STONE}" == "refused: the stone on b2 is White's"
    assert Result(why=say("stuck")) == Result(why="stuck")
    assert msgspec.json.encode(STONE, enc_hook=ENGLISH) == b'"the stone on b2 is White\'s"'


def test_it_is_told_in_another_language_with_its_parts() -> None:
    assert in_german([STONE, {"why": say("stuck")}]) == ["Der Stein auf b2 gehört Weiß", {"why": "festgefahren"}]


def test_what_a_language_lacks_stays_english() -> None:
    assert in_german(say("{seat} to move.", seat=say("White"))) == "Weiß to move."
    assert in_german(say("White?")) == "White?"


def test_only_sentences_are_translated_never_what_people_typed() -> None:
    assert in_german(say("the stone on {cell} is {seat}'s", cell="b2", seat="White")) == "Der Stein auf b2 gehört White"
    assert in_german("stuck") == "stuck"


def test_braces_in_a_part_or_in_a_sentence_without_parts_fill_nothing() -> None:
    assert say("touch {cell}", cell="{seat}") == "touch {seat}"
    assert in_german(say("write {a}")) == "write {a}"


def test_cells_are_told_with_commas_and_choices_with_words_between() -> None:
    assert in_german(say("take off {cells}", cells=("a1", "b2"))) == "nimm a1, b2 weg"
    assert in_german(any_of(["a1", "b2", say("White")])) == "a1 oder b2 oder Weiß"
    assert in_german(all_of(["a1", "b2"])) == "a1 und b2"
    assert all_of(["a1"]) == any_of(["a1"]) == "a1"


def test_a_line_begins_large_in_every_language() -> None:
    assert capital(STONE) == "The stone on b2 is White's"
    assert in_german(capital(say("stuck"))) == "Festgefahren"
    assert capital("c3-c4") == "c3-c4"
    assert capital("") == ""


def test_sentences_stand_one_after_the_other() -> None:
    assert together("", say("stuck"), "", STONE) == "stuck the stone on b2 is White's"
    assert in_german(together(say("stuck"), STONE)) == "festgefahren Der Stein auf b2 gehört Weiß"
    assert together("", "") == ""


def test_an_error_keeps_the_sentence_that_it_is_made_of() -> None:
    said = str(Illegal(STONE))
    assert isinstance(said, Sentence)
    assert in_german(said) == "Der Stein auf b2 gehört Weiß"


def test_a_word_that_is_said_already_is_not_said_twice() -> None:
    assert say(say("stuck")) is not None
    assert in_german(say(STONE)) == "Der Stein auf b2 gehört Weiß"


def test_it_survives_being_copied_and_pickled_and_is_never_changed() -> None:
    for twin in (copy.copy(STONE), copy.deepcopy(STONE), pickle.loads(pickle.dumps(STONE))):
        assert twin == STONE
        assert in_german(twin) == "Der Stein auf b2 gehört Weiß"
    with pytest.raises(AttributeError, match="never changed"):
        STONE.template = "stuck"


def test_a_translation_asks_for_the_form_that_its_sentence_wants_of_what_fills_a_blank() -> None:
    texts = {
        "giant": "Riese",
        "{one} and {other}": "{one} und {other}",
        "it takes {pieces}": "das schlägt {pieces:den}",
        "{piece} is gone": "{piece:Der} ist weg",
        "the other {kind}": "{kind:der} dort",
        in_form("den", "the other {kind}"): "{kind:den} dort",
        in_form("den", "giant"): "den Riesen",
        in_form("der", "giant"): "der Riese",
        in_form("den", NAMELESS): "die Figur {kind}",
    }

    def read(text: str) -> str:
        return str(spoken(texts)(text))

    giant = say("giant")
    assert read(say("it takes {pieces}", pieces=giant)) == "das schlägt den Riesen"
    assert read(say("{piece} is gone", piece=giant)) == "Der Riese ist weg"
    # A sentence within has the form itself, or hands it on.
    assert read(say("it takes {pieces}", pieces=say("the other {kind}", kind=giant))) == "das schlägt den Riesen dort"
    assert read(say("{piece} is gone", piece=say("the other {kind}", kind=giant))) == "Der Riese dort ist weg"
    both = all_of([giant, say("wolf"), "c3"])
    assert read(say("it takes {pieces}", pieces=both)) == "das schlägt den Riesen, die Figur wolf und c3"
    assert read(say("{piece} is gone", piece=say("wolf"))) == "Wolf ist weg"  # a form that is not there at all


def test_what_is_no_sentence_is_refused_as_ever() -> None:
    with pytest.raises(NotImplementedError, match="object cannot be written"):
        msgspec.json.encode(object(), enc_hook=ENGLISH)


def test_a_game_without_words_of_its_own_is_told_by_cells_and_a_chain_landing_by_landing() -> None:
    tides = game_named("tides-of-war")
    state = tides.play_text(tides.start(tides.options(), 0), "c3-c4")
    told = {text: str(tides.words_of(state, text)) for text in ("c6-b5", "c5xc3", "c5xc3xa1")}
    assert told == {
        "c6-b5": "c6 to b5",
        "c5xc3": "c5 to c3, takes c4",
        "c5xc3xa1": "c5 to c3, then to a1, takes c4 and b2",
    }
