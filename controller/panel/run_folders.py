"""The runs of the workshop on disk, as far as a page tells of them: a folder each, beside the journal.

Owns their names, and that nothing outside of their folder is read or removed. What is in the files of a run is
`controller.lab`'s; of that the service imports what needs no package of the extra alone.
"""

from __future__ import annotations

import fcntl
import re
import shutil
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from controller.lab.files import FILE, GAMES, LOCK, REPORT, part_called
from controller.lab.plan import Plan
from controller.refused import Refused
from controller.sentences import say
from controller.typed import ready

NAME = re.compile(r"\w[\w-]{0,39}")
MOST_RUNS = 200
MOST_REPORT_BYTES = 32 << 20


def in_all(plan: Plan) -> int:
    """Return how many games ``plan`` asks for."""
    return plan.kinds * plan.games


class _File(msgspec.Struct, frozen=True):
    plan: Plan


class KeptRun(msgspec.Struct, frozen=True):
    """A run in its ``folder``, of which so many games are ``played``; it was ``begun`` at a time in UTC."""

    folder: Path
    plan: Plan
    played: int
    begun: str

    @property
    def has_report(self) -> bool:
        """Whether there is a report on it."""
        return (self.folder / REPORT).is_file()


def folder_of(journal: Path) -> Path:
    """Return where the runs of the service with that journal are kept."""
    return journal.with_name("runs")


def time_told(seconds: float) -> str:
    """Return a time as pages get it, in UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")


class RunFolders:
    """The folders of all runs of one service. Every method looks anew, and may be called from any thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def all(self) -> dict[str, KeptRun]:
        """Return the runs that can be read by name, the last one first."""
        found = []
        with suppress(OSError):  # a folder that is not there, or cannot be looked into, has none
            found = [run for path in self._folder.iterdir() if (run := _kept(path)) is not None]
        newest = sorted(found, key=lambda run: (run.begun, run.folder.name), reverse=True)[:MOST_RUNS]
        return {run.folder.name: run for run in newest}

    def named(self, name: str) -> KeptRun:
        """Return the run of that name; raises `Refused`."""
        known = self.all()
        if name not in known:
            raise Refused(say("There is no run '{name}'.", name=name[:80]))
        return known[name]

    def fresh(self, written: str, otherwise: str) -> Path:
        """Return the folder for another run, called as people have ``written``, or else in some way after
        ``otherwise``; raises `Refused`.
        """
        name = "-".join(written.split()) or self._free(otherwise)
        if not NAME.fullmatch(name):
            raise Refused(
                say(
                    "'{name}' cannot be the name of a run: take at most 40 letters, digits and hyphens.",
                    name=written[:80],
                )
            )
        if name in self._names():
            raise Refused(say("There is a run '{name}' already: choose another name, or delete that one.", name=name))
        if len(self._names()) >= MOST_RUNS:
            raise Refused(say("There are {count} runs already: delete one first.", count=MOST_RUNS))
        return self._folder / name

    def remove(self, name: str) -> None:
        """Delete the run of that name with all its games; raises `Refused`, as for one that somebody plays."""
        folder = self.named(name).folder
        if _is_locked(folder):
            raise Refused(say("The run '{name}' is being played: end it first.", name=name))
        try:
            shutil.rmtree(folder)
        except OSError as error:
            why = str(error.strerror)
            raise Refused(say("The run '{name}' cannot be deleted: {why}.", name=name, why=why)) from error

    def report(self, name: str) -> bytes:
        """Return the report on the run of that name; raises `Refused`."""
        path = self.named(name).folder / REPORT
        try:
            if path.stat().st_size > MOST_REPORT_BYTES:
                raise Refused(say("The report on '{name}' is too large to be shown here.", name=name))
            return path.read_bytes()
        except OSError as error:
            raise Refused(say("There is no report on '{name}' yet.", name=name)) from error

    def _names(self) -> set[str]:
        try:
            return {path.name for path in self._folder.iterdir()}
        except OSError:
            return set()

    def _free(self, base: str) -> str:
        taken, number, name = self._names(), 1, base[:34]
        while name in taken:
            number += 1
            name = f"{base[:34]}-{number}"
        return name


def _kept(folder: Path) -> KeptRun | None:
    """Return the run in ``folder``, None where there is none that can be read."""
    file = folder / FILE
    try:
        if folder.is_symlink() or not folder.name.isprintable():
            return None
        plan = msgspec.json.decode(file.read_bytes(), type=ready(_File)).plan
        begun = time_told(file.stat().st_mtime)
        parts = [part_called(path.name) for path in (folder / GAMES).iterdir()]
    except (OSError, ValueError):
        return None
    return KeptRun(folder, plan, sum(part.games for part in parts if part), begun)


def _is_locked(folder: Path) -> bool:
    """Whether a process plays into ``folder``."""
    try:
        with open(folder / LOCK, "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
