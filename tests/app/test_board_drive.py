"""Firmware goes onto the drive of an RP2040 block by block, and what may go wrong with it is told.

The board is a file here, which comes and goes as the drive does; `tests/firmware/test_board_drive.py` has the chip.
"""

from __future__ import annotations

import errno
import mmap
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import serial

from controller.app import board_drive
from controller.app.board_drive import Bench, write
from hardware.firmware_images import CannotFlash

BLOCK = 512
PATIENCE = 75


class DriveThatIsAFile:
    """A computer with a board: its drive is there after so many waits, and gone so many after it was written."""

    def __init__(self, folder: Path, comes_after: int = 2, goes_after: int = 3) -> None:
        self.image, self.drive = folder / "firmware.uf2", folder / "dev/disk/by-id/usb-RPI_RP2_E0C9125B0D9B-0:0"
        self.drive.parent.mkdir(parents=True)
        self.image.write_bytes(os.urandom(7 * BLOCK))
        self.asked: list[str] = []
        self.waits, self._comes_after, self._goes_after = 0, comes_after, goes_after
        self.bench = Bench(folder / "dev", self.asked.append, self._wait)

    def write(self, port: Callable[[], str] = lambda: "/dev/ttyACM0") -> None:
        write(self.image, port, self.bench)

    @property
    def is_written(self) -> bool:
        return self.drive.exists() and self.drive.read_bytes() == self.image.read_bytes()

    def _wait(self) -> None:
        self.waits += 1
        if self.is_written:
            self._goes_after -= 1
            if self._goes_after == 0:
                self.drive.rename(self.drive.parents[2] / "taken")
        elif self.waits == self._comes_after:
            self.drive.touch()
            self.drive.with_name(f"{self.drive.name}-part1").touch()


def nowhere() -> str:
    raise FileNotFoundError(errno.ENOENT, "no sensor board is plugged in")


def test_the_board_is_asked_for_its_drive_and_the_first_block_comes_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pi, real, written = DriveThatIsAFile(tmp_path), os.pwrite, list[tuple[int, int]]()

    def noted(opened: int, data: mmap.mmap, at: int) -> int:
        written.append((at, len(data)))
        return real(opened, data, at)

    monkeypatch.setattr(os, "pwrite", noted)
    pi.write()
    assert pi.asked == ["/dev/ttyACM0"]
    assert written == [(at * BLOCK, BLOCK) for at in (1, 2, 3, 4, 5, 6, 0)]
    assert (tmp_path / "dev/taken").read_bytes() == pi.image.read_bytes()


def test_a_board_that_shows_its_drive_already_needs_no_port_and_of_two_none_is_meant(tmp_path: Path) -> None:
    pi = DriveThatIsAFile(tmp_path)
    with pytest.raises(FileNotFoundError):
        pi.write(nowhere)
    pi.drive.touch()
    pi.write(nowhere)
    assert (pi.asked, (tmp_path / "dev/taken").exists()) == ([], True)
    for name in (pi.drive, pi.drive.with_name("usb-RPI_RP2_AAAA-0:0")):
        name.touch()
    with pytest.raises(FileNotFoundError):
        pi.write(nowhere)


def test_of_two_boards_the_one_that_comes_when_it_is_asked_is_written(tmp_path: Path) -> None:
    pi = DriveThatIsAFile(tmp_path)
    other = pi.drive.with_name("usb-RPI_RP2_AAAA-0:0")
    other.touch()
    pi.write()
    assert other.read_bytes() == b""


def test_it_is_waited_a_quarter_of_a_minute_for_a_drive_and_as_long_until_it_is_taken(tmp_path: Path) -> None:
    DriveThatIsAFile(tmp_path / "in time", PATIENCE - 1, PATIENCE - 1).write()
    for name, comes, goes, told in (
        ("too late", PATIENCE, 1, "did not show its drive: hold its button BOOT down while"),
        ("never gone", 1, PATIENCE, "did not take the firmware: unplug it, plug it in again"),
    ):
        pi = DriveThatIsAFile(tmp_path / name, comes, goes)
        with pytest.raises(CannotFlash, match=told):
            pi.write()
        assert pi.waits - (name == "never gone") == PATIENCE
    assert board_drive.WAIT_S * PATIENCE == 15


@pytest.mark.parametrize("times", [3, PATIENCE, PATIENCE + 1])
def test_a_drive_is_roots_for_a_moment_after_it_has_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    pi, real, denied = DriveThatIsAFile(tmp_path), os.open, [PermissionError(errno.EACCES, "no")] * times

    def opened(path: Any, flags: int, *more: int) -> int:
        if path == pi.drive and flags & os.O_DIRECT and denied:
            raise denied.pop()
        return real(path, flags, *more)

    monkeypatch.setattr(os, "open", opened)
    if times > PATIENCE:
        with pytest.raises(CannotFlash, match="This user may not write to the sensor board's drive: install"):
            pi.write()
    else:
        pi.write()
        assert (tmp_path / "dev/taken").read_bytes() == pi.image.read_bytes()


def test_a_board_that_is_unplugged_meanwhile_is_told_and_its_drive_let_go_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pi = DriveThatIsAFile(tmp_path)

    def cut(*_: object) -> int:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "pwrite", cut)
    with pytest.raises(CannotFlash, match=r"could not be written \(Input/output error\): plug the sensor board in"):
        pi.write()
    assert os.fspath(pi.drive) not in {os.path.realpath(each) for each in Path("/proc/self/fd").iterdir()}


@pytest.mark.parametrize("gone", [False, True])
def test_a_line_that_is_let_go_of_at_1200_asks_for_the_drive_also_where_the_board_is_gone_by_then(
    monkeypatch: pytest.MonkeyPatch, gone: bool
) -> None:
    did: list[object] = []

    class Line:
        def __init__(self, *how: object, **more: object) -> None:
            did.append((*how, more))

        def __setattr__(self, name: str, value: object) -> None:
            did.append((name, value))

        def close(self) -> None:
            did.append("closed")
            if gone:
                raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(serial, "Serial", Line)
    Bench().ask("/dev/ttyACM0")
    assert did == [("/dev/ttyACM0", 1200, {"exclusive": True}), ("dtr", False), "closed"]
