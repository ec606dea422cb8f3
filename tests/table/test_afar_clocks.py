"""Clocks between two boards: home's count, and what a ply was on its way costs its seat nothing, within bounds."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.events import Command, Tick
from controller.game_setup import Afar, ClockRule
from controller.orders import AgreeBack, FollowHome, FromAfar, HoldAfar, HomeClock, Pause, PlayPly, TakeBack
from controller.table.clock import left_us
from controller.table.notes import GameOver, Refusal
from controller.table.state import Table
from controller.table.table import step
from tests.table.afar_tables import begun, given, going

TIDES = "tides-of-war"
SECOND, MINUTE, HOUR = 1_000_000, 60_000_000, 3_600_000_000
A_MINUTE = ClockRule("sudden", 1)
PLIES = ("c3-c4", "c6-b5", "a5-a6", "e4-d3")


def later(table: Table, after_us: int) -> Table:
    return step(table, Tick(table.t_us + after_us))[0]


def left(table: Table) -> tuple[int, ...]:
    clock = going(table).clock
    assert clock is not None
    return left_us(clock, table.t_us)


def home(plies: int = 3, rule: ClockRule | None = None) -> Table:
    """Return home after so many plies, which took no time; the second seat is far away."""
    table = begun(TIDES, Afar((1,)), clock=rule or A_MINUTE)
    for n, text in enumerate(PLIES[:plies]):
        table = given(table, FromAfar(what=PlayPly(text=text, seat=1)) if n % 2 else PlayPly(text=text, seat=0))
    return table


def far(t_us: int = 0) -> Table:
    """Return a far board of the second seat, at which one ply of home's stands."""
    table = begun(TIDES, Afar((0,), follows=True), clock=A_MINUTE, t_us=t_us)
    table = given(table, FollowHome(at=0, plies=PLIES[:1]))
    assert going(table).session.decided
    return table


def test_nobody_pays_for_the_first_move_which_the_other_board_may_not_have_been_ready_for() -> None:
    table = later(home(1), HOUR)
    assert left(table) == (MINUTE, MINUTE)
    assert not going(table).result.over
    table = given(table, FromAfar(what=PlayPly(text=PLIES[1], seat=1)))
    assert left(later(table, 10 * SECOND)) == (50 * SECOND, MINUTE)


@pytest.mark.parametrize(("shown", "kept"), [
    (None, 50 * SECOND),  # a board that does not tell
    (50_700_000, 50_700_000),  # it was 0.7 s on its way
    (60 * SECOND, 52 * SECOND),  # a board that lies gains two seconds
    (3 * SECOND, 50 * SECOND),  # nor does anybody lose by it
])  # fmt: skip
def test_the_time_on_the_way_is_given_back_up_to_two_seconds(shown: int | None, kept: int) -> None:
    table = given(home(), FromAfar(what=PlayPly(text=PLIES[3], seat=1), left_us=shown), 10 * SECOND)
    assert left(table) == (MINUTE, kept)
    assert going(table).clock.running == 0


def test_nobody_gets_more_back_than_passed() -> None:
    table = given(home(), FromAfar(what=PlayPly(text=PLIES[3], seat=1), left_us=HOUR), SECOND)
    assert left(table) == (MINUTE, MINUTE)


@pytest.mark.parametrize(("kind", "kept"), [("increment", 55_700_000), ("delay", 55_700_000)])
def test_increment_and_delay_go_on_top_of_that(kind: Any, kept: int) -> None:
    """Five seconds more with each ply, or that do not count: ten seconds passed, of which 0.7 on the way."""
    table = home(rule=ClockRule(kind, 1, 5))
    before = left(table)[1]
    shown = before - 9_300_000 + (5 * SECOND if kind == "delay" else 0)
    table = given(table, FromAfar(what=PlayPly(text=PLIES[3], seat=1), left_us=shown), 10 * SECOND)
    assert left(table)[1] == before - MINUTE + kept


def test_a_flag_falls_at_home_when_no_move_in_time_can_come_any_more() -> None:
    table = home()
    assert not going(later(table, 61_900_000)).result.over
    table, said = step(table, Tick(table.t_us + 62_100_000))
    assert [type(note) for note in said] == [GameOver]
    assert (going(table).result.winner, going(table).result.why) == (0, "time")


def test_home_has_no_second_more_for_itself() -> None:
    assert going(later(home(4), 60_100_000)).result.why == "time"


def test_a_move_made_in_time_counts_although_it_comes_after_that() -> None:
    table = given(home(), FromAfar(what=PlayPly(text=PLIES[3], seat=1), left_us=300_000), 60_500_000)
    assert going(table).session.plies == PLIES
    assert left(table)[1] == 300_000


def test_a_move_made_too_late_ends_the_game_as_the_flag_does() -> None:
    table = home()
    order = FromAfar(what=PlayPly(text=PLIES[3], seat=1), left_us=0)
    table, said = step(table, Command(table.t_us + 60_500_000, order))
    assert going(table).session.plies == PLIES[:3]
    assert (going(table).result.winner, going(table).result.why) == (0, "time")
    (refusal,) = (note for note in said if isinstance(note, Refusal))
    assert refusal.reason == "the time of this seat was up before its move"


