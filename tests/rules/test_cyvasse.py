"""Cyvasse: its perft figures, a second opinion, captures and promotions by hand, every ending, what is secret."""

from __future__ import annotations

import random
import re

import pytest
from cyvasse_positions import at_random, naive_of, position
from naive_cyvasse import Naive

from controller.rules.cyvasse_board import CELLS
from controller.rules.cyvasse_turns import KINGS, STANDARD, Options, Ply, State
from controller.rules.game import Illegal, Piece, Unreadable
from controller.rules.games.cyvasse import GAME
from controller.rules.options import BadOption, describe, parse

WHITE_ARRAY = [f"{word[0]}@{word[1:]}" for word in STANDARD.split()]
BLACK_ARRAY = [f"{word[0]}@{CELLS[90 - CELLS.index(word[1:])]}" for word in STANDARD.split()]


def begin(**options: str) -> State:
    state: State = GAME.start(parse(Options, options), 0)
    return state


def play(state: State, *texts: str) -> State:
    for text in texts:
        state = GAME.play_text(state, text)
    return state


def texts(state: State) -> list[str]:
    return [GAME.text(state, ply) for ply in GAME.plies(state)]


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


# ---- counted, and compared --------------------------------------------------------------------------------


def test_perft_of_the_standard_array() -> None:
    assert [GAME.perft(begin(), depth) for depth in (0, 1, 2, 3)] == [1, 86, 7_376, 607_726]


@pytest.mark.parametrize(
    ("setup", "flank", "sea_ports"),
    [("standard", "halves", "false"), ("open", "online", "true"), ("secret", "halves", "true")],
)
def test_random_games_agree_with_the_naive_rules(setup: str, flank: str, sea_ports: str) -> None:
    rng = random.Random(f"{setup} {flank}")
    state = begin(setup=setup, flank=flank, sea_ports=sea_ports)
    naive = Naive(setup, flank == "online", sea_ports == "true")
    while True:
        legal = texts(state)
        children = naive.legal()
        result = GAME.result(state)
        assert legal == sorted(children)
        assert (result.over, result.winner, result.why) == naive.verdict()
        if not legal:
            assert result.why in GAME.facts.endings
            break
        taking = [text for text in legal if "x" in text]
        text = rng.choice(taking if taking and rng.random() < 0.5 else legal)
        state, naive = play(state, text), children[text]
        assert GAME.decode(GAME.encode(state)) == state


@pytest.mark.parametrize("seed", range(80))
def test_crowded_positions_agree_with_the_naive_rules(seed: int) -> None:
    state = at_random(seed)
    children = naive_of(state).legal()
    result = GAME.result(state)
    assert texts(state) == sorted(children)
    assert (result.over, result.winner, result.why) == naive_of(state).verdict()
    for text in random.Random(seed).sample(sorted(children), min(3, len(children))):
        reached, expected = naive_of(play(state, text)), children[text]
        assert (reached.pieces, reached.fortress, reached.centre) == (
            expected.pieces,
            expected.fortress,
            expected.centre,
        )
        assert (reached.mover, reached.idle, reached.dragon_waits) == (
            expected.mover,
            expected.idle,
            expected.dragon_waits,
        )


@pytest.mark.parametrize("seed", range(20))
def test_every_ply_reads_back_and_every_walk_is_free_up_to_its_end(seed: int) -> None:
    state = at_random(seed)
    standing = GAME.shape(state)
    for ply in GAME.plies(state):
        assert GAME.read(state, GAME.text(state, ply)) == ply
        path = GAME.walk(state, ply).path
        assert len(set(path)) == len(path)
        for name in path[1:-1]:
            assert standing.get(name, Piece(None, "M")).kind == "M"


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
    assert "Black's king is captured for good." in GAME.look(play(state, "f4xf6"), None).lines
    far = position("Cf4 Kk1", "Kf6 Ba6 Rd9")
    assert ended(play(far, "f4xf6")) == (0, "king")
    light = position("Cf4 Kk1", "Kf6 Cd9")  # tier 2 is not enough
    assert ended(play(light, "f4xf6")) == (0, "king")


