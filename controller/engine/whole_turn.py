"""The best turn of several plies, for what judges a turn as a whole.

In the middle of a turn units in a coffer, or a beacon half paid for, are worth little or much by where a search breaks
off. So turns are compared where they are over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from controller.engine.levels import LEVELS
from controller.engine.player import Player
from controller.rules.game import AnyGame

LONGEST = 40  # plies


def whole_turn(
    player: Player, state: Any, first: Any, seed: int, nodes: int, stop: Callable[[], bool]
) -> tuple[Any, ...]:
    """Return the best turn from ``state`` that begins with ``first``.

    Each further ply is searched for with half of the ``nodes`` that are left, at which ``stop`` says when it is time.
    """
    game, seat, plies = player.game, player.game.seat(state), [first]
    state = game.after(state, first)
    while len(plies) < LONGEST and game.seat(state) == seat and not (game.secret and game.secret(state)):
        nodes //= 2
        plies.append(player.choose(state, LEVELS[-1], seed, max(1, nodes), stop).ply)
        state = game.after(state, plies[-1])
    return tuple(plies)


def after_all(game: AnyGame, state: Any, plies: Sequence[Any]) -> Any:
    """Return the state after ``plies``."""
    for ply in plies:
        state = game.after(state, ply)
    return state
