"""A file that a phone brings in parts. Its size comes first: one too large is refused before any of it is sent.

Once the last part was taken in, a power cut takes nothing of it: whoever asked for an update gets it all the same.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from controller import atomic_file
from controller.refused import Refused
from controller.sentences import say


class Coming(msgspec.Struct):
    """A file that is being brought in parts: so many of its bytes are there."""

    name: str
    bytes: int
    there: int = 0


class BroughtFile:
    """The file at ``path``, of at most ``most_bytes``; ``too_large`` says of a size and a name that it has more.

    ``spare_bytes`` stay free on the card. Its methods may be called from any thread.
    """

    def __init__(self, path: Path, most_bytes: int, too_large: Callable[[int, str], str], spare_bytes: int) -> None:
        self.path = path
        self._most_bytes, self._too_large, self._spare_bytes = most_bytes, too_large, spare_bytes
        self._coming: Coming | None = None
        self._one = threading.Lock()

    @property
    def name(self) -> str:
        """What the file was called where it came from; raises `Refused` where it is not here as a whole."""
        coming = self._coming
        if coming is None or coming.there < coming.bytes:
            raise Refused(say("The file is not here yet: choose it again."))
        return coming.name

    def begin(self, name: str, size: int) -> None:
        """Begin to take in a file of so many bytes; raises `Refused`."""
        if size > self._most_bytes:
            raise Refused(self._too_large(size, name))
        folder = self.path.parent
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            free = shutil.disk_usage(folder).free
            if free < size + self._spare_bytes:
                raise Refused(say("The card has only {free} MB free: make room first.", free=free >> 20))
            with self._one:
                self.path.unlink(missing_ok=True)
                self._coming = Coming(name, size)
        except OSError as error:
            raise Refused(_not_taken(name, error)) from error

    def part(self, at: int, data: bytes) -> None:
        """Take in what comes at that place of the file; raises `Refused`."""
        with self._one:
            coming = self._coming
            if coming is None or at != coming.there or at + len(data) > coming.bytes:
                raise Refused(say("The file did not arrive in order: choose it again."))
            try:
                place = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
                with open(place, "wb") as file:
                    file.write(data)
                if coming.there + len(data) == coming.bytes:
                    self._keep()
            except OSError as error:
                self._coming = None
                with suppress(OSError):
                    self.path.unlink(missing_ok=True)
                raise Refused(_not_taken(coming.name, error)) from error
            coming.there += len(data)

    def _keep(self) -> None:
        """Have all of the file on the card; raises OSError."""
        with self.path.open("rb") as file:
            os.fsync(file.fileno())
        atomic_file.sync_folder(self.path.parent)

    def make_room(self) -> None:
        """Remove what was brought before, and have the folder; raises `Refused`."""
        self.forget()
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise Refused(_not_taken(self.path.name, error)) from error

    def arrived(self, name: str) -> None:
        """Note that the file is here as a whole, by another way."""
        with self._one:
            size = self.path.stat().st_size
            with suppress(OSError):  # a card that cannot be written says so when the update is put on
                self._keep()
            self._coming = Coming(name, size, size)

    def forget(self) -> None:
        """Remove what was brought."""
        with self._one, suppress(OSError):
            self._coming = None
            self.path.unlink(missing_ok=True)


def _not_taken(name: str, error: OSError) -> str:
    return say("{file} cannot be taken in ({why}): make room on the card.", file=name, why=str(error.strerror))
