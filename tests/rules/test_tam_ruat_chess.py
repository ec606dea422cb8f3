"""Chess of Tam Ruat: single rulings, each way to end, and the sentences of refused plies."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from controller.rules.game import Piece, Unreadable, Walk
from controller.rules.games.tam_ruat_chess.game import GAME
from controller.rules.games.tam_ruat_chess.pieces import NUMBER
from controller.rules.games.tam_ruat_chess.plies import Ply
from controller.rules.games.tam_ruat_chess.state import State
from controller.rules.mesh import NONE
from tests.rules import naive_tam_ruat_chess as naive
from tests.rules.tam_ruat_scenes import ALL, MEN, START, lines, play, refusal, same, scatter, slowly, stand, texts

# ---- single rulings ---------------------------------------------------------------------------------------


def test_a_warlock_takes_by_jumping_and_a_spare_ghost_appears() -> None:
    state = stand("wKa1 wWd4 bKl12 bce5 bwa9")
    ply = GAME.read(state, "d4xf6")
    assert GAME.walk(state, ply) == Walk(("d4", "f6"), ("e5",))
    state = GAME.play(state, ply)
    assert GAME.shape(state)["e5"] == Piece(0, "g")
    assert state.spare == (1, 2)
    assert state.lost == ("", "c")


def test_no_ghost_appears_once_both_are_on_the_board() -> None:
    state = play(stand("wKa1 wWd4 wgc1 wgd1 bKl12 bce5 bwa9"), "d4xf6")
    assert "e5" not in GAME.shape(state)


def test_a_captured_ghost_is_spare_again() -> None:
    state = play(stand("wKa1 wCe1 bKl12 bge5 bge9 bwa9"), "e1xe5")
    assert state.spare == (2, 1)
    assert state.lost == ("", "")


def test_a_warlock_gives_no_check_to_a_royal_at_the_edge() -> None:
    state = stand("wKa1 wWe11 bKe12 bwa9", turn=1)
    assert GAME.warns is not None
    assert GAME.warns(state) == ""


def test_a_barbarian_marches_two_diagonally_and_is_taken_in_passing_by_both_kinds() -> None:
    state = play(stand("wKa1 wbd2 bKl12 bwd4 bbe4 bwh9"), "d2-f4")
    assert {"d4xe3", "e4xe3"} <= set(texts(state))
    assert GAME.walk(state, GAME.read(state, "d4xe3")) == Walk(("d4", "e3"), ("f4",))
    assert "f4" not in GAME.shape(play(state, "e4xe3"))
    assert "there is nothing to take on e3" in refusal(play(state, "h9-h8;a1-a2"), "d4xe3")


def test_a_double_step_passes_its_middle_square_by_hand() -> None:
    assert GAME.walk(START, GAME.read(START, "b2-b4")).path == ("b2", "b3", "b4")
    assert GAME.walk(START, GAME.read(START, "c2-e4")).path == ("c2", "d3", "e4")
    assert GAME.walk(stand("wKa1 wCd1 bKl12 bwa9"), GAME.read(START, "d1-d4")).path == ("d1", "d2", "d3", "d4")


def test_a_warrior_that_strikes_goes_straight_to_the_square_that_it_takes() -> None:
    state = stand("wKa1 wwd4 wge1 wwe3 bKl12 bce5 bwa9 bwe4")
    assert GAME.walk(state, GAME.read(state, "d4xe5")) == Walk(("d4", "e5"))
    assert GAME.walk(state, GAME.read(state, "e1xe4")) == Walk(("e1", "e4"))


def test_en_passant_that_bares_the_king_to_a_line_is_illegal() -> None:
    state = play(stand("wKa1 wwe2 wCa4 wkb1 bKk4 bwd4 bwh9"), "e2-e4")
    assert "d4xe3" not in texts(state)
    assert "would stand in check from the Chariot on a4" in refusal(state, "d4xe3")


def test_promotion_brings_back_what_was_lost_once() -> None:
    state = stand("wKa1 wwd11 wwf11 bKl1 bca12 bwa9", lost=("Qk", ""))
    assert {"d11-d12=Q", "d11-d12=k"} <= set(texts(state))
    state = play(state, "d11-d12=Q;a9-a8")
    assert state.lost == ("k", "")
    assert "f11-f12=Q" not in texts(state)
    assert "f11-f12=k" in texts(state)


def test_a_king_on_the_far_rank_is_an_emperor_for_the_rest_of_the_game() -> None:
    state = play(stand("wKd11 wwb2 bKl1 bwa9"), "d11-d12;a9-a8")
    assert GAME.shape(state)["d12"] == Piece(0, "E")
    state = play(state, "d12-d4;a8-a7")
    assert GAME.shape(state)["d4"] == Piece(0, "E")
    assert "d4-k11" in texts(state)


def test_an_emperor_gives_no_check_and_its_line_ends_before_the_enemy_royal() -> None:
    state = stand("wEd4 wwb2 bKd9 bwa9")
    assert "d4-d7" in texts(state)
    assert "would stand next to the King on d9" in refusal(state, "d4-d8")
    assert "a King or Emperor can never be taken" in refusal(state, "d4xd9")
    assert "is in check" not in lines(play(state, "b2-b3"))


# ---- every way to end -------------------------------------------------------------------------------------


def ended(state: State, why: str, winner: int | None) -> None:
    result = GAME.result(state)
    assert (result.over, result.why, result.winner, result.scores) == (True, why, winner, None)
    assert GAME.plies(state) == ()
    assert GAME.seat(state) is None


def test_checkmate_wins() -> None:
    state = play(stand("wKa1 wCa11 wCb1 bKh12 bwd5"), "b1-b12")
    ended(state, "checkmate", 0)
    assert "the game is over (checkmate)" in refusal(state, "h12-h11")


def test_a_warlock_can_mate() -> None:
    ended(play(stand("wKa1 wCb11 wCb9 wWd8 wPe8 bKd10 bgl12"), "d8-d9"), "checkmate", 0)


def test_stalemate_is_a_draw() -> None:
    ended(play(stand("wKd1 wQc10 bKa12 bwl5 wwl4"), "c10-b10"), "stalemate", None)


def test_a_side_with_nothing_but_its_king_has_lost_at_once() -> None:
    ended(play(stand("wKa1 wCd1 bKl12 bwd5"), "d1xd5"), "bared", 0)
    ended(play(stand("wKa1 wcc5 bKl12 bbc6 bwd5", turn=1), "c6xc5"), "bared", 1)


def test_a_bare_king_has_lost_even_if_it_is_mated_by_the_same_ply() -> None:
    ended(play(stand("wKa1 wCa11 wCb1 bKh12 bwb12"), "b1xb12"), "bared", 0)


def test_a_ghost_keeps_a_side_from_being_bare() -> None:
    assert not GAME.result(play(stand("wKa1 wCd1 bKl12 bgg2 bwd5"), "d1xd5")).over


def test_a_position_may_be_claimed_the_third_time_and_ends_the_game_the_fifth() -> None:
    state, dance = START, "d1-c3;d12-c10;c3-d1;c10-d12"
    assert "a draw can be claimed" not in lines(play(state, dance))
    state = play(play(state, dance), dance)
    assert "This position has occurred three times: a draw can be claimed." in lines(state)
    state = play(play(state, dance), dance)
    ended(state, "repetition", None)


def test_positions_repeat_across_captures_of_ghosts_that_come_back() -> None:
    state = stand("wKa1 wWd4 wwl5 bKl12 bWe6 bge5 bwl6")
    slow = slowly(state)
    for _ in range(4):
        for text in ("d4xf6", "e6xe4", "f6-f5", "e4-d5", "f5-e4", "d5-d6", "e4-d4", "d6-e6"):
            slow = naive.go_on(slow, same(state, slow)[text])
            state = GAME.play_text(state, text)
    same(state, slow)
    ended(state, "repetition", None)


def test_en_passant_makes_a_position_another_one_only_where_it_is_legal() -> None:
    free = play(stand("wKa1 wwe2 bKl12 bwd4"), "e2-e4")
    assert free.seen[0][3] == NUMBER["e3"]
    pinned = play(stand("wKa1 wwe2 wCa4 wkb1 bKk4 bwd4 bwh9"), "e2-e4")
    assert pinned.seen[0][3] == NONE


def test_150_plies_without_capture_or_pawn_end_the_game_and_100_can_be_claimed() -> None:
    men = "wKa1 wCd1 bKl12 bwa9"
    assert "50 moves by each side" not in lines(play(stand(men, quiet=98), "d1-d2"))
    assert "50 moves by each side" in lines(play(stand(men, quiet=99), "d1-d2"))
    assert not GAME.result(play(stand(men, quiet=148), "d1-d2")).over
    ended(play(stand(men, quiet=149), "d1-d2"), "75 moves", None)
    assert play(stand(men, turn=1, quiet=149), "a9-a8").quiet == 0


def test_mate_by_the_last_of_150_plies_is_mate() -> None:
    ended(play(stand("wKa1 wCa11 wCb1 bKh12 bwd5", quiet=149), "b1-b12"), "checkmate", 0)


# ---- refusals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("men", "lost", "written", "why"),
    [
        ("", "", "c5-c6", "there is no piece on c5"),
        ("bkf5", "", "f5-g7", "the Knight on f5 is Black's, and White is to move"),
        ("wCd1 wkd4", "", "d1-d4", "the Knight on d4 is White's own"),
        ("wCd1 wkd4", "", "d1-d6", "blocked by the Knight on d4"),
        ("wCd1 bkd4", "", "d1xd6", "blocked by the Knight on d4"),
        ("wCd1 bkd4", "", "d1-d4", "the Knight on d4 would be taken: write 'd1xd4'"),
        ("wCd1", "", "d1xd4", "there is nothing to take on d4"),
        ("wCd1", "", "d1-e2", "the Chariot goes any distance along a rank or file"),
        ("wPd1", "", "d1-d3", "the Paladin steps one square along a rank or file"),
        ("wXd1", "", "d1-d2", "the Wizard steps one square diagonally"),
        ("wwd2 bkd4", "", "d2-d4", "blocked by the Knight on d4: the Warrior moves one square forward"),
        ("wwd2 bkd3", "", "d2-d4", "blocked by the Knight on d3"),
        ("wwd2", "", "d2xe3", "there is nothing to take on e3"),
        ("wwd3", "", "d3-d5", "the Warrior moves one square forward, or two from its first rank"),
        ("wbd3 bkd4", "", "d3-d4", "the Barbarian moves one square diagonally forward"),
        ("wbd3 bke4", "", "d3xe4", "takes one square straight forward"),
        ("wgd1", "", "d1-d4", "there is no piece to jump over from d1 towards d4"),
        ("wgd1 bkd4", "", "d1-d6", "right behind the Knight on d4 is d5"),
        ("wgd1 bkd12", "", "d1-d6", "the square behind the Knight on d12 is off the board"),
        ("wgd1 bkd4", "", "d1-f2", "the Ghost jumps along a rank, file or diagonal"),
        ("wWd4", "", "d4xd6", "there is nothing to take on d5"),
        ("wWd4 bkd5 bwd6", "", "d4xd6", "blocked by the Warrior on d6: a Warlock lands on a vacant square"),
        ("wWd4 bkd5", "", "d4xd5", "takes by jumping over a neighbouring enemy"),
        ("wWd4 bkd5", "", "d4-d5", "blocked by the Knight on d5"),
        ("wkk9", "", "k9xl11", "there is nothing to take on l11"),
        ("wkk10", "", "k10xl12", "a King or Emperor can never be taken, so the King on l12 cannot be"),
        ("wWk11 wCc1", "", "c1xl12", "a King or Emperor can never be taken"),
        ("wwd11", "", "d11-d12", "has lost nothing that could come back, so the Warrior may not move to the last rank"),
        ("wwd11", "Qk", "d11-d12", "add '=' and one of Q, k"),
        ("wwd11", "k", "d11-d12=Q", "White has lost no Queen that could come back"),
        ("wwd11 bCa9", "Q", "d11-d12=Q", "the King would stand in check from the Chariot on a9"),
        ("wwd10", "k", "d10-d11=k", "only a Warrior or Barbarian that reaches the last rank is promoted"),
        ("bcc3", "", "a1-b2", "the King would stand in check from the Cleric on c3"),
        ("wkb2 bcc3", "", "b2-d3", "the King would stand in check from the Cleric on c3"),
        ("bEa4", "", "a1-a2", ""),
    ],
)
def test_a_refusal_names_the_rule_and_the_squares(men: str, lost: str, written: str, why: str) -> None:
    state = stand(f"wKa1 {men} bwl4" + ("" if "bE" in men else " bKl12"), lost=(lost, ""))
    if why:
        assert why in refusal(state, written)
    else:
        assert written in texts(state)


@pytest.mark.slow
def test_of_all_plies_that_can_be_written_just_the_legal_ones_have_no_reason_against_them() -> None:
    rng = random.Random(3)
    for _ in range(12):
        state = scatter(rng, MEN, ALL)
        legal = set(GAME.moves(state))
        for begin, end in permutations(range(144), 2):
            for captures, becomes in (False, ""), (True, ""), (False, "Q"), (True, "k"):
                ply = Ply(begin, end, captures, becomes)
                assert bool(GAME.why_not(state, ply)) != (ply in legal), GAME.text(state, ply)


def test_kings_do_not_stand_next_to_each_other() -> None:
    assert refusal(stand("wKd4 wwa2 bKd6 bwa9"), "d4-d5") == "the King on d5 would stand next to the King on d6"


def test_a_pinned_warlocks_jump_that_opens_a_line_is_refused() -> None:
    state = stand("wKd1 wWd3 wgl1 wgl2 bKl12 bCd9 bke4")
    assert "would stand in check from the Chariot on d9" in refusal(state, "d3xf5")


@pytest.mark.parametrize("written", ["", "e2", "e2-e2", "e2-m3", "e2-e13", "e2-e4-e5", "e2-e4=Z", "e2-e4=", "e2~e4"])
def test_what_is_no_ply_is_not_read(written: str) -> None:
    with pytest.raises(Unreadable, match="'"):
        GAME.read(START, written)


def test_the_lines_tell_ghosts_and_losses() -> None:
    state = stand("wKa1 wgd4 bKl12 bwa9", lost=("Qk", ""))
    assert "White: ghosts in reserve: 1; can bring back: Queen, Knight." in lines(state)
    assert "Black: ghosts in reserve: 2." in lines(state)


@pytest.mark.parametrize("men", ["wKa1 wwa2 wga3 bKl12 bCa9 bwh9", "wKa1 bwa2 wga3 bKl12 bCa9 bwh9"])
def test_an_own_ghost_gives_no_check(men: str) -> None:
    assert "is in check" not in lines(stand(men))


def test_as_if_the_one_to_move_had_passed() -> None:
    assert GAME.passed is not None
    other = GAME.passed(START)
    assert other is not None
    assert (GAME.seat(other), GAME.shape(other)) == (1, GAME.shape(START))
    assert GAME.passed(stand("wKa1 wwl2 bKl12 bCa9 bwh9")) is None  # in check
    assert GAME.passed(stand("wKd1 wQb10 bKa12 bwl5 wwl4")) is None  # Black could not move
    ran = play(stand("wKa1 wwe2 bKl12 bwd4 bwh9"), "e2-e4")
    passed = GAME.passed(ran)
    assert passed is not None
    back = GAME.passed(passed)
    assert back is not None
    assert "d4xe3" in texts(ran)
    assert "d4xe3" not in texts(back)  # that would have been the very next ply


def test_the_royal_in_check_is_named_as_long_as_the_game_goes_on() -> None:
    assert GAME.checked is not None
    assert GAME.checked(START) == ()
    assert GAME.checked(stand("wKa1 wwl2 bKl12 bCa9 bwh9")) == ("a1",)
    assert GAME.checked(play(stand("wKa1 wCa11 wCb1 bKh12 bwb12"), "b1xb12")) == ()  # bared: it is over


def test_a_capture_forgets_the_positions_before_it_unless_the_piece_may_come_back_at_once() -> None:
    men = "wKa1 wCe1 bKl12 bke5 bge9 bwa9 bwb9"
    assert len(play(stand(men), "e1-e2;a9-a8").seen) == 1  # a march
    assert len(play(stand(men), "e1-e2").seen) == 2
    assert len(play(stand(men), "e1xe5").seen) == 1
    assert len(play(stand("wKa1 wCe1 bKl12 bge9 bwa9 bwb9"), "e1xe9").seen) == 2


def test_a_ply_is_told_in_words() -> None:
    state = stand("wKa1 wwd11 bKl1 bca12 bwa9", lost=("Qk", ""))
    assert GAME.say is not None
    assert GAME.say(state, GAME.read(state, "d11-d12=k")) == "d11 to d12, becomes Knight"
    assert GAME.say(state, GAME.read(state, "a1-a2")) == "a1 to a2"


def test_a_draw_can_be_claimed_only_while_the_game_goes_on() -> None:
    assert GAME.claim is not None
    men = "wKa1 wCd1 bKl12 bwa9"
    assert GAME.claim(START) == ""
    assert GAME.claim(stand(men, quiet=100)).startswith("50 moves by each side")
    assert GAME.claim(play(stand(men, quiet=149), "d1-d2")) == ""
    dance = "d1-c3;d12-c10;c3-d1;c10-d12"
    state = play(START, f"{dance};{dance};{dance}")
    assert GAME.claim(state) == "This position has occurred four times: a draw can be claimed."
