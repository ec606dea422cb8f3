"""The service's own bound of memory: it starts anew in order where it has grown, and refuses what asks for too much."""

from __future__ import annotations

import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from controller.limited_process import Limits
from controller.memory_bound import MOST_DATA_MB, MOST_GROWTH_MB, UNIT, Growth, holding, limited_data, used_mb
from tests.answered import answered

PATIENCE_S = 60.0
UNIT_IN_REPOSITORY = Path(__file__).parents[1] / "raspberry" / "beaconboard.service"


def machine(
    root: Path, resident_kb: int | None = 60_000, swapped_kb: int = 0, files: Mapping[str, str] = MappingProxyType({})
) -> Path:
    """Make of ``root`` the files of a system in which this process has so much memory, and return it."""
    (root / "proc/self").mkdir(parents=True, exist_ok=True)
    if resident_kb is not None:
        status = f"Name:\tpython\nVmPeak:\t 99999 kB\nVmRSS:\t {resident_kb} kB\nVmSwap:\t {swapped_kb} kB\n"
        (root / "proc/self/status").write_text(status, encoding="ascii")
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="ascii")
    return root


def test_what_a_process_uses_counts_what_is_swapped_out(tmp_path: Path) -> None:
    assert used_mb(machine(tmp_path, 60 * 1024, 8 * 1024)) == 68
    assert used_mb(tmp_path / "nowhere") is None
    assert (used_mb() or 0) > 10


def test_growth_counts_from_the_start(tmp_path: Path) -> None:
    growth = Growth(machine(tmp_path, 300 * 1024))
    found = []
    for mb in (300, 300 + MOST_GROWTH_MB, 301 + MOST_GROWTH_MB):
        machine(tmp_path, mb * 1024)
        found.append(growth.too_much_mb())
    assert found == [None, None, 301 + MOST_GROWTH_MB]


def test_where_the_system_says_nothing_nobody_is_started_again(tmp_path: Path) -> None:
    growth = Growth(machine(tmp_path, None))
    assert [growth.too_much_mb(), growth.too_much_mb()] == [None, None]


CONTROLLERS, CGROUPS = "sys/fs/cgroup/cgroup.controllers", "proc/cgroups"
OLD = "#subsys_name\thierarchy\tnum_cgroups\tenabled\ncpu\t0\t90\t1\nmemory\t0\t90\t{}\n"


KEPT = "the system keeps the service to the bound of its unit (MemoryMax), and it starts again by itself"
NOT_KEPT = "(cgroup_disable=memory), so that MemoryMax of the unit counts for nothing; the service starts again by"


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({UNIT: "", CONTROLLERS: "cpuset cpu io memory pids\n"}, KEPT),
        ({UNIT: "", CONTROLLERS: "cpuset cpu io pids\n"}, NOT_KEPT),
        ({UNIT: "", CGROUPS: OLD.format(1)}, KEPT),
        ({UNIT: "", CGROUPS: OLD.format(0)}, NOT_KEPT),
        ({UNIT: ""}, NOT_KEPT),
        ({CONTROLLERS: "memory\n"}, "once it has grown by 256 MB; it is not installed here"),
    ],
)
def test_the_doctor_says_which_bound_holds(tmp_path: Path, files: dict[str, str], told: str) -> None:
    assert told in holding(machine(tmp_path, files=files))


def test_the_doctor_says_where_no_bound_holds(tmp_path: Path) -> None:
    assert holding(machine(tmp_path, None, files={UNIT: ""})).startswith("Memory: nothing bounds the service here")


def test_the_service_starts_anew_before_the_unit_slows_it_down() -> None:
    unit = UNIT_IN_REPOSITORY.read_text(encoding="utf-8")
    high_mb = int(next(line for line in unit.splitlines() if line.startswith("MemoryHigh="))[11:-1])
    assert 77 + 60 < MOST_GROWTH_MB + 60 < high_mb  # 60 MB at its start, 77 with 64 pages open


