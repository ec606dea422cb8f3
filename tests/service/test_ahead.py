"""A game that begins with many plies is played through by who orders it: the table only lays it out."""

from __future__ import annotations

import threading
from pathlib import Path

import msgspec
import pytest

from controller.events import Command
from controller.from_profile import table_board
from controller.journal.database import Journal
from controller.orders import NewGame, PlayPly, Resume, SetBrightness
from controller.refused import Refused
from controller.rules.game import Illegal
from controller.service.dry_run import DryRun, NotLegal
from controller.service.heartbeat import Heartbeat
from controller.table import session as sessions
from controller.table.orders import resume
from controller.table.session import Left
from controller.table.starting_plies import reach
from controller.table.state import Table
from controller.table.table import step
from hardware.profile import load
from tests.service.evenings import Evening, assert_replays

PLIES = ("c2-d3", "e4xc2xc4", "b4-b5", "f2-f1")
ORDER = NewGame(game="tides-of-war", seed=3, plies=PLIES)
GIVEN = Left(PLIES, given=len(PLIES))
BIDS = NewGame(game="beacons", options={"players": 2}, seed=1)


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the threads that play plies through."""
    threads: list[str] = []
    through = sessions.Session.through

    def noted(
        self: sessions.Session, plies: tuple[str, ...], kept: sessions.Kept = (), given: int = 0
    ) -> sessions.Session:
        threads.append(threading.current_thread().name)
        return through(self, plies, kept, given)

    monkeypatch.setattr(sessions.Session, "through", noted)
    return threads


def test_the_table_plays_nothing_through_that_was_played_through_for_it(tmp_path: Path, played: list[str]) -> None:
    evening = Evening(tmp_path / "games.sqlite3").start()
    evening.order(ORDER).set_up()
    assert evening.plies == list(PLIES)
    evening.order(NewGame(game="tides-of-war", seed=1))
    evening.order(Resume(game_id=1)).set_up()
    assert evening.plies == list(PLIES)
    assert len(played) == 2
    assert "table" not in played
    evening.stop()
    assert_replays(evening.path, 1)


def test_a_ply_that_is_not_legal_is_told_with_its_number_and_never_gets_to_the_table(
    tmp_path: Path, played: list[str]
) -> None:
    evening = Evening(tmp_path / "games.sqlite3").start().new_game()
    with pytest.raises(Refused, match=r"move 3, 'a2-a5': "):
        evening.order(NewGame(game="tides-of-war", plies=(*PLIES[:2], "a2-a5")))
    assert "table" not in played
    assert evening.plies == []
    evening.stop()


def test_it_comes_to_the_same_as_without() -> None:
    table = Table(table_board(load("square144")))
    slow, said = step(table, Command(9, ORDER))
    fast, also_said = step(table, Command(9, ORDER, reach(table.board, ORDER, GIVEN)))
    assert (slow, said) == (fast, also_said)


def test_where_other_plies_lead_is_not_believed() -> None:
    table = Table(table_board(load("square144")))
    other = reach(table.board, ORDER, Left(PLIES[:2], given=2))
    now, _ = step(table, Command(9, ORDER, other))
    assert now.play is not None
    assert now.play.session.plies == PLIES


def test_who_made_a_ply_in_secret_is_a_part_of_where_plies_lead() -> None:
    table, left = Table(table_board(load("shell19"))), Left(("bid 6 6",), kept=((0, "ann"),))
    known = reach(table.board, BIDS, left)
    assert resume(table, BIDS, left, known) == resume(table, BIDS, left)
    for kept in ((), ((0, "bob"),)):
        now, _ = resume(table, BIDS, msgspec.structs.replace(left, kept=kept), known)
        assert now.play is not None
        assert now.play.session.positions[-1].kept == (kept or ((0, ""),))
    given, _ = resume(table, BIDS, Left(left.plies, given=1), known)
    assert given.play is not None
    assert given.play.session.positions[-1].kept == ()


def test_no_sentence_tells_a_ply_that_was_made_in_secret_and_of_a_given_one_all_is_told() -> None:
    board = table_board(load("shell19"))
    with pytest.raises(Illegal, match=r"^move 1, which is secret, is not legal$"):
        reach(board, BIDS, Left(("bid 9 9",)))
    with pytest.raises(Illegal, match=r"^move 1, 'bid 9 9': "):
        reach(board, BIDS, Left(("bid 9 9",), given=1))


def test_what_has_no_plies_goes_on_as_it_is(tmp_path: Path) -> None:
    journal, board = Journal(tmp_path / "games.sqlite3"), table_board(load("square144"))
    ahead = DryRun(lambda _: board, journal, Heartbeat())
    for order in (PlayPly("c2-d3"), SetBrightness(percent=3), NewGame(game="tides-of-war"), Resume(game_id=7)):
        assert ahead.prepared(order) == (order, None)
    with pytest.raises(NotLegal, match="beacons does not fit the board"):
        ahead.prepared(NewGame(game="beacons", seed=1, plies=("bid 6 6",)))
    journal.close()
