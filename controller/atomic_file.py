"""A small file that is replaced as a whole, and of which the last good one stands in when it cannot be read."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from controller.sentences import say

T = TypeVar("T")


def write(path: Path, content: bytes, mode: int = 0o644) -> None:
    """Have ``content`` in ``path`` on disk, whole or not at all; raises OSError, and then ``path`` is as it was."""
    _put(path, content, mode)
    _keep_names(path.parent)


def _put(path: Path, content: bytes, mode: int) -> None:
    fresh = path.with_name(f"{path.name}.new")
    try:
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise


def replace(path: Path, content: bytes, mode: int = 0o644) -> None:
    """Write ``content`` into ``path`` and into its copy; raises OSError, and then ``path`` is as it was."""
    for place in (path, copy_of(path)):
        _put(place, content, mode)
    _keep_names(path.parent)


def remove(path: Path) -> None:
    """Remove the file at ``path`` and its copy, and have them gone from the disk; raises OSError."""
    path.unlink()
    copy_of(path).unlink(missing_ok=True)
    _keep_names(path.parent)


def make_folder(folder: Path, mode: int = 0o777) -> None:
    """Make a folder, if it is not there, with those above it, and have its name on disk; raises OSError."""
    if not folder.is_dir():
        folder.mkdir(mode, parents=True, exist_ok=True)
        _keep_names(folder.parent)


def _keep_names(folder: Path) -> None:
    """Without this a power cut brings back what a name stood for before. A disk that refuses it refuses the next file,
    too, and says so then.
    """
    with suppress(OSError):
        sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Have the names in ``folder`` on disk."""
    place = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(place)
    finally:
        os.close(place)


def read(path: Path, parse: Callable[[bytes], T], nothing: T) -> tuple[T, str]:
    """Return what ``parse`` makes of the file, and a sentence where it could not be read, else "".

    ``parse`` raises ValueError for an invalid file. Then the last good one is returned, or ``nothing``; the
    unreadable one is set aside. Without a file, ``nothing`` is returned.
    """
    if not os.path.lexists(path):
        return nothing, ""
    try:
        return parse(path.read_bytes()), ""
    except (OSError, ValueError) as error:
        why = str(error.strerror) if isinstance(error, OSError) else str(error)
    where = put_aside(path)
    try:
        found = parse(copy_of(path).read_bytes())
    except (OSError, ValueError):
        return nothing, say("{file} cannot be read ({why}): it is treated as empty.", file=where.name, why=why)
    return found, say("{file} cannot be read ({why}): the last good one is used instead.", file=where.name, why=why)


def put_aside(path: Path) -> Path:
    """Rename the file at ``path`` to a unique name and keep it; returns where it is, even if that failed."""
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.name}.damaged-{number}")):
        number += 1
    with suppress(OSError):  # a disk that cannot be written: the next start reports it again
        path.rename(aside)
        return aside
    return path


def copy_of(path: Path) -> Path:
    """Return where the last good content of ``path`` is kept."""
    return path.with_name(f"{path.name}.last-good")
