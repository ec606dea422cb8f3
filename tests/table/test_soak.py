"""A sample of the noisy hand over all games and both kinds of sensors; ``make soak`` runs as many as one likes."""

from __future__ import annotations

from collections import Counter

import pytest

from controller.rules.registry import all_games
from tests.table.soak import gestures

MOST = 33  # gestures of a game


@pytest.mark.parametrize("seed", range(1, 7))
@pytest.mark.parametrize("game", sorted(all_games()))
def test_no_gesture_is_read_wrongly_and_none_gets_stuck(game: str, seed: int) -> None:
    told = list(gestures(game, {}, seed, MOST, poles=seed % 2 == 0))
    counts = Counter(kind for kind, _ in told)
    assert counts["right"] > len(told) / 2
    assert [(kind, text) for kind, text in told if kind in ("wrong", "stuck")] == []
