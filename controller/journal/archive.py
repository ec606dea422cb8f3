"""The journal as it is read: the games that were played, each by itself.

Each row has a sum with that of the row before it, so that damage in one field is found when its game is read, and harms
no other.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from controller.events import Seating
from controller.journal import runs
from controller.journal import schema as journal_file
from controller.journal.recording import Header, Line
from controller.journal.schema import SUMMED, NewerJournal, sum_of
from controller.sentences import say
from controller.table.promises import Promises
from controller.table.session import Ended, Left
from controller.typed import ready

CUT, LOST, FAULTY = "cut", "lost", "faulty"  # flaws of a game: it lacks something, it is gone, its rules failed
ELSEWHERE = "mend that or name another file with --journal"


def without_folder(sentence: str, path: Path) -> str:
    """Return ``sentence`` about the file ``path`` for everybody: its folder is only for the machine's owner."""
    for written in (str(path.absolute()), str(path)):
        sentence = sentence.replace(written, path.name)
    folder = str(path.absolute().parent)
    return sentence.replace(f"{folder}/", "").replace(folder, "…") if len(folder) > 1 else sentence


class JournalFailed(RuntimeError):
    """The journal cannot be read or written, or has no such game; the text says why."""


class Entry(msgspec.Struct, frozen=True):
    """A ply made (``ply``), plies taken back (``back_to`` are left), or the end by the players' word (``outcome``).

    That the position to begin from stood on the board is written as a taking back to as many plies as there are.

    An ``outcome`` that is not over takes that end back. Entries are never changed: the journal keeps both.

    ``t_us`` counts from the game's start; ``left_us`` is what the clock showed.
    """

    t_us: int
    ply: str | None = None
    back_to: int | None = None
    left_us: tuple[int, ...] = ()
    outcome: Ended | None = None


class Saved(msgspec.Struct, frozen=True):
    """A game as it was left; ``t_us`` is when the last thing happened, ``seating`` who sat where at last. The
    ``header`` has the seats that the board played at last.

    ``flaw`` says what of it is lost, "" where nothing is: ``left`` then has what came before that.
    """

    game_id: int
    header: Header
    left: Left
    t_us: int
    seating: Seating = Seating()
    flaw: str = ""

    @property
    def plies(self) -> tuple[str, ...]:
        """The plies that stand."""
        return self.left.plies


class Listed(msgspec.Struct, frozen=True):
    """A game in a list: ``started`` is a date and a time in UTC, "" where that is damaged; ``stamp`` changes whenever
    the game does.
    """

    game_id: int
    started: str
    stamp: int


