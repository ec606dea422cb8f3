"""Monte-Carlo tree search, plain: UCT, a short playout at random, then the judgement."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

from controller.rules.game import AnyGame
from tools.arena.worth import Judge

CURIOSITY = 0.7
PLAYOUT = 12  # plies
EVEN = 250.0  # points ahead that make three wins of four


class Node:
    """A position in the tree. ``points`` are those of the seat that thinks, from 0 to 1 a visit."""

    __slots__ = ("children", "mine", "points", "state", "untried", "visits")

    def __init__(self, state: Any, mine: bool) -> None:
        self.state, self.mine = state, mine
        self.untried: list[Any] | None = None
        self.children: list[tuple[Any, Node]] = []
        self.visits, self.points = 0, 0.0

    def chosen(self) -> Node:
        """Return the child that is best for the side to move, or has been looked at too little."""
        total = math.log(self.visits)

        def promise(child: Node) -> float:
            mean = child.points / child.visits
            return (mean if self.mine else 1 - mean) + CURIOSITY * math.sqrt(total / child.visits)

        return max((child for _, child in self.children), key=promise)


class Tree:
    """The search of one position."""

    def __init__(self, game: AnyGame, judge: Judge, me: int, dice: Random) -> None:
        self.game, self.judge, self.me, self.dice = game, judge, me, dice

    def best(self, state: Any, plies: list[Any], stop: Callable[[int], bool]) -> Any:
        """Return the one of ``plies`` that was looked at most."""
        root = Node(state, mine=True)
        root.untried = list(plies)
        self.dice.shuffle(root.untried)
        done = 0
        while not stop(done):
            self._once(root)
            done += 1
        return max(root.children, key=lambda pair: pair[1].visits)[0] if root.children else plies[0]

    def _once(self, node: Node) -> None:
        way = [node]
        while (untried := self._untried(node)) == [] and node.children:
            node = node.chosen()
            way.append(node)
        if untried:
            ply = untried.pop()
            state = self.game.after(node.state, ply)
            child = Node(state, self.judge.mover(state) == self.me)
            node.children.append((ply, child))
            way.append(child)
        points = self._played_out(way[-1].state)
        for each in way:
            each.visits += 1
            each.points += points

    def _untried(self, node: Node) -> list[Any]:
        if node.untried is None:
            moves = [] if node.state.why else self.judge.sensible(node.state, self.game.moves(node.state))
            self.dice.shuffle(moves)
            node.untried = moves
        return node.untried

    def _played_out(self, state: Any) -> float:
        moves, after, choice = self.game.moves, self.game.after, self.dice.choice
        for _ in range(PLAYOUT):
            plies = [] if state.why else moves(state)
            if not plies:
                winner = self.game.result(state).winner
                return 0.5 if winner is None else float(winner == self.me)
            state = after(state, choice(plies))
        worths = self.judge.worth(state)
        ahead = worths[self.me] - max(worth for seat, worth in enumerate(worths) if seat != self.me)
        return 1 / (1 + math.exp(-max(-40.0, min(40.0, ahead / EVEN))))
