"""The emulated RP2040 led by the clock: a terminal that is opened and left, magnets with poles, a computer too slow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.clock import clock_us
from controller.devices.sensors import paced_emulator
from controller.devices.sensors.emulated_board import Emulator, EmulatorFiles
from controller.devices.sensors.paced_emulator import on_line
from controller.devices.sensors.serial_board import SerialBoard
from controller.events import Touch
from controller.from_profile import wiring
from hardware.profile import load
from tests.devices.listener import BoardListener
from tests.waiting import until


@pytest.fixture
def line(tmp_path: Path) -> Path:
    return tmp_path / "line"


@pytest.fixture
def slow() -> list[int]:
    """How many microseconds the computer has slept for."""
    return [0]


@pytest.fixture
def emulator(fields: EmulatorFiles, line: Path, slow: list[int]) -> Iterator[Emulator]:
    with on_line(fields, line, lambda: clock_us() + slow[0]) as emulator:
        yield emulator


@pytest.fixture
def heard() -> BoardListener:
    return BoardListener()


@pytest.fixture
def board(emulator: Emulator, line: Path, heard: BoardListener) -> Iterator[SerialBoard]:
    board = SerialBoard(str(line), wiring(load("cell36")), clock_us)
    board.start(heard)
    until(lambda: heard.up)
    yield board
    board.stop()


def test_a_magnet_is_told_with_the_pole_that_was_put_down(
    emulator: Emulator, board: SerialBoard, heard: BoardListener
) -> None:
    for site, pole, told in (("a1", 1, 1), ("b1", -1, -1), ("c1", 0, -1)):
        emulator.set_sensor(site, True, pole)
        until(lambda site=site, told=told: poles(heard).get(site) == told)  # type: ignore[misc]
    emulator.set_sensor("a1", False)
    until(lambda: poles(heard)["a1"] == 0)


def poles(heard: BoardListener) -> dict[str, int]:
    return {event.site: event.pole for event in heard.events if isinstance(event, Touch)}


def test_who_comes_back_to_the_line_is_greeted_anew(
    emulator: Emulator, board: SerialBoard, heard: BoardListener
) -> None:
    board.stop()
    emulator.set_sensor("f6", True, 1)
    heard.events.clear()
    board.start(heard)
    until(lambda: heard.up and heard.believed == {"f6"})


def test_what_a_slow_computer_owes_is_forgiven_so_that_the_board_is_never_long_behind(
    emulator: Emulator, board: SerialBoard, slow: list[int]
) -> None:
    before_us = emulator.stats()["now_us"]
    slow[0] = 60_000_000
    until(lambda: emulator.stats()["now_us"] > before_us + paced_emulator.LATE_MOST_US)
    assert emulator.stats()["now_us"] < before_us + slow[0] / 2


def test_the_line_goes_with_the_emulator(fields: EmulatorFiles, line: Path) -> None:
    emulator = on_line(fields, line, clock_us)
    assert line.is_symlink()
    emulator.close()
    emulator.close()
    assert not line.is_symlink()
