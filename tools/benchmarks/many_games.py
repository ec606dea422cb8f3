"""How much memory the service takes after many games in a row. Linux only.

    python -m tools.benchmarks.many_games [GAMES]

GAMES (1000) of three kinds are begun on a simulated board, by the real service and the panel's hand; each has a few
plies by chance. Figures only, in MB, of the whole process.
"""

from __future__ import annotations

import gc
import os
import random
import tempfile
from pathlib import Path

import click

from tests.panel.finger import Finger
from tools.benchmarks.evening_written import BOARDS
from tools.benchmarks.memory import rss_mb

BOARD = "square144"
PLIES = 4
FIGURES = 10  # as many lines are printed


@click.command()
@click.argument("games", default=1000)
def main(games: int) -> None:
    """Begin GAMES and print what they took."""
    dice = random.Random(6)
    with tempfile.TemporaryDirectory() as folder:
        table = Finger(Path(folder) / "games.sqlite3", BOARD)
        for number in range(1, games + 1):
            table.begin(BOARDS[BOARD][number % len(BOARDS[BOARD])])
            for _ in range(PLIES):
                game, state = table.play.session.game, table.play.session.state
                steps = [ply for ply in game.plies(state) if not game.walk(state, ply).takes]
                if not steps:
                    break
                table.at.wait(5000)
                table.make(dice.choice(steps))
            del table.at.lights.frames[:-1]  # the evening keeps them for tests
            if number == 1 or number % max(1, games // FIGURES) == 0:
                gc.collect()
                print(f"{number:5} games: {rss_mb(os.getpid()):.1f} MB")
        table.stop()


if __name__ == "__main__":
    main()
