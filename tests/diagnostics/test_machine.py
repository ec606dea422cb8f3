"""What a machine says of itself, from the files that a Pi has, and from those of a machine that says little."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from controller.diagnostics import machine
from controller.diagnostics.machine import Machine, boot_id, look, model, undervolted


def has(root: Path, path: str, text: str = "") -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


@pytest.fixture
def pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files of a Pi 4 with a network, and 3 GB of room."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=3_000_000_000))
    has(tmp_path, "sys/class/thermal/thermal_zone0/temp", "48312\n")
    has(tmp_path, "sys/class/hwmon/hwmon0/name", "cpu_thermal\n")
    has(tmp_path, "sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    has(tmp_path, "sys/class/hwmon/hwmon1/in0_lcrit_alarm", "0\n")
    has(tmp_path, "proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
    has(tmp_path, "proc/sys/kernel/random/boot_id", "5f2c\n")
    (tmp_path / "sys/class/rtc").mkdir()
    has(tmp_path, "run/systemd/timesync/synchronized")
    return tmp_path


def test_a_pi_says_how_it_does(pi: Path) -> None:
    well = Machine(free_bytes=3_000_000_000, celsius=48, undervolted=False, clock_kept=False, clock_set=True)
    assert look(pi, pi) == well
    assert (model(pi), boot_id(pi)) == ("Raspberry Pi 4 Model B Rev 1.4", "5f2c")


def test_a_supply_that_dipped_a_battery_and_a_time_that_nobody_has_set(pi: Path) -> None:
    has(pi, "sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n")
    (pi / "run/systemd/timesync/synchronized").unlink()
    assert undervolted(pi)
    assert not look(pi, pi).clock_set
    has(pi, "sys/class/rtc/rtc0/name", "ds3231")
    assert look(pi, pi).clock_kept


def test_a_machine_that_says_nothing_is_left_in_peace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_free", lambda _: None)
    assert look(tmp_path, tmp_path) == Machine()
    assert (model(tmp_path), boot_id(tmp_path)) == ("", "")
    has(tmp_path, "sys/class/thermal/thermal_zone0/temp", "warm\n")
    assert look(tmp_path, tmp_path).celsius is None


def test_room_is_that_where_games_will_be_kept_also_before_there_are_any(tmp_path: Path) -> None:
    assert look(tmp_path / "not" / "yet", tmp_path).free_bytes is not None
