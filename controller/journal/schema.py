"""The file of a journal: its tables, the checks that it passes before it is used, how an older one is brought up."""

from __future__ import annotations

import sqlite3
import zlib
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from controller.atomic_file import sync_folder
from controller.journal import read_beside, runs
from controller.journal.marker import JournalMark

VERSION = 1  # of the tables, in the file's user_version; journals before it have 0
# A ply is one commit, which writes the page of each row: pages of 4096 bytes, SQLite's own measure, wrote four times as
# much in an evening, and indexes a third more. A journal that was begun with those is written anew (small_pages.py).
PAGE_BYTES = 1024
# A card loses 4096 bytes at once. In a new journal the first of them have nothing that cannot be made again: the
# beginnings of tables and runs, and of flaws. Two tables keep the places there until the runs can have them.
KEEPS_PLACES = ("place_1", "place_2")
TABLES = """
CREATE TABLE IF NOT EXISTS games (
    id INTEGER PRIMARY KEY, header TEXT NOT NULL, started TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
    sum INTEGER, dated INTEGER
);
CREATE TABLE IF NOT EXISTS entries (
    id INTEGER PRIMARY KEY, game_id INTEGER NOT NULL REFERENCES games, t_us INTEGER NOT NULL,
    ply TEXT, back_to INTEGER, left_us TEXT, outcome TEXT, sum INTEGER
);
CREATE TABLE IF NOT EXISTS lines (
    id INTEGER PRIMARY KEY, game_id INTEGER NOT NULL REFERENCES games, line TEXT NOT NULL, sum INTEGER
);
CREATE TABLE IF NOT EXISTS entry_runs (first INTEGER PRIMARY KEY, game_id INTEGER);
CREATE TABLE IF NOT EXISTS line_runs (first INTEGER PRIMARY KEY, game_id INTEGER);
CREATE TABLE IF NOT EXISTS flaws (
    id INTEGER PRIMARY KEY, game_id INTEGER NOT NULL, kind TEXT NOT NULL, line INTEGER NOT NULL, error TEXT NOT NULL
);
"""
# What a row's sum is made of. A row of entries and of lines also has the sum of the one before it in its game.
SUMMED = {"entries": "game_id, t_us, ply, back_to, left_us, outcome", "lines": "game_id, line"}
COLUMNS = {
    "games": "header, started, sum, dated",
    **{table: f"{columns}, sum" for table, columns in SUMMED.items()},
    "flaws": "game_id, kind, line, error",
}
DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT)
EXTRAS = ("-wal", "-shm")
# SQLite's notes for readers stay in memory. In a file that others read, Linux writes them every half minute: a third of
# what an evening wrote. Readers in the same process need nothing else for it.
ALONE = "?vfs=unix-excl"
WAITS_MS = 5000  # for another connection, as Python has it
READER_WAITS_MS = 500  # for whoever reads as a service begins: each is soon done


class NewerJournal(RuntimeError):
    """A journal of a later version, which is left alone."""


def sum_of(before: object, *fields: object) -> int:
    """Return the sum of a row with ``fields``; ``before`` is that of the row before it in its game, None at first."""
    return zlib.crc32(repr((before, *fields)).encode("utf-8", "surrogatepass"))


def connect(path: Path, query: str = "") -> sqlite3.Connection:
    """Open a database. Text in it that is not UTF-8 can be read, and fails its row's sum."""
    # The service makes the journal and hands it to its loop's thread, the only one that then uses it.
    db = sqlite3.connect(f"{path.absolute().as_uri()}{query}", uri=True, check_same_thread=False)
    db.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
    return db


def reading(path: Path) -> sqlite3.Connection:
    """Open a journal to read, also where nothing may be written beside it.

    Of one that another process has for itself, what is read is how it is now. Raises OSError and sqlite3.Error.
    """
    db = connect(path, "?mode=ro")
    try:
        db.execute("PRAGMA busy_timeout = 0")  # whoever has it for itself keeps it
        db.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        db.close()
        if _is_busy(error):
            return _copied(path)
        wal = path.with_name(f"{path.name}-wal")
        if wal.exists() and wal.stat().st_size:
            raise
        return connect(path, "?mode=ro&immutable=1")
    except sqlite3.DatabaseError:
        pass  # whoever reads is told
    db.execute(f"PRAGMA busy_timeout = {WAITS_MS}")
    return db


