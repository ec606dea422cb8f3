"""Trying a variant that somebody made up, in a process of its own: a table beside it stays as quick as it was.

Owns the process's both ends and how long it may take. What is tried, `controller.rules.variant_trial` says.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import msgspec

from controller.limited_process import Limits, answering, run
from controller.panel.import_process import packed, unpacked
from controller.refused import Later, Refused
from controller.rules.variant_trial import Trial, tried
from controller.rules.variants import Variant
from controller.sentences import say
from controller.typed import ready

WORKER = "controller.panel.variant_trial"
TRIAL_S = 2.0  # of games, once it has begun
LIMITS = Limits(seconds=20.0, processor_seconds=15.0, megabytes=512)


class _Report(msgspec.Struct, frozen=True):
    """A `Trial` as JSON has it."""

    refusals: list[Any]
    remarks: list[Any]
    well: Any


class TrialApart:
    """Tries variants apart, one at a time. Every method may be called from any thread."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._limits = limits
        self._one = threading.Lock()
        self._closing = threading.Event()

    def tried(self, variant: Variant, gone: Callable[[], bool] = lambda: False) -> Trial:
        """Return what a trial finds; raises `Refused` where there can be none. Who is ``gone`` is not waited for."""
        if not self._one.acquire(blocking=False):
            raise Later(say("The board is trying other rules: try again in a moment."))
        try:
            return self._tried(variant, gone)
        finally:
            self._one.release()

    def close(self) -> None:
        """End the trial that is going on, and begin no more."""
        self._closing.set()

    def _tried(self, variant: Variant, gone: Callable[[], bool]) -> Trial:
        given = msgspec.json.encode(variant)
        try:
            ended = run(WORKER, [], given, self._limits, lambda: gone() or self._closing.is_set())
        except OSError as error:
            raise Refused(say("These rules cannot be tried: {why}.", why=str(error.strerror))) from error
        if ended.ran_out == "waits":
            raise Refused(say("These rules cannot be tried: {why}.", why=say("nobody is waiting for it any more")))
        if ended.ran_out:
            return Trial((say("a game takes far too long, or far too much memory: choose smaller numbers"),))
        if ended.status:
            return Trial((say("its rules end the program in which they are tried"),))
        report = msgspec.json.decode(ended.answer, type=ready(_Report))
        return Trial(tuple(map(unpacked, report.refusals)), tuple(map(unpacked, report.remarks)), unpacked(report.well))


# ---- within the process ---------------------------------------------------------------------------------------


def _done(given: bytes) -> bytes:
    variant = msgspec.json.decode(given, type=ready(Variant))
    until = time.monotonic() + TRIAL_S
    trial = tried(variant, lambda: time.monotonic() >= until)
    return msgspec.json.encode(
        _Report([*map(packed, trial.refusals)], [*map(packed, trial.remarks)], packed(trial.well))
    )


if __name__ == "__main__":
    raise SystemExit(answering(sys.argv[1], _done))
