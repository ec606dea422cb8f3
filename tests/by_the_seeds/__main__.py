"""Play games at random against the referees: ``python -m tests.by_the_seeds GAMES [SEED] [--game G] [--how WAY]``."""

import argparse
import sys
from collections import Counter
from random import Random

from .compare import play, shrunk
from .variants import GAMES


def main() -> int:
    """Compare, print every difference as a list of plies, and the figures; return 1 where there is a difference."""
    parser = argparse.ArgumentParser(prog="tests.by_the_seeds", description=__doc__)
    parser.add_argument("games", type=int, help="how many games of each kind")
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--game", choices=GAMES, action="append")
    parser.add_argument("--how", choices=("rules", "command-line", "http"), default="rules")
    parser.add_argument("--no-resignations", action="store_true")
    asked = parser.parse_args()
    if asked.how == "http":
        from .over_http import evening

        return evening(asked.games, asked.seed, asked.game or list(GAMES))
    differ = 0
    for game in asked.game or GAMES:
        counts: Counter[str] = Counter()
        ends: Counter[str] = Counter()
        for number in range(asked.games):
            random = Random(f"{asked.seed} {game} {number}")
            leaving = 0 if asked.no_resignations or number % 4 == 0 else random.randint(1, 5)
            played = play(game, random, asked.how, leaving)
            counts["games"] += 1
            counts["positions"] += played.positions
            ends[played.why or "(unfinished)"] += 1
            counts["resignations"] += sum(text.startswith("out ") for text in played.events)
            if played.differences:
                counts["differences"] += 1
                print(f"game {number}, seed {asked.seed}: {shrunk(played).told()}", flush=True)
        differ += counts["differences"]
        words = ("games", "positions", "resignations", "differences")
        print(f"{game}: " + ", ".join(f"{counts[word]} {word}" for word in words) + f"; {dict(ends)}", flush=True)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
