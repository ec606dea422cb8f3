"""Has finished games looked at, one at a time and once each, by a process beside the service.

Owns which game is looked at when, how far that is, and that it holds as soon as a game needs the processor.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import msgspec

from controller.journal import analyses
from controller.journal.archive import Archive, JournalFailed, Saved
from controller.sentences import say
from controller.service.loop import Service
from controller.service.showing.broadcast import ShownTable
from controller.service.thinking.child import Child, begun, end, heard, tell
from controller.table.people.board_seats import thinks

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-m", "controller", "analyse", "--lines")
LOOK_S = 0.5  # so often it is seen whether there is something to do
QUIET_S = 2.0  # after a hand has moved something, until the work goes on
NAME = "analysing"
FEWEST = 6  # plies of a game that is looked at without being asked for


class AnalysisProgress(msgspec.Struct, frozen=True):
    """How far the work on a game is: positions ``done`` out of all, 0 while it waits; ``error`` where it failed."""

    done: int = 0
    of: int = 0
    error: str = ""


class _Said(msgspec.Struct, frozen=True):
    """A line of the process, see docs/analysis.md."""

    done: int = 0
    of: int = 0
    analysis: msgspec.Raw = msgspec.Raw()
    error: str = ""


class Analyst:
    """Follows the table of ``service``, whose ``journal`` has the games. ``clock`` tells seconds."""

    def __init__(
        self, service: Service, journal: Path, command: Sequence[str] = COMMAND,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._service, self._journal, self._command, self._clock = service, journal, command, clock
        self._lock = threading.RLock()
        self._process: Child | None = None
        self._held = False
        self._waiting: list[int] = []
        self._at: Saved | None = None
        self._progress: dict[int, AnalysisProgress] = {}
        self._ended: object = None  # the first position of the game that was last seen to have ended
        self._seen: object = None
        self._moved_s = -QUIET_S

    def start(self) -> None:
        """Begin to follow; the thread ends with the service."""
        threading.Thread(target=self._run, name="analyst", daemon=True).start()

    def ask(self, game_id: int) -> None:
        """Have a game looked at, after those that wait; once more where that has failed."""
        with self._lock:
            if game_id not in self._waiting and (self._at is None or self._at.game_id != game_id):
                self._waiting.append(game_id)
                self._progress[game_id] = AnalysisProgress()

    def progress(self, game_id: int) -> AnalysisProgress | None:
        """Return how far the work on a game is, None where it was not asked for, or is done."""
        with self._lock:
            return self._progress.get(game_id)

    def _run(self) -> None:
        for frame in self._service.watch(LOOK_S):
            try:
                self.follow(frame or self._service.look())
            except Exception:  # whatever a journal or rules raise, the next game may be sound
                log.exception("finished games cannot be looked at")
        self.close()

    def follow(self, frame: ShownTable) -> None:
        """Take up what has ended, begin what waits, and hold while a game needs the processor."""
        self._notice_end(frame)
        busy = self._busy(frame)
        with self._lock:
            if self._at is None and self._waiting and not busy:
                self._begin(self._waiting.pop(0))
            if self._process is not None and busy != self._held:
                self._held = busy
                self._send({"hold": busy})

    def close(self) -> None:
        """End the process; what it was at is begun anew when it is asked for again."""
        with self._lock:
            process, self._process, self._held = self._process, None, False
            if self._at is not None:
                self._progress.pop(self._at.game_id, None)
                self._at = None
        if process is not None:
            end(process)

    # ---- what the table does ------------------------------------------------------------------------------

    def _notice_end(self, frame: ShownTable) -> None:
        play = frame.table.play
        if play is None or frame.table.phase != "over" or play.session.lesson or len(play.standings) <= FEWEST:
            return
        first = play.session.positions[0]
        if first is self._ended:
            return
        with suppress(JournalFailed), closing(Archive(self._journal)) as archive:
            last = archive.last()
            if last is not None and last.plies == play.session.plies:
                self._ended = first
                if analyses.analysis_of(self._journal, last) is None:
                    self.ask(last.game_id)

    def _busy(self, frame: ShownTable) -> bool:
        """Whether the board thinks about its move, or a hand has just moved something."""
        table, play = frame.table, frame.table.play
        seen = (table.now, len(play.standings) if play else 0)
        if seen != self._seen:
            self._seen, self._moved_s = seen, self._clock()
        if play is not None and thinks(play):
            return True
        return self._clock() - self._moved_s < QUIET_S and frame.table.phase != "over"

    # ---- what the process does ----------------------------------------------------------------------------

    def _begin(self, game_id: int) -> None:
        try:
            with closing(Archive(self._journal)) as archive:
                self._at = archive.saved(game_id, lines=False)
            if self._process is None:
                self._process, self._held = begun(self._command, self._listen, NAME), False
        except (JournalFailed, OSError) as wrong:
            self._fail(game_id, str(wrong))
            return
        header = self._at.header
        self._progress[game_id] = AnalysisProgress(0, len(self._at.plies) + 1)
        left, played = self._at.left.outcome, {"game": header.game, "options": header.options, "seed": header.seed}
        won = {} if left is None or left.winner is None else {"winner": left.winner + 1}
        self._send({**played, "plies": self._at.plies, **won})

    def _send(self, what: dict[str, Any]) -> None:
        assert self._process is not None
        with suppress(OSError):  # that it has ended is heard where it is listened to
            tell(self._process, what)

    def _listen(self, process: Child) -> None:
        for said in heard(process, _Said, NAME):
            self._heard(said)
        with self._lock:
            if process is self._process:
                log.warning("the analysing process ended by itself, with status %s", process.wait())
                self._process = None
                if self._at is not None:
                    self._fail(self._at.game_id, say("the process that looks at games ended; ask again"))

    def _heard(self, said: _Said) -> None:
        with self._lock:
            at = self._at
            if at is None:
                return
            if said.error:
                self._fail(at.game_id, said.error)
            elif bytes(said.analysis):
                try:
                    analyses.keep(self._journal, at, bytes(said.analysis))
                except OSError as error:
                    self._fail(at.game_id, say("the disk does not take it ({why})", why=str(error.strerror)))
                else:
                    self._at = None
                    self._progress.pop(at.game_id, None)
                self._rest()
            else:
                self._progress[at.game_id] = AnalysisProgress(said.done, said.of)

    def _rest(self) -> None:
        """Let the process go where nothing waits: it takes memory as long as it is there."""
        process = self._process
        if self._waiting or process is None or self._at is not None:
            return
        self._process = None
        with suppress(OSError):
            assert process.stdin is not None
            process.stdin.close()
        threading.Thread(target=process.wait, name="analysing ends", daemon=True).start()

    def _fail(self, game_id: int, why: str) -> None:
        self._at = None
        self._progress[game_id] = AnalysisProgress(error=why)
