"""Work that a stranger can make as long as they like, done in a process of its own.

Owns that there is one at a time, and what is said of one that failed. What it does is
`controller.panel.import_worker`'s, how it is limited `controller.limited_process`'s. A table beside it stays as quick
as it was.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec

from controller.limited_process import Limits, run
from controller.refused import Later, Refused
from controller.sentences import Sentence, say
from controller.typed import ready

log = logging.getLogger(__name__)

WORKER = "controller.panel.import_worker"

Work = Literal["import", "last-minutes"]


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
        """Return what ``work`` makes of ``text``, and in words; raises `Refused` with the reason.

        It is ended as soon as ``gone`` says that nobody is waiting for it any more.
        """
        if not self._one.acquire(blocking=False):
            raise Later(say("The board is reading another game: try again in a moment."))
        try:
            return self._done(work, text.encode(errors="surrogatepass"), gone)
        finally:
            self._one.release()

    def close(self) -> None:
        """End the current work, and accept no more."""
        self._closing.set()

    def _done(self, work: Work, text: bytes, gone: Callable[[], bool]) -> tuple[Any, str]:
        limits = self._limits
        try:
            ended = run(WORKER, [work], text, limits, lambda: gone() or self._closing.is_set())
        except OSError as error:
            raise Refused(say("the system has no room for it ({why})", why=str(error.strerror))) from error
        if ended.ran_out == "memory":
            raise Refused(say("reading it takes more memory than is available"))
        if ended.ran_out == "waits":
            raise Refused(say("nobody is waiting for it any more"))
        if ended.ran_out == "time":
            raise Refused(_too_long(limits))
        if ended.status:
            log.warning("reading a game failed: %s", ended.printed.decode(errors="replace").strip())
            raise Refused(say("reading it caused an internal error; see the log"))
        report = msgspec.json.decode(ended.answer, type=ready(Report))
        if report.refused is not None:
            raise Refused(unpacked(report.refused))
        return report.found, unpacked(report.words)


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
