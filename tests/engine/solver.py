"""A solver that knows nothing of the engine: every ply is tried, and every answer, up to a number of plies."""

from __future__ import annotations

import random
from typing import Any

from controller.rules.game import AnyGame


class TooMany(Exception):
    """More positions than the solver may look at."""


def wins_within(game: AnyGame, state: Any, seat: int, plies: int, budget: list[int] | None = None) -> bool:
    """Whether ``seat`` has won within ``plies``, whatever others do; ``budget`` is counted down where it is given."""
    result = game.result(state)
    if result.over or not plies:
        return result.winner == seat
    if budget is not None:
        budget[0] -= 1
        if budget[0] < 0:
            raise TooMany
    each = (wins_within(game, game.after(state, ply), seat, plies - 1, budget) for ply in game.moves(state))
    return any(each) if game.seat(state) == seat else all(each)


def random_states(game: AnyGame, options: Any, seed: int, most: int) -> list[Any]:
    """Return the positions of a game at random, until it is over or has ``most`` plies."""
    dice, states = random.Random(seed), [game.start(options, seed)]
    while len(states) <= most and (plies := game.moves(states[-1])):
        states.append(game.after(states[-1], dice.choice(plies)))
    return states
