"""Tests are run in forks of this process: it has loaded what all of them need, and nothing that may be changed.

Of the three seconds that pytest takes to begin, two go to its plugins. Each line that comes in asks for one run, and
one line answers it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import time
from importlib import import_module
from importlib.metadata import entry_points
from typing import IO

import pytest

LOADED = ("click", "flask", "flask_limiter", "msgspec", "paho.mqtt.client", "playwright.sync_api", "polib", "waitress")
OPTIONS = ("-x", "-rfE", "-p", "no:cacheprovider", "-p", "no:xdist", "--reruns", "0")
TOLD = 20_000  # bytes of what pytest said last
LOOK_S = 0.01


def load() -> None:
    """Import what is none of ours."""
    for plugin in entry_points(group="pytest11"):
        plugin.load()
    for name in LOADED:
        import_module(name)


def run(tests: list[str], seconds: float) -> tuple[int | None, str]:
    """Return pytest's exit status, None where it took longer than ``seconds``, and the end of what it said."""
    with tempfile.TemporaryFile() as told:
        child = os.fork()
        if not child:
            _as_pytest(tests, told)
        status = _ended(child, seconds)
        told.seek(max(0, told.seek(0, os.SEEK_END) - TOLD))
        return status, told.read().decode(errors="replace")


def _as_pytest(tests: list[str], told: IO[bytes]) -> None:
    status = 1
    try:
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(told.fileno(), 1)
        os.dup2(told.fileno(), 2)
        sys.stdin = open(0)  # noqa: SIM115  the fork's own, for as long as it lives
        status = int(pytest.main([*OPTIONS, *tests]))
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def _ended(child: int, seconds: float) -> int | None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(LOOK_S)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def main() -> None:
    """Answer until nobody asks any more."""
    sys.dont_write_bytecode = False
    load()
    for line in sys.stdin:
        asked = json.loads(line)
        status, told = run(asked["tests"], asked["seconds"])
        print(json.dumps({"status": status, "told": told}), flush=True)


if __name__ == "__main__":
    main()
