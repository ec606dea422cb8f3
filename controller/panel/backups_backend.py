"""Backups as the panel sees them: the copies, one to be made, one that is brought, and what is put back."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

from controller.backups.backup_file import MOST_BYTES, BadBackup, Manifest, held, too_large
from controller.backups.copies import SPARE_BYTES, Copy, copies
from controller.backups.putting_back import decide, show, stage
from controller.backups.state import BoardState
from controller.panel.backup_jobs import COMMAND, BackupJobs
from controller.panel.brought_file import BroughtFile
from controller.refused import Refused
from controller.sentences import say
from controller.service.loop import Service

QUIET_US = 30 * 60_000_000  # after which an evening is over
LOOK_S = 60.0
AGAIN_US = 3600 * 1_000_000  # after a copy that could not be made
EVENING_BYTES = 8 << 20  # of a copy each evening: larger ones are made after every second evening, every third …
BROUGHT = "brought.backup"


class BackupsBackend:
    """A `web_panel.pages.backups_page.BackupsAccess`, and what makes a copy after an evening if that is ``wanted``."""

    def __init__(
        self, state: BoardState, service: Service, board: str = "", program: str = "",
        wanted: Callable[[], bool] = lambda: True, today: Callable[[], date] = date.today,
        command: Sequence[str] = COMMAND,
    ) -> None:  # fmt: skip
        self.changing = False  # whether something is put back at the next start, which is due
        self.jobs = BackupJobs(state, board, program, command)
        self._state, self._service = state, service
        self._wanted, self._today = wanted, today
        self._brought = BroughtFile(state.copies / BROUGHT, MOST_BYTES, too_large, SPARE_BYTES)
        self._again_us = 0
        self._closing = threading.Event()

    # ---- after an evening

    def start(self) -> None:
        """Begin to watch for the end of an evening."""
        threading.Thread(target=self._watch, name="backups", daemon=True).start()

    def _watch(self) -> None:
        while not self._closing.wait(LOOK_S):
            self.look()

    def look(self) -> None:
        """Make a copy where an evening is over, of which there is none."""
        now_us = self._service.now_us()
        if not self._wanted() or self._service.quiet_us() < QUIET_US or now_us < self._again_us:
            return
        if self._is_due():
            with suppress(Refused):  # something else is being done: the next look
                self.jobs.begin("evening", lambda: self.jobs.copy("evening"), self._tell)

    def _tell(self) -> None:
        """Let everybody see why there is no copy, or nothing where there is one."""
        self._service.report("backup", self.jobs.wrong)
        self._again_us = self._service.now_us() + AGAIN_US if self.jobs.wrong else 0

    def _is_due(self) -> bool:
        try:
            here = held(self._state.journal)
        except (OSError, sqlite3.Error):
            return False  # the journal says itself what is wrong
        newest = next((copy for copy in copies(self._state.copies) if copy.manifest), None)
        if newest is None or newest.manifest is None:
            return here.games > 0
        if (here.games, here.entries) == (newest.manifest.games, newest.manifest.entries):
            return False
        # By the calendar either way: a board without a network may have a wrong date.
        days = abs((self._today() - date.fromisoformat(newest.manifest.day)).days)
        return days >= -(-newest.bytes // EVENING_BYTES) - 1

    # ---- for the panel

    def report(self) -> dict[str, Any]:
        """Return ``{"copies", "here", "doing", "wrong", "changing"}``; a copy is ``{"name", "bytes", "kind",
        "holds", "wrong"}``, where ``holds`` is as in `show`, None where it is damaged.
        """
        return {
            "copies": [_told(copy) for copy in copies(self._state.copies)],
            "here": self._here(),
            "doing": self.jobs.doing,
            "wrong": self.jobs.wrong,
            "changing": self.changing,
        }

    def make(self) -> None:
        """Begin to make a copy; raises `Refused`."""
        self.jobs.begin("make", lambda: self.jobs.copy("asked"), self._tell)

    def file(self, name: str) -> Path:
        """Return the file of the copy called ``name``; raises `Refused`."""
        known = {copy.name for copy in copies(self._state.copies)}
        if name not in known:
            raise Refused(say("There is no backup '{name}' any more: look at the list again.", name=name[:80]))
        return self._state.copies / name

    def bring(self, name: str, size: int) -> None:
        """Begin to take in a file of so many bytes; raises `Refused`."""
        self._brought.begin(name, size)

    def bring_part(self, at: int, data: bytes) -> None:
        """Take in what comes at that place of the file; raises `Refused`."""
        self._brought.part(at, data)

    def show(self, name: str) -> dict[str, Any]:
        """Return what the copy ``name`` holds, "" for the file that was brought, and what is here:
        ``{"name", "holds", "here"}``. Raises `Refused` where it cannot be put back.
        """
        path, called = self._named(name)
        try:
            return {"name": called, "holds": _holds(show(path, called)), "here": self._here()}
        except BadBackup as wrong:
            raise Refused(str(wrong)) from wrong

    def put_back(self, name: str) -> None:
        """Begin to put a copy back, as in `show`; once it is ready the service is to start again. Raises `Refused`."""
        self._check_idle()
        path, _ = self._named(name)
        self.jobs.begin("put-back", lambda: self._put_back(path))

    def close(self) -> None:
        """End what is being done."""
        self._closing.set()
        self.jobs.close()

    def _put_back(self, path: Path) -> None:
        stage(path, self._state)  # before a copy is made, for which this one may have to make room
        self.jobs.copy("before")
        self._check_idle()
        decide(self._state)
        self.changing = True

    def _check_idle(self) -> None:
        if self._service.look().table.phase in ("play", "fix"):
            raise Refused(say("A game is being played: pause or end it first, then put the backup back."))

    def _named(self, name: str) -> tuple[Path, str]:
        """Return the file called ``name`` here, "" for the one that was brought, and what it was called there."""
        if name:
            return self.file(name), name
        called = self._brought.name
        return self._brought.path, called

    def _here(self) -> dict[str, Any]:
        try:
            here = held(self._state.journal)
        except (OSError, sqlite3.Error):
            return {"games": 0, "last": ""}
        return {"games": here.games, "last": here.last}


def _told(copy: Copy) -> dict[str, Any]:
    holds = _holds(copy.manifest) if copy.manifest else None
    return {"name": copy.name, "bytes": copy.bytes, "kind": copy.kind, "holds": holds, "wrong": copy.wrong}


def _holds(manifest: Manifest) -> dict[str, Any]:
    return {
        "made": manifest.made, "board": manifest.board, "games": manifest.games, "last": manifest.last,
        "people": manifest.people, "variants": manifest.variants,
    }  # fmt: skip
