"""The file beside a journal that says that a service uses it, what was written last, and what that service was doing.

The mark is not synced. It follows a sync of the journal with each game, after some plies and at the end, so that it may
lie behind a journal and never ahead of one. If the journal has less than the mark, something that was on disk is gone.
Where another journal takes the place of one, the mark is synced before that counts.
"""

from __future__ import annotations

import errno
import fcntl
import os
from contextlib import suppress
from pathlib import Path

import msgspec

from controller.typed import ready

MOST_BYTES = 4096
# Of plies and ends that it may lack: written with each of them, it took the card 4096 bytes every half minute.
MOST_BEHIND = 16


class InUse(RuntimeError):
    """Another service has the journal."""


class Hung(msgspec.Struct, frozen=True):
    """Rules that did not come to an end: of which game, its number where it had one, and at what; or that ``ended`` the
    program there.
    """

    game: str
    game_id: int | None
    doing: str
    ended: bool = False


class JournalMark(msgspec.Struct, frozen=True):
    """How many rows of each kind the journal had, and what ``hung``.

    ``taking_up`` is the game that is being resumed. That was ``tried`` so often without coming to an end in the
    machine's start ``boot``, and in so many ``boots`` one after the other.
    """

    games: int = 0
    entries: int = 0
    lines: int = 0
    taking_up: int | None = None
    tried: int = 0
    boot: str = ""
    boots: int = 0
    hung: Hung | None = None


def is_out_of_date(mark: JournalMark, counts: JournalMark) -> bool:
    """Whether ``mark`` says other things than the journal's ``counts``, and more than it may lack: write it anew."""
    told_more = mark.entries > counts.entries or mark.lines > counts.lines
    return told_more or mark.games != counts.games or counts.entries - mark.entries >= MOST_BEHIND


class JournalLock:
    """The lock, held until `close`. ``mark`` is what the service before has left, and then what this one writes."""

    def __init__(self, journal: Path) -> None:
        """Take the lock beside ``journal``, a path without symbolic links; raises `InUse`, or OSError.

        Where the file cannot be made or written, as on a disk that takes nothing, its folder is locked instead; then
        no mark is kept.
        """
        self._file = _opened(journal.with_name(f"{journal.name}.lock"))
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._file)
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                raise InUse from error
            raise
        self.mark = _read(self._file)

    def write(self, mark: JournalMark, synced: bool = False) -> None:
        """Save ``mark``. Without it a loss may go unnoticed, nothing else: a disk that refuses it is not a fault."""
        self.mark = mark
        with suppress(OSError):
            text = msgspec.json.encode(mark)
            os.pwrite(self._file, text.ljust(MOST_BYTES), 0)
            if synced:
                os.fsync(self._file)

    def close(self) -> None:
        """Let go of the lock, also where a program that is just being started has a copy of the file for a moment."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_UN)
        finally:
            os.close(self._file)


def _opened(path: Path) -> int:
    for place, flags in ((path, os.O_RDWR | os.O_CREAT), (path, os.O_RDONLY)):
        with suppress(OSError):
            return os.open(place, flags, 0o644)
    return os.open(path.parent, os.O_RDONLY)


def _read(file: int) -> JournalMark:
    """Return the mark; noise, a directory or the lock of an older Beaconboard has none."""
    try:
        return msgspec.json.decode(os.pread(file, MOST_BYTES, 0).strip(), type=ready(JournalMark))
    except (OSError, ValueError):
        return JournalMark()
