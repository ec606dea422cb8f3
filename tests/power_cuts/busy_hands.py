"""A program to be recorded, which writes in every way in which ours do.

python -m tests.power_cuts.busy_hands FOLDER
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

from controller import atomic_file
from tests.power_cuts.trace import mark

ROWS = 3000  # so many that the log of a database is taken over


def work(folder: Path) -> None:
    """Write, rename, remove and sync."""
    with closing(sqlite3.connect(folder / "rows")) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE rows (text)")
        for number in range(ROWS):
            with db:
                db.execute("INSERT INTO rows VALUES (?)", (f"row {number}" * 20,))
    mark({"done": {"rows": ROWS}})
    atomic_file.replace(folder / "small.json", b"[1]")
    atomic_file.replace(folder / "small.json", b"[1, 2]")
    (folder / "deep").mkdir()
    (folder / "deep" / "text").write_text("a" * 100_000)
    shutil.copyfile(folder / "deep" / "text", folder / "copy")
    shutil.copytree(folder / "deep", folder / "other")
    with (folder / "copy").open("r+b") as file:
        file.seek(7)
        file.write(b"in between")
        file.truncate(50_000)
        os.fsync(file.fileno())
    with (folder / "copy").open("ab") as file:
        file.write(b"at the end")
    (folder / "other").rename(folder / "renamed")
    shutil.rmtree(folder / "deep")
    (folder / "copy").rename(folder / "renamed" / "copy")


if __name__ == "__main__":
    work(Path(sys.argv[1]))
