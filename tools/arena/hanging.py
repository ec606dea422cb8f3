"""`python -m tools.arena.hanging GAME LEVEL`: how often a level leaves a piece standing that was just attacked.

Of the engine it knows nothing but which ply a level plays. What hangs is found by taking and taking back, by the rules
and with the worths of `tools/arena/worth.py`. It is for the games of two with open boards.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from controller.rules.game import AnyGame
from controller.rules.games.giantslayer.game import BLACK, flanked
from controller.rules.games.giantslayer.state import CELLS
from controller.rules.notation import bits
from controller.rules.registry import game_named
from tools.arena.likelihood import wilson
from tools.arena.matches import LONGEST, Choose, opening, player
from tools.arena.strangers import STRANGERS, Budget, judge_of

LEAST = 60.0  # points from which on something hangs: a plain piece is about 100
EXCHANGE = 6  # plies of taking that are looked at
DECIDES = 1e6
GIANT, HALOGAI, FLANKERS = 200.0, 12.0, 2
Gain = Callable[[Any, Any], float]


class Attacked(NamedTuple):
    """A position after an attack that can be parried: ``state``, and by site what the other seat would win there."""

    state: Any
    fresh: dict[str, float]


class Count(NamedTuple):
    """How many positions with such an attack were met, and in how many of them the piece was left standing."""

    met: int = 0
    left: int = 0


class Hanging:
    """What hangs in the positions of one game."""

    def __init__(self, game: AnyGame) -> None:
        """Raises `NoJudge` for a game that the arena cannot judge."""
        self.game, self.judge = game, judge_of(game)
        self.giants = game.facts.name == "giantslayer"
        self.gain: Gain = _trampled if self.giants else self.judge.gain

    def exchange(self, state: Any, left: int = EXCHANGE, low: float = 0.0, high: float = DECIDES) -> float:
        """Return how many points the seat to move wins by taking, if it wants to; exactly between the bounds."""
        rest = self.judge.rests(state)
        best = 0.0 if rest is None else self._behind(state, rest, left, low, high)
        if best >= high or not left or state.why:
            return best
        takes = [(points, ply) for ply in self.game.moves(state) if (points := self.gain(state, ply)) > 0]
        takes.sort(key=lambda each: -each[0])
        for _, ply in takes:
            best = max(best, self._behind(state, ply, left, max(low, best), high))
            if best >= high:
                break
        return best

    def _behind(self, state: Any, ply: Any, left: int, low: float, high: float) -> float:
        """Return what ``ply`` wins, and what is then taken; a win decides."""
        after, points = self.game.after(state, ply), self.gain(state, ply)
        if after.why:
            winner = self.game.result(after).winner
            return points if winner is None else DECIDES if winner == self.judge.mover(state) else -DECIDES
        if self.judge.mover(after) == self.judge.mover(state):
            return points + self.exchange(after, left - 1, low - points, high - points)
        return points - self.exchange(after, left - 1, max(0.0, points - high), points - low)

    def hangs(self, state: Any) -> dict[str, float]:
        """Return by site the enemy's pieces that the seat to move takes for `LEAST` or more, and how much that is."""
        found: dict[str, float] = {}
        if state.why:
            return found
        stood, seat = self.game.shape(state), self.judge.mover(state)
        for ply in self.game.moves(state):
            if self.gain(state, ply) < LEAST:
                continue
            points = self._behind(state, ply, EXCHANGE, -DECIDES, DECIDES)
            if points < LEAST:
                continue
            stands = self.game.shape(self.game.after(state, ply))
            for site, piece in stood.items():
                if self._seat_of(state, piece) not in (None, seat) and stands.get(site) != piece:
                    found[site] = max(points, found.get(site, points))
        return found

    def attacked(self, before: Any, state: Any) -> Attacked | None:
        """Return what the turn that led from ``before`` to ``state`` attacks, if it can be saved; None if nothing can.

        What hung before that turn is left out. It is saved by a ply after which nothing is taken with gain, or which
        takes as much itself.
        """
        fresh = self._flanked(state)
        other = None if fresh or self.game.passed is None else self.game.passed(state)
        if other is not None and (now := self.hangs(other)):
            hung = self.hangs(before)
            stood, stands = self.game.shape(before), self.game.shape(state)
            fresh = {s: points for s, points in now.items() if s not in hung and stood.get(s) == stands.get(s)}
        if not fresh or not any(self.balance(state, ply) > -LEAST for ply in self.game.moves(state)):
            return None
        return Attacked(state, fresh)

    def balance(self, state: Any, ply: Any) -> float:
        """Return what ``ply`` takes, less what the other seat then takes, or what is lost with the ply itself."""
        after, points = self.game.after(state, ply), self.gain(state, ply)
        if after.why:
            return DECIDES if self.game.result(after).winner == self.judge.mover(state) else -DECIDES
        if self.giants:
            return points - GIANT * _fallen(state, after)
        if self.judge.mover(after) == self.judge.mover(state):
            rest = self.judge.rests(after)
            after = self.game.after(after, rest) if rest is not None else after
        return points - self.exchange(after, high=points + 2 * LEAST)

    def left_standing(self, attacked: Attacked, after: Any, took: float) -> bool:
        """Whether one of the pieces is still lost where it stood in ``after``, the end of a turn that ``took`` less."""
        if after.why:
            return False
        if self.giants:
            return _fallen(attacked.state, after) > 0
        stood, stands, hangs = self.game.shape(attacked.state), self.game.shape(after), self.hangs(after)
        return any(stands.get(s) == stood[s] and hangs.get(s, 0.0) - took >= LEAST for s in attacked.fresh)

    def _seat_of(self, state: Any, piece: Any) -> int | None:
        return None if piece.seat is None else self.game.player_of(state, piece.seat)

    def _flanked(self, state: Any) -> dict[str, float]:
        """Return the giants that fall unless this ply saves them: that is how they are attacked."""
        if not self.giants or state.why or state.turn != BLACK:
            return {}
        return {CELLS[cell]: GIANT for cell in bits(flanked(state.white, state.black, FLANKERS))}


