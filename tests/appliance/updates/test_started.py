"""The helper as systemd starts it: on what it runs, what it asks of systemd, how long it stays; and its first root."""

from __future__ import annotations

import itertools
import shutil
import socket
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from controller.appliance.updates import __main__ as started
from controller.appliance.updates import installed_root
from controller.appliance.updates.__main__ import Systemd, journal_version, kind_of, machine
from controller.appliance.updates.asks import Stand, UpdateAsk
from controller.appliance.updates.building import run
from controller.appliance.updates.trial import ServiceSeen
from controller.journal.database import Journal
from controller.journal.schema import VERSION
from tests.appliance.updates.makers import Makers

# ---- on what it runs


@pytest.mark.parametrize(
    ("model", "kind"),
    [
        ("Raspberry Pi 3 Model B Plus Rev 1.3", "pi4"),
        ("Raspberry Pi 4 Model B Rev 1.5", "pi4"),
        ("Raspberry Pi Compute Module 4 Rev 1.0", "pi4"),
        ("Raspberry Pi 5 Model B Rev 1.0", "pi5"),
        ("Raspberry Pi 500 Rev 1.0", "pi5"),
        ("Raspberry Pi Compute Module 5 Rev 1.0", "pi5"),
    ],
)
def test_a_pi_says_of_which_kind_it_is(model: str, kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert kind_of(model) == kind
    monkeypatch.delenv("PI_MODEL", raising=False)
    (tmp_path / "model").write_bytes(f"{model}\0".encode())
    monkeypatch.setattr(started, "MODEL", tmp_path / "model")
    assert machine().kind == kind


def test_what_a_test_says_of_the_pi_counts_before_what_it_says_of_itself(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "model").write_text("Raspberry Pi 4 Model B")
    monkeypatch.setattr(started, "MODEL", tmp_path / "model")
    monkeypatch.setenv("PI_MODEL", "Raspberry Pi 5 Model B")
    assert machine().kind == "pi5"
    monkeypatch.delenv("PI_MODEL")
    monkeypatch.setattr(started, "MODEL", tmp_path / "nowhere")
    assert machine().kind == "pi4"


def test_games_say_of_which_version_they_are(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    assert journal_version(path) == 0
    Journal(path).close()
    assert journal_version(path) == VERSION
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 7")  # of a later program
    assert journal_version(path) == 7
    path.write_bytes(b"no journal at all" * 1000)
    assert journal_version(path) == 0


# ---- what systemd says


SYSTEMCTL = """#!/bin/sh
echo "$*" >>"$0.asked"
[ "$1" = show ] && cat "$0.says"
exit 0
"""


@pytest.fixture
def says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str, int], None]:
    """Return how the service is made to stand: its state, which start of it that is, and how often it ended."""
    program = tmp_path / "systemctl"
    program.write_text(SYSTEMCTL)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")

    def stands(state: str, start: str, ended: int) -> None:
        text = f"ActiveState={state}\nInvocationID={start}\nNRestarts={ended}\n"
        (tmp_path / "systemctl.says").write_text(text)

    return stands


def test_only_what_was_started_anew_is_judged(tmp_path: Path, says: Callable[[str, str, int], None]) -> None:
    systemd = Systemd()
    says("active", "aa", 4)
    systemd.restart()
    assert (tmp_path / "systemctl.asked").read_text().splitlines()[-1] == "restart --no-block beaconboard"
    assert systemd.seen() == ServiceSeen(False, 0)  # that is still the old one
    says("activating", "bb", 0)
    assert systemd.seen() == ServiceSeen(False, 0)
    says("active", "bb", 0)
    assert systemd.seen() == ServiceSeen(True, 0)
    says("activating", "cc", 2)
    assert systemd.seen() == ServiceSeen(False, 2)


def test_a_service_that_was_never_started_is_not_seen(says: Callable[[str, str, int], None]) -> None:
    says("inactive", "", 0)
    assert Systemd().seen() == ServiceSeen(False, 0)


def test_a_systemd_that_hangs_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "systemctl"
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(started, "SYSTEMCTL_S", 0.05)
    assert Systemd().seen() == ServiceSeen(False, 0)


# ---- how long it stays


@pytest.fixture
def called(tmp_path: Path) -> Callable[[], Result]:
    """Return how it is called, on a board without any version."""
    (tmp_path / "opt").mkdir()
    given = ["--home", "opt", "--journal", "lib/games.sqlite3", "--settings", "settings.toml", "--state", "state"]
    paths = [word if word.startswith("--") else str(tmp_path / word) for word in given]
    return lambda: CliRunner().invoke(started.main, paths)


