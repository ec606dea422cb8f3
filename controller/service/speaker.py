"""The board's own voice: says each move by ``espeak-ng``, a program of its own, in a thread that nobody waits for.

Owns when something is said, and that program. It says what a watcher may know, and of several moves in quick succession
the newest.
"""

from __future__ import annotations

import logging
import shutil
import subprocess
import threading
from collections.abc import Callable

from controller.sentences import say, tapped_or_typed, together
from controller.service.loop import Service
from controller.service.showing.broadcast import ShownTable
from controller.table.state import Play, Table
from controller.table.views.endings_told import ranking
from controller.table.views.sentences_of_play import sentence
from controller.table.views.spoken import move_aloud

log = logging.getLogger(__name__)

PROGRAM = "espeak-ng"
LONGEST_S = 30.0  # a sentence that takes longer is broken off
Talk = Callable[[str, str], None]
"""Says a text in the language with that code; returns when it has been said. Raises OSError where that cannot be."""


def missing(program: str = PROGRAM) -> str:
    """Return why the board cannot speak and what to do, "" where it can."""
    if shutil.which(program):
        return ""
    return tapped_or_typed(
        say(
            "The board cannot speak: the program {program} is not installed. Whoever set up the board can install it.",
            program=program,
        ),
        f"The board cannot speak: the program {program} is not installed (on a Pi: sudo apt install {program}).",
    )


def talk(text: str, language: str, program: str = PROGRAM) -> None:
    """Say ``text``; a program that fails or does not end is noted in the log."""
    command = [program, "-v", language, "--stdin"]  # text that begins with "-" is no option there
    try:
        done = subprocess.run(command, input=text.encode(), timeout=LONGEST_S, capture_output=True, check=False)
    except subprocess.TimeoutExpired:
        log.warning("%s was stopped after %d s", program, LONGEST_S)
        return
    if done.returncode:
        log.warning("%s failed: %s", program, done.stderr.decode(errors="replace").strip())


class Speaker:
    """Says the moves of ``service``, while ``wanted()`` has the code of a language; "" is silence.

    ``told(sentence, code)`` puts a sentence into that language.
    """

    def __init__(
        self, service: Service, wanted: Callable[[], str], told: Callable[[str, str], str], talk: Talk = talk
    ) -> None:
        self._service, self._wanted, self._told, self._talk = service, wanted, told, talk
        self._thread = threading.Thread(target=self._run, name="speaker", daemon=True)

    def start(self) -> None:
        """Begin to listen; it ends with the service."""
        self._thread.start()

    def _run(self) -> None:
        before: ShownTable | None = None
        for frame in self._service.watch():
            if frame is None:
                continue
            same = before is not None and before.game_id == frame.game_id  # of another game nothing has happened here
            if before is not None and same and (language := self._wanted()):
                self._say(before.table, frame, language)
            before = frame

    def _say(self, before: Table, frame: ShownTable, language: str) -> None:
        try:
            if text := news(before, frame.table):
                self._talk(self._told(text, language), language)
        except Exception:  # whatever rules or program raise: play goes on in silence, and so does this thread
            log.exception("a move cannot be said")


def news(before: Table, now: Table) -> str:
    """Return what is to be said of the step from ``before`` to ``now``: the newest move, and how things stand then."""
    if now.play is None or before.play is None or now.play.session.name != before.play.session.name:
        return ""
    made = len(now.play.session.plies)
    if made > len(before.play.session.plies):
        return together(move_aloud(now, made, None), _stands(now.play))
    ended = now.phase == "over" and before.phase != "over"
    return _stands(now.play) if ended else ""


def _stands(play: Play) -> str:
    return together(sentence(play), ranking(play, play.result))
