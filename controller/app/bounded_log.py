"""A log that nobody can fill: what repeats is written a few times, and then counted.

Owns how many lines a minute may bring, and that a line of the log is one line.
"""

from __future__ import annotations

import logging
import re
import threading
from collections import Counter
from collections.abc import Callable, Collection
from time import monotonic

from controller.fault_report import discreet
from controller.log_levels import with_levels

WINDOW_S = 60.0
SAME = 3  # lines of one text in a window
ALIKE = 100  # lines of one place in the program in a window, whatever their text: more than any evening brings
LONGEST = 2000  # letters of a line
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
FORM, TIME = "%(asctime)s %(message)s", "%H:%M:%S"

OWN = ("controller", "web_panel")
NUMBERS = re.compile(r"0x[0-9a-f]+|\d+")

Place = tuple[str, int]


class OneLine(logging.Formatter):
    """Writes a message as one line without control letters, which could pretend to be another line, or more."""

    def __init__(self) -> None:
        super().__init__(FORM, TIME)

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - as `logging` has it
        """Return the line."""
        record.message = CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", record.message[:LONGEST])
        return super().formatMessage(record)


class BoundedLog(logging.Handler):
    """Hands on to ``handlers`` what is not too much. What is left out is counted, and told when its window is over."""

    def __init__(
        self,
        handlers: Collection[logging.Handler],
        now_s: Callable[[], float] = monotonic,
        later: Callable[[float, Callable[[], None]], None] | None = None,
        form: logging.Formatter | None = None,
    ) -> None:
        """``later`` calls something after so many seconds, in a thread of its own. ``form`` is that of the lines."""
        super().__init__()
        self._handlers, self._now_s, self._later = tuple(handlers), now_s, later or _later
        for handler in self._handlers:
            handler.setFormatter(form or OneLine())
        self._began_s = now_s()
        self._same: Counter[tuple[Place, str]] = Counter()
        self._alike: Counter[Place] = Counter()
        self._left_out: dict[Place, tuple[int, logging.LogRecord]] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Write or count ``record``; `logging` calls this with a lock of ours held."""
        if self._now_s() - self._began_s >= WINDOW_S:
            self._begin_anew()
        place, text = _place(record), _text(record)
        if not record.name.startswith(OWN):
            text = NUMBERS.sub("", text)  # ports, addresses in memory: the same line each time but for these
        if self._same[place, text] < SAME and self._alike[place] < ALIKE:
            self._same[place, text] += 1
            self._alike[place] += 1
            self._write(record)
            return
        if not self._left_out:
            self._later(WINDOW_S - (self._now_s() - self._began_s), self.tell)
        count, last = self._left_out.get(place, (0, record))
        self._left_out[place] = count + 1, last

    def tell(self) -> None:
        """Tell what was left out until now, and begin a new window."""
        self.acquire()
        try:
            self._begin_anew()
        finally:
            self.release()

    def _begin_anew(self) -> None:
        left_out, self._left_out = self._left_out, {}
        self._began_s = self._now_s()
        self._same.clear()
        self._alike.clear()
        for count, record in left_out.values():
            told = f"{count:,} more of these within a minute were left out: {_text(record)}"
            self._write(logging.LogRecord(record.name, record.levelno, *_place(record), told, None, None))

    def _write(self, record: logging.LogRecord) -> None:
        for handler in self._handlers:
            handler.handle(record)


def _place(record: logging.LogRecord) -> Place:
    return record.pathname, record.lineno


def _text(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()[:LONGEST]
    except (TypeError, ValueError):  # parts that do not fit; the handlers tell it
        return str(record.msg)


def _later(after_s: float, call: Callable[[], None]) -> None:
    timer = threading.Timer(max(after_s, 0.0), call)
    timer.daemon = True
    timer.start()


def write_log() -> None:
    """Let this process write its log to the console."""
    console = logging.StreamHandler()
    console.addFilter(discreet)
    logging.basicConfig(level=logging.INFO, handlers=[BoundedLog([console], form=with_levels(OneLine()))])
    logging.getLogger("waitress").setLevel(logging.WARNING)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a busy client is no news
