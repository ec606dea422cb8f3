"""Lift to light while other programs keep every processor busy. Linux only; as root, with control groups.

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

from controller import first_in_line
from controller.benchmarks import latency_live
from controller.benchmarks.latency_simulated import quantile
from controller.devices.sensors.emulated_board import Emulator, EmulatorFiles
from controller.settings import Settings
from hardware.profile import load

GROUPS = Path("/sys/fs/cgroup")
USUAL_WEIGHT = 100
OURS, THEIRS = "ours", "theirs"
BUSY = [sys.executable, "-c", "while True: pass"]
REALTIME_US = 400_000  # of each second, where a group has a share of its own
EMULATOR_PRIORITY = 50


class Way(msgspec.Struct, frozen=True):
    """How the service is scheduled: its ``weight`` beside other units, and whether its table and sensor board go
    ``first``, as `controller.first_in_line` has it.

    On each processor ``busy`` programs are in a unit of theirs, and ``beside`` it in its own, ``idle`` or not.
    """

    name: str
    weight: int = USUAL_WEIGHT
    busy: int = 1
    beside: int = 0
    idle: bool = False
    first: bool = False


WAYS = (
    Way("alone", busy=0),
    Way("busy", busy=1),
    Way("busy, weight 1000", weight=1000),
    Way("busy, first in line", first=True),
    Way("busy, first in line, weight 1000", weight=1000, first=True),
    Way("beside it in its unit", busy=0, beside=1),
    Way("beside it, in the idle class", busy=0, beside=1, idle=True),
    Way("beside it, first in line", busy=0, beside=1, first=True),
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
        if name == OURS and (share := folder / "cpu.rt_runtime_us").exists():
            share.write_text(str(REALTIME_US))
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
        ours, theirs = held.enter_context(group(OURS, way.weight)), held.enter_context(group(THEIRS, USUAL_WEIGHT))
        held.enter_context(busy(way.busy * cores, theirs, idle=False))
        held.enter_context(busy(way.beside * cores, ours, way.idle))

        command = [sys.executable, "-m", "tools.benchmarks.busy", "--serve", "--touches", str(touches)]
        command += ["--first"] if way.first else []
        said = subprocess.run(
            command, preexec_fn=lambda: enter(ours), capture_output=True, text=True, check=True
        ).stdout
    return tuple(msgspec.json.decode(said, type=list[float]))


class ChipOfItsOwn(Emulator):
    """An emulated board that waits for no program, as the chip that it stands for."""

    def __init__(self, files: EmulatorFiles, line: Path | None = None) -> None:
        super().__init__(files, line)
        enter(top(), self._process.pid)
        os.sched_setscheduler(self._process.pid, os.SCHED_RR, os.sched_param(EMULATOR_PRIORITY))


def serve(touches: int, first: bool) -> None:
    """Print the milliseconds from each lift to its light on an emulated board."""
    first_in_line.allowed = lambda: first
    latency_live.Emulator = ChipOfItsOwn  # type: ignore[attr-defined]
    settings = Settings()
    folder, profile = Path(settings.emulator_folder), load(settings.one_board)
    lifts = next(latency_live.sensor_to_end(folder, profile, "tides-of-war", touches))
    print(msgspec.json.encode(lifts.ms).decode())


@click.command()
@click.argument("rounds", default=5)
@click.option("--touches", default=60, show_default=True, help="Plies that are made in each.")
@click.option("--only", default="", help="The ways whose names have this in them.")
@click.option("--serve", "serves", is_flag=True, hidden=True)
@click.option("--first", is_flag=True, hidden=True)
def main(rounds: int, touches: int, only: str, serves: bool, first: bool) -> None:
    """Measure each way of scheduling in ROUNDS."""
    if serves:
        return serve(touches, first)
    ways = [way for way in WAYS if only in way.name]
    found: dict[str, list[tuple[float, ...]]] = {way.name: [] for way in ways}
    for number in range(rounds):
        for way in ways:
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