def test_a_process_gets_no_more_than_it_may_ask_for() -> None:
    program = (
        "from controller.memory_bound import limited_data, MOST_DATA_MB, MEGABYTE\n"
        "with limited_data():\n"
        "    held = bytes((MOST_DATA_MB - 400) * MEGABYTE)\n"
        "    try: bytes(400 * MEGABYTE)\n"
        "    except MemoryError: print('refused')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE_S)
    assert (done.stdout, done.stderr) == ("refused\n", "")


def test_a_process_that_ran_a_service_has_afterwards_what_it_had_before() -> None:
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with limited_data():
        assert resource.getrlimit(resource.RLIMIT_DATA) == (MOST_DATA_MB << 20, before[1])
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


@pytest.mark.slow
@pytest.mark.parametrize("module", ["controller.notices.push", "controller.panel.import_worker"])
def test_what_the_service_starts_has_a_bound_of_its_own(module: str) -> None:
    program = (
        f"import resource, runpy, sys\n"
        f"sys.argv = ['', '{{}}', 'import']\n"
        f"try: runpy.run_module('{module}', run_name='__main__')\n"
        f"except BaseException: pass\n"
        f"print(resource.getrlimit(resource.RLIMIT_AS)[0], file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=PATIENCE_S)  # fmt: skip
    assert done.stderr.split()[-1:] == [str(Limits().megabytes << 20)], done.stderr


# ---- the program itself ---------------------------------------------------------------------------------------

GROWING = """
import os, sys
from dataclasses import replace
from controller.app.cli import cli
from controller.rules.registry import all_games

held = []
sound = all_games()["circle"].start

def growing(options, seed):
    if "HAS_GROWN" not in os.environ:
        os.environ["HAS_GROWN"] = "1"  # what it becomes anew does not grow
        held.append(b"x" * (300 << 20))
    return sound(options, seed)

def huge(options, seed):
    return bytes(3 << 30)

all_games()["circle"] = replace(all_games()["circle"], start=growing)
all_games()["beacons"] = replace(all_games()["beacons"], start=huge)
cli(sys.argv[1:])
"""


class Program:
    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        given = ["play", "--port", str(self.port), "--journal", str(folder / "games.sqlite3")]
        self.said = folder / "said"
        with self.said.open("wb") as said:
            self.process = subprocess.Popen([sys.executable, "-c", GROWING, *given], stdout=said, stderr=said)

    def asked(self, path: str, order: Any = None) -> Any:
        return answered(self.port, path, order)

    def until(self, found: Callable[[], Any]) -> Any:
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            assert self.process.poll() is None, self.said.read_text()
            if answer := found():
                return answer
        raise AssertionError(self.said.read_text())

    def plies(self, game_id: int) -> list[str]:
        return [ply["text"] for ply in self.asked(f"/api/history/{game_id}")["plies"]]


@pytest.mark.realtime
@pytest.mark.slow
def test_a_service_that_has_grown_starts_anew_in_order_and_goes_on(tmp_path: Path) -> None:
    program = Program(tmp_path)
    try:
        program.until(lambda: program.asked("/api/games"))
        assert program.asked("/api/order", {"do": "new_game", "game": "tides-of-war"}) == {}
        program.until(lambda: program.asked("/api/order", {"do": "ply", "text": "c3-c4"}) == {})  # once it is set up
        refused = program.asked("/api/order", {"do": "new_game", "game": "beacons"})  # 3 GB in one line
        assert "MemoryError" in refused["error"]
        assert program.asked("/api/order", {"do": "new_game", "game": "circle"}) == {}
        program.until(lambda: "MB of memory: starting again" in program.said.read_text())
        program.until(lambda: program.asked("/api/games"))
        assert program.plies(1) == ["c3-c4"]
        assert program.asked("/api/history/2")["game"] == "circle"
        assert program.asked("/api/order", {"do": "new_game", "game": "tides-of-war"}) == {}
        program.until(lambda: program.asked("/api/order", {"do": "ply", "text": "c3-c4"}) == {})
        program.process.send_signal(signal.SIGTERM)
        assert program.process.wait(PATIENCE_S) == 0
    finally:
        program.process.kill()
        program.process.wait()
    assert program.said.read_text().count("starting again") == 1
