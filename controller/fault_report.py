"""What is logged and shown of an internal error: where it happened, without its text, which may reveal a secret.

An exception's text quotes what it was raised over: a ply, a piece, an order. Owns how it reads without that, in the log
and on the panel, and that a line of the log stays one. The recording has it all, for whoever mends the fault.
"""

from __future__ import annotations

import logging
import re
import traceback
from contextlib import suppress
from pathlib import Path

from controller.rules.game import Illegal, Unreadable
from controller.rules.options import BadOption
from controller.rules.registry import NoSuchGame
from controller.table.board import DoesNotFit

# What moves a cursor, ends a line or turns the direction of writing.
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
MOST_LETTERS = 2000  # of a line


def place(error: BaseException) -> str:
    """Return the kind of ``error`` and where it was raised: ``KeyError in cyvasse.py, line 12``."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" in {Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{where}"


def reason(error: BaseException) -> str:
    """Return the sentence of a refusal of ours; of any other exception only its `place`."""
    ours = isinstance(error, Illegal | Unreadable | BadOption | NoSuchGame | DoesNotFit)
    return str(error) if ours else place(error)


def frames(error: BaseException) -> str:
    """Return the lines of code through which ``error`` came, and its kind."""
    return "".join((*traceback.format_tb(error.__traceback__), type(error).__name__))


def one_line(text: str) -> str:
    """Return ``text`` as a line that shows what is in it: control characters written out, and of bounded length."""
    told = CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text[: MOST_LETTERS + 1])
    return told if len(told) <= MOST_LETTERS else f"{told[:MOST_LETTERS]} …"


def discreet(record: logging.LogRecord) -> bool:
    """Leave the words of an exception out of ``record``, and whoever's words are in it on its line: a filter for every
    handler of the log.
    """
    with suppress(TypeError, ValueError):  # where it does not fit its arguments, the handler says so
        record.msg, record.args = one_line(record.getMessage()), ()
    if record.exc_info and record.exc_info[1]:
        record.exc_text = frames(record.exc_info[1])  # which formatters take as it is
    return True
