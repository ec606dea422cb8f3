"""Cells that the rules treat apart: a town, a river, a hill. Where they lie, what they are called, how they are drawn.

There is one look for each kind: on screens, in pictures and in print.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import msgspec

PlaceKind = Literal[
    "town", "river", "closed", "edge", "corner", "fortress", "centre", "hill", "forest", "grassland"
]  # fmt: skip
PLACE_KINDS: tuple[PlaceKind, ...] = get_args(PlaceKind)


class Place(msgspec.Struct, frozen=True, omit_defaults=True):
    """Cells of one kind, with the ``name`` that people read and hear: "White's town". ``seat`` is whose it is."""

    cells: tuple[str, ...]
    kind: PlaceKind
    name: str
    seat: int | None = None


class PlaceLook(msgspec.Struct, frozen=True):
    """How such a cell is drawn: tinted with ``ground``, and with a ``sign`` in the colour ``line`` or that of a seat.

    A sign is a path of SVG within 100 of its middle, of the commands that `controller.rules.drawings` knows. It stands
    in the middle of its cell, or at the ``foot`` of it where pieces stand for long.
    """

    ground: str
    line: str = "#f3e6c8"
    sign: str = ""
    foot: bool = False


_WAVE = "M-85 {0}C-60 {1} -30 {1} 0 {0}C30 {2} 60 {2} 85 {0}L85 {3}C60 {4} 30 {4} 0 {3}C-30 {5} -60 {5} -85 {3}Z"
_WAVES = _WAVE.format(-40, -70, -10, -20, 10, -50) + _WAVE.format(20, -10, 50, 40, 70, 10)
_TOWN = "M-85 70L-85 0L-45 -45L-5 0L-5 70ZM10 70L10 -35L45 -80L85 -35L85 70Z"
_FORTRESS = (
    "M-65 75L-65 50L-45 35L-45 -10L-65 -25L-65 -75L-35 -75L-35 -50L-15 -50L-15 -75L15 -75L15 -50L35 -50L35 -75"
    "L65 -75L65 -25L45 -10L45 35L65 50L65 75Z"
)
_CROSS = "M-75 -55L-55 -75L0 -20L55 -75L75 -55L20 0L75 55L55 75L0 20L-55 75L-75 55L-20 0Z"
_TREE = "M-65 35L0 -85L65 35L15 35L15 75L-15 75L-15 35Z"
_BLADES = "M-20 70L-80 -40L-5 45L0 -75L5 45L80 -40L20 70Z"

LOOKS: Mapping[PlaceKind, PlaceLook] = {
    "town": PlaceLook("#8a5a2c", sign=_TOWN),
    "river": PlaceLook("#2f6283", "#8fb9cf", _WAVES),
    "closed": PlaceLook("#000000", "#a08c7a", _CROSS),
    "edge": PlaceLook("#9c6f58"),
    "corner": PlaceLook("#7d6a4c", sign="M0 -45L45 0L0 45L-45 0Z"),
    "fortress": PlaceLook("#8b8d97", sign=_FORTRESS, foot=True),
    "centre": PlaceLook("#77698a", sign="M0 -90L20 -20L90 0L20 20L0 90L-20 20L-90 0L-20 -20Z", foot=True),
    "hill": PlaceLook("#a8703a", "#f0c68a", "M-85 65L0 -70L85 65Z", foot=True),
    "forest": PlaceLook("#2c7048", "#9be0b4", _TREE, foot=True),
    "grassland": PlaceLook("#8f8a30", "#ece58a", _BLADES, foot=True),
}  # fmt: skip


def named(places: tuple[Place, ...], cell: str) -> tuple[str, ...]:
    """Return the names of the places in which ``cell`` lies."""
    return tuple(place.name for place in places if cell in place.cells)