class Archive:
    """A journal to read, also while a service writes it. Its methods raise `JournalFailed`."""

    def __init__(self, path: Path) -> None:
        """Open the file, which must be there."""
        if not path.exists():
            raise JournalFailed(f"there is no journal at {path}")
        self.path = path
        with self._failing("read"):
            self._db: sqlite3.Connection | None = journal_file.reading(path)
        self._sums_there: bool | None = None

    def last(self) -> Saved | None:
        """Return the game that was on the table last, started or resumed; None in a new journal."""
        with self._failing("read"):
            db = self._reading()
            newest = db.execute("SELECT max(id) FROM games").fetchone()[0]
            played = db.execute(
                "SELECT game_id FROM lines WHERE game_id IN (SELECT id FROM games) ORDER BY id DESC LIMIT 1"
            ).fetchone()
            begun = newest is not None and runs.newest(db, "lines", newest)
        if newest is None:
            return None
        # A game that was begun and not touched yet has no lines; else the last line is of the game on the table.
        return self.saved(played[0] if played and begun else newest)

    def listed(self, most: int, before: int | None = None) -> Sequence[Listed]:
        """Return the ``most`` latest games of those numbered below ``before``; the newest first."""
        with self._failing("read"):
            dated = "dated" if self._summed else "NULL"
            db = self._reading()
            query = f"SELECT id, started, {dated} FROM games WHERE id < ? ORDER BY id DESC LIMIT ?"
            found = db.execute(query, (before if before is not None else 1 << 62, most)).fetchall()
            return [
                Listed(
                    game_id,
                    started if self._right(dated, None, game_id, started) else "",
                    runs.newest(db, "entries", game_id),
                )
                for game_id, started, dated in found
            ]

    def saved(self, game_id: int, lines: bool = True) -> Saved:
        """Return a game as it was left; raises `JournalFailed`.

        Without ``lines`` the recording, which may be of a long game, is not looked through for damage.
        """
        header = self._header(game_id)
        left, lost = Left(header.plies, given=header.came), False
        with self._failing("read"):
            at_last, lost_lines = self._last(game_id) if lines else (self._ended_with(game_id), False)
            t_us = at_last.t_us
            for entry in self._entered(game_id):
                if entry is None or (entry.back_to or 0) > len(left.plies):
                    lost = True
                    break
                t_us, left = max(t_us, entry.t_us), _after(left, entry)
            kinds = self._flaws(game_id)
        seating = at_last.seating or Seating()
        left = msgspec.structs.replace(left, kept=seating.kept, promises=at_last.promises or Promises())
        if at_last.opponents is not None:
            header = msgspec.structs.replace(header, opponents=at_last.opponents)
        flaw = ""
        if lost or CUT in kinds:
            flaw = say("the journal is damaged here: moves of this game that are left: {count}", count=len(left.plies))
        elif lost_lines:
            flaw = say("the journal is damaged here: the recording of this game breaks off")
        return Saved(game_id, header, left, t_us, msgspec.structs.replace(seating, kept=()), flaw)

    def entries(self, game_id: int) -> Sequence[Entry]:
        """Return all entries of a game, including what was taken back, up to where the journal is damaged."""
        with self._failing("read"):
            return [entry for entry in self._entered(game_id) if entry is not None]

    def _entered(self, game_id: int) -> Iterator[Entry | None]:
        """Yield the entries of a game; at the first damage None, and no more."""
        for row in self._rows("entries", game_id):
            entry = _entry(row) if row is not None else None
            yield entry
            if entry is None:
                return

    def _last(self, game_id: int) -> tuple[Line, bool]:
        """Return when the last line of a game's recording was, who sat where at last, what was promised in secret and
        which seats the board played, as one line, and whether lines are lost.

        A recording may be of a long game: none of its lines is kept.
        """
        last = Line(0)
        for found in self._rows("lines", game_id):
            line = _decoded(found[0], Line) if found is not None else None
            if line is None:
                return last, True
            told = (line.seating or last.seating, line.promises or last.promises, line.opponents or last.opponents)
            last = Line(line.t_us, seating=told[0], promises=told[1], opponents=told[2])
        return last, False

    def _ended_with(self, game_id: int) -> Line:
        """Return what `_last` does, without promises, from no more lines than that needs."""
        db = self._reading()
        end = _decoded(next(runs.rows(db, "lines", "line", game_id, back=True), ("",))[0], Line)
        told = [runs.rows(db, "lines", "line", game_id, f"AND line LIKE '%\"{kind}\":%'", back=True)
                for kind in ("seating", "opponents")]  # fmt: skip
        found = [(_decoded(text, Line) for (text,) in each) for each in told]
        seating = next((line.seating for line in found[0] if line and line.seating), None)
        opponents = next((line.opponents for line in found[1] if line and line.opponents), None)
        return Line(end.t_us if end else 0, seating=seating, opponents=opponents)

    def stamp(self, game_id: int) -> int:
        """Return a number that changes whenever the game does."""
        with self._failing("read"):
            return runs.newest(self._reading(), "entries", game_id)

    def begun_s_ago(self, game_id: int) -> float:
        """Return how many seconds ago a game was begun, by this machine's clock; 0 where that is not known."""
        listed = next((each for each in self.listed(1, game_id + 1) if each.game_id == game_id), None)
        if listed is None or not listed.started:
            return 0.0
        with self._failing("read"):
            query = "SELECT (julianday('now') - julianday(?)) * 86400"
            ago = self._reading().execute(query, (listed.started,)).fetchone()[0]
        return float(ago or 0)

    def faulty(self, game_id: int) -> str | None:
        """Return the error for which a game was set aside and has not been on the table since; None of any other."""
        with self._failing("read"):
            if not self._summed:
                return None
            newest = runs.newest(self._reading(), "lines", game_id)
            row = (
                self._reading()
                .execute(
                    "SELECT error FROM flaws WHERE game_id = ? AND kind = ? AND line >= ? ORDER BY id DESC LIMIT 1",
                    (game_id, FAULTY, newest),
                )
                .fetchone()
            )
        return str(row[0]) if row else None

    def recording(self, game_id: int) -> tuple[Header, Sequence[Line]]:
        """Return a game as a recording, up to its end or to where the journal is damaged; raises `JournalFailed`."""
        header, lines, lost = self._read(game_id)
        end_us = lines[-1].t_us if lost and lines else self.saved(game_id).t_us
        return header, (*lines, Line(end_us, end=True))

    def _header(self, game_id: int) -> Header:
        with self._failing("read"):
            total = "sum" if self._summed else "NULL"
            query = f"SELECT header, {total} FROM games WHERE id = ?"
            row = self._reading().execute(query, (game_id,)).fetchone()
            if row is None:
                raise JournalFailed(f"there is no game {game_id} in the journal {self.path}")
            header = _decoded(row[0], Header) if self._right(row[1], None, game_id, row[0]) else None
            if header is None or LOST in self._flaws(game_id):
                raise JournalFailed(f"the journal {self.path} is damaged: this game cannot be read")
            found: Header = header
            return found

    def _read(self, game_id: int) -> tuple[Header, list[Line], bool]:
        """Return a game's header, its lines as far as they can be read, and whether some of them cannot."""
        header = self._header(game_id)
        with self._failing("read"):
            lines: list[Line] = []
            for found in self._rows("lines", game_id):
                line = _decoded(found[0], Line) if found is not None else None
                if line is None:
                    return header, lines, True
                lines.append(line)
            return header, lines, False

    def _rows(self, table: str, game_id: int) -> Iterator[tuple[Any, ...] | None]:
        """Yield the rows of a game, without its number and their sums; at the first damaged one None, and no more."""
        columns = SUMMED[table]
        total = "sum" if self._summed else "NULL"
        before = None
        for own_id, *fields, found in runs.rows(self._reading(), table, f"{columns}, {total}", game_id):
            if not self._right(found, before, own_id, *fields):
                yield None
                return
            before = found
            yield tuple(fields)

    def _right(self, found: object, before: object, *fields: object) -> bool:
        return not self._summed or found == sum_of(before, *fields)

    def _flaws(self, game_id: int) -> set[str]:
        if not self._summed:
            return set()
        return {kind for (kind,) in self._reading().execute("SELECT kind FROM flaws WHERE game_id = ?", (game_id,))}

    def _reading(self) -> sqlite3.Connection:
        if self._db is None:
            raise OSError("it is not open")
        return self._db

    @property
    def _summed(self) -> bool:
        """Whether rows have sums; raises `JournalFailed` for a journal of a later version."""
        try:
            if self._sums_there is None:
                self._sums_there = journal_file.version(self._reading()) > 0
            return self._sums_there
        except NewerJournal as newer:
            raise JournalFailed(
                f"the journal {self.path} was written by a later Beaconboard ({newer}): read it with that one"
            ) from newer

    @contextmanager
    def _failing(self, doing: str) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error, ValueError, OverflowError) as error:
            raise JournalFailed(f"the journal {self.path} cannot be {doing}: {error}; {ELSEWHERE}") from error

    def close(self) -> None:
        """Let go of the file."""
        if self._db is not None:
            self._db.close()


