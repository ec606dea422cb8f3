"""The table goes before all other programs where the unit says so, and nothing that it starts does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from controller import first_in_line
from controller.first_in_line import go_first
from tests.service.evenings import Evening

ROOT = Path(__file__).parents[1]
FIRST = os.SCHED_RR | os.SCHED_RESET_ON_FORK
ASKED = "import os; print(os.sched_getscheduler(0))"


def in_a_thread(do: Callable[[], None]) -> None:
    thread = threading.Thread(target=do)
    thread.start()
    thread.join()


@pytest.fixture
def granted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let it be as in the unit; skipped where this system keeps real time to itself."""
    monkeypatch.setattr(first_in_line, "allowed", lambda: True)
    went: list[bool] = []
    in_a_thread(lambda: went.append(go_first()))
    if not went[0]:
        pytest.skip("this system gives no real time")


def test_whoever_was_not_told_to_stays_where_it_is() -> None:
    """Not root either, as which a developer or a test may run."""
    went: list[bool | int] = []
    in_a_thread(lambda: went.extend((go_first(), os.sched_getscheduler(0))))
    assert went == [False, os.SCHED_OTHER]


@pytest.mark.usefixtures("granted")
def test_what_a_thread_starts_does_not_go_first() -> None:
    said: list[int] = []

    def work() -> None:
        go_first()
        said.append(os.sched_getscheduler(0))
        in_a_thread(lambda: said.append(os.sched_getscheduler(0)))
        said.append(int(subprocess.run([sys.executable, "-c", ASKED], capture_output=True, check=True).stdout))

    in_a_thread(work)
    assert said == [FIRST, os.SCHED_OTHER, os.SCHED_OTHER]


@pytest.mark.usefixtures("granted")
def test_the_table_goes_first_and_the_rest_of_the_program_does_not(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "games.sqlite3").start()
    policies = {
        thread.name: os.sched_getscheduler(thread.native_id) for thread in threading.enumerate() if thread.native_id
    }
    evening.stop()
    assert policies["table"] == FIRST
    assert policies["MainThread"] == os.SCHED_OTHER


def test_the_unit_says_so() -> None:
    unit = (ROOT / "raspberry/beaconboard.service").read_text(encoding="utf-8")
    assert re.search(rf"^LimitRTPRIO={first_in_line.PRIORITY}$", unit, re.MULTILINE)
    assert "RestrictRealtime=yes" not in unit
