"""Each game of a damaged journal is counted once: whole, cut or lost."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.journal import schema
from controller.journal.database import Archive, Journal
from controller.journal.marker import JournalMark
from controller.journal.salvage import Salvaged, salvage
from tests.journal.journals import copied, played
from tests.journal.test_damaged_journal import damaged

MARK = JournalMark(games=3)


def rows(db: sqlite3.Connection, table: str) -> list[tuple[object, ...]]:
    return db.execute(f"SELECT {schema.COLUMNS[table]} FROM {table} ORDER BY id").fetchall()


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp("sound") / "games.sqlite3")


@pytest.mark.parametrize(
    ("harm", "found", "flaws"),
    [
        ((), Salvaged(whole=3), []),
        ((("entries", 2),), Salvaged(whole=2, cut=1), [(2, "cut")]),
        ((("games", 2),), Salvaged(whole=2, lost=1), [(2, "lost")]),
        ((("games", 2), ("entries", 2)), Salvaged(whole=2, lost=1), [(2, "lost")]),
        ((("games", 2), ("entries", 2), ("entries", 1)), Salvaged(whole=1, cut=1, lost=1), [(1, "cut"), (2, "lost")]),
        ((("games", 1), ("lines", 1), ("games", 3)), Salvaged(whole=1, lost=2), [(1, "lost"), (3, "lost")]),
    ],
    ids=str,
)
def test_a_game_is_whole_or_cut_or_lost(
    sound: Path, tmp_path: Path, harm: tuple[tuple[str, int], ...], found: Salvaged, flaws: list[tuple[int, str]]
) -> None:
    victim = copied(sound, tmp_path / "victim")
    column = {"games": "header", "entries": "left_us", "lines": "line"}
    for table, game_id in harm:
        assert damaged(victim, table, column[table], game_id, "noise", summed=False)
    with closing(schema.opened(tmp_path / "fresh")) as into:
        assert salvage(victim, into, MARK) == found
        told = into.execute("SELECT game_id, kind FROM flaws ORDER BY game_id, kind").fetchall()
        assert told == flaws
    assert found.whole + found.cut + found.lost == MARK.games


@pytest.mark.parametrize("table", ["entries", "lines"])
def test_where_a_game_is_cut_the_games_after_it_lack_nothing(sound: Path, tmp_path: Path, table: str) -> None:
    victim = copied(sound, tmp_path / "victim")
    with closing(schema.opened(victim)) as db:
        whole = [row for row in rows(db, table) if row[0] != 1]
    assert damaged(victim, table, {"entries": "left_us", "lines": "line"}[table], 1, "noise", summed=False)
    with closing(schema.opened(tmp_path / "fresh")) as into:
        assert salvage(victim, into, MARK) == Salvaged(whole=2, cut=1)
        assert [row for row in rows(into, table) if row[0] != 1] == whole


@pytest.mark.parametrize("table", ["entries", "lines"])
def test_an_end_that_is_missing_though_it_is_known_cuts_the_last_game(sound: Path, tmp_path: Path, table: str) -> None:
    """The rows that are left are sound, and numbered as they should be: only the mark tells that there were more."""
    victim = copied(sound, tmp_path / "victim")
    with closing(schema.opened(victim)) as db, db:
        known = schema.counted(db)
        ((last,),) = db.execute(f"SELECT game_id FROM {table} ORDER BY id DESC LIMIT 1").fetchall()
        db.execute(f"DELETE FROM {table} WHERE id = (SELECT max(id) FROM {table})")
    with closing(schema.opened(tmp_path / "fresh")) as into:
        assert salvage(victim, into, known) == Salvaged(whole=2, cut=1)
        assert into.execute("SELECT game_id, kind FROM flaws").fetchall() == [(last, "cut")]


def test_a_game_that_is_known_of_and_not_there_is_lost(sound: Path, tmp_path: Path) -> None:
    victim = copied(sound, tmp_path / "victim")
    with closing(schema.opened(tmp_path / "fresh")) as into:
        assert salvage(victim, into, JournalMark(games=5)) == Salvaged(whole=3, lost=2)


def test_a_game_whose_rules_failed_is_still_known_for_it_in_the_new_journal(sound: Path, tmp_path: Path) -> None:
    victim = copied(sound, tmp_path / "victim")
    with closing(Journal(victim)) as journal:
        journal.set_aside(3, "KeyError")
    assert damaged(victim, "games", "header", 1, "noise", summed=False)
    with closing(schema.opened(tmp_path / "fresh")) as into:
        assert salvage(victim, into, MARK) == Salvaged(whole=2, lost=1)
    with closing(Archive(tmp_path / "fresh")) as archive:
        assert (archive.faulty(3), archive.faulty(2)) == ("KeyError", None)


@pytest.mark.parametrize("number", ["noise", b"\xff", 1, 3, 77])
@pytest.mark.parametrize("table", ["entries", "lines"])
def test_a_row_of_which_the_number_of_its_game_alone_is_damaged_is_of_the_game_before_it(
    sound: Path, tmp_path: Path, table: str, number: object
) -> None:
    """It was lost without a word where it was the last one of its game, and took another game with it at times."""
    victim = copied(sound, tmp_path / "victim")
    with closing(schema.opened(victim)) as db, db:
        whole = rows(db, table)
        db.execute(
            f"UPDATE {table} SET game_id = ? WHERE id = (SELECT max(id) FROM {table} WHERE game_id = 2)", (number,)
        )
    with closing(schema.opened(tmp_path / "fresh")) as into:
        assert salvage(victim, into, MARK) == Salvaged(whole=3)
        assert rows(into, table) == whole


@pytest.mark.parametrize("number", ["noise", 77])
def test_a_damaged_row_of_no_game_may_have_been_the_end_of_the_game_before_it(
    sound: Path, tmp_path: Path, number: object
) -> None:
    victim = copied(sound, tmp_path / "victim")
    assert damaged(victim, "entries", "left_us", 2, "noise", summed=False)
    with closing(schema.opened(victim)) as db, db:
        ((row,),) = db.execute("SELECT id FROM entries WHERE left_us = 'noise'").fetchall()
        db.execute("DELETE FROM entries WHERE id > ?", (row,))  # a card that was full: nothing comes after it
        db.execute("UPDATE entries SET game_id = ? WHERE id = ?", (number, row))
    with closing(schema.opened(tmp_path / "fresh")) as into:
        assert salvage(victim, into, MARK) == Salvaged(whole=2, cut=1)
        assert into.execute("SELECT game_id, kind FROM flaws").fetchall() == [(2, "cut")]


@pytest.mark.parametrize(
    ("harm", "found", "flaws"),
    [
        ("", Salvaged(whole=3), []),
        # No sum says whether the row that is gone was the end of game 1 or the beginning of game 2.
        ("DELETE FROM entries WHERE id = (SELECT max(id) FROM entries WHERE game_id = 1)", Salvaged(1, 2), [1, 2]),
        (
            "UPDATE entries SET game_id = 77 WHERE id = (SELECT max(id) FROM entries WHERE game_id = 2)",
            Salvaged(2, 1),
            [2],
        ),
    ],
    ids=["whole", "a row is gone", "a row of no game"],
)
def test_of_a_journal_of_before_there_were_sums_what_may_be_lost_counts_as_lost(
    sound: Path, tmp_path: Path, harm: str, found: Salvaged, flaws: list[int]
) -> None:
    with closing(sqlite3.connect(tmp_path / "older")) as older, older:
        older.execute("ATTACH ? AS newer", (str(copied(sound, tmp_path / "newer")),))
        older.execute("CREATE TABLE games AS SELECT id, header, started FROM newer.games")
        for table, columns in schema.SUMMED.items():
            older.execute(f"CREATE TABLE {table} AS SELECT id, {columns} FROM newer.{table} ORDER BY id")
        older.execute(harm)
    with closing(schema.opened(tmp_path / "fresh")) as into:
        assert salvage(tmp_path / "older", into, JournalMark()) == found
        assert into.execute("SELECT game_id, kind FROM flaws ORDER BY game_id").fetchall() == [
            (n, "cut") for n in flaws
        ]
