"""What a ply does for pieces beside what it takes: whom it guards, whose way it opens, whom it hems in.

A pure function of the rules, for games in which turns go round: the same side to move is compared before and after it.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from controller.rules.game import AnyGame
from controller.table.views.threats import losses, lost

CLEARLY = 2  # ways more or fewer; of a piece that has none, or had none, one is enough


def guarded(game: AnyGame, state: Any, ply: Any, after: Any) -> list[str]:
    """Return the sites of pieces that can still be taken, and only now whoever takes them can be taken for it."""
    before = game.passed(state) if game.passed else None
    if before is None:
        return []
    own, stood, stands = _colour(game, state), game.shape(state), game.shape(after)
    stayed = {site for site, piece in stands.items() if piece.seat == own and stood.get(site) == piece}
    found = sorted(losses(game, before) & losses(game, after) & (stayed - {*game.walk(state, ply).path}))
    return [site for site in found if _answered(game, after, site) and not _answered(game, before, site)]


def _answered(game: AnyGame, state: Any, site: str) -> bool:
    """Whether each ply that takes the piece on ``site`` lets the other side take what made it."""
    for taking in game.moves(state):
        walk = game.walk(state, taking)
        if lost(walk, {site}):
            then = game.after(state, taking)
            if game.seat(then) in (None, game.seat(state)) or walk.path[-1] not in losses(game, then):
                return False
    return True


def opened(game: AnyGame, state: Any, ply: Any, after: Any) -> str:
    """Return the site of the own piece that gains most ways by a ply of another one, if that is much; else ""."""
    then = game.passed(after) if game.passed else None
    return "" if then is None else _most(game, state, then, {*game.walk(state, ply).path}, _colour(game, state))


def hemmed_in(game: AnyGame, state: Any, ply: Any, after: Any) -> str:
    """Return the site of the other side's piece that loses most ways, if that is much; else ""."""
    before = game.passed(state) if game.passed else None
    if before is None:
        return ""
    return _most(game, after, before, {*game.walk(state, ply).path}, _colour(game, before))


def freer(game: AnyGame, state: Any, ply: Any, after: Any) -> tuple[int, int]:
    """Return how many ways the piece that moves has after ``ply``, and how many it had; the same where it is not known,
    or becomes another piece.
    """
    then, path = game.passed(after) if game.passed else None, game.walk(state, ply).path
    if then is None or len(path) < 2 or game.shape(state).get(path[0]) != game.shape(after).get(path[-1]):
        return 0, 0
    return _ways(game, then)[path[-1]], _ways(game, state)[path[0]]


def _most(game: AnyGame, fewer: Any, more: Any, but: set[str], colour: int) -> str:
    """Return the site of ``colour`` whose piece has most ways in ``more`` beyond those in ``fewer``."""
    few, many, stood, stands = _ways(game, fewer), _ways(game, more), game.shape(fewer), game.shape(more)
    gains = {
        site: many[site] - few[site]
        for site, piece in stands.items()
        if piece.seat == colour and stood.get(site) == piece and site not in but
    }
    clear = [site for site, gain in gains.items() if gain >= (CLEARLY if few[site] else 1)]
    return max(sorted(clear), key=gains.__getitem__, default="")


def _ways(game: AnyGame, state: Any) -> Counter[str]:
    """Return by site how many plies the player to move has with the piece there."""
    walks = (game.walk(state, ply) for ply in game.moves(state))
    return Counter(walk.path[0] for walk in walks if len(walk.path) > 1)


def _colour(game: AnyGame, state: Any) -> int:
    return game.colour_of(state, game.seat(state) or 0)
