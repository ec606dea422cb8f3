"""Flashing: writes a firmware image to a sensor board, with avrdude or onto the drive that an RP2040 shows."""

from __future__ import annotations

import logging
import shlex
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from glob import glob
from pathlib import Path

from controller.app import board_drive
from controller.sentences import say
from hardware.firmware_images import CannotFlash, image_for
from hardware.profile import Profile

log = logging.getLogger(__name__)

BAUD = 115_200  # of optiboot, which a Nano should have
OLD_BAUD = 57_600  # of the bootloader that Nanos had before
WRITES_S = 120  # avrdude gives up by itself long before, unless the port hangs
CHIP, BOOTLOADER = "atmega328p", "arduino"
Port = Callable[[], str]  # finds the port; raises OSError where there is none
DRIVES = ("/media/*/RPI-RP2", "/run/media/*/RPI-RP2", "/Volumes/RPI-RP2")  # where a computer shows an RP2040


def by_drive(image: Path) -> bool:
    """Return whether ``image`` is for a chip that takes it as a drive."""
    return image.suffix == ".uf2"


def to_drive(image: Path, drive: Path | None = None) -> Path:
    """Copy ``image`` onto a chip's ``drive``, None: the one that is found; return the drive. Raises `CannotFlash`."""
    found = [drive] if drive else [Path(each) for pattern in DRIVES for each in sorted(glob(pattern))]
    if not found:
        raise CannotFlash(
            "the board shows no drive: hold its button BOOT down while you plug it in, wait for the drive RPI-RP2, "
            "or name its folder with --drive"
        )
    try:
        shutil.copyfile(image, found[0] / image.name)
    except OSError as error:
        raise CannotFlash(f"{image.name} could not be copied to {found[0]}: {error.strerror}") from error
    return found[0]


def command(image: Path, port: str, baud: int = BAUD) -> list[str]:
    """Return the command that writes ``image`` and reads it back. -D leaves the bootloader its flash."""
    return ["avrdude", "-p", CHIP, "-c", BOOTLOADER, "-P", port, "-b", str(baud), "-D", "-U", f"flash:w:{image}:i"]


def installed() -> bool:
    """Return whether avrdude can be run."""
    return shutil.which("avrdude") is not None


def flash(image: Path, port: str, baud: int = BAUD) -> None:
    """Write ``image`` to the board at ``port``; avrdude shows how far it is. Raises `CannotFlash`."""
    run = command(image, port, baud)
    if not installed():
        raise CannotFlash(f"avrdude is missing: apt install avrdude. It will be run so: {shlex.join(run)}")
    status = subprocess.run(run, check=False).returncode
    if status:
        raise CannotFlash(
            f"avrdude ended with status {status}: is the sensor board at {port}, and nothing else using it? "
            f"Nanos with the old bootloader want --baud 57600"
        )


def writer(profile: Profile) -> Callable[[Port], None]:
    """Return what writes the firmware of ``profile`` to the board at a port; it raises `CannotFlash`, as does this,
    and OSError where no board is plugged in.

    The sentences are for the panel: nobody sees what avrdude says.
    """
    try:
        image = image_for(profile)
    except CannotFlash as wrong:
        raise CannotFlash(say("This version of Beaconboard has no firmware for this sensor board.")) from wrong
    if by_drive(image):
        return partial(board_drive.write, image)
    if not installed():
        raise CannotFlash(say("The program avrdude, which writes firmware, is missing: install it on the Pi."))
    return partial(_written, image)


def _written(image: Path, port: Port) -> None:
    path = port()
    for baud in (BAUD, OLD_BAUD):
        try:
            done = subprocess.run(
                command(image, path, baud), capture_output=True, text=True, check=False, timeout=WRITES_S
            )
        except subprocess.TimeoutExpired:
            continue
        if not done.returncode:
            return
        log.warning("avrdude, at %d baud: %s", baud, done.stderr.strip()[-300:])
    raise CannotFlash(
        say("The firmware could not be written. See that the sensor board is plugged in, and write it once more.")
    )
