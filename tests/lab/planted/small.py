"""What the small games share: plies are their own texts, and what was worked out once of a board is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from controller.rules.game import AnyGame, Facts, Game, Piece, Unreadable, Walk
from controller.rules.mesh import Mesh, squares
from controller.sentences import say

KEPT = 100_000  # boards of which something is kept
REST = "rest"  # the ply of a seat that can do nothing else


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """None of these games asks for anything."""


def facts(name: str, seats: Sequence[str], kinds: dict[str, str], endings: Sequence[str], longest: int) -> Facts:
    """Return the facts of a small game, whose board draws who begins."""
    return Facts(
        name=name, title=name, blurb=say("A small game for tests."), seats=tuple(seats), minutes=5, kinds=kinds,
        endings=tuple(endings), longest=longest, begins=None, fewest=len(seats),
    )  # fmt: skip


def step_read(ply: str) -> Walk:
    """Return how a hand makes ``a1-b2``, ``a1xb2``, ``h@a1``, ``a1*`` or ``rest``."""
    if ply == REST:
        return Walk()
    if ply.endswith("*"):
        return Walk(at=ply[:-1])
    if "@" in ply:
        return Walk((ply[2:],))
    return Walk((ply[:2], ply[3:]))


def game(
    about: Facts,
    state: type[msgspec.Struct],
    board: tuple[int, int],
    start: Callable[[Any, int], Any],
    moves: Callable[[Any], list[str]],
    after: Callable[[Any, str], Any],
    result: Callable[[Any], Any],
    pieces: dict[str, Piece],
) -> AnyGame:
    """Return the game; its states have a ``board``, a character a cell, and the ``turn`` of a seat."""
    cells = squares(*board).cells
    walk = lru_cache(KEPT)(step_read)

    @lru_cache(KEPT)
    def stands(drawn: str) -> dict[str, Piece]:
        return {cells[at]: pieces[piece] for at, piece in enumerate(drawn) if piece in pieces}

    def mesh(options: Options) -> Mesh:
        return squares(*board)

    def read(state: Any, written: str) -> str:
        if written not in moves(state):
            raise Unreadable(say("'{written}' is no ply here", written=written))
        return written

    return Game(
        facts=about,
        options=Options,
        state=state,
        mesh=mesh,
        start=start,
        seat=lambda state: None if state.why else state.turn,
        moves=moves,
        after=after,
        result=result,
        text=lambda state, ply: ply,
        read=read,
        why_not=lambda state, ply: say("'{ply}' is no ply here", ply=ply),
        shape=lambda state: stands(state.board),
        walk=lambda state, ply: walk(ply),
    )
