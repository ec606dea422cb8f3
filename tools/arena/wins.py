"""`python -m tools.arena.wins GAME LEVEL…`: how many forced wins in one, two and three plies of its own a level finds.

Two strangers play; near the end of their games every ply and every answer is tried by the rules alone, which says where
the seat to move wins by force. Only then is the level asked. Of the engine nothing else is known here.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from controller.rules.game import AnyGame
from controller.rules.registry import game_named
from tools.arena.likelihood import wilson
from tools.arena.matches import LONGEST, opening, player
from tools.arena.strangers import Budget

PLAYERS = ("r40", "look1", "ab2")
FARTHEST = 3  # own plies
LAST = 16  # positions before the end of a game that are looked at
MOST = 80_000  # positions of one proof, where wins are looked for


class TooMany(Exception):
    """A proof would take more than `MOST` positions."""


class Win(NamedTuple):
    """A position that is not yet over, in which the seat to move wins with its ply number ``own`` at the latest."""

    state: Any
    own: int


class Proofs:
    """What is won by force in one game: all plies are tried, first those that have proved or refuted something."""

    def __init__(self, game: AnyGame, most: int = MOST) -> None:
        self.game, self.most, self.left = game, most, most
        self.served: tuple[Counter[Any], Counter[Any]] = (Counter(), Counter())  # of others, of the seat that is to win

    def wins(self, state: Any, seat: int, own: int) -> bool:
        """Whether ``seat`` has won once it has made ``own`` plies, whatever others do; raises `TooMany`."""
        self.left = self.most
        return self._wins(state, seat, own)

    def _wins(self, state: Any, seat: int, own: int) -> bool:
        game = self.game
        mover = game.seat(state)
        if mover is None or not own:
            return mover is None and game.result(state).winner == seat
        plies = game.moves(state)
        self.left -= len(plies)
        if self.left < 0:
            raise TooMany
        mine = mover == seat
        served = self.served[mine]
        if not mine or own > 1:
            plies = sorted(plies, key=lambda ply: -served[ply])
        if mine and own > 2:
            plies.sort(key=lambda ply: not self._threatens(game.after(state, ply), seat))
        for ply in plies:
            if self._wins(game.after(state, ply), seat, own - mine) == mine:
                served[ply] += 1
                return mine
        return not mine

    def _threatens(self, state: Any, seat: int) -> bool:
        """Whether ``seat`` would win at once if the others passed; it only says what is tried first."""
        other = self.game.passed(state) if self.game.passed and self.game.seat(state) not in (None, seat) else None
        return other is not None and self._wins(other, seat, 1)

    def nearest(self, state: Any, farthest: int) -> int | None:
        """Return in how many plies of its own the seat to move wins, None where not within ``farthest``."""
        seat = self.game.seat(state)
        assert seat is not None
        return next((own for own in range(1, farthest + 1) if self.wins(state, seat, own)), None)


def wins_met(game: AnyGame, each: int, games: int, seed: int, farthest: int = FARTHEST) -> Iterator[Win]:
    """Yield forced wins of ``games`` between strangers, ``each`` at most for every number of own plies."""
    proofs, met, known = Proofs(game), Counter[int](), set[Any]()
    for number in range(games):
        states = _game(game, number, seed)
        winner = game.result(states[-1]).winner
        for state in reversed(states[-LAST - 1 : -1] if winner is not None else []):
            most = min(farthest, FARTHEST if game.seat(state) == winner else 2)  # far ones mostly are of who then won
            if state in known or all(met[own] >= each for own in range(1, most + 1)):
                continue
            known.add(state)
            try:
                own = proofs.nearest(state, most)
            except TooMany:
                continue
            if own is not None and met[own] < each:
                met[own] += 1
                yield Win(state, own)
        if all(met[own] >= each for own in range(1, farthest + 1)):
            return


def _game(game: AnyGame, number: int, seed: int) -> list[Any]:
    """Return the positions of one game; who plays goes through all pairs of `PLAYERS`."""
    budget, dice = Budget(seconds=60.0), Random(f"{seed} {number}")
    pair = PLAYERS[number % 3], PLAYERS[number // 3 % 3]
    players = [player(name, game, 2, budget) for name in pair]
    states = [opening(game, game.options(), seed * 1_000_003 + number)]
    while (seat := game.seat(states[-1])) is not None and len(states) <= LONGEST:
        states.append(game.play(states[-1], players[seat](states[-1], dice.getrandbits(31))))
    return states


class Count(NamedTuple):
    """Of the wins that were ``met``, how many were played on ``in_time``, and how many later but in as few plies."""

    met: int = 0
    in_time: int = 0
    later: int = 0


def counted(game: AnyGame, level: str, wins: Sequence[Win], seed: int, nodes: int | None = None) -> dict[int, Count]:
    """Ask ``level`` in each position, and count by how many own plies the win took."""
    found: dict[int, Count] = {}
    for number, win in enumerate(wins):
        choose = player(level, game, 2, Budget(seconds=60.0, nodes=nodes))
        in_time, later = kept(game, win, choose(win.state, seed + number))
        before = found.get(win.own, Count())
        found[win.own] = Count(before.met + 1, before.in_time + in_time, before.later + later)
    return found


def kept(game: AnyGame, win: Win, ply: Any) -> tuple[bool, bool]:
    """Return whether after ``ply`` the win comes as soon as it could, or else in no more plies than it had then.

    What cannot be proved counts as lost.
    """
    seat, after = game.seat(win.state), game.after(win.state, ply)
    assert seat is not None
    proofs = Proofs(game, 4 * MOST)
    in_time = _proved(proofs, after, seat, win.own - 1)
    return in_time, not in_time and _proved(proofs, after, seat, win.own)


def _proved(proofs: Proofs, state: Any, seat: int, own: int) -> bool:
    try:
        return proofs.wins(state, seat, own)
    except TooMany:
        return False


def told(counts: dict[int, Count]) -> Iterator[str]:
    """Yield a line for each number of own plies, with the interval of 95 %."""
    for own, count in sorted(counts.items()):
        low, high = wilson(count.in_time, count.met)
        share = count.in_time / count.met
        yield (
            f"in {own}: {count.in_time} of {count.met} played on, {share:.1%} ({low:.1%} to {high:.1%}); "
            f"{count.later} later, {count.met - count.in_time - count.later} lost"
        )


def main(words: Sequence[str]) -> None:
    """Read the command line, play, ask, and print the shares."""
    parser = argparse.ArgumentParser(prog="python -m tools.arena.wins", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("levels", nargs="+", metavar="LEVEL", help="a level such as 6, or one of the strangers")
    parser.add_argument("--positions", type=int, default=300, help="a third of them for each number of own plies")
    parser.add_argument("--games", type=int, default=300, help="at most, to find them in")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, help="a ply at most")
    asked = parser.parse_args(words)
    game = game_named(asked.game)
    wins = list(wins_met(game, asked.positions // FARTHEST, asked.games, asked.seed))
    for level in asked.levels:
        for line in told(counted(game, level, wins, asked.seed, asked.nodes)):
            print(f"{asked.game}, {level}: {line}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
