"""One backup: a zip that says first what it holds, with a sum of every part; written whole or not at all.

The games are in it as SQLite itself copies them, so that any tool reads them; a zip makes them a fifth as large.
Whatever somebody hands in as a backup is held to its own words, and to the bounds here, before any of it is used.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Literal

import msgspec
from msgspec import Meta

from controller import atomic_file, checked_zip
from controller.backups.state import GAMES, MOST_PART_BYTES, PEOPLE, VARIANTS, BoardState, Source, known
from controller.journal import read_beside, schema
from controller.sentences import say
from controller.typed import ready

FORMAT = 2  # of a backup; its journal has a version of its own. 2: with what was measured of boards
MANIFEST = "manifest.json"
MOST_BYTES = 256 << 20  # of a backup: the games of some twenty years
MOST_GAMES_BYTES = 2 << 30  # of the games in it
MOST_PARTS = 20_000
MOST_MANIFEST_BYTES = 4 << 20

Kind = Literal["evening", "asked", "before"]
"""When it was made: after an evening, when somebody asked for it, or before another was put back."""

Count = Annotated[int, Meta(ge=0)]
Text = Annotated[str, Meta(max_length=200)]


class BadBackup(checked_zip.BadZip):
    """A file that is no backup, or cannot be made or put back; the sentence says what is wrong and what to do."""


class BackupPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part: its bytes, and their SHA-256 in hexadecimal digits."""

    bytes: Count
    sha256: Text


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a backup says of itself. ``number`` grows with every backup of a board, whatever its clock said; ``made`` is
    a date and a time in UTC, ``day`` the day there. ``entries`` are moves and ends, ``last`` when the last game began.
    """

    format: int
    number: Count
    kind: Kind
    made: Text
    day: Text
    board: Text
    program: Text
    journal_version: int
    games: Count
    entries: Count
    last: Text
    people: Count
    variants: Count
    parts: dict[str, BackupPart]

    @property
    def unpacked_bytes(self) -> int:
        """How much all of it takes once it is unpacked."""
        return sum(part.bytes for part in self.parts.values())


class FormatVersions(msgspec.Struct):
    """What is looked at first: a later format may have other fields."""

    format: int = 0
    journal_version: int = 0


class Occasion(msgspec.Struct, frozen=True):
    """When and why a backup is made, of which ``board``, by which version of the ``program``."""

    number: int
    kind: Kind
    now: datetime
    board: str = ""
    program: str = ""


class Held(msgspec.Struct, frozen=True):
    """What a journal holds: ``games``, ``entries``, and when the ``last`` game began, "" where there is none."""

    games: int = 0
    entries: int = 0
    last: str = ""


def held(journal: Path) -> Held:
    """Return what a journal holds; raises sqlite3.Error."""
    if not journal.exists():
        return Held()
    with closing(schema.reading(journal)) as db:
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'games'").fetchone():
            return Held()
        games, entries = (
            db.execute(f"SELECT ifnull(max(id), 0) FROM {table}").fetchone()[0] for table in ("games", "entries")
        )
        last = db.execute("SELECT started FROM games WHERE id = ?", (games,)).fetchone()
    return Held(games, entries, str(last[0]) if last else "")


# ---- made ----


def write(path: Path, state: BoardState, occasion: Occasion) -> Manifest:
    """Write a backup of ``state`` into ``path``, whole or not at all; raises `BadBackup`."""
    fresh = path.with_name(f"{path.name}.new")
    try:
        with _games(state.journal, path.parent) as games:
            parts: dict[str, Source] = {GAMES: games, **dict(state.small_parts())}
            manifest = _manifest(occasion, held(games), parts)
            _zipped(fresh, manifest, parts)
        fresh.replace(path)
        atomic_file.sync_folder(path.parent)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise BadBackup(not_made(path.parent, error)) from error
    return manifest


def not_made(folder: Path, error: Exception) -> str:
    """Return why no backup could be made in ``folder``, in a sentence."""
    return say("No backup can be made in {folder}: {why}. Make room on the card, or look at Board care.",
               folder=folder.name, why=why(error))  # fmt: skip


def why(error: BaseException | None) -> str:
    """Return what went wrong, in the system's own words where it has any."""
    return (isinstance(error, OSError) and error.strerror) or str(error)


@contextmanager
def _games(journal: Path, beside: Path) -> Iterator[Path]:
    """Yield a copy of the journal as it is at one moment, also while it is written; in memory where that is easy."""
    with read_beside.room_for(journal, beside) as folder:
        copy = folder / GAMES
        with closing(schema.reading(journal)) as db, closing(sqlite3.connect(copy)) as taken:
            db.backup(taken)  # page by page: what is saved of a damaged journal goes by where its tables begin
            taken.execute("PRAGMA journal_mode = DELETE")  # one file, without a log
        yield copy


def _manifest(occasion: Occasion, games: Held, parts: Mapping[str, Source]) -> Manifest:
    with closing(schema.connect(_path(parts[GAMES]))) as db:
        version = schema.version(db)
    return Manifest(
        FORMAT, occasion.number, occasion.kind, occasion.now.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S"),
        occasion.now.strftime("%Y-%m-%d"), occasion.board, occasion.program, version,
        games.games, games.entries, games.last, _people(parts.get(PEOPLE, b"")),
        sum(name.startswith(f"{VARIANTS}/") for name in parts),
        {name: _summed(source) for name, source in parts.items()},
    )  # fmt: skip


def _path(source: Source) -> Path:
    assert isinstance(source, Path)
    return source


