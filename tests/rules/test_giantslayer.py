"""Giantslayer: single rulings, each way to end a round, what a hand has to do, and the sentences of refused plies."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from controller.rules.game import Chore, Piece, Result, Unreadable, Walk
from controller.rules.games.giantslayer.game import BLACK, GAME, WHITE
from controller.rules.games.giantslayer.state import Options, State
from controller.rules.options import BadOption, parse
from tests.rules.asking import GameAsked

ASKED = GameAsked(GAME)
play, texts, refusal = ASKED.play, ASKED.texts, ASKED.refusal
START = GAME.start(Options(), 0)
CELLS = GAME.mesh(Options()).cells
HALOGAI, GIANT = Piece(0, "halogai"), Piece(1, "giant")
DANCE = "a5-b5;e4-e3;b5-a5;e3-e4"


def stand(white: str, black: str, turn: int = BLACK, rounds: int = 1, number: int = 0) -> State:
    """Return a position from the cells of halogai and of giants."""
    sets = [sum(1 << CELLS.index(name) for name in names.split()) for names in (white, black)]
    return State(sets[0], sets[1], turn, (), rounds, number)


def where(state: State, piece: Piece) -> set[str]:
    return {name for name, stands in GAME.shape(state).items() if stands == piece}


# ---- start and moves --------------------------------------------------------------------------------------


def test_halogai_stand_on_the_rim_and_giants_round_the_centre() -> None:
    rim = "e1 f1 g1 h1 i1 i2 i3 i4 i5 h6 g7 f8 e9 d9 c9 b9 a9 a8 a7 a6 a5 b4 c3 d2"
    assert where(START, HALOGAI) == set(rim.split())
    assert where(START, GIANT) == {"e6", "f5", "f4", "e4", "d5", "d6"}
    assert GAME.seat(START) == 0


def test_halogai_slide_up_to_what_stands_in_the_way_and_pass_by_the_centre_on_no_line() -> None:
    state = stand("a5", "h2 c7", WHITE)
    assert texts(state) == sorted(
        ["a5-b5", "a5-c5", "a5-d5", "a5-a6", "a5-a7", "a5-a8", "a5-a9", "a5-b4", "a5-c3", "a5-d2", "a5-e1"]
    )
    assert "a5-a6" not in texts(stand("a5 a7", "a6", WHITE))
    assert GAME.walk(state, GAME.read(state, "a5-c5")) == Walk(("a5", "b5", "c5"))


def test_a_giant_steps_one_cell_or_tramples_on_and_on_and_may_stop_after_any_jump() -> None:
    state = stand("e3 f2 a9", "e4 d6")
    found = [text for text in texts(state) if text.startswith("e4")]
    assert found == ["e4-d4", "e4-d5", "e4-f3", "e4-f4", "e4xe2", "e4xe2xg2"]
    ply = GAME.read(state, "e4xe2xg2")
    assert GAME.walk(state, ply) == Walk(("e4", "e2", "g2"), ("e3", "f2"))
    state = GAME.play(state, ply)
    assert where(state, HALOGAI) == {"a9"}
    assert where(state, GIANT) == {"g2", "d6"}


def test_a_giant_may_trample_back_to_where_it_began() -> None:
    state = stand("e3 e2 d3 a9", "d4 d7")
    assert {"d4xf2xd2xd4", "d4xd2xf2xd4"} <= set(texts(state))
    state = play(state, "d4xf2xd2xd4")
    assert where(state, GIANT) == {"d4", "d7"}
    assert where(state, HALOGAI) == {"a9"}


def test_nothing_jumps_over_the_centre() -> None:
    state = stand("a9", "e4 d6")
    assert "e4xe6" not in texts(state)
    assert refusal(state, "e4xe6") == "the centre e5 is blocked: nothing enters, passes or jumps it"


# ---- flanking ---------------------------------------------------------------------------------------------


def test_a_giant_with_two_halogai_beside_it_is_slain_before_white_moves_and_one_with_one_is_not() -> None:
    state = play(stand("d3 e2 c6", "e4 d6 g5"), "e4-e3")
    assert where(state, GIANT) == {"d6", "g5"}
    assert GAME.seat(state) == 0
    assert GAME.look(state, None).lines[0] == "Giants slain: 4."


def test_all_flanked_giants_are_slain_at_once() -> None:
    state = play(stand("d3 e2 c6 c7", "e4 d6 g5"), "e4-e3")
    assert where(state, GIANT) == {"g5"}
    assert where(state, HALOGAI) == {"d3", "e2", "c6", "c7"}


def test_the_hand_takes_off_who_is_flanked_and_of_the_one_that_moved_looks_at_both_cells() -> None:
    state = stand("d3 e2 c6 c7", "e4 d6 g5")
    assert GAME.chores is not None
    assert GAME.chores(state, GAME.read(state, "e4-e3")) == (
        Chore(("d6",), "The giant on d6 is flanked and slain: take it off."),
        Chore(("e4", "e3"), "The giant from e4 is flanked on e3 and slain: take it off."),
    )
    assert GAME.chores(state, GAME.read(state, "g5-g4")) == (
        Chore(("d6",), "The giant on d6 is flanked and slain: take it off."),
    )


def test_in_words_a_move_says_which_giants_fall_with_it() -> None:
    state = stand("d3 e2 c6 c7", "e4 d6 g5")
    assert GAME.words_of(state, "e4-e3") == "e4 to e3; the giants on d6 and e3 are slain"
    assert GAME.words_of(state, "g5-g4") == "g5 to g4; the giant on d6 is slain"
    assert GAME.words_of(stand("d3 e2", "e4 g5"), "g5-g4") == "g5 to g4"


def test_halogai_that_were_trampled_flank_nobody() -> None:
    state = stand("e3 f2", "e4 d6")
    assert GAME.chores is not None
    assert GAME.chores(state, GAME.read(state, "e4xe2")) == ()
    assert where(play(state, "e4xe2"), GIANT) == {"e2", "d6"}


def test_nothing_is_taken_off_after_whites_ply_or_once_all_stand_on_the_rim() -> None:
    assert GAME.chores is not None
    assert GAME.chores(START, GAME.read(START, "a5-b5")) == ()
    last = stand("d2 f1 a9", "e2")
    assert GAME.chores(last, GAME.read(last, "e2-e1")) == ()


# ---- every way to end a round -----------------------------------------------------------------------------


def ended(state: State, why: str, winner: int | None, scores: tuple[int, int]) -> None:
    assert GAME.result(state) == Result(True, winner, why, scores)
    assert GAME.plies(state) == ()
    assert GAME.seat(state) is None
    assert f"the game is over ({why})" in refusal(state, "a5-b5")


def test_the_round_ends_at_once_when_all_giants_stand_on_the_rim_flanked_or_not() -> None:
    ended(play(stand("d2 f1 a9", "i2 e2"), "e2-e1"), "escape", 0, (4, 2))


def test_the_round_ends_when_flanking_leaves_giants_on_the_rim_alone() -> None:
    ended(play(stand("d3 e2 a9", "e4 i2"), "e4-e3"), "escape", 0, (5, 1))


def test_the_round_ends_when_no_giant_is_left() -> None:
    ended(play(stand("d3 e2", "e4"), "e4-e3"), "slain", 0, (6, 0))


def test_every_giant_in_play_escapes_where_white_cannot_move() -> None:
    ended(play(stand("a5", "a6 b5 c3 e6"), "c3-b4"), "stuck", 1, (2, 4))


def test_at_the_third_occurrence_giants_on_the_rim_escape_and_the_others_score_for_nobody() -> None:
    state = play(START, f"{DANCE};a5-b5;e4-e3;b5-a5")
    assert not GAME.result(state).over
    ended(play(state, "e3-e4"), "repetition", None, (0, 0))
    begun = stand("a5", "e1 e4", WHITE)
    ended(play(begun, f"{DANCE};{DANCE};a5-b5"), "repetition", 0, (4, 1))


def test_a_capture_begins_the_count_anew() -> None:
    state = play(stand("a5 e3 f2", "e4 d6", BLACK), "e4xe2;a5-b5;e2-e3;b5-a5;e3-e2;a5-b5;e2-e3;b5-a5")
    assert not GAME.result(state).over
    ended(play(state, "e3-e2"), "repetition", 0, (4, 0))


def test_which_round_is_on_is_told_where_there_are_several() -> None:
    assert GAME.look(stand("d3 e2 c6", "a5 d6 g5", rounds=2, number=1), None).stage == "Round 2 of 2"
    assert GAME.look(stand("d3 e2 c6", "a5 d6 g5", rounds=1), None).stage == ""


def test_giants_that_are_slain_are_seen_to_count_at_once_for_whoever_plays_white_in_the_round() -> None:
    assert GAME.look(START, None).scores == (0, 0)
    state = play(stand("d3 e2 c6", "e4 d6 g5"), "e4-e3")
    assert GAME.look(state, None).scores == (4, 0)  # those on the rim only at its end, since they may walk off it
    assert GAME.result(state) == Result(scores=(0, 0))
    assert GAME.look(stand("d3 e2 c6", "a5 d6 g5", rounds=2, number=1), None).scores == (0, 3)
    over = play(stand("d3 e2", "e4"), "e4-e3")
    assert (GAME.look(over, None).scores, GAME.result(over).scores) == ((), (6, 0))


# ---- a match ----------------------------------------------------------------------------------------------


def test_players_swap_sides_after_a_round_and_the_tally_runs_on() -> None:
    first = stand("d3 e2", "e4", rounds=2)
    assert (GAME.seat(first), GAME.colour_of(first, 0), GAME.colour_of(first, 1)) == (1, 0, 1)
    state = play(first, "e4-e3")
    assert GAME.result(state) == Result(scores=(6, 0))
    assert GAME.sets_up is not None
    assert GAME.sets_up(state)
    assert not GAME.sets_up(first)
    assert (GAME.seat(state), GAME.colour_of(state, 0), GAME.colour_of(state, 1)) == (1, 1, 0)
    assert GAME.look(state, None).lines == (
        "Round 2 of 2: Second player plays White.",
        "Giants slain: 0.",
        "Giants on the rim: 0.",
    )
    state = stand("a5", "a6 b5 c3 e6", rounds=2, number=1)
    assert GAME.seat(state) == 0
    ended(play(state, "c3-b4"), "stuck", 0, (4, 2))  # the second player has slain two, and of the first four escape


def test_giants_on_the_rim_are_told_to_count_at_the_end_of_the_round() -> None:
    state = stand("a5", "a6 b5 c3 e6")
    assert GAME.look(state, None).lines[-1] == "Giants on the rim: 2. They count when the round ends."
    over = play(state, "c3-b4")
    assert GAME.look(over, None).lines[-1].startswith("Giants on the rim: ")
    assert "count" not in GAME.look(over, None).lines[-1]


def test_a_single_round_is_not_numbered() -> None:
    assert GAME.look(START, None).lines == ("Giants slain: 0.", "Giants on the rim: 0.")  # each keeps its colour
    match = replace(START, rounds=2)
    assert GAME.look(match, None).lines[0] == "Round 1 of 2: First player plays White."


@pytest.mark.parametrize("rounds", [0, 3, 21])
def test_a_match_has_one_round_or_an_even_number(rounds: int) -> None:
    with pytest.raises(BadOption, match="rounds"):
        parse(Options, {"rounds": rounds})


def test_as_if_the_one_to_move_had_passed() -> None:
    assert GAME.passed is not None
    other = GAME.passed(START)
    assert other is not None
    assert (GAME.seat(other), GAME.shape(other)) == (1, GAME.shape(START))
    back = GAME.passed(other)
    assert back is not None
    assert GAME.seat(back) == 0
    assert GAME.passed(stand("a5", "a6 b5 b4")) is None  # White could not move
    assert GAME.passed(play(stand("d3 e2", "e4"), "e4-e3")) is None


# ---- texts and refusals -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("e4-e3", "the giant on e4 is Black's, and White is to move"),
        ("b5-c5", "nothing stands on b5"),
        ("a5-e5", "the centre e5 is blocked: nothing enters, passes or jumps it"),
        ("a5xc5", "halogai do not jump: they capture by flanking"),
        ("a5-d5", "blocked by the giant on d5"),
        ("a5-a7", "blocked by the halogai on a6"),
        ("a5-c6", "no straight line leads from a5 to c6, or the centre e5 blocks it"),
        ("a5-i5", "no straight line leads from a5 to i5, or the centre e5 blocks it"),
    ],
)
def test_white_is_told_which_rule_forbids_a_move(written: str, why: str) -> None:
    assert refusal(START, written) == why


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("a9-b9", "the halogai on a9 is White's, and Black is to move"),
        ("b5-c5", "nothing stands on b5"),
        ("e4-e2", "e4 and e2 are not neighbours: a giant steps one cell"),
        ("e4-c6", "e4 and c6 are not neighbours: a giant steps one cell"),
        ("e4-f3", "blocked by the halogai on f3"),
        ("e4-d5", "blocked by the giant on d5"),
        ("e4xe2", "there is no halogai on e3 to trample"),
        ("e4xg2", "g2 is not vacant"),
        ("e4xc6", "there is no halogai on d5 to trample"),
        ("g5xg3xg5xg3", "there is no halogai on g4 to trample"),  # that one was trampled on the way out
    ],
)
def test_black_is_told_which_rule_forbids_a_move(written: str, why: str) -> None:
    assert refusal(stand("a9 f3 g2 g4", "e4 d5 g5"), written) == why


@pytest.mark.parametrize("written", ["", "a5", "a5-b5-c5", "a5-j5", "a5-a1", "e4xe3", "e4xf4xg4", "a5xb6"])
def test_what_is_no_ply_is_not_read(written: str) -> None:
    with pytest.raises(Unreadable, match="'"):
        GAME.read(START, written)
