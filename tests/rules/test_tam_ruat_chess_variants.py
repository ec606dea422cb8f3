"""Chess of Tam Ruat as designers change it: camps, ghosts, draws, promotion, taking in passing, bared royals."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import replace

from controller.rules.games.tam_ruat_chess.camps import RANKS, board_of
from controller.rules.games.tam_ruat_chess.game import GAME, sound
from controller.rules.games.tam_ruat_chess.pieces import NUMBER
from controller.rules.games.tam_ruat_chess.state import State
from controller.rules.options import BadOption, parse
from tests.rules.drawn_variants import chosen, keeps_every_promise
from tests.rules.tam_ruat_scenes import START, lines, play, refusal, stand, texts

BACK = "CPXkcQKckXPC"
MANY = ("Cg...E....gC/bbbbbbbbbbbb", "kkkkkXKXkkkk", "WWWWWWKWWWWW")
SMALL = "....cK....../....ww......"


def begin(**options: Any) -> State:
    """Return the first position with these options."""
    return GAME.start(parse(GAME.options, options), 0)


def with_options(state: State, **options: Any) -> State:
    """Return ``state`` under these options."""
    return replace(state, options=parse(GAME.options, options))


def refused(**options: Any) -> str:
    """Return the sentence with which options are refused."""
    with pytest.raises(BadOption) as wrong:
        parse(GAME.options, options)
    return str(wrong.value)


# ---- camps ------------------------------------------------------------------------------------------------


def test_a_camp_of_ones_own_is_mirrored_for_black() -> None:
    state = begin(start=f"{BACK}/............/wwwwwwwwwwww")
    shape = GAME.shape(state)
    assert [(shape[cell].seat, shape[cell].kind) for cell in ("b1", "b12", "a3", "a10")] == [
        (0, "P"), (1, "P"), (0, "w"), (1, "w"),
    ]  # fmt: skip
    assert (len(shape), state.royals) == (48, (NUMBER["g1"], NUMBER["g12"]))
    assert "b1-c2" not in texts(state)
    assert play(state, "a3-a4;a10-a9").turn == 0


def test_a_camp_may_begin_with_an_emperor_and_with_ghosts_on_the_board() -> None:
    state = begin(start="Cg...E....gC/wwwwwwwwwwww", ghosts=0)
    assert GAME.shape(state)["f12"].kind == "E"
    assert sound(replace(state, spare=(2, 0)), state.options)
    assert not sound(replace(state, spare=(3, 0)), state.options)


def test_without_a_camp_the_game_begins_as_the_ruling_has_it() -> None:
    assert begin() == START
    assert board_of(RANKS)[0] == START.board


@pytest.mark.parametrize(
    ("start", "sentence"),
    [
        ("CPXk", "start: rank 1, 'CPXk', has 4 letters; write one for each of 12 squares"),
        (f"{BACK}/wwwwwwwwwwwZ", "start: rank 2, 'wwwwwwwwwwwZ', has Z; write . or one of C c Q k P X w b W g K E"),
        ("/".join([BACK] + ["............"] * 4 + ["."]), "start: a camp has at most 5 ranks, and this one has 6"),
        ("CPXkcQ.ckXPC", "start: a camp has one royal, K or E, and this one has 0"),
        ("CPXkcQKckXPE", "start: a camp has one royal, K or E, and this one has 2"),
        ("......K.....", "start: a royal alone cannot play; add another piece to the camp"),
        (
            "/".join(["............"] * 4 + [".....XK....."]),
            "start: the royals would be in check at once, from f8; choose other squares",
        ),
        (".g........../......K.....", "start: no piece but the royal could move; leave more squares vacant"),
    ],
)
def test_a_camp_with_which_no_game_begins_is_refused_in_a_sentence(start: str, sentence: str) -> None:
    assert refused(start=start) == sentence


# ---- ghosts -----------------------------------------------------------------------------------------------


def test_a_game_has_as_many_ghosts_as_the_option_says() -> None:
    assert begin(ghosts=5).spare == (5, 5)
    none = with_options(replace(stand("wKg1 bKg12 wWd4 bwd5 bwa9"), spare=(0, 0)), ghosts=0)
    after = play(none, "d4xd6")
    assert "d5" not in GAME.shape(after)
    assert "White: ghosts in reserve: 0." in lines(after)
    assert sound(none, none.options)
    assert not sound(replace(none, spare=(1, 0)), none.options)
    assert refused(ghosts=10) == "option ghosts=10 is not allowed: it must be a whole number from 0 to 9"


# ---- draws ------------------------------------------------------------------------------------------------


def test_a_position_may_come_as_often_as_the_option_says() -> None:
    third = play(begin(repeats=3), "d1-e3;d12-e10;e3-d1;e10-d12;d1-e3;d12-e10;e3-d1;e10-d12")
    assert (GAME.result(third).why, GAME.result(third).winner) == ("repetition", None)
    state = begin(repeats=7)
    for _ in range(5):
        state = play(state, "d1-e3;d12-e10;e3-d1;e10-d12")
    assert "This position has occurred 6 times: a draw can be claimed." in lines(state)
    assert not GAME.result(state).over
    assert GAME.result(play(state, "d1-e3;d12-e10;e3-d1;e10-d12")).why == "repetition"
    assert refused(repeats=1) == "option repeats=1 is not allowed: it must be a whole number from 2 to 20"


def test_it_is_a_draw_after_as_many_moves_without_progress_as_the_option_says() -> None:
    near = with_options(stand("wKg1 bKg12 wCa1 bCl12", quiet=39), patience=20)
    assert "Moves by each side without a capture or a Warrior or Barbarian move: 13. A draw can be claimed." in lines(
        near
    )
    after = GAME.result(play(near, "a1-b1"))
    assert (after.over, after.winner, after.why) == (True, None, "moves")
    assert not GAME.result(play(with_options(near, patience=300), "a1-b1")).over
    assert lines(with_options(near, patience=300)).count("claimed") == 0
    assert refused(patience=4).startswith("option patience=4 is not allowed")


# ---- promotion --------------------------------------------------------------------------------------------


def test_without_promotion_nothing_comes_back_and_nobody_marches_to_the_last_rank() -> None:
    state = with_options(stand("wKg1 bKl10 wwa11 bQd5 wCd1 bwb6"), promotion=False)
    after = play(state, "d1xd5;l10-l9")
    assert after.lost == ("", "")
    reason = "nothing is promoted in this game, so no Warrior or Barbarian may move to the last rank"
    assert refusal(after, "a11-a12=Q") == refusal(after, "a11-a12") == refusal(after, "d5-d6=Q") == reason
    assert GAME.stays(after, "a11") == reason
    assert not sound(replace(after, lost=("Q", "")), after.options)
    with_it = play(with_options(state), "d1xd5;l10-l9")
    assert with_it.lost == ("", "Q")


# ---- in passing -------------------------------------------------------------------------------------------


def test_without_taking_in_passing_who_goes_two_squares_is_safe_on_the_square_between() -> None:
    scene = stand("wKg1 bKg12 wwd2 bwe4 bwa9")
    taken = play(scene, "d2-d4")
    assert "e4xd3" in texts(taken)
    safe = play(with_options(scene, in_passing=False), "d2-d4")
    assert "e4xd3" not in texts(safe)
    assert refusal(safe, "e4xd3") == "there is nothing to take on d3"
    assert sound(safe, safe.options)
    assert not sound(replace(taken, options=safe.options), safe.options)


# ---- bared royals -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bared", "over", "winner", "why"),
    [("lost", True, 0, "bared"), ("draw", True, None, "bare"), ("goes_on", False, None, "")],
)
def test_the_option_says_what_a_royal_alone_means(bared: str, over: bool, winner: int | None, why: str) -> None:
    after = play(with_options(stand("wKg1 bKa12 wCd1 bwd5"), bared=bared), "d1xd5")
    result = GAME.result(after)
    assert (result.over, result.winner, result.why) == (over, winner, why)
    assert sound(after, after.options)


def test_a_royal_alone_that_plays_on_can_be_mated() -> None:
    state = with_options(stand("wKg1 bKa12 wCd1 wCl11 bwd5"), bared="goes_on")
    mate = GAME.result(play(state, "d1xd5;a12-b12;d5-d12"))
    assert (mate.why, mate.winner) == ("checkmate", 0)
    assert refused(bared="won").startswith("option bared=won is not allowed: it must be")


# ---- all of them together ---------------------------------------------------------------------------------

CHOICES: dict[str, Any] = {
    "start": (
        "",
        SMALL,
        f"{BACK}/............/wwwwwwwwwwww",
        "Cg...E....gC/bbbbbbbbbbbb",
        "kkkkkXKXkkkk",
        "WWWWWWKWWWWW",
    ),
    "ghosts": (0, 1, 9),
    "repeats": (2, 3, 20),
    "patience": (5, 20, 300),
    "promotion": (True, False),
    "in_passing": (True, False),
    "bared": ("lost", "draw", "goes_on"),
}


def variant(draw: random.Random) -> dict[str, Any]:
    return chosen(CHOICES, draw)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.night) for seed in range(2, 24))])
def test_games_with_drawn_options_keep_every_promise(seed: int) -> None:
    keeps_every_promise(GAME, seed, variant)
