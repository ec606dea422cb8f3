"""Clocks, resigning, draws and pauses, in virtual time."""

from __future__ import annotations

import pytest

from controller.game_setup import ClockRule
from controller.table.clock import flag_us, handed_on, left_us, stopped, wound
from tests.table.scenes import Scene

MINUTE, SECOND = 60_000_000, 1_000_000


def test_sudden_death_runs_down_for_who_thinks() -> None:
    clock = handed_on(wound(ClockRule("sudden", 1), 2), 0, 0)
    assert left_us(clock, 10 * SECOND) == (50 * SECOND, MINUTE)
    clock = handed_on(clock, 1, 10 * SECOND)
    assert left_us(clock, 15 * SECOND) == (50 * SECOND, 55 * SECOND)
    assert flag_us(clock) == 70 * SECOND


def test_an_increment_is_won_by_finishing_the_turn() -> None:
    clock = handed_on(wound(ClockRule("increment", 1, 5), 2), 0, 0)
    assert handed_on(clock, 0, 3 * SECOND) == clock  # several goes in one turn
    assert left_us(handed_on(clock, 1, 10 * SECOND), 10 * SECOND) == (55 * SECOND, MINUTE)
    assert left_us(stopped(clock, 10 * SECOND), 99 * SECOND) == (50 * SECOND, MINUTE)


def test_a_delay_does_not_count_at_the_start_of_each_turn() -> None:
    clock = handed_on(wound(ClockRule("delay", 1, 5), 2), 0, 0)
    assert left_us(clock, 4 * SECOND) == (MINUTE, MINUTE)
    assert left_us(clock, 7 * SECOND) == (58 * SECOND, MINUTE)
    assert flag_us(clock) == 65 * SECOND


def timed(game: str = "tides-of-war", kind: str = "sudden") -> Scene:
    return Scene(game, clock={"kind": kind, "minutes": 1})


def test_the_first_ply_starts_the_clock_of_the_second_player() -> None:
    scene = timed().hands("-c3 +c4")
    play = scene.run(until_ms=10_000).play
    assert play.clock.running == 1
    assert play.left_us == ((MINUTE, MINUTE), (MINUTE, MINUTE))
    play = scene.hands("-c6@10000 +b5").run().play
    assert play.clock.running == 0
    assert play.left_us[-1][1] == pytest.approx(MINUTE - 10.4 * SECOND, abs=SECOND)


def test_who_has_no_time_left_has_lost() -> None:
    table = timed().hands("-c3 +c4").run(until_ms=59_900)
    assert table.phase == "play"
    table = timed().hands("-c3 +c4").run(until_ms=60_100)
    assert table.phase == "over"
    assert (table.play.result.winner, table.play.result.why) == (0, "time")


def test_what_was_thought_over_a_move_that_is_taken_back_stays_spent() -> None:
    table = timed().hands("-c3 +c4 -c6@10000 +b5 -b5 +c6").run(until_ms=350)
    assert table.play.session.plies == ("c3-c4",)
    assert table.play.left_us[-1] == (MINUTE, pytest.approx(MINUTE - 10.4 * SECOND, abs=SECOND))
    assert table.play.clock.running == 1


def test_nobody_thinks_for_ever_by_taking_back_the_own_moves() -> None:
    """Black thinks twenty seconds over each of three moves, and takes each of them back."""
    scene = timed().hands("-c3 +c4")
    for _ in range(3):
        scene = scene.hands("-c6@20000 +b5 -b5@1000 +c6@600")
    assert scene.run(until_ms=900).play.result.why == "time"


def thought(kind: str = "sudden", **clock: int) -> Scene:
    """White has moved; Black has thought for 20 s and moved, White for 15 s over the answer."""
    scene = Scene("tides-of-war", clock={"kind": kind, "minutes": 1, **clock}).hands("-c3 +c4 -c6@20000 +b5")
    scene.t_ms += 15_000
    return scene


def test_who_sees_the_others_move_taken_back_gets_the_time_over_it_again() -> None:
    play = thought().order(do="take_back", to=1, by=[1]).run(until_ms=100).play
    assert play.left_us[-1] == (MINUTE, pytest.approx(MINUTE - 20 * SECOND, abs=SECOND))
    assert play.clock.running == 1


