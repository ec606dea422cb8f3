"""The moments at which a touch counts as joining, lapses, or becomes the table's, to the microsecond."""

from __future__ import annotations

import msgspec
import pytest

from controller.diagnostics.guided_check import AWAY_US, LOST, CheckRequest
from controller.events import Event, Link, Snapshot, Tick, Touch
from controller.from_profile import table_board
from controller.orders import NewGame
from controller.panel.pieces_needed import expected
from controller.refused import Refused
from controller.service.sifting.chatter_filter import (
    BUSY,
    MOST,
    MOST_OF_ALL,
    ONE_MORE_OF_ALL_US,
    ONE_MORE_US,
    QUIET_US,
    STILL_US,
    ChatterFilter,
)
from controller.service.sifting.interceptor import Interceptor, Joining, Watched
from controller.service.sifting.join_by_touch import (
    GONE_US,
    MOST_REQUESTS,
    PROOF_US,
    TAKE_OFF_US,
    WAIT_US,
    JoinByTouch,
    NoCell,
    ask,
    forget,
    move,
    sift,
    watched,
)
from controller.table.orders import new_game
from controller.table.state import Table
from hardware.profile import load

SQUARE = load("square144")
T_US = 1_000_000
ANN, BEN = "ann", "ben"


@pytest.fixture
def table() -> Table:
    return Table(table_board(SQUARE), t_us=T_US)


@pytest.fixture
def joining(table: Table) -> JoinByTouch:
    """Return Ann's asking, made at `T_US`."""
    return ask(JoinByTouch(), ANN, table, T_US)


def site(joining: JoinByTouch, who: str = ANN) -> str:
    return joining.requests[who].site


def after(joining: JoinByTouch, *events: Event) -> tuple[JoinByTouch, list[Event], list[str]]:
    """Return what is asked for after ``events``, what of them the table received, and who proved to be there."""
    passed, present = list[Event](), list[str]()
    for event in events:
        sifted = sift(joining, event)
        joining = sifted.joining
        passed += sifted.events
        present += sifted.present
    return joining, passed, present


# ---- joining ----------------------------------------------------------------------------------------------


def test_a_cell_that_a_new_game_needs_is_exchanged_for_a_free_one(joining: JoinByTouch, table: Table) -> None:
    joining = ask(joining, BEN, table, T_US)
    own, other = site(joining), site(joining, BEN)
    begun, _ = new_game(table, NewGame(game="tides-of-war", seed=1))
    needed = set(expected(begun))
    moved = move(joining, begun)
    assert needed & {own, other}, "the cells lie where the game does"
    assert not needed & {site(moved), site(moved, BEN)}
    assert site(moved) != site(moved, BEN)
    assert move(moved, begun) is moved
    assert moved.requests[ANN].until_us == joining.requests[ANN].until_us


def test_an_asking_to_join_lapses_after_its_time_and_not_before(joining: JoinByTouch) -> None:
    assert joining.wake_us == T_US + WAIT_US
    assert after(joining, Tick(T_US + WAIT_US - 1))[0] == joining
    assert after(joining, Tick(T_US + WAIT_US))[0] == JoinByTouch()
    assert JoinByTouch().wake_us is None


def test_a_page_that_was_closed_ends_its_asking_and_never_makes_it_longer(joining: JoinByTouch) -> None:
    closed = watched(joining, ANN, False, T_US)
    assert closed.wake_us == T_US + GONE_US
    assert after(closed, Tick(T_US + GONE_US - 1))[0] == closed
    assert after(closed, Tick(T_US + GONE_US))[0] == JoinByTouch()
    assert watched(closed, ANN, True, T_US) == joining
    late = watched(joining, ANN, False, T_US + WAIT_US - 1)
    assert late.wake_us == T_US + WAIT_US
    assert watched(joining, BEN, False, T_US) is joining  # nobody of that name asks


