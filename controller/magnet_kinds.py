"""Kinds of pieces by the strength of their magnets: what a walk has measured of them, and what a field says of a piece.

Pure. Fields are in mT, without the sign, which tells the side. What follows from them is evidence, never a truth.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

Magnet = Literal["weak", "medium", "strong"]
MAGNETS: tuple[Magnet, ...] = get_args(Magnet)
STRANGE = 0.001  # one piece in a thousand is of none of the kinds: another set's, or its magnet has come loose
MOST_MT = 100.0  # and reads anything up to here


class Strength(msgspec.Struct, frozen=True):
    """What was measured of a kind: its mean field, and on how many cells.

    ``spread_mt`` is its standard deviation in play: as measured, with what neighbours and warmth add to that.
    """

    mean_mt: Annotated[float, Meta(ge=0, le=200)]
    spread_mt: Annotated[float, Meta(gt=0, le=200)]
    cells: Annotated[int, Meta(ge=2, le=1000)]

    def likelihood(self, field_mt: float) -> float:
        """Return how likely a piece of this kind reads ``field_mt``, per mT.

        By Student's distribution about what was measured: few cells say less of how far the next piece may be off.
        """
        freedom, scale_mt = self.cells - 1, self.spread_mt * math.sqrt(1 + 1 / self.cells)
        t = (field_mt - self.mean_mt) / scale_mt
        most = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)
        usual = most / scale_mt * math.pow(1 + t * t / freedom, -(freedom + 1) / 2)
        return (1 - STRANGE) * usual + STRANGE / MOST_MT


class Strengths(msgspec.Struct, frozen=True):
    """The kinds of a board, the weakest first, two or three, and the borders between them. Raises ValueError else."""

    kinds: tuple[Strength, ...]
    borders_mt: tuple[float, ...]

    def __post_init__(self) -> None:
        if not 2 <= len(self.kinds) <= len(MAGNETS):
            raise ValueError(f"two or three kinds can be told, not {len(self.kinds)}")
        if len(self.borders_mt) != len(self.kinds) - 1:
            raise ValueError(f"{len(self.kinds)} kinds have no {len(self.borders_mt)} borders")


class MagnetKinds(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a board knows: the ``strengths`` measured on it, and by game which magnet its file says is in which kind of
    piece, where that is not the game's own choice.
    """

    strengths: Strengths
    magnets: Mapping[str, Mapping[str, Magnet]] = {}

    def likelihood(self, magnet: Magnet, field_mt: float) -> float:
        """Return how likely a piece with ``magnet`` reads ``field_mt``. Of two kinds all but the strong are one."""
        known = self.strengths.kinds
        number = MAGNETS.index(magnet) if len(known) > 2 else magnet == MAGNETS[-1]
        return known[number].likelihood(field_mt)
