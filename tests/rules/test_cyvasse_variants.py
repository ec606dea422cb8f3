"""Cyvasse as designers change it: other pieces, another array, no dragons, no promotion, other draws."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from controller.rules.games.cyvasse.advice import ADVICE
from controller.rules.games.cyvasse.game import GAME, sound
from controller.rules.games.cyvasse.state import HAND, STANDARD, Options, State
from controller.rules.options import BadOption, parse
from tests.rules.asking import GameAsked
from tests.rules.cyvasse_positions import position
from tests.rules.drawn_variants import chosen, keeps_every_promise

ASKED = GameAsked(GAME)
SMALL = "Kh2 Rg2 Ri2 Bg3 Hh3"


def begin(**options: Any) -> State:
    """Return the first position with these options."""
    return GAME.start(parse(GAME.options, options), 0)


def refused(**options: Any) -> str:
    """Return the sentence with which options are refused."""
    with pytest.raises(BadOption) as wrong:
        parse(GAME.options, options)
    return str(wrong.value)


# ---- pieces -----------------------------------------------------------------------------------------------


def test_a_side_has_the_pieces_of_the_ruling_where_nothing_else_is_said() -> None:
    assert Options().hand == HAND
    assert Options(setup="open", men="R6 M6").hand == HAND


def test_a_side_sets_up_as_many_pieces_as_the_option_says() -> None:
    state = begin(setup="open", men="R1 M0 C0 S0 L0 B2 E0 H0")
    assert state.reserve == ("KRBBD", "KRBBD")
    assert ASKED.refusal(state, "C@h2") == "there is no crossbow in this game"
    state = ASKED.play(state, "K@h2;K@d10;R@h3;R@d9;B@g3;B@e9")
    assert ASKED.refusal(state, "R@h4") == "White has no rabble left to place; already placed (×1): h3"
    state = ASKED.play(state, "B@i3;B@c9;end;end")
    assert (state.ready, len(GAME.shape(state))) == ((True, True), 8)
    assert sound(state, state.options)
    assert not sound(replace(state, options=Options(setup="open")), Options(setup="open", men="R2"))


def test_in_secret_others_know_only_how_many_pieces_there_are() -> None:
    state = ASKED.play(begin(setup="secret", men="R1 M0"), "K@h2;R@h3")
    assert GAME.known is not None
    assert GAME.imagine is not None
    assert GAME.known(state, 1).reserve == (state.options.hand, state.options.hand)
    full = state
    while full.turn == 0:
        full = GAME.after(full, GAME.moves(full)[0])
    imagined = GAME.imagine(GAME.known(full, 1), 1, 3)
    standing = Counter(kind for kind in imagined.board if kind.isupper())
    assert standing - Counter("D") == Counter(state.options.hand) - Counter("D")


def test_programs_set_up_pieces_of_which_the_standard_array_has_fewer() -> None:
    assert ADVICE.book is not None
    state = begin(setup="open", men="R9 C4 H0")
    for seed in range(200):
        ply = ADVICE.book(state, seed)
        if ply is None:
            break
        state = GAME.play(state, ply)
    assert state.ready == (True, True)
    assert (state.board.count("R"), state.board.count("c"), state.board.count("H")) == (9, 4, 0)


@pytest.mark.parametrize(
    ("men", "sentence"),
    [
        ("R4 X2", "men: X2 is no kind with its number; write R, M, C, S, L, B, E or H, such as R4"),
        ("K2", "men: K2 is no kind with its number"),
        ("R4 R5", "men: R5 says again how many R there are; write each kind once"),
        ("R40", "men: 58 pieces beside king and dragon; at most 38 fit"),
        ("R7", "men: the standard array has other pieces: choose setup secret or open, or give a start"),
    ],
)
def test_pieces_that_no_side_can_have_are_refused(men: str, sentence: str) -> None:
    assert refused(men=men).startswith(sentence)


# ---- arrays -----------------------------------------------------------------------------------------------


def test_a_game_begins_with_an_array_of_ones_own_turned_by_half_for_black() -> None:
    state = begin(start=SMALL)
    shape = GAME.shape(state)
    assert (len(shape), shape["d10"].kind, shape["d10"].seat, shape["e9"].kind) == (10, "K", 1, "B")
    assert (state.reserve, state.ready) == (("D", "D"), (True, True))
    assert begin(start=STANDARD).board == begin().board
    assert sound(state, state.options)


def test_promotion_restores_no_more_than_the_array_had() -> None:
    state = position("Rh2 Kk1 Cf4", "Ka11", options=parse(GAME.options, {"start": "Kh2 Rg2 Cf4 Ci4 Ch4"}))
    assert {text.split()[0] for text in ASKED.texts(state)} == {"h2=C"}
    full = position("Rh2 Kk1 Cf4 Cg5 Ci5", "Ka11", options=state.options)
    assert ASKED.refusal(full, "h2=C k1-j1") == (
        "h2 cannot be promoted to crossbow: as many of White's as at the start are on the board"
    )
    assert ASKED.refusal(full, "h2=S k1-j1") == "there is no spears in this game"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"start": "Kh2 Dg2"}, "start: Dg2 is no piece on a cell; write one of KRMCSLBEH and a cell, such as Kh2"),
        ({"start": "Kh2 Ra1"}, "start: Ra1 is no piece on a cell"),
        ({"start": "Kh2 Rf6"}, "start: Rf6 stands on no home cell of White's; those have the numbers 1 to 5"),
        ({"start": "Kh2 Rh2"}, "start: Rh2 stands where another piece does; name each cell once"),
        ({"start": "Rh2"}, "start: an array has one king, and this one has 0"),
        ({"start": "Kf1 Mf2 Mg1 Me2"}, "start: every piece is closed in by others; leave a cell beside one vacant"),
        ({"start": SMALL, "setup": "open"}, "start gives an array, and with setup 'open' the players do: leave one"),
        ({"start": SMALL, "men": "R2"}, "start and men both say which pieces there are: leave one of them out"),
    ],
)
def test_an_array_with_which_no_game_begins_is_refused(options: dict[str, Any], sentence: str) -> None:
    assert refused(**options).startswith(sentence)


# ---- dragons, promotion -----------------------------------------------------------------------------------


def test_without_dragons_none_is_set_up_or_brought_out() -> None:
    state = begin(dragons=False)
    assert state.reserve == ("", "")
    assert not any(text.startswith("D") for text in ASKED.texts(state))
    assert ASKED.refusal(state, "D-h4") == "White's dragon is not in the reserve"
    setup = begin(setup="secret", dragons=False)
    assert "dragon" not in ASKED.lines(setup)
    asked = GAME.look(setup, 0).arrange
    assert asked is not None
    assert (asked.optional, len(asked.arrays), "D" in asked.pieces) == ((), 4, False)
    assert ASKED.refusal(setup, "D@h2") == "there is no dragon in this game"


def test_without_promotion_only_a_lost_king_is_replaced() -> None:
    plain = parse(GAME.options, {"promotion": False})
    state = position("Rh2 Kk1", "Ka11", options=plain)
    assert "k1-j1" in ASKED.texts(state)
    assert ASKED.refusal(state, "h2=C k1-j1") == "no piece is promoted in this game: only a lost king is replaced"
    lost = position("Bh2 Rb6", "Ka11", options=plain)
    assert "h2=K b6-b7" in ASKED.texts(lost)


# ---- draws ------------------------------------------------------------------------------------------------


def test_a_position_may_come_as_often_as_the_option_says() -> None:
    to_and_fro = "e4-e5;g8-g7;e5-e4;g7-g8"
    twice = ASKED.play(begin(repeats=2), to_and_fro)
    assert (GAME.result(twice).why, GAME.result(twice).winner) == ("repetition", None)
    assert not GAME.result(ASKED.play(begin(repeats=4), f"{to_and_fro};{to_and_fro}")).over
    assert refused(repeats=21) == "option repeats=21 is not allowed: it must be a whole number from 2 to 20"


def test_it_is_a_draw_after_as_many_turns_without_progress_as_the_option_says() -> None:
    state = position("Kk1 Bf4", "Ka11", quiet=29, options=parse(GAME.options, {"patience": 30}))
    assert "Turns without progress: 29 of 30" in ASKED.lines(state)
    result = GAME.result(ASKED.play(state, "f4-f5"))
    assert (result.over, result.winner, result.why) == (True, None, "turns")
    assert not sound(replace(state, quiet=31), state.options)
    assert refused(patience=301).startswith("option patience=301 is not allowed")


# ---- all of them together ---------------------------------------------------------------------------------

CHOICES: dict[str, Any] = {
    "setup": ("standard", "secret", "open"),
    "men": ("", "R4 L3", "R1 M0 C0 S0 L0 B2 E0 H0", "R0 M0 C0 S0 L0 B0 E0 H0", "M20 H4", "D1"),
    "start": ("", "", SMALL, "Kf1 Cf2 Cg1", "Kf3 " + " ".join(f"R{letter}5" for letter in "bcdefghij")),
    "dragons": (True, False),
    "promotion": (True, False),
    "repeats": (2, 3, 20),
    "patience": (5, 30, 300),
    "flank": ("halves", "online"),
    "sea_ports": (True, False),
}


def variant(draw: random.Random) -> dict[str, Any]:
    return chosen(CHOICES, draw)


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.night) for seed in range(3, 30))])
def test_games_with_drawn_options_keep_every_promise(seed: int) -> None:
    keeps_every_promise(GAME, seed, variant)
