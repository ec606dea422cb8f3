"""The folder of a board's copies: which there are, a new one, and which are let go.

Of evenings seven are kept; of those that somebody asked for or that were made before another was put back, three each.
They are told apart by their names, and ordered by their numbers: a board without a network may have a wrong clock.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import msgspec

from controller import atomic_file
from controller.backups.backup_file import BadBackup, Kind, Manifest, Occasion, manifest_of, not_made, write
from controller.backups.state import BoardState

KEPT: dict[Kind, int] = {"evening": 7, "asked": 3, "before": 3}
NAME = re.compile(r"beaconboard-\d{4}-\d\d-\d\d(?:-(asked|before)(?:-\d+)?)?\.backup")
SPARE_BYTES = 16 << 20  # that stay free on the card whatever is copied


class Copy(msgspec.Struct, frozen=True):
    """A copy: its file's ``name`` and size, and what it holds; None where it is damaged, and ``wrong`` says so."""

    name: str
    bytes: int
    manifest: Manifest | None
    wrong: str = ""

    @property
    def number(self) -> int:
        """Its place among all, 0 where that cannot be read."""
        return self.manifest.number if self.manifest else 0

    @property
    def kind(self) -> Kind:
        """When it was made, by its name."""
        found = NAME.fullmatch(self.name)
        return "asked" if found and found[1] == "asked" else "before" if found and found[1] == "before" else "evening"


def copies(folder: Path) -> Sequence[Copy]:
    """Return all copies in ``folder``, the newest first; those that cannot be read come last."""
    names = sorted((path.name for path in folder.glob("*.backup") if NAME.fullmatch(path.name)), reverse=True)
    found = [copy for copy in (_copy(folder / name) for name in names) if copy is not None]
    return sorted(found, key=lambda copy: -copy.number)


def _copy(path: Path) -> Copy | None:
    """Return the copy at ``path``, None where it has just been let go."""
    try:
        size = path.stat().st_size
    except OSError:
        return None
    try:
        return Copy(path.name, size, manifest_of(path))
    except BadBackup as wrong:
        return Copy(path.name, size, None, str(wrong))


def make(state: BoardState, kind: Kind, now: datetime, board: str = "", program: str = "") -> Path:
    """Make a copy and let go of the oldest of its kind beyond those that are kept; raises `BadBackup`.

    A second evening of one day takes the place of the first.
    """
    folder = state.copies
    try:
        atomic_file.make_folder(folder, 0o700)
        for left in folder.glob("*.backup.new"):  # of one that was cut off
            left.unlink(missing_ok=True)
    except OSError as error:
        raise BadBackup(not_made(folder, error)) from error
    before = copies(folder)
    path = folder / _name(folder, kind, now)
    write(path, state, Occasion(1 + max((copy.number for copy in before), default=0), kind, now, board, program))
    for copy in [copy for copy in copies(folder) if copy.kind == kind][KEPT[kind] :]:
        with suppress(OSError):  # it goes the next time
            (folder / copy.name).unlink()
    return path


def _name(folder: Path, kind: Kind, now: datetime) -> str:
    day = f"beaconboard-{now:%Y-%m-%d}"
    if kind == "evening":
        return f"{day}.backup"
    number, name = 1, f"{day}-{kind}.backup"
    while (folder / name).exists():
        number += 1
        name = f"{day}-{kind}-{number}.backup"
    return name
