"""Cyvasse: captures, moves and promotions by hand, and every ending."""

from __future__ import annotations

import random

import pytest

from controller.rules.game import Illegal, Piece
from controller.rules.games.cyvasse.game import GAME
from controller.rules.games.cyvasse.state import Options, State
from tests.rules.cyvasse_plies import begin, play, ruined, texts
from tests.rules.cyvasse_positions import naive_of, position


def captures(state: State) -> set[str]:
    """The legal captures, after the second opinion agreed on all plies."""
    assert texts(state) == sorted(naive_of(state).legal())
    return {text for text in texts(state) if "x" in text}


def ended(state: State) -> tuple[int | None, str]:
    result = GAME.result(state)
    assert result.over
    assert GAME.seat(state) is None
    assert texts(state) == []
    return result.winner, result.why


# ---- captures ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("white", "black", "expected"),
    [
        ("Cf4", "Bf6", ""),
        ("Cf4 Se5", "Bf6", "f4xf6 e5xf6"),  # two of tier 2 against 3
        ("Cf4 Rg5", "Bf6", ""),  # a half does not round up
        ("Cf4 Rg5 Rg6", "Bf6", "f4xf6"),
        ("Cf4 Mf5 Se5", "Bf6", ""),  # no support through a mountain, and no way through it
        ("Cf4 Rf5 Se5", "Bf6", ""),  # nor through a comrade
        ("Rg5 Rg6 Re6 Re7", "Df6", "g5xf6 g6xf6 e6xf6 e7xf6"),  # four rabble kill a dragon
        ("Rg5 Rg6 Re6", "Df6", ""),
        ("Cf4 Se5", "Df6", ""),
        ("Cf4 Se5 Sg7", "Df6", "f4xf6 e5xf6 g7xf6"),  # three of tier 2 against 4
        ("Cf4 Se5 Rg6 Re6", "Df6", "f4xf6 e5xf6"),  # 2 + 1 + two halves
        ("Ed7 Cf4 Se5", "Df6", "d7xf6"),  # only the higher tier strikes: higher supporters are left out
        ("Ed7 Cf4", "Df6", ""),
        ("Ed7 Ke6", "Df6", "d7xf6 e6xf6"),  # the king is worth as much as the attacker
        ("Ke6 Cf4", "Bf6", "f4xf6 e6xf6"),
        ("Ke6 Cf4 Rg5 Rg6", "Df6", "e6xf6 f4xf6"),  # 2 + 1 + two halves, the king counted once
        ("Ke6 Cf4 Rg5", "Df6", ""),
        ("Ke6 Di3", "Df6", "e6xf6 i3xf6"),  # the dragon supports a king
        ("Cf4 Dd6", "Bf6", "d6xf6"),  # and no other
    ],
)
def test_flanking(white: str, black: str, expected: str) -> None:
    king = "" if "K" in white else " Kk1"
    state = position(white + king, black + " Ka11")
    assert captures(state) == set(expected.split())


def test_online_flanking_counts_all_but_one_as_the_next_tier() -> None:
    white, black = "Cf4 Rg5 Rg6 Re6 Kk1", "Df6 Ka11"
    assert captures(position(white, black)) == set()
    assert captures(position(white, black, options=Options(flank="online"))) == {"f4xf6"}
    white, black = (
        "Be6 Cf4 Se5 Kk1",
        "Df6 Ka11",
    )  # one of two crossbow and spears is lost, the other is worth a trebuchet
    assert captures(position(white, black, options=Options(flank="online"))) == {"e6xf6"}
    assert captures(position("Be6 Cf4 Rg5 Rg6 Kk1", black, options=Options(flank="online"))) == {"e6xf6"}
    assert captures(position("Be6 Rg5 Rg6 Kk1", black, options=Options(flank="online"))) == set()


@pytest.mark.parametrize(
    ("black", "tiles", "safe"),
    [
        ("C", "hf6", True),
        ("C", "ff6", False),
        ("S", "ff6", True),
        ("S", "gf6", False),
        ("L", "gf6", True),
        ("L", "hf6", False),
        ("R", "hf6", False),
    ],
)
def test_a_matching_tile_adds_one_in_defence_whoever_laid_it(black: str, tiles: str, safe: bool) -> None:
    state = position("Cf4 Kk1", f"{black}f6 Ka11", tiles=tiles)
    assert captures(state) == (set() if safe else {"f4xf6"})