def test_it_ends_once_nobody_has_asked_for_a_minute(
    called: Callable[[], Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks_us, told, asked_at = [0], list[Stand](), (0, 1, 5)
    visits = itertools.count()

    def answer_one(door: object, question: type, answer: Callable[[Any], Stand], wait_s: float) -> bool:
        ticks_us[0] += 20_000_000  # nobody comes for so long, but at some times
        if next(visits) not in asked_at:
            return False
        told.append(answer(UpdateAsk("stand")))
        return True

    monkeypatch.setattr(started, "clock_us", lambda: ticks_us[0])
    monkeypatch.setattr(started, "answer_one", answer_one)
    with socket.socket(socket.AF_UNIX) as door:
        monkeypatch.setattr(started, "passed", lambda: [door])
        result = called()
    assert result.exit_code == 0
    assert [stand.version for stand in told] == ["", ""]
    assert ticks_us[0] == (2 + 3) * 20_000_000  # a minute after the second question; for the third it was too late


def test_it_stays_while_something_is_being_done(
    called: Callable[[], Result], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A trial that a power cut has interrupted is watched to its end."""
    for name in ("1", "2"):
        (tmp_path / "opt" / name).mkdir(parents=True)
        (tmp_path / "opt" / name / "version.json").write_text(f'{{"version":"1.{name}.0","journal":0}}')
    (tmp_path / "opt" / "now").symlink_to(tmp_path / "opt" / "2")
    (tmp_path / "opt" / "trial.json").write_text('{"old": "1", "new": "2", "why": ""}')
    (tmp_path / "state").mkdir()
    waits, ticks_us = list[float](), [0]

    def watches(seconds: float) -> None:
        waits.append(seconds)
        ticks_us[0] += int(seconds * 1_000_000)

    monkeypatch.setattr(time, "sleep", watches)
    monkeypatch.setattr(started, "clock_us", lambda: ticks_us[0])
    monkeypatch.setattr(Systemd, "seen", lambda self: ServiceSeen(True, 0))
    monkeypatch.setattr(started, "answer_one", lambda *_: bool(watches(0.001)))  # nobody comes
    with socket.socket(socket.AF_UNIX) as door:
        monkeypatch.setattr(started, "passed", lambda: [door])
        assert called().exit_code == 0
    assert sum(waits) >= 300
    assert not (tmp_path / "opt" / "trial.json").exists()
    assert (tmp_path / "opt" / "proven").resolve().name == "2"


def test_whoever_starts_it_by_hand_is_told_that_its_socket_is_missing(
    called: Callable[[], Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(started, "passed", list)
    result = called()
    assert result.exit_code == 1
    assert "started by its socket unit, which passes one socket and not 0" in result.output


# ---- commands


def test_a_command_says_what_came_of_it() -> None:
    assert run(["sh", "-c", "echo fine; echo aside >&2"], 10) == (0, "fine\n")
    assert run(["sh", "-c", "echo before; echo wrong >&2; exit 3"], 10) == (3, "wrong\n")
    assert run(["sh", "-c", "echo wrong; exit 3"], 10) == (3, "wrong\n")
    assert run(["pwd"], 10) == (0, "/\n")  # where no sources lie
    status, why = run(["sleep", "60"], 0.05)
    assert status != 0
    assert why == "it takes too long"


# ---- the root that an installation brings


@pytest.fixture
def makers(tmp_path: Path) -> Makers:
    (tmp_path / "makers").mkdir()
    return Makers(tmp_path / "makers")


def test_an_installation_brings_the_root_that_a_board_believes_and_none_that_is_older(
    makers: Makers, tmp_path: Path
) -> None:
    here = tmp_path / "root.json"
    first, second = makers.roots / "1.root.json", makers.root(["root-1", "root-2"], ["release"], ["root-1"])
    assert installed_root.main(str(first), str(here)) == 0
    assert here.read_bytes() == first.read_bytes()
    assert installed_root.main(str(second), str(here)) == 0
    assert here.read_bytes() == second.read_bytes()
    assert installed_root.main(str(first), str(here)) == 0  # from an old checkout
    assert here.read_bytes() == second.read_bytes()
    here.write_text("{")
    assert installed_root.main(str(first), str(here)) == 0
    assert here.read_bytes() == first.read_bytes()


def test_of_two_roots_with_the_same_number_the_one_that_is_there_stays(makers: Makers, tmp_path: Path) -> None:
    here, other = tmp_path / "root.json", tmp_path / "other"
    other.mkdir()
    shutil.copy(Makers(other).roots / "1.root.json", here)
    before = here.read_bytes()
    assert installed_root.main(str(makers.roots / "1.root.json"), str(here)) == 0
    assert here.read_bytes() == before


def test_what_is_no_root_is_told_and_the_board_keeps_its_own(
    makers: Makers, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = tmp_path / "root.json"
    shutil.copy(makers.roots / "1.root.json", here)
    before = here.read_bytes()
    (tmp_path / "given").write_text("{}")
    for given in (tmp_path / "given", tmp_path / "nowhere"):
        assert installed_root.main(str(given), str(here)) == 1
        assert capsys.readouterr().err.startswith(f"{given} cannot be used as the root of updates: ")
    assert here.read_bytes() == before
