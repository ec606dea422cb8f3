"""What was found out about finished games, beside the journal: a small file for each, so that it is found out once.

Owns where they lie, and that one is used only for the very moves that it was made from. Whatever is missing or cannot
be read is made again.
"""

from __future__ import annotations

import zlib
from pathlib import Path

import msgspec

from controller.journal.archive import Saved
from controller.typed import ready

VERSION = 1  # of what is found out: an older one is made again


class _AnalysisFile(msgspec.Struct, frozen=True):
    """A file: the number that stands for the moves, and what was found out about them."""

    of: int
    found: msgspec.Raw


def sign_of(saved: Saved) -> int:
    """Return a number that stands for a game's moves and all that they depend on."""
    header = saved.header
    made = [VERSION, header.game, header.options, header.seed, saved.plies]
    return zlib.crc32(msgspec.json.encode(made, order="sorted"))


def analysis_of(journal: Path, saved: Saved) -> bytes | None:
    """Return what was found out about a game of ``journal``, None where that is not known."""
    try:
        file = msgspec.json.decode(_file(journal, saved.game_id).read_bytes(), type=ready(_AnalysisFile))
    except (OSError, ValueError):
        return None
    return bytes(file.found) if file.of == sign_of(saved) else None


def looked_at(journal: Path) -> list[int]:
    """Return the numbers of the games of ``journal`` of which something was found out, the newest first."""
    names = (file.stem for file in _file(journal, 0).parent.glob("*.json"))
    return sorted((int(name) for name in names if name.isdecimal()), reverse=True)


def keep(journal: Path, saved: Saved, found: bytes) -> None:
    """Keep what was ``found`` out, as JSON; raises OSError."""
    file = _file(journal, saved.game_id)
    file.parent.mkdir(exist_ok=True)
    fresh = file.with_suffix(".new")
    fresh.write_bytes(msgspec.json.encode(_AnalysisFile(sign_of(saved), msgspec.Raw(found))))
    fresh.replace(file)


def folder_of(journal: Path) -> Path:
    """Return where that of the games of ``journal`` is kept."""
    return journal.with_name(f"{journal.name}.analyses")


def _file(journal: Path, game_id: int) -> Path:
    return folder_of(journal) / f"{game_id}.json"
