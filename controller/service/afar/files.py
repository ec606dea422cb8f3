"""The links of this board on disk, each with the log of its game: beside the journal, for their owner's eyes.

An entry is on disk when it was added. What a power cut has torn is left out: home finds it in its journal, a far board
is told it again.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec

from controller import atomic_file
from controller.afar import keys
from controller.afar.log import Begun, Log, LogEntry
from controller.typed import ready

log = logging.getLogger(__name__)

Role = Literal["home", "far"]


class BoardLinkFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A link: this board was ``home`` or ``far`` when the link was made; ``game_id`` is the game's number in this
    board's journal, and ``begun`` how its log begins, both None until a far board has been told.
    """

    role: Role
    link: str
    game_id: int | None = None
    begun: Begun | None = None


class LinkFile:
    """One link and its log, in ``folder``. Every method may raise OSError."""

    def __init__(self, folder: Path, kept: BoardLinkFile) -> None:
        self.kept, self.link = kept, keys.read(kept.link)
        self._link_path = folder / f"{self.link.room}.link"
        self._log_path = folder / f"{self.link.room}.log"

    @property
    def invited(self) -> bool:
        """Whether the link was made here: that never changes, who is home may."""
        return self.kept.role == "home"

    def is_home(self, known: Log | None) -> bool:
        """Whether this board is home by that log."""
        return self.invited == (known is None or known.handed % 2 == 0)

    def save(self, kept: BoardLinkFile) -> None:
        """Keep the link as it is now."""
        self._link_path.parent.mkdir(mode=0o700, exist_ok=True)
        atomic_file.replace(self._link_path, msgspec.json.encode(kept), 0o600)
        self.kept = kept

    def add(self, entries: Iterable[LogEntry]) -> None:
        """Add ``entries`` to the log on disk."""
        lines = b"".join(msgspec.json.encode(entry) + b"\n" for entry in entries)
        with open(os.open(self._log_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "wb") as file:
            file.write(lines)
            file.flush()
            os.fsync(file.fileno())

    def rewrite(self, entries: Iterable[LogEntry]) -> None:
        """Put ``entries`` in place of the log on disk."""
        fresh = self._log_path.with_name(f"{self._log_path.name}.new")
        fresh.unlink(missing_ok=True)
        lines = b"".join(msgspec.json.encode(entry) + b"\n" for entry in entries)
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(lines)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._log_path)

    def log(self) -> Log | None:
        """Return the log as it is on disk, as far as it can be read; None before the game is known."""
        if self.kept.begun is None:
            return None
        found, torn = Log(self.kept.begun), False
        with suppress(FileNotFoundError):
            for line in self._log_path.read_bytes().splitlines(keepends=True):
                try:
                    found.append(msgspec.json.decode(line, type=ready(LogEntry)))
                except (msgspec.DecodeError, ValueError):
                    torn = True
                if torn or not line.endswith(b"\n"):
                    log.warning("the log of a game between two boards is torn after %s entries", found.n)
                    self.rewrite(found.since(0))
                    break
        return found

    def forget(self) -> None:
        """Delete the link, its key and its log."""
        for path in (self._link_path, self._log_path, self._link_path.with_name(f"{self._link_path.name}.last-good")):
            path.unlink(missing_ok=True)


def links(folder: Path) -> list[LinkFile]:
    """Return the links in ``folder``; one that cannot be read is left out, with a line in the log."""
    found = []
    for path in sorted(folder.glob("*.link")):
        try:
            found.append(LinkFile(folder, msgspec.json.decode(path.read_bytes(), type=ready(BoardLinkFile))))
        except (OSError, ValueError) as wrong:
            log.warning("a link to a game at another board cannot be read: %s", wrong)
    return found
