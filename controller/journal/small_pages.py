"""Writes a journal anew that has larger pages than today, or indexes: it takes fewer bytes for every ply then.

Owns that this happens at a start, whole or not at all, also where the power fails. Nothing in the journal changes.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from controller.atomic_file import sync_folder
from controller.journal import schema
from controller.journal.schema import COLUMNS, PAGE_BYTES

ROOM = 4  # times as large as the journal: the new one and its log, and as much again


def with_small_pages(path: Path) -> None:
    """Write the sound journal at ``path`` anew, if it is not as today's are; where anything is in the way, it stays."""
    try:
        with closing(schema.connect(path)) as db:
            if _as_today(db) or schema.version(db) != schema.VERSION:
                return
        if shutil.disk_usage(path.parent).free > ROOM * path.stat().st_size:
            _written_anew(path)
    except (OSError, sqlite3.Error):  # a card that takes nothing, or somebody who reads: the next start tries again
        with suppress(OSError):
            schema.remove(_fresh(path))


def _as_today(db: sqlite3.Connection) -> bool:
    small = db.execute("PRAGMA page_size").fetchone()[0] <= PAGE_BYTES
    return small and not db.execute("SELECT 1 FROM sqlite_master WHERE type = 'index'").fetchone()


def _fresh(path: Path) -> Path:
    return path.with_name(f"{path.name}.rewritten")


def _written_anew(path: Path) -> None:
    fresh = _fresh(path)
    schema.remove(fresh)
    with closing(schema.opened(fresh)) as db:
        db.execute("ATTACH ? AS old", (str(path),))
        with db:
            for table, columns in COLUMNS.items():
                db.execute(
                    f"INSERT INTO main.{table} (id, {columns}) SELECT id, {columns} FROM old.{table} ORDER BY id"
                )
        db.execute("DETACH old")
    shutil.copymode(path, fresh)
    with closing(schema.connect(path)) as db:
        if db.execute("PRAGMA journal_mode = DELETE").fetchone() != ("delete",):  # raises where somebody reads
            return
    sync_folder(path.parent)  # the log of the old one is gone before anything else has its name
    fresh.replace(path)
    sync_folder(path.parent)
