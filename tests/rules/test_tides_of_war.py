"""Tides of War: single rulings, each way to end, and the sentences of refused plies."""

from __future__ import annotations

import pytest

from controller.rules.game import Piece, Result, Unreadable, Walk
from controller.rules.games.tides_of_war.game import GAME
from controller.rules.games.tides_of_war.state import Options, State
from tests.rules.asking import GameAsked

ASKED = GameAsked(GAME)
play, texts, refusal = ASKED.play, ASKED.texts, ASKED.refusal
START = GAME.start(Options(), 0)
CELLS = GAME.mesh(Options()).cells


def stand(white: str, black: str, turn: int = 0) -> State:
    """Return a position from the squares of White's stones and of Black's."""
    sets = [sum(1 << CELLS.index(name) for name in names.split()) for names in (white, black)]
    return State((sets[0], sets[1]), turn, ())


def where(state: State, seat: int) -> set[str]:
    return {name for name, piece in GAME.shape(state).items() if piece == Piece(seat, "stone")}


# ---- start and moves --------------------------------------------------------------------------------------


def test_fourteen_stones_a_side_and_the_river_and_the_towns_empty() -> None:
    assert where(START, 0) == {"a2", "a3", "a4", "a5", "b1", "b2", "b3", "b4", "c1", "c2", "c3", "d1", "d2", "e1"}
    assert where(START, 1) == {"b6", "c5", "c6", "d4", "d5", "d6", "e3", "e4", "e5", "e6", "f2", "f3", "f4", "f5"}
    assert GAME.seat(START) == 0


def test_a_stone_steps_in_all_eight_directions() -> None:
    assert texts(stand("c3", "f1")) == ["c3-b2", "c3-b3", "c3-b4", "c3-c2", "c3-c4", "c3-d2", "c3-d3", "c3-d4"]


def test_a_stone_steps_beyond_no_edge() -> None:
    assert texts(stand("a6", "f1")) == ["a6-a5", "a6-b5", "a6-b6"]
    assert texts(stand("f1", "a6")) == ["f1-e1", "f1-e2", "f1-f2"]


def test_a_stone_jumps_in_all_eight_directions_over_enemies_alone() -> None:
    jumps = [text for text in texts(stand("c3 b3", "b2 b4 c2 c4 d2 d3 d4 f6")) if text.startswith("c3x")]
    assert {jump[:5] for jump in jumps} == {"c3xa5", "c3xc1", "c3xc5", "c3xe1", "c3xe3", "c3xe5"}


def test_it_may_jump_on_and_stop_after_any_jump() -> None:
    state = stand("b2", "c3 d5 f5")
    assert [text for text in texts(state) if "x" in text] == ["b2xd4", "b2xd4xd6"]
    ply = GAME.read(state, "b2xd4xd6")
    assert GAME.walk(state, ply) == Walk(("b2", "d4", "d6"), ("c3", "d5"))
    state = GAME.play(state, ply)
    assert (where(state, 0), where(state, 1)) == ({"d6"}, {"f5"})


def test_it_may_jump_back_to_where_it_began() -> None:
    state = stand("c3", "d3 d4 c4 f2")
    assert {"c3xe3xc5xc3", "c3xc5xe3xc3"} <= set(texts(state))
    state = play(state, "c3xe3xc5xc3")
    assert (where(state, 0), where(state, 1)) == ({"c3"}, {"f2"})


def test_two_chains_that_end_alike_are_two_plies() -> None:
    state = stand("b2", "b3 c3 c5 d4 f2")
    assert {"b2xb4xd6", "b2xd4"} - set(texts(state)) == {"b2xd4"}  # a stone stands on d4
    state = stand("b2", "b3 c2 c4 d3 f2")
    assert {"b2xb4xd4", "b2xd2xd4"} <= set(texts(state))


def test_a_stone_never_enters_its_own_town() -> None:
    state = stand("a2 c3", "b2 f5")
    assert "a2-a1" not in texts(state)
    assert "c3xa1" not in texts(state)
    state = stand("b4", "f5 d6", turn=1)
    assert "f5-f6" not in texts(state)


# ---- every way to end -------------------------------------------------------------------------------------


def ended(state: State, why: str, winner: int | None) -> None:
    assert GAME.result(state) == Result(True, winner, why)
    assert GAME.plies(state) == ()
    assert GAME.seat(state) is None
    assert f"the game is over ({why})" in refusal(state, "c3-c4")


