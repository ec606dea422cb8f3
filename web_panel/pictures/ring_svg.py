"""A ring of kinds of pieces with an arrow from each to those that it beats, as SVG for a page.

Owns where pieces and arrows of it lie.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

RADIUS = 100.0  # of the ring
TOKEN = 34.0  # radius of a piece on it
APART = 8.0  # of an arrow from its pieces
HEAD = 15.0  # length of an arrow's head

Point = tuple[float, float]


class Arrow(NamedTuple):
    """A way along the ring or across it, as path of SVG, and the corners of its head."""

    path: str
    head: str


def places(kinds: Sequence[str]) -> dict[str, Point]:
    """Return where each of ``kinds`` lies: clockwise from the top."""
    return {kind: _on_ring(_angle(n, len(kinds))) for n, kind in enumerate(kinds)}


def arrows(kinds: Sequence[str], pairs: Sequence[tuple[str, str]]) -> list[Arrow]:
    """Return an arrow for each of ``pairs``: along the ring to the next kind, straight across it to another."""
    count, at = len(kinds), places(kinds)
    found = []
    for one, other in pairs:
        begin = kinds.index(one)
        if kinds[(begin + 1) % count] == other:
            found.append(_along(_angle(begin, count), _angle(begin + 1, count)))
        else:
            found.append(_across(at[one], at[other]))
    return found


def pairs_in(text: str) -> list[tuple[str, str]]:
    """Return the pairs in a text such as ``4>3 4>2``."""
    return [(one, other) for one, _, other in (word.partition(">") for word in text.split())]


def drawn(text: str, drawings: dict[str, Any]) -> dict[str, Any]:
    """Return what a page needs to draw the ring of ``text``, with the ``drawings`` of the game's pieces."""
    pairs = pairs_in(text)
    kinds = list(dict.fromkeys(one for one, _ in pairs))
    beaten = {kind: [other for one, other in pairs if one == kind] for kind in kinds}
    tokens = [
        {"kind": kind, "x": x, "y": y, "drawing": drawings["kinds"].get(kind, "")}
        for kind, (x, y) in places(kinds).items()
    ]
    return {"tokens": tokens, "arrows": arrows(kinds, pairs), "beaten": beaten, "body": drawings["seats"][0],
            "size": TOKEN / 100}  # fmt: skip


def _angle(number: int, count: int) -> float:
    return math.tau * number / count - math.pi / 2


def _on_ring(angle: float) -> Point:
    return RADIUS * math.cos(angle), RADIUS * math.sin(angle)


def _along(begin: float, end: float) -> Arrow:
    gap = (TOKEN + APART) / RADIUS
    (ax, ay), (bx, by) = _on_ring(begin + gap), _on_ring(end - gap - HEAD / RADIUS)
    tip = _on_ring(end - gap)
    path = f"M{ax:.1f} {ay:.1f}A{RADIUS:g} {RADIUS:g} 0 0 1 {bx:.1f} {by:.1f}"
    return Arrow(path, _head((bx, by), tip))


def _across(begin: Point, end: Point) -> Arrow:
    length = math.dist(begin, end)

    def at(away: float) -> Point:
        part = away / length
        return begin[0] + part * (end[0] - begin[0]), begin[1] + part * (end[1] - begin[1])

    (ax, ay), (bx, by) = at(TOKEN + APART), at(length - TOKEN - APART - HEAD)
    return Arrow(f"M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}", _head((bx, by), at(length - TOKEN - APART)))


def _head(foot: Point, tip: Point) -> str:
    dx, dy = (tip[0] - foot[0]) / 2, (tip[1] - foot[1]) / 2
    corners = (tip, (foot[0] - dy, foot[1] + dx), (foot[0] + dy, foot[1] - dx))
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
