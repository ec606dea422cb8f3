"""What a ply uses: a kind of piece and what it does, or a kind of action, in words.

Owns the names under which uses are counted and forbidden. They come from what every game tells of a ply; no game has to
say anything for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from controller.rules.game import AnyGame, Piece

WORD = re.compile(r"[a-z]+(?= |$)")  # with which the text of an action begins: "bid 3 4", "t a3 b3 1", "end"
VERBS = ("moves", "takes", "changes", "comes in")  # with which the use of a piece ends
MOST_OFFERED = 400  # plies of which the uses are counted; of a longer list the first ones, by the game's own order


def use_of(game: AnyGame, state: Any, shape: Mapping[str, Piece], ply: Any) -> str:
    """Return what ``ply`` uses in ``state``, whose pieces are ``shape``: "giant takes", "class 2 changes", "bid"."""
    text = game.text(state, ply)
    if word := WORD.match(text):
        return word[0]
    walk = game.walk(state, ply)
    at = walk.path[0] if walk.path else walk.at
    piece = shape.get(at) if at else None
    if len(walk.path) == 1 or (piece is None and walk.path):
        entering = text[:1]
        return f"{game.facts.kinds.get(entering, entering)} comes in"
    kind = game.facts.kinds.get(piece.kind, piece.kind) if piece else ""
    if not walk.path:
        return f"{kind} changes".strip()
    taken = walk.takes or (walk.path[-1] != walk.path[0] and walk.path[-1] in shape)
    return f"{kind} takes" if taken else f"{kind} moves"


def kind_of(use: str) -> str:
    """Return the kind in a use: "giant" of "giant takes", "hut" of "hut comes in"; an action is its own kind."""
    return next((use.removesuffix(f" {verb}") for verb in VERBS if use.endswith(f" {verb}")), use)


def offered(game: AnyGame, state: Any, shape: Mapping[str, Piece], plies: list[Any]) -> dict[str, int]:
    """Return by use how many of ``plies`` there are."""
    found: dict[str, int] = {}
    for ply in plies[:MOST_OFFERED]:
        use = use_of(game, state, shape, ply)
        found[use] = found.get(use, 0) + 1
    return found


def doing_without(game: AnyGame, seat: int, use: str) -> AnyGame:
    """Return ``game`` in which ``seat`` never does ``use``, a use or all uses of a kind, while it can do anything else.

    Only what a player chooses from changes; it is for players alone, no such game is played at a table.
    """
    every = game.moves

    def moves(state: Any) -> list[Any]:
        plies = every(state)
        if game.seat(state) != seat or game.shared(state) is not None:
            return plies
        shape = game.shape(state)
        uses = [use_of(game, state, shape, ply) for ply in plies]
        return [ply for ply, its in zip(plies, uses, strict=True) if use not in (its, kind_of(its))] or plies

    return replace(game, moves=moves)
