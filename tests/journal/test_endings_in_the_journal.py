"""What the journal has of ends that the players made, and of their being taken back; and what it has of secrets."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.game_setup import ClockRule, Opponents
from controller.journal.database import Archive, Entry, Journal
from controller.journal.recording import Header
from controller.orders import NewGame, OfferDraw, PlayPly, Resign, Resume, TakeBack
from controller.panel.history_backend import HistoryBackend
from controller.refused import Refused
from controller.table.session import Ended
from hardware.profile import load
from tests.service.evenings import Evening, assert_replays


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


def ends(path: Path) -> list[bool]:
    """Return every end that the journal has of the first game: True for one made, False for one taken back."""
    with closing(Archive(path)) as archive:
        return [entry.outcome.over for entry in archive.entries(1) if entry.outcome]


def tally(path: Path, board: str = "square144") -> str:
    return str(HistoryBackend(load(board), path).evening()["tally"])


def test_an_end_and_its_being_taken_back_are_both_kept(path: Path) -> None:
    evening = Evening(path).start().new_game().ply("c3-c4")
    evening.order(Resign(seat=1))
    assert tally(path) == "Won: White (1)."
    with pytest.raises(Refused, match=r"the game is over \(resigned\)"):
        evening.ply("c6-b5")
    assert tally(path) == "Won: White (1)."
    evening.back(1)
    assert tally(path) == "No game is over yet."
    evening.set_up().ply("c6-b5")
    evening.stop()
    assert ends(path) == [True, False]
    assert_replays(path, 1)
    again = Evening(path).start()
    assert (again.plies, again.table.play.result.over) == (["c3-c4", "c6-b5"], False)
    again.stop()


def test_who_plays_alone_is_called_you_in_the_tally_whatever_the_colour(path: Path) -> None:
    evening = Evening(path).start()
    for levels, board in (((0, 1), 1), ((1, 0), 0)):
        evening.order(NewGame(game="tides-of-war", seed=1, opponents=Opponents(levels))).order(Resign(seat=board))
    evening.stop()
    assert tally(path) == "Won: you (2)."


def test_a_draw_is_nobodys_win_in_the_tally(path: Path) -> None:
    evening = Evening(path).start().new_game().order(OfferDraw(seat=0)).order(OfferDraw(seat=1))
    assert tally(path) == "Drawn: 1."
    evening.new_game().order(Resign(seat=1))
    evening.stop()
    assert tally(path) == "Won: White (1). Drawn: 1."


def test_an_end_before_the_board_was_set_up_stands_though_the_pieces_are_put_on_it_then(path: Path) -> None:
    evening = Evening(path).start().order(NewGame(game="tides-of-war", seed=1)).order(Resign(seat=0)).set_up()
    assert evening.table.phase == "over"
    evening.stop()
    assert tally(path) == "Won: Black (1)."
    again = Evening(path, magnets=evening.magnets).start()
    assert (again.plies, again.table.phase) == ([], "over")
    again.order(TakeBack(by=(0,)))
    assert again.table.phase == "play"
    again.stop()
    assert ends(path) == [True, False]
    last = Evening(path, magnets=evening.magnets).start()
    assert last.table.phase == "play"
    last.stop()


def test_after_a_restart_the_end_stands_and_whose_it_was(path: Path) -> None:
    evening = Evening(path).start()
    evening.order(NewGame(game="tides-of-war", seed=1, clock=ClockRule("sudden", 5))).set_up().ply("c3-c4")
    evening.order(Resign(seat=1), after_ms=9000)
    shown = evening.table.play.clock.left_us
    evening.stop()
    again = Evening(path, magnets=evening.magnets).start()
    assert again.table.phase == "over"
    assert again.table.play.clock.left_us == shown
    with pytest.raises(Refused, match="the game is over"):
        again.ply("c6-b5")
    with pytest.raises(Refused, match="only Black can take back this ending"):
        again.order(TakeBack(by=(0,)))
    again.order(TakeBack(by=(1,)))
    assert again.plies == ["c3-c4"]
    again.stop()
    assert ends(path) == [True, False]
    assert_replays(path, 1)


def test_an_old_journal_in_which_a_game_lived_on_after_its_end_is_read_as_it_was_played(path: Path) -> None:
    with closing(Journal(path)) as journal:
        number = journal.begin(Header("tides-of-war", board="square144"))
        journal.enter(number, Entry(1, ply="c3-c4"))
        journal.enter(number, Entry(2, outcome=Ended(True, 0, "resigned")))
        journal.enter(number, Entry(3, ply="c6-b5"))
    with closing(sqlite3.connect(path)) as db, db:  # as it was written before ends had an owner
        db.execute('UPDATE entries SET outcome = \'{"over":true,"winner":0,"why":"resigned"}\' WHERE t_us = 2')
        db.execute("PRAGMA user_version = 0")
    with closing(Archive(path)) as archive:
        left = archive.saved(1).left
    assert (left.plies, left.outcome) == (("c3-c4", "c6-b5"), None)


# ---- secrets that are kept --------------------------------------------------------------------------------


def test_who_played_in_secret_is_known_after_a_restart_and_when_the_game_is_taken_up_again(path: Path) -> None:
    evening = Evening(path, "shell19").start().new_game("beacons")
    evening.order(PlayPly(text="bid 5 7", phone="anns"))
    assert evening.table.play.session.positions[-1].kept == ((0, "anns"),)
    evening.new_game("beacons").ply("bid 6 6")
    evening.order(Resume(game_id=1))
    assert evening.table.play.session.positions[-1].kept == ((0, "anns"),)
    evening.stop()
    again = Evening(path, "shell19").start()
    assert again.table.play.session.positions[-1].kept == ((0, "anns"),)
    again.stop()


def test_plies_that_came_with_a_game_are_nobodys_secret(path: Path) -> None:
    evening = Evening(path, "shell19").start()
    evening.order(NewGame(game="beacons", seed=1, plies=("bid 5 7",)))
    assert evening.table.play.session.positions[-1].kept == ()
    evening.stop()
    again = Evening(path, "shell19").start()
    assert again.table.play.session.positions[-1].kept == ()
    again.stop()


def test_bids_are_read_when_the_rules_have_ended_the_game_and_then_nothing_is_taken_back(path: Path) -> None:
    evening = Evening(path, "shell19").start().new_game("beacons", rounds=1)
    library = HistoryBackend(load("shell19"), path)
    with pytest.raises(Exception, match="Part of this game is secret"):
        library.recording(1)  # a bid may be refused or taken back in it before any stands
    evening.ply("bid 0 12").ply("bid 12 0")
    with pytest.raises(Refused, match="move 2 has revealed secrets"):
        evening.back(1)
    while not evening.table.play.result.over:
        evening.set_up()
        texts = [footprint.text for footprint in evening.table.play.settled.position.footprints]
        with pytest.raises(Exception, match="Part of this game is secret"):
            library.text(1)
        evening.ply("end" if "end" in texts else texts[0])
    assert "bid 0 12; bid 12 0" in library.text(1)
    assert "bid 0 12" in library.recording(1)
    with pytest.raises(Refused, match="has revealed secrets"):
        evening.back()
    evening.stop()


def test_a_game_without_bids_can_be_read_at_any_time(path: Path) -> None:
    evening = Evening(path, "shell19").start().new_game("beacons", template="trial")
    assert "beacons" in HistoryBackend(load("shell19"), path).recording(1)
    evening.stop()
