"""Games with options that designers change, drawn at random and held to every promise of a game."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from controller.rules.conformance import CHECKS, play_at_random
from controller.rules.game import AnyGame
from controller.rules.options import BadOption, parse

FEWEST = 0.3  # a share of options that are other than the ruling's
FEW = 10  # positions of each game that are looked at closely


def drawn(draw: random.Random, choices: dict[str, Any]) -> dict[str, Any]:
    """Return some of the options ``choices``, each with one of its values."""
    share = draw.uniform(FEWEST, 1)
    return {name: draw.choice(values) for name, values in choices.items() if draw.random() < share}


def keeps_every_promise(game: AnyGame, seed: int, options: Callable[[random.Random], dict[str, Any]]) -> dict[str, Any]:
    """Hold a game with the first options from ``options`` that it takes to all promises, and return these."""
    draw = random.Random(seed)
    while True:
        given = options(draw)
        try:
            parse(game.options, given)
            break
        except BadOption as refused:
            assert len(str(refused).splitlines()) == 1  # noqa: PT017  refusals are one sentence, whatever was asked for
    sample = play_at_random(game, given, seed, kept=FEW)
    for check in CHECKS:
        check(sample)
    return given
