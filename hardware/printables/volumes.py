"""How much plastic each part takes, as measured when it was made last: ``volumes.json``, for the pages.

Owns that record and whether it is still true of the parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import msgspec

from controller.typed import ready
from hardware.printables.models import SCAD, PrintedPart
from hardware.profile import BadProfile

VOLUMES = Path(__file__).parent / "volumes.json"


class Volumes(msgspec.Struct, frozen=True):
    """Volumes of a board's parts, in mm³ by name, and the fingerprint of the parts that were measured."""

    parts: str
    mm3: Mapping[str, int]


def fingerprint(found: Sequence[PrintedPart]) -> str:
    """Return a short text that is another one when any part's shape is."""
    shapes = [part.text.replace(str(SCAD), "scad") for part in found]
    shapes += [path.read_text(encoding="utf-8") for path in sorted(SCAD.glob("*.scad"))]
    return sha256("\n".join(shapes).encode()).hexdigest()[:16]


def volumes(board: str, found: Sequence[PrintedPart]) -> Mapping[str, int]:
    """Return the volumes of a board's parts. Raises `BadProfile` where they were measured of others, or never."""
    kept = _recorded()
    if board not in kept or kept[board].parts != fingerprint(found):
        raise BadProfile([f"the printed parts of {board} have changed since they were measured: make hardware-print"])
    return kept[board].mm3


def record(measured: Mapping[str, Volumes]) -> None:
    """Keep the volumes of these boards, beside those of others that were kept before."""
    kept = _recorded() | dict(measured)
    text = msgspec.json.format(msgspec.json.encode(dict(sorted(kept.items()))), indent=1)
    VOLUMES.write_bytes(text + b"\n")


def _recorded() -> dict[str, Volumes]:
    return msgspec.json.decode(VOLUMES.read_bytes(), type=ready(dict[str, Volumes])) if VOLUMES.exists() else {}
