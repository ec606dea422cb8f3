"""What is hidden tells a player nothing: how it chooses is the same, however the others' secrets are exchanged."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from controller.engine.levels import LEVELS
from controller.engine.player import Player
from controller.rules.options import parse
from controller.rules.registry import advice_of, game_named

SHUFFLES = 2000
EACH = 60  # choices for each secret, every one from a seed of its own


def chi_squared(rows: Sequence[Sequence[str]]) -> float:
    """Return how far the rows are from one distribution that all were drawn from."""
    whole = Counter(text for row in rows for text in row)
    total = sum(whole.values())
    found = 0.0
    for row in rows:
        counts = Counter(row)
        for text, number in whole.items():
            expected = number * len(row) / total
            found += (counts[text] - expected) ** 2 / expected
    return found


def chance(rows: Sequence[Sequence[str]], seed: int = 1) -> float:
    """Return how often chance alone makes rows as unlike as these (p), by exchanging what stands in which row."""
    dice, seen = random.Random(seed), chi_squared(rows)
    pool, ends = [text for row in rows for text in row], [sum(map(len, rows[:n])) for n in range(len(rows) + 1)]
    as_far = 0
    for _ in range(SHUFFLES):
        dice.shuffle(pool)
        as_far += chi_squared([pool[a:b] for a, b in pairwise(ends)]) >= seen - 1e-9
    return as_far / SHUFFLES


def chosen(
    name: str, given: dict[str, Any], secrets: Sequence[Callable[[Any, Any], Any]], book: bool
) -> list[list[str]]:
    """Return, for each secret that is put into the first position, what is then chosen from other seeds each time."""
    game, advice = game_named(name), advice_of(name)
    assert advice is not None
    options = parse(game.options, given)
    player = Player(game, given.get("players", 2), advice=advice if book else replace(advice, book=None))
    rows, seed = [], 0
    for secret in secrets:
        state = secret(game, game.start(options, 0))
        row = []
        for _ in range(EACH):
            seed += 1
            row.append(game.text(state, player.choose(state, LEVELS[7], seed, 120).ply))
        rows.append(row)
    return rows


def test_the_measure_tells_rows_apart() -> None:
    dice = random.Random(1)
    alike = [[dice.choice("abc") for _ in range(EACH)] for _ in range(3)]
    assert chance(alike) > 0.01
    assert chance([*alike[:2], [dice.choice("aab") for _ in range(EACH)]]) < 0.01


def test_bids_do_not_follow_the_bids_of_others() -> None:
    def bids(*hidden: tuple[int, ...]) -> Callable[[Any, Any], Any]:
        def put(game: Any, state: Any) -> Any:
            for bid in hidden:
                state = game.play_text(state, "bid " + " ".join(map(str, bid)))
            return state

        return put

    secrets = [bids((12, 0, 0), (0, 9, 3)), bids((0, 9, 3), (12, 0, 0)), bids((0, 0, 12), (3, 0, 9))]
    rows = chosen("beacons", {"players": 3, "seed": 11}, secrets, book=True)
    assert len(Counter(text for row in rows for text in row)) > 5, "bids are mixed"
    assert chance(rows) > 0.01


def test_an_array_does_not_follow_the_array_of_the_other() -> None:
    def array(seed: int) -> Callable[[Any, Any], Any]:
        def put(game: Any, state: Any) -> Any:
            dice = random.Random(seed)
            while game.seat(state) == 0:
                state = game.after(state, dice.choice(game.moves(state)))
            return state

        return put

    rows = chosen("cyvasse", {"setup": "secret"}, [array(1), array(2), array(3)], book=False)
    assert len(Counter(text for row in rows for text in row)) > 1
    assert chance(rows) > 0.01
