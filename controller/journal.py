"""The journal: every game on disk, in SQLite.

Owns what survives a power cut. A ply is synced to disk before anybody is shown it; raw touches are written behind,
with the next ply or in batches, because memory cards wear. Must not know the table or devices.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from controller.recording import Header, Line

SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    id INTEGER PRIMARY KEY, header TEXT NOT NULL, started TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE IF NOT EXISTS entries (
    id INTEGER PRIMARY KEY, game_id INTEGER NOT NULL REFERENCES games, t_us INTEGER NOT NULL,
    ply TEXT, back_to INTEGER
);
CREATE TABLE IF NOT EXISTS lines (
    id INTEGER PRIMARY KEY, game_id INTEGER NOT NULL REFERENCES games, line TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS entries_of_game ON entries (game_id);
CREATE INDEX IF NOT EXISTS lines_of_game ON lines (game_id);
"""
BATCH = 500  # lines that wait in memory at most


class NoGame(KeyError):
    """A game that is not in the journal."""

    def __str__(self) -> str:
        return str(self.args[0])


class Entry(msgspec.Struct, frozen=True):
    """A ply made (``ply``), or plies taken back (``back_to`` are left). ``t_us`` counts from the game's start."""

    t_us: int
    ply: str | None = None
    back_to: int | None = None


class Saved(msgspec.Struct, frozen=True):
    """A game as it was left: ``plies`` are those that stand; ``t_us`` is when the last thing happened."""

    game_id: int
    header: Header
    plies: tuple[str, ...]
    t_us: int


class Journal:
    """An open journal. One thread writes; reading is for anybody with a journal of their own."""

    def __init__(self, path: Path) -> None:
        """Open or make the file. One that is damaged is set aside under another name, never deleted."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.damaged: Path | None = None
        try:
            self._db = _open(path)
        except sqlite3.DatabaseError:
            self.damaged = _set_aside(path)
            self._db = _open(path)
        self._waiting: list[tuple[int, str]] = []

    def begin(self, header: Header) -> int:
        """Write that a game begins; returns its number."""
        with self._db:
            cursor = self._db.execute("INSERT INTO games (header) VALUES (?)", (msgspec.json.encode(header).decode(),))
        return int(cursor.lastrowid or 0)

    def note(self, game_id: int, line: Line) -> None:
        """Keep a line of the recording in mind, to be written behind."""
        self._waiting.append((game_id, msgspec.json.encode(line).decode()))
        if len(self._waiting) >= BATCH:
            self.flush()

    def write(self, game_id: int, entries: Iterable[Entry]) -> None:
        """Write ``entries``, and what waits, to disk. When this returns they survive a power cut."""
        with self._db:
            self._write_waiting()
            rows = [(game_id, entry.t_us, entry.ply, entry.back_to) for entry in entries]
            self._db.executemany("INSERT INTO entries (game_id, t_us, ply, back_to) VALUES (?, ?, ?, ?)", rows)

    def flush(self) -> None:
        """Write what waits."""
        if self._waiting:
            with self._db:
                self._write_waiting()

    def _write_waiting(self) -> None:
        self._db.executemany("INSERT INTO lines (game_id, line) VALUES (?, ?)", self._waiting)
        self._waiting = []

    def last(self) -> Saved | None:
        """Return the game that was begun last, None in a new journal."""
        row = self._db.execute("SELECT max(id) FROM games").fetchone()
        return None if row[0] is None else self.saved(row[0])

    def saved(self, game_id: int) -> Saved:
        """Return a game as it was left; raises `NoGame`."""
        header = self._header(game_id)
        plies: list[str] = list(header.plies)
        t_us = 0
        for entry_t_us, ply, back_to in self._db.execute(
            "SELECT t_us, ply, back_to FROM entries WHERE game_id = ? ORDER BY id", (game_id,)
        ):
            t_us = max(t_us, entry_t_us)
            if ply is not None:
                plies.append(ply)
            else:
                del plies[back_to:]
        lines = self._lines(game_id)
        return Saved(game_id, header, tuple(plies), max(t_us, lines[-1].t_us if lines else 0))

    def recording(self, game_id: int) -> tuple[Header, Sequence[Line]]:
        """Return a game as a recording; raises `NoGame`."""
        return self._header(game_id), self._lines(game_id)

    def _header(self, game_id: int) -> Header:
        row = self._db.execute("SELECT header FROM games WHERE id = ?", (game_id,)).fetchone()
        if row is None:
            raise NoGame(f"there is no game {game_id} in the journal")
        return msgspec.json.decode(row[0], type=Header)

    def _lines(self, game_id: int) -> list[Line]:
        rows = self._db.execute("SELECT line FROM lines WHERE game_id = ? ORDER BY id", (game_id,))
        return [msgspec.json.decode(row[0], type=Line) for row in rows]

    def close(self) -> None:
        """Write what waits and let go of the file."""
        self.flush()
        self._db.close()


def _open(path: Path) -> sqlite3.Connection:
    # The service makes the journal and hands it to its loop's thread, the only one that then uses it.
    db = sqlite3.connect(path, check_same_thread=False)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.executescript(SCHEMA)
    return db


def _set_aside(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    path.rename(aside)
    for extra in ("-wal", "-shm"):
        beside = path.with_name(path.name + extra)
        if beside.exists():
            beside.rename(aside.with_name(aside.name + extra))
    return aside
