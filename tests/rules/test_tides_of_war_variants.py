"""Tides of War by other numbers, starts and small rules: what each option changes, and what it refuses."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import partial
from typing import Any

import pytest

from controller.engine.player import Player
from controller.rules.game import Result
from controller.rules.games.tides_of_war.advice import TACTICS
from controller.rules.games.tides_of_war.game import GAME
from controller.rules.games.tides_of_war.state import Options, State
from controller.rules.mesh import squares
from controller.rules.options import describe, parse
from tests.rules.asking import GameAsked
from tests.rules.drawn_variants import counts_of, drawn, hold_to_its_promises, refusal_of, some_cells
from tests.rules.test_tides_of_war import where

ASKED = GameAsked(GAME)
play, texts, refusal = ASKED.play, ASKED.texts, ASKED.refusal

refused = partial(refusal_of, GAME)
counts = partial(counts_of, GAME)


def stand(white: str, black: str, turn: int = 0, **given: Any) -> State:
    """Return a position of a game with options, from the squares of White's stones and of Black's."""
    options = parse(GAME.options, given)
    cells = GAME.mesh(options).cells
    sets = [sum(1 << cells.index(name) for name in names.split()) for names in (white, black)]
    return State((sets[0], sets[1]), turn, (), options=options)


def test_what_is_not_chosen_is_not_written_so_that_states_read_as_they_always_did() -> None:
    start = GAME.start(Options(), 0)
    assert "options" not in GAME.encode(start).decode()
    assert '"options":{"side":6,' in GAME.encode(GAME.start(Options(repeats=2), 0)).decode()


def test_all_of_it_is_for_designers() -> None:
    assert all(option.designers for option in describe(Options))


# ---- another board ----------------------------------------------------------------------------------------


def test_on_five_squares_a_side_the_towns_lie_in_the_corners_and_the_river_between() -> None:
    state = GAME.start(Options(side=5), 0)
    assert where(state, 0) == {"a2", "a3", "a4", "b1", "b2", "b3", "c1", "c2", "d1"}
    assert where(state, 1) == {"b5", "c4", "c5", "d3", "d4", "d5", "e2", "e3", "e4"}
    places = {place.name: place.cells for place in GAME.look(state, None).places}
    assert places == {
        "White's town": ("a1",),
        "Black's town": ("e5",),
        "river": ("a5", "b4", "c3", "d2", "e1"),
    }
    assert GAME.mesh(Options(side=5)) == squares(5, 5)
    assert "c3-f6" not in texts(state)


def test_on_seven_squares_a_side_a_stone_conquers_the_farthest_corner() -> None:
    state = stand("f6 a2", "b1", side=7)
    assert "f6-g7" in texts(state)
    assert GAME.result(play(state, "f6-g7")) == Result(True, 0, "conquest")
    assert refusal(stand("g6", "b2", 1, side=7), "b2-b4") == "b2 and b4 are not neighbours: a stone steps one square"
    assert TACTICS.urgent is not None
    assert TACTICS.urgent(stand("f6", "c3", 1, side=7))
    assert counts(stand("f5 c3", "b2", side=7), 0)["at_2"] == 1


def test_of_a_small_board_no_stone_counts_as_far_from_the_town() -> None:
    assert counts(GAME.start(Options(side=4), 0), 0) == {
        "stones": 5, "to_move": 1, "prey": 1, "at_1": 0, "at_2": 1, "at_3": 4, "at_4": 0,
        "home_1": 3, "home_2": 2, "home_3": 0,
    }  # fmt: skip


@pytest.mark.parametrize("side", [3, 8, 10**9, "wide", None, 10**400])
def test_a_side_that_there_is_not_is_refused_before_a_board_is_made(side: object) -> None:
    assert "it must be a whole number from 4 to 7" in refused(side=side)


def test_a_state_of_another_board_is_not_taken_over() -> None:
    written = GAME.encode(GAME.start(Options(side=5), 0))
    with pytest.raises(ValueError, match="its board is not the one given by the options"):
        GAME.taken_over(written, Options())
    with pytest.raises(ValueError, match="no game with these options can reach it"):
        GAME.taken_over(GAME.encode(GAME.start(Options(repeats=4), 0)), Options())


# ---- other starts -----------------------------------------------------------------------------------------


def test_stones_start_where_the_options_say() -> None:
    state = GAME.start(Options(white="a2 b1", black="c3"), 0)
    assert (where(state, 0), where(state, 1)) == ({"a2", "b1"}, {"c3"})
    usual = GAME.start(Options(), 0)
    state = GAME.start(Options(white="a2 a6"), 0)
    assert (where(state, 0), where(state, 1)) == ({"a2", "a6"}, where(usual, 1))


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"white": "a2 g1"}, "option white has 'g1', which is no cell of this board: choose from a1 to f6"),
        ({"white": "a2, b1"}, "option white has 'a2,', which is no cell of this board: choose from a1 to f6"),
        ({"black": "f6", "side": 5}, "option black has 'f6', which is no cell of this board: choose from a1 to e5"),
        ({"white": "a2 b1 a2"}, "option white has a2 twice: name each cell once"),
        ({"black": " "}, "option black names no cell: name at least one, or leave it empty"),
        ({"white": "a2 d5"}, "a white stone and a black one start on d5: leave one of them out of white or black"),
        ({"white": "a1 a2"}, "option white has a1, which is a town: choose other cells"),
        ({"black": "a1 e5"}, "option black has a1, which is a town: choose other cells"),
        ({"white": "a2", "black": "a3 b1 b2 b3"},
         "no white stone can step at the start: leave a cell beside one out of white and black"),
        ({"white": "a2", "black": "a3 b2", "diagonals": False},
         "no white stone can step at the start: leave a cell beside one out of white and black"),
    ],
)  # fmt: skip
def test_a_start_that_there_cannot_be_is_refused(given: dict[str, Any], why: str) -> None:
    assert refused(**given) == why


# ---- other rules ------------------------------------------------------------------------------------------


def test_a_stone_goes_along_files_and_ranks_alone() -> None:
    state = stand("c3", "b3 b2 c5", diagonals=False)
    assert texts(state) == ["c3-c2", "c3-c4", "c3-d3", "c3xa3"]
    assert refusal(state, "c3-d4") == "c3 to d4 is diagonal: a stone goes along files and ranks here"
    assert refusal(state, "c3xa1") == "a1 is White's own town: a stone never enters it"
    assert GAME.card is not None
    assert GAME.card(state, "c3", 0) == ("In this game it goes along files and ranks alone, never diagonally.",)


def test_without_diagonals_a_stone_diagonally_beside_a_town_is_two_steps_away() -> None:
    assert TACTICS.urgent is not None
    assert not TACTICS.urgent(stand("a2", "b2", diagonals=False))
    assert TACTICS.urgent(stand("a2", "b1", diagonals=False))
    assert (counts(stand("e5", "a3", diagonals=False), 0)["at_1"], counts(stand("e5", "a3"), 0)["at_1"]) == (0, 1)


def test_who_is_walled_in_on_file_and_rank_is_told_so() -> None:
    state = stand("b3 f2", "a3 c3 b4 b2 b5 d3 b1", diagonals=False)
    assert GAME.stays(state, "b3") == (
        "every square beside it on its file and rank is occupied, and it can jump over no enemy stone"
    )


def test_without_chains_the_first_jump_ends_the_move() -> None:
    state = stand("b2", "c3 d5 f5", chains=False)
    assert [text for text in texts(state) if "x" in text] == ["b2xd4"]
    assert refusal(state, "b2xd4xd6") == "a stone does not jump on here: the move ends on d4"
    assert GAME.card is not None
    assert GAME.card(state, "b2", 0) == ("In this game it does not jump on.",)


def test_who_can_capture_must_but_may_stop_after_any_jump() -> None:
    state = stand("b2 a4", "c3 d5 f5", must_take=True)
    assert texts(state) == ["b2xd4", "b2xd4xd6"]
    assert refusal(state, "a4-a5") == "who can capture must: jump with the stone on b2, for one"
    assert GAME.stays(state, "a4") == "another stone can capture, and in this game who can must"
    assert "a4-a5" in texts(stand("b2 a4", "c4 d5 f5", must_take=True))  # nothing can be captured
    assert GAME.card is not None
    assert GAME.card(state, "a4", 0) == ("In this game who can capture must.",)


def test_to_be_stuck_may_be_a_draw() -> None:
    state = play(stand("a6", "a5 b5 b6 a4 c4 d6", 1, stuck="draw"), "d6-c6")
    assert GAME.result(state) == Result(True, None, "stuck")


@pytest.mark.parametrize("repeats", [2, 3, 4, 5])
def test_a_position_comes_as_often_as_the_options_say(repeats: int) -> None:
    state, dance = GAME.start(Options(repeats=repeats), 0), ["c3-c4", "d4-d3", "c4-c3", "d3-d4"]
    for number, ply in enumerate(dance * (repeats - 1), 1):
        assert not GAME.result(state).over
        state = play(state, ply)
        assert number < 4 * (repeats - 1) or GAME.result(state) == Result(True, None, "repetition")


@pytest.mark.parametrize("given", [{"repeats": 1}, {"repeats": 6}, {"stuck": "won"}, {"chains": "perhaps"}])
def test_what_no_rule_can_be_is_refused_by_its_name(given: dict[str, Any]) -> None:
    assert f"option {next(iter(given))}=" in refused(**given)


# ---- variants as a whole ----------------------------------------------------------------------------------


def test_what_was_learned_of_the_usual_game_is_not_used_for_another() -> None:
    assert Player(GAME, 2).why_not == Player(GAME, 2, options=Options()).why_not == ""
    assert Player(GAME, 2, options=Options(stuck="draw")).why_not == (
        "The board judges by the counts of the game alone: network.bin was learned for other rules or another board."
    )


def cells_of(dice: random.Random, given: Mapping[str, Any]) -> str:
    return some_cells(GAME.mesh(Options(side=given.get("side", 6))).cells, 16, dice)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*range(8), *(pytest.param(seed, marks=pytest.mark.night) for seed in range(8, 60))])
def test_a_variant_drawn_at_random_keeps_all_promises(seed: int) -> None:
    hold_to_its_promises(GAME, drawn(GAME, random.Random(seed), {"white": cells_of, "black": cells_of}), seed)
