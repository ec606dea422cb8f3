"""`python -m tools.arena.closing GAME A B`: how long A takes to end a game in which it is far ahead.

Far ahead is who is, at its own ply, worth so many `POINTS` more than the other, by `tools/arena/worth.py`. It is for
the games of two with open boards.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from controller.rules.game import AnyGame
from controller.rules.registry import game_named
from tools.arena.likelihood import wilson
from tools.arena.matches import LONGEST, opening, player
from tools.arena.strangers import Budget, judge_of

POINTS = 200.0  # about two plain pieces


class Closed(NamedTuple):
    """A game in which A came to be far ahead: how many plies later it was over, and A's points."""

    plies: int
    points: float


def closed(game: AnyGame, a: str, b: str, numbers: Sequence[int], seed: int, budget: Budget) -> Iterator[Closed]:
    """Play games and yield those in which A was far ahead; a game is cut `LONGEST` plies after that."""
    judge, options = judge_of(game), game.options()
    for number in numbers:
        mine, dice = number % 2, Random(f"{seed} {number}")
        state = opening(game, options, seed * 1_000_003 + number // 2)
        players = [player(name, game, 2, budget, options) for name in (a, b)]
        plies, since = 0, None
        while (seat := game.seat(state)) is not None and plies < LONGEST + (since or 0):
            if since is None and seat == mine and judge.worth(state)[mine] - judge.worth(state)[1 - mine] >= POINTS:
                since = plies
            state = game.play(state, players[seat != mine](state, dice.getrandbits(31)))
            plies += 1
        if since is not None:
            winner = game.result(state).winner
            yield Closed(plies - since, 0.5 if winner is None else float(winner == mine))


def told(games: Sequence[Closed]) -> str:
    """Return in words how long they took and how they ended."""
    if not games:
        return "never far ahead"
    plies, points = sorted(each.plies for each in games), sum(each.points for each in games)
    low, high = wilson(points, len(games))
    middle, late = (plies[len(plies) * part // 10] for part in (5, 9))
    return (
        f"far ahead in {len(games)} games, over {sum(plies) / len(plies):.1f} plies later ({middle} in half of them, "
        f"{late} or more in a tenth); {points / len(games):.3f} of the points ({low:.3f} to {high:.3f})"
    )


def main(words: Sequence[str]) -> None:
    """Read the command line, play, and print how long it took."""
    parser = argparse.ArgumentParser(prog="python -m tools.arena.closing", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("a", help="a level such as 1, or another player of the arena")
    parser.add_argument("b")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(words)
    game, budget = game_named(asked.game), Budget(seconds=60.0)
    games = list(closed(game, asked.a, asked.b, range(asked.games), asked.seed, budget))
    print(f"{asked.a} against {asked.b}: {told(games)}")


if __name__ == "__main__":
    main(sys.argv[1:])
