"""Firmware images: what a wheel carries to flash the sensor board of each shipped board.

`make wheel` fills the folder (``python -m hardware.firmware_images BUILD``); in the source tree it is not there.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import msgspec

from controller.typed import ready
from hardware import uf2
from hardware.firmware_table import table_hash
from hardware.profile import BadProfile, Profile, load, names

FOLDER = Path(__file__).parent / "firmware_built"
LIST = "images.json"
BUILT = "sensor.hex"  # as firmware/Makefile names it, in a folder for each board
BUILT_DRIVE = "sensor.uf2"  # the same for an RP2040, which takes it as a drive
INTEL_HEX_DATA = "00"  # the type of a record with bytes for the flash


class CannotFlash(ValueError):
    """There is no image for a board, not the right one, or it was not written; the sentence says what to do."""


class Image(msgspec.Struct, frozen=True):
    """One image. ``table_hash`` is that of `hardware.firmware_table`, ``sha256`` that of the file, in hex."""

    board: str
    file: str
    flash_bytes: int
    table_hash: int
    sha256: str


def collect(build: Path, folder: Path = FOLDER) -> tuple[Image, ...]:
    """Copy the images of all shipped boards from the firmware's ``build`` folder into ``folder``, with their list.

    Raises `CannotFlash` where one is not built.
    """
    found = []
    folder.mkdir(parents=True, exist_ok=True)
    for board in names():
        profile = load(board)
        built = build / board / (BUILT_DRIVE if profile.has_fields else BUILT)
        if not built.exists():
            raise CannotFlash(f"{built} is not built: make firmware BOARD={board}")
        data = built.read_bytes()
        size = uf2.flash_bytes(data) if profile.has_fields else _flash_bytes(data)
        file = board + built.suffix
        (folder / file).write_bytes(data)
        found.append(Image(board, file, size, table_hash(profile), hashlib.sha256(data).hexdigest()))
    (folder / LIST).write_bytes(msgspec.json.format(msgspec.json.encode(found)))
    return tuple(found)


def _flash_bytes(data: bytes) -> int:
    """Return how many bytes an Intel HEX file puts into the flash."""
    records = [line for line in data.decode("ascii").splitlines() if line.startswith(":")]
    return sum(int(record[1:3], 16) for record in records if record[7:9] == INTEL_HEX_DATA)


def images(folder: Path = FOLDER) -> dict[str, Image]:
    """Return the images in ``folder`` by board. Raises `CannotFlash` where there are none."""
    try:
        listed = msgspec.json.decode((folder / LIST).read_bytes(), type=ready(list[Image]))
    except OSError as error:
        raise CannotFlash(
            "these files were not installed from a wheel and carry no firmware images: in the source tree, "
            "make flash BOARD=… PORT=… builds the firmware and writes it"
        ) from error
    return {image.board: image for image in listed}


def image_for(profile: Profile, folder: Path = FOLDER) -> Path:
    """Return the file to flash the sensor board of ``profile`` with. Raises `CannotFlash`."""
    known = images(folder)
    image = known.get(profile.name)
    if image is None:
        raise CannotFlash(
            f"there is no image for the board {profile.name}; there are those of {', '.join(known)}. "
            f"For a board file of your own, in the source tree: make flash BOARD=FILE PORT=…"
        )
    if image.table_hash != table_hash(profile):
        raise CannotFlash(
            f"the image for {profile.name} was made for another chain of sensors than this board file describes. "
            f"In the source tree: make flash BOARD=FILE PORT=…"
        )
    path = folder / image.file
    if hashlib.sha256(path.read_bytes()).hexdigest() != image.sha256:
        raise CannotFlash(f"the image {path} is damaged: install Beaconboard again")
    return path


def main(arguments: list[str]) -> str | None:
    """Collect the images from the firmware's build folder; return a sentence where that failed."""
    if len(arguments) != 1:
        return "usage: python -m hardware.firmware_images BUILD"
    try:
        collect(Path(arguments[0]))
    except (CannotFlash, BadProfile) as wrong:
        return str(wrong)
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