def test_an_unruined_fortress_shelters_its_own_side_but_no_dragon() -> None:
    assert captures(position("Be6 Kk1", "Ef6 Ka11", fortresses=("h2", "f6"))) == set()
    assert captures(position("Be6 Kk1", "Ef6 Ka11", fortresses=("f6", "d10"))) == {"e6xf6"}
    assert captures(position("Be6 Kk1", "Ef6 Ka11", fortresses=("h2", ""), centres=("h2", "f11"))) == {"e6xf6"}
    assert captures(position("Dd6 Kk1", "Df6 Ka11", fortresses=("h2", "f6"))) == {"d6xf6"}
    assert captures(position("Re6 Kk1", "Kf6", fortresses=("h2", "f6"))) == set()
    assert captures(position("Re6 Kf5", "Kf6", fortresses=("h2", "f6"))) == {"e6xf6", "f5xf6"}


# ---- moves ------------------------------------------------------------------------------------------------


def goals(state: State, begin: str) -> set[str]:
    assert texts(state) == sorted(naive_of(state).legal())
    return {text[len(begin) :] for text in texts(state) if text.startswith((begin + "-", begin + "x"))}


def test_horses_gallop_round_a_corner_that_replaced_a_fortress() -> None:
    state = position("Lf3 Kk1", "Ka11", fortresses=("", ""), centres=("f1", "f1"))
    assert goals(state, "f3") == {"-e3", "-d3", "-g2", "-h1"}
    assert GAME.walk(state, GAME.read(state, "f3-h1")).path == ("f3", "g2", "h1")
    blocked = position("Lf3 Rg2 Kk1", "Re3 Ka11", fortresses=("", ""), centres=("f1", "f1"))
    assert goals(blocked, "f3") == {"xe3"}


def test_a_heavy_horse_rides_the_whole_ring_but_never_back_to_its_start() -> None:
    state = position("Hf8 Kk1", "Ka11", fortresses=("", ""), centres=("f6", "f6"))
    ring = {"e8", "d8", "d7", "d6", "e5", "f4", "g4", "h4", "h5", "h6", "g7"}
    assert goals(state, "f8") == {f"-{name}" for name in ring}
    light = position("Lf8 Kk1", "Ka11", fortresses=("", ""), centres=("f6", "f6"))
    assert goals(light, "f8") == {"-e8", "-d8", "-d7", "-g7", "-h6", "-h5"}


def test_a_horse_in_the_centre_has_no_ring_there() -> None:
    state = position("Hf6 Kk1", "Ka11", fortresses=("", ""), centres=("f6", "f6"))
    assert goals(state, "f6") == set()


def test_a_dragon_flies_over_mountains_but_through_no_piece() -> None:
    wall = "Mf2 Me2 Rg1"
    state = position(f"Df1 {wall} Kk1", "Ka11")
    assert "-f5" in goals(state, "f1")
    assert not {"-f2", "-e2", "-f6"} & goals(state, "f1")
    assert goals(position("Df1 Rf2 Re2 Rg1 Kk1", "Ka11"), "f1") == set()
    path = GAME.walk(state, GAME.read(state, "f1-f5")).path
    assert path[0] == "f1"
    assert path[-1] == "f5"
    assert len(path) == 5


def test_spears_pass_between_two_cells_that_are_full() -> None:
    state = position("Sf6 Re7 Rf7 Kk1", "Ka11")  # the cells beside the step from f6 to e8
    assert {"-e8", "-d10"} <= goals(state, "f6")
    assert GAME.walk(state, GAME.read(state, "f6-d10")).path == ("f6", "e8", "d10")


def test_the_dragon_comes_out_within_four_of_the_unruined_fortress_whatever_lies_between() -> None:
    ring = "Kh2 Rh1 Ri1 Rg2 Ri2 Rg3 Rh3"
    state = position(ring, "Rh6 Ka11", reserve=("D", ""))
    outs = {text for text in texts(state) if text.startswith("D")}
    assert outs == {text for text in naive_of(state).legal() if text.startswith("D")}
    assert "Dxh6" in outs
    assert "D-h5" in outs
    assert not {"D-h2", "D-h7", "D-h6"} & outs
    then = play(state, "Dxh6")
    assert GAME.shape(then)["h6"] == Piece(0, "D")
    assert then.reserve == ("", "")
    assert GAME.walk(state, GAME.read(state, "Dxh6")).path == ("h6",)
    invaded = position("Kk1", "Rh2 Ka11", reserve=("D", ""))
    assert "Dxh2" in texts(invaded)
    assert not [text for text in texts(ruined("Kk1", ("D", ""))) if text.startswith("D")]


