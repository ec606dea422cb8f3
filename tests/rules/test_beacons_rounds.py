"""Beacons: setup, harvest, and each way to end."""

from __future__ import annotations

import pytest

from controller.rules.game import Piece
from controller.rules.games.beacons.game import GAME
from controller.rules.options import BadOption
from tests.rules.beacons_positions import begin, played, refusal, stand, texts, units

# ---- whole games, one for each way to end -----------------------------------------------------------------


def test_a_game_is_won_by_tally() -> None:
    state = begin(board="square 2 2", rounds=2)
    state = played(state, "bid 5 7;bid 5 7")
    assert state.coffers == (11, 15)
    state = played(state, "place a1 6;place a2 5")  # the coffer is empty: the part ends by itself
    state = played(state, "place b1 9;end;b a1.a2;end;end;end")
    assert (state.round, state.tally, GAME.result(state).over) == (2, (1, 0), False)
    result = GAME.result(played(state, "end;end"))
    assert (result.over, result.winner, result.why, result.scores) == (True, 0, "tally", (2, 0))


def test_a_game_is_won_by_the_last_player_left() -> None:
    state = played(begin(board="square 2 1"), "bid 5 7;bid 5 7;place a1 3;end;end")
    assert GAME.seat(state) == 0
    result = GAME.result(played(state, "end;end"))
    assert (result.winner, result.why, result.scores) == (0, "last", (0, 0))


def test_equal_tallies_are_judged_by_dominant_cells_and_then_drawn() -> None:
    one_more = stand("a1=3/0 a2=3/0 b2=0/3", board="square 2 2", rounds=1, tally=(4, 4))
    assert GAME.result(played(one_more, "end;end")).winner == 0
    same = stand("a1=3/0 b2=0/3", board="square 2 2", rounds=1, tally=(4, 4))
    result = GAME.result(played(same, "end;end"))
    assert (result.over, result.winner, result.why) == (True, None, "tally")


def test_a_player_who_is_out_may_still_have_the_most_tally() -> None:
    state = stand("a1=3/0/0 b2=0/3/0", players=3, board="square 2 2", rounds=1, tally=(1, 1, 5))
    assert GAME.result(played(state, "end;end;end")).winner == 2


def test_when_nobody_is_left_the_tally_decides() -> None:
    state = stand("a1=1/1", board="square 2 2", tally=(1, 2))
    result = GAME.result(played(state, "end;end"))
    assert (result.winner, result.why) == (1, "tally")


def test_the_last_round_is_judged_by_tally_though_one_player_is_left() -> None:
    state = stand("a1=3/0", board="square 2 2", rounds=1, tally=(0, 7))
    result = GAME.result(played(state, "end;end"))
    assert (result.winner, result.why) == (1, "tally")


# ---- setup ------------------------------------------------------------------------------------------------


def test_nobody_sees_anothers_bid_before_all_are_in() -> None:
    state = begin(players=3)
    ply = GAME.read(state, "bid 5 4 3")
    assert GAME.glimpse is not None
    assert [GAME.glimpse(state, ply, seat) for seat in (0, 1, None)] == ["bid 5 4 3", "bid", "bid"]
    state = GAME.play(state, ply)
    assert GAME.look(state, 0).data["bid"] == [5, 4, 3]
    for seat in (1, 2, None):
        seen = GAME.look(state, seat)
        assert seen.data["bid"] is None
        assert seen.data["coffers"] == [0, 0, 0]
    other = played(begin(players=3), "bid 0 0 12")
    assert GAME.look(other, 1) == GAME.look(state, 1)
    state = played(state, "bid 0 0 12;bid 1 2 9")
    assert GAME.look(state, None).data["coffers"] == [7, 7, 25]


def test_equal_coffers_are_ordered_by_the_seeds_lot() -> None:
    orders = {played(begin(seed), "bid 6 6;bid 6 6").order for seed in range(20)}
    assert orders == {(0, 1), (1, 0)}
    assert played(begin(1), "bid 7 5;bid 6 6").order == (1, 0)


def test_the_option_seed_wins_over_the_tables() -> None:
    assert begin(1, seed=5) == begin(2, seed=5)
    assert begin(1).shells != begin(2).shells
    assert begin(3) == begin(3)


def test_units_are_placed_within_cells_limit_and_coffer() -> None:
    state = played(begin(board="square 2 2", bid=20, bonus=3), "bid 0 20;bid 10 10;place a1 4")
    assert refusal(state, "place a1 7") == "the store of a1 has room for 6 more; the limit is 10"
    assert refusal(state, "place a2 10") == "the coffer of Player 1 holds 9 units"
    assert refusal(state, "place a2 0") == "place or move at least one unit at a time"
    state = played(state, "place a2 1")
    assert refusal(state, "place b1 1") == (
        "you may place units on at most 2 different cells, the number of cells divided by the number of players"
    )
    state = played(state, "place a1 6")
    assert refusal(state, "place a1 0").startswith("place or move at least one")
    assert refusal(state, "place a1 1") == "the store of a1 is full (10)"
    state = played(state, "end")
    assert state.coffers[0] == 0
    assert refusal(state, "place a2 1") == "a2 holds another player's units"


# ---- harvest ----------------------------------------------------------------------------------------------


def test_cells_grow_by_one_and_by_the_neighbours_occupied_before() -> None:
    state = stand("a3=2/0 a4=1/1 b3=0/3 b4=1/0 e3=0/9 d3=0/1", rounds=2, beacons="a3.a4=1 d4.e3=2")
    state = played(state, "end;end")
    grown = {cell: units(state, cell) for cell in ("a3", "a4", "b3", "b4", "e3", "d3")}
    # a3: itself and a4; a4: a tie; b3: itself and a4; b4: itself and a4; e3: full after one; d3: itself and e3.
    assert grown == {"a3": (4, 0), "a4": (1, 1), "b3": (0, 5), "b4": (3, 0), "e3": (0, 10), "d3": (0, 3)}
    assert state.tally == (1, 1)


