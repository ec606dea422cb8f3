"""The way to push services, for the board: a process for each job, which ends with it."""

from __future__ import annotations

import importlib.util
import logging
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress

import msgspec

from controller.notices.letters import Done, Job, Keys
from controller.sentences import say
from controller.typed import ready

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-m", "controller.notices.push")
LIMIT_S = 60.0  # of a job: several push services that hang
NEEDS = "pywebpush"


def missing() -> str:
    """Return why no notice can be sent from here and what to do, "" where it can."""
    if importlib.util.find_spec(NEEDS) is None:
        return say(
            "The board was installed without what sends notices: whoever looks after it installs the extra 'push'."
        )
    return ""


class Post:
    """Every method may be called from any thread; jobs are done one after the other."""

    def __init__(self, command: Sequence[str] = COMMAND, limit_s: float = LIMIT_S) -> None:
        self._command, self._limit_s = command, limit_s
        self._one = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def do(self, job: Job) -> Done | None:
        """Return what became of ``job``, None where that is not known; takes `LIMIT_S` at most."""
        with self._one:
            return None if self._closed else self._done(msgspec.json.encode(job))

    def keys(self) -> Keys:
        """Return fresh keys, without a number where none could be made."""
        done = self.do(Job())
        return done.keys if done else Keys()

    def close(self) -> None:
        """End the current job, and take no more."""
        self._closed = True
        process = self._process
        if process is not None:
            process.kill()

    def _done(self, job: bytes) -> Done | None:
        pipe = subprocess.PIPE
        try:
            # In a session of its own, an interrupt at the console is left to the service.
            with subprocess.Popen(
                self._command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            ) as self._process:
                said, failed = self._awaited(self._process, job)
                status = self._process.returncode
        except OSError as error:
            log.warning("no notice can be sent: %s", error.strerror)
            return None
        finally:
            self._process = None
        with suppress(msgspec.DecodeError):
            return msgspec.json.decode(said, type=ready(Done))
        log.warning("sending a notice ended with %s: %s", status, failed.decode(errors="replace").strip()[-1000:])
        return None

    def _awaited(self, process: subprocess.Popen[bytes], job: bytes) -> tuple[bytes, bytes]:
        try:
            return process.communicate(job, timeout=self._limit_s)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.communicate()
