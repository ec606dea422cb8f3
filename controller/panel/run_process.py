"""The process that plays a run of the workshop and then writes its report: one at a time, of what nobody else wants.

Owns how it is started and ended, and what is said of one that failed. It is the command line that people have, too
(docs/workshop.md), so the service needs nothing of what it imports.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Sequence

from controller.limited_process import ProcessEnd, Wish, run_idle
from controller.refused import Later
from controller.sentences import say

COMMAND = (sys.executable, "-m", "controller")
# Of what it sets aside; measured: 523 for 4,000 games, of which 113 are in use and 120 more are files, which the system
# can take back. An eighth of it is for the questions of the report (`controller.lab.figures`).
MEGABYTES = 1024
ENDS_S = 180.0  # for what was played to be kept and reported, once it is to end; then it is ended
SAID = b"beaconboard: "
LONGEST = 400  # letters of what is told of one that failed


class RunProcess:
    """Plays runs, one at a time. Every method may be called from any thread."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._command = command
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._playing = self._wrong = ""
        self._ends_at: float | None = None
        self._closing = False

    @property
    def playing(self) -> str:
        """The name of the run that is being played or reported, "" for none."""
        return self._playing

    @property
    def ending(self) -> bool:
        """Whether the run that is being played is to end."""
        return self._ends_at is not None

    @property
    def wrong(self) -> str:
        """What went wrong with the last run, in a sentence that names it; "" where nothing did."""
        return self._wrong

    def begin(self, name: str, arguments: Sequence[str]) -> None:
        """Let the command line play the run of that name, with these ``arguments``; raises `Later`."""
        with self._lock:
            if self._playing:
                raise Later(say("The run '{name}' is being played: end it first, or wait for it.", name=self._playing))
            if self._closing:
                raise Later(say("The board is about to start again: try again in a moment."))
            self._playing, self._wrong, self._ends_at = name, "", None
            self._thread = threading.Thread(target=self._run, args=(name, arguments), name="run", daemon=True)
            self._thread.start()

    def end(self) -> None:
        """Let the run that is being played end in order, with a report on what was played."""
        with self._lock:
            if self._playing and self._ends_at is None:
                self._ends_at = time.monotonic() + ENDS_S

    def close(self) -> None:
        """End what is being played at once, and begin no more; what was played is kept."""
        self._closing = True
        if self._thread is not None:
            self._thread.join(timeout=10)

    def _run(self, name: str, arguments: Sequence[str]) -> None:
        wrong = ""
        try:
            ended = run_idle([*self._command, *arguments], MEGABYTES, self._wish)
            if ended.status and not self._closing and (self._ends_at is None or _says(ended)):
                wrong = say("The run '{name}' has ended: {why}.", name=name, why=_why(ended))
        except OSError as error:
            wrong = say("The run '{name}' cannot be played: {why}.", name=name, why=str(error.strerror))
        finally:
            with self._lock:
                self._playing, self._wrong, self._ends_at = "", wrong, None

    def _wish(self) -> Wish:
        if self._closing:
            return "die"
        if self._ends_at is None:
            return "go on"
        return "stop" if time.monotonic() < self._ends_at else "die"


def _says(ended: ProcessEnd) -> str:
    """Return the sentence with which a process ended, "" where it ended without."""
    last = _last(ended)
    return last.removeprefix(SAID).decode(errors="replace").rstrip(".")[:LONGEST] if last.startswith(SAID) else ""


def _last(ended: ProcessEnd) -> bytes:
    return ended.printed.strip().rpartition(b"\n")[2]


def _why(ended: ProcessEnd) -> str:
    """Return why a process failed: what it says itself on its last line, or else what can be seen."""
    if said := _says(ended):
        return said
    last = _last(ended)
    if last.startswith(b"MemoryError") or ended.status == -9:
        return say("it needs more memory than there is for it; what was played is kept")
    told = "".join(letter if letter.isprintable() else " " for letter in last.decode(errors="replace"))[:LONGEST]
    return say("an error ends it ({error}); what was played is kept", error=told or str(ended.status))