def test_a_king_is_replaced_by_a_tier_3_piece_that_ends_in_the_fortress() -> None:
    taken = play(position("Cf4 Kk1", "Kf6 Bd8 Ee10 Ra6"), "f4xf6")
    assert texts(taken) == ["d8-d10"]
    assert texts(taken) == sorted(naive_of(taken).legal())
    assert "Black's king is captured and must be replaced in this turn." in GAME.look(taken, 0).lines
    with pytest.raises(Illegal, match="a piece of tier 3 must stand in Black's fortress d10"):
        play(taken, "a6-a7")
    crowned = play(taken, "d8-d10")
    assert GAME.shape(crowned)["d10"] == Piece(1, "K")
    assert not GAME.result(crowned).over


def test_a_king_is_replaced_by_promotion_at_the_start() -> None:
    taken = play(position("Cf4 Kk1", "Kf6 Bd10 Ra6"), "f4xf6")
    assert {text.split()[0] for text in texts(taken)} == {"d10=K"}
    assert "Promotion due on d10: king." in GAME.look(taken, None).lines
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


# ---- setting up -------------------------------------------------------------------------------------------


def test_an_open_setup_takes_turns_and_may_leave_the_dragon() -> None:
    state = begin(setup="open")
    for white, black in zip(WHITE_ARRAY, BLACK_ARRAY, strict=True):
        state = play(state, white, black)
    assert state.turn == 0
    assert "D@f3" not in texts(state)
    assert {"end", "D@b5", "D@a6"} & set(texts(state)) == {"end", "D@b5"}
    assert len(texts(state)) == 16
    state = play(state, "end", "D@g7")
    assert (state.turn, GAME.shape(state)["g7"]) == (0, Piece(1, "D"))
    standard = begin()
    assert state.tiles == standard.tiles
    assert (state.fortresses, state.centres, state.reserve) == (standard.fortresses, standard.centres, ("D", ""))
    assert play(state, "g3-g4").board != standard.board


def test_a_side_that_is_ready_is_passed_over() -> None:
    state = begin(setup="open")
    for white, black in zip(["D@b5", *WHITE_ARRAY], [*BLACK_ARRAY, "D@g7"], strict=True):
        state = play(state, white, black)
    assert (state.ready, state.turn) == ((True, True), 0)
    state = begin(setup="open")
    for white, black in zip([*WHITE_ARRAY, "end"], [*BLACK_ARRAY, ""], strict=True):
        state = play(state, white, *([black] if black else []))
    assert (state.ready, state.turn) == ((True, False), 1)


def test_a_secret_setup_shows_nothing_to_the_other_side_until_both_are_ready() -> None:
    state = begin(setup="secret")
    for text in [*WHITE_ARRAY, "end"]:
        ply = GAME.read(state, text)
        assert GAME.glimpse is not None
        assert [GAME.glimpse(state, ply, seat) for seat in (0, 1, None)] == [text, "?", "?"]
        assert GAME.walk(state, ply).path == ()
        state = GAME.play(state, ply)
        assert GAME.shape(state) == {}
    assert (state.turn, GAME.seat(state)) == (1, 1)
    bare = begin(setup="secret")
    for seat in (1, None):
        seen = GAME.look(state, seat)
        assert seen.pieces == {}
        assert seen.data == GAME.look(bare, seat).data
        assert "White is ready." in seen.lines
    assert len(GAME.look(state, 0).pieces) == 25
    assert GAME.look(state, 0).data["tiles"]["f4"] == "hill"
    state = play(state, *BLACK_ARRAY[:-1])
    assert len(GAME.look(state, 0).pieces) == 25
    assert len(GAME.look(state, 1).pieces) == 24
    state = play(state, BLACK_ARRAY[-1], "end")
    assert len(GAME.shape(state)) == 50
    assert GAME.look(state, 0) == GAME.look(state, None)
    assert texts(state) == texts(begin())


def test_what_is_hidden_does_not_change_what_others_see() -> None:
    one, other = begin(setup="secret"), begin(setup="secret")
    one = play(one, *WHITE_ARRAY, "D@b5")
    other = play(other, "D@f1", *[text.replace("K@h2", "K@b5").replace("H@f1", "H@h2") for text in WHITE_ARRAY])
    assert one != other
    assert [GAME.look(one, seat) for seat in (1, None)] == [GAME.look(other, seat) for seat in (1, None)]
    assert texts(one) == texts(other)


