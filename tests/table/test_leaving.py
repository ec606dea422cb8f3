"""Games of more than two that one leaves: at any moment, from any seat, and what the others have begun goes on."""

from __future__ import annotations

from typing import Any

import pytest

from controller.events import Command, Snapshot, Tick
from controller.game_setup import Afar, ClockRule, Match, Opponents
from controller.journal.recording import afresh
from controller.orders import (
    AgreeBack,
    BoardPlays,
    FollowHome,
    NewGame,
    OfferDraw,
    PlayPly,
    Redo,
    RefuseBack,
    RefuseDraw,
    Resign,
    TakeBack,
)
from controller.table.notes import BoardStands, Refusal
from controller.table.state import Table
from controller.table.table import step
from controller.table.views.lights import CALM
from controller.table.views.panel_view import match_view, picture
from tests.table.afar_tables import begun, given, going
from tests.table.scenes import Scene, standing
from tests.table.test_matches import Evening

FOUR = {"players": 4}


def circle(**more: Any) -> Evening:
    return Evening().order(NewGame(game="circle", options=FOUR, **more))


def beacons(players: int = 3, **more: Any) -> Evening:
    return Evening("shell19").order(NewGame(game="beacons", options={"players": players, **more}, seed=1))


def trio() -> Evening:
    return beacons(template="trio")


def waits(evening: Evening) -> str:
    return picture(evening.table, CALM, 0).waits


# ---- draws and other agreements of all --------------------------------------------------------------------


@pytest.mark.parametrize(("begin", "out"), [(circle, 3), (circle, 0), (trio, 1), (beacons, 2)])
def test_a_draw_needs_all_who_play_on_and_nobody_else(begin: Any, out: int) -> None:
    evening = begin().order(Resign(seat=out))
    others = [seat for seat in range(evening.play.seats) if seat != out]
    evening.order(OfferDraw(seat=out))
    assert evening.refused.endswith("is out already")
    for seat in others:
        assert not evening.play.result.over
        evening.order(OfferDraw(seat=seat), RefuseDraw(seat=out))
        assert evening.refused.endswith("is out already") or evening.play.result.over
    assert evening.play.result.why == "agreed"
    assert evening.play.result.winner is None
    assert evening.play.outcome.by == tuple(others)


def test_those_without_units_are_not_asked_for_a_draw() -> None:
    evening = circle().order(Resign(seat=3), Resign(seat=1), OfferDraw(seat=0))
    assert waits(evening) == "White offers a draw: Blue may accept or decline it."
    assert [seat.out for seat in picture(evening.table, CALM, 0).seats] == [False, True, False, True]
    evening.order(OfferDraw(seat=2))
    assert evening.play.result.why == "agreed"
    assert not any(seat.out for seat in picture(evening.table, CALM, 0).seats)


def test_when_the_one_leaves_who_had_not_agreed_all_others_have() -> None:
    evening = circle().order(OfferDraw(seat=0), OfferDraw(seat=1), OfferDraw(seat=3), Resign(seat=2))
    assert evening.play.session.plies == ("out 3",)
    assert evening.play.result.why == "agreed"
    evening.order(TakeBack())  # first the draw, then the resignation
    assert not evening.play.result.over
    evening.order(TakeBack())
    assert evening.play.session.plies == ()


def test_an_offer_of_the_one_who_leaves_goes_with_it() -> None:
    evening = circle().order(OfferDraw(seat=0), OfferDraw(seat=2), Resign(seat=2))
    assert evening.play.offers == (0,)


def test_who_is_out_does_not_answer_a_take_back() -> None:
    evening = circle().order(Resign(seat=2), PlayPly(text="a2+"), TakeBack(asks=True, by=(0,)))
    asked = evening.play.back_asked
    assert asked is not None
    evening.order(RefuseBack(seat=2))
    assert evening.refused == "Blue is out already"
    evening.order(AgreeBack(seat=2, to=1))
    assert evening.refused == "Blue is out already"
    assert evening.play.back_asked == asked
    evening.order(RefuseBack(seat=1))
    assert evening.play.back_asked is None


