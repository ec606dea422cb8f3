"""How well a search sees, and what it found: the values that go in and come out of it."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.engine.judgement import Shares


class Enough(Exception):
    """The budget of a search is spent, or somebody said stop: it ends where it is."""


class Sight(msgspec.Struct, frozen=True):
    """How well a player sees: ``depth`` plies ahead at most.

    Of the replies it overlooks ``overlooks`` per cent, of the plies that it may make now half as many; it errs about a
    position by up to ``errs`` hundredths of the game. It knows a win of its own within ``wins_in`` own
    plies, 2 at most: one ply away no search overlooks it, two plies away a proof is looked for beside alpha-beta.
    With ``saves`` alpha-beta overlooks no ply that saves a piece which hangs, and with ``recaptures`` no answer that
    takes the piece just moved. Who ``varies`` makes any of the plies that are worth nearly as much as the best. Else
    alpha-beta makes one that takes where it is worth nearly as much: what could be taken later as well may walk away.
    One of those that come ``last`` it makes only where no other is worth nearly as much, best first only where there is
    no other.
    """

    depth: int = 1000
    overlooks: int = 0
    errs: int = 0
    wins_in: int = 0
    saves: bool = False
    recaptures: bool = False
    varies: bool = True
    last: frozenset[Any] = frozenset()


class Found(msgspec.Struct, frozen=True):
    """What a search found: the ply, what all plies are worth to the mover, the line, how many positions it judged.

    ``worths`` has, for each ply that was seen, its share for the seat to move; ``decided`` is whether the end is known.
    """

    ply: Any
    shares: Shares
    worths: tuple[tuple[Any, float], ...]
    line: tuple[Any, ...]
    nodes: int
    decided: bool
