"""Brings what can be read of a damaged journal over into a new one, row by row.

The damaged file stays as it is: a copy is read.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import msgspec

from controller.journal.marker import JournalMark
from controller.journal.schema import PAGE_BYTES, SUMMED, connect, copied, opened, sum_of

UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)  # the latter in the words of the former, about names
OLDER_PAGE_BYTES = 4096  # of journals that were begun before pages were smaller
BEGINS_TABLE = (5, 13)  # with which the first page of a table begins, of many rows or of few
COUNT_AT = 28  # where in the first page the number of pages stands
LEAST_ROW_BYTES = 8
FURTHEST = 1 << 26  # a number that no row has
CUT, LOST = "cut", "lost"


class Salvaged(msgspec.Struct, frozen=True):
    """How many games came over ``whole``, how many without something (``cut``), and how many are ``lost``."""

    whole: int = 0
    cut: int = 0
    lost: int = 0


def salvage(aside: Path, into: sqlite3.Connection, mark: JournalMark) -> Salvaged:
    """Recover what can be read of the journal ``aside``; ``mark`` is what was known to be in it.

    Raises sqlite3.Error or OSError where the new journal cannot be written: then it contains none of it.
    """
    copy = aside.with_name(f"{aside.name}.read")
    try:
        copied(aside, copy)
        source = _readable(copy)
        if source is None:
            return Salvaged(lost=mark.games)
        with closing(source), into:
            return _Salvage(source, into, mark).all()
    finally:
        for extra in ("", "-wal", "-shm"):
            copy.with_name(copy.name + extra).unlink(missing_ok=True)


def _readable(copy: Path) -> sqlite3.Connection | None:
    """Open the copy; where its first page is damaged, with the first page that every journal has."""
    for mended in (False, True):
        if mended:
            _mend_first_page(copy)
        db = connect(copy)
        try:
            if _columns(db):
                return db
        except UNREADABLE:
            pass  # the next attempt, or nothing can be read
        db.close()
    return None


def _mend_first_page(copy: Path) -> None:
    """Put the first page of a new journal into ``copy``: the tables begin on the same pages in every journal with pages
    of that size.
    """
    page_bytes = _page_bytes(copy)
    fresh = copy.with_name(f"{copy.name}-fresh")
    try:
        with closing(opened(fresh, page_bytes)):
            pass
        page = bytearray(fresh.read_bytes()[:page_bytes])
    finally:
        fresh.unlink(missing_ok=True)
    page[COUNT_AT : COUNT_AT + 4] = (copy.stat().st_size // page_bytes).to_bytes(4, "big")
    with copy.open("r+b") as file:
        file.write(page)


def _page_bytes(copy: Path) -> int:
    """Return how large the pages of a journal are whose first one is damaged, by where its tables begin."""
    content = copy.read_bytes()[: 7 * PAGE_BYTES]
    begin = {content[at : at + 1] for at in (5 * PAGE_BYTES, 6 * PAGE_BYTES)}
    return PAGE_BYTES if begin <= {bytes([each]) for each in BEGINS_TABLE} else OLDER_PAGE_BYTES


def _columns(db: sqlite3.Connection) -> set[str]:
    return {row[1] for row in db.execute("PRAGMA table_info(games)")}


class _Salvage:
    def __init__(self, source: sqlite3.Connection, into: sqlite3.Connection, mark: JournalMark) -> None:
        self._source, self._into, self._mark = source, into, mark
        pages, page_bytes = (source.execute(f"PRAGMA page_{what}").fetchone()[0] for what in ("count", "size"))
        self._most = pages * page_bytes // LEAST_ROW_BYTES
        self._summed = "sum" in _columns(source)  # else it is of a version that had no sums
        self._known = range(0)  # the numbers of the games
        self._gone: set[int] = set()
        self._cut: set[int] = set()

    def all(self) -> Salvaged:
        self._games()
        for table, columns in SUMMED.items():
            self._rows(table, columns)
        self._flaws()
        count = self._into.execute("SELECT count(*) FROM games").fetchone()[0]
        for kind, games in ((CUT, self._cut - self._gone), (LOST, self._gone)):
            for game_id in sorted(games):
                self._into.execute(
                    "INSERT INTO flaws (game_id, kind, line, error) VALUES (?, ?, 0, '')", (game_id, kind)
                )
        cut = len(self._cut - self._gone)
        return Salvaged(count - cut - len(self._gone), cut, len(self._gone))

    def _games(self) -> None:
        sums = "sum, dated" if self._summed else "NULL, NULL"
        found: dict[int, tuple[Any, ...]] = {}
        for row in self._readable("games", f"header, started, {sums}", self._mark.games):
            found[row[0]] = row[1:]
        self._known = range(1, max((self._mark.games, *found)) + 1)
        for game_id in self._known:
            header, started, total, dated = found.get(game_id, ("", "", None, None))
            if game_id not in found or (self._summed and total != sum_of(None, game_id, header)):
                self._gone.add(game_id)
                header = ""
            if not self._summed:
                dated = sum_of(None, game_id, started)
            row = (game_id, header, started, sum_of(None, game_id, header), dated)
            self._into.execute("INSERT INTO games (id, header, started, sum, dated) VALUES (?, ?, ?, ?, ?)", row)

    def _rows(self, table: str, columns: str) -> None:
        """Copy the rows of a table, for each game those before the first that is lost or damaged."""
        count = getattr(self._mark, table)
        before: dict[Any, Any] = {}
        fresh: dict[Any, int] = {}
        ended: set[Any] = set()
        last, latest = 0, None
        insert = f"INSERT INTO {table} ({columns}, sum) VALUES ({', '.join('?' * (columns.count(',') + 2))})"
        total = "sum" if self._summed else "NULL"
        for row_id, game_id, *fields, found in self._readable(table, f"{columns}, {total}", count):
            if row_id != last + 1:  # what is missing may have been the end of the game before, or of this one
                ended |= {each for each in (latest, None if self._summed else game_id) if each is not None}
            known = game_id in self._known
            lost = found != sum_of(before.get(game_id), game_id, *fields) if self._summed else not known
            if lost and found == sum_of(before.get(latest), latest, *fields):
                lost, game_id = False, latest  # the number of its game alone is damaged
            elif lost and not known:
                game_id = latest  # it may have been the end of that one
            if lost:
                ended.add(game_id)
            last, latest, before[game_id] = row_id, game_id, found
            if game_id in ended:
                continue
            fresh[game_id] = sum_of(fresh.get(game_id), game_id, *fields)
            self._into.execute(insert, (game_id, *fields, fresh[game_id]))
        if last < count and latest is not None:
            ended.add(latest)
        self._cut |= {game_id for game_id in ended if game_id in self._known}

    def _flaws(self) -> None:
        """Copy what was known before; an older journal has no such table."""
        with suppress(*UNREADABLE):
            for row in self._source.execute("SELECT game_id, kind, line, error FROM flaws").fetchall():
                self._into.execute("INSERT INTO flaws (game_id, kind, line, error) VALUES (?, ?, ?, ?)", row)

    def _readable(self, table: str, columns: str, known: int) -> Iterator[tuple[Any, ...]]:
        """Yield the rows that can be read, in order; unreadable ones are skipped."""
        last, top, stuck_at = 0, min(max(known, self._top(table)), self._most), -1
        while last < top:
            try:
                for row in self._source.execute(
                    f"SELECT id, {columns} FROM {table} WHERE id > ? AND id <= ? ORDER BY id", (last, top)
                ):
                    if not isinstance(row[0], int) or row[0] <= last:
                        raise sqlite3.DatabaseError("rows out of order")
                    last = row[0]
                    yield row
                return
            except UNREADABLE:
                last, stuck_at = (last + 1 if last == stuck_at else last), last

    def _top(self, table: str) -> int:
        """Return a number that no readable row lies above."""
        try:
            return int(self._source.execute(f"SELECT ifnull(max(id), 0) FROM {table}").fetchone()[0])
        except UNREADABLE:
            pass  # the way to the last row is damaged: look for any row that is far off
        top, at = 0, 1
        while at < FURTHEST:
            with suppress(*UNREADABLE):
                found = self._source.execute(f"SELECT id FROM {table} WHERE id >= ? LIMIT 1", (at,)).fetchone()
                top = 2 * at if found else top
            at *= 2
        return top
