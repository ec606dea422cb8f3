"""How grave a line of a log is, told to systemd's journal, which finds lines by it and keeps them by it."""

from __future__ import annotations

import logging
import os

STDERR = 2  # its file descriptor, to which logs go
# Levels of logging, and of syslog's numbers the one that each is at least.
LEVELS = ((logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))
DEBUG = 7


class WithLevel(logging.Formatter):
    """Begins each line of a ``form`` with its level, as sd-daemon(3) has it; the journal takes that off again."""

    def __init__(self, form: logging.Formatter) -> None:
        super().__init__()
        self._form = form

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines of a record; those of a traceback are as grave as the first."""
        level = next((level for least, level in LEVELS if record.levelno >= least), DEBUG)
        return "\n".join(f"<{level}>{line}" for line in self._form.format(record).split("\n"))


def with_levels(form: logging.Formatter, console: int = STDERR) -> logging.Formatter:
    """Return ``form``, with levels where systemd's journal reads what is written to the file descriptor ``console``.

    A terminal that was opened by a service has inherited the name of the journal's stream, and is none.
    """
    try:
        found = os.fstat(console)
    except OSError:
        return form  # closed
    read = os.environ.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"
    return WithLevel(form) if read else form