def _people(text: Source) -> int:
    """Return how many people a file names, 0 where it cannot be read: it is kept as it is."""
    try:
        found: Any = msgspec.json.decode(text) if isinstance(text, bytes) else {}
        return len(found["profiles"])
    except (ValueError, KeyError, TypeError):
        return 0


def _summed(source: Source) -> BackupPart:
    with _reading(source) as file:
        found = hashlib.sha256()
        while piece := file.read(checked_zip.PIECE_BYTES):
            found.update(piece)
        return BackupPart(file.tell(), found.hexdigest())


@contextmanager
def _reading(source: Source) -> Iterator[BinaryIO]:
    with BytesIO(source) if isinstance(source, bytes) else source.open("rb") as file:
        yield file


def _zipped(path: Path, manifest: Manifest, parts: Mapping[str, Source]) -> None:
    """Write the zip, with what it says of itself first, so that one that was cut off is known for what it was."""
    time = datetime.strptime(manifest.made, "%Y-%m-%d %H:%M:%S")
    date_time = (max(time.year, 1980), *time.timetuple()[1:6])  # a clock that was never set says 1970
    with open(os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), "w+b") as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, source in {MANIFEST: msgspec.json.encode(manifest), **parts}.items():
                entry = zipfile.ZipInfo(name, date_time)
                entry.compress_type = zipfile.ZIP_DEFLATED
                with _reading(source) as given, archive.open(entry, "w", force_zip64=True) as taken:
                    shutil.copyfileobj(given, taken, checked_zip.PIECE_BYTES)
        file.flush()
        os.fsync(file.fileno())


# ---- read ----


def manifest_of(path: Path) -> Manifest:
    """Return what a backup says of itself; raises `BadBackup`."""
    with _readable(path, path.name) as archive:
        return _read_manifest(archive, path.name)


def check(path: Path, name: str = "") -> Manifest:
    """Return what a backup says of itself once every part of it was found to be so; raises `BadBackup`, in which it has
    that ``name``.
    """
    with _readable(path, name or path.name) as archive:
        manifest = _read_manifest(archive, name or path.name)
        for part, about in manifest.parts.items():
            for _ in checked_zip.pieces(archive, part, about.bytes, about.sha256):
                pass
    return manifest


def unpack(path: Path, into: Path) -> Manifest:
    """Write the parts of a backup ``into`` a folder, and have them on disk; raises `BadBackup` and OSError."""
    with _opened(path, path.name) as archive:
        manifest = _read_manifest(archive, path.name)
        for name, part in manifest.parts.items():
            place = into / name
            place.parent.mkdir(exist_ok=True)
            with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                for piece in checked_zip.pieces(archive, name, part.bytes, part.sha256):
                    file.write(piece)
                file.flush()
                os.fsync(file.fileno())
    for folder in {(into / name).parent for name in manifest.parts}:
        atomic_file.sync_folder(folder)
    return manifest


@contextmanager
def _readable(path: Path, name: str) -> Iterator[zipfile.ZipFile]:
    """Open a backup to read alone: then whatever the system says is of that file, too."""
    try:
        with _opened(path, name) as archive:
            yield archive
    except OSError as error:
        raise BadBackup(_unreadable(name, error)) from error


def _unreadable(name: str, error: OSError) -> str:
    return say("{file} cannot be read: {why}.", file=name, why=str(error.strerror))


@contextmanager
def _opened(path: Path, name: str) -> Iterator[zipfile.ZipFile]:
    """Open a backup; whatever is wrong with it from then on is a `BadBackup`."""
    try:
        size = path.stat().st_size
        path.open("rb").close()
    except OSError as error:
        raise BadBackup(_unreadable(name, error)) from error
    if size > MOST_BYTES:
        raise BadBackup(too_large(size, name))
    try:
        with checked_zip.opened(path, MANIFEST) as archive:
            yield archive
    except BadBackup:
        raise
    except checked_zip.Other as error:
        told = say("{file} is no backup of a Beaconboard: choose a file that ends in .backup.", file=name)
        raise BadBackup(told) from error
    except checked_zip.Damaged as error:
        raise _damaged(name) from error


def too_large(size: int, name: str) -> str:
    """Return that a file of ``size`` bytes is no backup that fits here."""
    return say("{file} has {size} MB, and {most} MB are the most that a backup may have: choose another one.",
               file=name, size=size >> 20, most=MOST_BYTES >> 20)  # fmt: skip


def _damaged(name: str) -> BadBackup:
    return BadBackup(say("The backup {file} is damaged and cannot be put back: choose another one.", file=name))


def _read_manifest(archive: zipfile.ZipFile, name: str) -> Manifest:
    text = checked_zip.small_part(archive, MANIFEST, MOST_MANIFEST_BYTES)
    versions = msgspec.json.decode(text, type=ready(FormatVersions))
    if versions.format > FORMAT or versions.journal_version > schema.VERSION:
        raise BadBackup(
            say("The backup {file} was made by a later Beaconboard: update this board first, then put it back.",
                file=name)
        )  # fmt: skip
    manifest: Manifest = msgspec.json.decode(text, type=ready(Manifest))
    _hold(archive, manifest)
    return manifest


def _hold(archive: zipfile.ZipFile, manifest: Manifest) -> None:
    """Hold a backup to its own words: the parts that it names and no other, none too large."""
    told = {part: about.bytes for part, about in manifest.parts.items()}
    strange = not all(map(known, told)) or len(told) > MOST_PARTS or GAMES not in told
    large = any(size > (MOST_GAMES_BYTES if part == GAMES else MOST_PART_BYTES) for part, size in told.items())
    if strange or large:
        raise checked_zip.Damaged(MANIFEST)
    checked_zip.hold(archive, told | {MANIFEST: archive.getinfo(MANIFEST).file_size})