def _is_busy(error: sqlite3.Error) -> bool:
    """Whether somebody else has the file; an error that is not SQLite's own has no code."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def _copied(path: Path) -> sqlite3.Connection:
    """Open a copy of a journal that another process has for itself; its files go once it is closed."""
    with read_beside.room_for(path, path.parent) as folder:
        db = connect(read_beside.copied(path, folder))
        with suppress(sqlite3.DatabaseError):  # whoever reads is told
            db.execute("SELECT 1 FROM sqlite_master").fetchone()
    return db


def version(db: sqlite3.Connection) -> int:
    """Return the version of a journal's tables; raises `NewerJournal`."""
    found = int(db.execute("PRAGMA user_version").fetchone()[0])
    if found > VERSION:
        raise NewerJournal(f"version {found}")
    return found


def is_damaged(path: Path) -> bool:
    """Whether the file as a whole is damaged: what SQLite finds, or rows that are gone. Raises `NewerJournal`."""
    with closing(connect(path)) as db:
        try:
            summed = version(db) > 0
            if db.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
                return True
            if not summed:
                return False
            gaps = any(_has_gaps(db, table) for table in COLUMNS)
            return gaps or any(runs.astray(db, table) and _is_changed(db, table) for table in SUMMED)
        except UnicodeDecodeError:  # a table's name or a column's, in the error that it brings about
            return True
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF in (*DAMAGE, sqlite3.SQLITE_ERROR):
                return True
            raise


def _has_gaps(db: sqlite3.Connection, table: str) -> bool:
    """Whether rows are missing: they are numbered from 1 and none is ever deleted. Raises where columns are."""
    db.execute(f"SELECT {COLUMNS[table]} FROM {table} LIMIT 0")
    count, last = db.execute(f"SELECT count(*), ifnull(max(id), 0) FROM {table}").fetchone()
    return bool(count != last)


def _is_changed(db: sqlite3.Connection, table: str) -> bool:
    """Whether a row is not what was written. Where none is, it is the runs that do not fit the rows."""
    before: dict[Any, Any] = {}
    for game_id, *fields, found in db.execute(f"SELECT {SUMMED[table]}, sum FROM {table} ORDER BY id"):
        if found != sum_of(before.get(game_id), game_id, *fields):
            return True
        before[game_id] = found
    return False


def opened(path: Path, page_bytes: int = PAGE_BYTES) -> sqlite3.Connection:
    """Open a sound journal to write, with all tables; one of an older version is brought up, all or nothing.

    A new one gets pages of ``page_bytes``. This process has it for itself, unless another one is reading it now.
    """
    try:
        return _opened(path, page_bytes, ALONE, READER_WAITS_MS)
    except sqlite3.OperationalError as error:
        if not _is_busy(error):
            raise
        return _opened(path, page_bytes)


def _opened(path: Path, page_bytes: int, query: str = "", waits_ms: int = WAITS_MS) -> sqlite3.Connection:
    db = connect(path, query)
    try:
        db.execute(f"PRAGMA busy_timeout = {waits_ms}")
        db.execute(f"PRAGMA page_size = {page_bytes}")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        if version(db) < VERSION:
            _bring_up(db)
        runs.mend(db)
        db.execute(f"PRAGMA busy_timeout = {WAITS_MS}")
    except BaseException:
        db.close()
        raise
    return db


def empty() -> sqlite3.Connection:
    """Return a journal in memory."""
    db = sqlite3.connect(":memory:", check_same_thread=False)
    _bring_up(db)
    return db


