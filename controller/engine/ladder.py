"""A ladder: the levels and the anchors play each other, and what they won becomes the strength of each.

The statistics are choix's: strengths of Bradley and Terry as a distribution, from whose covariance the errors come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import log, sqrt
from pathlib import Path
from typing import Any

import msgspec

from controller.engine.cannot_think import CannotThink
from controller.engine.levels import LEVELS
from controller.engine.matches import Choose, one_game
from controller.rules.game import AnyGame
from controller.sentences import say
from controller.typed import ready

ANCHORS = ("random", "greedy")  # the first one has 0 Elo
PLAYERS = (*ANCHORS, *(str(level.number) for level in LEVELS))
APART = 2  # levels that are farther apart do not meet: the stronger one would win nearly every game
WIDE = 0.01  # the inverse variance of what is supposed of a strength before any game
ELO = 400 / log(10)  # of one unit of strength
FOUND = say("there are no strengths without the package choix: install the extra 'strength' of beaconboard")


class Terms(msgspec.Struct, frozen=True):
    """What all games of a ladder have in common, the first line of its file."""

    game: str
    options: dict[str, Any]
    seed: int
    nodes: int | None = None
    ms: int | None = None


class Met(msgspec.Struct, frozen=True):
    """One game: the ``number``-th of ``a`` against ``b``, what ``a`` scored (1, ½ or 0), after how many plies."""

    a: str
    b: str
    number: int
    points: float
    plies: int


class Rung(msgspec.Struct, frozen=True):
    """A player's games and points, its Elo above random and above the player before, with two standard errors each."""

    player: str
    games: int
    points: float
    elo: float
    error: float
    step: float
    step_error: float


def pairs() -> list[tuple[str, str]]:
    """Return who meets whom: the levels that are near each other, and the anchors everybody."""
    return [(a, b) for a, b in combinations(PLAYERS, 2) if a in ANCHORS or int(b) - int(a) <= APART]


def play(
    game: AnyGame, options: Any, choose: Callable[[str], Choose], seed: int, games: int, met: Sequence[Met]
) -> Iterator[Met]:
    """Yield the games that ``met`` lacks, so that all pairs have played about equally many at any time."""
    done = {(each.a, each.b, each.number) for each in met}
    players = {name: choose(name) for name in PLAYERS}
    for number in range(games):
        for a, b in pairs():
            if (a, b, number) in done:
                continue
            # Each opening is played by both from both seats, and by all pairs.
            opening = seed * 1_000_003 + number // 2
            played = one_game(game, options, players[a], players[b], opening, number % 2, 2)
            yield Met(a, b, number, played.points, played.plies)


# ---- the file -----------------------------------------------------------------------------------------------


def gone_on(file: Path, terms: Terms) -> list[Met]:
    """Return the games in ``file``, and begin it where there is none; raises `CannotThink` for one of other terms.

    A last line that was cut off is left out, and cut off from the file.
    """
    if not file.exists():
        _write(file, terms, "x")
        return []
    data = file.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    first, *others = whole.splitlines() or [b""]
    try:
        found, met = (
            msgspec.json.decode(first, type=ready(Terms)),
            [msgspec.json.decode(line, type=ready(Met)) for line in others],
        )
    except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
        raise CannotThink(say("{file} is no file of a ladder", file=str(file))) from wrong
    if found != terms:
        raise CannotThink(say("{file} is of another ladder: of other options, seed, nodes or ms", file=str(file)))
    if len(whole) < len(data):
        file.write_bytes(whole)
    return met


def keep(file: Path, met: Met) -> None:
    """Add a game to ``file``."""
    _write(file, met, "a")


def _write(file: Path, what: Terms | Met, mode: str) -> None:
    with file.open(mode, encoding="utf-8") as out:
        out.write(msgspec.json.encode(what).decode() + "\n")


# ---- the fit ------------------------------------------------------------------------------------------------


def fitter() -> Any:
    """Return choix; raises `CannotThink` where it is not installed."""
    try:
        import choix
    except ImportError as missing:
        raise CannotThink(FOUND) from missing
    return choix


def fitted(met: Sequence[Met]) -> list[Rung]:
    """Return what the games say of each player that has played; raises `CannotThink`.

    choix counts wins alone. So every game is counted as two, one each where it was drawn, and the variance twice.
    """
    import numpy

    players = [name for name in PLAYERS if any(name in (each.a, each.b) for each in met)]
    if not players or players[0] != ANCHORS[0]:
        raise CannotThink(say("no game against random was played"))
    wins = []
    for each in met:
        a, b = players.index(each.a), players.index(each.b)
        wins += [(a, b) if half < 2 * each.points else (b, a) for half in range(2)]
    numpy.random.seed(0)  # choix draws the order of its steps from here
    try:
        mean, covariance = fitter().ep_pairwise(len(players), wins, WIDE)
    except RuntimeError as wrong:
        raise CannotThink(say("the games fit no strengths: play more of them")) from wrong

    def above(a: int, b: int) -> tuple[float, float]:
        variance = 2 * (covariance[a, a] + covariance[b, b] - 2 * covariance[a, b])
        return ELO * float(mean[a] - mean[b]), 2 * ELO * sqrt(max(variance, 0))

    rungs = []
    for number, name in enumerate(players):
        points = [each.points if name == each.a else 1 - each.points for each in met if name in (each.a, each.b)]
        rungs.append(Rung(name, len(points), sum(points), *above(number, 0), *above(number, max(number - 1, 0))))
    return rungs


def table(rungs: Sequence[Rung]) -> Iterator[str]:
    """Yield the ladder as a table, a line for each player; errors are two standard errors."""
    names = {str(level.number): f"{level.number} {say(level.name)}" for level in LEVELS}
    yield f"{'player':<14} {'Elo':>6} {'error':>6} {'step':>6} {'error':>6} {'games':>6} {'points':>7}"
    for each in rungs:
        line = f"{names.get(each.player, each.player):<14} {each.elo:>6.0f} {each.error:>6.0f} "
        yield f"{line}{each.step:>+6.0f} {each.step_error:>6.0f} {each.games:>6} {each.points:>7.1f}"
