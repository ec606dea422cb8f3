"""How fast the rules are on this machine: perft of every game, and the list of plies in its busiest position.

Times are of the processor: other work on the machine changes them little.
"""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import msgspec

from controller.rules.game import AnyGame
from controller.rules.registry import all_games

MOST_S = 2.5  # no perft is begun that is expected to take longer
LEAST_S = 1.0  # a shorter one is counted again until it has taken this long together
MOST_PLIES = 400  # of a random game


class Perft(msgspec.Struct, frozen=True):
    """One perft, the last ply only counted; ``seconds`` were taken by ``times`` counts of ``nodes``."""

    name: str
    depth: int
    nodes: int
    times: int
    seconds: float

    @property
    def per_second(self) -> float:
        """Nodes per second."""
        return self.nodes * self.times / self.seconds


class Busiest(msgspec.Struct, frozen=True):
    """Random games: the most plies that were legal at once, and the slowest sorted list of plies."""

    name: str
    positions: int
    most: int
    worst_ms: float


def perfts() -> Iterator[Perft]:
    """Yield the perft of every game from its start, as deep as `MOST_S` allows."""
    for name, game in all_games().items():
        state = game.start(game.options(), 0)
        yield _deepest(name, partial(game.perft, state))


def python_chess() -> Perft | None:
    """Return python-chess's perft of chess from its start, counted in the same way; None where it is not installed."""
    try:
        import chess
    except ImportError:
        return None
    return _deepest(f"python-chess {chess.__version__}", partial(_chess_nodes, chess.Board()))


def _deepest(name: str, perft: Callable[[int], int]) -> Perft:
    depth, nodes, seconds = 1, perft(1), 0.0
    while True:
        begun = time.thread_time()
        deeper = perft(depth + 1)
        seconds = time.thread_time() - begun
        depth, nodes, growth = depth + 1, deeper, deeper / nodes
        if seconds * growth > MOST_S:
            break
    times = 1
    while seconds < LEAST_S:
        begun = time.thread_time()
        perft(depth)
        times, seconds = times + 1, seconds + time.thread_time() - begun
    return Perft(name, depth, nodes, times, seconds)


def _chess_nodes(board: Any, depth: int) -> int:
    if depth == 1:
        return int(board.legal_moves.count())
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += _chess_nodes(board, depth - 1)
        board.pop()
    return nodes


def busiest(games: int) -> Iterator[Busiest]:
    """Yield for every game what happened in so many random ones."""
    for name, game in all_games().items():
        positions = most = 0
        worst_s = 0.0
        for seed in range(games):
            for count, seconds in _random_game(game, seed):
                positions, most, worst_s = positions + 1, max(most, count), max(worst_s, seconds)
        yield Busiest(name, positions, most, worst_s * 1000)


def _random_game(game: AnyGame, seed: int) -> Iterator[tuple[int, float]]:
    """Yield the number of legal plies of each position, and the seconds it took to list them."""
    dice = random.Random(seed)
    state = game.start(game.options(), seed)
    for _ in range(MOST_PLIES):
        with _no_collection():
            begun = time.thread_time()
            plies = game.plies(state)
            seconds = time.thread_time() - begun
        if not plies:
            return
        yield len(plies), seconds
        state = game.after(state, dice.choice(plies))


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keep Python from looking for garbage: whatever it was busy with then would be blamed for all of this process."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def perft_lines() -> Iterator[str]:
    """Yield a line for each game, with how many times as fast it is as python-chess was a moment before."""
    if python_chess() is None:
        yield "python-chess is not installed, so there is nothing to compare with: pip install chess"
    games = perfts()
    while True:
        chess = python_chess()  # measured each time: a busy machine is not equally fast all the time
        perft = next(games, None)
        if perft is None:
            return
        ratio = f"  {perft.per_second / chess.per_second:5.2f} x {_perft_line(chess)}" if chess else ""
        yield _perft_line(perft) + ratio


def _perft_line(perft: Perft) -> str:
    return f"{perft.name:18}  depth {perft.depth}  {perft.nodes:8} nodes  {perft.per_second / 1e6:6.3f} M nodes/s"


def busiest_lines(games: int) -> Iterator[str]:
    """Yield a line for each game about so many random ones."""
    for found in busiest(games):
        yield (
            f"{found.name:20} {games} random games, {found.positions:5} positions: at most {found.most:4} legal plies, "
            f"slowest list {found.worst_ms:6.2f} ms"
        )