def test_what_a_move_gained_is_gone_with_it() -> None:
    play = thought("increment", seconds=30).order(do="take_back", to=1, by=[1]).run(until_ms=100).play
    assert play.left_us[-1] == (MINUTE, pytest.approx(MINUTE - 20 * SECOND, abs=SECOND))


def test_of_an_answer_that_is_taken_back_too_only_the_own_time_stays_spent() -> None:
    scene = thought().hands("-d2 +d3")
    scene.t_ms += 5_000
    play = scene.order(do="take_back", to=1, by=[1]).run(until_ms=100).play
    assert play.session.plies == ("c3-c4",)
    assert play.left_us[-1] == (MINUTE, pytest.approx(MINUTE - 25 * SECOND, abs=1.5 * SECOND))


def test_to_the_first_move_all_time_is_given_back_since_nobodys_ran_before_it() -> None:
    play = thought().order(do="take_back", to=0, by=[0]).run(until_ms=100).play
    assert (play.left_us[-1], play.clock.running) == ((MINUTE, MINUTE), None)


@pytest.mark.parametrize(("kind", "gained_s"), [("sudden", 0), ("increment", 5), ("delay", 5)])
def test_who_goes_on_with_the_last_ply_has_thought_all_the_while(kind: str, gained_s: int) -> None:
    """Black jumps after 20 s and jumps on 25 s later: that was one ply, and the time was Black's alone."""
    scene = Scene("tides-of-war", clock={"kind": kind, "minutes": 1, "seconds": gained_s}).hands("-c3 +d3")
    table = scene.hands("-e3@20000 +c3 -d3 -c3@25000 +a1 -b2").run()
    assert table.play.session.plies == ("c3-d3", "e3xc3xa1")
    assert table.play.left_us[-1][0] == MINUTE
    assert table.play.left_us[-1][1] == pytest.approx((60 - 46 + gained_s) * SECOND, abs=SECOND)


def test_a_longer_way_that_is_ordered_is_one_ply_of_one_time_to_think() -> None:
    scene = timed().hands("-c3 +d3 -e3@20000 +c3 -d3")
    scene.t_ms += 10_000
    table = scene.order(do="ply", text="e3xc3xa1", seat=1).run()
    assert table.play.session.plies == ("c3-d3", "e3xc3xa1")
    assert table.play.left_us[-1] == (MINUTE, pytest.approx(MINUTE - 31 * SECOND, abs=SECOND))


def test_the_first_ply_gone_on_with_starts_the_clock_once_it_is_whole() -> None:
    scene = Scene("tides-of-war", after="c3-d3", clock={"kind": "sudden", "minutes": 1})
    table = scene.hands("-e3 +c3 -d3 -c3@25000 +a1 -b2").run()
    assert table.play.session.plies == ("c3-d3", "e3xc3xa1")
    assert table.play.left_us[-1] == (MINUTE, MINUTE)


def test_a_pause_stops_the_clock_and_lets_pieces_be_moved() -> None:
    scene = timed().hands("-c3 +c4").order(do="pause", on=True).hands("-c6 +b5").order(do="pause", on=False)
    table = scene.run(until_ms=100)
    assert table.phase == "fix"  # what was moved meanwhile is to be put right
    assert table.play.session.plies == ("c3-c4",)
    table = scene.hands("-b5 +c6").run(until_ms=100)
    assert table.phase == "play"
    assert table.play.session.plies == ("c3-c4",)


def test_resigning_lets_the_other_win() -> None:
    table = Scene("tides-of-war").order(do="resign", seat=0).run()
    assert (table.phase, table.play.result.winner, table.play.result.why) == ("over", 1, "resigned")


def test_a_draw_needs_every_seat() -> None:
    scene = Scene("tides-of-war").order(do="offer_draw", seat=1)
    assert scene.run().play.offers == (1,)
    refused = Scene("tides-of-war").order(do="offer_draw", seat=1).order(do="refuse_draw", seat=0)
    assert refused.run().play.offers == ()
    answered = Scene("tides-of-war").order(do="offer_draw", seat=1).hands("-c3 +c4")
    assert answered.run().play.offers == ()
    table = scene.order(do="offer_draw", seat=0).run()
    assert (table.play.result.winner, table.play.result.why) == (None, "agreed")


def test_a_ply_after_the_end_is_not_taken() -> None:
    assert Scene("tides-of-war").order(do="resign", seat=0).hands("-c3 +c4").plies() == []
