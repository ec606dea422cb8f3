"""What kind a piece is, by the strength of its magnet: a walk measures the kinds, and says how sure that is.

Pure. Fields are in mT; here without the sign, which tells the side. What follows is evidence, never a truth.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise

import msgspec

from controller.events import FieldSettled
from controller.magnet_kinds import Strength, Strengths

KINDS = (2, 3)  # so many can be told; more are no evidence (docs/build/field.md)
CELLS = 18  # on which a piece of each kind is measured
LEAST_SPREAD_MT = 0.3  # a sensor's own noise and offset: no walk was so steady that there is less
NEIGHBOURS = 0.05  # of the field of a piece: the spread that eight round it bring about, which a walk does not see
WARMTH = 0.012  # the spread from -15 to +20 K about the evening of the walk, at 0.12 % a K


class KindsWalk(msgspec.Struct, frozen=True):
    """A walk as far as it has come: ``read_mt`` has for each kind so far the field by cell, in the order of asking."""

    cells: tuple[str, ...]
    kinds: int
    read_mt: tuple[Mapping[str, float], ...] = ({},)

    @property
    def asked(self) -> str | None:
        """The cell on which a piece of the newest kind is to be put, None where all were measured."""
        return next((cell for cell in self.cells if cell not in self.read_mt[-1]), None)


def begin(cells: tuple[str, ...], kinds: int) -> KindsWalk:
    """Return a walk that measures ``kinds`` kinds, each on `CELLS` of the board's ``cells``: spread over all of it, and
    none near the one before, whose piece may still be there.
    """
    count = len(cells)
    stride = next(each for each in range(count * 3 // 8, 2 * count) if math.gcd(each, count) == 1)
    return KindsWalk(tuple(cells[k * stride % count] for k in range(min(CELLS, count))), kinds)


def heard(walk: KindsWalk, event: FieldSettled) -> KindsWalk:
    """Return the walk after a piece lay still; where another cell was asked for, it is as before."""
    if event.site != walk.asked:
        return walk
    newest = {**walk.read_mt[-1], event.site: abs(event.field_mt)}
    done = len(newest) == len(walk.cells) and len(walk.read_mt) < walk.kinds
    return msgspec.structs.replace(walk, read_mt=(*walk.read_mt[:-1], newest, *(({},) if done else ())))


def back(walk: KindsWalk) -> KindsWalk:
    """Return the walk without its last measurement."""
    read = walk.read_mt if walk.read_mt[-1] or len(walk.read_mt) == 1 else walk.read_mt[:-1]
    return msgspec.structs.replace(walk, read_mt=(*read[:-1], dict(list(read[-1].items())[:-1])))


def measured(walk: KindsWalk) -> Strengths | None:
    """Return what the walk has found, None before it is over."""
    if walk.asked is not None:
        return None
    return strengths(tuple(tuple(read.values()) for read in walk.read_mt))


def strengths(read_mt: tuple[tuple[float, ...], ...]) -> Strengths:
    """Return the kinds of which these fields were read, each of two at least.

    A border lies where the weaker kind is as many of its spreads below as the stronger is of its own above.
    """
    means = [sum(each) / len(each) for each in read_mt]
    beside_mt = NEIGHBOURS * math.hypot(*means) / math.sqrt(len(means))
    kinds = tuple(sorted((_strength(each, beside_mt) for each in read_mt), key=lambda kind: kind.mean_mt))
    borders = (
        (weak.mean_mt * strong.spread_mt + strong.mean_mt * weak.spread_mt) / (weak.spread_mt + strong.spread_mt)
        for weak, strong in pairwise(kinds)
    )
    return Strengths(kinds, tuple(borders))


def _strength(read_mt: tuple[float, ...], beside_mt: float) -> Strength:
    mean_mt = sum(read_mt) / len(read_mt)
    square = sum((each - mean_mt) ** 2 for each in read_mt) / (len(read_mt) - 1)
    spread_mt = math.hypot(max(LEAST_SPREAD_MT, math.sqrt(square)), beside_mt, WARMTH * mean_mt)
    return Strength(mean_mt, spread_mt, len(read_mt))


def confusion(known: Strengths) -> tuple[tuple[float, ...], ...]:
    """Return for each kind how often it would be taken for each, as shares that add up to 1.

    The next piece's field is that of Student's distribution: few cells measured say less of how far it may be off.
    """
    ends = (-math.inf, *known.borders_mt, math.inf)
    return tuple(tuple(above(kind, low) - above(kind, high) for low, high in pairwise(ends)) for kind in known.kinds)


def above(kind: Strength, border_mt: float) -> float:
    """Return how often the next piece of ``kind`` reads more than ``border_mt``."""
    if math.isinf(border_mt):
        return 0.0 if border_mt > 0 else 1.0
    t = (border_mt - kind.mean_mt) / (kind.spread_mt * math.sqrt(1 + 1 / kind.cells))
    return student_above(t, kind.cells - 1)


def student_above(t: float, freedom: int) -> float:
    """Return how often a number of Student's distribution with so many degrees of ``freedom`` is above ``t``.

    The finite series of Abramowitz and Stegun, 26.7.3 and 26.7.4.
    """
    angle = math.atan(t / math.sqrt(freedom))
    cosine, sine = math.cos(angle), math.sin(angle)
    term = total = 1.0 if freedom % 2 == 0 else cosine
    for k in range(1 if freedom % 2 == 0 else 2, freedom - 2, 2):
        term *= cosine * cosine * k / (k + 1)
        total += term
    if freedom == 1:
        within = 2 * angle / math.pi
    elif freedom % 2:
        within = 2 / math.pi * (angle + sine * total)
    else:
        within = sine * total
    return (1 - within) / 2
