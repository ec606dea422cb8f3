"""The journal: every game on disk, in SQLite.

Owns what survives a power cut. What is handed in waits in memory until `Journal.flush` syncs it, all or nothing: the
service flushes with every ply, and raw touches are written behind, because memory cards wear. Must not know the
table or devices.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import msgspec

from controller.events import Seating
from controller.recording import Header, Line
from controller.table.session import Ended, Left

SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    id INTEGER PRIMARY KEY, header TEXT NOT NULL, started TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE IF NOT EXISTS entries (
    id INTEGER PRIMARY KEY, game_id INTEGER NOT NULL REFERENCES games, t_us INTEGER NOT NULL,
    ply TEXT, back_to INTEGER, left_us TEXT, outcome TEXT
);
CREATE TABLE IF NOT EXISTS lines (
    id INTEGER PRIMARY KEY, game_id INTEGER NOT NULL REFERENCES games, line TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS entries_of_game ON entries (game_id);
CREATE INDEX IF NOT EXISTS lines_of_game ON lines (game_id);
"""
ADD_GAME = "INSERT INTO games (id, header) VALUES (?, ?)"
ADD_ENTRY = "INSERT INTO entries (game_id, t_us, ply, back_to, left_us, outcome) VALUES (?, ?, ?, ?, ?, ?)"
ADD_LINE = "INSERT INTO lines (game_id, line) VALUES (?, ?)"
DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
ELSEWHERE = "mend that or name another file with --journal"


def without_folder(sentence: str, path: Path) -> str:
    """Return ``sentence`` about the file ``path`` for everybody: where it lies is for who has the machine."""
    for written in (str(path.absolute()), str(path)):
        sentence = sentence.replace(written, path.name)
    return sentence


class NoGame(LookupError):
    """A game that is not in the journal."""


class JournalFailed(RuntimeError):
    """A journal that cannot be read or written; the sentence says why and what to do."""


class Entry(msgspec.Struct, frozen=True):
    """A ply made (``ply``), plies taken back (``back_to`` are left), or the end by the players' word (``outcome``).

    An ``outcome`` that is not over takes that end back. Entries are never changed: the journal keeps both.

    ``t_us`` counts from the game's start; ``left_us`` is what the clock showed.
    """

    t_us: int
    ply: str | None = None
    back_to: int | None = None
    left_us: tuple[int, ...] = ()
    outcome: Ended | None = None


class Saved(msgspec.Struct, frozen=True):
    """A game as it was left; ``t_us`` is when the last thing happened, ``seating`` who sat where at last."""

    game_id: int
    header: Header
    left: Left
    t_us: int
    seating: Seating = Seating()

    @property
    def plies(self) -> tuple[str, ...]:
        """The plies that stand."""
        return self.left.plies


class Listed(msgspec.Struct, frozen=True):
    """A game in a list: ``started`` is a date and a time in UTC, ``stamp`` changes whenever the game does."""

    game_id: int
    header: Header
    started: str
    stamp: int


class Archive:
    """A journal to read, also while a service writes it. Its methods raise `JournalFailed`."""

    def __init__(self, path: Path) -> None:
        """Open the file, which must be there."""
        if not path.exists():
            raise JournalFailed(f"there is no journal at {path}")
        self._path = path
        with self._failing("read"):
            self._db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    def last(self) -> Saved | None:
        """Return the game that was on the table last, begun or taken up again; None in a new journal."""
        with self._failing("read"):
            newest = self._db.execute("SELECT max(id) FROM games").fetchone()[0]
            played = self._db.execute("SELECT game_id FROM lines ORDER BY id DESC LIMIT 1").fetchone()
            begun = self._db.execute("SELECT 1 FROM lines WHERE game_id = ? LIMIT 1", (newest,)).fetchone()
        if newest is None:
            return None
        # A game that was begun and not touched yet has no lines; else the last line is of the game on the table.
        return self.saved(played[0] if played and begun else newest)

    def listed(self, most: int, before: int | None = None) -> Sequence[Listed]:
        """Return the ``most`` games that were begun last, of those numbered below ``before``; the newest first."""
        with self._failing("read"):
            rows = self._db.execute(
                "SELECT id, header, started, (SELECT max(id) FROM entries WHERE game_id = games.id) FROM games"
                " WHERE id < ? ORDER BY id DESC LIMIT ?",
                (before if before is not None else 1 << 62, most),
            ).fetchall()
            return [Listed(row[0], msgspec.json.decode(row[1], type=Header), row[2], row[3] or 0) for row in rows]

    def saved(self, game_id: int) -> Saved:
        """Return a game as it was left; raises `NoGame`."""
        header = self._header(game_id)
        left = Left(header.plies, given=len(header.plies))
        with self._failing("read"):
            t_us, seating = self._last(game_id)
        for entry in self.entries(game_id):
            t_us = max(t_us, entry.t_us)
            if entry.outcome is not None:
                left = msgspec.structs.replace(left, outcome=entry.outcome if entry.outcome.over else None)
            elif entry.ply is not None:
                left = Left((*left.plies, entry.ply), entry.left_us, given=left.given)
            else:
                plies = left.plies[: entry.back_to]
                left = Left(plies, entry.left_us, given=min(left.given, len(plies)))
        left = msgspec.structs.replace(left, kept=seating.kept)
        return Saved(game_id, header, left, t_us, msgspec.structs.replace(seating, kept=()))

    def entries(self, game_id: int) -> Sequence[Entry]:
        """Return all that was entered of a game, what was taken back too."""
        with self._failing("read"):
            rows = self._db.execute(
                "SELECT t_us, ply, back_to, left_us, outcome FROM entries WHERE game_id = ? ORDER BY id", (game_id,)
            )
            return [
                Entry(t_us, ply, back_to, msgspec.json.decode(left_us, type=tuple[int, ...]), _ended(outcome))
                for t_us, ply, back_to, left_us, outcome in rows
            ]

    def _last(self, game_id: int) -> tuple[int, Seating]:
        """Return the time of the last line of a game's recording, and who sat where at last.

        A recording may be of a whole evening: only these lines are read.
        """
        lines = "SELECT line FROM lines WHERE game_id = ? AND line LIKE ? ORDER BY id DESC"
        last = self._db.execute(f"{lines} LIMIT 1", (game_id, "%")).fetchone()
        found = self._db.execute(lines, (game_id, '%"seating":%'))
        told = (msgspec.json.decode(line, type=Line).seating for (line,) in found)
        t_us = msgspec.json.decode(last[0], type=Line).t_us if last else 0
        return t_us, next((seating for seating in told if seating), Seating())

    def recording(self, game_id: int) -> tuple[Header, Sequence[Line]]:
        """Return a game as a recording, up to its end; raises `NoGame`."""
        header, lines = self._read(game_id)
        return header, (*lines, Line(self.saved(game_id).t_us, end=True))

    def stamp(self, game_id: int) -> int:
        """Return a number that changes whenever the game does."""
        with self._failing("read"):
            row = self._db.execute("SELECT max(id) FROM entries WHERE game_id = ?", (game_id,)).fetchone()
        return row[0] or 0

    def _header(self, game_id: int) -> Header:
        with self._failing("read"):
            row = self._db.execute("SELECT header FROM games WHERE id = ?", (game_id,)).fetchone()
            if row is None:
                raise NoGame(f"there is no game {game_id} in the journal {self._path}")
            return msgspec.json.decode(row[0], type=Header)

    def _read(self, game_id: int) -> tuple[Header, list[Line]]:
        header = self._header(game_id)
        with self._failing("read"):
            lines = self._db.execute("SELECT line FROM lines WHERE game_id = ? ORDER BY id", (game_id,))
            return header, [msgspec.json.decode(line, type=Line) for (line,) in lines]

    @contextmanager
    def _failing(self, doing: str) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error, msgspec.MsgspecError, OverflowError) as error:
            raise JournalFailed(f"the journal {self._path} cannot be {doing}: {error}; {ELSEWHERE}") from error

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()


