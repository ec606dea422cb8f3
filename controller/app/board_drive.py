"""Writes firmware to an RP2040 that nobody can reach: it is asked for its drive, and gets the file as blocks of that.

Nothing is mounted. The chip's boot ROM takes the blocks of a UF2 in any order, wherever on its drive they are written,
and starts the new firmware a second after it has them all. The first block, without which nothing starts, is written
last: with the second one the ROM erases the old one. So a board that was unplugged meanwhile shows its drive by itself.
"""

from __future__ import annotations

import mmap
import os
import time
from collections.abc import Callable
from errno import EACCES
from pathlib import Path

import msgspec
import serial

from controller.sentences import say
from hardware.firmware_images import CannotFlash
from hardware.uf2 import BLOCK_BYTES

ASKS_BAUD = 1200  # a line that is opened so and let go of asks for the drive
WAIT_S = 0.2
PATIENCE = 75  # waits: until the drive is there, and until it is gone again
WHOLE = "usb-RPI_RP2_*"  # the drives of this chip, each whole and with its parts
PART = "-part"


class Bench(msgspec.Struct, frozen=True):
    """How the board is reached; what is written goes straight to it, block by block, past every cache."""

    dev: Path = Path("/dev")
    ask: Callable[[str], None] = lambda port: _ask(port)
    wait: Callable[[], None] = lambda: time.sleep(WAIT_S)

    def drives(self) -> set[Path]:
        """Return the drives that are there."""
        return {each for each in (self.dev / "disk/by-id").glob(WHOLE) if PART not in each.name}


def write(image: Path, port: Callable[[], str], bench: Bench | None = None) -> None:
    """Write ``image`` to the board at ``port``, or to the one that shows its drive already.

    Raises `CannotFlash`, and OSError where no board is plugged in.
    """
    bench = bench or Bench()
    drive = _drive(port, bench)
    try:
        _write_blocks(image.read_bytes(), drive, bench)
    except OSError as error:
        raise CannotFlash(_not_written(error)) from error
    for _ in range(PATIENCE):
        if drive not in bench.drives():
            return
        bench.wait()
    raise CannotFlash(
        say(
            "The sensor board did not take the firmware: unplug it, plug it in again, and write the firmware once more."
        )
    )


def _drive(port: Callable[[], str], bench: Bench) -> Path:
    before = bench.drives()
    try:
        bench.ask(port())
    except OSError:
        if len(before) != 1:
            raise
        return before.pop()
    for _ in range(PATIENCE):
        found = bench.drives() - before
        if len(found) == 1:
            return found.pop()
        bench.wait()
    raise CannotFlash(
        say(
            "The sensor board did not show its drive: hold its button BOOT down while you plug it in, then write the "
            "firmware once more."
        )
    )


def _ask(port: str) -> None:
    line = serial.Serial(port, ASKS_BAUD, exclusive=True)
    try:
        line.dtr = False
        line.close()
    except OSError:
        pass  # it has gone already, to come back as a drive


def _write_blocks(data: bytes, drive: Path, bench: Bench) -> None:
    opened = _opened(drive, bench)
    try:
        with mmap.mmap(-1, BLOCK_BYTES) as block:  # lies as the kernel wants it where there is no cache between
            for at in (*range(BLOCK_BYTES, len(data), BLOCK_BYTES), 0):
                block[:] = data[at : at + BLOCK_BYTES]
                os.pwrite(opened, block, at)
    finally:
        os.close(opened)


def _opened(drive: Path, bench: Bench) -> int:
    """Open the drive, which is root's for a moment after it has come."""
    for _ in range(PATIENCE):
        try:
            return os.open(drive, os.O_WRONLY | os.O_DIRECT)
        except PermissionError:
            bench.wait()
    return os.open(drive, os.O_WRONLY | os.O_DIRECT)


def _not_written(error: OSError) -> str:
    if error.errno == EACCES:
        return say("This user may not write to the sensor board's drive: install Beaconboard on the Pi once more.")
    return say(
        "The firmware could not be written ({why}): plug the sensor board in again and write it once more.",
        why=str(error.strerror),
    )
