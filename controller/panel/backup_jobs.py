"""What is done with backups while the board plays on: one thing at a time, in a thread, and the copying itself in a
process that has only what nobody else wants.

Owns that there is one at a time, and what is said of one that failed.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable, Sequence

from controller.backups.backup_file import BadBackup, Kind, not_made
from controller.backups.state import BoardState
from controller.fault_report import place
from controller.limited_process import Wish, run_idle
from controller.refused import Later, Refused
from controller.sentences import say

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-m", "controller.backups")
MEGABYTES = 256  # of what it sets aside; measured: 40
ENDS_S = 10.0  # for a copy to be given up


class BackupJobs:
    """The jobs. Every method may be called from any thread."""

    def __init__(self, state: BoardState, board: str, program: str, command: Sequence[str] = COMMAND) -> None:
        self._state, self._board, self._program, self._command = state, board, program, command
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self.doing = ""  # the name of the job that is being done, "" for none
        self.wrong = ""  # why the last one failed, in a sentence; "" where it did not

    def begin(self, name: str, work: Callable[[], object], done: Callable[[], object] = lambda: None) -> None:
        """Let ``work`` be done, and when it has ended, either way, ``done``; raises `Later` while another one is."""
        with self._lock:
            if self.doing or self._closing.is_set():
                raise Later(say("A backup is being made or put back: try again in a moment."))
            self.doing, self.wrong = name, ""
            self._thread = threading.Thread(target=self._do, args=(work, done), name="backup", daemon=True)
            self._thread.start()

    def _do(self, work: Callable[[], object], done: Callable[[], object]) -> None:
        try:
            work()
        except (BadBackup, Refused) as wrong:
            self.wrong = str(wrong)
        except Exception as error:  # a fault of ours is told, and the board plays on
            log.exception("a backup")
            self.wrong = say("There was {fault}.", fault=say("an internal error ({error})", error=place(error)))
        finally:
            done()
            self.doing = ""

    def copy(self, kind: Kind) -> None:
        """Make a copy of what is there now and return when it is on disk; raises `BadBackup`."""
        state = self._state
        arguments = (str(state.journal), str(state.beside), kind, self._board, self._program)
        try:
            ended = run_idle([*self._command, *arguments], MEGABYTES, self._wish)
        except OSError as error:
            raise BadBackup(not_made(state.copies, error)) from error
        if ended.status:
            why = ended.printed.decode(errors="replace").strip().rpartition("\n")[2][-200:]
            raise BadBackup(not_made(state.copies, RuntimeError(why or str(ended.status))))

    def _wish(self) -> Wish:
        return "stop" if self._closing.is_set() else "go on"

    def close(self) -> None:
        """Give up what is being copied, and begin no more."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join(ENDS_S)
