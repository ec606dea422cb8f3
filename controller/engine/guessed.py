"""Search of a game in which something is hidden: one tree, and for each way down it a fresh guess of what is hidden.

Values are by seat, so that it serves any number of them. After the single-observer information set search of Cowling,
Powley and Whitehouse. Pure, as `best_first` is.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from random import Random
from typing import Any

from controller.engine.found import Found, Sight
from controller.engine.judgement import Judge, Shares, outcome
from controller.rules.game import AnyGame

CURIOSITY = 0.8  # how much a ply gains by having been tried less than others
PLAYOUT = 4  # plies at random behind the tree
FOREIGN = 1 << 62  # seeds of guesses are below


class _MetNode:
    """What is known of the plies that were met here, whatever was guessed: by ply a node with its sums."""

    __slots__ = ("after", "could", "total", "visits")

    def __init__(self, seats: int) -> None:
        self.after: dict[Any, _MetNode] = {}
        self.visits = self.could = 0
        self.total = [0.0] * seats


class Guessed:
    """One search from what ``seat`` knows. `run` may be called again to go on; `found` tells the best so far."""

    def __init__(self, game: AnyGame, known: Any, seat: int, seats: int, judge: Judge, sight: Sight, seed: int) -> None:
        self.game, self.known, self.seat, self.seats, self.judge, self.sight = game, known, seat, seats, judge, sight
        self.dice = Random(seed)
        self.root = _MetNode(seats)
        self.looked_at = 0

    def run(self, nodes: int, stop: Callable[[], bool]) -> None:
        """Search until ``nodes`` positions have been looked at in all, or ``stop`` says so; once in any case."""
        while True:
            self._go_down(self._guess())
            if self.looked_at >= nodes or stop():
                return

    def _guess(self) -> Any:
        imagine = self.game.imagine
        return imagine(self.known, self.seat, self.dice.randrange(FOREIGN)) if imagine else self.known

    def _go_down(self, state: Any) -> None:
        """Go down by the plies that this guess allows, add one that is new, play on at random, and count."""
        game, node, path, new = self.game, self.root, [self.root], False
        while not new and len(path) <= self.sight.depth and (plies := game.moves(state)):
            seat = game.seat(state)
            assert seat is not None
            ply, new = self._chosen(node, plies, seat)
            node = node.after[ply]
            path.append(node)
            state = game.after(state, ply)
            self.looked_at += 1
        for _ in range(PLAYOUT):
            if not (plies := game.moves(state)):
                break
            state = game.after(state, self.dice.choice(plies))
            self.looked_at += 1
        how = game.result(state)
        shares = outcome(how, self.seats, len(path)) if how.over else self.judge(state)
        for each in path:
            each.visits += 1
            for seat, share in enumerate(shares):
                each.total[seat] += share

    def _chosen(self, node: _MetNode, plies: list[Any], seat: int) -> tuple[Any, bool]:
        """Return the ply that promises most to ``seat``, tried or not, and whether it is new."""
        mean = node.total[seat] / node.visits if node.visits else 1 / self.seats
        best, chosen = -1.0, plies[0]
        even = CURIOSITY / len(plies)
        root = sqrt(node.visits + 1)
        for ply in plies:
            below = node.after.get(ply)
            if below is None:
                worth = mean + even * root * (1 + self.dice.random() / 1000)
            else:
                below.could += 1
                worth = below.total[seat] / below.visits + even * sqrt(below.could + 1) * 4 / (1 + below.visits)
            if worth > best:
                best, chosen = worth, ply
        new = chosen not in node.after
        if new:
            node.after[chosen] = _MetNode(self.seats)
        return chosen, new

    def found(self) -> Found:
        """Return the best so far: the ply that was tried most."""
        node, line = self.root, []
        while node.after:
            ply = max(node.after, key=lambda each: node.after[each].visits)
            node = node.after[ply]
            line.append(ply)
        tried = {ply: below for ply, below in self.root.after.items() if below.visits}
        worths = tuple((ply, below.total[self.seat] / below.visits) for ply, below in tried.items())
        first = self.root.after[line[0]]
        shares: Shares = tuple([total / first.visits for total in first.total])
        return Found(line[0], shares, worths, tuple(line), self.looked_at, False)
