"""How the card is divided, and the writing of it: into one file, without a loop device and without mounting anything.

The first partition is what the Pi's firmware reads, the second the system, the third what is kept. The table is the old
kind (MBR), since a Pi 3 starts from no other, and the data partition lies last, since it grows.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tools.image.running import run

SECTOR_BYTES = 512
MIB = 1024 * 1024
ALIGNED_BYTES = 4 * MIB  # cards erase such pieces at a time
FIRMWARE_BYTES = 256 * MIB
DATA_SPARE_BYTES = 192 * MIB  # beside what it has from the start: the room until the first start makes it grow
SYSTEM_SPARE = 1.12  # an ext4 keeps tables beside the files
FAT32, LINUX = "c", "83"  # a Pi 3 reads its firmware from no other kind of FAT than 0x0b and 0x0c


class Part(NamedTuple):
    """One partition, by bytes from the card's beginning."""

    name: str
    kind: str
    start: int
    size: int


def divided(system_bytes: int, data_bytes: int) -> list[Part]:
    """Return the partitions for a system and for data that hold so many bytes of files."""
    sizes = (
        ("BOARD-BOOT", FAT32, FIRMWARE_BYTES),
        ("board-system", LINUX, int(system_bytes * SYSTEM_SPARE) + 16 * MIB),
        ("board-data", LINUX, data_bytes + DATA_SPARE_BYTES),
    )
    parts: list[Part] = []
    at = ALIGNED_BYTES
    for name, kind, size in sizes:
        whole = -(-size // ALIGNED_BYTES) * ALIGNED_BYTES
        parts.append(Part(name, kind, at, whole))
        at += whole
    return parts


def table(parts: Sequence[Part], disk: str) -> str:
    """Return what `sfdisk` is told: the table of the card with the number ``disk``, eight hexadecimal digits."""
    lines = ["label: dos", f"label-id: 0x{disk}", "unit: sectors"]
    for part in parts:
        at, size = part.start // SECTOR_BYTES, part.size // SECTOR_BYTES
        lines.append(f"start={at}, size={size}, type={part.kind}{', bootable' if part.kind == FAT32 else ''}")
    return "\n".join(lines) + "\n"


def new_disk() -> str:
    """Return the number of a card; the kernel finds the system by it."""
    return f"{secrets.randbits(32) | 1:08x}"


def bytes_of(folder: Path) -> int:
    """Return how much room the files of ``folder`` take on a disk with blocks of 4 KB."""
    total = 0
    for where, folders, files in os.walk(folder):
        for name in (*folders, *files):
            total += -(-os.lstat(os.path.join(where, name)).st_size // 4096) * 4096
    return total


def write(image: Path, disk: str, firmware: Path, system: Path, data: Path) -> list[Part]:
    """Write the card with these three folders to the file ``image``; returns how it is divided."""
    parts = divided(bytes_of(system), bytes_of(data))
    image.unlink(missing_ok=True)
    image.touch(mode=0o600)  # a password comes with the data
    os.truncate(image, parts[0].start + parts[0].size)  # mkfs.vfat goes to the end of the file
    _write_fat(image, parts[0], disk, firmware)
    os.truncate(image, parts[-1].start + parts[-1].size)
    run(["sfdisk", "--quiet", str(image)], said=table(parts, disk))
    for part, folder in zip(parts[1:], (system, data), strict=True):
        where = ["-L", part.name, "-E", f"offset={part.start}", "-d", str(folder)]
        run(
            [
                "mkfs.ext4",
                "-q",
                "-F",
                "-b",
                "4096",
                "-T",
                "default",
                "-m",
                "0",
                *where,
                str(image),
                f"{part.size // 1024}k",
            ]
        )
    return parts


def _write_fat(image: Path, part: Part, disk: str, folder: Path) -> None:
    where = ["--offset", str(part.start // SECTOR_BYTES), "--mbr=n", str(image)]
    # Clusters of 2 KB: with larger ones there are too few for FAT32.
    run(["mkfs.vfat", "-F", "32", "-s", "4", "-n", part.name, "-i", disk, *where])
    files = [str(path) for path in sorted(folder.iterdir())]
    run(["mcopy", "-s", "-Q", "-m", "-i", f"{image}@@{part.start}", *files, "::"])
