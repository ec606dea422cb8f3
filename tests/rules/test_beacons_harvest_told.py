"""What each gets by a harvest is told to everybody, and before it who has passed and what one more pass sets off."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from controller.rules.games.beacons.game import GAME
from controller.rules.games.beacons.state import END, Out, Ply, State
from controller.sentences import called
from tests.rules.beacons_positions import played, stand

WHY = "Per cell: 1 for the strongest there, 1 more for each cell beside it with units of theirs, up to 10."

OVER = "The round is over: nobody spent anything in their last turn."


def news(state: State, ply: Ply = END) -> str:
    assert GAME.news is not None
    return GAME.news(state, ply, GAME.after(state, ply))


def words_of_end(state: State) -> str:
    assert GAME.offered is not None
    return GAME.offered(state, END)


def test_the_pass_that_sets_off_the_harvest_tells_what_everybody_got() -> None:
    state = stand("a3=6/0 e3=0/5", beacons="a3.a4=1")
    assert news(state) == ""
    last = played(state, "end")
    assert news(last) == f"Harvest: Player 1 +1, Player 2 +1. Points: Player 1 +1. {OVER} {WHY}"
    after = GAME.after(last, END)
    assert (after.tally, after.stores[0], after.round) == ((1, 0), (7, 0), 2)


def test_each_reads_what_came_to_their_own_seat_first() -> None:
    told = news(played(stand("a3=6/0/0 c3=0/2/0 e3=0/0/5", players=3), "end; end"))
    assert told.startswith("Harvest: Player 1 +1, Player 2 +1, Player 3 +1. ")
    names = {"Player 1": "Ann", "Player 2": "Ben", "Player 3": "Cleo"}
    for seat, one, other in (("Player 1", "Ben", "Cleo"), ("Player 2", "Ann", "Cleo"), ("Player 3", "Ann", "Ben")):
        assert called(told, names, seat).startswith(f"Harvest: you +1, {one} +1, {other} +1. ")


def test_units_are_told_in_all_and_the_reason_in_the_first_round_alone() -> None:
    state = replace(stand("a3=6/0 a4=3/0 b4=2/1 e3=0/5", beacons="a3.a4=1"), round=2)
    last = played(state, "end")
    assert news(last) == f"Harvest: Player 1 +7, Player 2 +1. Points: Player 1 +1. {OVER}"


def test_of_the_last_harvest_only_the_points_are_told() -> None:
    state = replace(stand("a3=6/0 e3=0/5", beacons="a3.a4=1"), round=3)
    assert news(played(state, "end")) == "The last harvest. Points: Player 1 +1."
    assert news(played(replace(stand("a3=6/0 e3=0/5"), round=3), "end")) == ""


def test_before_it_is_pressed_the_last_pass_says_what_follows() -> None:
    state = stand("a3=6/0 e3=0/5")
    assert words_of_end(state) == "Player 1: end turn"
    assert not [line for line in GAME.look(state, None).lines if "nothing" in line]
    last = played(state, "end")
    assert words_of_end(last) == "Player 2: end turn (the harvest follows)"
    assert words_of_end(replace(last, round=3)) == "Player 2: end turn (the last harvest follows)"
    assert words_of_end(replace(last, spent=True)) == "Player 2: end turn"
    assert "In a row without spending: Player 1. Once all have, the harvest comes." in GAME.look(last, None).lines


def test_who_transferred_for_nothing_is_not_said_to_have_passed() -> None:
    moved = played(stand("a3=6/0 e3=0/5", actions="t"), "t a3 a4 1")
    ended = played(moved, "end")
    assert ended.passed == (0,)
    assert GAME.made is not None
    assert GAME.made(moved, END) == "ends the turn"
    view = GAME.look(ended, None)
    assert view.holds[0] == ("spent nothing",)
    assert not [said for said in (*view.lines, *view.holds[0]) if "passed" in said.lower()]


def test_who_gives_up_can_set_it_off_and_who_has_nothing_left_is_told_to_be_out() -> None:
    state = stand("a3=6/0/0 e3=0/5/0", players=3)
    last = played(state, "end; end")
    nothing = "Player 3 is out of the game: no units were left when the harvest came."
    assert news(last) == f"Harvest: Player 1 +1, Player 2 +1, Player 3 +0. {nothing} {OVER} {WHY}"
    assert news(last, Out(2)) == f"Harvest: Player 1 +1, Player 2 +1. {OVER} {WHY}"


LOST = (
    "Player 3 is out of the game: strongest on no cell, so the harvest brought nothing, and what was theirs on "
    "a4 and c3 was lost."
)


def test_who_is_strongest_nowhere_reads_what_the_harvest_took_also_where_that_ends_the_game() -> None:
    last = played(stand("a3=6/0/0 c3=0/1/1 a4=0/3/2", players=3), "end; end")
    assert f" {LOST} {OVER} " in news(last)
    told = news(played(stand("a3=2/2 b3=0/3"), "end"))
    assert told == LOST.replace("Player 3", "Player 1").replace("a4 and c3", "a3") + f" {OVER}"
    assert "out of the game" not in news(replace(last, round=3))  # all that counts then are points


def test_units_in_the_coffer_can_keep_somebody_in_and_who_stays_out_of_buying_in_is_told_once() -> None:
    paid = played(stand("c3=1/1 e3=0/5", coffers=(3, 0)), "end; end")
    assert paid.phase == "harvest"
    assert news(paid) == LOST.replace("Player 3", "Player 1").replace("a4 and c3", "c3")
    buys = played(stand("c3=1/1 e3=0/5", buy_in=2), "end; end")
    assert (buys.phase, news(buys)) == ("buy-in", "Out of the game: Player 1.")


def asked(state: State) -> str:
    assert GAME.sure is not None
    return GAME.sure(state, END)


def test_an_end_of_the_turn_after_which_the_harvest_may_take_all_asks_first() -> None:
    takes = "Player 1 is strongest on no cell: what is theirs on c3 would be lost, and they would be out of the game."
    alone = stand("c3=1/1 e3=0/5")
    assert asked(alone) == f"If all others end their turn without spending, too, the harvest comes. {takes}"
    assert asked(replace(alone, passed=(1,))) == f"The harvest comes now. {takes}"
    for goes_on in (
        replace(alone, spent=True),  # there is another turn before the harvest
        replace(alone, round=3),  # nothing is needed after the last one
        replace(alone, coffers=(1, 0)),
        stand("a4=1/0 c3=1/1 e3=0/5"),
        stand("c3=1/1 e3=0/5", buy_in=2),
        stand("e3=0/5"),  # nothing can be done about it
    ):
        assert asked(goes_on) == ""


def ended(units: str, tally: tuple[int, ...], **options: Any) -> str:
    state = stand(units, tally=tally, players=len(tally), rounds=1, **options)
    return GAME.how_ended(replace(state, phase="over", queue=(), why="tally"), "tally")


def test_what_has_decided_between_equal_tallies_is_told() -> None:
    assert ended("a3=6/0/0", (3, 0, 1)) == "the points decide"
    assert ended("a3=6/0/0 b3=2/0/0 e3=0/0/2", (3, 0, 3)) == (
        "points are equal at 3, and the most dominant cells decide (Player 1: 2, Player 3: 1)"
    )
    assert ended("a3=6/0 e3=0/5", (0, 0)) == "points and dominant cells are equal"
    assert ended("a3=6/0 e3=0/5", (1, 1), tie="nobody") == "points are equal"
    assert ended("a3=6/0", (1, 1), tie="last") == "points are equal at 1, and the last in the order of play wins"
