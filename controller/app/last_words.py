"""What every thread was at when the program was ended from without or crashed, for the next start.

Rules that hold the interpreter itself, as one long sum in C does, keep every thread of ours from noticing: what ends
that is systemd's watchdog, by SIGABRT. Then, and at a crash, Python's own `faulthandler` writes down where each thread
is without the interpreter's help.
"""

from __future__ import annotations

import faulthandler
import importlib.util
import logging
import os
import re
from contextlib import suppress
from pathlib import Path

from controller.journal.database import Journal
from controller.journal.marker import Hung
from controller.rules.registry import packaged

log = logging.getLogger(__name__)

MOST_BYTES = 200_000
FRAME = re.compile(r'^  File "(.+)", line (\d+) in (.+)$', re.MULTILINE)


class LastWords:
    """The file at ``path``, from now until `close`; ``found`` is what the program before has left there."""

    def __init__(self, path: Path) -> None:
        self._path, self._file, self.found = path, -1, ""
        with suppress(OSError):  # without it nobody is blamed, nothing else
            self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            self.found = os.pread(self._file, MOST_BYTES, 0).decode(errors="replace")

    def begin(self) -> None:
        """Forget what was found, and let the file be written when the time has come."""
        if self._file >= 0:
            os.ftruncate(self._file, 0)
            faulthandler.enable(self._file)

    def close(self) -> None:
        """The program ends in order: there is nothing to leave."""
        if self._file >= 0:
            faulthandler.disable()
            os.close(self._file)
            self._file = -1
            self._path.unlink(missing_ok=True)


def blame(found: str, journal: Journal) -> None:
    """Let ``journal`` know of the game from a package at whose rules the program before was ended, if there is one."""
    places = {name: _place(package) for name, package in packaged().items()}
    for path, line, function in FRAME.findall(found):
        for game, place in places.items():
            if place and path.startswith(place):
                log.warning("the program was ended at %s, line %s of %s", function, line, path)
                last = journal.last()
                number = last.game_id if last is not None and last.header.game == game else None
                return journal.blame(Hung(game, number, f"{function}, line {line} of {Path(path).name}", ended=True))
    return None


def _place(package: str) -> str:
    """Return with what the paths of the files of ``package`` begin."""
    spec = importlib.util.find_spec(package)
    if spec is None:
        return ""
    folders = list(spec.submodule_search_locations or ())
    return f"{folders[0]}{os.sep}" if folders else spec.origin or ""
