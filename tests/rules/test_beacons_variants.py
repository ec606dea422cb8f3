"""Beacons as designers change it: boards, actions, growth, places to open, ties and starts, by options alone."""

from __future__ import annotations

import random
from typing import Any

import pytest

from controller.rules.games.beacons.advice import ADVICE
from controller.rules.games.beacons.counts import NAMES
from controller.rules.games.beacons.game import GAME
from controller.rules.games.beacons.soundness import sound
from controller.rules.mesh import hexes
from controller.rules.options import BadOption, parse
from controller.rules.tilings import build
from tests.rules.beacons_positions import begin, played, refusal, stand, texts, units
from tests.rules.drawn_variants import chosen, keeps_every_promise

FLOWER = "cells a2 a3 b1 b2 b3 c1 c2"


def refused(**options: Any) -> str:
    """Return the sentence with which options are refused."""
    with pytest.raises(BadOption) as wrong:
        parse(GAME.options, options)
    return str(wrong.value)


# ---- boards -----------------------------------------------------------------------------------------------


def test_a_board_is_drawn_from_the_seed_in_its_text_and_from_nothing_else() -> None:
    assert begin(1, board="random 19 7").options == begin(2, board="random 19 7").options
    assert len(begin(board="random 19 7").stores) == 19
    assert GAME.mesh(parse(GAME.options, {"board": "random 19 7"})) != build("random 19 8")


def test_a_board_of_named_cells_is_played_on() -> None:
    state = begin(board=FLOWER, start="a2:1x6 c2:2x6")
    assert GAME.mesh(state.options).cells == ("a2", "a3", "b1", "b2", "b3", "c1", "c2")
    assert units(state, "a2") == (6, 0)


def test_a_list_of_64_cells_fits_into_the_option() -> None:
    names = " ".join((*hexes(5).cells[:61], "a4", "a3", "j5"))
    assert len(begin(board=f"cells {names}").stores) == 64


# ---- actions ----------------------------------------------------------------------------------------------


def test_a_game_without_transfers_and_payments_offers_and_takes_none() -> None:
    state = stand("a3=6/3 b3=6/0 c3=0/6", actions="dsmb")
    assert {ply.split()[0] for ply in texts(state)} == {"d", "s", "end"}
    assert refusal(state, "t a3 b3 1") == (
        "this game has no action 'transfer': its actions are destroy, shift, modify and beacon"
    )
    assert refusal(state, "bid 5 7") == (
        "this is the active phase: actions begin with d or s or m or b, or write 'end'"
    )
    assert GAME.card is not None
    assert GAME.card(state, "a3", 0) == ("No units are transferred in this game.",)
    assert GAME.card(stand("a3=6/0", actions="t"), "a3.a4.b3", 0) == ("No beacons are built in this game.",)


def test_it_is_said_why_units_stay_that_no_action_of_the_game_moves() -> None:
    state = stand("a3=1/0 b3=0/3", actions="s", shift=2)
    assert texts(state) == {"end"}
    assert GAME.stays(state, "a3") == "none of the actions of this game can be made in a3 now: shift"


def test_no_state_has_used_an_action_that_there_is_not() -> None:
    state = played(stand("a3=6/3"), "d a3 2")
    assert sound(state, state.options)
    other = GAME.decode(GAME.encode(state).replace(b'"tdsmbp"', b'"tsmbp"'))
    assert other.options.actions == "tsmbp"
    assert not sound(other, other.options)


@pytest.mark.parametrize(
    ("actions", "sentence"),
    [
        ("tdx", "actions 'tdx': x is no kind of action; write each kind once, of tdsmbp"),
        ("tdt", "actions 'tdt': t is there twice; write each kind once, of tdsmbp"),
        ("", "actions: a game has at least one kind of action; write some letters of tdsmbp"),
    ],
)
def test_kinds_of_action_that_there_are_not_are_refused(actions: str, sentence: str) -> None:
    assert refused(actions=actions) == sentence


def test_programs_count_no_beacons_to_come_where_none_can_be_built() -> None:
    everywhere = " ".join(f"{cell}=5/0" for cell in hexes(3).cells)
    corners = NAMES.index("corners")
    assert ADVICE.count(stand(everywhere))[0][corners] > 0
    assert ADVICE.count(stand(everywhere, actions="tdsmp"))[0][corners] == 0


# ---- growth, places to open -------------------------------------------------------------------------------


def test_a_harvest_brings_as_many_units_as_the_options_say() -> None:
    state = stand("a3=2/0 a4=1/0 e3=0/1", growth=0, neighbour_growth=3)
    after = played(state, "end;end")
    assert [units(after, cell) for cell in ("a3", "a4", "e3")] == [(5, 0), (4, 0), (0, 1)]
    growing = ADVICE.count(state)[0][NAMES.index("growth")]
    assert growing == 6
    assert units(played(stand("a3=2/0 e3=0/1", growth=4), "end;end"), "a3") == (6, 0)


def test_a_game_in_which_nothing_grows_goes_on_while_both_are_dominant_somewhere() -> None:
    state = played(stand("a3=2/0 e3=0/1", growth=0, neighbour_growth=0), "end;end")
    assert (state.round, state.phase, units(state, "a3")) == (2, "active", (2, 0))


def test_units_are_placed_on_as_many_cells_as_the_option_says() -> None:
    state = played(begin(openings=1), "bid 6 6;bid 6 6")
    state = played(state, "place a3 2")
    assert refusal(state, "place b3 1") == "you may place units on one cell alone"
    assert "place a3 1" in texts(state)
    many = played(begin(board="square 2 2", openings=4), "bid 6 6;bid 6 6;place a1 1;place a2 1;place b1 1")
    assert "place b2 1" in texts(many)


