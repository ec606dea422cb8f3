"""The best level as it plays at the board: with the time that a position is worth, and on the time of others."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from controller.engine.alpha_beta import LONG
from controller.engine.levels import LEVELS
from controller.engine.player import Player
from controller.rules.game import AnyGame
from tools.arena.strangers import Budget

TIMED = ("8-timed", "8-kept", "8-ahead")
EVEN = 0.9  # of the budget is its usual time: so it takes about as much on average as who always takes all of it


class TimedPlayer:
    """One of `TIMED`: the first one begins anew at each ply, the others go on with what they have found.

    The last one also has as much time while others think as for a ply of its own.
    """

    def __init__(self, name: str, game: AnyGame, seats: int, budget: Budget, options: Any = None) -> None:
        self._game, self._seats, self._seconds = game, seats, EVEN * budget.seconds
        self._options = options
        self._player = Player(game, seats, options=options)
        self._begins_anew, self._thinks_ahead = name == "8-timed", name == "8-ahead"
        self._left: Any = None  # the position after its last ply

    def __call__(self, state: Any, seed: int) -> Any:
        """Return its ply in ``state``."""
        game, seat = self._game, self._game.seat(state)
        if self._thinks_ahead and self._left is not None and game.seat(self._left) not in (None, seat):
            passed = since_now(self._seconds)
            self._player.ahead(self._left, seed, lambda: passed(1))
        if self._begins_anew:
            self._player = Player(game, self._seats, options=self._options)
        passed = since_now(self._seconds)
        ply = self._player.choose(state, LEVELS[-1], seed, None, lambda: passed(LONG), passed).ply
        self._left = game.after(state, ply)
        return ply


def since_now(seconds: float) -> Callable[[float], bool]:
    """Return whether such a part of so many seconds of the processor is over, from now on."""
    began = time.process_time()
    return lambda part: time.process_time() - began >= part * seconds