def test_a_move_that_the_rules_forbid_changes_no_clock() -> None:
    table = later(home(), 10 * SECOND)
    after, said = step(table, Command(table.t_us, FromAfar(what=PlayPly(text="a9-a8", seat=1), left_us=52 * SECOND)))
    assert isinstance(said[0], Refusal)
    assert msgspec.structs.replace(after, t_us=table.t_us) == table


@pytest.mark.parametrize("afar", [Afar((1,)), Afar((0,), follows=True)])
def test_nobody_stops_the_clocks(afar: Afar) -> None:
    table = begun(TIDES, afar, clock=A_MINUTE)
    _, said = step(table, Command(table.t_us, Pause(on=True)))
    assert [note.reason for note in said if isinstance(note, Refusal)] == [
        "the clocks of a game between two boards go on: it cannot be paused"
    ]


def test_a_game_that_was_paused_before_the_others_were_invited_goes_on() -> None:
    table = given(begun(TIDES, Afar(), clock=A_MINUTE), Pause(on=True))
    table = given(given(table, HoldAfar(afar=Afar((1,)))), Pause(on=False))
    assert not going(table).paused


def test_a_clock_runs_on_while_others_are_invited_and_stands_where_home_is_to_tell_it() -> None:
    table = given(begun(TIDES, Afar(), clock=A_MINUTE), PlayPly(text="c3-c4", seat=0))
    table = later(table, 10 * SECOND)
    at_home = later(given(table, HoldAfar(afar=Afar((1,)))), 10 * SECOND)
    assert left(at_home) == (MINUTE, 40 * SECOND)
    follows = later(given(table, HoldAfar(afar=Afar((1,), follows=True))), 10 * SECOND)
    assert left(follows) == (MINUTE, 50 * SECOND)


@pytest.mark.parametrize("began_us", [0, 11 * HOUR])
def test_a_far_board_shows_what_home_tells_and_counts_on_by_itself(began_us: int) -> None:
    """Whatever time it is there: only what has passed since counts."""
    table = far(began_us)
    home_now = HomeClock((MINUTE, 40 * SECOND), 1, 3 * SECOND)
    table = given(table, FollowHome(at=0, plies=PLIES[:1], clock=home_now), 5 * SECOND)
    assert left(table) == (MINUTE, 37 * SECOND)
    assert left(later(table, 4 * SECOND)) == (MINUTE, 33 * SECOND)


def test_no_flag_falls_at_a_far_board() -> None:
    table = given(far(), FollowHome(at=0, plies=PLIES[:1], clock=HomeClock((MINUTE, SECOND), 1)))
    table = later(table, HOUR)
    assert not going(table).result.over
    assert left(table) == (MINUTE, 0)


def test_a_hand_that_is_led_to_homes_move_changes_no_clock() -> None:
    table = given(far(), FollowHome(at=0, plies=PLIES[:1], clock=HomeClock((MINUTE, MINUTE), 1)))
    table = given(table, PlayPly(text=PLIES[0]), 7 * SECOND)
    assert going(table).session.plies == PLIES[:1]
    assert left(table) == (MINUTE, 53 * SECOND)


def test_a_far_clock_stands_while_the_move_is_on_its_way_and_goes_on_where_it_is_declined() -> None:
    table = given(far(), PlayPly(text=PLIES[0]))
    clock = HomeClock((MINUTE, MINUTE), 1)
    table = given(table, FollowHome(at=1, clock=clock))
    table = given(table, PlayPly(text=PLIES[1], seat=1), 8 * SECOND)
    assert going(table).sent is not None
    assert left(later(table, 5 * SECOND)) == (MINUTE, 52 * SECOND)
    table = given(table, FollowHome(at=1, clock=HomeClock((MINUTE, MINUTE), 1, 14 * SECOND)), 6 * SECOND)
    assert left(table) == (MINUTE, 46 * SECOND)


@pytest.mark.parametrize("wrong", [HomeClock((MINUTE,)), HomeClock((MINUTE,) * 3), HomeClock((MINUTE, MINUTE), 2)])
def test_clocks_of_another_game_are_not_believed(wrong: HomeClock) -> None:
    table = far()
    after, said = step(table, Command(table.t_us, FollowHome(at=0, plies=PLIES[:1], clock=wrong)))
    assert [note.reason for note in said if isinstance(note, Refusal)] == [
        "the clocks of the other board are of another game"
    ]
    assert after == table


def test_a_move_that_both_take_back_gives_no_time_back_to_who_made_it() -> None:
    table = given(home(), FromAfar(what=PlayPly(text=PLIES[3], seat=1)), 20 * SECOND)
    assert left(table) == (MINUTE, 40 * SECOND)
    table = given(given(table, TakeBack(to=3)), FromAfar(what=AgreeBack(seat=1, to=3)))
    assert left(later(table, SECOND)) == (MINUTE, 39 * SECOND)
