"""A process of its own, with limits, for work that may take as long and as much as somebody else likes.

Owns both of its ends: how it is started, awaited and ended, and how it limits itself. What it answers goes another way
than what is printed in it, so that whatever runs there can print without harm.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import BinaryIO, Literal, NamedTuple

import msgspec

from controller.typed import ready

LOOK_S = 0.1  # how often it is seen to that somebody waits still
TOO_MUCH = 7  # the exit status of work that needed more memory than it may have
NICENESS = 10  # the table goes first
IDLE_LOOK_S = 0.5  # how often it is asked what is wished of a process that may take hours
IDLE_NICENESS = 19  # where the system knows no process that is idle
DIES_WITH_PARENT = 1  # PR_SET_PDEATHSIG, as prctl(2) has it
MEGABYTE = 1 << 20


class Limits(msgspec.Struct, frozen=True):
    """What a process may use at most: ``seconds`` are of the clock, ``processor_seconds`` of all its threads together,
    ``megabytes`` of memory, and ``file_megabytes`` of anything that it writes.
    """

    seconds: float = 30.0
    processor_seconds: float = 30.0
    megabytes: int = 512
    file_megabytes: int = 64


class ProcessEnd(NamedTuple):
    """How a process ended, what it answered, and what was printed in it: the last ``printed`` of ``printed_bytes``.

    It ``ran_out`` of time, or of memory; or nobody ``waits`` for it any more. ``status`` is its own, or less than 0
    where the system ended it.
    """

    answer: bytes
    status: int
    ran_out: Literal["", "time", "memory", "waits"]
    printed: bytes
    printed_bytes: int


def run(
    module: str, arguments: Sequence[str], given: bytes, limits: Limits, gone: Callable[[], bool] = lambda: False
) -> ProcessEnd:
    """Run ``module`` with ``given`` as its input until it ends, or is ended as ``gone`` says; raises OSError.

    The module's own part is `answering`.
    """
    command = [sys.executable, "-m", module, msgspec.json.encode(limits).decode(), *arguments]
    with ExitStack() as held:
        # In memory, and not on a card that may be full.
        question, answer, printed = (held.enter_context(_in_memory(name)) for name in ("question", "answer", "printed"))
        question.write(given)
        question.seek(0)
        # In a session of its own: an interrupt at the console is left to the service, and what it starts ends with it.
        process = subprocess.Popen(command, stdin=question, stdout=answer, stderr=printed, start_new_session=True)
        try:
            ran_out = _awaited(process, limits, gone)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if process.returncode == TOO_MUCH:
            ran_out = "memory"
        elif process.returncode == -signal.SIGKILL and not ran_out:
            ran_out = "time"  # of the processor, as the system saw
        size = os.fstat(printed.fileno()).st_size
        return ProcessEnd(_read(answer), process.returncode, ran_out, _read(printed, 2000), size)


Wish = Literal["go on", "stop", "die"]
"""What is wished of a process: to go on, to stop in order as with ^C, or to be ended at once."""


def run_idle(command: Sequence[str], megabytes: int, wish: Callable[[], Wish]) -> ProcessEnd:
    """Run ``command`` while nothing else wants the processor or the disk, with so much memory, as ``wish`` says; raises
    OSError.

    There is no answer: what it prints on its standard output is lost. It dies with the thread that runs it.
    """
    prelude = [sys.executable, "-m", __name__, str(os.getpid()), str(megabytes)]
    with _in_memory("printed") as printed:
        process = subprocess.Popen(
            [*prelude, *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=printed,
            start_new_session=True,
        )  # fmt: skip
        try:
            _until_wished(process, wish)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        size = os.fstat(printed.fileno()).st_size
        return ProcessEnd(b"", process.returncode, "", _read(printed, 2000), size)


def _until_wished(process: subprocess.Popen[bytes], wish: Callable[[], Wish]) -> None:
    """Return as soon as ``process`` has ended, or is to be ended at once."""
    told = False
    while process.poll() is None and (wished := wish()) != "die":
        if wished == "stop" and not told:
            process.send_signal(signal.SIGINT)
            told = True
        with suppress(subprocess.TimeoutExpired):
            process.wait(IDLE_LOOK_S)


def _awaited(
    process: subprocess.Popen[bytes], limits: Limits, gone: Callable[[], bool]
) -> Literal["", "time", "memory", "waits"]:
    """Return as soon as ``process`` has ended, or is to be ended and why."""
    until = time.monotonic() + limits.seconds
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(LOOK_S)
            return ""
        if time.monotonic() >= until:
            return "time"
        if gone():
            return "waits"


def _read(file: BinaryIO, most_bytes: int | None = None) -> bytes:
    """Return what a process left in ``file``: the last ``most_bytes``, or all that it was allowed to write."""
    size = os.fstat(file.fileno()).st_size
    file.seek(0 if most_bytes is None else max(0, size - most_bytes))
    return file.read(most_bytes or size)


@contextmanager
def _in_memory(name: str) -> Iterator[BinaryIO]:
    with open(os.memfd_create(name), "w+b") as file:
        yield file


# ---- within the process ---------------------------------------------------------------------------------------


def answering(limits: str, work: Callable[[bytes], bytes]) -> int:
    """Write what ``work`` makes of the standard input, within ``limits``; return the exit status."""
    limit(msgspec.json.decode(limits, type=ready(Limits)))
    with open(os.dup(1), "wb") as answer:
        os.dup2(2, 1)  # what is printed is no part of the answer
        try:
            said = work(sys.stdin.buffer.read())
        except MemoryError:
            return TOO_MUCH
        answer.write(said)
    return 0


def limit(limits: Limits) -> None:
    """Let this process have no more than that; where the system knows no such limit, its parent ends it in time."""
    memory, file = limits.megabytes * MEGABYTE, limits.file_megabytes * MEGABYTE
    bounds = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_CPU: int(limits.processor_seconds) + 1,
        resource.RLIMIT_FSIZE: file,
        resource.RLIMIT_CORE: 0,
    }
    _bound(bounds)
    os.nice(NICENESS)
    _goes_first()


def _bound(bounds: Mapping[int, int]) -> None:
    for kind, most in bounds.items():
        with suppress(OSError, ValueError):
            resource.setrlimit(kind, (most, most))


def _goes_first() -> None:
    """Where the machine itself runs out of memory, let the system end this process and not the service."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as first:
        first.write("1000")


def become_idle(parent: int, megabytes: int) -> None:
    """Let this process have what nobody else wants, and end with the ``parent`` that started it.

    Whoever has the processor when it is idle has the disk so, too: the one follows from the other (ioprio_set(2)).
    """
    with suppress(OSError, AttributeError):  # a system without it: the parent ends its children itself
        ctypes.CDLL(None).prctl(DIES_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:
        raise SystemExit(0)  # it was gone before it could be followed
    # Who starts it may ignore interrupts, as what a script starts in its background does; the service itself does not.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.nice(IDLE_NICENESS)
    if hasattr(os, "SCHED_IDLE"):
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    # Of what it has, not of all that is mapped: packages for large tables set far more aside than they use.
    _bound({resource.RLIMIT_DATA: megabytes * MEGABYTE, resource.RLIMIT_CORE: 0})
    _goes_first()


if __name__ == "__main__":
    become_idle(int(sys.argv[1]), int(sys.argv[2]))
    os.execv(sys.argv[3], sys.argv[3:])
