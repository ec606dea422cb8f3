"""How strong the magnets in the pieces are, and what a linear sensor reads of them: by the dice of hardware/field.

Owns sets of magnets and what a walk over a board measures of them. Must not know tables, plies or stories.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from controller.diagnostics.strength import CELLS, strengths
from controller.magnet_kinds import MagnetKinds
from hardware.field.cylinder import Array, Disc
from hardware.field.draws import CHUNK, Tolerances, readings
from hardware.field.kinds import AFTER_A_WALK
from hardware.field.limits import DEPTH_MM

SETS: dict[int, tuple[Disc, ...]] = {
    2: ((8.0, 3.0), (10.0, 5.0)),
    3: ((8.0, 3.0), (10.0, 3.0), (12.0, 5.0)),
}
EVENING = Tolerances(  # of single pieces, put in the middle of a cell as well as hands do
    most_stray_mm=3.2, offset_mt=0.25, noise_mt=0.25, gain=0.03, coldest_k=-1.0, warmest_k=1.0
)
WALKS = 32  # boards, each walked over once
TOLD_MS = (200.0, 330.0)  # after a magnet came: the host asks once it lies still, and large boards answer later


@lru_cache(maxsize=len(SETS))
def in_play(kinds: int) -> list[Array]:
    """Return what sensors read of pieces of each kind among neighbours of all of them, cold and warm."""
    discs = SETS[kinds]
    return [next(readings(disc, discs, DEPTH_MM, AFTER_A_WALK, CHUNK)).placed for disc in discs]


@lru_cache(maxsize=len(SETS))
def _alone(kinds: int) -> list[Array]:
    dice, found = (
        np.random.default_rng(9),
        [next(readings(d, SETS[kinds], DEPTH_MM, EVENING, CHUNK)) for d in SETS[kinds]],
    )
    return [read.placed - read.lasting + dice.normal(0, AFTER_A_WALK.offset_mt, CHUNK) for read in found]


@lru_cache(maxsize=len(SETS) * WALKS)
def walked(kinds: int, board: int) -> MagnetKinds:
    """Return what a walk over one of `WALKS` boards has measured."""
    dice = np.random.default_rng(board % WALKS)
    return MagnetKinds(strengths(tuple(tuple(dice.choice(each, CELLS)) for each in _alone(kinds))))


class Fields:
    """What the sensors of one board read of pieces, whose magnets are as ``magnets`` says by kind of piece."""

    def __init__(self, kinds: int, magnets: Mapping[str, str], seed: str) -> None:
        self.kinds, self.magnets, self.random = kinds, magnets, random.Random(seed)
        self.known = walked(kinds, self.random.randrange(WALKS))

    def read(self, pole: int, kind: str) -> float:
        """Return what a sensor reads of a piece that is put down; of none of the game's kinds it may be any."""
        names = ("weak", "medium", "strong") if self.kinds > 2 else ("weak", "strong")
        magnet = self.magnets.get(kind, self.random.choice(names))
        number = names.index(magnet) if magnet in names else 0
        return pole * float(self.random.choice(in_play(self.kinds)[number]))
