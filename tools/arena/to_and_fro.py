"""`python -m tools.arena.to_and_fro A B`: how often a player of Beacons carries units back to where they came from.

Of the engine it knows nothing but which ply a level plays. A transfer is one back where the same seat has carried units
the other way in this turn or in its last two turns of the round. It is idle where its turn neither builds a beacon nor
leaves more cells ruled.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from controller.rules.game import AnyGame
from controller.rules.games.beacons.state import Beacon, Transfer, dominant
from controller.rules.registry import game_named
from tools.arena.likelihood import wilson
from tools.arena.matches import LONGEST, Choose, opening, player
from tools.arena.strangers import Budget

TURNS = 2  # own turns before this one


class Turn(NamedTuple):
    """A turn of the active phase: whose it was, in which round, and what was done between two positions."""

    seat: int
    round: int
    before: Any
    plies: tuple[Any, ...]
    after: Any


class Count(NamedTuple):
    """So many transfers, of which some went ``back``, of which some were ``idle``."""

    transfers: int = 0
    back: int = 0
    idle: int = 0

    def and_also(self, other: Count) -> Count:
        """Return both together."""
        return Count(*(one + more for one, more in zip(self, other, strict=True)))


def counted(turns: Sequence[Turn], seat: int) -> Count:
    """Return how often ``seat`` went to and fro in the ``turns`` of a game."""
    total, own = Count(), [turn for turn in turns if turn.seat == seat]
    for number, turn in enumerate(own):
        earlier = [each for each in own[max(0, number - TURNS) : number] if each.round == turn.round]
        ways = {(ply.cell, ply.to) for each in earlier for ply in each.plies if isinstance(ply, Transfer)}
        for ply in turn.plies:
            if isinstance(ply, Transfer):
                back = (ply.to, ply.cell) in ways
                total = total.and_also(Count(1, back, back and _idle(turn)))
                ways.add((ply.cell, ply.to))
    return total


def _idle(turn: Turn) -> bool:
    ruled, before = (sum(dominant(store) == turn.seat for store in state.stores) for state in (turn.after, turn.before))
    return ruled <= before and not any(isinstance(ply, Beacon) for ply in turn.plies)


def turns_of(game: AnyGame, state: Any, players: Sequence[Choose], dice: Random) -> list[Turn]:
    """Play a game from ``state`` and return its turns of the active phase; each seat has one of the ``players``."""
    turns: list[Turn] = []
    plies = 0
    while (seat := game.seat(state)) is not None and plies < LONGEST:
        begun, made = state, []
        while game.seat(state) == seat and (state.phase, state.round) == (begun.phase, begun.round):
            made.append(players[seat](state, dice.getrandbits(31)))
            state, plies = game.play(state, made[-1]), plies + 1
        if begun.phase == "active":
            turns.append(Turn(seat, begun.round, begun, tuple(made), state))
    return turns


def met(a: str, b: str, games: int, seed: int, nodes: int | None = None) -> Count:
    """Return how often A went to and fro in ``games`` against B, with ``nodes`` positions a ply."""
    game, total = game_named("beacons"), Count()
    options, budget = game.options(), Budget(seconds=60.0, nodes=nodes)
    for number in range(games):
        mine, dice = number % 2, Random(f"{seed} {number}")
        names = (a, b) if mine == 0 else (b, a)
        players = [player(name, game, 2, budget, options) for name in names]
        start = opening(game, options, seed * 1_000_003 + number // 2)
        total = total.and_also(counted(turns_of(game, start, players, dice), mine))
    return total


def told(count: Count) -> str:
    """Return the count in words, with intervals of 95 %."""
    if not count.transfers:
        return "no units were carried"
    shares = []
    for number in (count.back, count.idle):
        low, high = wilson(number, count.transfers)
        shares.append(f"{number} ({number / count.transfers:.1%}, {low:.1%} to {high:.1%})")
    return f"of {count.transfers} transfers {shares[0]} went back, {shares[1]} of them idly"


def main(words: Sequence[str]) -> None:
    """Read the command line, play, and print the shares."""
    parser = argparse.ArgumentParser(prog="python -m tools.arena.to_and_fro", description=__doc__)
    parser.add_argument("a", help="a level such as 2, or another player of the arena")
    parser.add_argument("b")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, help="positions a ply; a level's own otherwise")
    asked = parser.parse_args(words)
    print(f"{asked.a} against {asked.b}: {told(met(asked.a, asked.b, asked.games, asked.seed, asked.nodes))}")


if __name__ == "__main__":
    main(sys.argv[1:])