def test_a_touch_proves_something_after_it_lay_long_enough(joining: JoinByTouch) -> None:
    on = Touch(T_US, site(joining), True)
    lying, passed, _ = after(joining, on)
    assert passed == []
    assert lying.wake_us == T_US + PROOF_US
    assert after(lying, Tick(T_US + PROOF_US - 1))[2] == []
    proved, _, present = after(lying, Tick(T_US + PROOF_US))
    assert present == [ANN]
    assert proved.meanings == {site(joining): "chore_off"}
    assert after(proved, Tick(T_US + PROOF_US + 1))[2] == []  # once is enough
    off = Touch(T_US + PROOF_US, site(joining), False)
    assert after(lying, off) == (JoinByTouch(), [], [ANN])
    short = Touch(T_US + PROOF_US - 1, site(joining), False)
    assert after(lying, short) == (joining, [], [])


def test_a_piece_that_stays_is_the_tables_in_the_end_with_its_pole(joining: JoinByTouch) -> None:
    where = site(joining)
    for first, pole in (
        (Touch(T_US, where, True, -1), -1),
        (Touch(T_US, where, True), 0),
        (Snapshot(T_US, frozenset({f"-{where}"})), -1),
        (Snapshot(T_US, frozenset({where})), 0),
    ):
        proved = after(joining, first, Tick(T_US + PROOF_US))[0]
        assert proved.wake_us == T_US + TAKE_OFF_US
        assert after(proved, Tick(T_US + TAKE_OFF_US - 1))[0] == proved
        over = Tick(T_US + TAKE_OFF_US)
        assert after(proved, over) == (JoinByTouch(), [over, Touch(over.t_us, where, True, pole)], [])


