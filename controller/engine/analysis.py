"""A game looked at once it is over: each seat's chance after every ply, and the plies that turned it.

All of a game is open here, what was secret too. Pure, as the search is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from controller.engine.judgement import Shares, outcome
from controller.engine.levels import LEVELS
from controller.engine.player import Player
from controller.engine.puzzles import stands_out, texts
from controller.engine.turning_points import Analysis, Fall, turning_points
from controller.rules.game import AnyGame

replace = msgspec.structs.replace

NODES = 2_000  # positions judged for each ply of a game
IN_ALL = 400_000  # positions judged for a whole game, about: a long one is looked at less closely
FEWEST = 200


def analysed(
    game: AnyGame,
    states: Sequence[Any],
    plies: Sequence[Any],
    seats: int,
    nodes: int | None = None,
    stop: Callable[[], bool] = lambda: False,
    told: Callable[[int], None] = lambda done: None,
    options: Any = None,
) -> Analysis:
    """Return the analysis of a game: ``states`` are its positions, ``plies`` those between them.

    ``nodes`` positions are judged for each ply; ``told`` is called with how many positions are done, out of all.
    ``options`` are those of the game, None for the usual ones.
    """
    each = nodes or max(FEWEST, min(NODES, IN_ALL // max(1, len(plies))))
    look = _Look(game, seats, each, stop, options)
    chances = [look.end(states[-1])]
    falls: list[Fall] = []
    told(1)
    for number in range(len(plies), 0, -1):
        here, fall = look.back(states[number - 1], plies[number - 1], number, chances[-1])
        chances.append(here)
        falls += [fall] if fall else []
        told(len(plies) - number + 2)
    turns = tuple(look.as_puzzle(states[fall.number - 1], fall) for fall in turning_points(falls))
    return Analysis(tuple(chances[::-1]), turns)


class _Look:
    """How positions of one game are judged."""

    def __init__(self, game: AnyGame, seats: int, nodes: int, stop: Callable[[], bool], options: Any) -> None:
        self.game, self.seats, self.nodes, self.stop = game, seats, nodes, stop
        self.player = Player(game, seats, options=options)

    def end(self, state: Any) -> Shares:
        """Return the chances where a game ends, or breaks off."""
        result = self.game.result(state)
        if result.over:
            return outcome(result, self.seats, 0)
        return self.player.judge(state) if self._hidden(state) else self._found(state)[0]

    def back(self, state: Any, ply: Any, number: int, after: Shares) -> tuple[Shares, Fall | None]:
        """Return the chances before ``ply``, which led to ``after``, and what was lost by it.

        Nobody can be blamed for what was chosen in secret: such a ply changes nothing before it.
        """
        game, seat = self.game, self.game.seat(state)
        if seat is None or self._hidden(state) or game.leaver(state, ply) is not None:
            return after, None
        _, best, line = self._found(state)
        if best == ply:
            return after, None
        then = game.after(state, best)
        better = self.end(then)
        if better[seat] <= after[seat]:  # what was played is as good, seen from where it led
            return after, None
        written = texts(game, state, line)
        return better, Fall(number, seat, better[seat], after[seat], written[0], written)

    def as_puzzle(self, state: Any, fall: Fall) -> Fall:
        """Return a turning point with what its better ply does, if the position before is a puzzle."""
        better = self.game.read(state, fall.better)
        aim, _ = stands_out(self.player, state, better, fall.number, self.stop)
        return replace(fall, aim=aim)

    def _found(self, state: Any) -> tuple[Shares, Any, tuple[Any, ...]]:
        seat = self.game.seat(state)
        assert seat is not None
        found = self.player.searched(state, seat, LEVELS[-1], 0, self.nodes, self.stop)
        return found.shares, found.ply, found.line

    def _hidden(self, state: Any) -> bool:
        return bool(self.game.secret and self.game.secret(state))