@pytest.mark.parametrize(
    ("played", "text", "sentence"),
    [
        ([], "end", "White still has to place king ×1, rabble ×6, mountain ×6, crossbow ×2, spears ×2, light horse ×2"),
        (["K@h2"], "K@h3", "White's king ×1 is all placed already: h2"),
        (["C@f4", "C@h4"], "C@h3", "White's crossbow ×2 is all placed already: f4 h4"),
        ([], "K@h7", "h7 is no home cell of White's: those have the numbers 1 to 5"),
        ([], "K@f6", "f6 is no home cell"),
        (["K@h2"], "R@h2", "h2 holds White's king already"),
        ([], "h2-h3", "White is still setting up"),
        ([*WHITE_ARRAY, "end"], "K@f4", "f4 is no home cell of Black's: those have the numbers 7 to 11"),
        (WHITE_ARRAY[1:], "end", "White still has to place king ×1"),
    ],
)
def test_a_wrong_setup_is_refused_with_what_and_why(played: list[str], text: str, sentence: str) -> None:
    with pytest.raises(Illegal, match=re.escape(sentence)):
        play(begin(setup="secret"), *played, text)


# ---- text and sentences -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["", "h2", "h2h3", "z9-a1", "D", "@f11", "h2=S", "h3-h5 h2=S", "X@h2", "D-", "h2=m h2-h3"]
)
def test_what_is_no_ply_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable, match="no ply"):
        play(begin(), text)


def test_a_cell_off_the_board_is_named() -> None:
    with pytest.raises(Unreadable, match="there is no cell a1 on this board"):
        play(begin(), "a1-h2")


def test_extra_spaces_are_forgiven() -> None:
    assert play(position("Rh2 Kk1", "Ka11"), "  h2=S   h2-i3 ").turn == 1


def ruined(white: str, reserve: tuple[str, str] = ("", "")) -> State:
    """White's fortress is ruined, and its corner named."""
    return position(white, "Ka11", fortresses=("", "d10"), centres=("f1", "d10"), reserve=reserve)


