"""What is logged and shown of an internal error: where it happened, without its text, which may reveal a secret.

An exception's text quotes what it was raised over: a ply, a piece, an order. Owns how it reads without that, in the log
and on the panel. The recording has it all, for whoever mends the fault.
"""

from __future__ import annotations

import logging
import traceback
from pathlib import Path

from controller.rules.game import Illegal, Unreadable
from controller.rules.options import BadOption
from controller.rules.registry import NoSuchGame
from controller.table.board import DoesNotFit


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


def discreet(record: logging.LogRecord) -> bool:
    """Leave the words of an exception out of ``record``: a filter for every handler of the log."""
    if record.exc_info and record.exc_info[1]:
        record.exc_text = frames(record.exc_info[1])  # which formatters take as it is
    return True
