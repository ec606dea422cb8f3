"""Measures how many positions a second the search judges: `python -m tools.benchmarks.search_speed [GAME …]`.

Each game is searched at level 8 from the same seeded positions. Printed are the positions a second of processor time,
the best of `TIMES`, and a mark of what was found: it is the same wherever the same is searched. Compiled where
`make fast` has compiled it; BEACONBOARD_PLAIN=1 searches from the sources.
"""

from __future__ import annotations

import sys
import time
from hashlib import sha256
from random import Random
from typing import Any

from controller.engine.levels import LEVELS
from controller.engine.player import Player
from controller.rules.game import AnyGame
from controller.rules.registry import all_games, game_named

NODES, TIMES = 6_000, 3
AFTER = (6, 14, 26)  # plies at random after which the searches begin
SECRETS = 200  # plies at most that are made beyond them until all is open


def positions(game: AnyGame) -> list[Any]:
    """Return the positions to search: the game goes on in each, and nothing in it is secret."""
    found = []
    for number, most in enumerate(AFTER):
        dice, state = Random(number), game.start(game.options(), number)
        for count in range(most + SECRETS):
            if count >= most and not (game.secret and game.secret(state)):
                break
            later = game.after(state, dice.choice(game.moves(state)))
            if game.seat(later) is None:
                break
            state = later
        found.append(state)
    return found


def searched(game: AnyGame, nodes: int) -> tuple[int, float, str]:
    """Return how many positions were judged, in how many seconds of the processor, and a mark of what was found."""
    player = Player(game, game.facts.players(_options(game)))
    judged, spent, told = 0, 0.0, []
    for state in positions(game):
        began = time.process_time()
        choice = player.choose(state, LEVELS[-1], 1, nodes)
        spent += time.process_time() - began
        judged += choice.nodes
        line = [repr(ply) for ply in choice.line]
        told.append((game.text(state, choice.ply), choice.value, choice.nodes, line))
    return judged, spent, sha256(repr(told).encode()).hexdigest()[:12]


def played_alike(name: str) -> list[Any]:
    """Return what must be the same whether the search is compiled or not: plies counted, and what is found."""
    game = game_named(name)
    states = positions(game)
    return [[game.perft(state, 2) for state in states], searched(game, 1_500)[2]]


def _options(game: AnyGame) -> dict[str, Any]:
    options = game.options()
    return {name: getattr(options, name) for name in options.__struct_fields__}


def main() -> None:
    """Print a line for each game asked for, else for all."""
    for name in sys.argv[1:] or all_games():
        game = game_named(name)
        runs = [searched(game, NODES) for _ in range(TIMES)]
        judged, spent, mark = min(runs, key=lambda run: run[1])
        print(f"{name:>15}: {judged / spent:9,.0f} positions a second, found {mark}", flush=True)


if __name__ == "__main__":
    main()
