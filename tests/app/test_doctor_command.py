"""Which board the doctor is sent to, and where what it learns is written: by settings and what is typed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from controller.app import doctor_command
from controller.devices.sensors.gpio_board import NoGpio
from controller.settings import Settings
from tests.app.commands import refused, run


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """To what the doctor was sent; he finds all well on square144 alone."""
    calls: list[tuple[Any, ...]] = []

    def examined(settings: Settings, faults: tuple[str, ...], copy: Path, *_: object) -> bool:
        calls.append((settings.board, settings.sensors, settings.serial_port, faults, copy))
        return settings.board == "square144"

    monkeypatch.setattr(doctor_command, "run_doctor", examined)
    return calls


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    file = tmp_path / "settings.toml"
    file.write_text('board = "square144"\nsensors = "gpio"\nserial_port = "/dev/ttyUSB7"\n')
    return file


def test_he_examines_what_the_settings_name_and_the_status_says_whether_all_is_well(
    settings: Path, sent: list[tuple[Any, ...]], tmp_path: Path
) -> None:
    assert run("doctor", "--settings", settings).exit_code == 0
    assert run("doctor", "--settings", settings, "--board", "hex91", "--copy", tmp_path / "mine.toml").exit_code == 1
    assert sent == [
        ("square144", "gpio", "/dev/ttyUSB7", (), Path("learned/square144.toml")),
        ("hex91", "gpio", "/dev/ttyUSB7", (), tmp_path / "mine.toml"),
    ]


def test_a_port_or_the_emulated_board_is_meant_where_it_is_typed(settings: Path, sent: list[tuple[Any, ...]]) -> None:
    assert run("doctor", "--settings", settings, "--port", "/dev/ttyACM0").exit_code == 0
    assert run("doctor", "--settings", settings, "--emulated", "--plant", "dead:a1").exit_code == 0
    (_, sensors, port, faults, _), (_, emulated, _, planted, _) = sent
    assert (sensors, port, faults) == ("serial", "/dev/ttyACM0", ())
    assert (emulated, planted) == ("emulated", ("dead:a1",))


def test_what_he_cannot_be_sent_to_is_refused_before_anything_is_touched(
    settings: Path, sent: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert refused("doctor", "--settings", settings, "--plant", "dead:a1") == (
        "--plant is for the emulated board: add --emulated"
    )
    assert "there is no board 'round7'" in refused("doctor", "--settings", settings, "--board", "round7")
    settings.write_text('sensors = "simulated"')
    assert refused("doctor", "--settings", settings).startswith("say which board: --port /dev/ttyUSB0")
    settings.write_text("prot = 1")
    assert "unknown setting 'prot'" in refused("doctor", "--settings", settings)
    assert sent == []

    def missing(*_: object) -> bool:
        raise NoGpio("no pins here")

    monkeypatch.setattr(doctor_command, "run_doctor", missing)
    settings.write_text('sensors = "gpio"')
    assert refused("doctor", "--settings", settings) == "no pins here"