def test_who_is_out_may_ask_for_its_resignation_back_and_think_better_of_it() -> None:
    evening = circle().order(Resign(seat=2), TakeBack(asks=True, by=(2,)))
    assert evening.play.back_asked is not None
    evening.order(RefuseBack(seat=2))
    assert (evening.play.back_asked, evening.refused) == (None, "")


def test_the_board_answers_a_draw_for_no_seat_that_is_out() -> None:
    held = Opponents(levels=(0, 0, 3, 0))
    evening = circle(opponents=held).order(OfferDraw(seat=0))
    assert evening.refused == "in this game the board does not answer draw offers"
    evening.order(Resign(seat=2), OfferDraw(seat=0), OfferDraw(seat=1), OfferDraw(seat=3))
    assert evening.play.result.why == "agreed"


# ---- while the board is set up ----------------------------------------------------------------------------


def unset(**more: Any) -> Table:
    """Return a table with nothing on it and a game of four that is to be set up."""
    return step(Evening().table, Command(1_000_000, NewGame(game="circle", options=FOUR, **more)))[0]


def stood(table: Table) -> Table:
    """Return ``table`` with every piece where it should be."""
    assert table.play is not None
    here = frozenset(table.board.marks(table.play.settled.position.standing))
    return step(table, Snapshot(table.t_us + 1_000_000, here))[0]


def test_who_resigns_while_the_board_is_set_up_is_out_alone() -> None:
    table = given(unset(), Resign(seat=1))
    assert going(table).session.plies == ("out 2",)
    assert (table.phase, going(table).result.over) == ("setup", False)
    assert going(table).verdict.missing.bit_count() == 15
    table, said = step(table, Snapshot(9_000_000, frozenset(table.board.marks(going(table).standings[-1]))))
    assert table.phase == "play"
    assert [note.n for note in said if isinstance(note, BoardStands)] == [1]
    assert not going(table).settled.pending_chores


def test_pieces_that_were_put_for_who_left_are_to_be_taken_off() -> None:
    table = stood(unset())
    before = table.now
    table = step(unset(), Snapshot(2_000_000, frozenset(table.board.marks(before & ~(before & -before)))))[0]
    table = given(table, Resign(seat=1))
    assert table.phase == "setup"
    assert going(table).verdict.extra.bit_count() == 5


def test_three_of_four_resign_while_the_board_is_set_up() -> None:
    table = unset()
    for seat in (0, 2, 3):
        table = given(table, Resign(seat=seat))
    assert (going(table).result.winner, going(table).result.why) == (1, "quick")
    _, said = step(table, Command(table.t_us, Resign(seat=1)))
    assert [note.reason for note in said if isinstance(note, Refusal)] == ["the game is over"]


def test_a_resignation_that_was_taken_back_is_made_again_by_nobody_but_who_resigns() -> None:
    """Whoever was to move had a button for it, and put the other one out once more."""
    table = given(stood(unset()), PlayPly(text="a2+"))
    table = given(given(table, Resign(seat=2)), PlayPly(text="a3+"))
    table = given(table, TakeBack(to=0))  # more than the resignation
    assert going(table).undone == ("a2+",)
    table = given(given(table, Redo()), Resign(seat=2))
    table = given(table, TakeBack())
    assert going(table).undone == ()
    _, said = step(table, Command(table.t_us, Redo()))
    assert [note.reason for note in said if isinstance(note, Refusal)] == ["no move was taken back just now"]


def test_a_resignation_is_taken_back_and_made_again_while_the_board_is_set_up() -> None:
    table = given(unset(clock=ClockRule(minutes=1)), Resign(seat=1))
    assert going(table).clock.running is None
    table = given(table, TakeBack())
    assert (table.phase, going(table).session.plies) == ("setup", ())
    assert going(table).verdict.missing.bit_count() == 20
    assert going(table).clock.running is None
    table = given(table, Resign(seat=1))
    assert (table.phase, going(table).session.plies) == ("setup", ("out 2",))
    table = stood(table)
    assert table.phase == "play"
    table = given(table, TakeBack())  # now the board has stood
    assert table.phase == "play"
    assert going(table).settled.pending_chores.bit_count() == 5


