"""The fit of a network: from positions to whole numbers, with numpy and scipy.

It learns what is to be added to the counts of a game, so that the sum foretells what a search finds and how the game
ends. The squares of the layer's numbers, cut off at nothing and one, are what `controller/engine/network.py` reckons.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np
from scipy.sparse import csr_matrix

from controller.engine.learned import Made
from controller.engine.network import HIGHEST, ONE, OUT_BITS
from controller.rules.game import Inputs
from tools.learning.selfplay import Seen

SCALE = 1000.0  # thousandths of a worth that are one step of the logistic curve, as in `judgement.shares`
BATCH = 1024
WITHIN = 0.98  # of all positions: what is beyond is cut off
Floats = Any  # of numpy


class Fit:
    """A network that is being learned, in floating numbers.

    Of ``plane`` numbers in turn, one kind of piece on all cells, something is learned in common, and of each what is
    its own: so a piece is not unknown where it hardly ever stood. With 0 all is learned of each number alone.
    """

    def __init__(self, inputs: int, hidden: int, seed: int, plane: int = 0) -> None:
        dice = np.random.default_rng(seed)
        self.plane = plane
        self.values: dict[str, Floats] = {
            "rows": dice.normal(0, 0.1, (inputs, hidden)),
            "begin": np.full(hidden, 0.3),
            "out": dice.normal(0, 0.02, hidden),
        }
        if plane:
            self.values["kinds"] = np.zeros((inputs // plane, hidden))
        self.means = {name: np.zeros_like(value) for name, value in self.values.items()}
        self.squares = {name: np.zeros_like(value) for name, value in self.values.items()}
        self.steps = 0
        self.bound = 400  # thousandths

    def rows(self) -> Floats:
        """Return what each input adds to the layer."""
        rows: Floats = self.values["rows"]
        return rows + np.repeat(self.values["kinds"], self.plane, 0) if self.plane else rows

    def worth(self, on: Any) -> tuple[Floats, Floats, Floats]:
        """Return the worths in steps of the curve, the layer, and the layer cut off."""
        layer = on @ self.rows() + self.values["begin"]
        cut = np.clip(layer, 0, 1)
        return (cut * cut) @ self.values["out"], layer, cut

    def learn(self, on: Any, counted: Floats, wanted: Floats, speed: float, decay: float) -> None:
        """Take one step towards ``wanted``, shares of the seat to move."""
        worth, layer, cut = self.worth(on)
        wrong = (_curve(worth + counted) - wanted) / len(wanted)
        through = np.outer(wrong, self.values["out"]) * 2 * cut * ((layer > 0) & (layer < 1))
        slopes = {"rows": on.T @ through, "begin": through.sum(0), "out": (cut * cut).T @ wrong}
        if self.plane:
            slopes["kinds"] = slopes["rows"].reshape(-1, self.plane, len(self.values["out"])).sum(1)
        self.steps += 1
        for name, slope in slopes.items():
            mean, square = self.means[name], self.squares[name]
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            right = (mean / (1 - 0.9**self.steps)) / (np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8)
            self.values[name] -= speed * (right + decay * self.values[name])

    def made(self, game: str, most: int, by: str, version: int = 1) -> Made:
        """Return the network in whole numbers; no lane can overflow with ``most`` inputs."""
        bound = (HIGHEST - 2 * ONE) // most
        rows = np.clip(np.rint(self.rows() * ONE), -bound, bound).astype("<i2")
        begin = np.clip(np.rint(self.values["begin"] * ONE), -2 * ONE, 2 * ONE).astype("<i2")
        out = np.rint(self.values["out"] * SCALE * (1 << OUT_BITS) / ONE**2).astype("<i4")
        inputs, hidden = rows.shape
        numbers = rows.tobytes(), begin.tobytes(), out.tobytes()
        return Made(game, version, inputs, hidden, most, by, *numbers, bound=self.bound)


class Course(msgspec.Struct, frozen=True):
    """How it is learned: the width of the layer, how often all is looked at, how far each step goes.

    ``search`` is how much of what is to be foretold is the search's word; the rest is how the game ended. ``plane`` is
    how many inputs in turn have something in common, as in `Fit`.
    """

    hidden: int = 32
    epochs: int = 12
    speed: float = 0.002
    decay: float = 1.0
    search: float = 0.7
    seed: int = 1
    plane: int = 0


def fitted(seen: Sequence[Seen], inputs: Inputs[Any], course: Course, told: Callable[[str], None]) -> Fit:
    """Return the network, and tell after each epoch how wrong it is on positions that it never learned from.

    Where the game has boards that are alike, each position is learned as it would be on one of them.
    """
    dice = np.random.default_rng(course.seed)
    on, counted, wanted = _arrays(seen, inputs.count, course.search)
    alike = inputs.alike() if inputs.alike else ()
    turned = [on[:, np.argsort(each)] for each in alike] or [on]  # the column of each number moves to where it leads
    held = len(seen) // 12  # the last games
    known = np.arange(len(seen) - held)
    fit = Fit(inputs.count, course.hidden, course.seed, course.plane)
    without = _wrong(_curve(counted[len(known) :]), wanted[len(known) :])
    for epoch in range(course.epochs):
        dice.shuffle(known)
        now = course.speed * (0.5 * (1 + np.cos(np.pi * epoch / course.epochs)) + 0.01)
        for start in range(0, len(known), BATCH):
            some = known[start : start + BATCH]
            fit.learn(turned[dice.integers(len(turned))][some], counted[some], wanted[some], now, course.decay)
        some = known[:20_000]
        here = _wrong(_curve(fit.worth(on[some])[0] + counted[some]), wanted[some])
        there = _wrong(_curve(fit.worth(on[len(known) :])[0] + counted[len(known) :]), wanted[len(known) :])
        told(f"{epoch + 1}: {without:.5f} without, {there:.5f} with the network; {here:.5f} where it learned")
    fit.bound = round(SCALE * float(np.quantile(np.abs(fit.worth(on)[0]), WITHIN)))
    return fit


def _arrays(seen: Sequence[Seen], inputs: int, search: float) -> tuple[Any, Floats, Floats]:
    places = np.concatenate([np.array(each.on, dtype=np.int32) for each in seen])
    starts = np.cumsum([0, *(len(each.on) for each in seen)])
    on = csr_matrix((np.ones(len(places)), places, starts), shape=(len(seen), inputs))
    counted = np.clip(np.array([each.counted for each in seen]) / SCALE, -8, 8)
    searched = _curve(np.clip(np.array([each.searched for each in seen], dtype=float) / SCALE, -8, 8))
    ended = np.array([each.share for each in seen])
    return on, counted, search * searched + (1 - search) * ended


def _curve(worth: Floats) -> Floats:
    return 1 / (1 + np.exp(-worth))


def _wrong(said: Floats, wanted: Floats) -> float:
    return float(np.mean((said - wanted) ** 2))
