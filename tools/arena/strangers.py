"""The players by name. Each gets the game, a position, dice and a budget, and returns a ply.

They are shown what their seat may know, and no more.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from controller.rules.game import AnyGame
from controller.sentences import say
from tools.arena.search import DEEPEST, Search
from tools.arena.tree import Tree
from tools.arena.worth import JUDGES, Judge

EVER = 1e9


class Budget(NamedTuple):
    """What a ply may cost: ``seconds`` of the processor, and ``nodes`` where they are counted."""

    seconds: float = 0.5
    nodes: int | None = None

    def stop(self) -> Callable[[int], bool]:
        """Return a function that tells, of the nodes so far, whether to stop; its time begins now."""
        ends, most = time.process_time() + self.seconds, self.nodes
        return lambda nodes: time.process_time() >= ends or (most is not None and nodes >= most)


Stranger = Callable[[AnyGame, Any, Random, Budget], Any]


class NoJudge(ValueError):
    """A game that nobody has written a judgement for."""


def judge_of(game: AnyGame) -> Judge:
    """Return how a position of ``game`` is judged; raises `NoJudge`."""
    try:
        return JUDGES[game.facts.name]
    except KeyError:
        raise NoJudge(say("tools/arena/worth.py has no judgement of {game}", game=game.facts.name)) from None


def at_random(game: AnyGame, state: Any, dice: Random, budget: Budget) -> Any:
    """Return any legal ply."""
    return dice.choice(game.moves(state))


def greedy(game: AnyGame, state: Any, dice: Random, budget: Budget) -> Any:
    """Return a ply that wins, else one that takes most at once, else any."""
    me, judge = _me(game, state), judge_of(game)

    def promise(ply: Any) -> float:
        after = game.after(state, ply)
        won = (after.why or not game.moves(after)) and game.result(after).winner == me
        return EVER if won else judge.gain(state, ply)

    return _best_by(promise, game.moves(state), dice)


def often_at_random(game: AnyGame, state: Any, dice: Random, budget: Budget) -> Any:
    """Return what `greedy` does, but 40 of 100 plies at random."""
    return (at_random if dice.random() < 0.4 else greedy)(game, state, dice, budget)


def look1(game: AnyGame, state: Any, dice: Random, budget: Budget) -> Any:
    """Return the ply after which the position is best at a glance."""
    me, judge = _me(game, state), judge_of(game)

    def promise(ply: Any) -> float:
        after = game.after(state, ply)
        if after.why or not game.moves(after):
            winner = game.result(after).winner
            return 0.0 if winner is None else EVER if winner == me else -EVER
        worths = judge.worth(after)
        return worths[me] - max(worth for seat, worth in enumerate(worths) if seat != me)

    return _best_by(promise, judge.sensible(state, game.moves(state)), dice)


def to_depth(depth: int) -> Stranger:
    """Return alpha-beta that looks at so many plies, and at the captures behind them, whatever that takes."""

    def choose(game: AnyGame, state: Any, dice: Random, budget: Budget) -> Any:
        search = Search(game, judge_of(game), _me(game, state), lambda nodes: False, tricks=False)
        return search.best(state, _sensible(game, state), depth, dice)

    return choose


def alpha_beta(game: AnyGame, state: Any, dice: Random, budget: Budget) -> Any:
    """Return the best ply that alpha-beta finds within the budget."""
    plies = _sensible(game, state)
    if len(plies) == 1:
        return plies[0]
    search = Search(game, judge_of(game), _me(game, state), budget.stop(), tricks=True)
    return search.best(state, plies, DEEPEST, dice)


def monte_carlo(game: AnyGame, state: Any, dice: Random, budget: Budget) -> Any:
    """Return the ply that UCT looks at most within the budget; a node is a playout."""
    plies = _sensible(game, state)
    return Tree(game, judge_of(game), _me(game, state), dice).best(state, plies, budget.stop())


def _me(game: AnyGame, state: Any) -> int:
    return judge_of(game).mover(state)


def _sensible(game: AnyGame, state: Any) -> list[Any]:
    return list(judge_of(game).sensible(state, game.moves(state)))


def _best_by(promise: Callable[[Any], float], plies: list[Any], dice: Random) -> Any:
    promises = [promise(ply) for ply in plies]
    most = max(promises)
    return dice.choice([ply for ply, each in zip(plies, promises, strict=True) if each == most])


STRANGERS: dict[str, Stranger] = {
    "random": at_random,
    "greedy": greedy,
    "r40": often_at_random,
    "look1": look1,
    "ab2": to_depth(2),
    "ab4": to_depth(4),
    "ab": alpha_beta,
    "mcts": monte_carlo,
}


def chosen(name: str, game: AnyGame, state: Any, dice: Random, budget: Budget) -> Any:
    """Return the ply of the stranger called ``name``; what is chosen in secret is chosen at random."""
    seat = game.seat(state)
    seen = game.known(state, seat) if game.known else state
    if game.secret and game.secret(state):
        return at_random(game, seen, dice, budget)
    return STRANGERS[name](game, seen, dice, budget)