def test_a_restart_goes_on_setting_up() -> None:
    again, _ = afresh(given(unset(), Resign(seat=1)))
    assert again.play is not None
    assert (again.phase, again.play.session.plies) == ("setup", ("out 2",))
    again, _ = afresh(stood(given(unset(), Resign(seat=1))))
    assert again.phase != "setup"


def test_a_draw_is_agreed_by_those_who_are_left_while_the_board_is_set_up() -> None:
    table = given(unset(), Resign(seat=1))
    for seat in (0, 2, 3):
        table = given(table, OfferDraw(seat=seat))
    assert going(table).result.why == "agreed"


# ---- what the others have begun ---------------------------------------------------------------------------


def four(**more: Any) -> Scene:
    return Scene("circle", options=FOUR, **more)


def test_a_piece_in_the_hand_of_who_is_to_move_goes_on() -> None:
    scene = four().hands("-b2").order(do="resign", seat=2).hands("+c3")
    assert scene.plies() == ["out 3", "b2-c3"]


def test_a_move_that_only_waits_for_quiet_is_made() -> None:
    scene = four().hands("-b2 +c3@100")
    scene.pace = 20
    scene.order(do="resign", seat=1)
    assert scene.plies() == ["out 2", "b2-c3"]


def test_the_mover_who_leaves_takes_what_it_had_begun_along() -> None:
    scene = four().hands("-b2").order(do="resign", seat=0)
    table = scene.run()
    assert table.play is not None
    assert table.play.session.plies == ("out 1",)
    assert table.play.session.game.seat(table.play.session.state) == 1
    assert table.play.settled.pending_chores.bit_count() == 4
    table = scene.hands("-a2 -b1 -a3 -c1").run()
    assert standing(table)
    assert table.phase == "play"


def test_the_pieces_of_who_left_come_off_while_the_others_play_on() -> None:
    scene = four().order(do="resign", seat=1).hands("-b2 +c3 -a8 -b9 -a7 -b8 -c9")
    assert scene.plies() == ["out 2", "b2-c3"]
    assert standing(scene.run())


def test_a_pause_goes_on_and_so_do_the_clocks() -> None:
    evening = circle(clock=ClockRule(minutes=1)).order(PlayPly(text="b1-c2"))
    evening.think(10_000_000)
    evening.order(Resign(seat=2))
    assert evening.play.clock.running == 0
    evening.think(10_000_000)
    left = evening.play.clock.left_us[0] - (evening.table.t_us - evening.play.clock.since_us)
    assert 38_000_000 <= left <= 39_000_000  # 22 s of a minute, however often others leave
    evening.think(45_000_000)
    assert evening.play.session.plies == ("b1-c2", "out 3", "out 1")
    assert evening.play.clock.running == 1


def test_who_was_put_out_by_time_and_is_let_in_again_has_the_time_of_that_turn() -> None:
    evening = circle(clock=ClockRule(minutes=1)).order(PlayPly(text="b1-c2"))
    evening.think(61_000_000)
    assert evening.play.session.plies == ("b1-c2", "out 1")
    evening.order(TakeBack(to=1))
    assert evening.play.session.plies == ("b1-c2",)
    assert (evening.play.clock.running, evening.play.left_us[-1][0]) == (0, 60_000_000)


def test_the_bids_go_on_when_time_puts_one_out() -> None:
    evening = Evening("shell19")
    evening.order(NewGame(game="beacons", options={"players": 3, "bid": 5}, clock=ClockRule(minutes=1), seed=1))
    evening.order(PlayPly(text="bid 5 0 0"))
    evening.think(61_000_000)
    assert evening.play.session.plies == ("bid 5 0 0", "out 2")
    assert evening.play.clock.running == 2
    evening.think(61_000_000)
    assert (evening.play.result.winner, evening.play.result.why) == (0, "last")


# ---- bids, matches, seats of others -----------------------------------------------------------------------


def test_three_who_resign_one_after_the_other_at_the_bids_hear_one_sentence() -> None:
    evening = beacons(bid=5).order(Resign(seat=0))
    assert "Player 1 (out): points 0, units 0." in picture(evening.table, CALM, 1).lines
    evening.order(Resign(seat=1))
    assert (evening.play.result.winner, evening.play.result.why) == (2, "last")
    evening.order(Resign(seat=2))
    assert evening.refused == "the game is over"


