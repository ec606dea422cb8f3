"""Which pieces of the player to move are in danger: a hint, from the rules alone.

Owns the guess: what the opponents could take after some quiet ply that has nothing to do with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from controller.rules.game import AnyGame, Walk

SAMPLES = 3  # quiet plies of different pieces


def threatened(game: AnyGame, state: Any) -> frozenset[str]:
    """Return the sites, as the game names them, of pieces that the next player could take if they stay."""
    return frozenset(_replies(game, state) or {})


@lru_cache(maxsize=16)
def in_danger(game: AnyGame, state: Any) -> frozenset[str]:
    """Return the sites of pieces that fall to the next player, or by the rules, whichever quiet ply of another piece is
    made. It is less than `threatened`: no ply that was looked at has brought the danger about, and it is there as well
    where the player to move could pass.
    """
    stood, judged, spared, falls = game.shape(state), Counter[str](), set[str](), set[str]()
    for ply in _samples(game, state):
        after, way = game.after(state, ply), game.walk(state, ply).path
        others, stands = stood.keys() - set(way), game.shape(after).keys()
        judged.update(others)
        spared |= (others & stands) - losses(game, after)
        falls |= others - stands
    if judged and game.passed and (passed := game.passed(state)) is not None:
        spared |= judged.keys() - losses(game, passed) - falls
    return frozenset(site for site, times in judged.items() if times > 1 and site not in spared)


@lru_cache(maxsize=16)
def exposed(game: AnyGame, state: Any) -> frozenset[str]:
    """Return the sites of pieces that fall where the player to move does nothing about it."""
    passed = game.passed(state) if game.passed else None
    return in_danger(game, state) | (losses(game, passed) if passed is not None else frozenset())


@lru_cache(maxsize=16)
def losses(game: AnyGame, state: Any) -> frozenset[str]:
    """Return the sites from which the player to move could take a piece."""
    stood = set(game.shape(state))
    return frozenset(site for ply in game.moves(state) for site in lost(game.walk(state, ply), stood))


def attackers(game: AnyGame, state: Any, site: str) -> frozenset[str] | None:
    """Return where the pieces stand that could take the one at ``site``, now or as the next player; "" is beside the
    board.

    None where there is no quiet ply after which that could be seen.
    """
    shape = game.shape(state)
    found, replies = set[str](), _replies(game, state)
    for ply in game.moves(state) if site in shape else ():
        walk = game.walk(state, ply)
        if walk.path and site in lost(walk, {site}):
            origin = _origin(walk)
            mover = shape[origin].seat if origin in shape else game.colour_of(state, game.seat(state) or 0)
            if mover != shape[site].seat:
                found.add(origin)
    found |= (replies or {}).get(site, frozenset())
    return None if replies is None and not found else frozenset(found)


@lru_cache(maxsize=16)
def _replies(game: AnyGame, state: Any) -> Mapping[str, frozenset[str]] | None:
    """Return by site from where its piece could be taken after some quiet ply; None where there is no such ply."""
    before = game.shape(state)
    found: dict[str, set[str]] = {}
    samples = tuple(_samples(game, state))
    for ply in samples:
        after = game.after(state, ply)
        kept = {site for site, piece in game.shape(after).items() if before.get(site) == piece}
        for reply in game.moves(after):
            walk = game.walk(after, reply)
            for site in lost(walk, kept):
                found.setdefault(site, set()).add(_origin(walk))
    return {site: frozenset(origins) for site, origins in found.items()} if samples else None


def _samples(game: AnyGame, state: Any) -> Iterator[Any]:
    """Yield quiet plies of different pieces that hand the turn over."""
    origins = set[str]()
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


def _origin(walk: Walk) -> str:
    return walk.path[0] if len(walk.path) > 1 else ""


def lost(walk: Walk, kept: set[str]) -> set[str]:
    """Return the sites of ``kept`` that a reply takes from: jumped, or landed on, be it by what comes from beside the
    board.
    """
    taken = set(walk.takes)
    if walk.path and (len(walk.path) == 1 or walk.path[-1] != walk.path[0]):
        taken.add(walk.path[-1])
    return taken & kept
