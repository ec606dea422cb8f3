"""Alpha-beta: to a fixed depth, or ever deeper until a budget is spent.

A search sees two sides: the seat that thinks, and all others together. Values are those of the side to move.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from random import Random
from typing import Any, NamedTuple

from controller.rules.game import AnyGame
from tools.arena.worth import SLIGHT, Judge

WIN = 1e6
DEEPEST = 64
EXACT, LEAST, MOST = 0, 1, 2  # what a kept value is: itself, or a bound
TAKES_AT_MOST = 8  # plies of captures behind the last one that is looked at whole


class OutOfBudget(Exception):
    """The time is up, or the nodes are counted out."""


class Kept(NamedTuple):
    """What was found out about a position."""

    depth: int
    bound: int
    value: float
    ply: Any


class Search:
    """One search of one position. ``tricks``: reductions and passing, which look deeper but may overlook something."""

    def __init__(self, game: AnyGame, judge: Judge, me: int, stop: Callable[[int], bool], tricks: bool) -> None:
        self.game, self.judge, self.me, self.stop, self.tricks = game, judge, me, stop, tricks
        self.nodes = 0
        self.table: dict[Hashable, Kept] = {}
        self.history: dict[Any, int] = {}
        self.killers: list[list[Any]] = [[] for _ in range(2 * DEEPEST)]

    def best(self, state: Any, plies: list[Any], deepest: int, dice: Random) -> Any:
        """Return the best of ``plies``, as far as the budget lets it see."""
        dice.shuffle(plies)
        plies.sort(key=lambda ply: -self.judge.gain(state, ply))
        found = plies[0]
        try:
            for depth in range(1, deepest + 1):
                value = -4 * WIN
                for ply in list(plies):
                    of_ply = self._of_child(state, self.game.after(state, ply), depth - 1, value, 4 * WIN)
                    if of_ply > value:
                        value, found = of_ply, ply
                plies.remove(found)
                plies.insert(0, found)
                if abs(value) >= WIN:
                    break
        except OutOfBudget:
            pass
        return found

    def _of_child(self, state: Any, child: Any, depth: int, alpha: float, beta: float) -> float:
        """Return the value of ``child`` for the side to move in ``state``."""
        if self.judge.circles and not child.why and self._circled(state, child):
            return 0.0
        if self._mine(child) == self._mine(state):
            return self._value(child, depth, alpha, beta)
        return -self._value(child, depth, -beta, -alpha)

    def _circled(self, state: Any, child: Any) -> bool:
        """Whether the position of ``child`` has stood before; within a turn nobody looks."""
        seen = child.seen
        return bool(seen) and seen is not state.seen and seen.count(seen[-1]) > 1

    def _mine(self, state: Any) -> bool:
        return self.judge.mover(state) == self.me

    def _glance(self, state: Any) -> float:
        """Return what the judgement says of ``state``."""
        worths, me = self.judge.worth(state), self.me
        ahead = worths[me] - max(worth for seat, worth in enumerate(worths) if seat != me)
        return ahead if self._mine(state) else -ahead

    def _ended(self, state: Any, depth: int) -> float:
        """Return the value of a finished game: the more depth was left, the sooner it came."""
        result = self.game.result(state)
        if result.winner is None:
            return 0.0
        return (WIN + depth) * (1 if (result.winner == self.me) == self._mine(state) else -1)

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes & 63 == 0 and self.stop(self.nodes):
            raise OutOfBudget

    def _value(self, state: Any, depth: int, alpha: float, beta: float, may_pass: bool = True) -> float:
        if depth <= 0:
            return self._settled(state, TAKES_AT_MOST, alpha, beta)
        self._count()
        if state.why:
            return self._ended(state, depth)
        key = self.judge.key(state)
        kept = self.table.get(key)
        if kept and kept.depth >= depth:
            if kept.bound == EXACT:
                return kept.value
            if (kept.bound == LEAST and kept.value >= beta) or (kept.bound == MOST and kept.value <= alpha):
                return kept.value
        if self.tricks and may_pass and depth >= 3 and self._wins_by_passing(state, depth, beta):
            return beta
        plies = self.judge.sensible(state, self.game.moves(state))
        if not plies:
            return self._ended(state, depth)
        value, best = self._best_of(state, self._ordered(state, plies, kept, depth), depth, alpha, beta)
        bound = LEAST if value >= beta else EXACT if value > alpha else MOST
        self.table[key] = Kept(depth, bound, value, best)
        return value

    def _best_of(
        self, state: Any, plies: list[tuple[float, Any]], depth: int, alpha: float, beta: float
    ) -> tuple[float, Any]:
        after, value, best = self.game.after, -4 * WIN, None
        for number, (rank, ply) in enumerate(plies):
            child = after(state, ply)
            if number == 0:
                found = self._of_child(state, child, depth - 1, alpha, beta)
            else:
                less = 0
                if self.tricks and depth >= 3 and number >= 4 and rank < SOME_GAIN:
                    less = 2 if number >= 14 and depth >= 5 else 1
                found = self._of_child(state, child, depth - 1 - less, alpha, alpha + 0.5)
                if found > alpha and (less or found < beta):
                    found = self._of_child(state, child, depth - 1, alpha, beta)
            if found > value:
                value, best = found, ply
                alpha = max(alpha, value)
                if alpha >= beta:
                    if rank < SOME_GAIN:
                        self._remember(ply, depth)
                    break
        return value, best

    def _remember(self, ply: Any, depth: int) -> None:
        """Keep a quiet ply that refuted something: it may do so next door."""
        self.history[ply] = self.history.get(ply, 0) + depth * depth
        killers = self.killers[depth]
        if ply not in killers:
            self.killers[depth] = [ply, *killers[:1]]

    def _ordered(self, state: Any, plies: list[Any], kept: Kept | None, depth: int) -> list[tuple[float, Any]]:
        gain, history, killers = self.judge.gain, self.history, self.killers[depth]
        first = kept.ply if kept else None
        ranked = []
        for ply in plies:
            rank = gain(state, ply) * SOME_GAIN
            if ply == first:
                rank += 1e12
            elif not rank:
                rank = SOME_GAIN / 2 if ply in killers else min(history.get(ply, 0), SOME_GAIN / 3)
            ranked.append((rank, ply))
        ranked.sort(key=lambda pair: -pair[0])
        return ranked

    def _wins_by_passing(self, state: Any, depth: int, beta: float) -> bool:
        """Whether even a turn given away would leave the side to move well enough."""
        if beta >= WIN or self.game.passed is None or not self.judge.passes(state) or self._glance(state) < beta:
            return False
        other = self.game.passed(state)
        if other is None or self._mine(other) == self._mine(state):
            return False
        return -self._value(other, depth - 3, -beta, -beta + 0.5, may_pass=False) >= beta

    def _settled(self, state: Any, left: int, alpha: float, beta: float) -> float:
        """Return the value after the captures that the sides choose to make."""
        self._count()
        if state.why:
            return self._ended(state, 0)
        rest = self.judge.rests(state) if left else None
        value = self._glance(state) if rest is None else self._settled_child(state, rest, left - 1, alpha, beta)
        if value >= beta or left == 0 or value >= WIN:
            return value
        alpha = max(alpha, value)
        moves = self.game.moves(state)
        if not moves:
            return self._ended(state, 0)
        gain = self.judge.gain
        takes = [
            (points, ply) for ply in moves if (points := gain(state, ply)) > SLIGHT and value + points + 150 > alpha
        ]
        takes.sort(key=lambda pair: -pair[0])
        for _, ply in takes:
            found = self._settled_child(state, ply, left - 1, alpha, beta)
            if found > value:
                value, alpha = found, max(alpha, found)
                if alpha >= beta:
                    break
        return value

    def _settled_child(self, state: Any, ply: Any, left: int, alpha: float, beta: float) -> float:
        child = self.game.after(state, ply)
        if self._mine(child) == self._mine(state):
            return self._settled(child, left, alpha, beta)
        return -self._settled(child, left, -beta, -alpha)


SOME_GAIN = 1e7  # ranks below are those of quiet plies
