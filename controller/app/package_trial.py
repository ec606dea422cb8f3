"""Games from other packages are tried before anything imports them: each in a process of its own, all side by side.

What is found is left in the environment, where `controller.rules.registry` looks it up, in this process and in all that
it starts.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.metadata import EntryPoint

import msgspec

from controller.limited_process import Limits, ProcessEnd, answering, run
from controller.rules.conformance.quick import broken_promise
from controller.rules.registry import GROUP, VERDICTS, UnfitGame, game_at, packages
from controller.typed import ready

LIMITS = Limits(seconds=20, processor_seconds=10, megabytes=256, file_megabytes=1)
MOST_PRINTED_BYTES = 10_000  # in a short game; whoever prints more fills the log of an evening
LONGEST = 300  # letters of what is told of one


def try_packages() -> None:
    """Try what packages there are, unless a process before this one has; takes as long as one of them may."""
    if VERDICTS not in os.environ and (found := packages()):
        verdicts = dict(zip(found, tried((entry.value for entry in found.values()), LIMITS), strict=True))
        os.environ[VERDICTS] = msgspec.json.encode(verdicts).decode()


def tried(values: Iterable[str], limits: Limits) -> list[str]:
    """Return of the game at each of ``values``, as ``module:GAME``, what is wrong with it, "" where nothing is."""
    values = list(values)
    with ThreadPoolExecutor(len(values) or 1) as beside:
        return list(beside.map(partial(_tried, limits=limits), values))


def _tried(value: str, limits: Limits) -> str:
    try:
        ended = run("controller.app.package_trial", [value], b"", limits)
    except OSError as error:
        return f"the system has no room for trying it ({error.strerror})"
    text = _why_ended(ended, limits)
    return "".join(letter if letter.isprintable() else " " for letter in text)[:LONGEST]


def _why_ended(ended: ProcessEnd, limits: Limits) -> str:
    if ended.printed_bytes > MOST_PRINTED_BYTES:
        return f"it prints more than {MOST_PRINTED_BYTES:,} letters in a short game: let it print nothing"
    if ended.ran_out == "memory":
        return f"it takes more than {limits.megabytes} MB of memory in a short game"
    if ended.ran_out == "time":
        return (
            f"a short game comes to an end; this one was still at it after {limits.processor_seconds:g} seconds of the "
            f"processor, or {limits.seconds:g} of the clock"
        )
    if ended.status < 0:
        return f"it crashes in a short game ({signal.strsignal(-ended.status) or -ended.status})"
    try:
        return msgspec.json.decode(ended.answer, type=ready(str))
    except msgspec.DecodeError:
        return f"it ends the program in a short game (status {ended.status})"


# ---- within the process ---------------------------------------------------------------------------------------


def found_wrong(value: str) -> str:
    """Return what is wrong with the game at ``value``; raises MemoryError."""
    try:
        promise = broken_promise(game_at(EntryPoint("", value, GROUP)))
    except MemoryError:
        raise
    except UnfitGame as unfit:
        return str(unfit)
    except BaseException as error:  # noqa: BLE001  whatever importing it raises, it is reported of that game
        return f"{type(error).__name__}: {error}"
    return f"it breaks a promise of games: {promise}" if promise else ""


def main(limits: str, value: str) -> int:
    """Try the game at ``value``; return the exit status."""
    return answering(limits, lambda _: msgspec.json.encode(found_wrong(value)))


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
