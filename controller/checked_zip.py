"""A zip that somebody handed in: read no further than it says of itself, whatever it is made of.

Owns how such a file is opened and how its parts are read. Nothing in it is ever extracted by a name of its own.
"""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from errno import EINVAL
from pathlib import Path

PIECE_BYTES = 1 << 18
LOCAL_HEADER_BYTES = 30  # before the name of the first part, in a zip's own layout
UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, KeyError, ValueError)


class BadZip(ValueError):
    """What is wrong with such a file, by whoever reads it; the kinds here, and those of its readers."""


class Other(BadZip):
    """The file is no zip that begins with the part it should begin with."""


class Damaged(BadZip):
    """The file has something else in it than it says."""


def begins_with(path: Path, first: str) -> bool:
    """Whether the first part of a zip is called ``first``; raises OSError."""
    with path.open("rb") as file:
        head = file.read(LOCAL_HEADER_BYTES + len(first))
    return head.startswith(b"PK\x03\x04") and head.endswith(first.encode())


@contextmanager
def opened(path: Path, first: str) -> Iterator[zipfile.ZipFile]:
    """Open a zip whose first part is called ``first``; what cannot be read of it from then on is `Damaged`.

    Raises `Other`, and OSError where the system cannot read it; a `BadZip` of its reader passes.
    """
    if not begins_with(path, first):
        raise Other(path.name)
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except BadZip:
        raise
    except UNREADABLE as error:
        raise Damaged(path.name) from error
    except OSError as error:
        if error.errno != EINVAL:
            raise
        raise Damaged(path.name) from error  # it names a place that no file has


def small_part(archive: zipfile.ZipFile, name: str, most_bytes: int) -> bytes:
    """Return a part that has at most so many bytes; raises `Damaged`."""
    if archive.getinfo(name).file_size > most_bytes:
        raise Damaged(name)
    with archive.open(name) as file:
        return file.read(most_bytes)


def hold(archive: zipfile.ZipFile, told: Mapping[str, int]) -> None:
    """Hold a zip to what is ``told`` of it: these parts and no other, each once and of that size; raises `Damaged`."""
    sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
    if sizes != told or len(archive.infolist()) != len(sizes):
        raise Damaged("parts")


def pieces(archive: zipfile.ZipFile, name: str, most_bytes: int, sha256: str) -> Iterator[bytes]:
    """Yield what a part has in it, never more than it says; raises `Damaged` where it has anything else."""
    left, found = most_bytes, hashlib.sha256()
    with archive.open(name) as file:
        while piece := file.read(PIECE_BYTES):
            left -= len(piece)
            if left < 0:
                raise Damaged(name)
            found.update(piece)
            yield piece
    if left or found.hexdigest() != sha256:
        raise Damaged(name)