def test_a_stone_in_the_enemys_town_conquers_it() -> None:
    ended(play(stand("e5", "a3"), "e5-f6"), "conquest", 0)
    ended(play(stand("f3", "b2", turn=1), "b2-a1"), "conquest", 1)


def test_it_is_a_conquest_too_where_the_jump_into_the_town_took_the_last_stone() -> None:
    state = stand("d4", "e5 e6 c5")
    assert [text for text in texts(state) if text.startswith("d4xf6")] == ["d4xf6"]  # no chain goes on from there
    ended(play(stand("d4", "e5"), "d4xf6"), "conquest", 0)


def test_taking_the_last_stone_is_a_massacre() -> None:
    ended(play(stand("b2", "c3"), "b2xd4"), "massacre", 0)
    ended(play(stand("c3", "d4", turn=1), "d4xb2"), "massacre", 1)


def test_who_cannot_move_has_lost() -> None:
    ended(play(stand("a6", "a5 b5 b6 a4 c4 d6", turn=1), "d6-c6"), "stuck", 1)
    # The own town would be free, but is closed.
    ended(play(stand("b1", "a2 b2 b3 c1 c3 d1 d3 e5", turn=1), "c3-c2"), "stuck", 1)


def test_the_third_occurrence_of_a_position_is_a_draw() -> None:
    dance = "c3-c4;d5-c5;c4-c3;c5-d5"
    begun = stand("c3 a2", "d5 f2")
    begun = play(begun, "a2-a3;f2-f3")
    state = play(begun, f"{dance};c3-c4;d5-c5;c4-c3")
    assert not GAME.result(state).over
    ended(play(state, "c5-d5"), "repetition", None)


def test_the_first_position_counts() -> None:
    dance = "c3-c4;d4-d3;c4-c3;d3-d4"
    state = play(START, f"{dance};c3-c4;d4-d3;c4-c3")
    assert not GAME.result(state).over
    ended(play(state, "d3-d4"), "repetition", None)


def test_as_if_the_one_to_move_had_passed() -> None:
    assert GAME.passed is not None
    other = GAME.passed(START)
    assert other is not None
    assert (GAME.seat(other), GAME.shape(other)) == (1, GAME.shape(START))
    back = GAME.passed(other)
    assert back is not None
    assert (GAME.seat(back), GAME.shape(back)) == (0, GAME.shape(START))
    assert GAME.passed(stand("a6", "a5 b5 b6 a4 c4 c6", turn=1)) is None  # White could not move
    assert GAME.passed(play(stand("e5", "a3"), "e5-f6")) is None


# ---- texts and refusals -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("f5-f6", "the stone on f5 is Black's, and White is to move"),
        ("c4-c5", "there is no stone on c4"),
        ("c3-c5", "c3 and c5 are not neighbours: a stone steps one square"),
        ("c3-e4", "c3 and e4 are not neighbours: a stone steps one square"),
        ("c3-e3", "c3 and e3 are not neighbours: a stone steps one square"),
        ("c3-c2", "c2 is not vacant"),
        ("c3-d4", "d4 is not vacant"),
        ("b2-a1", "a1 is White's own town: a stone never enters it"),
        ("c3xc5", "there is no enemy stone on c4 to jump over"),
        ("c3xa3", "there is no enemy stone on b3 to jump over"),
        ("c3xe5", "e5 is not vacant"),
        ("d3xf5xd3", "f5 is not vacant"),
        ("d3xd5xd3", "there is no enemy stone on d4 to jump over"),  # it was taken on the way out
    ],
)
def test_white_is_told_which_rule_forbids_a_move(written: str, why: str) -> None:
    assert refusal(stand("a2 b2 c2 c3 d3", "d4 e4 e5 f5"), written) == why


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("a2-a3", "the stone on a2 is White's, and Black is to move"),
        ("e5-f6", "f6 is Black's own town: a stone never enters it"),
        ("b3xb1xd1", "there is no enemy stone on c1 to jump over"),
        ("c3xa1xa3", "the move ends in the enemy's town a1: no chain goes on from there"),
    ],
)
def test_black_is_told_which_rule_forbids_a_move(written: str, why: str) -> None:
    assert refusal(stand("a2 b2 f5", "b3 c3 e5", turn=1), written) == why


@pytest.mark.parametrize("written", ["", "c3", "c3-c4-c5", "c3-g3", "c3xd3", "c3xd5", "c3xe4", "c3xc3", "c3xe5xe4"])
def test_what_is_no_ply_is_not_read(written: str) -> None:
    with pytest.raises(Unreadable, match="'"):
        GAME.read(START, written)
