"""A process beside the service that reads lines of JSON and answers with such lines."""

from __future__ import annotations

import logging
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import msgspec

from controller.typed import ready

log = logging.getLogger(__name__)

END_S = 5.0  # for a killed process to be gone
Child = subprocess.Popen[bytes]
Line = TypeVar("Line")


def begun(command: Sequence[str], listen: Callable[[Child], None], name: str) -> Child:
    """Start ``command``, and ``listen`` to it in a thread called ``name``; raises OSError."""
    pipe = subprocess.PIPE
    # In a session of its own, an interrupt at the console is left to the service.
    child = subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True)
    threading.Thread(target=listen, args=(child,), name=name, daemon=True).start()
    return child


def tell(child: Child, what: Any) -> None:
    """Send ``what`` as a line; raises OSError."""
    assert child.stdin is not None
    child.stdin.write(msgspec.json.encode(what) + b"\n")
    child.stdin.flush()


def heard(child: Child, kind: type[Line], name: str) -> Iterator[Line]:
    """Yield each line that can be read as ``kind`` until the process closes its end; any other is noted in the log."""
    assert child.stdout is not None
    with child.stdout as lines:
        for line in lines:
            try:
                said = msgspec.json.decode(line, type=ready(kind))
            except (msgspec.DecodeError, UnicodeDecodeError):
                log.warning("the %s process said what cannot be read: %r", name, line[:200])
            else:
                yield said


def end(child: Child) -> None:
    """Kill the process: it keeps nothing."""
    child.kill()
    with suppress(OSError):
        assert child.stdin is not None
        child.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        child.wait(END_S)