@pytest.mark.parametrize(
    ("state", "text", "sentence"),
    [
        (position("Cf4 Kk1", "Bf6 Ka11"), "f4xf6", "tier 2 against 3 on f6, and nothing supports it"),
        (
            position("Cf4 Rg5 Kk1", "Bf6 Ka11"),
            "f4xf6",
            "tier 2 against 3 on f6, even with its support it has a strength of 2.5",
        ),
        (position("Cf4 Mf5 Kk1", "Bf6 Ka11"), "f4xf6", "blocked by the mountain on f5"),
        (position("Cf4 Kk1", "Ka11"), "f4-f8", "crossbow moves up to 3 cells in an edge direction"),
        (position("Rf4 Kk1", "Ka11"), "f4-f6", "rabble moves one edge step"),
        (position("Hf4 Kk1", "Ka11"), "f4-f5", "heavy horse moves along its ring round h2 or d10"),
        (position("Df1 Kk1", "Ka11"), "f1-f6", "no way of up to 4 steps"),
        (position("Cf4 Kk1", "Ka11"), "f5-f6", "there is no piece on f5"),
        (position("Cf4 Kk1", "Ka11"), "a11-a10", "the king on a11 is Black's, and White is to move"),
        (position("Mf4 Kk1", "Ka11"), "f4-f5", "the mountain on f4 stays where it is"),
        (position("Cf4 Mf5 Kk1", "Ka11"), "f4-f5", "on f5 is a mountain: no piece ends there"),
        (position("Cf4 Mf5 Kk1", "Ka11"), "f4xf5", "on f5 is a mountain"),
        (position("Cf4 Rf5 Kk1", "Ka11"), "f4-f5", "f5 holds White's own rabble"),
        (position("Cf4 Kk1", "Ka11"), "f4-f4", "f4 holds White's own crossbow"),
        (position("Cf4 Kk1", "Ka11"), "f4xf5", "there is nothing to capture on f5: write f4-f5"),
        (position("Cf4 Kk1", "Rf5 Ka11"), "f4-f5", "f5 holds Black's rabble: to capture it, write f4xf5"),
        (position("Kk1", "Ka11"), "D-h4", "White's dragon is not in the reserve"),
        (position("Kk1", "Ka11", reserve=("D", "")), "D-h7", "h7 is 5 cells from White's fortress h2"),
        (position("Kk1", "Rh6 Ka11", reserve=("D", "")), "D-h6", "to capture it, write Dxh6"),
        (ruined("Kk1", ("D", "")), "D-h4", "White's fortress is ruined: the dragon"),
        (
            position("Rh2 Rk2 Kk1", "Ka11"),
            "k2-k3",
            "promotion of h2 is compulsory: begin the turn with h2=C or h2=S or h2=L",
        ),
        (
            position("Rh2 Kk1", "Ka11"),
            "h2=B h2-h3",
            "h2 is not promoted to trebuchet: rabble becomes crossbow or spears",
        ),
        (position("Rh2 Cf4 Cf5 Kk1", "Ka11"), "h2=C h2-h3", "both of White's stand on the board"),
        (position("Rh3 Kk1", "Ka11"), "h3=C h3-h4", "a piece is promoted only in White's fortress h2, not on h3"),
        (position("Rh3 Kk1", "Ka11"), "h2=C h3-h4", "no piece of White's stands in the fortress h2"),
        (position("Bh2 Kk1", "Ka11"), "h2=K h2-h3", "becomes king only in the turn right after the own king's capture"),
        (position("Dh2 Kk1", "Ka11"), "h2=K h2-h3", "dragon becomes nothing else"),
        (
            ruined("Rh2 Kk1"),
            "h2=C h2-h3",
            "White's fortress is ruined: nothing is promoted any more",
        ),
        (
            position("Rh3 Kk1", "Ka11", fortresses=("h2", ""), centres=("h2", "")),
            "h3-h4",
            "Black's fortress is ruined: name a corner as the horses' new centre first, one of @f1 @k1 @k6",
        ),
        (position("Rh3 Kk1", "Ka11", fortresses=("h2", ""), centres=("h2", "")), "@f6 h3-h4", "name a corner"),
        (position("Rh3 Kk1", "Ka11"), "@f1 h3-h4", "no corner is owed"),
        (position("Rh3 Kk1", "Ka11"), "K@h4", "the setup is over"),
        (position("Rh3 Kk1", "Ka11"), "end", "the setup is over"),
        (position("Rh3 Bg4", "Ka11"), "h3-h4", "White's king has been captured: a piece of tier 3 must stand in"),
    ],
)
def test_what_is_not_legal_is_refused_by_its_rule(state: State, text: str, sentence: str) -> None:
    ply = GAME.read(state, text)
    assert ply not in GAME.plies(state)
    assert sentence in GAME.why_not(state, ply)


@pytest.mark.parametrize("seed", range(30))
def test_the_lost_king_is_named_only_where_it_is_the_reason(seed: int) -> None:
    state, rng = at_random(seed), random.Random(seed)
    legal = set(GAME.plies(state))
    starts = {(ply.corner, ply.at, ply.into) for ply in legal} or {(-1, -1, "")}
    for _ in range(300):
        start = rng.choice(sorted(starts))
        ply = Ply(rng.randrange(-1, 91), rng.randrange(91), rng.random() < 0.5, *start)
        if ply not in legal:
            sentence = GAME.why_not(state, ply)
            assert "king has been captured" not in sentence or KINGS[state.turn] not in state.board
            assert "even with" not in sentence or "strength" in sentence


def test_options_are_described_and_checked() -> None:
    assert {option.name for option in describe(Options) if option.help} == {"setup", "flank", "sea_ports"}
    with pytest.raises(BadOption, match="option flank=thirds is not allowed: it takes halves or online"):
        begin(flank="thirds")
    with pytest.raises(BadOption, match="there is no option 'ports' here"):
        begin(ports="true")


def test_what_is_seen_of_a_game_in_play() -> None:
    seen = GAME.look(begin(), None)
    assert seen.pieces["h2"] == Piece(0, "K")
    assert seen.pieces["c4"] == seen.pieces["i8"] == Piece(None, "M")
    assert seen.data["tiles"]["f4"] == "hill"
    assert seen.data["fortresses"] == seen.data["centres"] == ["h2", "d10"]
    assert "White's fortress: h2" in seen.lines
    assert "White's dragon is in reserve." in seen.lines
    assert "Turns without progress: 0 of 100" in seen.lines