def test_four_of_five_resign_at_the_bids_and_the_match_counts_it() -> None:
    evening = Evening("shell19").order(NewGame(game="beacons", options={"players": 5}, seed=1, match=Match(2)))
    evening.order(*(Resign(seat=seat) for seat in (4, 0, 2, 3)))
    assert evening.play.result.over
    match = match_view(evening.play)
    assert match is not None
    assert match.won == (0, 1, 0, 0, 0)


def test_a_resignation_at_the_bids_is_taken_back_as_long_as_it_opened_nothing() -> None:
    evening = beacons(bid=5).order(Resign(seat=0), TakeBack(), PlayPly(text="bid 5 0 0"), Resign(seat=1), TakeBack())
    assert evening.play.session.plies == ("bid 5 0 0",)
    evening.order(Resign(seat=1), Resign(seat=2), TakeBack())
    assert evening.refused == "move 3 has revealed secrets: nothing up to it can be taken back"


def test_a_seat_of_the_board_leaves_with_what_it_has_decided() -> None:
    evening = circle(opponents=Opponents(levels=(3, 0, 0, 0)))
    evening.order(BoardPlays(text="b2-c3", made=0))
    assert evening.play.session.decided == "b2-c3"
    evening.order(Resign(seat=0))
    assert (evening.refused, evening.play.session.plies) == ("", ("out 1",))
    assert evening.play.session.game.seat(evening.play.session.state) == 1


def test_the_board_decides_anew_when_another_one_leaves() -> None:
    evening = circle(opponents=Opponents(levels=(3, 0, 0, 0))).order(BoardPlays(text="b2-c3", made=0), Resign(seat=2))
    assert evening.play.session.thinking
    evening.order(BoardPlays(text="b2-b3", made=0))
    assert evening.refused == "the board decided this move for another position"
    evening.order(BoardPlays(text="b2-b3", made=1))
    assert evening.play.session.decided == "b2-b3"


def test_no_hand_is_led_to_a_resignation_at_another_board() -> None:
    table = given(begun("circle", Afar((0, 1, 2), follows=True), FOUR), FollowHome(at=0, plies=("out 2",)))
    assert (going(table).session.plies, going(table).session.decided) == (("out 2",), "")
    table = given(table, FollowHome(at=1, plies=("b2-c3",)))
    assert going(table).session.decided == "b2-c3"
    table = given(table, FollowHome(at=1, plies=("out 1",)))  # that move was taken back before anybody made it here
    assert (going(table).session.plies, going(table).session.decided) == (("out 2", "out 1"), "")


def test_time_that_puts_one_out_while_another_one_is_asked_something() -> None:
    evening = circle(clock=ClockRule(minutes=1)).order(PlayPly(text="b1-c2"), TakeBack(asks=True, by=(0,)))
    assert evening.play.back_asked is not None
    evening.order(OfferDraw(seat=3))
    evening.table, _ = step(evening.table, Tick(evening.table.t_us + 61_000_000))
    assert evening.play.session.plies == ("b1-c2", "out 1")
    assert (evening.play.back_asked, evening.play.offers) == (None, (3,))


def test_pieces_come_off_when_the_sensors_answer_again() -> None:
    scene = four()
    scene.lines.append({"t_us": 1_100_000, "link": False})
    table = scene.order(do="resign", seat=1).run()
    assert table.play is not None
    assert table.play.session.plies == ("out 2",)
    back = step(table, Snapshot(table.t_us + 1_000_000, frozenset(table.board.marks(table.now))))[0]
    assert going(back).settled.pending_chores.bit_count() == 5
    assert back.phase == "play"


def test_a_piece_in_the_hand_goes_on_when_a_resignation_is_made_again() -> None:
    scene = four().order(do="resign", seat=2).order(do="take_back").hands("-b2")
    scene.order(do="resign", seat=2).hands("+c3")
    assert scene.plies() == ["out 3", "b2-c3"]
