"""A sample of the noisy hand over all games and both kinds of sensors; ``make soak`` runs as many as one likes."""

from __future__ import annotations

import pytest

from tests.table.soak import soak


@pytest.mark.slow
def test_no_gesture_is_read_wrongly_and_none_gets_stuck() -> None:
    for game, counts in soak(1200, 1).items():
        assert counts["right"] > 100, game
        assert not counts["wrong"], game
        assert not counts["stuck"], game
