"""What a position is worth to each seat, before anybody has won.

A *share* is a seat's part of the game between 0 and 1; the shares of all seats together are about 1.

Weights and features are whole numbers, and shares come from them by the four operations alone: so every machine and
every Python finds the same share, to the last bit.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from operator import mul
from typing import Any

from controller.engine.cannot_think import CannotThink
from controller.rules.characters import Slant
from controller.rules.game import AnyAdvice, AnyGame, Result
from controller.rules.registry import advice_of, files_of
from controller.sentences import say

Shares = tuple[float, ...]
Judge = Callable[[Any], Shares]
Difference = Callable[[Any], int]  # by how many thousandths a position is worth more to the first seat of two
Weights = Mapping[str, int]  # by name of a feature, in thousandths

FILE = "weights.toml"  # in a game's folder
LEAST = 0.01  # the share of a seat in a position that is not decided, at the least
LATER = 1e-5  # of a share: an ending one ply later costs the winner so much, and spares the others that together
PIECE, MOBILITY = 1000, 20  # where a game has no features: a piece, and a ply that the seat to move can choose


def weights_of(name: str) -> dict[str, int]:
    """Return the weights in the folder of the game called ``name``, none where it has no file; raises `CannotThink`."""
    file = files_of(name) / FILE
    if not file.is_file():
        return {}
    return checked(name, tomllib.loads(file.read_text(encoding="utf-8")).get("weights", {}))


def checked(name: str, found: Mapping[str, Any]) -> dict[str, int]:
    """Return ``found`` as weights of the game called ``name``; raises `CannotThink` for a wrong name or number."""
    advice = advice_of(name)
    for feature, weight in found.items():
        if not advice or feature not in advice.names:
            raise CannotThink(say("{game} has no feature '{name}'", game=name, name=feature))
        if not isinstance(weight, int) or isinstance(weight, bool):
            raise CannotThink(say("the weight of '{name}' is not a whole number", name=feature))
    return dict(found)


def judge_of(
    game: AnyGame, seats: int, advice: AnyAdvice | None, weights: Weights, slant: Slant | None = None, seat: int = 0
) -> Judge:
    """Return what judges a position of ``game`` with ``seats`` players that is not over.

    Where there is a ``slant``, ``seat`` has that character.
    """
    if not advice or not weights:
        return _by_pieces(game, seats)
    count = advice.count
    row = [weights.get(name, 0) for name in advice.names]

    def judge(state: Any) -> Shares:
        return shares([sum(map(mul, row, counted)) for counted in count(state)])

    if slant is None:
        return judge
    own, theirs = ([part.get(name, 0) for name in advice.names] for part in (slant.own, slant.theirs))

    def slanted(state: Any) -> Shares:
        rows = count(state)
        scores = [sum(map(mul, row, counted)) for counted in rows]
        scores[seat] += sum(map(mul, own, rows[seat]))
        for other, counted in enumerate(rows):
            if other != seat:
                scores[seat] -= sum(map(mul, theirs, counted))
        return shares(scores)

    return slanted


def difference_of(advice: AnyAdvice, weights: Weights, slant: Slant | None = None, seat: int = 0) -> Difference:
    """Return what compares the two seats of a game, for a seat with that character where there is a ``slant``."""
    count = advice.count
    rows = [[weights.get(name, 0) for name in advice.names] for _ in (0, 1)]
    if slant is not None:
        rows[seat] = [weight + slant.own.get(name, 0) for weight, name in zip(rows[seat], advice.names, strict=True)]
        other = 1 - seat
        rows[other] = [
            weight + slant.theirs.get(name, 0) for weight, name in zip(rows[other], advice.names, strict=True)
        ]
    ours, theirs = rows
    if advice.difference is not None:
        return advice.difference(ours, theirs)

    def difference(state: Any) -> int:
        first, second = count(state)
        more: int = sum(map(mul, ours, first)) - sum(map(mul, theirs, second))
        return more

    return difference


def _by_pieces(game: AnyGame, seats: int) -> Judge:
    """Judge by the pieces of each colour, and by how many plies the seat to move has."""

    def judge(state: Any) -> Shares:
        scores = [0] * seats
        colours = {game.colour(state, seat) if game.colour else seat: seat for seat in range(seats)}
        for piece in game.shape(state).values():
            if piece.seat in colours:
                scores[colours[piece.seat]] += PIECE
        mover = game.seat(state)
        if mover is not None and not game.shared(state):
            scores[mover] += MOBILITY * len(game.moves(state))
        return shares(scores)

    return judge


def shares(scores: Sequence[int]) -> Shares:
    """Return the share of each seat from its score in thousandths; one more than all others is worth most of it."""
    count = len(scores)
    if count == 2:
        x = (scores[0] - scores[1]) / 2000
        high = 1 + x + x * x / 2 if x > 0 else 1 / (1 - x + x * x / 2)
        low = 1 / high
        first = LEAST + (1 - 2 * LEAST) * (high / (high + low))
        return first, 1 - first
    mean = sum(scores) / (1000 * count)
    parts = []
    total = 0.0
    for score in scores:
        x = score / 1000 - mean
        part = 1 + x + x * x / 2 if x > 0 else 1 / (1 - x + x * x / 2)
        parts.append(part)
        total += part
    scale = (1 - count * LEAST) / total
    return tuple([LEAST + part * scale for part in parts])


def outcome(result: Result, seats: int, depth: int) -> Shares:
    """Return what an ending is worth that is ``depth`` plies away: the sooner the better for the winner."""
    if result.winner is None:
        return (1 / seats,) * seats
    late = min(depth, 400) * LATER
    return tuple([1 - late if seat == result.winner else late / (seats - 1) for seat in range(seats)])


def wins(game: AnyGame, state: Any, ply: Any) -> bool:
    """Whether ``ply`` wins at once for the seat that makes it."""
    result = game.result(game.after(state, ply))
    return result.over and result.winner == game.seat(state)


def won(share: float) -> bool:
    """Whether a share is one of a game that is won for certain."""
    return share > 1 - LEAST / 2


def lost(share: float) -> bool:
    """Whether a share is one of a game that is lost for certain."""
    return share < LEAST / 2
