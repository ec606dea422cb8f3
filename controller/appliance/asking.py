"""How the service asks a helper that has a right which it has not: one line of JSON each way, over a Unix socket.

Who may open the socket is settled by its file's owner and mode, in the helper's `.socket` unit. Either end takes no
more than `LINE_BYTES`, and waits for no slow one.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from controller.typed import ready

T = TypeVar("T")
A = TypeVar("A", bound=msgspec.Struct)
LINE_BYTES = 64 * 1024
SLOW_S = 2.0  # how long a question may take to arrive, and an answer to be taken


class NoHelper(RuntimeError):
    """Nobody answers: the helper is not installed, or has ended. The text is for the log."""


def ask(path: Path, question: msgspec.Struct, answer: type[A], timeout_s: float) -> A:
    """Return what the helper behind ``path`` answers; raises `NoHelper`, at the latest after ``timeout_s``."""
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(timeout_s)
            line.connect(str(path))
            line.sendall(msgspec.json.encode(question) + b"\n")
            return msgspec.json.decode(_line(line, timeout_s), type=ready(answer))
    except (OSError, msgspec.MsgspecError) as error:
        raise NoHelper(f"{path.name} does not answer ({error})") from error


def answer_one(door: socket.socket, question: Any, answered: Callable[[Any], msgspec.Struct], wait_s: float) -> bool:
    """Wait ``wait_s`` for a question of the type ``question`` at ``door``, and answer it; returns whether one came.

    What is no such question, and who is slow, is hung up on.
    """
    door.settimeout(wait_s)
    try:
        line, _ = door.accept()
    except TimeoutError:
        return False
    with line:
        try:
            asked = msgspec.json.decode(_line(line, SLOW_S), type=ready(question))
            line.settimeout(SLOW_S)
            line.sendall(msgspec.json.encode(answered(asked)) + b"\n")
        except (OSError, msgspec.MsgspecError):
            return False
    return True


def _line(line: socket.socket, timeout_s: float) -> bytes:
    """Return what comes up to the end of a line; raises OSError where none comes, or too long a one."""
    until, come = time.monotonic() + timeout_s, b""
    while not come.endswith(b"\n"):
        left_s = until - time.monotonic()
        if left_s <= 0:
            raise TimeoutError("too slow")
        line.settimeout(left_s)
        more = line.recv(LINE_BYTES)
        if not more or len(come) + len(more) > LINE_BYTES:
            raise OSError("it hung up" if not more else "too long")
        come += more
    return come
