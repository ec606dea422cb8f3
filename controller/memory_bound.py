"""How much memory the service may have, and what keeps it to that.

The bound of its unit is kept by the kernel, and that of Raspberry Pi OS is started without the part that does so
(``cgroup_disable=memory``).
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

MEGABYTE = 1 << 20
# A service with 64 pages open has 60 MB at its start and 77 after a game of each kind. By how much it may grow counts
# from its start, so that one whose games need large tables is not started again and again.
MOST_GROWTH_MB = 256
# What it may ask for at most, in use or not: 8 MB for the stack of each thread count; 704 MB in all with 64 pages open.
MOST_DATA_MB = 1536
UNIT = "etc/systemd/system/beaconboard.service"


@contextmanager
def limited_data() -> Iterator[None]:
    """Let this process, and what it starts meanwhile, have no more than `MOST_DATA_MB`: what asks for more gets a
    MemoryError. Afterwards the process has what it had: one that runs a service among other things is not bound by it.
    """
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with suppress(OSError, ValueError):  # where the system knows no such limit, or has set a lower one
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_DATA_MB * MEGABYTE, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def used_mb(root: Path = Path("/")) -> int | None:
    """Return how much memory this process uses, in MB, with what is swapped out; None where the system does not say."""
    try:
        text = (root / "proc/self/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    sizes = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    kilobytes = [int(sizes[name].split()[0]) for name in ("VmRSS", "VmSwap") if name in sizes]
    return sum(kilobytes) // 1024 if kilobytes else None


class Growth:
    """By how much this process has grown since this was made."""

    def __init__(self, root: Path = Path("/"), most_mb: int = MOST_GROWTH_MB) -> None:
        self._root, self._most_mb = root, most_mb
        self._first_mb = used_mb(root)

    def too_much_mb(self) -> int | None:
        """Return how much this process uses, in MB, where it has grown too much; else None."""
        now_mb = used_mb(self._root)
        if now_mb is None or self._first_mb is None:
            return None
        return now_mb if now_mb - self._first_mb > self._most_mb else None


def holding(root: Path = Path("/")) -> str:
    """Return the sentence that says which bound of memory holds for the service on this machine."""
    if used_mb(root) is None:
        return "Memory: nothing bounds the service here, as this system does not say what it uses."
    own = f"starts again by itself, with nothing lost, once it has grown by {MOST_GROWTH_MB} MB"
    if not (root / UNIT).is_file():
        return f"Memory: the service {own}; it is not installed here, so nothing else bounds it."
    if _keeps_units(root):
        return f"Memory: the system keeps the service to the bound of its unit (MemoryMax), and it {own}."
    return (
        f"Memory: this system was started without its bound for services (cgroup_disable=memory), so that MemoryMax of "
        f"the unit counts for nothing; the service {own}."
    )


def _keeps_units(root: Path) -> bool:
    """Whether the kernel bounds the memory of services."""
    with suppress(OSError):
        return "memory" in (root / "sys/fs/cgroup/cgroup.controllers").read_text(encoding="ascii").split()
    with suppress(OSError):  # before version 2: name, hierarchy, how many, whether it is enabled
        rows = [line.split() for line in (root / "proc/cgroups").read_text(encoding="ascii").splitlines()]
        return any(row[0] == "memory" and row[-1] == "1" for row in rows if row)
    return False
