"""What the machine says of itself that matters to a board: storage, heat, supply and clock.

Read from files of Linux; what a machine does not say is None, and nobody is told of it.
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

import msgspec


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """What the machine says. ``undervolted``: its supply has dipped. ``clock_kept``: a battery keeps its clock;
    ``clock_set``: a time server has set it since the start.
    """

    free_bytes: int | None = None  # where the games are kept
    celsius: int | None = None
    undervolted: bool | None = None
    clock_kept: bool | None = None
    clock_set: bool | None = None


def look(folder: Path, root: Path = Path("/")) -> Machine:
    """Return what the machine whose files are under ``root`` says; the games are kept in ``folder``."""
    clocks, time_server = root / "sys/class/rtc", root / "run/systemd/timesync"
    return Machine(
        free_bytes=_free(folder),
        celsius=_celsius(root),
        undervolted=undervolted(root),
        clock_kept=any(clocks.iterdir()) if clocks.is_dir() else None,
        clock_set=(time_server / "synchronized").exists() if time_server.is_dir() else None,
    )


def undervolted(root: Path = Path("/")) -> bool | None:
    """Return whether the Pi's own monitor has seen its supply dip; None where there is no such monitor."""
    for name in (root / "sys/class/hwmon").glob("hwmon*/name"):
        with suppress(OSError):
            if name.read_text(encoding="ascii").strip() == "rpi_volt":
                return (name.parent / "in0_lcrit_alarm").read_text(encoding="ascii").strip() == "1"
    return None


def boot_id(root: Path = Path("/")) -> str:
    """Return what Linux calls the time since the machine was switched on; "" where it does not say."""
    with suppress(OSError):
        return (root / "proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return ""


def model(root: Path = Path("/")) -> str:
    """Return which computer this is, as ``Raspberry Pi 5 Model B Rev 1.0``; "" where it does not say."""
    with suppress(OSError):
        return (root / "proc/device-tree/model").read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    return ""


def _free(folder: Path) -> int | None:
    with suppress(OSError):
        there = next(each for each in (folder, *folder.parents) if each.exists())
        return shutil.disk_usage(there).free
    return None


def _celsius(root: Path) -> int | None:
    with suppress(OSError, ValueError):
        return int((root / "sys/class/thermal/thermal_zone0/temp").read_text(encoding="ascii")) // 1000
    return None
