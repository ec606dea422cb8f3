"""Giantslayer by other numbers, starts and small rules: what each option changes, and what it refuses."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import partial
from typing import Any

import msgspec
import pytest

from controller.engine.learned import shipped_for
from controller.rules.game import Chore, Result
from controller.rules.games.giantslayer.advice import INPUTS, TACTICS
from controller.rules.games.giantslayer.game import BLACK, GAME, WHITE
from controller.rules.games.giantslayer.state import CELLS, Options, State
from controller.rules.options import describe, parse
from tests.rules import test_giantslayer as usual
from tests.rules.asking import GameAsked
from tests.rules.drawn_variants import card_of, counts_of, drawn, hold_to_its_promises, refusal_of, some_cells
from tests.rules.test_giantslayer import GIANT, HALOGAI, where

ASKED = GameAsked(GAME)
play, texts, refusal = ASKED.play, ASKED.texts, ASKED.refusal

refused = partial(refusal_of, GAME)
counts = partial(counts_of, GAME)
card = partial(card_of, GAME)


def stand(white: str, black: str, turn: int = BLACK, rounds: int = 1, number: int = 0, **given: Any) -> State:
    """Return a position of a game with options, from the cells of halogai and of giants."""
    position = usual.stand(white, black, turn, rounds, number)
    return msgspec.structs.replace(position, options=parse(GAME.options, given))


def test_what_is_not_chosen_is_not_written_and_rounds_are_written_as_ever() -> None:
    for given in ({}, {"rounds": 2}):
        assert "options" not in GAME.encode(GAME.start(parse(Options, given), 0)).decode()
    changed = GAME.encode(GAME.start(Options(rounds=4, flankers=3), 0)).decode()
    assert '"flankers":3' in changed
    assert '"rounds":4' in changed


def test_all_but_the_rounds_is_for_designers() -> None:
    assert [option.name for option in describe(Options) if not option.designers] == ["rounds"]


def test_a_match_of_other_rounds_is_not_taken_over_by_a_variant_nor_the_other_way_round() -> None:
    state, options = GAME.start(Options(rounds=2, slide=3), 0), Options(rounds=2, slide=3)
    assert GAME.taken_over(GAME.encode(state), options) == state
    for other in (Options(rounds=2), Options(slide=3), Options(rounds=2, slide=4)):
        with pytest.raises(ValueError, match="no game with these options can reach it"):
            GAME.taken_over(GAME.encode(state), other)


# ---- other starts -----------------------------------------------------------------------------------------


def test_stones_start_where_the_options_say_and_in_each_round_again() -> None:
    state = GAME.start(Options(rounds=2, halogai="a5 a7", giants="e3 c6"), 0)
    assert (where(state, HALOGAI), where(state, GIANT)) == ({"a5", "a7"}, {"e3", "c6"})
    assert GAME.sets_up is not None
    assert GAME.sets_up(state)
    state = play(stand("i1 i3", "e8 b5", rounds=2, halogai="a5 a7", giants="e3 c6"), "b5-a5")
    state = play(state, "i1-h2;e8-e9")
    assert GAME.sets_up(state)
    assert (where(state, HALOGAI), where(state, GIANT)) == ({"a5", "a7"}, {"e3", "c6"})
    assert GAME.result(state) == Result(scores=(0, 2))


def test_what_is_learned_holds_for_any_number_of_rounds_and_for_no_other_rules() -> None:
    assert INPUTS.whatever == ("rounds",)
    assert shipped_for(GAME, Options(rounds=2)) == shipped_for(GAME, Options())


def test_giants_that_are_gone_are_counted_from_those_that_there_were() -> None:
    state = stand("a5 a7", "a6 e3", giants="e3 e4 f4")
    assert "Giants slain: 1." in ASKED.lines(state)
    assert counts(state, 0)["slain"] == 1
    state = play(state, "e3-e2")  # the one on a6 is flanked; that on e2 is not on the rim
    assert "Giants slain: 2." in ASKED.lines(state)


def test_more_than_six_giants_may_be_slain_in_a_round() -> None:
    many = "e6 f5 f4 e4 d5 d6 e3 c5"
    state = msgspec.structs.replace(GAME.start(Options(giants=many), 0), tally=(8, 0))
    assert GAME.sound is not None
    assert GAME.sound(state, Options(giants=many))
    assert not GAME.sound(msgspec.structs.replace(state, tally=(9, 0)), Options(giants=many))


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"halogai": "a5 a1"}, "option halogai has 'a1', which is no cell of this board: choose from a5 to i5"),
        ({"giants": "e4 e4"}, "option giants has e4 twice: name each cell once"),
        ({"giants": " "}, "option giants names no cell: name at least one, or leave it empty"),
        ({"giants": "e4 a5"}, "a halogai and a giant start on a5: leave one of them out of halogai or giants"),
        ({"giants": "e4 e5"}, "option giants has e5, the centre, which is closed: choose other cells"),
        ({"halogai": "e5"}, "option halogai has e5, the centre, which is closed: choose other cells"),
        ({"giants": "b5"}, "the giant on b5 is flanked at the start: put fewer halogai beside it"),
        ({"giants": "c4", "flankers": 1, "halogai": "b4"},
         "the giant on c4 is flanked at the start: put fewer halogai beside it"),
        ({"halogai": "a5", "giants": "a6 b5 b4"},
         "no halogai can move at the start: leave a cell beside one out of halogai and giants"),
    ],
)  # fmt: skip
def test_a_start_that_there_cannot_be_is_refused(given: dict[str, Any], why: str) -> None:
    assert refused(**given) == why


# ---- other rules ------------------------------------------------------------------------------------------


def test_a_giant_is_slain_by_as_many_halogai_as_the_options_say() -> None:
    two, three = "e3 f3 i5 a9", "e3 f3 g2 i5 a9"
    for flankers, white, slain in ((1, "e3 i5", 1), (2, two, 1), (3, two, 0), (3, three, 1)):
        state = stand(white, "f2 d6 c6", flankers=flankers)
        after = play(state, "d6-d7")
        assert len(where(state, GIANT)) - len(where(after, GIANT)) == slain
        assert GAME.chores is not None
        told = (Chore(("f2",), "The giant on f2 is flanked and slain: take it off."),) * slain
        assert GAME.chores(state, GAME.read(state, "d6-d7")) == told
        assert counts(state, 0)["flanked"] == slain
        assert TACTICS.urgent is not None
        assert TACTICS.urgent(state) == bool(slain)
    assert card(stand(two, "f2", flankers=1), "f2") == ("In this game a giant with one halogai beside it is captured.",)
    assert card(stand(two, "f2", flankers=4), "e3") == ("In this game a giant is captured with 4 halogai beside it.",)


def test_halogai_go_no_farther_than_the_options_say() -> None:
    state = stand("a5", "h2 c7", WHITE, slide=2)
    assert texts(state) == sorted(["a5-b5", "a5-c5", "a5-a6", "a5-a7", "a5-b4", "a5-c3"])
    assert refusal(state, "a5-d5") == "a5 to d5 is 3 cells: a halogai moves 2 at most here"
    assert refusal(stand("a5", "b5", WHITE, slide=2), "a5-d5") == "blocked by the giant on b5"
    assert card(state, "a5") == ("In this game it moves 2 cells at most.",)
    assert card(stand("a5", "h2", WHITE, slide=1), "a5") == ("In this game it moves one cell.",)
    assert card(state, "h2") == ()


def test_without_chains_a_giant_tramples_once() -> None:
    state = stand("e3 f2 a9", "e4 d6", chains=False)
    assert [text for text in texts(state) if "x" in text] == ["e4xe2"]
    assert refusal(state, "e4xe2xg2") == "a giant does not jump on here: the move ends on e2"
    assert card(state, "e4") == ("In this game it does not jump on.",)
    assert card(state, "e3") == ()


@pytest.mark.parametrize("repeats", [2, 3, 4, 5])
def test_a_position_comes_as_often_as_the_options_say(repeats: int) -> None:
    state, dance = GAME.start(Options(repeats=repeats), 0), usual.DANCE.split(";")
    for number, ply in enumerate(dance * (repeats - 1), 1):
        assert not GAME.result(state).over
        state = play(state, ply)
        assert number < 4 * (repeats - 1) or GAME.result(state).why == "repetition"


@pytest.mark.parametrize(("tied", "winner"), [("nobody", None), ("first", 0), ("second", 1)])
def test_a_match_with_equal_points_is_won_by_whom_the_options_name(tied: str, winner: int | None) -> None:
    state = stand("a5 a7", "a6 e3", giants="e3 f5", tied=tied)
    state = play(state, "e3-d3;a5-b5;d3-d2")  # one slain, one escaped
    assert GAME.result(state) == Result(True, winner, "escape", (1, 1))
    told = "points are equal at 1, and the rules of this match name the winner"
    assert (GAME.how_ended(state, "escape") == told) == (winner is not None)
    state = play(stand("i5", "b5", giants="e3", tied=tied), "b5-a5")
    assert GAME.result(state) == Result(True, 1, "escape", (0, 1))


WALL = "d4 e4 c5 c6 d6 d3 f3 b5 d7"  # all round a giant on d5, and behind, but for b7


def test_while_no_giant_can_move_black_waits() -> None:
    state = stand(f"{WALL} a7", "d5", WHITE, giants="d5", flankers=6)
    assert GAME.chores is not None
    assert GAME.chores(state, GAME.read(state, "a7-b7")) == ()
    state = play(state, "a7-b7")
    assert (GAME.seat(state), GAME.result(state).over) == (0, False)
    assert refusal(state, "d5-c5") == "the giant on d5 is Black's, and White is to move"
    state = play(state, "b7-a7")
    assert (GAME.seat(state), texts(state)) == (1, ["d5xb7"])


def test_giants_that_wait_are_slain_and_escape_as_after_a_move_of_theirs() -> None:
    state = stand(f"{WALL} a7", "d5", WHITE, giants="d5", flankers=5)
    ply = GAME.read(state, "a7-b7")
    assert GAME.chores is not None
    assert GAME.chores(state, ply) == (Chore(("d5",), "The giant on d5 is flanked and slain: take it off."),)
    assert GAME.result(GAME.play(state, ply)) == Result(True, 0, "slain", (1, 0))
    state = stand("b4 b5 a7 c5 c3 b6", "a5", WHITE, giants="d5", flankers=6)
    assert GAME.result(play(state, "b6-a6")) == Result(True, 1, "escape", (0, 1))


@pytest.mark.parametrize(
    "given", [{"flankers": 0}, {"flankers": 7}, {"slide": 0}, {"slide": 9}, {"repeats": 1}, {"tied": "both"}]
)
def test_what_no_rule_can_be_is_refused_by_its_name(given: dict[str, Any]) -> None:
    assert f"option {next(iter(given))}=" in refused(**given)


# ---- variants as a whole ----------------------------------------------------------------------------------


def halogai(dice: random.Random, given: Mapping[str, Any]) -> str:
    return some_cells(CELLS, 30, dice)


def giants(dice: random.Random, given: Mapping[str, Any]) -> str:
    return some_cells(CELLS, 12, dice)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*range(8), *(pytest.param(seed, marks=pytest.mark.night) for seed in range(8, 60))])
def test_a_variant_drawn_at_random_keeps_all_promises(seed: int) -> None:
    given = drawn(GAME, random.Random(seed), {"halogai": halogai, "giants": giants})
    given["rounds"] = 1 + seed % 2
    hold_to_its_promises(GAME, given, seed)
