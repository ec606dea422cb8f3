"""Simple players that a program is measured against: by chance, by what is taken at once, by what is taken for nothing.

They see the whole state; none of them looks further than one answer.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from controller.rules.game import AnyGame

Anchor = Callable[[AnyGame, Any, Random], Any]


def at_random(game: AnyGame, state: Any, dice: Random) -> Any:
    """Return any legal ply."""
    return dice.choice(game.moves(state))


def greedy(game: AnyGame, state: Any, dice: Random) -> Any:
    """Return a ply that wins, else one after which most of the others' pieces are gone, or most own ones are there."""
    if game.secret and game.secret(state):
        return at_random(game, state, dice)
    seat = game.seat(state)
    assert seat is not None
    best: list[Any] = []
    most = -1e9
    for ply in game.moves(state):
        after = game.after(state, ply)
        how = game.result(after)
        own, others = _pieces(game, after, seat)
        gain = own - others + (1e6 if how.winner == seat else -1e6 if how.over and how.winner is not None else 0)
        if gain >= most:
            best = [ply] if gain > most else [*best, ply]
            most = gain
    return dice.choice(best)


def takes_what_is_free(game: AnyGame, state: Any, dice: Random) -> Any:
    """Return a ply that takes something and loses nothing to the answer, else any."""
    if game.secret and game.secret(state):
        return at_random(game, state, dice)
    seat = game.seat(state)
    assert seat is not None
    plies = game.moves(state)
    dice.shuffle(plies := list(plies))
    before = _pieces(game, state, seat)
    for ply in plies:
        after = game.after(state, ply)
        now = _pieces(game, after, seat)
        if now[1] < before[1] and now[0] >= before[0] and not _loses(game, after, seat, now[0]):
            return ply
    return plies[0]


def _loses(game: AnyGame, state: Any, seat: int, own: int) -> bool:
    if game.seat(state) in (None, seat):
        return False
    return any(_pieces(game, game.after(state, ply), seat)[0] < own for ply in game.moves(state))


def _pieces(game: AnyGame, state: Any, seat: int) -> tuple[int, int]:
    """Return how many pieces of its colour ``seat`` has, and how many the others have."""
    colour = game.colour(state, seat) if game.colour else seat
    colours = [piece.seat for piece in game.shape(state).values() if piece.seat is not None]
    return colours.count(colour), len(colours) - colours.count(colour)


ANCHORS: dict[str, Anchor] = {"random": at_random, "greedy": greedy, "free": takes_what_is_free}
