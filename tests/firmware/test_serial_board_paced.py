"""The whole way in real time: emulated firmware, pseudo-terminal, pyserial, thread. That it lives, not how fast."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.devices.link.conversation import Debounce
from controller.devices.sensors.emulated_board import Emulator, EmulatorFault, EmulatorFiles, built
from controller.devices.sensors.serial_board import SerialBoard, ports
from controller.events import Link, Touch
from hardware.profile import load
from tests.devices.listener import BoardListener
from tests.firmware.firmware_rig import wiring_of
from tests.waiting import PATIENCE_S


def clock() -> int:
    return time.monotonic_ns() // 1000


@pytest.fixture
def emulator(square: EmulatorFiles, tmp_path: Path) -> Iterator[Emulator]:
    with Emulator(square, tmp_path / "line") as emulator:
        yield emulator


@pytest.fixture
def board(emulator: Emulator) -> Iterator[SerialBoard]:
    board = SerialBoard(str(emulator.line), wiring_of(load("square144")), clock)
    yield board
    board.stop()


def test_an_evening_with_a_loose_cable(emulator: Emulator, board: SerialBoard) -> None:
    heard = BoardListener()
    board.start(heard)
    heard.until_link(up=True)
    assert heard.until_snapshot() == frozenset()
    emulator.set_sensor("a1", True)
    heard.until_touch("a1", True)
    emulator.bounce("b2", True, 4, 300)
    heard.until_touch("b2", True)
    board.set_debounce(Debounce(6, 7))
    emulator.unplug()
    assert "plug it in" in heard.until_link(up=False)
    emulator.set_sensor("a1", False)
    emulator.plug()
    heard.until_link(up=True)
    assert heard.until_snapshot() == {"b2"}
    emulator.restart()
    assert "restarted by its reset pin" in heard.until_link(up=False)
    heard.until_link(up=True)
    assert heard.until_snapshot() == {"b2"}
    emulator.set_sensor("b2", False)
    heard.until_touch("b2", False)
    assert board.counts().restarts == 1
    times = [event.t_us for event in heard.events]
    assert times == sorted(times)
    board.stop()
    board.stop()


def test_a_board_that_is_set_up_in_one_go_is_no_torn_chain(emulator: Emulator, board: SerialBoard) -> None:
    """The last two rows at once, as a hand on the screen sets them: each magnet still takes its time."""
    heard = BoardListener()
    board.start(heard)
    heard.until_link(up=True)
    last = [site.name for site in load("square144").sites if site.bit >= 120]
    for site in last:
        emulator.set_sensor(site, True)
    heard.until_touch(last[-1], True)
    emulator.set_sensor("a1", True)
    heard.until_touch("a1", True)
    assert {event.site for event in heard.events if isinstance(event, Touch)} == {*last, "a1"}
    assert [event.up for event in heard.events if isinstance(event, Link)] == [True]


def test_a_port_that_is_not_there_is_told_once_and_tried_again(square: EmulatorFiles, tmp_path: Path) -> None:
    line = tmp_path / "line"
    board = SerialBoard(str(line), wiring_of(load("square144")), clock)
    heard = BoardListener()
    board.start(heard)
    assert str(line) in heard.until_link(up=False)
    with Emulator(square, line):
        heard.until_link(up=True)
        board.stop()
    assert [event.up for event in heard.events if isinstance(event, Link)] == [False, True]


def test_ports_are_named_by_what_does_not_change_when_another_is_plugged_in(tmp_path: Path) -> None:
    for name in ("ttyUSB0", "ttyUSB1", "ttyACM0", "ttyS0"):
        (tmp_path / name).touch()
    by_id = tmp_path / "serial" / "by-id"
    by_id.mkdir(parents=True)
    nano = by_id / "usb-1a86_USB_Serial-if00-port0"
    nano.symlink_to("../../ttyUSB1")
    assert ports(tmp_path) == [str(nano), str(tmp_path / "ttyUSB0"), str(tmp_path / "ttyACM0")]
    assert ports(tmp_path / "serial") == []


def test_a_missing_port_is_told_with_those_that_are_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for there, said in (([], "no serial port at all"), (["/dev/serial/by-id/nano"], "one of /dev/serial/by-id/nano")):
        monkeypatch.setattr("controller.devices.sensors.serial_board.ports", lambda there=there: there)
        board, heard = SerialBoard(str(tmp_path / "gone"), wiring_of(load("square144")), clock), BoardListener()
        board.start(heard)
        assert said in heard.until_link(up=False)
        board.stop()


def test_an_emulator_dies_with_its_client(square: EmulatorFiles, tmp_path: Path) -> None:
    emulator = Emulator(square, tmp_path / "line")
    number = emulator._process.pid
    emulator.close()
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)
    assert not (tmp_path / "line").is_symlink()
    with pytest.raises(EmulatorFault):
        emulator.set_sensor("a1", True)


def test_an_emulator_does_not_outlive_a_client_that_is_killed(square: EmulatorFiles, tmp_path: Path) -> None:
    paths = [str(square.program), str(square.firmware), str(square.sites)]
    program = f"""
import sys
from pathlib import Path
from controller.devices.sensors.emulated_board import Emulator, EmulatorFiles
emulator = Emulator(EmulatorFiles(*map(Path, {paths})), Path({str(tmp_path / "line")!r}))
print(emulator._process.pid, flush=True)
sys.stdin.read()
"""
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as client:
        assert client.stdout is not None
        emulator = os.pidfd_open(int(client.stdout.readline()))
        client.kill()
    ended = select.poll()
    ended.register(emulator, select.POLLIN)
    assert ended.poll(PATIENCE_S * 1000)
    os.close(emulator)


def test_a_port_in_use_is_told_as_such(emulator: Emulator, board: SerialBoard) -> None:
    heard = BoardListener()
    board.start(heard)
    heard.until_link(up=True)
    second, told = SerialBoard(str(emulator.line), wiring_of(load("square144")), clock), BoardListener()
    second.start(told)
    assert "in use by another program" in told.until_link(up=False)
    second.stop()


def test_an_emulator_refuses_what_it_does_not_know(emulator: Emulator) -> None:
    with pytest.raises(KeyError, match="z99"):
        emulator.set_sensor("z99", True)
    with pytest.raises(EmulatorFault, match="real time passes"):
        emulator.run(1000)
    with pytest.raises(EmulatorFault, match="no such register"):
        emulator.cut(19)
    with pytest.raises(EmulatorFault, match="no such command"):
        emulator.ask("dance")


def test_what_is_not_built_is_named_with_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(EmulatorFault, match=r"apt install gcc-avr .* make -C firmware emulator firmware BOARD=hex91"):
        built(tmp_path, "hex91")