def test_a_piece_that_is_there_is_timed_from_when_it_came(joining: JoinByTouch) -> None:
    """A sensor that reports again what it has reported does not let a piece begin anew."""
    where = site(joining)
    again = after(joining, Touch(T_US, where, True), Touch(T_US + PROOF_US // 2, where, True))[0]
    assert again.wake_us == T_US + PROOF_US


def test_what_lies_there_waits_for_nobody_and_is_not_forgotten(joining: JoinByTouch, table: Table) -> None:
    lying = after(joining, Touch(T_US + WAIT_US - 1, site(joining), True))[0]
    assert after(lying, Tick(T_US + WAIT_US))[0] == lying  # it came in time
    assert forget(lying, ANN) is lying
    assert ask(lying, ANN, table, T_US) is lying
    assert forget(joining, ANN) == JoinByTouch()
    assert forget(joining, BEN) is joining


def test_the_table_learns_of_a_snapshot_all_but_the_cells_that_are_asked_for(joining: JoinByTouch) -> None:
    where = site(joining)
    seen = Snapshot(T_US, frozenset({where, f"-{where}", "l12", "-l11"}))
    assert after(joining, seen)[1] == [Snapshot(T_US, frozenset({"l12", "-l11"}))]
    other = Touch(T_US, "l12", True)
    assert after(joining, other)[1] == [other]


def test_six_may_ask_at_once_and_one_of_them_again(table: Table) -> None:
    joining = JoinByTouch()
    for number in range(MOST_REQUESTS):
        joining = ask(joining, str(number), table, T_US)
    assert len(joining.sites) == MOST_REQUESTS
    with pytest.raises(NoCell, match="6 phones are joining already"):
        ask(joining, "another", table, T_US)
    again = ask(joining, "0", table, T_US + 1)
    assert again.requests["0"].until_us == T_US + 1 + WAIT_US


def test_only_cells_are_asked_for() -> None:
    board = table_board(load("shell19"))
    assert any(":" in each for each in board.sites)
    joining = JoinByTouch()
    for who in "abcdef":
        joining = ask(joining, who, Table(board), T_US)
    assert not [each for each in joining.sites if ":" in each or "." in each]


def test_a_cell_beside_the_game_is_asked_for_before_one_of_it() -> None:
    table = new_game(Table(table_board(SQUARE)), NewGame(game="tides-of-war", seed=1))[0]
    assert table.play is not None
    inside = frozenset(table.board.where(table.play.game_area.area))
    assert 0 < len(inside) < len(table.board.sites)
    joining = JoinByTouch()
    for who in "abcdef":
        joining = ask(joining, who, table, T_US)
    assert not inside & joining.sites


# ---- between sensors and table ----------------------------------------------------------------------------


def request(what: str, who: str = ANN) -> CheckRequest:
    return msgspec.convert({"what": what, "who": who, "board": SQUARE, "of": "lights"}, CheckRequest)


def test_time_wakes_the_interceptor_for_whatever_is_due_first(table: Table) -> None:
    sieve = Interceptor()
    assert sieve.wake_us is None
    sieve.ask(Joining(ANN, lambda: None), table, T_US)
    assert sieve.wake_us == T_US + WAIT_US
    sieve.ask(Joining(ANN, None), table, T_US)
    assert sieve.wake_us is None
    sieve.send(request("begin"), table, T_US)
    assert sieve.wake_us == T_US + AWAY_US
    sieve.send(request("stay"), table, T_US + 1)
    assert sieve.wake_us == T_US + 1 + AWAY_US
    heard, present = sieve.sift(Tick(T_US + 1 + AWAY_US))  # the phone is lost
    assert sieve.running_check is None
    assert sieve.check is not None
    assert sieve.check.ended == LOST
    assert heard == (
        Link(T_US + 1 + AWAY_US, True),
        Snapshot(T_US + 1 + AWAY_US, frozenset()),
        Tick(T_US + 1 + AWAY_US),
    )
    assert present == ()


def test_whoever_is_there_is_called_once_and_who_gave_up_never(table: Table) -> None:
    sieve, came = Interceptor(), list[str]()
    for who in (ANN, BEN):
        sieve.ask(Joining(who, lambda who=who: came.append(who)), table, T_US)  # type: ignore[misc]
    ann, ben = site(sieve.joining), site(sieve.joining, BEN)
    sieve.ask(Joining(BEN, None), table, T_US)
    for event in (Touch(T_US, ann, True), Touch(T_US, ben, True), Tick(T_US + PROOF_US), Tick(T_US + PROOF_US + 1)):
        _, present = sieve.sift(event)
        sieve.settle(table, present)
    assert came == [ANN]


def test_a_check_and_an_asking_wait_for_each_other(table: Table) -> None:
    sieve = Interceptor()
    sieve.ask(Joining(ANN, lambda: None), table, T_US)
    with pytest.raises(Refused, match="somebody else is joining"):
        sieve.send(request("begin"), table, T_US)
    sieve.ask(Watched(ANN, False), table, T_US)
    assert sieve.wake_us == T_US + GONE_US
    sieve.ask(Joining(ANN, None), table, T_US)
    (told,) = sieve.send(request("begin"), table, T_US)
    assert isinstance(told, Link)
    assert not told.up
    assert sieve.send(request("begin"), table, T_US) == ()  # again: the table knows already
    with pytest.raises(NoCell, match="a board check is running"):
        sieve.ask(Joining(BEN, lambda: None), table, T_US)
    assert sieve.send(request("end"), table, T_US) == (Link(T_US, True), Snapshot(T_US, frozenset()))


def test_of_a_board_that_is_silent_already_a_check_tells_the_table_nothing(table: Table) -> None:
    silent = msgspec.structs.replace(table, link="the sensor board does not answer")
    sieve = Interceptor()
    assert sieve.send(request("begin"), silent, T_US) == ()
    assert sieve.send(request("end"), silent, T_US) == ()


def test_on_another_board_who_asks_is_asked_anew_and_no_check_runs(table: Table) -> None:
    sieve, other = Interceptor(), Table(table_board(load("shell19")))
    sieve.ask(Joining(ANN, lambda: None), table, T_US)
    sieve.change_board(other, T_US + 5)
    assert site(sieve.joining) in other.board.sites
    assert sieve.wake_us == T_US + 5 + WAIT_US
    sieve.ask(Joining(ANN, None), other, T_US)
    sieve.send(request("begin"), table, T_US)
    assert sieve.alone is not None
    sieve.change_board(other, T_US)
    assert sieve.check is None
    assert sieve.alone is None


# ---- contacts that chatter --------------------------------------------------------------------------------


def passed(sieve: ChatterFilter, t_us: int, on: bool, where: str = "c3") -> bool:
    return Touch(t_us, where, on) in sieve.hear(Touch(t_us, where, on))


def chattered(changes: int, gap_us: int = 1) -> tuple[ChatterFilter, list[bool]]:
    """Return the filter after so many changes, and which of them were passed on; the first says that a magnet came."""
    sieve = ChatterFilter()
    return sieve, [passed(sieve, T_US + gap_us * number, number % 2 == 0) for number in range(changes)]


def test_of_a_contact_that_chatters_so_many_changes_are_passed_on_one_by_one_and_no_more() -> None:
    sieve, told = chattered(MOST + 3)
    # That a magnet has come is told all the same, and not that it goes and comes again.
    assert told == [True] * (MOST + 1) + [False] * 2
    assert sieve.wake_us is None  # the last one said that a magnet is there


def test_half_a_second_of_rest_is_worth_one_change() -> None:
    for rest_us, heard in ((2 * ONE_MORE_US - 20_000, False), (2 * ONE_MORE_US, True)):
        sieve, _ = chattered(MOST)
        later_us = T_US + MOST + rest_us
        assert passed(sieve, later_us, True)
        assert passed(sieve, later_us + 1, False) == heard


def test_a_sensor_is_believed_again_after_ten_seconds_and_not_before() -> None:
    for gap_us in (STILL_US - 1, STILL_US):
        sieve, _ = chattered(MOST + 1)
        last_us = T_US + MOST
        assert sieve.hear(Touch(last_us + gap_us, "c3", False))[-1:] == (
            (Touch(last_us + gap_us, "c3", False),) if gap_us == STILL_US else ()
        )


def test_a_magnet_is_gone_when_its_sensor_has_been_quiet_for_a_moment_and_they_go_in_their_order() -> None:
    sieve = ChatterFilter()
    for number in range(MOST + 2):
        for where in ("d4", "c3"):
            passed(sieve, T_US + number, number % 2 == 0, where)
    end_us = T_US + MOST + 2
    for where, t_us in (("c3", end_us), ("d4", end_us + 1)):
        passed(sieve, t_us, True, where)
        assert not passed(sieve, t_us + 10, False, where)
    assert sieve.wake_us == end_us + 10 + QUIET_US
    assert sieve.hear(Tick(sieve.wake_us - 1)) == (Tick(sieve.wake_us - 1),)
    late = Tick(end_us + 11 + QUIET_US)
    gone = (Touch(end_us + 10 + QUIET_US, "c3", False), Touch(end_us + 11 + QUIET_US, "d4", False))
    assert sieve.hear(late) == (*gone, late)
    assert sieve.wake_us is None


def test_on_a_board_that_is_flooded_a_busy_sensor_is_cut_down_sooner_and_time_makes_room_again() -> None:
    """Twenty sensors with as many changes as all together may have, each far from its own bound."""
    sieve = ChatterFilter()
    sites = [f"{file}{rank}" for file in "abcdefghij" for rank in (1, 2)]
    each = MOST_OF_ALL // len(sites)
    assert BUSY < each < MOST
    for number in range(each):
        for where in sites:
            assert passed(sieve, T_US, number % 2 == 0, where)
    assert not passed(sieve, T_US, False, "a1")
    assert passed(sieve, T_US, True, "l12")  # a quiet one is heard all the same
    sieve.hear(Touch(T_US, "b1", False))
    later_us = T_US + STILL_US + 10 * ONE_MORE_OF_ALL_US
    assert passed(sieve, later_us, True, "a1")
