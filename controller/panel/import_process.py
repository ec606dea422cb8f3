"""Work that a stranger can make as long as they like, done in a process of its own.

Owns that process: one at a time, with limits of time and memory, at a low priority, ended when nobody waits for it any
more. What it does is `controller.panel.import_worker`'s. A table beside it stays as quick as it was.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Literal

import msgspec

from controller.sentences import Sentence, say
from controller.typed import ready

log = logging.getLogger(__name__)

LOOK_S = 0.1  # how often it is seen to that somebody waits still
TOO_MUCH = 7  # the exit status of work that needed more memory than it may have

Work = Literal["import", "last-minutes"]


class NotDone(ValueError):
    """Work that was not done; one sentence."""


class Busy(NotDone):
    """Work that was not even begun, because there is other work at the moment."""


class Limits(msgspec.Struct, frozen=True):
    """What the process may use at most. Time is that of the clock, and of the processor too."""

    seconds: float = 30.0
    megabytes: int = 512


class Report(msgspec.Struct, frozen=True):
    """What the process writes: what it ``found`` and a sentence about it, or why not."""

    found: Any = None
    words: Any = None
    refused: Any = None


class Apart:
    """Does work apart. Every method may be called from any thread."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._one = threading.Lock()
        self._closing = threading.Event()

    def do(self, work: Work, text: str, gone: Callable[[], bool] = lambda: False) -> tuple[Any, str]:
        """Return what ``work`` makes of ``text``, and in words; raises `NotDone` with the reason.

        It is ended as soon as ``gone`` says that nobody is waiting for it any more.
        """
        if not self._one.acquire(blocking=False):
            raise Busy(say("The board is reading another game: try again in a moment."))
        try:
            return self._done(work, text.encode(errors="surrogatepass"), gone)
        finally:
            self._one.release()

    def close(self) -> None:
        """End the current work, and accept no more."""
        self._closing.set()

    def _done(self, work: Work, text: bytes, gone: Callable[[], bool]) -> tuple[Any, str]:
        limits = self._limits
        module = "controller.panel.import_worker"
        command = [sys.executable, "-m", module, work, f"{limits.seconds}", f"{limits.megabytes}"]
        try:
            with tempfile.TemporaryFile() as given:
                given.write(text)
                given.seek(0)
                pipe = subprocess.PIPE
                with subprocess.Popen(command, stdin=given, stdout=pipe, stderr=pipe) as process:
                    told, failed = self._awaited(process, gone)
        except OSError as error:
            raise NotDone(say("the system has no room for it ({why})", why=str(error.strerror))) from error
        if process.returncode == TOO_MUCH:
            raise NotDone(say("reading it takes more memory than is available"))
        if process.returncode < 0:  # ended by the system, at the limits
            raise NotDone(_too_long(limits))
        if process.returncode:
            log.warning("reading a game failed: %s", failed.decode(errors="replace").strip()[-2000:])
            raise NotDone(say("reading it caused an internal error; see the log"))
        report = msgspec.json.decode(told, type=ready(Report))
        if report.refused is not None:
            raise NotDone(unpacked(report.refused))
        return report.found, unpacked(report.words)

    def _awaited(self, process: subprocess.Popen[bytes], gone: Callable[[], bool]) -> tuple[bytes, bytes]:
        """Return what ``process`` writes; raises `NotDone` when it has to be ended."""
        until = time.monotonic() + self._limits.seconds
        while True:
            with suppress(subprocess.TimeoutExpired):
                return process.communicate(timeout=LOOK_S)
            late = time.monotonic() >= until
            if late or gone() or self._closing.is_set():
                process.kill()
                process.communicate()
                raise NotDone(_too_long(self._limits) if late else say("nobody is waiting for it any more"))


def _too_long(limits: Limits) -> str:
    return say(
        "it takes longer than {seconds} seconds to read; for a long recording, import the game as text",
        seconds=round(limits.seconds),
    )


def packed(part: Any) -> Any:
    """Return a sentence, or a part of one, as JSON can hold it."""
    if isinstance(part, Sentence):
        parts = {name: packed(each) for name, each in part.parts.items()}
        return {"template": part.template, "parts": parts, "capital": part.capital}
    return [packed(each) for each in part] if isinstance(part, tuple) else part


def unpacked(part: Any) -> Any:
    """Return what was `packed`."""
    if isinstance(part, Mapping):
        parts = {name: unpacked(each) for name, each in part["parts"].items()}
        return Sentence(part["template"], parts, part["capital"])
    return tuple(unpacked(each) for each in part) if isinstance(part, list) else part
