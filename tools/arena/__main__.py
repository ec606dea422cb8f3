"""`python -m tools.arena GAME A B`: two players meet. `python -m tools.arena table`: levels meet strangers."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tools.arena.likelihood import verdict, wilson
from tools.arena.matches import Pairing, Played, played
from tools.arena.strangers import STRANGERS, Budget
from tools.arena.table import fill
from tools.arena.timed import TIMED


def main(words: Sequence[str]) -> None:
    """Read the command line and play."""
    if words[:1] == ["table"]:
        fill(words[1:])
        return
    asked = _parser().parse_args(words)
    pairing = Pairing(asked.game, asked.a, asked.b, asked.seed, Budget(asked.seconds, asked.nodes), _options(asked.set))
    games: list[Played] = []
    settled = ""
    for each in played(pairing, range(asked.games), asked.jobs):
        games.append(each)
        if asked.sprt and (settled := verdict([game.points for game in games], *asked.sprt)):
            break
    print(told(asked.a, asked.b, games))
    if asked.sprt:
        low, high = asked.sprt
        print(f"sure: {high if settled == 'high' else low}" if settled else f"not yet sure: {low} or {high}")


def told(a: str, b: str, games: Sequence[Played]) -> str:
    """Return the score of A against B in words."""
    points = sum(game.points for game in games)
    low, high = wilson(points, len(games))
    won, drawn = (sum(game.points == each for game in games) for each in (1, 0.5))
    plies = sum(game.plies for game in games) / len(games)
    ms = [sum(game.ms[who] for game in games) / len(games) for who in (0, 1)]
    cut = sum(game.why == "cut" for game in games)
    return (
        f"{a} against {b}: {won} won, {drawn} drawn, {len(games) - won - drawn} lost; "
        f"{points / len(games):.3f} of the points ({low:.3f} to {high:.3f}); "
        f"{plies:.0f} plies a game, {cut} cut; {a} {ms[0]:.1f} ms a ply, {b} {ms[1]:.1f} ms"
    )


def _options(given: Sequence[str]) -> dict[str, str]:
    return dict(each.split("=", 1) for each in given)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.arena", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("a", help=f"a level such as 5, or one of {', '.join((*TIMED, *STRANGERS))}")
    parser.add_argument("b")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.5, help="of the processor, a ply")
    parser.add_argument("--nodes", type=int, help="a ply at most")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", help="an option of the game")
    parser.add_argument("--sprt", type=float, nargs=2, metavar=("LOW", "HIGH"), help="stop when one share is sure")
    return parser


if __name__ == "__main__":
    main(sys.argv[1:])