def test_the_next_order_is_by_coffer_and_ties_stay_as_they_were() -> None:
    state = stand("a3=3/0/0 c3=0/3/0 e3=0/0/3", players=3, coffers=(1, 0, 0))
    state = played(state, "end;end;end")
    assert state.order == (1, 2, 0)
    assert (state.phase, GAME.seat(state)) == ("harvest", 0)
    assert texts(state) == {"move a3 1", "end"}
    assert refusal(state, "move c3 1") == (
        "you do not occupy c3: units from the coffer go only to cells that hold a unit of yours"
    )
    assert refusal(state, "place a3 1") == "this is the harvest: write 'move a3 2' or 'end'"
    state = played(state, "end")
    assert (state.coffers, state.round, GAME.seat(state)) == ((0, 0, 0), 2, 1)


def test_who_gets_nothing_and_dominates_nothing_is_out_and_the_beacons_stay() -> None:
    state = stand("a3=3/2/0 e3=0/0/3", players=3, beacons="b4.c3.c4=2")
    state = played(state, "end;end;end")
    assert state.order == (0, 2)
    assert units(state, "a3")[1] == 0
    assert state.tally == (0, 1, 0)
    state = played(state, "end;end")
    assert state.tally == (0, 1, 0)
    assert GAME.shape(state)["b4.c3.c4"] == Piece(1, "beacon")


def test_a_full_dominated_cell_or_a_unit_moved_keeps_one_in_play() -> None:
    full = played(stand("a3=3/0 b3=0/10"), "end;end")
    assert full.order == (0, 1)
    moved = stand("a3=5/2 c3=3/0", coffers=(0, 1))
    assert played(moved, "end;end;move a3 1").order == (0, 1)
    assert played(moved, "end;end;end").why == "last"


def test_who_is_out_may_buy_in_and_their_beacons_go_on_scoring() -> None:
    state = stand("a3=3/1 c3=9/0", beacons="b4.c3.c4=2", buy_in=4)
    state = played(state, "end;end")
    assert (state.phase, GAME.seat(state), units(state, "a3")[1]) == ("buy-in", 1, 0)
    assert refusal(state, "place c3 1") == "the store of c3 is full (10)"
    assert refusal(state, "t a3 b3 1") == "this is the buy-in: write 'place a3 3' or 'end'"
    back = played(state, "place a3 2;end")
    assert (back.order, units(back, "a3")[1], back.coffers) == ((0, 1), 2, (0, 0))
    assert played(back, "end;end").tally == (0, 2)
    gone = played(state, "end")
    assert (gone.why, GAME.result(gone).winner) == ("last", 0)


# ---- equal bids -------------------------------------------------------------------------------------------

EQUAL = "bid 4 4 4;bid 4 4 4;bid 4 4 4"


def order_after(bids: str, experience: str, seed: int, players: int = 3) -> tuple[int, ...]:
    return played(begin(seed, players=players, experience=experience), bids).order


def test_of_equal_bids_the_less_experienced_go_later() -> None:
    assert {order_after(EQUAL, "0 7 3", seed) for seed in range(30)} == {(1, 2, 0)}


def test_the_lot_decides_between_the_equally_experienced_alone() -> None:
    assert {order_after(EQUAL, "2 2 9", seed) for seed in range(30)} == {(2, 0, 1), (2, 1, 0)}


def test_the_lot_decides_where_the_experience_of_one_of_them_is_not_known() -> None:
    found = {order_after(EQUAL, "0 7 -", seed) for seed in range(60)}
    assert len(found) == 6
    assert found == {order_after(EQUAL, "", seed) for seed in range(60)}


def test_experience_decides_nothing_between_unequal_bids() -> None:
    first_keeps_less = "bid 2 5 5;bid 2 5 5;bid 2 5 5"
    assert {order_after(first_keeps_less, "0 1 2", seed) for seed in range(30)} == {(0, 2, 1)}


@pytest.mark.parametrize(
    ("bids", "experience", "said"),
    [
        ("bid 4 4 4; bid 4 4 4; bid 6 6 0", "3 1 0", ("Player 1 and Player 2", "the less experienced go later.")),
        ("bid 4 4 4; bid 4 4 4; bid 6 6 0", "", ("the lot decided.",)),
        ("bid 4 4 4; bid 4 4 4; bid 6 6 0", "2 2 0", ("Player 1 and Player 2", "the lot decided.")),
        ("bid 4 4 4; bid 4 4 4; bid 4 4 4", "2 2 0", ("the lot decided between equals.",)),
        ("bid 6 4 2; bid 6 4 2; bid 6 4 2", "2 2 0", ()),
    ],
)
def test_it_is_said_what_decided_between_equal_bids(bids: str, experience: str, said: tuple[str, ...]) -> None:
    state = played(begin(1, players=3, experience=experience), bids)
    assert GAME.opened is not None
    about = [told for told in (GAME.opened(state),) if "received the same" in told]
    assert not [line for line in GAME.look(state, None).lines if "received the same" in line]  # once is enough
    assert len(about) == bool(said)
    assert all(part in about[0] for part in said)


def test_experience_that_is_not_of_all_players_is_refused_in_a_sentence() -> None:
    for experience in ("3", "a b", "-1 2", "1 2 3", "123456 1"):
        with pytest.raises(BadOption, match=f"experience '{experience}' is not a number, or -, for each of 2 players"):
            begin(experience=experience)
