"""Lift to light while other programs keep every processor busy. Linux only; as root, with a controller of the processor.

    python -m tools.benchmarks.busy [ROUNDS] [--touches TOUCHES]

The service plays on an emulated sensor board in a control group, as in a unit of its own; busy programs are in another
one, as another unit's. Each way of scheduling is measured in turn, ROUNDS (5) times, so that what else the machine does
meets all of them. Printed are the median over the rounds of p50 and p95. The emulator stands for a chip of its own: it
always goes first.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

import click
import msgspec

from controller.benchmarks import latency_live
from controller.benchmarks.latency_simulated import quantile
from controller.devices.sensors import emulated_board
from controller.settings import Settings
from hardware.profile import load

GROUPS = Path("/sys/fs/cgroup")
USUAL_WEIGHT = 100
BUSY = [sys.executable, "-c", "while True: pass"]
REALTIME = 1  # the lowest real-time priority
EMULATOR_PRIORITY = 50


class Way(msgspec.Struct, frozen=True):
    """How the service is scheduled: its ``weight`` beside other units, ``busy`` programs on each processor in a unit of
    theirs and ``beside`` it in its own unit, the latter of the idle class if ``idle``; ``realtime``: the service has a
    real-time priority.
    """

    name: str
    weight: int = USUAL_WEIGHT
    busy: int = 1
    beside: int = 0
    idle: bool = False
    realtime: bool = False


WAYS = (
    Way("alone", busy=0),
    Way("busy, the usual weight"),
    Way("busy, weight 1000", weight=1000),
    Way("busy, weight 10000", weight=10_000),
    Way("busy, real time", realtime=True),
    Way("busy beside it in its unit, weight 1000", weight=1000, busy=0, beside=1),
    Way("the same in the idle class", weight=1000, busy=0, beside=1, idle=True),
    Way("busy there and there, the idle class", weight=1000, beside=1, idle=True),
)


@contextmanager
def group(name: str, weight: int) -> Iterator[Path]:
    """Make a control group of that ``weight``, as ``CPUWeight=`` of a unit gives it; gone at the end."""
    folder = top() / f"beaconboard-{name}-{os.getpid()}"
    folder.mkdir()
    try:
        if top() == GROUPS:
            (folder / "cpu.weight").write_text(str(weight))
        else:
            (folder / "cpu.shares").write_text(str(weight * 1024 // USUAL_WEIGHT))
        yield folder
    finally:
        folder.rmdir()


def top() -> Path:
    """Return the control group of all: a hierarchy of its own, where the controllers still have one each."""
    older = GROUPS / "cpu"
    return older if older.is_dir() else GROUPS


def enter(folder: Path, process: int = 0) -> None:
    """Move a process, this one unless it is named, into a control group."""
    (folder / "cgroup.procs").write_text(str(process))


@contextmanager
def busy(count: int, folder: Path, idle: bool) -> Iterator[None]:
    """Keep ``count`` programs of a control group at work."""

    def settle() -> None:
        enter(folder)
        if idle:
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))

    programs = [subprocess.Popen(BUSY, preexec_fn=settle) for _ in range(count)]
    try:
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()


def measured(way: Way, touches: int) -> tuple[float, ...]:
    """Return the milliseconds from each lift to its light."""
    cores = os.cpu_count() or 1
    with ExitStack() as held:
        ours, theirs = held.enter_context(group("ours", way.weight)), held.enter_context(group("theirs", USUAL_WEIGHT))
        held.enter_context(busy(way.busy * cores, theirs, idle=False))
        held.enter_context(busy(way.beside * cores, ours, way.idle))

        def settle() -> None:
            enter(ours)
            if way.realtime:  # groups of the older hierarchy may have no real time
                enter(top())
                os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(REALTIME))

        command = [sys.executable, "-m", "tools.benchmarks.busy", "--serve", "--touches", str(touches)]
        said = subprocess.run(command, preexec_fn=settle, capture_output=True, text=True, check=True).stdout
    return tuple(msgspec.json.decode(said, type=list[float]))


def serve(touches: int) -> None:
    """Print the milliseconds from each lift to its light on an emulated board."""
    settings = Settings()
    start = subprocess.Popen

    def first(*given: object, **more: object) -> subprocess.Popen[bytes]:
        process: subprocess.Popen[bytes] = start(*given, **more)  # type: ignore[call-overload]
        enter(top(), process.pid)
        os.sched_setscheduler(process.pid, os.SCHED_RR, os.sched_param(EMULATOR_PRIORITY))
        return process

    emulated_board.subprocess.Popen = first  # type: ignore[assignment, misc]
    profile = load(settings.one_board)
    lifts = next(latency_live.sensor_to_end(Path(settings.emulator_folder), profile, "tides-of-war", touches))
    print(msgspec.json.encode(lifts.ms).decode())


@click.command()
@click.argument("rounds", default=5)
@click.option("--touches", default=60, show_default=True, help="Plies that are made in each.")
@click.option("--serve", "serves", is_flag=True, hidden=True)
def main(rounds: int, touches: int, serves: bool) -> None:
    """Measure each way of scheduling in ROUNDS."""
    if serves:
        return serve(touches)
    found: dict[str, list[tuple[float, ...]]] = {way.name: [] for way in WAYS}
    for number in range(rounds):
        for way in WAYS:
            found[way.name].append(measured(way, touches))
            last = found[way.name][-1]
            print(f"{number + 1} {way.name}: p95 {quantile(last, 95):.1f}", file=sys.stderr)
    print(f"{'':44}{'lifts':>6}{'p50':>8}{'p95':>8}{'lowest':>8}{'highest':>8}  ms, medians of {rounds} rounds")
    for name, rows in found.items():
        p50, p95 = ([quantile(row, percent) for row in rows] for percent in (50, 95))
        print(f"{name:44}{sum(map(len, rows)):6}{median(p50):8.2f}{median(p95):8.2f}{min(p95):8.2f}{max(p95):8.2f}")
    return None


if __name__ == "__main__":
    main()
