"""Chess of Tam Ruat: held against a naive generator, each way to end, and the sentences of refused plies."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations

import naive_tam_ruat_chess as naive
import pytest

from controller.rules.chessmen import Ply
from controller.rules.game import Illegal, Piece, Unreadable, Walk
from controller.rules.games.tam_ruat_chess import CELLS, COMES_BACK, GAME, KINDS, NUMBER, State
from controller.rules.mesh import NONE

START = GAME.start(GAME.options(), 0)


def stand(men: str, turn: int = 0, lost: tuple[str, str] = ("", ""), quiet: int = 0) -> State:
    """Return a position from men written ``wKg1 bKg12``: colour, kind, square."""
    board, sets, royals, ghosts = ["."] * 144, [0, 0], [NONE, NONE], [0, 0]
    for man in men.split():
        seat, kind, cell = "wb".index(man[0]), man[1], NUMBER[man[2:]]
        board[cell] = kind
        sets[seat] |= 1 << cell
        ghosts[seat] += kind == "g"
        if kind in "KE":
            royals[seat] = cell
    written = "".join(board)
    return State(
        board=written,
        sets=(sets[0], sets[1]),
        royals=(royals[0], royals[1]),
        turn=turn,
        seen=((written, sets[0], turn, NONE),),
        spare=(2 - ghosts[0], 2 - ghosts[1]),
        lost=lost,
        quiet=quiet,
    )


def play(state: State, written: str) -> State:
    for ply in written.split(";"):
        state = GAME.play_text(state, ply)
    return state


def texts(state: State) -> list[str]:
    return [GAME.text(state, ply) for ply in GAME.plies(state)]


def refusal(state: State, written: str) -> str:
    with pytest.raises(Illegal) as caught:
        GAME.play_text(state, written)
    return str(caught.value)


def lines(state: State) -> str:
    return "\n".join(GAME.look(state, None).lines)


# ---- against the naive generator --------------------------------------------------------------------------


def same(state: State, slow: naive.Position) -> dict[str, naive.Position]:
    """Assert that both generators see the same position, plies, end; return the plies if it is not over."""
    legal = naive.legal(slow)
    why, winner = naive.ending(slow, legal)
    legal = {} if why else legal
    result = GAME.result(state)
    assert (result.why, result.winner, result.over) == (why, winner, bool(why))
    assert texts(state) == sorted(legal)
    assert {name: (piece.seat, piece.kind) for name, piece in GAME.shape(state).items()} == {
        naive.name(square): man for square, man in slow.men.items()
    }
    assert state.spare == (slow.spare(0), slow.spare(1))
    assert state.lost == tuple("".join(sorted(counter.elements())) for counter in slow.lost)
    return legal


def met(slow: naive.Position, text: str) -> set[str]:
    """Return what is worth having met in the ply ``text``."""
    _, start, to, victim, back = next(c for c in naive.candidates(slow) if c[0] == text)
    kind = slow.men[start][1]
    found = {kind + ("x" if victim else "-")}
    found |= {f"en passant by {kind}"} if victim and to == slow.passed and victim == slow.runner else set()
    found |= {f"={back}"} if back else set()
    if kind == "W" and victim:
        found.add("a ghost appears" if slow.spare(slow.turn) else "no ghost is spare")
    after = naive.played(slow, start, to, victim, back)
    found |= {"crowned"} if kind == "K" and after.men[to][1] == "E" else set()
    return found | {f"check by {after.men[square][1]}" for square in naive.checkers(after, after.turn)}


def wander(state: State, slow: naive.Position, rng: random.Random, plies: int) -> set[str]:
    """Play at random, rather captures and double steps, comparing at each ply; return what was met."""
    seen: set[str] = set()
    for _ in range(plies):
        legal = same(state, slow)
        if not legal:
            return seen
        onto = "x" + naive.name(slow.passed) if slow.passed else "="
        wild = [t for t in legal if onto in t] or [t for t in legal if "x" in t or "=" in t]
        text = rng.choice(sorted(wild if wild and rng.random() < 0.4 else legal))
        seen |= met(slow, text)
        slow = naive.go_on(slow, legal[text])
        state = GAME.play_text(state, text)
    same(state, slow)
    return seen


@pytest.mark.parametrize("seed", range(3))
def test_games_from_the_start_have_the_plies_of_the_naive_generator(seed: int) -> None:
    seen = wander(START, naive.first(), random.Random(seed), 220)
    assert {"w-", "b-", "W-", "k-"} <= seen


def slowly(state: State) -> naive.Position:
    """Return ``state`` for the naive generator, without its past."""
    men = {}
    for name, piece in GAME.shape(state).items():
        assert piece.seat is not None
        men["abcdefghijkl".index(name[0]) + 1, int(name[1:])] = (piece.seat, piece.kind)
    lost = (Counter(state.lost[0]), Counter(state.lost[1]))
    slow = naive.Position(men, state.turn, lost=lost, quiet=state.quiet)
    slow.history.append(naive.key(slow))
    return slow


def scatter(rng: random.Random, kinds: str, ranks: tuple[tuple[int, ...], tuple[int, ...]]) -> State:
    """Return a random position that a game could have: royals, and men of ``kinds`` on the ranks of their seat."""
    while True:
        men: dict[int, str] = {}
        for number, cell in enumerate(rng.sample(range(144), rng.randint(4, 24))):
            seat, kind = number % 2, rng.choice("KE" if number < 2 else kinds)
            if number > 1:
                cell = cell // 12 * 12 + rng.choice(ranks[seat]) - 1
            if cell not in men and (kind != "K" or cell % 12 != (11, 0)[seat]):
                men[cell] = "wb"[seat] + kind
        counts = Counter(man[:2] for man in men.values())
        if not all(counts[seat + "K"] + counts[seat + "E"] == 1 and counts[seat + "g"] <= 2 for seat in "wb"):
            continue
        lost = ["".join(sorted(rng.sample(COMES_BACK, rng.randint(0, 3)))) for _ in "wb"]
        written = " ".join(man + CELLS[cell] for cell, man in men.items())
        state = stand(written, rng.randint(0, 1), (lost[0], lost[1]), rng.choice((0, 0, 0, 147)))
        slow = slowly(state)
        bare = any(sum(man[0] == seat for man in slow.men.values()) == 1 for seat in (0, 1))
        if not (bare or naive.touching(slow) or naive.checkers(slow, 1 - state.turn)):
            return state


ALL = (tuple(range(2, 12)), tuple(range(2, 12)))


def test_scattered_positions_have_the_plies_of_the_naive_generator() -> None:
    rng = random.Random(12)
    seen: set[str] = set()
    for _ in range(300):
        state = scatter(rng, "CcQkPXwwwbbbWWWg", ALL)
        seen |= wander(state, slowly(state), rng, 4)
    assert {kind + sign for kind in KINDS for sign in "-x"} <= seen
    assert {f"={kind}" for kind in COMES_BACK} <= seen
    assert {"crowned", "a ghost appears", "no ghost is spare"} <= seen


def test_warriors_and_barbarians_that_meet_have_the_plies_of_the_naive_generator() -> None:
    rng = random.Random(7)
    seen: set[str] = set()
    for _ in range(150):
        state = scatter(rng, "wwwwbbbbC", ((2, 9), (4, 11)))
        seen |= wander(state, slowly(state), rng, 4)
    assert {"en passant by w", "en passant by b", "wx", "bx"} <= seen


@pytest.mark.parametrize(
    ("men", "by"),
    [
        ("wKa1 wCf1 bKf9 bPd10 bwb7", "Chariot on f1"),
        ("wKa1 wcb2 wPa2 bKf6 bgf7", "Cleric on b2"),
        ("wKa1 wQi3 bKf6 bCf1", "Queen on i3"),
        ("wKa1 wkg4 bKf6 bwh5", "Knight on g4"),
        ("wKa1 wPh8 bKf6 bch9", "Paladin on h8"),
        ("wKa1 wPf5 bKf6 bch9", "Paladin on f5"),
        ("wKa1 wXf8 bKf6 bcc8", "Wizard on f8"),
        ("wKa1 wXi7 bKf6 bXc8", "Wizard on i7"),
        ("wKa1 wXe5 bKf6 bkd3", "Wizard on e5"),
        ("wKa1 wwe5 bKf6 bwe6 bbe7", "Warrior on e5"),
        ("wKa1 wbf5 bKf6 bwe6 bbe7", "Barbarian on f5"),
        ("wKa1 wWe5 bKf6 bwe6 bcd9", "Warlock on e5"),
        ("wKa1 wgb6 bKf6 bwe6 bWe7", "Ghost on b6"),
        ("wKa1 wgf3 bKf6 wwf5 bWg6", "Ghost on f3"),
        ("wKa1 wQf2 wcc3 bEf6 bkl1", "Queen on f2"),
    ],
)
def test_every_kind_gives_check_and_only_what_ends_it_is_legal(men: str, by: str) -> None:
    state = stand(men, turn=1)
    slow = slowly(state)
    assert f"Black is in check from the {by}." in lines(state)
    assert same(state, slow)
    assert len(GAME.plies(state)) < len(list(naive.candidates(slow)))


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
    assert "is in check" not in lines(state)


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
    assert "no royal is ever taken" in refusal(state, "d4xd9")
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
    assert "This position stands for the third time: a draw can be claimed." in lines(state)
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
    assert "50 moves a side" not in lines(play(stand(men, quiet=98), "d1-d2"))
    assert "50 moves a side" in lines(play(stand(men, quiet=99), "d1-d2"))
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
        ("wCd1", "", "d1-e2", "the Chariot goes any distance along a rank or file: d1 to e2 is no such ply"),
        ("wPd1", "", "d1-d3", "the Paladin steps one square along a rank or file"),
        ("wXd1", "", "d1-d2", "the Wizard steps one square diagonally"),
        ("wwd2 bkd4", "", "d2-d4", "blocked by the Knight on d4: the Warrior moves one forward"),
        ("wwd2 bkd3", "", "d2-d4", "blocked by the Knight on d3"),
        ("wwd2", "", "d2xe3", "there is nothing to take on e3"),
        ("wwd3", "", "d3-d5", "the Warrior moves one forward, two from its first rank"),
        ("wbd3 bkd4", "", "d3-d4", "the Barbarian moves one diagonally forward"),
        ("wbd3 bke4", "", "d3xe4", "takes one straight forward: d3 to e4 is no such ply"),
        ("wgd1", "", "d1-d4", "there is no piece to jump over from d1 towards d4"),
        ("wgd1 bkd4", "", "d1-d6", "right behind the Knight on d4 is on d5"),
        ("wgd1 bkd12", "", "d1-d6", "right behind the Knight on d12 is off the board"),
        ("wgd1 bkd4", "", "d1-f2", "the Ghost jumps along a rank, file or diagonal"),
        ("wWd4", "", "d4xd6", "there is nothing to take on d5"),
        ("wWd4 bkd5 bwd6", "", "d4xd6", "blocked by the Warrior on d6: a Warlock lands on a vacant square"),
        ("wWd4 bkd5", "", "d4xd5", "takes by jumping over a neighbouring enemy: d4 to d5 is no such ply"),
        ("wWd4 bkd5", "", "d4-d5", "blocked by the Knight on d5"),
        ("wkk9", "", "k9xl11", "there is nothing to take on l11"),
        ("wkk10", "", "k10xl12", "no royal is ever taken, so the King on l12 is not"),
        ("wWk11 wCc1", "", "c1xl12", "no royal is ever taken"),
        ("wwd11", "", "d11-d12", "has lost nothing that could come back, so the Warrior may not move to the last rank"),
        ("wwd11", "Qk", "d11-d12", "add '=' and one of Q, k"),
        ("wwd11", "k", "d11-d12=Q", "White has lost no Queen that could come back"),
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


def test_of_all_plies_that_can_be_written_just_the_legal_ones_have_no_reason_against_them() -> None:
    rng = random.Random(3)
    for _ in range(12):
        state = scatter(rng, "CcQkPXwwwbbbWWWg", ALL)
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
    assert "White: spare ghosts 1; can bring back Queen, Knight." in lines(state)
    assert "Black: spare ghosts 2; can bring back nothing." in lines(state)
