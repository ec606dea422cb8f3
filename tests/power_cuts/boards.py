"""The boards on which the stories begin."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from controller.backups.state import BoardState
from controller.journal.database import Entry, Journal
from controller.journal.recording import Header
from controller.own_variants import OwnVariants, folder_of
from controller.rules.variants import Variant
from controller.table.session import Ended
from tests.backups.boards import PEOPLE, backed_up
from tests.journal.journals import played
from tests.power_cuts.start import GAMES

OTHERS = '{"profiles":[{"id":"c3","name":"Cleo"}]}'
OLDER_PAGE_BYTES = 4096


@cache
def _three_games() -> bytes:
    """Return a journal of three games."""
    folder = Path(mkdtemp(prefix="beaconboard-"))
    try:
        return played(folder / GAMES).read_bytes()
    finally:
        shutil.rmtree(folder)


def never_used(folder: Path) -> None:
    """A card on which nothing was ever written."""


def furnished(folder: Path) -> None:
    """Three games, two people, a setting and a variant."""
    (folder / GAMES).write_bytes(_three_games())
    _write_twice(folder / f"{GAMES}.people.json", PEOPLE)
    _write_twice(folder / f"{GAMES}.settings.toml", "brightness = 40\n")
    OwnVariants(folder_of(folder / GAMES)).save(Variant("small", "Small", "cyvasse", "Without.", {"dragons": False}))


def _write_twice(path: Path, text: str) -> None:
    for place in (path, path.with_name(f"{path.name}.last-good")):
        place.write_text(text)


def with_a_backup(folder: Path) -> None:
    """One game of its own, other people, no variant, and a backup of the board that is `furnished`."""
    other = folder / "other"
    other.mkdir()
    furnished(other)
    path, _ = backed_up(BoardState(other / GAMES, other / GAMES), folder)
    copies = folder / f"{GAMES}.backups"
    copies.mkdir(mode=0o700)
    path.rename(copies / "beaconboard-2026-11-26-asked.backup")
    shutil.rmtree(other)
    with closing(Journal(folder / GAMES)) as opened:
        game = opened.begin(Header("tides-of-war", board="square144"))
        opened.enter(game, Entry(0, back_to=0))
        opened.enter(game, Entry(1, ply="c3-c4"))
        opened.enter(game, Entry(1, outcome=Ended(True, 0, "resigned")))
    _write_twice(folder / f"{GAMES}.people.json", OTHERS)


def cut_off(folder: Path) -> None:
    """The same, as a service leaves it that was killed: with a log beside the journal."""
    with_a_backup(folder)
    with closing(Journal(folder / GAMES)) as opened:
        for number in range(5):
            opened.enter(opened.begin(Header("circle", board="square144")), Entry(number, ply="pass"))
            opened.flush()
        left = {name: (folder / name).read_bytes() for name in (GAMES, f"{GAMES}-wal", f"{GAMES}.lock")}
    for name, content in left.items():
        (folder / name).write_bytes(content)


def of_an_older_version(folder: Path) -> None:
    """A journal of before there were sums, with pages as they were."""
    (folder / GAMES).write_bytes(_three_games())
    with closing(sqlite3.connect(folder / GAMES, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        for table, column in (("games", "dated"), ("games", "sum"), ("entries", "sum"), ("lines", "sum")):
            db.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        db.execute("DROP TABLE flaws")
        db.execute("PRAGMA user_version = 0")
        db.execute(f"PRAGMA page_size = {OLDER_PAGE_BYTES}")
        db.execute("VACUUM")


def with_larger_pages(folder: Path) -> None:
    """A journal of today with pages as they were."""
    (folder / GAMES).write_bytes(_three_games())
    with closing(sqlite3.connect(folder / GAMES, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute(f"PRAGMA page_size = {OLDER_PAGE_BYTES}")
        db.execute("VACUUM")


def damaged(folder: Path) -> None:
    """A journal of which the runs are noise: SQLite calls it damaged, and no row is lost."""
    (folder / GAMES).write_bytes(_three_games())
    with closing(sqlite3.connect(folder / GAMES)) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'line_runs'").fetchone()
        (page_bytes,) = db.execute("PRAGMA page_size").fetchone()
    with (folder / GAMES).open("r+b") as file:
        file.seek((page - 1) * page_bytes)
        file.write(b"\xff" * page_bytes)


BOARDS: dict[str, Callable[[Path], None]] = {  # by the stories that begin on them
    "first_start": never_used,
    "evening": furnished,
    "long_evening": furnished,
    "older_journal": of_an_older_version,
    "larger_pages": with_larger_pages,
    "damaged_journal": damaged,
    "put_back": with_a_backup,
    "put_back_after_a_cut": cut_off,
    "backups_made": furnished,
    "beside_the_journal": furnished,
}