def _ended(written: str | None) -> Ended | None:
    return None if written is None else msgspec.json.decode(written, type=Ended)


class Journal(Archive):
    """The journal of a running service: only one at a time has the file. One thread writes."""

    def __init__(self, path: Path) -> None:
        """Open or make the file. One that is damaged is set aside under another name, ``damaged``, never deleted."""
        self._path = path
        self._waiting: list[tuple[str, tuple[object, ...]]] = []
        with self._failing("written"), ExitStack() as held:
            path.parent.mkdir(parents=True, exist_ok=True)
            held.enter_context(closing(_lock(path)))
            self.damaged = _set_aside(path) if _is_damaged(path) else None
            self._db = held.enter_context(closing(_open(path)))
            self._next_id = 1 + (self._db.execute("SELECT max(id) FROM games").fetchone()[0] or 0)
            self._held = held.pop_all()

    def reason(self, failed: Exception) -> str:
        """Return why something ``failed``, for everybody."""
        ours = isinstance(failed, JournalFailed | NoGame)
        return without_folder(str(failed), self._path) if ours else str(failed)

    @property
    def waiting(self) -> int:
        """How much waits to be written."""
        return len(self._waiting)

    def begin(self, header: Header) -> int:
        """Begin a game; returns its number."""
        game_id = self._next_id
        self._next_id += 1
        self._waiting.append((ADD_GAME, (game_id, msgspec.json.encode(header).decode())))
        return game_id

    def note(self, game_id: int, line: Line) -> None:
        """Add a line to a game's recording."""
        self._waiting.append((ADD_LINE, (game_id, msgspec.json.encode(line).decode())))

    def enter(self, game_id: int, entry: Entry) -> None:
        """Add a ply, a taking back or an end to a game."""
        left_us = msgspec.json.encode(entry.left_us).decode()
        outcome = entry.outcome and msgspec.json.encode(entry.outcome).decode()
        self._waiting.append((ADD_ENTRY, (game_id, entry.t_us, entry.ply, entry.back_to, left_us, outcome)))

    def flush(self) -> None:
        """Write what waits. When this returns it survives a power cut; when it raises, all of it waits still."""
        if self._waiting:
            with self._failing("written"), self._db:
                for statement, row in self._waiting:
                    self._db.execute(statement, row)
            self._waiting = []

    def close(self) -> None:
        """Write what waits and let go of the file. May be called twice."""
        try:
            with self._held:
                self.flush()
        finally:
            self._waiting = []


def _lock(path: Path) -> sqlite3.Connection:
    """Hold the file beside the journal that says that a service has it; raises `JournalFailed` where one does."""
    lock = sqlite3.connect(path.with_name(f"{path.name}.lock"), timeout=0, check_same_thread=False)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            raise JournalFailed(
                f"another service keeps its games in {path}: stop it or name another file with --journal"
            ) from error
        raise
    return lock


def _is_damaged(path: Path) -> bool:
    db = sqlite3.connect(path)
    try:
        return bool(db.execute("PRAGMA quick_check(1)").fetchone() != ("ok",))
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in DAMAGE:
            return True
        raise
    finally:
        db.close()


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
