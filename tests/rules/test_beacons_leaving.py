"""Beacons: somebody gives up, at any moment. Who has had a turn counts, and the last one left has won."""

from __future__ import annotations

import random

import pytest

from controller.rules.games.beacons.game import GAME
from controller.rules.games.beacons.leaving import leaves
from controller.rules.games.beacons.state import State
from tests.rules.beacons_positions import BOARDS, begin, likely, played, refusal, texts

SIX = {"players": 6, "board": "hex 3", "bid": 3}


def trio() -> State:
    return begin(template="trio", players=3)


def lines(state: State) -> str:
    return " ".join(GAME.look(state, None).lines)


# ---- the active phase -------------------------------------------------------------------------------------


def test_the_phase_goes_on_until_everybody_in_play_has_had_a_turn() -> None:
    state = played(trio(), "end;end;out 1")
    assert (state.phase, state.round, GAME.seat(state)) == ("active", 1, 2)
    assert played(state, "end").round == 2


def test_a_resignation_on_another_ones_turn_takes_nothing_from_it() -> None:
    state = played(trio(), "end;end;s d2 +;p d2 1 1")
    left = played(state, "out 1")
    assert (left.round, GAME.seat(left), left.used, left.spent) == (1, 2, ("p", "s"), True)
    ended = played(left, "end")
    assert (ended.round, ended.used, ended.spent, ended.passed) == (1, (), False, ())  # that turn spent
    assert played(ended, "end;end").round == 2


def test_an_overfull_store_is_cut_at_the_end_of_its_turn_and_not_by_a_harvest_in_between() -> None:
    state = played(begin(template="trio", players=3, limit=6), "end;end;t d2 c3 1;t d2 e1 1;out 1")
    assert (state.round, max(map(sum, state.stores))) == (1, 7)
    assert max(map(sum, played(state, "end").stores)) == 6


def test_a_turn_that_ends_with_a_resignation_is_forgotten() -> None:
    state = played(trio(), "t b3 a4 4;t a3 a4 1;out 1")
    assert (GAME.seat(state), state.used, state.spent, state.passed) == (1, (), False, ())
    assert all(store[0] == 0 for store in state.stores)
    assert {text.split()[0] for text in texts(state)} > {"s", "t", "p"}


def test_it_counts_for_nobody_and_the_cost_free_turns_of_the_others_stay() -> None:
    state = played(trio(), "end;end")
    assert played(state, "out 3").round == 2  # the two who play on have had theirs


def test_two_passes_and_one_who_leaves_do_not_make_the_fourth_ones_turn() -> None:
    state = begin(3, players=4, bid=4)
    for plies in ("bid 4 0 0 0", "bid 0 4 0 0", "bid 0 0 4 0", "bid 0 0 0 4"):
        state = played(state, plies)
    for cell in ("a3", "a4", "a5", "b2"):
        state = played(state, f"place {cell} 5")
    first, second, third, fourth = state.order
    state = played(state, f"end;end;out {first + 1};end")
    assert (state.round, GAME.seat(state)) == (1, fourth)
    assert played(state, "end").round == 2
    assert {first, second, third, fourth} == set(range(4))


def test_the_last_one_left_has_won_at_once() -> None:
    state = played(trio(), "out 2;out 3")
    result = GAME.result(state)
    assert (result.over, result.winner, result.why) == (True, 0, "last")
    assert refusal(state, "out 1") == "the game is over (last)"


# ---- the bids ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("leave", ["out 1;out 2", "out 2;out 1", "bid 5 0 0;out 1;out 2", "bid 5 0 0;out 2;out 1"])
def test_the_last_one_left_has_won_at_the_bids_too(leave: str) -> None:
    state = played(begin(players=3, bid=5), leave)
    result = GAME.result(state)
    assert (result.over, result.winner, result.why, GAME.seat(state)) == (True, 2, "last", None)
    assert GAME.moves(state) == []
    assert refusal(state, "out 3") == "the game is over (last)"
    assert GAME.taken_over(GAME.encode(state), state.options) == state


