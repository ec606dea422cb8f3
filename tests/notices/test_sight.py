"""What of a real table and its phones decides about notices: whose turn it is since when, and nothing secret."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from controller.app.notices_of import NOBODY, _sight, notices_of
from controller.notices.due import TableSight
from controller.orders import NewGame, Pause, PlayPly, Resign
from controller.settings import Settings
from tests.afar.boards import Families
from tests.service.evenings import Evening
from tests.waiting import until
from web_panel.people.phones import Phones, new_secret


class Seen:
    """A game on a board, with a phone far away in seat 1."""

    def __init__(self, path: Path, board: str) -> None:
        self.at, self.phones = Evening(path, board).start(), Phones()
        self.id = self.phones.ask(new_secret(), "Ada", afar=True)
        self.phones.admit(self.id)

    @property
    def now(self) -> TableSight:
        return _sight(self.at.seen, self.phones)

    def ply(self, text: str, seat: int | None = None) -> None:
        """Make a ply, and let the pieces stand as it says."""
        self.at.order(PlayPly(text=text, seat=seat))
        self.at.set_up()


def test_a_turn_its_game_and_who_moved_last(tmp_path: Path) -> None:
    seen = Seen(tmp_path / "games.sqlite3", "square144")
    assert (seen.now.game, seen.now.seat, seen.now.ready) == (None, None, False)
    seen.at.order(NewGame(game="tides-of-war", seed=1))
    assert (seen.now.seat, seen.now.ready) == (0, False)  # the pieces are being set up
    seen.at.set_up()
    first = seen.now
    assert (first.title, first.seat, first.began, first.mover, first.ready) == ("Tides of War", 0, 0, "", True)
    assert not first.afar  # the phone holds no seat
    seen.phones.take(seen.id, 1)
    seen.ply("c3-c4")
    then = seen.now
    assert (then.game, then.seat, then.began, then.mover, then.afar) == (first.game, 1, 1, "White", True)
    seen.at.order(Pause(on=True))
    assert not seen.now.ready
    seen.at.order(Pause(on=False))
    seen.at.order(Resign(seat=1))
    assert (seen.now.over, seen.now.ready) == (True, False)
    seen.at.stop()


def test_several_plies_of_one_seat_are_one_turn(tmp_path: Path) -> None:
    seen = Seen(tmp_path / "games.sqlite3", "shell19")
    seen.at.laid_out("beacons", rounds=1, seed=5)
    bids = ("bid 3 9", "bid 9 3")
    movers = []
    for seat, bid in enumerate(bids):
        movers.append((seen.now.seat, seen.now.mover))
        seen.ply(bid, seat)
    assert movers == [(0, ""), (1, "")]  # that somebody has bid is nobody's business
    opened = seen.now
    assert (opened.seat, opened.began) == (1, 1)  # who has bid last is the first to move, and goes on
    session = seen.at.table.play.session
    texts = (session.game.text(session.state, ply) for ply in session.game.plies(session.state))
    seen.ply(next(text for text in texts if text != "end"))
    now = seen.now
    assert (now.seat, now.began, now.mover) == (1, 1, "Player 2")
    assert now.version > opened.version
    told = repr([now, opened])
    assert not any(bid in told for bid in bids)
    seen.at.stop()


def test_a_move_of_another_board_is_told_before_hands_have_followed_it_here(tmp_path: Path, port: int) -> None:
    two = Families(tmp_path, "square144", "square144", port)
    two.begin("tides-of-war")
    phones = Phones()
    before = _sight(two.far.at.seen, phones)
    assert (before.seat, before.afar, before.mover) == (0, True, "")
    two.home.at.order(PlayPly(text="c3-c4"))
    far = two.far.at
    until(lambda: far.seen.table.play.session.decided == "c3-c4")
    led = _sight(far.seen, phones)
    assert (led.seat, led.began, led.mover, led.ready) == (1, 1, "White", True)
    two.far.until(lambda: two.far.play.session.plies == ("c3-c4",) and two.far.right())
    then = _sight(far.seen, phones)
    assert (then.game, then.seat, then.began, then.mover) == (led.game, led.seat, led.began, led.mover)  # the same turn
    two.stop()


def test_rules_that_fail_let_nobody_be_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    seen = Seen(tmp_path / "games.sqlite3", "square144")
    seen.at.laid_out("tides-of-war")
    frame = seen.at.seen
    play = frame.table.play
    assert play is not None
    play = msgspec.structs.replace(play, session=msgspec.structs.replace(play.session, name="no-such-game"))
    broken = msgspec.structs.replace(frame, table=msgspec.structs.replace(frame.table, play=play))
    assert _sight(broken, seen.phones) == TableSight(frame.version)
    assert [
        (each.message, each.exc_info is not None) for each in caplog.records if each.name.endswith("notices_of")
    ] == [("whose turn it is, for notices", True)]  # who writes rules finds why in the log
    seen.at.stop()


def test_push_services_are_told_an_address_of_who_runs_the_board(tmp_path: Path) -> None:
    seen = Seen(tmp_path / "games.sqlite3", "square144")
    service = seen.at.service
    for settings, contact in (
        (Settings(), NOBODY),
        (Settings(afar_relay="http://relay.example"), NOBODY),
        (Settings(afar_relay="https://relay.example"), "https://relay.example"),
        (Settings(afar_relay="https://relay.example", panel_address="https://b.example/"), "https://b.example/"),
    ):
        kept = msgspec.structs.replace(settings, journal=str(tmp_path / "games.sqlite3"))
        assert notices_of(service, seen.phones, kept)._around.contact == contact
    seen.at.stop()
