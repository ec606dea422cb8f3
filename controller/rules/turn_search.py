"""All shortest ways to a goal within one turn, looked for exhaustively, no deeper than a goal says it must lie.

Pure. Must not name any game.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from controller.rules.game import AnyGame

Way = tuple[Any, ...]
MOST_WAYS = 240  # that are listed; orders of the same plies count apart


class TooLong(Exception):
    """A search has looked at as many positions as it may, and knows nothing."""


class TurnSearch:
    """A search for ways to ``goal`` in the turn that begins at ``start``, behind at most so many ``nodes``."""

    def __init__(self, game: AnyGame, start: Any, goal: str, nodes: int) -> None:
        assert game.goals
        self._game, self._goals, self._start, self._goal = game, game.goals, start, goal
        self._left = nodes
        self._dead: dict[Any, int] = {}  # by state: within so many plies there is no way from it

    def shortest(self, state: Any, most: int, ways: int = MOST_WAYS) -> tuple[Way, ...]:
        """Return the shortest ways from ``state``, of ``most`` plies at most; () where there is none so short.

        So many ``ways`` at most. Raises `TooLong`.
        """
        least = self._goals.lacks(self._start, state, self._goal)
        if least is None:
            return ()
        for plies in range(max(1, least), most + 1):
            if found := tuple(islice(self._ways(state, plies), ways)):
                return found
        return ()

    def _ways(self, state: Any, plies: int) -> Iterator[Way]:
        """Yield the ways of just so many plies; none shorter is there."""
        if self._dead.get(state, 0) >= plies:
            return
        self._left -= 1
        if self._left < 0:
            raise TooLong
        alive = False
        for ply in self._goals.serving(state, self._goal):
            then = self._game.after(state, ply)
            lacking = self._goals.lacks(self._start, then, self._goal)
            if lacking == 0:
                alive = True
                yield (ply,)
            elif lacking is not None and lacking < plies:
                for way in self._ways(then, plies - 1):
                    alive = True
                    yield (ply, *way)
        if not alive:
            self._dead[state] = plies