def _decoded(text: Any, schema: type[Any]) -> Any:
    """Return what ``text`` says, None where it says nothing of the kind."""
    try:
        return msgspec.json.decode(text, type=ready(schema))
    except (ValueError, TypeError, RecursionError):  # of msgspec, or text that is not UTF-8, or not text
        return None


def _entry(row: tuple[Any, ...]) -> Entry | None:
    t_us, ply, back_to, left_us, outcome = row
    left = _decoded(left_us, tuple[int, ...])
    ended = None if outcome is None else _decoded(outcome, Ended)
    if left is None or (outcome is not None and ended is None):
        return None
    try:
        entry = msgspec.convert({"t_us": t_us, "ply": ply, "back_to": back_to, "left_us": left}, ready(Entry))
    except msgspec.ValidationError:
        return None
    told = (ply is not None) + (back_to is not None) + (ended is not None)
    return msgspec.structs.replace(entry, outcome=ended) if told == 1 and (back_to or 0) >= 0 else None


def _after(left: Left, entry: Entry) -> Left:
    if entry.outcome is not None:
        return msgspec.structs.replace(left, outcome=entry.outcome if entry.outcome.over else None)
    plies = left.plies[: entry.back_to] if entry.ply is None else (*left.plies, entry.ply)
    after = Left(plies, entry.left_us, given=min(left.given, len(plies)), stood=entry.ply is None)
    # That the board stands, with a game that was ended before it did, begins nothing anew.
    return msgspec.structs.replace(after, outcome=left.outcome) if plies == left.plies else after