def test_sea_ports_lead_on_to_the_next_port_of_a_move_without_capture() -> None:
    at_sea = Options(sea_ports=True)
    state = position("Bk3 Kh2", "Kd10", options=at_sea)
    assert {"-k6", "-f11", "-k1", "-f1"} <= goals(state, "k3")
    assert "-f11" not in goals(position("Bk3 Kh2", "Kd10"), "k3")
    assert GAME.walk(state, GAME.read(state, "k3-f11")).path == ("k3", "k4", "k5", "k6", "f11")
    # The fortress on the rim lies between k6 and f11; a king there is tier 2 in defence.
    walled = position("Bk3 Mk2 Kh2", "Ki8", fortresses=("h2", "i8"), options=at_sea)
    assert captures(walled) == {"k3xi8"}
    assert "-f11" not in goals(walled, "k3")
    assert "-k1" in goals(walled, "k3")
    # A port that holds an enemy is no port to sail from, and hops count for support.
    assert "-f11" not in goals(position("Bk3 Kh2", "Rk6 Kd10", options=at_sea), "k3")
    assert captures(position("Ck4 Kh2", "Bf11 Kd9", options=at_sea)) == set()
    assert captures(position("Ck4 Se9 Kh2", "Bf11 Kd9", options=at_sea)) == {"k4xf11", "e9xf11"}  # by k6, by a11
    assert captures(position("Ck4 Cf9 Kh2", "Bf11 Kb9", options=at_sea)) == {"k4xf11", "f9xf11"}


# ---- promotion and ruin -----------------------------------------------------------------------------------


def test_promotion_is_compulsory_and_limited_by_what_stands_on_the_board() -> None:
    state = position("Rh2 Cf4 Cg5 Sf3 Kk1", "Ka11")
    assert {text.split()[0] for text in texts(state)} == {"h2=S", "h2=L"}
    then = play(state, "h2=S h2-i3")
    assert GAME.shape(then)["i3"] == Piece(0, "S")
    assert then.quiet == 0
    full = position("Rh2 Cf4 Cg5 Sf3 Sf5 La6 Lb6 Kk1", "Ka11")
    assert "=" not in "".join(texts(full))
    assert {text.split()[0] for text in texts(position("Ch2 Kk1", "Ka11"))} == {"h2=B"}
    assert "=" not in "".join(texts(position("Bh2 Kk1", "Ka11")))
    assert "=" not in "".join(texts(position("Dh2 Kk1", "Ka11")))
    assert "=" not in "".join(texts(position("Kh2", "Rk6 Ka11")))


def test_a_fortress_that_is_not_retaken_is_ruined_and_the_enemy_names_a_corner() -> None:
    state = position("Kk1 Bf4 Hf2", "Eh2 Ka11 Ha6", reserve=("D", ""), quiet=99)
    then = play(state, "f4-f5")
    assert (then.fortresses[0], then.quiet, then.why) == (-1, 0, "")
    assert "White's fortress is ruined; Black names a corner" in GAME.look(then, None).lines
    assert {text.split()[0] for text in texts(then)} == {"@f1", "@k1", "@k6", "@f11", "@a11", "@a6"}
    assert texts(then) == sorted(naive_of(then).legal())
    named = play(then, "@k6 h2-i3")
    assert GAME.look(named, 0).data["centres"] == ["k6", "d10"]
    assert not any(text.startswith(("@", "D")) for text in texts(named))
    assert texts(named) == sorted(naive_of(named).legal())
    assert play(state, "Dxh2").fortresses[0] != -1


# ---- ends -------------------------------------------------------------------------------------------------


def test_a_king_captured_for_good_ends_the_game_at_once() -> None:
    state = position("Cf4 Kk1", "Kf6 Ba6", fortresses=("h2", ""), centres=("h2", "f11"))
    assert ended(play(state, "f4xf6")) == (0, "king")
    assert "Black's king has been captured for good." in GAME.look(play(state, "f4xf6"), None).lines
    far = position("Cf4 Kk1", "Kf6 Ba6 Rd9")
    assert ended(play(far, "f4xf6")) == (0, "king")
    light = position("Cf4 Kk1", "Kf6 Cd9")  # tier 2 is not enough
    assert ended(play(light, "f4xf6")) == (0, "king")