def _bring_up(db: sqlite3.Connection) -> None:
    db.execute("BEGIN IMMEDIATE")
    with db:
        for table, columns in (("games", ("sum", "dated")), ("entries", ("sum",)), ("lines", ("sum",))):
            there = {row[1] for row in db.execute(f"PRAGMA table_info({table})")}
            for column in columns:
                if there and column not in there:
                    db.execute(f"ALTER TABLE {table} ADD COLUMN {column} INTEGER")
        for statement in _statements(db):
            db.execute(statement)
        for game_id, header, started in db.execute("SELECT id, header, started FROM games").fetchall():
            sums = (sum_of(None, game_id, header), sum_of(None, game_id, started), game_id)
            db.execute("UPDATE games SET sum = ?, dated = ? WHERE id = ?", sums)
        for table, summed in SUMMED.items():
            _sum_up(db, table, summed)
        db.execute(f"PRAGMA user_version = {VERSION}")


def _statements(db: sqlite3.Connection) -> list[str]:
    """Return what makes the tables that there are not yet, in the order in which they take their places."""
    *tables, flaws, _ = TABLES.split(";")
    new = not db.execute("SELECT 1 FROM sqlite_master").fetchone()
    if not new or db.execute("PRAGMA page_size").fetchone()[0] != PAGE_BYTES:
        return [*tables, flaws]
    keep = [f"CREATE TABLE {name} (a)" for name in KEEPS_PLACES]
    free = [f"DROP TABLE {name}" for name in KEEPS_PLACES]
    *rows, entry_runs, line_runs = tables
    return [flaws, *keep, *rows, *free, entry_runs, line_runs]


def _sum_up(db: sqlite3.Connection, table: str, columns: str) -> None:
    """Give every row of ``table`` its sum."""
    before: dict[int, int] = {}
    last = 0
    while rows := db.execute(
        f"SELECT id, {columns} FROM {table} WHERE id > ? ORDER BY id LIMIT 10000", (last,)
    ).fetchall():
        for row_id, game_id, *fields in rows:
            before[game_id] = sum_of(before.get(game_id), game_id, *fields)
            db.execute(f"UPDATE {table} SET sum = ? WHERE id = ?", (before[game_id], row_id))
        last = rows[-1][0]


def counted(db: sqlite3.Connection) -> JournalMark:
    """Return how many rows of each kind there are."""
    games, entries, lines = (
        db.execute(f"SELECT ifnull(max(id), 0) FROM {table}").fetchone()[0] for table in ("games", "entries", "lines")
    )
    return JournalMark(games, entries, lines)


def free_name(path: Path) -> Path:
    """Return the name under which a damaged file at ``path`` is kept."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    return aside


def recovered(path: Path) -> Path:
    """Return where that is read into which a damaged journal at ``path`` still has."""
    return path.with_name(f"{path.name}.recovered")


def remove(path: Path) -> None:
    """Remove a database that an earlier start has not come to an end with."""
    for extra in ("", *EXTRAS, "-journal"):
        path.with_name(path.name + extra).unlink(missing_ok=True)


def exchange(path: Path) -> Path:
    """Set a damaged journal aside under a unique name, never deleted; returns that name. What was `recovered` takes its
    place, also where the power fails in between: see `exchanged_before`.
    """
    aside = free_name(path)
    sync_folder(path.parent)
    path.rename(aside)
    sync_folder(path.parent)
    _follow(path, aside)
    return aside


def exchanged_before(path: Path) -> Path | None:
    """Go on with an `exchange` that was cut off once nothing was left in its place; returns where the damaged journal
    is, None where there was no such thing.
    """
    if path.exists() or not recovered(path).exists():
        return None
    number = 1
    while path.with_name(f"{path.name}.damaged-{number + 1}").exists():
        number += 1
    aside = path.with_name(f"{path.name}.damaged-{number}")
    _follow(path, aside)
    return aside


def _follow(path: Path, aside: Path) -> None:
    """Let the log of a journal follow it ``aside``, and only then what was `recovered` into its place."""
    for extra in EXTRAS:
        beside = path.with_name(path.name + extra)
        if beside.exists():
            beside.rename(aside.with_name(aside.name + extra))
    sync_folder(path.parent)
    recovered(path).rename(path)
    sync_folder(path.parent)


def copied(path: Path, to: Path) -> None:
    """Copy a journal with its log, as it is; raises OSError."""
    read_beside.by_another_process([path], to)
    wal = path.with_name(f"{path.name}-wal")
    if wal.is_file():
        read_beside.by_another_process([wal], to.with_name(f"{to.name}-wal"))
