"""A journal whose pages are larger than today, or that has indexes, is written anew at a start; no row changes."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from controller.journal.database import Entry, Journal
from controller.journal.recording import Header
from controller.journal.runs import RUNS
from controller.journal.salvage import OLDER_PAGE_BYTES
from controller.journal.schema import PAGE_BYTES, reading
from tests.journal.journals import contents, played


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """Return a journal of three games with larger pages."""
    path = played(tmp_path / "games.sqlite3")
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute(f"PRAGMA page_size = {OLDER_PAGE_BYTES}")
        db.execute("VACUUM")
    assert pages_of(path) == OLDER_PAGE_BYTES
    return path


@pytest.fixture
def indexed(tmp_path: Path) -> Path:
    """Return a journal of three games with indexes, as they were before there were runs."""
    path = played(tmp_path / "games.sqlite3")
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        for table, named in RUNS.items():
            db.execute(f"DROP TABLE {named}")
            db.execute(f"CREATE INDEX {table}_of_game ON {table} (game_id)")
    return path


def indexes(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return len(db.execute("SELECT 1 FROM sqlite_master WHERE type = 'index'").fetchall())


def pages_of(path: Path) -> int:
    """Return how large they are, as the file itself says."""
    return int.from_bytes(path.read_bytes()[16:18], "big")


def rows(path: Path) -> dict[str, list[Any]]:
    with closing(sqlite3.connect(path)) as db:
        return {
            table: db.execute(f"SELECT * FROM {table} ORDER BY id").fetchall()
            for table in ("games", "entries", "lines", "flaws")
        }


def test_every_row_is_there_and_the_next_game_goes_on(older: Path) -> None:
    os.chmod(older, 0o600)
    before = rows(older)
    with closing(Journal(older)) as journal:
        assert pages_of(older) == PAGE_BYTES
        assert journal.told == []
        assert len(contents(journal)) == 3
        journal.enter(journal.begin(Header("circle", board="square144")), Entry(1, ply="pass"))
    after = rows(older)
    assert {table: found[: len(before[table])] for table, found in after.items()} == before
    assert len(after["games"]) == 4
    assert older.stat().st_mode & 0o777 == 0o600
    assert sorted(os.listdir(older.parent)) == ["games.sqlite3", "games.sqlite3.lock"]


def test_a_journal_with_indexes_has_none_after_the_next_start_and_every_row(indexed: Path) -> None:
    before = rows(indexed)
    with closing(Journal(indexed)) as journal:
        assert journal.told == []
        assert len(contents(journal)) == 3
    assert (indexes(indexed), rows(indexed)) == (0, before)


def test_a_card_without_room_keeps_its_indexes_and_the_next_game(
    indexed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(indexed.parent)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=indexed.stat().st_size))
    with closing(Journal(indexed)) as journal:
        found = contents(journal)
        assert [flaw for _, flaw in found.values()] == ["", "", ""]
        journal.enter(journal.begin(Header("circle", board="square144")), Entry(1, ply="pass"))
        journal.flush()
        assert journal.saved(4).plies == ("pass",)
    assert indexes(indexed) == 2
    monkeypatch.undo()
    with closing(Journal(indexed)) as journal:
        assert {game: each for game, each in contents(journal).items() if game < 4} == found
        assert journal.saved(4).plies == ("pass",)
    assert indexes(indexed) == 0


def test_a_new_journal_stays_as_it_is(tmp_path: Path) -> None:
    path = played(tmp_path / "games.sqlite3")
    number = path.stat().st_ino
    Journal(path).close()
    assert path.stat().st_ino == number


def test_a_card_without_room_keeps_its_larger_pages(older: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(older.parent)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=older.stat().st_size))
    with closing(Journal(older)) as journal:
        assert (journal.told, len(contents(journal))) == ([], 3)
    assert pages_of(older) == OLDER_PAGE_BYTES


def test_while_somebody_reads_it_stays_and_is_written_anew_at_the_next_start(older: Path) -> None:
    with closing(sqlite3.connect(older)) as db:
        db.execute("PRAGMA journal_mode = WAL")
    with closing(reading(older)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM games").fetchone()
        with closing(Journal(older)) as journal:
            assert (journal.told, len(contents(journal))) == ([], 3)
        assert pages_of(older) == OLDER_PAGE_BYTES
        reader.execute("COMMIT")
    Journal(older).close()
    assert pages_of(older) == PAGE_BYTES
    assert sorted(os.listdir(older.parent)) == ["games.sqlite3", "games.sqlite3.lock"]