def test_a_resignation_is_no_bid() -> None:
    state = played(begin(players=4, bid=5), "out 1")
    assert "Player 1 (out):" in lines(state)
    state = played(state, "bid 5 0 0 0")
    assert GAME.look(state, 1).data["bid"] == [5, 0, 0, 0]
    assert [GAME.look(played(state, "out 2"), seat).data["bid"] for seat in range(4)] == [None] * 4  # though it counts
    assert GAME.look(state, 0).data["bid"] is None


def test_who_leaves_before_bidding_gives_nothing_and_gets_no_bonus() -> None:
    state = played(begin(players=4, bid=5), "out 1;bid 1 0 2 2;bid 0 5 0 0;bid 0 0 0 5")
    assert state.coffers == (0, 5 + 1, 2 + 1, 2 + 5 + 1)  # what was given to the first player is nobody's


def test_who_leaves_opens_the_bids_only_where_that_ends_them() -> None:
    state = played(begin(players=4, bid=5), "bid 5 0 0 0")
    opens = GAME.opens
    assert opens is not None
    assert not opens(state, GAME.read(state, "out 3"))
    state = played(state, "out 3;bid 0 5 0 0")
    assert opens(state, GAME.read(state, "out 4"))  # the last one to bid
    assert opens(played(begin(players=3, bid=5), "bid 5 0 0;out 2"), GAME.read(state, "out 1"))  # one is left


# ---- everywhere -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(24))
def test_a_game_with_resignations_at_any_moment_stays_sound_and_ends(seed: int) -> None:
    """Whoever is to move plays on; nobody has more kinds than a turn allows, nor a store over the limit after it."""
    draw = random.Random(seed)
    options = [SIX, *(board for board in BOARDS if board.get("players", 2) > 2)][seed % 5]
    state, left = begin(seed, **options), draw.randrange(1, options["players"])
    while not GAME.result(state).over:
        mover, before = GAME.seat(state), state
        playing = [seat for seat in range(options["players"]) if GAME.leaves and GAME.leaves(state, seat)]
        if left and draw.random() < 0.05:
            seat, left = draw.choice(playing), left - 1
            state = played(state, f"out {seat + 1}")
            if seat != mover and not GAME.result(state).over:
                assert GAME.seat(state) == mover
                assert (state.phase, state.used, state.spent) == (before.phase, before.used, before.spent)
        elif state.phase == "bid":
            state = GAME.after(state, draw.choice(GAME.moves(state)))
        else:
            state = played(state, likely(draw, sorted(texts(state))))
        assert GAME.taken_over(GAME.encode(state), state.options) == state
        if not state.used and state.phase == "active":
            assert max(map(sum, state.stores)) <= state.options.limit


# ---- buying in --------------------------------------------------------------------------------------------


def buying_in() -> State:
    """Three who bid nothing are all found out at the first harvest: each may buy in, the first player first."""
    start = begin(players=3, bid=0, bonus=0, buy_in=2)
    return played(start, "bid 0 0 0;bid 0 0 0;bid 0 0 0;end;end;end")


def test_who_declines_to_buy_in_has_no_part_in_the_game_any_more() -> None:
    state = played(buying_in(), "end")
    assert state.phase == "buy-in"
    assert not GAME.result(state).over
    assert leaves(state, 0) is None
    assert leaves(state, 1) is not None


def test_nobody_wins_where_all_have_given_up_or_declined() -> None:
    for plies in ("out 3;end;out 2", "end;end;end", "end;end;out 2"):
        how = GAME.result(played(buying_in(), plies))
        assert (how.over, how.winner, how.why) == (True, None, "tally"), plies


def test_the_last_one_who_may_still_buy_in_has_won_when_the_others_give_up() -> None:
    for plies in ("end;out 3", "out 1;out 3"):
        how = GAME.result(played(buying_in(), plies))
        assert (how.over, how.winner, how.why) == (True, 1, "last"), plies
