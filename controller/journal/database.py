"""The journal: every game on disk, in SQLite.

What is handed in waits in memory until `Journal.flush` syncs it, all or nothing: the service flushes with every ply,
and raw touches are written behind, because memory cards wear.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import msgspec

from controller.journal import marker, runs, schema
from controller.journal.archive import ELSEWHERE, FAULTY, Archive, Entry, JournalFailed, Listed, Saved, without_folder
from controller.journal.marker import Hung, InUse, JournalLock, JournalMark
from controller.journal.recording import Header, Line, written_line
from controller.journal.salvage import Salvaged, salvage
from controller.journal.schema import EXTRAS, SUMMED, NewerJournal, sum_of
from controller.journal.small_pages import with_small_pages
from controller.sentences import say

__all__ = ["Archive", "Entry", "Journal", "JournalFailed", "Listed", "Saved", "without_folder"]

# Of taking up a game without coming to an end. Rules may end the program; a power cut ends more, and is none of theirs.
MOST_TRIES, MOST_BOOTS = 3, 20
LASTING = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)  # until the file is opened again
MISPLACED = (errno.ENOTDIR, errno.EEXIST, errno.EISDIR, errno.ENOENT, errno.ENAMETOOLONG, errno.ELOOP)

Kind = Literal["games", "entries", "lines", "flaws"]


class Journal(Archive):
    """The journal of a running service: only one at a time has the file. One thread writes.

    A disk that cannot be written ends nothing: entries wait, and the file is reopened with each `flush`.
    ``told`` has sentences about what was found at the start, ``found`` is what the previous service left behind.
    """

    def __init__(self, path: Path, boot: str = "") -> None:
        """Open or make the file, in this start ``boot`` of the machine. A damaged one is set aside as ``damaged``, not
        deleted, and read into the new one; one of a later version is left alone, and a file beside it is used. Raises
        `JournalFailed` where another service has it and where no file can be.
        """
        self.path, self._boot = Path(os.path.realpath(path)), boot
        self.damaged: Path | None = None
        self.told: list[str] = []
        self._waiting: list[tuple[Kind, int, tuple[Any, ...]]] = []
        self._sums: dict[tuple[str, int], int | None] = {}
        self._numbers: dict[int, int] = {}  # by the number that a game got while the file could not be read
        self._next_id: int | None = None
        self._db = None
        self._sums_there = None
        self._writable = self._names_runs = False
        self._held: JournalLock | None = None
        self._counts: JournalMark | None = None  # of what was written last
        _check_place(self.path)
        try:
            self._open()
        except (OSError, sqlite3.Error) as error:
            self._let_go()
            why = without_folder(f"the journal {self.path} cannot be written: {error}", self.path)
            self.told.append(say("The game is not being saved: {why}.", why=why))
        self.found = self._held.mark if self._held else JournalMark()

    def reason(self, failed: Exception) -> str:
        """Return why something ``failed``, for everybody."""
        ours = isinstance(failed, JournalFailed)
        return without_folder(str(failed), self.path) if ours else str(failed)

    # ---- opening

    def _open(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self._held is None:
            self._held = self._locked()
        if self._next_id is None:
            self._examine(self._held.mark)
        self._db = schema.opened(self.path)
        self._writable, self._names_runs = True, runs.there(self._db)
        counts = schema.counted(self._db)
        if self._next_id is None:
            self._look_for_lost(counts, self._held.mark)
            self._next_id = counts.games + 1
        for given in [given for given, number in self._numbers.items() if number < 0]:
            self._numbers[given] = self._next_id
            self._next_id += 1

    def _locked(self) -> JournalLock:
        try:
            return JournalLock(self.path)
        except InUse:
            raise JournalFailed(
                f"another service keeps its games in {self.path}: stop it or name another file with --journal"
            ) from None

    def _examine(self, mark: JournalMark) -> None:
        """Set a damaged file aside and recover what can be read of it; beside a later version use another file."""
        for extra in EXTRAS:
            beside = self.path.with_name(self.path.name + extra)
            if beside.is_dir():
                beside.rename(schema.free_name(beside))
        if (aside := schema.exchanged_before(self.path)) is not None:
            self._tell_damaged(aside, Salvaged())
        if not self.path.exists():
            return
        if not self.path.stat().st_size:
            self.told.append(say("The journal {file} was empty: a new one has been started.", file=self.path.name))
        try:
            damaged = schema.is_damaged(self.path)
        except NewerJournal as newer:
            self._beside(str(newer))
            return
        if damaged:
            came = self._recovered(mark)
            self._tell_damaged(schema.exchange(self.path), came)
        else:
            with_small_pages(self.path)

    def _beside(self, newer: str) -> None:
        """Leave the journal of a later version alone and use one with a name of its own."""
        left, self.path = self.path, self.path.with_name(f"{self.path.name}.version-{schema.VERSION}")
        self.told.append(
            say(
                "The journal {file} was written by a later Beaconboard ({version}) and stays unchanged: games "
                "are kept in {other}.",
                file=left.name,
                version=newer,
                other=self.path.name,
            )
        )
        if self._held is not None:
            self._held.close()
        self._held = self._locked()
        self._examine(self._held.mark)

    def _recovered(self, mark: JournalMark) -> Salvaged:
        """Read what a damaged journal has into a new one beside it, and have that on disk."""
        came = Salvaged()
        schema.remove(schema.recovered(self.path))
        with closing(schema.opened(schema.recovered(self.path))) as fresh, suppress(sqlite3.Error, OSError):
            came = salvage(self.path, fresh, mark)
        return came

    def _tell_damaged(self, aside: Path, came: Salvaged) -> None:
        self.damaged = aside
        sentence = say(
            "The journal was damaged: it is kept as {file}, and a new one has been started.", file=aside.name
        )
        if came != Salvaged():
            sentence = say(
                "The journal was damaged: it is kept as {file}. Of its games are recovered in full: {whole}, in "
                "part: {cut}; lost: {lost}.",
                file=aside.name,
                whole=came.whole,
                cut=came.cut,
                lost=came.lost,
            )
        self.told.append(sentence)

    def _look_for_lost(self, counts: JournalMark, mark: JournalMark) -> None:
        """Report where less is there than was on disk, though what is there is sound: a lost log or file."""
        lacking = tuple(max(0, getattr(mark, kind) - getattr(counts, kind)) for kind in ("games", "entries", "lines"))
        if self.damaged is None and any(lacking):
            aside = schema.free_name(self.path)
            schema.copied(self.path, aside)
            self.told.append(
                say(
                    "The end of the journal is missing: games: {games}, moves and endings: {plies}, lines of "
                    "recordings: {lines}. It is kept as {file}, as it was found.",
                    games=lacking[0],
                    plies=lacking[1],
                    lines=lacking[2],
                    file=aside.name,
                )
            )

    def _let_go(self) -> None:
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
        self._db, self._sums_there, self._writable = None, None, False

    def _reading(self) -> sqlite3.Connection:
        """Return what to read from: where the file cannot be written, it may be read all the same."""
        if self._db is None:
            self._db = schema.reading(self.path) if self.path.exists() else schema.empty()
        return self._db

    # ---- handing in

    @property
    def waiting(self) -> int:
        """How much waits to be written."""
        return len(self._waiting)

    def begin(self, header: Header) -> int:
        """Begin a game; returns its number, which is below 0 while the journal cannot be opened."""
        if self._next_id is None:
            game_id = -1 - len(self._numbers)
            self._numbers[game_id] = game_id
        else:
            game_id = self._next_id
            self._next_id += 1
        started = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")
        self._waiting.append(("games", game_id, (msgspec.json.encode(header).decode(), started)))
        return game_id

    def note(self, game_id: int, line: Line) -> None:
        """Add a line to a game's recording."""
        self._waiting.append(("lines", game_id, (written_line(line),)))

    def enter(self, game_id: int, entry: Entry) -> None:
        """Add a ply, a taking back or an end to a game."""
        left_us = msgspec.json.encode(entry.left_us).decode()
        outcome = entry.outcome and msgspec.json.encode(entry.outcome).decode()
        self._waiting.append(("entries", game_id, (entry.t_us, entry.ply, entry.back_to, left_us, outcome)))

    def set_aside(self, game_id: int, error: str) -> None:
        """Note that the rules of a game failed: `faulty` until it is on the table again."""
        self._waiting.append(("flaws", game_id, (FAULTY, error)))

    def flush(self) -> None:
        """Write what waits. When this returns it survives a power cut; when it raises, all of it waits still."""
        if not self._waiting:
            return
        with self._failing("written"):
            if not self._writable:
                self._let_go()
                self._open()
            db, sums = self._reading(), dict(self._sums)
            try:
                with db:
                    for kind, game_id, row in self._waiting:
                        self._write(db, sums, kind, self.number(game_id), row)
            except sqlite3.Error as error:
                if getattr(error, "sqlite_errorcode", 0) & 0xFF in LASTING:  # none where SQLite itself was not asked
                    self._let_go()
                raise
            self._waiting, self._sums, self._counts = [], sums, schema.counted(db)
            if self._held is not None and marker.is_out_of_date(self._held.mark, self._counts):
                self._leave(self._counts)

    def _write(
        self, db: sqlite3.Connection, sums: dict[tuple[str, int], int | None], kind: Kind, game_id: int, row: Any
    ) -> None:
        if kind == "games":
            both = (sum_of(None, game_id, row[0]), sum_of(None, game_id, row[1]))
            statement = "INSERT INTO games (id, header, started, sum, dated) VALUES (?, ?, ?, ?, ?)"
            db.execute(statement, (game_id, *row, *both))
        elif kind == "flaws":
            db.execute(
                "INSERT INTO flaws (game_id, kind, line, error) VALUES (?, ?, ?, ?)",
                (game_id, row[0], runs.newest(db, "lines", game_id), *row[1:]),
            )
        else:
            key = kind, game_id
            if key not in sums:
                sums[key] = next(runs.rows(db, kind, "sum", game_id, back=True), (None,))[0]
            sums[key] = sum_of(sums[key], game_id, *row)
            blanks = ", ".join("?" * (len(row) + 2))
            statement = f"INSERT INTO {kind} ({SUMMED[kind]}, sum) VALUES ({blanks})"
            written = db.execute(statement, (game_id, *row, sums[key]))
            if self._names_runs:
                runs.add(db, kind, written.lastrowid, game_id)

    def number(self, game_id: int) -> int:
        """Return the number that the game got as `game_id` has in the file."""
        return self._numbers.get(game_id, game_id)

    # ---- what the next start is to know

    def taking_up(self, game_id: int) -> bool:
        """Note that a game is being resumed; returns whether that was begun too often without coming to an end."""
        if self._held is None:
            return False
        mark, boot = self._held.mark, self._boot
        again = mark.taking_up == game_id
        tried = mark.tried + 1 if again and mark.boot == boot else 1
        boots = mark.boots + (mark.boot != boot) if again else 1
        self._held.write(msgspec.structs.replace(mark, taking_up=game_id, tried=tried, boot=boot, boots=boots))
        return tried > MOST_TRIES or boots > MOST_BOOTS

    def taken_up(self) -> None:
        """Note that what `taking_up` noted has come to an end."""
        if self._held is not None and self._held.mark.taking_up is not None:
            self._held.write(msgspec.structs.replace(self._held.mark, taking_up=None, tried=0))

    def hung(self, hung: Hung | None) -> None:
        """Note what hung, for the next start; None once that was reported. From any thread."""
        if self._held is not None:
            self._held.write(msgspec.structs.replace(self._held.mark, hung=hung, taking_up=None, tried=0))

    def blame(self, hung: Hung) -> None:
        """Take ``hung`` for what the previous service has left behind: that could not say so any more."""
        self.found = msgspec.structs.replace(self.found, hung=hung)
        self.hung(hung)

    def _leave(self, counts: JournalMark) -> None:
        if self._held is not None:
            mark = self._held.mark
            self._held.write(
                msgspec.structs.replace(mark, games=counts.games, entries=counts.entries, lines=counts.lines)
            )

    def close(self) -> None:
        """Write what waits and let go of the file. May be called twice."""
        try:
            self.flush()
        finally:
            if self._counts is not None:
                self._leave(self._counts)
            self._waiting, self._counts = [], None
            self._let_go()
            if self._held is not None:
                self._held.close()
            self._held = None


def _check_place(path: Path) -> None:
    """Raise `JournalFailed` where no file can be, whatever the disk does: somebody has named the wrong place."""
    error: OSError | None = None
    if path.is_dir():
        error = IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    else:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as failed:
            error = failed if failed.errno in MISPLACED else None
    if error is not None:
        raise JournalFailed(f"the journal {path} cannot be written: {error}; {ELSEWHERE}") from error
