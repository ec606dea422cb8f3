"""Reads a journal that a service in another process has for itself: from a copy, as it was at one moment.

Owns that the copy is whole, without a lock: the service goes on writing meanwhile.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

IN_MEMORY_BYTES = 64 << 20  # games so large are copied on the card, where there is more room
SHARED_MEMORY = Path("/dev/shm")
LOG_BEGINS_BYTES = 32  # of a log's header: two of its numbers are drawn anew whenever it begins from the front
MOST_TRIES = 20


@contextmanager
def room_for(journal: Path, beside: Path) -> Iterator[Path]:
    """Yield a folder to copy ``journal`` into, which goes afterwards: in memory where that is easy, else ``beside``."""
    small = journal.stat().st_size <= IN_MEMORY_BYTES
    place = SHARED_MEMORY if small and os.access(SHARED_MEMORY, os.W_OK) else beside
    with tempfile.TemporaryDirectory(prefix="beaconboard-", dir=place) as folder:
        yield Path(folder)


Copying = Callable[[Sequence[Path], Path], None]


def by_another_process(paths: Sequence[Path], to: Path) -> None:
    """Copy files, one after the other, into a folder or one to a name; raises OSError.

    Where this process has the journal open, to close it once more would let go of SQLite's locks.
    """
    done = subprocess.run(["cp", "--", *map(str, paths), str(to)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(done.stderr.strip())


def copied(journal: Path, folder: Path, copying: Copying = by_another_process) -> Path:
    """Copy ``journal`` and its log into ``folder``, as they are at one moment; returns the copy. Raises OSError.

    The log has whatever is new in the journal, until it begins from the front again. So it makes whole what was copied
    half of the journal, if it is copied later and did not begin again meanwhile.
    """
    log = journal.with_name(f"{journal.name}-wal")
    for _ in range(MOST_TRIES):
        begun, failed = _beginning(log), None
        (folder / log.name).unlink(missing_ok=True)
        try:
            copying([journal, log] if begun else [journal], folder)
        except OSError as error:  # perhaps a log that has gone
            failed = error
        if _beginning(log) == begun:
            if failed is not None:
                raise failed
            return folder / journal.name
    raise OSError(f"{journal.name} changes too fast to be copied: try again in a minute")


def _beginning(log: Path) -> bytes:
    with suppress(FileNotFoundError), log.open("rb") as file:
        return file.read(LOG_BEGINS_BYTES)
    return b""
