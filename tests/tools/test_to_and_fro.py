"""Carrying units to and fro is counted by what was done, whoever did it, and level 2 does it less than it did."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.rules.games.beacons.state import END, Beacon, Ply, Transfer
from controller.rules.registry import game_named
from tools.arena.likelihood import wilson
from tools.arena.to_and_fro import Count, Turn, counted, met, told

GAME = game_named("beacons")
STATE: Any = GAME.start(GAME.options(template="trial"), 0)
THERE, BACK = Transfer(0, 1, 1), Transfer(1, 0, 1)
RULED: Any = msgspec.structs.replace(STATE, stores=((6, 0), (6, 0), (1, 0), *STATE.stores[3:]))


def turn(*plies: Ply, seat: int = 0, round: int = 1, after: Any = STATE) -> Turn:
    return Turn(seat, round, STATE, (*plies, END), after)


def test_units_that_go_back_within_two_turns_are_counted_for_their_seat_alone() -> None:
    game = [turn(THERE), turn(BACK, seat=1), turn(), turn(BACK)]
    assert counted(game, 0) == Count(2, 1, 1)
    assert counted(game, 1) == Count(1, 0, 0)
    assert counted([turn(THERE, BACK)], 0) == Count(2, 1, 1), "in one turn"
    assert counted([turn(THERE), turn(), turn(), turn(BACK)], 0) == Count(2, 0, 0), "that was three turns before"
    assert counted([turn(THERE), turn(BACK, round=2)], 0) == Count(2, 0, 0), "a harvest lies between"


def test_a_way_back_that_builds_a_beacon_or_rules_a_cell_more_is_not_idle() -> None:
    assert counted([turn(THERE), turn(BACK, Beacon(0))], 0) == Count(2, 1, 0)
    assert counted([turn(THERE), turn(BACK, after=RULED)], 0) == Count(2, 1, 0)


def test_the_count_is_told_with_what_chance_may_make_of_it() -> None:
    assert told(Count()) == "no units were carried"
    assert told(Count(10, 5, 0)) == (
        "of 10 transfers 5 (50.0%, 23.7% to 76.3%) went back, 0 (0.0%, 0.0% to 27.8%) of them idly"
    )


# Idle ways back among the transfers of 200 games, before it left alone what betters nothing.
BEFORE = {"2": 57 / 1922, "greedy": 19 / 561, "keeper": 67 / 1901}


@pytest.mark.night
@pytest.mark.parametrize("other", BEFORE)
def test_level_2_carries_units_to_and_fro_half_as_often_as_before_as_far_as_chance_tells(other: str) -> None:
    count = met("2", other, 200, 2)
    low, _ = wilson(count.idle, count.transfers)
    assert low <= BEFORE[other] / 2, told(count)