def test_a_king_is_replaced_by_a_tier_3_piece_that_ends_in_the_fortress() -> None:
    taken = play(position("Cf4 Kk1", "Kf6 Bd8 Ee10 Ra6"), "f4xf6")
    assert texts(taken) == ["d8-d10"]
    assert texts(taken) == sorted(naive_of(taken).legal())
    assert "Black's king has been captured and must be replaced this turn." in GAME.look(taken, 0).lines
    with pytest.raises(Illegal, match="a piece of tier 3 must stand in Black's fortress d10"):
        play(taken, "a6-a7")
    crowned = play(taken, "d8-d10")
    assert GAME.shape(crowned)["d10"] == Piece(1, "K")
    assert not GAME.result(crowned).over


def test_a_king_is_replaced_by_promotion_at_the_start() -> None:
    taken = play(position("Cf4 Kk1", "Kf6 Bd10 Ra6"), "f4xf6")
    assert {text.split()[0] for text in texts(taken)} == {"d10=K"}
    assert "Promotion is due on d10: king." in GAME.look(taken, None).lines
    crowned = play(taken, "d10=K d10-d9")
    assert GAME.shape(crowned)["d9"] == Piece(1, "K")
    raised = play(position("Cf4 Kk1", "Kf6 Cd10 Ra6"), "f4xf6")  # to tier 3 at the start, so a king at the end
    assert texts(raised) == sorted(naive_of(raised).legal()) == ["d10=B a6-a7", "d10=B a6-b5", "d10=B a6-b6"]
    assert GAME.shape(play(raised, "d10=B a6-a7"))["d10"] == Piece(1, "K")


def test_no_turn_with_a_king_on_the_board_is_a_draw() -> None:
    state = position("Kf1 Mf2 Mg1 Me2", "Kd10", turn=1)
    assert ended(play(state, "d10-d9")) == (None, "stuck")
    last = position("Kf1 Mf2 Mg1 Me2", "Kd10", turn=1, quiet=99)
    assert ended(play(last, "d10-d9")) == (None, "stuck")


def test_the_third_occurrence_of_a_position_is_a_draw() -> None:
    there_and_back = ("g3-g4", "e9-e8", "g4-g3", "e8-e9")
    once = play(begin(), *there_and_back)
    assert not GAME.result(once).over
    assert ended(play(once, *there_and_back)) == (None, "repetition")


def test_the_same_board_with_the_other_side_to_move_is_another_position() -> None:
    state = position("Kk1 Bf4", "Ka11")
    white_loses_a_tempo = ("f4-f5", "a11-a10", "f5-g4", "a10-a11", "g4-f4")
    black_loses_a_tempo = ("a11-a10", "f4-f5", "a10-b10", "f5-f4", "b10-a11")
    then = play(state, *white_loses_a_tempo, *black_loses_a_tempo)
    assert then.seen.count(state.board) == 3
    assert not GAME.result(then).over


def test_a_position_with_a_corner_owed_is_another_one_than_without() -> None:
    state = position("Kk1 Bf4", "Eh2 Ka11")
    then = play(state, "f4-f5", "@k6 a11-a10", "f5-f4", "a10-a11")
    then = play(then, "f4-f5", "a11-a10", "f5-f4", "a10-a11", "f4-f5")
    assert not GAME.result(then).over
    assert ended(play(then, "a11-a10")) == (None, "repetition")


def test_a_hundred_turns_without_progress_are_a_draw() -> None:
    state = position("Kf6 Bf4", "Ka11 Ea6", turn=1, fortresses=("", ""), centres=("f1", "a6"))
    turns = 0
    while not GAME.result(state).over:
        ways = [(ply, GAME.after(state, ply)) for ply in GAME.plies(state)]
        fresh = [ply for ply, then in ways if then.quiet == state.quiet + 1 and then.why != "repetition"]
        state = GAME.play(state, random.Random(turns).choice(fresh))
        turns += 1
    assert ended(state) == (None, "100 turns")
    assert turns == 100
