"""The board is switched on again: what stays on the table overnight, and when the table is free for a new game."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.events import Seating
from controller.game_setup import Match
from controller.orders import NewGame, Resign, Resume, TakeBack
from tests.service.evenings import A_WEEK_AGO, TIDES, Evening, begun, copied

THIS_AFTERNOON = "-3 hours"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


def ended(path: Path, order: NewGame | None = None) -> Evening:
    """Play a game until somebody resigns, and switch off."""
    evening = Evening(path).start()
    evening.service.seated(Seating(("Ann", "Ben")))
    evening.settle().new_game() if order is None else evening.order(order).set_up()
    evening.ply("c3-d3").order(Resign(seat=1)).stop()
    return evening


def on_table(evening: Evening) -> list[str] | None:
    return list(evening.table.play.session.plies) if evening.table.play else None


def switched_on(path: Path, before: Evening) -> Evening:
    return Evening(path, magnets=sorted(before.magnets)).start()


def test_on_another_evening_the_table_is_free_and_the_last_game_is_kept(path: Path) -> None:
    evening = ended(path)
    begun(path, A_WEEK_AGO)
    again = switched_on(path, evening)
    assert on_table(again) is None
    assert again.table.seating.people == ("Ann", "Ben")
    again.order(NewGame(game=TIDES)).set_up().ply("c3-c4")
    assert on_table(again) == ["c3-c4"]
    again.order(Resume(game_id=1))
    assert on_table(again) == ["c3-d3"]
    again.order(TakeBack()).stop()  # the ending
    once_more = switched_on(path, again)
    assert on_table(once_more) == ["c3-d3"]
    once_more.stop()


@pytest.mark.parametrize("damaged", [False, True])
def test_on_the_same_evening_a_game_that_is_over_stays(path: Path, damaged: bool) -> None:
    evening = ended(path)
    begun(path, A_WEEK_AGO if damaged else THIS_AFTERNOON, damaged=damaged)
    again = switched_on(path, evening)
    assert on_table(again) == ["c3-d3"]
    again.stop()


def test_a_game_that_is_not_over_stays_however_long_it_waits(path: Path) -> None:
    evening = Evening(path).start().new_game().ply("c3-d3")
    evening.stop()
    begun(path, A_WEEK_AGO)
    again = switched_on(path, evening)
    assert on_table(again) == ["c3-d3"]
    again.stop()


@pytest.mark.parametrize(("won", "stays"), [((0, 0), True), ((1, 0), False)])
def test_a_match_stays_until_it_is_decided(path: Path, won: tuple[int, ...], stays: bool) -> None:
    evening = ended(path, NewGame(game=TIDES, match=Match(2, won=won)))
    begun(path, A_WEEK_AGO)
    again = switched_on(path, evening)
    assert (on_table(again) is not None) == stays
    again.stop()


def test_a_table_that_was_free_is_free_again(path: Path) -> None:
    evening = ended(path)
    begun(path, A_WEEK_AGO)
    switched_on(path, evening).stop()
    for _ in range(3):  # no try of the last game counts as one that failed
        again = switched_on(path, evening)
        assert on_table(again) is None
        again.order(Resume(game_id=1))
        assert on_table(again) == ["c3-d3"]
        again.stop()
        begun(path, A_WEEK_AGO)


def test_what_was_taken_up_again_is_on_the_table_after_a_power_cut(path: Path, tmp_path: Path) -> None:
    evening = Evening(path).start().laid_out().ply("c3-c4").laid_out("circle")
    evening.order(Resume(game_id=1))
    again = Evening(copied(path, tmp_path / "cut")).start()
    assert on_table(again) == ["c3-c4"]
    again.stop()
    evening.stop()


def test_a_game_that_was_given_up_and_lost_moves_is_still_over_once_it_was_taken_up(path: Path) -> None:
    evening = ended(path)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("INSERT INTO flaws (game_id, kind, line, error) VALUES (1, 'cut', 0, '')")
    again = switched_on(path, evening)
    assert "It continues from there as a new game." in again.seen.fault
    again.stop()
    once_more = switched_on(path, again)
    assert (once_more.seen.game_id, on_table(once_more)) == (2, ["c3-d3"])
    assert once_more.table.play.result.why == "resigned"
    once_more.stop()
