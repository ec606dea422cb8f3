"""Which pieces of the player to move are in danger: a hint, from the rules alone.

Owns the guess: what the opponents could take after some quiet ply that has nothing to do with it. Must not know lights.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from controller.rules.game import Walk
from controller.rules.registry import game_named

SAMPLES = 3  # quiet plies of different pieces


def threatened(name: str, state: Any) -> frozenset[str]:
    """Return the sites, as the game names them, of pieces that the next player could take if they stay."""
    return frozenset(_replies(name, state) or {})


def attackers(name: str, state: Any, site: str) -> frozenset[str] | None:
    """Return where the pieces stand that could take the one at ``site``, now or as the next player.

    None where there is no quiet ply after which that could be seen.
    """
    game = game_named(name)
    shape = game.shape(state)
    found, replies = set[str](), _replies(name, state)
    for ply in game.moves(state) if site in shape else ():
        walk = game.walk(state, ply)
        if walk.path and site in _lost(walk, {site}) and shape.get(walk.path[0], shape[site]).seat != shape[site].seat:
            found.add(walk.path[0])
    found |= (replies or {}).get(site, frozenset())
    return None if replies is None and not found else frozenset(found)


@lru_cache(maxsize=16)
def _replies(name: str, state: Any) -> Mapping[str, frozenset[str]] | None:
    """Return by site from where its piece could be taken after some quiet ply; None where there is no such ply."""
    game = game_named(name)
    before = game.shape(state)
    found: dict[str, set[str]] = {}
    samples = tuple(_samples(name, state))
    for ply in samples:
        after = game.after(state, ply)
        kept = {site for site, piece in game.shape(after).items() if before.get(site) == piece}
        for reply in game.moves(after):
            walk = game.walk(after, reply)
            for site in _lost(walk, kept):
                found.setdefault(site, set()).update(walk.path[:1])
    return {site: frozenset(origins) for site, origins in found.items()} if samples else None


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
