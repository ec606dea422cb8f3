"""Circle by other numbers, starts and small rules: what each option changes, and what it refuses."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import partial
from typing import Any

import msgspec
import pytest

from controller.rules.game import Against, Result
from controller.rules.games.circle.advice import TACTICS
from controller.rules.games.circle.game import GAME
from controller.rules.games.circle.state import NUMBER, Options, State, carried
from controller.rules.options import describe, parse
from tests.rules.asking import GameAsked
from tests.rules.drawn_variants import card_of, counts_of, drawn, hold_to_its_promises, refusal_of

ASKED = GameAsked(GAME)
play, texts, refusal, lines = ASKED.play, ASKED.texts, ASKED.refusal, ASKED.lines

refused = partial(refusal_of, GAME)
counts = partial(counts_of, GAME)
card = partial(card_of, GAME)


def stand(white: str, black: str, left: int = 2, **given: Any) -> State:
    """Return a position of a game with options, after the first turns, with so many goes ``left``.

    Units are written as c4:2, which is of class 2.
    """
    options = parse(GAME.options, given)
    units, classes = [0, 0], [0, 0, 0, 0]
    for seat, words in enumerate((white, black)):
        for word in words.split():
            name, _, kind = word.partition(":")
            units[seat] |= 1 << NUMBER[name]
            classes[int(kind or 1) - 1] |= 1 << NUMBER[name]
    start = GAME.start(options, 0)
    return msgspec.structs.replace(
        start, units=tuple(units), classes=tuple(classes), goes=left, fresh=0, seen=()
    )  # fmt: skip


def test_what_is_not_chosen_is_not_written() -> None:
    for given in ({}, {"players": 4, "victory": "annihilation", "any_unit": True}):
        written = GAME.encode(GAME.start(parse(Options, given), 0)).decode()
        assert "options" not in written
        assert "took" not in written
    assert '"goes":4,"first_goes":3' in GAME.encode(GAME.start(Options(goes=4), 0)).decode()


def test_what_players_agree_on_is_not_for_designers_and_all_else_is() -> None:
    assert [each.name for each in describe(Options) if not each.designers] == ["players", "victory", "any_unit"]


def test_a_state_of_other_options_is_not_taken_over() -> None:
    state, options = GAME.start(Options(goes=3), 0), Options(goes=3)
    assert GAME.taken_over(GAME.encode(state), options) == state
    for other in (Options(), Options(goes=3, victory="annihilation"), Options(goes=3, takes=2)):
        with pytest.raises(ValueError, match="no game with these options can reach it"):
            GAME.taken_over(GAME.encode(state), other)
    assert not carried(Options(4, "annihilation", True))


# ---- the start --------------------------------------------------------------------------------------------


def test_units_start_on_the_diagonals_that_the_options_name() -> None:
    shape = GAME.shape(GAME.start(Options(units="1 3"), 0))
    assert {name for name, piece in shape.items() if piece.seat == 0} == {"a1", "a3", "b2", "c1"}
    assert {name for name, piece in shape.items() if piece.seat == 1} == {"i9", "i7", "h8", "g9"}
    assert len(GAME.shape(GAME.start(Options(players=4, units="4"), 0))) == 16


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"units": "3 3"}, "option units='3 3' is not allowed: name diagonals from 1 to 9, each once"),
        ({"units": "0"}, "option units='0' is not allowed: name diagonals from 1 to 9, each once"),
        ({"units": "12"}, "option units='12' is not allowed: name diagonals from 1 to 9, each once"),
        ({"units": " "}, "option units=' ' is not allowed: name diagonals from 1 to 9, each once"),
        ({"units": "9"}, "units of two players start on one square: name smaller diagonals in units"),
        ({"units": "5", "players": 4}, "units of two players start on one square: name smaller diagonals in units"),
        ({"units": "1"}, "who has one unit cannot win the quick way: name more diagonals in units"),
        ({"beats": "45"}, "option beats='45' is not allowed: "
         "write pairs of classes from 1 to 4, each once, as 43 where 4 beats 3"),
        ({"beats": "43 43"}, "option beats='43 43' is not allowed: "
         "write pairs of classes from 1 to 4, each once, as 43 where 4 beats 3"),
        ({"beats": " "}, "option beats=' ' is not allowed: "
         "write pairs of classes from 1 to 4, each once, as 43 where 4 beats 3"),
        ({"changes": False}, "without changes all units are of class 1, and none could be captured: put 11 into beats"),
    ],
)  # fmt: skip
def test_what_there_cannot_be_is_refused(given: dict[str, Any], why: str) -> None:
    assert refused(**given) == why


def test_one_unit_each_is_enough_for_annihilation() -> None:
    state = play(stand("b1", "b2:4", units="1", victory="annihilation"), "b1xb2")
    assert GAME.result(state) == Result(True, 0, "annihilation")


# ---- a turn -----------------------------------------------------------------------------------------------


def test_a_turn_has_as_many_goes_as_the_options_say() -> None:
    state = GAME.start(Options(goes=1, first_goes=2), 0)
    assert "White: 2 actions left this turn." in lines(state)
    state = play(state, "c1+;c1+;g9+;g9+")
    assert "White: 1 action left this turn." in lines(state)
    assert GAME.seat(play(state, "c1+")) == 1


def test_a_turn_has_as_many_captures_as_the_options_say() -> None:
    state = stand("c3 e3 g3", "c4:4 e4:4 g4:4 i8 i9", 4, takes=2)
    state = play(state, "c3xc4")
    assert "e3xe4" in texts(state)
    assert "captured" not in lines(state)
    end = GAME.read(state, "end")
    assert TACTICS.loud(state, end) > 0
    assert TACTICS.key(state) != TACTICS.key(msgspec.structs.replace(state, took=2))
    assert counts(state, 0)["goes"] == 3
    state = play(state, "e3xe4")
    assert "g3xg4" not in texts(state)
    assert "2 units have been captured this turn: no more captures." in lines(state)
    assert refusal(state, "g3xg4") == (
        "2 units have already been captured this turn, so the one on g4 is safe: that is all a turn has"
    )
    state = play(state, "end;i9+;end")
    assert "g3xg4" in texts(state)  # a new turn has its own


def test_captures_that_no_turn_has_are_not_taken_over() -> None:
    options = Options(takes=2)
    state = GAME.start(options, 0)
    assert GAME.sound is not None
    assert [GAME.sound(msgspec.structs.replace(state, took=took), options) for took in (1, 2, 3, 0, -1)] == [
        True, True, False, False, False,
    ]  # fmt: skip


def test_without_changes_a_unit_keeps_its_class() -> None:
    state = stand("c3 a1", "c4 i9", changes=False, beats="11")
    assert not [text for text in texts(state) if text.endswith("+")]
    assert refusal(state, "c3+") == "in this game a unit keeps its class, and so does the one on c3"
    assert card(state, "a1") == (
        "Beats class 1 (drop).",
        "Is beaten by class 1 (drop).",
        "In this game it keeps its class.",
    )
    assert "c3xc4" in texts(state)


def test_who_can_do_nothing_ends_the_turn() -> None:
    wall = "a2:2 b1:2 b2:2"
    state = stand("a1", f"{wall} i9", changes=False, beats="11 21", victory="annihilation")
    assert texts(state) == ["end"]
    assert GAME.stays(state, "a1") == "every square around it is occupied, and it can capture no unit there"
    assert GAME.seat(play(state, "end")) == 1
    assert refusal(stand("a1 c3", f"{wall} i9", changes=False, beats="11 21"), "end") == (
        "a turn can end only after at least one action"
    )


def test_which_class_beats_which_is_as_the_options_say() -> None:
    state = stand("c3:2 a1", "c4:2 d4:1 i9:3 h9", beats="22 13")
    assert "c3xc4" in texts(state)
    assert "c3xd4" not in texts(state)
    assert refusal(state, "c3xd4") == "a class 2 (leaf) unit cannot capture the class 1 (drop) unit on d4"
    assert GAME.against is not None
    assert GAME.against(state, "c3") == (Against("c4", "2 > 2", True), Against("d4", "2 = 1", False))
    assert card(state, "h9") == ("Beats class 3 (arrow).", "Is beaten by nobody.")
    assert card(state, "i9") == ("Beats nobody.", "Is beaten by class 1 (drop).")
    assert (counts(state, 0)["prey"], counts(state, 0)["risk"], counts(state, 1)["prey"]) == (1, 1, 1)


# ---- the end ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("repeats", [2, 3, 4, 5])
def test_a_position_comes_as_often_as_the_options_say(repeats: int) -> None:
    state, dance = stand("a1 a3", "i9 i7", repeats=repeats), ["a1-b1;end", "i9-h9;end", "b1-a1;end", "h9-i9;end"]
    for number, turn in enumerate([*dance * (repeats - 1), dance[0]]):
        assert not GAME.result(state).over
        told = "twice at the start of a turn; a third time" if repeats == 3 else f"{repeats - 1} times at the start"
        assert (told in lines(state)) == ("occurred" in lines(state)) == (repeats > 2 and number > 4 * (repeats - 2))
        state = play(state, turn)
    assert GAME.result(state) == Result(True, None, "repetition")


@pytest.mark.parametrize(
    "given", [{"goes": 0}, {"goes": 7}, {"first_goes": 0}, {"takes": 0}, {"takes": 7}, {"repeats": 1}, {"repeats": 6}]
)
def test_what_no_rule_can_be_is_refused_by_its_name(given: dict[str, Any]) -> None:
    assert f"option {next(iter(given))}=" in refused(**given)


# ---- variants as a whole ----------------------------------------------------------------------------------


def units(dice: random.Random, given: Mapping[str, Any]) -> str:
    return " ".join(dice.sample("12345678", dice.randrange(4)))


def beats(dice: random.Random, given: Mapping[str, Any]) -> str:
    return " ".join(dice.sample([f"{one}{other}" for one in "1234" for other in "1234"], dice.randrange(10)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*range(8), *(pytest.param(seed, marks=pytest.mark.night) for seed in range(8, 60))])
def test_a_variant_drawn_at_random_keeps_all_promises(seed: int) -> None:
    hold_to_its_promises(GAME, drawn(GAME, random.Random(seed), {"units": units, "beats": beats}), seed)
