"""Matches between players: many games from drawn seeds, who won them, and what that says of their strength.

Elo follows from the share of the points by the usual formula; its error is that of the mean of the games' points, two
standard errors wide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import log10, sqrt
from random import Random
from typing import Any

import msgspec

from controller.engine.anchors import ANCHORS
from controller.engine.cannot_think import CannotThink
from controller.engine.levels import LEVELS, level_of
from controller.engine.player import Player
from controller.rules.game import AnyGame, Result
from controller.sentences import say

Choose = Callable[[Any, int], Any]  # (state, seed) -> ply
MOST_PLIES = 600  # after which a game is counted as a draw
OPENING = 2  # plies at random with which a game begins, so that no two are alike


class MatchGame(msgspec.Struct, frozen=True):
    """One game of a match: who A was, how it ended, after how many plies, and what A scored (1, ½ or 0)."""

    seed: int
    seat: int
    result: Result
    plies: int
    points: float


class Score(msgspec.Struct, frozen=True):
    """What A has won, drawn and lost so far against ``seats - 1`` times B."""

    seats: int
    wins: int = 0
    draws: int = 0
    losses: int = 0

    def and_also(self, points: float) -> Score:
        """Return the score with one more game."""
        return Score(self.seats, self.wins + (points == 1), self.draws + (0 < points < 1), self.losses + (points == 0))

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def mean(self) -> float:
        """A's points by game; a draw counts what it would bring to equals."""
        return (self.wins + self.draws / self.seats) / self.games

    @property
    def error(self) -> float:
        """Two standard errors of the mean."""
        mean, games = self.mean, self.games
        spread = (
            self.wins * (1 - mean) ** 2 + self.draws * (1 / self.seats - mean) ** 2 + self.losses * mean**2
        ) / max(games - 1, 1)
        return 2 * sqrt(spread / games)

    def elo(self, mean: float) -> float | None:
        """Return how much stronger than B is who has ``mean`` points by game; None where that is beyond all bounds."""
        if not 0 < mean < 1:
            return None
        return 400 * log10(mean * (self.seats - 1) / (1 - mean))

    def line(self) -> str:
        """Return the score as one line."""
        low, middle, high = (self.elo(mean) for mean in (self.mean - self.error, self.mean, self.mean + self.error))
        share = f"{self.wins} won, {self.draws} drawn, {self.losses} lost of {self.games}; {100 * self.mean:.1f} %"
        share += f" ± {100 * self.error:.1f}"
        if middle is None:
            return f"{share}; Elo difference beyond measure"
        bounds = (f"{low:+.0f}" if low is not None else "…", f"{high:+.0f}" if high is not None else "…")
        return f"{share}; Elo {middle:+.0f} ({bounds[0]} to {bounds[1]})"


def chooser(
    name: str,
    game: AnyGame,
    seats: int,
    nodes: int | None,
    clock: Callable[[], Callable[[], bool]],
    options: Any = None,
) -> Choose:
    """Return the player called ``name``: an anchor, or a level's number with a character behind it, as "5-raider".

    Raises `CannotThink` and `BadCharacter`. ``nodes`` bounds every ply where it is given; ``clock`` is asked for a new
    `stop` before each ply. ``options`` are those of the game, None for the usual ones.
    """
    if name in ANCHORS:
        anchor = ANCHORS[name]
        return lambda state, seed: anchor(game, state, Random(seed))
    number, _, character = name.partition("-")
    if not number.isdecimal():
        names = (*ANCHORS, say("a level from 1 to {most}", most=len(LEVELS)))
        raise CannotThink(say("there is no player '{name}': choose {names}", name=name, names=names))
    level = level_of(int(number), game.facts.name)
    player = Player(game, seats, character=character, options=options)

    def choose(state: Any, seed: int) -> Any:
        return player.choose(state, level, seed, nodes, clock()).ply

    return choose


def match(game: AnyGame, options: Any, a: Choose, b: Choose, games: int, seed: int, seats: int) -> Iterator[MatchGame]:
    """Yield so many games, A in each seat in turn and B in all others."""
    for number in range(games):
        # Each opening is played once from every seat.
        opening = seed * 1_000_003 + number // seats
        yield one_game(game, options, a, b, opening, number % seats, seats)


def one_game(game: AnyGame, options: Any, a: Choose, b: Choose, seed: int, seat: int, seats: int) -> MatchGame:
    """Play one game, A in ``seat`` and B in all others; ``seed`` decides how it begins and what all draw."""
    dice = Random(seed)
    state, plies = game.start(options, seed), 0
    while plies < MOST_PLIES and (mover := game.seat(state)) is not None:
        hidden = bool(game.secret and game.secret(state))
        if plies < OPENING and not hidden:
            ply = _opening_ply(game, state, dice)
        else:
            ply = (a if mover == seat else b)(state, seed * 1009 + plies)
        state, plies = game.after(state, ply), plies + 1
    result = game.result(state)
    points = 1 / seats if result.winner is None else float(result.winner == seat)
    return MatchGame(seed, seat, result, plies, points)


def _opening_ply(game: AnyGame, state: Any, dice: Random) -> Any:
    """Return a ply at random after which nobody wins at once: such a game would say nothing of who plays it."""
    plies = list(game.moves(state))
    dice.shuffle(plies)
    return next((ply for ply in plies if not _decides(game, game.after(state, ply))), plies[0])


def _decides(game: AnyGame, state: Any) -> bool:
    if game.result(state).over:
        return True
    return any(game.result(game.after(state, ply)).winner is not None for ply in game.moves(state))
