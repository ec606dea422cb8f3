"""How a hand makes a ply: which pieces it lifts and places, in one of the orders that people use.

For measurements, and for tests that play whole games.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

import msgspec

from controller.rules.game import AnyGame

Move = tuple[str, bool]  # a site of the game, and whether a piece is placed there (else it is lifted)


class Gesture(msgspec.Struct, frozen=True):
    """A hand at work: ``moves`` make the ply, ``chores`` put right what is left to do afterwards."""

    moves: tuple[Move, ...]
    chores: tuple[Move, ...]


def gesture(game: AnyGame, state: object, ply: object, dice: random.Random | None = None) -> Gesture:
    """Return how a hand makes the legal ``ply``; ``moves`` is empty where no sensor can see it.

    Without ``dice`` the tidy way: lift the piece, take what it takes, place it. With them victims are lifted first, on
    the way or last, and the piece may touch down on its way. Where only the stops distinguish plies it always does.
    """
    walk = game.walk(state, ply)
    before, later = set(game.shape(state)), set(game.shape(game.after(state, ply)))
    if not walk.path:
        return Gesture(tidy(before, later), ())
    origin, landing = walk.path[0], walk.path[-1]
    victims = [*walk.takes, *({landing} & before - {origin, *walk.takes})]
    first, between, last = _turns(victims, walk.path, dice)
    moves: list[Move] = [(site, False) for site in first]
    if len(walk.path) > 1:
        moves.append((origin, False))
    moves += [(site, False) for site in between]
    if (dice is not None and dice.random() < 0.3) or _twins(game, state, ply):
        moves += [move for site in walk.path[1:-1] for move in ((site, True), (site, False))]
    moves.append((landing, True))
    moves += [(site, False) for site in last]
    done = (before - set(victims) - {origin}) | {landing}
    return Gesture(tuple(moves), tidy(done, later))


def tidy(now: set[str], wanted: set[str]) -> tuple[Move, ...]:
    """Return the moves that make ``wanted`` of ``now``: lift first, then place."""
    return (*((site, False) for site in sorted(now - wanted)), *((site, True) for site in sorted(wanted - now)))


def _turns(
    victims: Iterable[str], path: tuple[str, ...], dice: random.Random | None
) -> tuple[list[str], list[str], list[str]]:
    """Return the pieces lifted before the moving piece, after it, and after it stands; none of them in its way."""
    first: list[str] = []
    between: list[str] = []
    last: list[str] = []
    for victim in victims:
        turns = (first, between) if victim in path else (first, between, last)
        (dice.choice(turns) if dice else between).append(victim)
    return first, between, last


def _twins(game: AnyGame, state: object, ply: object) -> bool:
    """Whether another ply with the same piece ends in exactly the same way."""
    walk = game.walk(state, ply)
    if len(walk.path) < 3 or not walk.takes:
        return False
    ends = (walk.path[0], walk.path[-1], frozenset(walk.takes))
    walks = (game.walk(state, other) for other in game.moves(state) if other != ply)
    return any(other.path and (other.path[0], other.path[-1], frozenset(other.takes)) == ends for other in walks)
