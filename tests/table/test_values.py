"""What the table is made of, each value by itself: boards and areas, promises, matches, changes, and when it wakes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from controller.commitments import Committed
from controller.game_setup import ClockRule, Match
from controller.orders import FromAfar, HomeClock, PlayPly, Resign
from controller.rules.game import Illegal, Piece, Result
from controller.rules.registry import game_named
from controller.table import afar_clocks, matches
from controller.table.board import Board, DoesNotFit, game_area
from controller.table.captures import captured
from controller.table.clock import Clock
from controller.table.gestures.changes import MOST_EACH, SiteChange, folded, gone_us, last_us
from controller.table.gestures.weak_magnets import LATELY_US, MANY, Flicker, recent, weak_sites
from controller.table.help_shown import Help
from controller.table.pieces_named import piece_called
from controller.table.promises import ANSWER_US, Promise, Promises
from controller.table.state import Arrival, Table
from tests.table.scenes import Scene

replace = msgspec.structs.replace
MS, SECOND, MINUTE = 1000, 1_000_000, 60_000_000
SEEN_US = SECOND // 4  # nobody sees that two clocks differ by less
LATE_US = 2 * SECOND  # no ply is on its way for longer


# ---- boards -----------------------------------------------------------------------------------------------

PLACED = {"tides-of-war": {"a1": "x1", "a2": "x2"}}
REED = Board("small", ("x1", "x2", "x3"), PLACED)
HALL = replace(REED, poles=True)


def test_a_board_of_reed_contacts_has_a_bit_for_each_site_and_one_of_hall_sensors_two() -> None:
    assert [REED.bit("x2", pole) for pole in (-1, 0, 1)] == [2, 2, 2]
    assert [HALL.bit("x2", pole) for pole in (-1, 0, 1)] == [16, 2, 2]
    assert HALL.mask(["x1", "-x3"]) == 1 | 32
    assert HALL.marks(1 | 32) == ("x1", "-x3")
    assert HALL.where(1 | 32) == ("x1", "x3")
    assert REED.where(6) == ("x2", "x3")
    with pytest.raises(ValueError, match="not in tuple"):
        REED.bit("x9")


def test_a_game_lies_where_the_board_places_it_and_its_sites_count_with_either_pole_down() -> None:
    area = game_area(HALL, "tides-of-war", ["a1", "a2"], {})
    assert area.bit == {"a1": 1, "a2": 2}
    assert area.area == 0b011011
    assert [area.both(bits) for bits in (1, 8, 2, 4)] == [9, 9, 18, 0]
    assert [area.alike(bit, 0b011011) for bit in (1, 16)] == [0b000011, 0b011000]
    assert area.names(1) == area.names(8) == ("a1",)
    reed = game_area(REED, "tides-of-war", ["a1", "a2"], {})
    assert (reed.area, reed.both(3), reed.names(3)) == (3, 3, ("a1", "a2"))
    assert reed.alike(1, 3) == 3


def test_a_game_that_does_not_fit_is_refused_with_those_that_do() -> None:
    two = replace(REED, placements={"tides-of-war": {}, "circle": {}})
    with pytest.raises(
        DoesNotFit, match="cyvasse does not fit the board small; games that fit it: circle, tides-of-war"
    ):
        game_area(two, "cyvasse", [], {})
    with pytest.raises(DoesNotFit, match=r"games that fit it: none$"):
        game_area(replace(REED, placements={}), "cyvasse", [], {})
    for cells, shape in ((["a1", "a3"], {}), (["a1"], {"a3": Piece(0, "stone")})):
        with pytest.raises(DoesNotFit, match="needs a site a3 that the board small does not have"):
            game_area(REED, "tides-of-war", cells, shape)


# ---- promises ---------------------------------------------------------------------------------------------


def promise(seat: int, nonce: str = "n", shown: bool = False) -> Promise:
    return Promise(
        Committed(seat=seat, made=0, commit="c", nonce=nonce, plies=("bid 5 7",) if nonce else ()), "p", shown
    )


def test_what_was_promised_is_pending_until_it_is_settled() -> None:
    both = Promises().with_one(promise(0)).with_one(promise(1))
    assert [each.what.seat for each in both.pending] == [0, 1]
    assert both.have([0, 1])
    assert not both.have([0, 2])
    assert not both.shown([0])
    assert (both.of(1), both.of(2)) == (promise(1), None)
    over = both.over()
    assert over.pending == ()
    assert over.last == both.all  # they stay the last ones
    assert over.of(0) is None
    assert over.over().last == both.all
    again = over.with_one(promise(0))
    assert (again.pending, again.last) == ((promise(0),), (promise(0),))
    assert again.over().last == (promise(0),)


def test_a_promise_that_is_shown_takes_the_place_of_the_one_that_was_made() -> None:
    both = Promises().with_one(promise(0)).with_one(promise(1)).with_one(promise(0, shown=True))
    assert len(both.all) == 2
    assert both.shown([0])
    assert not both.shown([0, 1])
    assert not both.shown([2])
    assert both.public[0].plies == ("bid 5 7",)
    assert both.public[1].plies == ()
    assert both.of(1) is not None
    assert promise(1).known
    assert not promise(1, nonce="").known


def test_who_has_not_shown_it_for_long_after_all_had_promised_is_late() -> None:
    both = replace(Promises().with_one(promise(0)).with_one(promise(1)), since_us=7 * SECOND)
    assert both.late_us == 7 * SECOND + ANSWER_US
    assert replace(both, late=True).late_us is None
    assert replace(both, since_us=None).late_us is None
    assert replace(both, settled=2).late_us is None


# ---- clocks far away --------------------------------------------------------------------------------------


def timed(running: int | None, since_us: int = 0) -> Any:
    table = Scene("tides-of-war", clock={"kind": "sudden", "minutes": 1}).run()
    assert table.play is not None
    return replace(table.play, clock=Clock(ClockRule("sudden", 1), (MINUTE, MINUTE), running, since_us))


def test_home_tells_how_long_the_running_clock_has_run() -> None:
    assert afar_clocks.clocks_at(timed(0, 2 * SECOND), 5 * SECOND) == HomeClock((MINUTE, MINUTE), 0, 3 * SECOND)
    assert afar_clocks.clocks_at(timed(None), 5 * SECOND) == HomeClock((MINUTE, MINUTE), None, 0)
    assert afar_clocks.clocks_at(timed(0, 9 * SECOND), 5 * SECOND) == HomeClock((MINUTE, MINUTE), 0, 0)
    assert afar_clocks.clocks_at(replace(timed(0), clock=None), 0) is None


def test_another_board_shows_the_clocks_of_home_and_none_of_another_game() -> None:
    shown = afar_clocks.as_told(timed(None), HomeClock((50 * SECOND, 40 * SECOND), 1, 3 * SECOND), 10 * SECOND)
    assert shown.clock == Clock(ClockRule("sudden", 1), (50 * SECOND, 40 * SECOND), 1, 7 * SECOND)
    stands = afar_clocks.as_told(timed(1), HomeClock((50 * SECOND, 40 * SECOND)), 10 * SECOND).clock
    assert (stands.running, stands.left_us) == (None, (50 * SECOND, 40 * SECOND))
    for wrong in (HomeClock((1, 1, 1), 0, 0), HomeClock((1, 1), 2, 0)):
        with pytest.raises(Illegal, match="of another game"):
            afar_clocks.as_told(timed(None), wrong, 0)
    with pytest.raises(Illegal, match="of another game"):
        afar_clocks.as_told(replace(timed(0), clock=None), HomeClock((1, 1), 0, 0), 0)


def test_clocks_differ_where_people_could_see_it() -> None:
    play = timed(0, 2 * SECOND)
    same = HomeClock((MINUTE, MINUTE), 0, 3 * SECOND)
    assert not afar_clocks.differ(play, same, 5 * SECOND)
    assert not afar_clocks.differ(play, same, 5 * SECOND + SEEN_US)
    assert afar_clocks.differ(play, same, 5 * SECOND + SEEN_US + 1)
    assert afar_clocks.differ(play, same, 5 * SECOND - SEEN_US - 1)
    assert afar_clocks.differ(play, replace(same, running=1), 5 * SECOND)
    assert afar_clocks.differ(play, replace(same, left_us=(MINUTE, 1)), 5 * SECOND)


def test_the_time_that_a_ply_was_on_its_way_is_given_back_but_no_more_than_that() -> None:
    def back_us(left_us: int | None, t_us: int = 5 * SECOND, seat: int = 0, what: Any = None) -> int:
        play = timed(0, 2 * SECOND)
        order = FromAfar(what=what or PlayPly("c3-c4", seat=seat), left_us=left_us)
        return int(afar_clocks.given_back(play, order, t_us).clock.since_us) - 2 * SECOND

    assert back_us(58 * SECOND) == SECOND  # 57 seconds are left here, 58 were when the hand had made it
    assert back_us(57 * SECOND) == back_us(50 * SECOND) == 0
    assert back_us(MINUTE, 3 * SECOND) == SECOND
    assert back_us(MINUTE) == LATE_US
    assert back_us(MINUTE, 2 * SECOND + 2 * LATE_US) == LATE_US
    assert back_us(None) == 0
    assert back_us(MINUTE, seat=1) == 0
    assert back_us(MINUTE, what=Resign(seat=0)) == 0


def test_a_ply_that_is_on_its_way_stops_the_clock_as_the_hand_saw_it() -> None:
    shown = afar_clocks.shown_until(timed(0, 2 * SECOND), 5 * SECOND).clock
    assert (shown.running, shown.left_us) == (None, (57 * SECOND, MINUTE))
    assert afar_clocks.shown_until(timed(0, 2 * SECOND), SECOND).clock.left_us == (MINUTE, MINUTE)
    assert afar_clocks.run_out(timed(0, 2 * SECOND), 62 * SECOND)
    assert not afar_clocks.run_out(timed(0, 2 * SECOND), 62 * SECOND - 1)
    assert not afar_clocks.run_out(timed(None), 99 * MINUTE)


# ---- matches ----------------------------------------------------------------------------------------------


def match(to: int, won: tuple[int, ...], winner: int | None = None, over: bool = True, games: int = 0) -> Any:
    result = Result(over, winner, "resigned" if over else "")
    return SimpleNamespace(match=Match(to, won, games), seats=2, result=result, played_by=())


def test_a_match_counts_won_games_until_somebody_has_enough() -> None:
    assert matches.tally(match(2, (), 1)) == (0, 1)
    assert matches.tally(match(2, (1, 0), None)) == (1, 0)  # a draw
    assert matches.tally(match(2, (1, 0), 0, over=False)) == (1, 0)
    assert matches.decided(match(2, (1, 0), 0)) == 0
    assert matches.decided(match(2, (1, 1), 1)) == 1
    assert matches.decided(match(2, (1, 0), 1)) is None
    alone = match(2, (), 0)
    alone.match = None
    assert matches.tally(alone) == (1, 0)
    assert matches.decided(alone) is None
    assert matches.following(alone, "keep") is None


def test_the_tally_moves_with_the_people_and_a_decided_match_begins_anew() -> None:
    assert matches.following(match(3, (1, 0), 0, games=1), "keep") == Match(3, (2, 0), 2)
    assert matches.following(match(3, (1, 0), 0, games=1), "turn") == Match(3, (0, 2), 2)
    assert matches.following(match(3, (1, 0), 0, games=1), "lots") == Match(3)
    assert matches.following(match(2, (1, 0), 0, games=1), "keep") == Match(2)
    assert matches.following(match(3, (1, 0), None, over=False, games=1), "keep") == Match(3, (1, 0), 1)


# ---- changes of sites -------------------------------------------------------------------------------------


def changes(*told: tuple[int, bool]) -> tuple[SiteChange, ...]:
    """Fold changes of one site, each a time in milliseconds and whether it fills."""
    found: tuple[SiteChange, ...] = ()
    for t_ms, on in told:
        found = folded(found, SiteChange(t_ms * MS, 1, on), 60 * MS, 40 * MS)
    return found


def test_what_is_back_soon_was_never_gone_and_what_is_gone_soon_was_never_there() -> None:
    assert changes((0, False), (59, True)) == ()
    assert len(changes((0, False), (60, True))) == 2
    assert changes((0, True), (99, False)) == ()  # it began to count at 40
    assert len(changes((0, True), (100, False))) == 2
    assert len(changes((0, True), (10, True))) == 2
    lost = (SiteChange(0, 1, False, unseen=True),)
    assert len(folded(lost, SiteChange(10 * MS, 1, True), 60 * MS, 40 * MS)) == 2  # nobody knows when it went
    other = (SiteChange(0, 2, False),)
    assert len(folded(other, SiteChange(10 * MS, 1, True), 60 * MS, 40 * MS)) == 2


def test_of_a_contact_that_chatters_the_oldest_changes_are_forgotten_in_pairs() -> None:
    told = [(100 * number, number % 2 == 1) for number in range(MOST_EACH)]
    assert len(changes(*told)) == MOST_EACH
    more = changes(*told, (100 * MOST_EACH, False))
    assert len(more) == MOST_EACH - 1
    assert more[0].t_us == 200 * MS


def test_how_long_a_site_was_empty() -> None:
    gone = changes((100, False))
    assert gone_us(gone, SiteChange(350 * MS, 1, True)) == 250 * MS
    assert gone_us(gone, SiteChange(350 * MS, 1, False)) is None
    assert gone_us(gone, SiteChange(350 * MS, 2, True)) is None
    assert gone_us(changes((100, True)), SiteChange(350 * MS, 1, True)) is None
    assert last_us(changes((100, False), (300, True))) == 300 * MS
    assert last_us(()) < 0


def test_a_site_that_comes_and_goes_often_is_not_believed_until_it_keeps_still() -> None:
    flickers = tuple(Flicker(number * SECOND, 4) for number in range(MANY))
    assert weak_sites(flickers, MANY * SECOND) == 4
    assert weak_sites(flickers[1:], MANY * SECOND) == 0
    assert weak_sites(flickers, LATELY_US) == 4
    assert weak_sites(flickers, LATELY_US + 1) == 0
    assert len(recent(flickers, LATELY_US + 1)) == MANY - 1


# ---- words and captures -----------------------------------------------------------------------------------


def test_a_piece_is_called_by_its_player_where_that_is_clear() -> None:
    tides, giants, cyvasse = (game_named(name) for name in ("tides-of-war", "giantslayer", "cyvasse"))
    assert piece_called(tides, Piece(1, "stone")) == "Black's stone"
    assert piece_called(giants, Piece(1, "giant")) == "the giant"
    assert piece_called(cyvasse, Piece(None, "M")) == "the mountain"
    assert piece_called(tides, None) == "the piece"
    assert piece_called(tides, Piece(2, "boat")) == "the boat"


def test_a_captured_piece_is_remembered_with_who_took_it_until_it_comes_back() -> None:
    game = game_named("tides-of-war")
    start = game.start(game.options(), 0)
    moved = game.play_text(start, "c3-c4")
    taken = game.play_text(moved, "c5xc3")
    stone = (1, Piece(0, "stone"))
    assert captured(game, start, moved) == ()
    assert captured(game, moved, taken) == (stone,)
    assert captured(game, moved, taken, (stone,)) == (stone, stone)
    assert captured(game, taken, moved, (stone,)) == ()


# ---- when the table wakes ---------------------------------------------------------------------------------


def test_the_table_wakes_for_what_comes_first() -> None:
    table = Table(REED)
    assert table.wake_us is None
    steady_us = table.timing.steady_ms * MS
    arrived = replace(table, arrivals=(Arrival(9 * SECOND, 1), Arrival(7 * SECOND, 2)))
    assert arrived.wake_us == 7 * SECOND + steady_us
    assert replace(arrived, due_us=7 * SECOND).wake_us == 7 * SECOND
    assert replace(arrived, due_us=8 * SECOND).wake_us == 7 * SECOND + steady_us


def test_help_that_is_shown_ends_and_a_game_without_it_waits_for_none() -> None:
    table = Scene("tides-of-war").run()
    assert table.play is not None
    assert table.help_us is None
    assert Table(REED).help_us is None
    helped = replace(table, play=replace(table.play, help=Help("move", 99 * SECOND)))
    assert helped.help_us == helped.wake_us == 99 * SECOND


def test_two_pieces_in_the_hand_and_nothing_else_open_the_menu_after_a_while() -> None:
    scene = Scene("tides-of-war").hands("-a2 -b1")
    table = scene.run(1000)
    assert table.phase == "fix"
    assert table.menu_us == table.changed_us + table.timing.menu_ms * MS
    assert Scene("tides-of-war").hands("-a2").run(1000).menu_us is None
    assert Scene("tides-of-war").hands("-a2 -b1 +f6").run(1000).menu_us is None
    assert Scene("tides-of-war").hands("-a2 -b1 -c1").run(1000).menu_us is None
    opened = scene.run(4000)
    assert opened.play is not None
    assert opened.play.menu
    assert opened.menu_us is None


def test_the_clock_that_runs_wakes_the_table_and_a_ply_that_waits_to_be_sure_was_made_in_time() -> None:
    table = Scene("tides-of-war", clock={"kind": "sudden", "minutes": 1}).hands("-c3 +c4").run()
    assert table.play is not None
    clock = table.play.clock
    assert clock is not None
    flag_us = clock.since_us + MINUTE
    assert table.flag_us == flag_us
    assert replace(table, play=replace(table.play, clock=None)).flag_us is None
    assert Table(REED).flag_us is None
    waits = Scene("tides-of-war", clock={"kind": "sudden", "minutes": 1}).hands("-c3 +c4 -c6 +b5").run(150)
    assert waits.play is not None
    assert waits.play.verdict.made
    assert waits.play.clock is not None
    flag_us = waits.play.clock.since_us + MINUTE
    assert waits.flag_us == flag_us
    assert replace(waits, due_us=flag_us + 9 * SECOND).flag_us == flag_us + 9 * SECOND + 1
    assert replace(table, due_us=flag_us + 9 * SECOND).flag_us == table.flag_us
