"""The text of KiCad's files: brackets, quotes, numbers, and identifiers that are the same every time."""

from __future__ import annotations

import uuid

NAMES = uuid.UUID("6f1c0f6a-3f0e-5a52-9c40-6f5a1a0b7e11")
VERSION = "9.0"
PROGRAM = "beaconboard"


def quoted(text: str) -> str:
    """Return text between quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def number(value: float) -> str:
    """Return a number without needless digits: at most a tenth of a micrometre."""
    return f"{round(value, 4) + 0.0:.10g}"


def node(head: str, *items: str | float) -> str:
    """Return a list in brackets; text is written as it is, so quote it first where it is a name."""
    return f"({' '.join([head, *(item if isinstance(item, str) else number(item) for item in items)])})"


def identity(*words: str) -> str:
    """Return the node with an identifier that depends on the words alone."""
    return node("uuid", quoted(identifier(*words)))


def identifier(*words: str) -> str:
    """Return an identifier that depends on the words alone."""
    return str(uuid.uuid5(NAMES, "/".join(words)))


def effects(size: float, *more: str) -> str:
    """Return how a text is drawn."""
    return node("effects", node("font", node("size", size, size), node("thickness", size * 0.15)), *more)
