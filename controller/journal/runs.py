"""Where the rows of a game lie: they come one after the other, so that a game's are a few runs of neighbours.

Owns the tables that name the first row of each run. An index would have a page written for each table with every ply;
these have one where another game comes on the table. A journal without them has indexes, and is read by those.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

RUNS: Mapping[str, str] = {"entries": "entry_runs", "lines": "line_runs"}
BEYOND = 1 << 62  # a number that no row has


def there(db: sqlite3.Connection) -> bool:
    """Whether the journal ``db`` names its runs; raises sqlite3.Error."""
    found = db.execute("SELECT count(*) FROM sqlite_master WHERE name IN (?, ?)", tuple(RUNS.values())).fetchone()
    return int(found[0]) == len(RUNS)


def rows(
    db: sqlite3.Connection, table: str, columns: str, game_id: int, where: str = "", back: bool = False
) -> Iterator[tuple[Any, ...]]:
    """Yield the ``columns`` of a game's rows in order, or ``back`` from the last; raises sqlite3.Error.

    ``where`` is a further condition, of the form "AND …".
    """
    order = "DESC" if back else "ASC"
    query = f"SELECT {columns} FROM {table} WHERE game_id = ? AND id >= ? AND id < ? {where} ORDER BY id {order}"
    spans = _spans(db, table, game_id)
    for first, end in reversed(spans) if back else spans:
        yield from db.execute(query, (game_id, first, end))


def newest(db: sqlite3.Connection, table: str, game_id: int) -> int:
    """Return the number of a game's last row, 0 where it has none; raises sqlite3.Error."""
    return int(next(rows(db, table, "id", game_id, back=True), (0,))[0])


def _spans(db: sqlite3.Connection, table: str, game_id: int) -> list[tuple[int, int]]:
    """Return between which numbers rows of a game lie; the second of a pair is no longer of the run."""
    if not there(db):
        return [(0, BEYOND)]
    runs = RUNS[table]
    following = f"(SELECT min(first) FROM {runs} AS next WHERE next.first > run.first)"
    query = f"SELECT first, ifnull({following}, {BEYOND}) FROM {runs} AS run WHERE game_id = ? ORDER BY first"
    return db.execute(query, (game_id,)).fetchall()


def add(db: sqlite3.Connection, table: str, row_id: int | None, game_id: int) -> None:
    """Name the row that was just written, if the one before it is of another game; raises sqlite3.Error."""
    begins = f"?2 IS NOT (SELECT game_id FROM {table} WHERE id = ?1 - 1)"
    db.execute(f"INSERT OR REPLACE INTO {RUNS[table]} (first, game_id) SELECT ?1, ?2 WHERE {begins}", (row_id, game_id))


def astray(db: sqlite3.Connection, table: str) -> bool:
    """Whether there are runs, and they are not those of the rows; raises sqlite3.Error."""
    if not there(db):
        return False
    runs = RUNS[table]
    named = f"(SELECT game_id FROM {runs} WHERE first <= {table}.id ORDER BY first DESC LIMIT 1)"
    unnamed = f"EXISTS (SELECT 1 FROM {table} WHERE game_id IS NOT {named})"
    too_far = f"EXISTS (SELECT 1 FROM {runs} WHERE first > (SELECT ifnull(max(id), 0) FROM {table}))"
    return bool(db.execute(f"SELECT {unnamed} OR {too_far}").fetchone()[0])


def mend(db: sqlite3.Connection) -> None:
    """Make runs anew that are not those of the rows: a Beaconboard of before names none, and bits turn."""
    for table, runs in RUNS.items():
        if astray(db, table):
            before = f"(SELECT game_id FROM {table} AS other WHERE other.id = {table}.id - 1)"
            with db:
                db.execute(f"DELETE FROM {runs}")
                db.execute(f"INSERT INTO {runs} SELECT id, game_id FROM {table} WHERE game_id IS NOT {before}")
