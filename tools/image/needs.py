"""What a machine needs to make the image, or to try it: a sentence says what is missing, before anything is made."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from tools.image.running import NotMade

GB = 1000**3
ROOM_BYTES = 7 * GB
HANDLER = Path("/proc/sys/fs/binfmt_misc/qemu-aarch64")
# Each program, by Debian's package that has it.
TO_MAKE: Mapping[str, str] = {
    "mmdebstrap": "mmdebstrap",
    "arch-test": "arch-test",
    "qemu-aarch64-static": "qemu-user-static",
    "update-binfmts": "binfmt-support",
    "sfdisk": "fdisk",
    "mkfs.ext4": "e2fsprogs",
    "mkfs.vfat": "dosfstools",
    "mcopy": "mtools",
    "zstd": "zstd",
}
TO_TRY: Mapping[str, str] = {
    "qemu-system-aarch64": "qemu-system-arm",
    "mcopy": "mtools",
    "debugfs": "e2fsprogs",
    "sfdisk": "fdisk",
}
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"


def check_tools(programs: Mapping[str, str], path: str = PATH) -> None:
    """Raise `NotMade` where one of ``programs`` is not in ``path``."""
    missing = sorted({package for program, package in programs.items() if shutil.which(program, path=path) is None})
    if missing:
        raise NotMade(f"Packages of Debian are missing: as root, run apt install {' '.join(missing)}")


def check_root() -> None:
    """Raise `NotMade` unless root runs this: the files of a system belong to root and others."""
    if os.geteuid() != 0:
        raise NotMade("This needs root, since the files of a system belong to root: run make image, which asks for it")


def check_room(folder: Path, needed_bytes: int = ROOM_BYTES) -> None:
    """Raise `NotMade` where the disk of ``folder`` has no room for what is made in between."""
    free = shutil.disk_usage(folder).free
    if free < needed_bytes:
        raise NotMade(f"{folder} has {free / GB:.1f} GB free and {needed_bytes / GB:.0f} are needed: make room there")


def check_processor(handler: Path = HANDLER, machine: str = os.uname().machine) -> None:
    """Raise `NotMade` where this ``machine`` cannot run what is built for the Pi's processor."""
    if machine == "aarch64":
        return
    if not handler.exists() or not handler.read_text(encoding="ascii").startswith("enabled"):
        raise NotMade(
            "The kernel does not hand programs for arm64 to QEMU: as root, run mount -t binfmt_misc binfmt_misc"
            f" {handler.parent} unless it is mounted, and then update-binfmts --enable qemu-aarch64"
        )
