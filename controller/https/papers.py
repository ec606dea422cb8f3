"""Asks for certificates in a process of its own: `controller.https.certify`."""

from __future__ import annotations

import threading

import msgspec

from controller.https.jobs import Asked, Job, MadeCertificate
from controller.limited_process import Limits, run
from controller.typed import ready

WORKER = "controller.https.certify"
LIMITS = Limits(seconds=60.0, processor_seconds=30.0, megabytes=512)  # the package alone takes seconds on a small Pi


class PapersApart:
    """What does one `Job` at a time. May be called from any thread."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._limits = limits
        self._one = threading.Lock()
        self._closing = threading.Event()

    def __call__(self, job: Job) -> MadeCertificate:
        """Return what comes of ``job``, also where nothing does."""
        with self._one:
            try:
                ended = run(WORKER, [], msgspec.json.encode(Asked(job)), self._limits, self._closing.is_set)
            except OSError:
                return MadeCertificate("failed")
        if ended.ran_out or ended.status:
            return MadeCertificate("failed")
        return msgspec.json.decode(ended.answer, type=ready(MadeCertificate))

    def close(self) -> None:
        """End what is being done."""
        self._closing.set()