def _fallen(state: Any, after: Any) -> int:
    """Return how many giants fell; where a round is over, the board is set up again and none is counted."""
    return max(0, state.black.bit_count() - after.black.bit_count()) if after.round == state.round else 0


def _trampled(state: Any, ply: Any) -> float:
    return HALOGAI * float(ply.takes.bit_count())


def counted(game: AnyGame, level: str, stranger: str, games: int, seed: int, nodes: int | None = None) -> Count:
    """Play ``games`` of a level against a stranger, and count the attacks of the stranger; raises `NoJudge`."""
    met = [left for number in range(games) for left in _one_game(game, level, stranger, number, seed, nodes)]
    return Count(len(met), sum(met))


def _one_game(game: AnyGame, level: str, stranger: str, number: int, seed: int, nodes: int | None) -> Iterator[bool]:
    """Yield for each attack on a piece of the level that can be parried whether the piece was left standing."""
    hanging, dice = Hanging(game), Random(f"{seed} {number}")
    state, mine = opening(game, game.options(), seed * 1_000_003 + number // 2), number % 2
    budget = Budget(seconds=60.0, nodes=nodes)
    players = [player(name, game, 2, budget) for name in (level, stranger)]
    made, before = 0, None
    while (seat := game.seat(state)) is not None and made < LONGEST:
        begun, round_now = state, getattr(state, "round", 0)
        attacked = hanging.attacked(before, state) if before is not None and seat == mine else None
        state, took, plies = _turn(game, hanging.gain, players[seat != mine], state, dice)
        made += plies
        before = begun if getattr(state, "round", 0) == round_now else None
        if attacked is not None:
            yield hanging.left_standing(attacked, state, took)


def _turn(game: AnyGame, gain: Gain, choose: Choose, state: Any, dice: Random) -> tuple[Any, float, int]:
    """Return the state after the whole turn of the seat to move, what it took, and how many plies it had."""
    seat, took, plies = game.seat(state), 0.0, 0
    while game.seat(state) == seat:
        ply = choose(state, dice.getrandbits(31))
        took, plies = took + gain(state, ply), plies + 1
        state = game.play(state, ply)
    return state, took, plies


def told(count: Count) -> str:
    """Return the count in words, with the interval of 95 %."""
    if not count.met:
        return "no piece was attacked that could be saved"
    low, high = wilson(count.left, count.met)
    share = count.left / count.met
    return f"{count.left} of {count.met} attacked pieces left standing: {share:.1%} ({low:.1%} to {high:.1%})"


def main(words: Sequence[str]) -> None:
    """Read the command line, play, and print the share."""
    parser = argparse.ArgumentParser(prog="python -m tools.arena.hanging", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("level", help="a level such as 3, or one of the strangers")
    parser.add_argument("--stranger", default="look1", choices=STRANGERS)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, help="a ply at most")
    asked = parser.parse_args(words)
    count = counted(game_named(asked.game), asked.level, asked.stranger, asked.games, asked.seed, asked.nodes)
    print(f"{asked.game}, {asked.level} against {asked.stranger}: {told(count)}")


if __name__ == "__main__":
    main(sys.argv[1:])
