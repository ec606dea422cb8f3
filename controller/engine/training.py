"""Weights learned from games that a program plays against itself.

Owns how such games are played, what is kept of them, and the fit: the weights with which the shares of the positions
come nearest to how the games ended. Plain Python, and the same weights from the same seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import exp
from random import Random
from typing import Any

import msgspec

from controller.engine.best_first import BestFirst
from controller.engine.found import Sight
from controller.engine.judgement import Weights, judge_of
from controller.rules.game import AnyAdvice, AnyGame

MOST_PLIES = 300  # of a game; one that is not over then counts as a draw
SIGHT = Sight(errs=4)  # so that no two games are alike
STEPS = 40  # times that all positions are looked at for the fit
BATCH = 64
SPEED = 0.05
PULL = 0.0005  # towards the weights that one begins with
Row = tuple[int, ...]


class WeighedPosition(msgspec.Struct, frozen=True):
    """A position of a game: what was counted, by seat, and the share of each seat that it should have."""

    counted: tuple[Row, ...]
    share: tuple[float, ...]


def games(
    game: AnyGame, options: Any, seats: int, advice: AnyAdvice, weights: Weights, count: int, nodes: int, seed: int
) -> Iterator[list[WeighedPosition]]:
    """Yield the positions of each of ``count`` games that a program with ``weights`` plays against itself."""
    judge = judge_of(game, seats, advice, weights)
    for number in range(count):
        dice = Random(seed * 1_000_003 + number)
        state, rows, plies, chance = game.start(options, number), [], 0, dice.randrange(2, 9)
        while plies < MOST_PLIES and game.seat(state) is not None:
            hidden = bool(game.secret and game.secret(state))
            book = advice.book(state, number) if advice.book else None
            if book is not None:
                ply = book
            elif hidden or plies < chance or dice.randrange(12) == 0:
                ply = dice.choice(game.moves(state))
            else:
                search = BestFirst(game, state, seats, judge, SIGHT, dice.randrange(1 << 30), advice.thinks_of)
                search.run(nodes, lambda: False)
                ply = search.found().ply
            state, plies = game.after(state, ply), plies + 1
            if not hidden and book is None and game.seat(state) is not None:
                rows.append(tuple(tuple(row) for row in advice.count(state)))
        winner = game.result(state).winner
        share = tuple(1 / seats if winner is None else float(seat == winner) for seat in range(seats))
        yield [WeighedPosition(counted, share) for counted in dice.sample(rows, min(len(rows), 40))]


def fit(kept: list[WeighedPosition], names: tuple[str, ...], weights: Weights, seed: int) -> dict[str, int]:
    """Return the weights in thousandths with which the softmax of the scores comes nearest to the shares."""
    dice = Random(seed)
    spans = _spans(kept, len(names))
    begin = [weights.get(name, 0) / 1000 * span for name, span in zip(names, spans, strict=True)]
    now, mean, square = list(begin), [0.0] * len(names), [0.0] * len(names)
    rows = [([[f / span for f, span in zip(row, spans, strict=True)] for row in each.counted], each.share)
            for each in kept]  # fmt: skip
    step = 0
    for _ in range(STEPS):
        dice.shuffle(rows)
        for start in range(0, len(rows), BATCH):
            step += 1
            slope = _slope(rows[start : start + BATCH], now)
            for i, value in enumerate(slope):
                value += PULL * (now[i] - begin[i])
                mean[i] = 0.9 * mean[i] + 0.1 * value
                square[i] = 0.99 * square[i] + 0.01 * value * value
                right = (mean[i] / (1 - 0.9**step)) / ((square[i] / (1 - 0.99**step)) ** 0.5 + 1e-8)
                now[i] -= SPEED * right / (1 + step * BATCH / len(rows) / 4)
    return {name: round(1000 * weight / span) for name, weight, span in zip(names, now, spans, strict=True)}


def _spans(kept: Iterable[WeighedPosition], count: int) -> list[float]:
    """Return how far each feature differs between seats, usually: so that all are learned alike."""
    total, number = [0.0] * count, 0
    for each in kept:
        number += 1
        first, *others = each.counted
        for row in others:
            for i in range(count):
                total[i] += (first[i] - row[i]) ** 2
    return [max((square / max(number, 1)) ** 0.5, 0.05) for square in total]


def _slope(batch: list[tuple[list[list[float]], tuple[float, ...]]], weights: list[float]) -> list[float]:
    slope = [0.0] * len(weights)
    for rows, share in batch:
        scores = [sum(w * f for w, f in zip(weights, row, strict=True)) for row in rows]
        most = max(scores)
        parts = [exp(score - most) for score in scores]
        total = sum(parts)
        for row, part, wanted in zip(rows, parts, share, strict=True):
            wrong = (part / total - wanted) / len(batch)
            for i, feature in enumerate(row):
                if feature:
                    slope[i] += wrong * feature
    return slope


def loss(kept: list[WeighedPosition], names: tuple[str, ...], weights: Mapping[str, int]) -> float:
    """Return how far the softmax of the scores is from the shares: the mean of the squares."""
    row_of = [weights.get(name, 0) / 1000 for name in names]
    wrong = 0.0
    for each in kept:
        scores = [sum(w * f for w, f in zip(row_of, row, strict=True)) for row in each.counted]
        most = max(scores)
        parts = [exp(score - most) for score in scores]
        wrong += sum((part / sum(parts) - share) ** 2 for part, share in zip(parts, each.share, strict=True))
    return wrong / max(len(kept), 1)


def as_toml(weights: Mapping[str, int], made_by: str) -> str:
    """Return the text of a file of weights, with the command that made it."""
    lines = [f"# What each feature is worth, in thousandths. Made by: {made_by}", "[weights]"]
    return "\n".join([*lines, *(f"{name} = {weight}" for name, weight in weights.items())]) + "\n"
