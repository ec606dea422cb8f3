"""Files with transcripts that tests keep: each begins with a line of its own, which has its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

BEGINS = "== "


def transcripts(file: Path) -> dict[str, list[str]]:
    """Return the transcripts in ``file``, line by line, by their names, which end at a colon."""
    found: dict[str, list[str]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith(BEGINS):
            name = line.removeprefix(BEGINS).partition(":")[0]
        found.setdefault(name, []).append(line)
    return found


def keep(file: Path, names: Iterable[str], told: Callable[[str], list[str]]) -> None:
    """Write what is ``told`` of each of ``names`` into ``file``."""
    file.write_text("\n".join(line for name in names for line in told(name)) + "\n", encoding="utf-8")
