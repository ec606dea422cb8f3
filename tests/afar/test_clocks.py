"""A game with clocks between two whole services: what home's clock says, both boards show."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.game_setup import ClockRule
from controller.orders import NewGame, PlayPly
from controller.service.afar import home_link as afar_home
from controller.table.clock import left_us
from tests.afar.boards import Families, Family
from tests.afar.brokers import Cable
from tests.afar.test_secrets import SECRET, board_for, choose, chosen, opened, plays_on
from tests.service.evenings import assert_replays
from tests.waiting import until

pytestmark = pytest.mark.realtime  # a broker is a process of its own

TIDES = "tides-of-war"
SECOND, MINUTE, HOUR = 1_000_000, 60_000_000, 3_600_000_000
CLOSE = 1.5 * SECOND  # the two tables' time is moved by hand, one after the other


@pytest.fixture
def looked_at(tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Family, Family]]:
    """A game with clocks, and a board that may look on: two seconds late in place of a minute."""
    monkeypatch.setattr(afar_home, "DELAY_S", 2.0)
    for name in ("home", "shows"):
        (tmp_path / name).mkdir()
    home, shows = Family(tmp_path / "home", "square144", port), Family(tmp_path / "shows", "first36", None)
    home.at.order(NewGame(game=TIDES, seed=1, clock=ClockRule("sudden", 10)))
    home.rest(0.5)
    yield home, shows
    until(lambda: not home.at.seen.fault)
    for family in (home, shows):
        family.stop()


def shown(family: Family) -> tuple[int, ...]:
    """Return what the panel at that board shows."""
    return left_us(family.play.clock, family.at.clock())


def both_wait(two: Families, seconds: float) -> None:
    for family in (two.home, two.far):
        family.rest(seconds)


def alike(two: Families) -> bool:
    """Whether both boards show the same clocks, and the same one running."""
    near = all(abs(a - b) < CLOSE for a, b in zip(shown(two.home), shown(two.far), strict=True))
    return near and two.home.play.clock.running == two.far.play.clock.running


def test_both_boards_show_the_clocks_of_home(two: Families) -> None:
    two.far.at.clock.now_us += 11 * HOUR  # it is another time of the day there, or the clock is wrong
    two.begin(TIDES, ClockRule("increment", 10, 5))
    two.play(4)
    both_wait(two, 20)
    until(lambda: alike(two))
    first, second = shown(two.home)
    assert two.home.play.clock.running == 0
    both_wait(two, 30)
    assert shown(two.home) == (first - 30 * SECOND, second)
    assert alike(two)
    two.play(3)
    two.stop()
    for family in (two.home, two.far):
        assert_replays(family.path / "games.sqlite3", 1)


def test_a_flag_falls_at_home_and_ends_the_game_on_both_boards(two: Families) -> None:
    two.begin(TIDES, ClockRule("sudden", 1))
    two.play(3)
    two.far.rest(90)  # its own clock is at nothing, and that ends no game
    assert not two.far.play.result.over
    assert shown(two.far)[1] == 0
    two.home.rest(63)
    assert (two.home.play.result.winner, two.home.play.result.why) == (0, "time")
    two.far.until(lambda: two.far.play.result.over)
    assert two.far.play.result.why == "time"


def test_without_a_line_the_clock_runs_on_and_a_late_move_is_no_move(tmp_path: Path, port: int) -> None:
    cable = Cable(port)
    two = Families(tmp_path, "square144", "square144", port, far_port=cable.port)
    two.begin(TIDES, ClockRule("sudden", 1))
    two.play(3)
    two.together()
    cable.cut()
    two.far.order_any()
    left_there = shown(two.far)[1]
    two.far.rest(10)
    assert shown(two.far)[1] == left_there, "it stands while the move is on its way"
    two.home.rest(65)
    assert two.home.play.result.why == "time"
    cable.plug_in()
    two.far.until(lambda: two.far.play.result.over)
    assert two.far.play.session.plies == two.plies
    assert len(two.plies) == 3
    two.stop()
    cable.close()


def test_clocks_go_on_after_a_restart_of_either_board(two: Families) -> None:
    """At home they stand until the next move, as those of any game that is taken up again."""
    two.begin(TIDES, ClockRule("sudden", 10))
    two.play(4)
    both_wait(two, 20)
    two.far = two.far.again()
    two.far.until(lambda: two.far.play.session.afar.follows and two.far.play.clock.running == 0)
    until(lambda: alike(two))
    two.home = two.home.again()
    before = shown(two.home)
    two.far.until(lambda: two.far.play.clock.running is None)
    both_wait(two, 20)
    assert shown(two.home) == before
    two.play(2)
    until(lambda: alike(two))


def test_a_game_that_waits_beside_the_table_costs_nobody_time(two: Families) -> None:
    two.begin(TIDES, ClockRule("sudden", 1))
    two.play(3)
    two.home.at.order(NewGame(game=TIDES, seed=2))
    two.far.until(lambda: two.far.play.clock.running is None)
    before = shown(two.far)
    both_wait(two, 100)
    assert shown(two.far) == before
    two.far.order_any()
    two.far.until(lambda: "is not on the table" in two.far.at.table.advice)
    assert len(two.far.play.session.plies) == 3


@pytest.mark.parametrize("game", SECRET)
def test_nobodys_clock_runs_while_all_choose_in_secret(tmp_path: Path, port: int, game: str) -> None:
    two = Families(tmp_path, board_for(game), board_for(game), port)
    two.home.at.order(NewGame(game=game, options=SECRET[game], seed=1, clock=ClockRule("sudden", 1)))
    two.home.rest(0.5)
    two.far.afar.join(two.home.afar.invite(1))
    two.far.until(lambda: two.far.play is not None and two.far.play.session.afar.follows)
    choose(two.home, 0, chosen(two.home, 0))
    both_wait(two, 90)
    assert not two.home.play.result.over
    choose(two.far, 1, chosen(two.far, 1))
    two.far.until(lambda: opened(two))
    plays_on(two, 4)
    until(lambda: alike(two))
    running = two.home.play.clock.running
    assert running is not None
    before = shown(two.home)
    both_wait(two, 10)
    assert shown(two.home)[running] == before[running] - 10 * SECOND
    two.stop()


def test_a_board_that_looks_on_sees_a_game_with_clocks_late(looked_at: tuple[Family, Family]) -> None:
    home, shows = looked_at
    shows.follows(home.afar.invite(None))
    home.at.order(PlayPly(text="c3-c4"))
    made_s = time.monotonic()
    while time.monotonic() - made_s < 1.8:
        shows.rest(0.1)
        assert shows.play.session.plies == ()
        assert shows.play.session.decided == ""
    shows.until(lambda: shows.play.session.plies == ("c3-c4",))
    home.at.order(PlayPly(text="c6-b5"))
    shows.until(lambda: shows.play.clock.running == 0)


def test_a_board_invited_to_look_on_in_the_middle_is_shown_nothing_before_its_time(
    looked_at: tuple[Family, Family],
) -> None:
    """The position at which it was invited comes late like all that follows."""
    home, shows = looked_at
    home.at.order(PlayPly(text="c3-c4"))
    home.rest(0.5)
    link = home.afar.invite(None)
    invited_s = time.monotonic()
    shows.afar.join(link)
    while time.monotonic() - invited_s < 1.8:
        shows.rest(0.1)
        assert shows.play is None
    shows.until(lambda: shows.play is not None and shows.play.session.plies == ("c3-c4",))
    home.at.order(PlayPly(text="c6-b5"))
    made_s = time.monotonic()
    shows.until(lambda: shows.play.session.plies == ("c3-c4", "c6-b5") or shows.play.session.decided == "c6-b5")
    assert time.monotonic() - made_s > 1.8