@pytest.mark.parametrize(("name", "value"), [("growth", 11), ("neighbour_growth", -1), ("openings", 65)])
def test_numbers_out_of_bounds_are_refused(name: str, value: int) -> None:
    assert refused(**{name: value}).startswith(f"option {name}={value} is not allowed: it must be a whole number from")


# ---- ties -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tie", "winner"), [("dominance", 1), ("nobody", None), ("first", 0), ("last", 1)])
def test_the_option_says_who_wins_of_equal_tallies(tie: str, winner: int | None) -> None:
    state = stand("a1=3/0 b2=0/3 b1=0/3", board="square 2 2", rounds=1, tally=(4, 4), tie=tie)
    assert GAME.result(played(state, "end;end")).winner == winner
    ahead = stand("a1=3/0 b2=0/3 b1=0/3", board="square 2 2", rounds=1, tally=(5, 4), tie=tie)
    assert GAME.result(played(ahead, "end;end")).winner == 0


def test_the_order_of_play_that_decides_is_that_of_the_last_harvest() -> None:
    state = stand("a1=3/0 b2=0/3", board="square 2 2", rounds=1, tally=(4, 4), coffers=(1, 0), tie="first")
    assert GAME.result(played(state, "end;end;end")).winner == 1


def test_who_is_out_has_no_place_in_the_order_that_decides() -> None:
    state = stand("a1=3/0/0 b2=0/3/0", board="square 2 2", players=3, rounds=1, tally=(1, 4, 4), tie="last")
    assert GAME.result(played(state, "end;end;end")).winner == 1
    both_out = stand("a1=3/0/0", board="square 2 2", players=3, rounds=1, tally=(1, 4, 4), tie="last")
    assert GAME.result(played(both_out, "end;end;end")).winner is None


def test_an_unknown_way_to_decide_a_tie_is_refused() -> None:
    assert refused(tie="dice") == ("option tie=dice is not allowed: it must be dominance or first or last or nobody")


# ---- starts -----------------------------------------------------------------------------------------------


def test_a_start_of_ones_own_puts_units_and_shells_and_skips_the_bids() -> None:
    state = begin(start="a3:1x6 b3:2x4 b3:1x1 a3=101000")
    assert (state.phase, state.order, GAME.seat(state)) == ("active", (0, 1), 0)
    assert (units(state, "a3"), units(state, "b3")) == ((6, 0), (1, 4))
    assert GAME.look(state, None).data["shells"]["a3"] == "101000"
    assert begin(3, start="a3:1x6").shells != begin(4, start="a3:1x6").shells
    assert begin(3, start="a3:1x6", seed=9) == begin(4, start="a3:1x6", seed=9)


@pytest.mark.parametrize(
    ("start", "sentence"),
    [
        ("a3", "start: a3 is neither a store, like a3:1x6, nor a shell, like a3=101000"),
        ("a3:1x0", "start: a3:1x0 is neither a store"),
        ("a3:1x2 a3:1x3", "start: a3:1x3 says again what was said before: give each store and shell once"),
        ("a3:1x2 a3=000000 a3=000001", "start: a3=000001 says again what was said before"),
        ("a3=000000", "start: it puts no units on the board; add a store, like a3:1x6"),
        ("z9:1x1", "start: there is no cell z9 on board 'hex 3'"),
        ("a3:1x1 z9=000000", "start: there is no cell z9 on board 'hex 3'"),
        ("a3:3x1", "start: a3 has units of player 3, and there are 2 players"),
        ("a3:1x6 a3:2x5", "start: it puts 11 units on a3, over the limit of 10"),
        ("a3:1x6 a3=1010", "start: the shell of a3 has 4 digits, and shells here 6 nodes"),
    ],
)
def test_a_start_that_cannot_be_is_refused_in_a_sentence(start: str, sentence: str) -> None:
    assert refused(start=start).startswith(sentence)


def test_a_start_and_a_template_are_refused_together() -> None:
    assert refused(start="a3:1x1", template="trial") == (
        "template 'trial' and start both say how the game begins: leave one out"
    )


# ---- all of them together ---------------------------------------------------------------------------------

STARTS = ("", "a2:1x3 b2:2x3 b3:1x1 b3:2x1", "a2:1x1 a2=110000 c2:2x4 c2:1x4", "b1:2x4 b2:1x2 c1=111111")
CHOICES: dict[str, Any] = {
    "board": ("random 9 1", "random 19 7", "random 40 3", FLOWER, "square 2 3", "cells a1 a2 b1 c1 d1 d2"),
    "players": (2, 2, 3),
    "limit": (4, 10, 30),
    "bid": (3, 12),
    "kinds": (1, 2, 6),
    "buy_in": (0, 2),
    "rounds": (1, 3, 6),
    "mode": ("reflect", "rotate"),
    "owned_nodes": (True, False),
    "actions": ("tdsmbp", "pbmsdt", "tb", "t", "dsm", "sp", "m", "tdp"),
    "growth": (0, 1, 3, 10),
    "neighbour_growth": (0, 1, 2, 10),
    "openings": (0, 1, 3, 64),
    "tie": ("dominance", "nobody", "first", "last"),
}


def variant(draw: random.Random) -> dict[str, Any]:
    given = chosen(CHOICES, draw)
    return {**given, "board": FLOWER, "start": start} if (start := draw.choice(STARTS)) else given


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.night) for seed in range(4, 40))])
def test_games_with_drawn_options_keep_every_promise(seed: int) -> None:
    keeps_every_promise(GAME, seed, variant)
