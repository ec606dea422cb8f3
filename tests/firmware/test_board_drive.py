"""An RP2040 gets its firmware from the service: the emulated chip is asked for its drive, and takes what lands on that.

The chip, its firmware and its USB are the emulator's. The drive is a stand-in: a file under a ``/dev`` of the test,
there while the emulated chip shows its drive. The emulated boot ROM takes its bytes once they are all written.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.app import board_drive, flashing
from controller.app.board_drive import Bench, write
from controller.devices.link.greeting import Fit, fit
from controller.devices.sensors.emulated_board import Emulator, EmulatorFiles
from controller.events import Snapshot
from hardware.firmware_images import CannotFlash
from hardware.profile import load
from tests.firmware.firmware_rig import Rig, wiring_of

CELL36 = load("cell36")
WAIT_US = 200_000
DRIVE = "disk/by-id/usb-RPI_RP2_E0C9125B0D9B-0:0"


class EmulatedPi:
    """A computer with the emulated board at its USB. Its time is the board's; ``drive`` is the stand-in."""

    def __init__(self, emulator: Emulator, image: Path, folder: Path) -> None:
        self.rig = Rig(emulator, wiring_of(CELL36))
        self.emulator, self.image, self.folder = emulator, image, folder
        self.drive = folder / "dev" / DRIVE
        self.drive.parent.mkdir(parents=True)
        self.takes = True  # what is written to the drive
        self.bench = Bench(folder / "dev", self.ask, self.wait)

    def ask(self, port: str) -> None:
        assert port == "/dev/ttyACM0"
        self.emulator.ask("touch")

    def wait(self) -> None:
        if self.takes and self.drive.exists() and self.drive.read_bytes() == self.image.read_bytes():
            self.emulator.ask(f"drag {self.drive}")
            self.takes = False
        self.emulator.run(WAIT_US)
        if self.emulator.ask("drive") == "on":
            self.drive.touch()
        else:
            self.drive.unlink(missing_ok=True)


@pytest.fixture
def pi(fields: EmulatorFiles, tmp_path: Path) -> Iterator[EmulatedPi]:
    with Emulator(fields) as emulator:
        pi = EmulatedPi(emulator, fields.firmware.with_suffix(".uf2"), tmp_path)
        pi.rig.until(Snapshot)
        yield pi


def at(port: str) -> Callable[[], str]:
    return lambda: port


def nowhere() -> str:
    raise FileNotFoundError("no sensor board is plugged in")


def test_the_board_is_written_and_back_within_seconds_and_nobody_touched_it(pi: EmulatedPi) -> None:
    begun_us = pi.emulator.now_us
    write(pi.image, at("/dev/ttyACM0"), pi.bench)
    pi.rig = Rig(pi.emulator, wiring_of(CELL36))
    pi.rig.until(Snapshot)
    assert fit(pi.rig.talk.hello, wiring_of(CELL36)) is Fit.FITS
    assert pi.emulator.now_us - begun_us < 4_000_000  # without what a real flash takes to be erased


def test_its_pixels_are_dark_before_it_becomes_a_drive(pi: EmulatedPi) -> None:
    pi.rig.talk.shine(bytes([200]) * 3 * CELL36.light_count)
    pi.rig.run(1200)
    assert int(pi.emulator.ask("pixels").split()[1], 16) > 0
    pi.ask("/dev/ttyACM0")
    pi.wait()
    assert pi.emulator.ask("drive") == "on"
    assert int(pi.emulator.ask("pixels").split()[1], 16) == 0


def test_a_program_that_lets_go_of_the_line_at_another_speed_leaves_it_a_board(pi: EmulatedPi) -> None:
    pi.emulator.ask("line off")
    pi.wait()
    pi.emulator.ask("line on")
    pi.rig.run(1200)
    assert pi.emulator.ask("drive") == "off"


def test_firmware_from_before_knows_no_such_request_and_the_sentence_says_what_to_do(pi: EmulatedPi) -> None:
    deaf = Bench(pi.bench.dev, lambda port: None, pi.wait)
    with pytest.raises(CannotFlash, match=r"did not show its drive: hold its button BOOT down while you plug it in"):
        write(pi.image, at("/dev/ttyACM0"), deaf)


def test_a_board_that_shows_its_drive_already_is_written_without_a_port(pi: EmulatedPi) -> None:
    pi.ask("/dev/ttyACM0")
    pi.wait()
    write(pi.image, nowhere, pi.bench)
    pi.rig.until(Snapshot)


def test_where_two_show_a_drive_none_is_written(pi: EmulatedPi) -> None:
    pi.drive.touch()
    pi.drive.with_name("usb-RPI_RP2_E0C9125B0D9B-0:1").touch()
    with pytest.raises(FileNotFoundError):
        write(pi.image, nowhere, pi.bench)


def test_a_board_that_was_unplugged_meanwhile_has_no_first_block_and_so_shows_its_drive_again(
    pi: EmulatedPi, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The chip's boot ROM starts nothing whose first 256 bytes are not whole (RP2040 data sheet, 2.8.1.3.1)."""
    pwrite, written = os.pwrite, []

    def cut(opened: int, data: mmap.mmap, at: int) -> int:
        written.append(at)
        if len(written) == 12:
            raise OSError(5, "Input/output error")
        return pwrite(opened, data, at)

    monkeypatch.setattr(os, "pwrite", cut)
    with pytest.raises(
        CannotFlash, match=r"could not be written \(Input/output error\): plug the sensor board in again"
    ):
        write(pi.image, at("/dev/ttyACM0"), pi.bench)
    assert written[0] == 512  # its sector is erased with it, and the old first block
    assert 0 not in written
    monkeypatch.undo()
    write(pi.image, nowhere, pi.bench)
    pi.rig.until(Snapshot)


def test_a_drive_that_stays_is_told(pi: EmulatedPi) -> None:
    pi.takes = False
    with pytest.raises(CannotFlash, match=r"did not take the firmware: unplug it, plug it in again, and write"):
        write(pi.image, at("/dev/ttyACM0"), pi.bench)


def test_a_drive_that_only_root_may_write_to_is_told(pi: EmulatedPi, monkeypatch: pytest.MonkeyPatch) -> None:
    opens = os.open

    def denied(path: Path, flags: int, mode: int = 0o777) -> int:
        if path == pi.drive and flags & os.O_DIRECT:
            raise PermissionError(13, "Permission denied")
        return opens(path, flags, mode)

    monkeypatch.setattr(os, "open", denied)
    with pytest.raises(CannotFlash, match=r"may not write to the sensor board's drive: install Beaconboard on the Pi"):
        write(pi.image, at("/dev/ttyACM0"), pi.bench)


def test_the_panel_writes_it_so(pi: EmulatedPi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flashing, "image_for", lambda profile: pi.image)
    monkeypatch.setattr(board_drive, "Bench", lambda: pi.bench)
    flashing.writer(CELL36)(at("/dev/ttyACM0"))
    pi.rig.until(Snapshot)
