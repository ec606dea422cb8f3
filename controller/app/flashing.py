"""Flashing: writes a firmware image to a sensor board with avrdude."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

from hardware.firmware_images import CannotFlash

BAUD = 115_200  # of optiboot, which a Nano should have; the old bootloader speaks at 57600
CHIP, BOOTLOADER = "atmega328p", "arduino"


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
