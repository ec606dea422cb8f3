"""The link of a board that is home, without a line: what it writes down, holds, tells late, and carries out beside."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.afar.keys import WATCHES, GameLink, written
from controller.afar.log import Begun
from controller.afar.messages import Ask, LogHello
from controller.afar.sealing import Sealing
from controller.afar.seats import DELAY_S
from controller.game_setup import Afar, ClockRule
from controller.orders import HoldAfar, NewGame, OfferDraw, PlayPly, Resign, TakeBack
from controller.service.afar.files import BoardLinkFile, LinkFile
from controller.service.afar.home_link import HomeLink
from controller.service.afar.links import AWAY_S
from tests.afar.wire import LINK
from tests.service.evenings import TIDES, Evening

CLOCK = ClockRule("sudden", 9)
ELSEWHERE = "this game is not on the table at the other board now"

replace = msgspec.structs.replace


class Home:
    """A board at which game 1 is on, and its link to another board."""

    def __init__(self, folder: Path, seat: int = 1, clock: ClockRule | None = None) -> None:
        self.evening, self.now_s = Evening(folder / "games.sqlite3").start(), 100.0
        self.evening.order(NewGame(game=TIDES, seed=1, clock=clock)).set_up()
        link: GameLink = replace(LINK, seat=seat)
        begun = Begun(TIDES, {}, 1, (), clock) if clock else Begun(TIDES, {}, 1)
        kept = BoardLinkFile("home", written(link), 1, begun)
        self.file = LinkFile(folder / "links", kept)
        self.file.save(kept)
        self.sent: list[bytes] = []
        self.link = HomeLink(self.evening.service, self.file, self.sent.append, lambda: self.now_s)
        if clock is None:
            self.evening.order(HoldAfar(afar=Afar(self.link.seats_held())))
        self.look()

    def look(self) -> None:
        self.link.look(self.evening.settle().seen)

    def ply(self, text: str) -> None:
        self.evening.ply(text).set_up().wait(1000)
        self.look()

    @property
    def logged(self) -> list[str]:
        """The plies of the log on disk."""
        known = self.file.log()
        assert known is not None
        return list(known.plies)

    def asks(self, what: PlayPly | OfferDraw | TakeBack | Resign) -> str:
        return self.link._carry_out(Ask("0" * 16, 0, "0" * 64, 1, what))


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    yield home
    home.evening.stop()


@pytest.fixture
def timed(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path, clock=CLOCK)
    yield home
    home.evening.stop()


@pytest.fixture
def shown(tmp_path: Path) -> Iterator[Home]:
    """Another board looks on at a game with clocks."""
    home = Home(tmp_path, seat=WATCHES, clock=CLOCK)
    yield home
    home.evening.stop()


def test_what_happens_on_the_table_is_in_the_log_once_it_was_looked_at(home: Home) -> None:
    assert home.link.settled
    home.evening.ply("c3-c4").set_up()
    assert not home.link.settled
    home.look()
    assert home.link.settled
    assert home.logged == ["c3-c4"]
    home.evening.order(Resign(seat=0))
    home.look()
    known = home.file.log()
    assert known is not None
    assert (known.ended.over, known.ended.winner) == (True, 1)


def test_the_seat_of_the_other_board_is_held_while_its_game_is_on_the_table(home: Home) -> None:
    assert home.link.seats_held() == (1,)
    assert home.link.state == "The other board has not answered yet."
    home.link.heard_s = home.now_s
    assert home.link.state == "The other board is there."
    home.evening.order(NewGame(game=TIDES, seed=2)).set_up()
    home.look()
    assert home.link.seats_held() == ()
    assert home.link.state.startswith("The other board is there, but this game is not on the table")
    assert not home.link.settled
    home.now_s += AWAY_S - 1
    assert home.link.there
    home.now_s += 1
    assert not home.link.there
    assert home.link.state.startswith("The other board does not answer at the moment")
    home.link.line = "There is no broker."
    assert home.link.state == "There is no broker."


def test_an_order_is_carried_out_on_the_table_or_declined_with_why(home: Home) -> None:
    home.ply("c3-c4")
    assert home.asks(PlayPly(text="c6-c6", seat=1)) != ""
    assert home.asks(PlayPly(text="c6-b5", seat=1)) == ""
    assert home.logged == ["c3-c4", "c6-b5"]


def test_beside_the_table_a_move_is_made_in_the_journal_and_what_waits_for_an_answer_is_not(home: Home) -> None:
    home.ply("c3-c4")
    home.evening.order(NewGame(game=TIDES, seed=2)).set_up()
    home.look()
    assert home.asks(OfferDraw(seat=1)) == home.asks(TakeBack(by=(1,))) == ELSEWHERE
    assert home.asks(PlayPly(text="c6-b5", seat=1)) == ""
    assert home.logged == ["c3-c4", "c6-b5"]
    assert home.evening.journal.saved(1).plies == ("c3-c4", "c6-b5")
    assert home.evening.plies == []
    assert home.asks(PlayPly(text="castle", seat=0)) != ""
    home.file.kept = replace(home.file.kept, game_id=None)
    assert home.asks(PlayPly(text="c2-d3", seat=1)) == ELSEWHERE


def test_a_game_with_clocks_waits_for_the_table(timed: Home) -> None:
    timed.ply("c3-c4")
    assert timed.link._clocks() is not None
    timed.evening.order(NewGame(game=TIDES, seed=2)).set_up()
    timed.look()
    assert timed.asks(PlayPly(text="c6-b5", seat=1)) == ELSEWHERE
    assert timed.logged == ["c3-c4"]


def test_the_clocks_of_a_game_that_waits_beside_the_table_stand_where_they_were(timed: Home) -> None:
    timed.evening.hands("-c3 +c4")
    timed.look()
    running = timed.link._clocks()
    assert running is not None
    assert running.running == 1
    timed.evening.wait(60_000)
    later = timed.link._clocks()
    assert later is not None
    assert later.ran_us - running.ran_us == 60_000_000
    timed.evening.order(NewGame(game=TIDES, seed=2)).set_up()
    timed.look()
    stands = timed.link._clocks()
    assert stands is not None
    assert stands.running is None
    assert stands.left_us[1] < running.left_us[1] - 60_000_000
    timed.evening.wait(60_000)
    assert timed.link._clocks() == stands


def test_who_looks_on_at_a_game_with_clocks_is_told_a_minute_later(shown: Home) -> None:
    assert shown.link.wake_s == 100.0 + DELAY_S  # how it began
    shown.now_s += 5
    shown.ply("c3-c4")
    assert shown.logged == []
    shown.now_s = 100.0 + DELAY_S
    shown.link.pass_time()
    assert shown.logged == []
    waits_s = shown.link.wake_s
    assert waits_s is not None
    assert 100.0 + DELAY_S < waits_s <= 105.0 + DELAY_S
    shown.now_s = 104.9 + DELAY_S
    shown.link.pass_time()
    assert shown.logged == []
    shown.now_s = 105.0 + DELAY_S
    shown.link.pass_time()
    assert shown.logged == ["c3-c4"]
    assert shown.link.seats_held() == ()
    assert not shown.link.takes


def test_home_that_was_handed_over_is_home_no_longer(home: Home) -> None:
    assert not home.link.turned
    home.link.hand_over()
    assert home.link.turned
    known = home.file.log()
    assert known is not None
    assert (known.handed, known.n) == (1, 1)
    assert not home.link.closed


def test_what_was_written_to_this_board_before_its_start_is_answered_with_who_it_is_now(home: Home) -> None:
    """The other board need not wait until it asks again."""
    before, far = (Sealing(home.file.link, end, os.urandom) for end in ("down", "up"))
    far.open(before.seal(home.link._hello()))
    home.link.hear(far.seal(Ask("0" * 16, 0, "0" * 64, 1, Resign(seat=1))))
    (answer,) = home.sent
    assert isinstance(far.open(answer).what, LogHello)
    assert not home.evening.table.play.result.over


def test_home_is_handed_to_a_board_that_is_there_knows_how_and_plays(tmp_path: Path) -> None:
    for seat, may in ((1, True), (WATCHES, False)):  # who looks on cannot have it
        (tmp_path / str(seat)).mkdir()
        each = Home(tmp_path / str(seat), seat)
        each.link.heard_s = each.now_s
        assert not each.link.takes  # an earlier version has not said that it can
        each.link._home.takes = True
        assert each.link.takes == may
        each.now_s += AWAY_S
        assert not each.link.takes
        each.evening.stop()
