"""Which pieces of the player to move are in danger: a hint, from the rules alone.

Owns the guess: what the opponents could take after some quiet ply that has nothing to do with it. Must not know lights.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from controller.rules.game import Walk
from controller.rules.registry import game_named

SAMPLES = 3  # quiet plies of different pieces


@lru_cache(maxsize=16)
def threatened(name: str, state: Any) -> frozenset[str]:
    """Return the sites, as the game names them, of pieces that the next player could take if they stay."""
    game = game_named(name)
    before = game.shape(state)
    found: set[str] = set()
    for ply in _samples(name, state):
        after = game.after(state, ply)
        kept = {site for site, piece in game.shape(after).items() if before.get(site) == piece}
        for reply in game.moves(after):
            found |= _lost(game.walk(after, reply), kept)
    return frozenset(found)


def _samples(name: str, state: Any) -> Iterator[Any]:
    """Yield quiet plies of different pieces that hand the turn over."""
    game, origins = game_named(name), set[str]()
    for ply in game.plies(state):
        walk = game.walk(state, ply)
        if len(walk.path) < 2 or walk.takes or walk.path[0] in origins:
            continue
        if game.seat(game.after(state, ply)) in (None, game.seat(state)):
            continue
        origins.add(walk.path[0])
        yield ply
        if len(origins) == SAMPLES:
            return


def _lost(walk: Walk, kept: set[str]) -> set[str]:
    """Return the sites of ``kept`` that a reply takes from: jumped, or landed on."""
    taken = set(walk.takes)
    if walk.path and walk.path[-1] != walk.path[0]:
        taken.add(walk.path[-1])
    return taken & kept
