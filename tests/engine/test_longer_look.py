"""A turn of several plies counts as a mistake only where a longer look says so, too."""

from __future__ import annotations

from typing import Any

import pytest

from controller.engine import analysis
from controller.engine.judgement import Shares
from controller.engine.turning_points import Fall
from controller.rules.registry import game_named

GAME = game_named("beacons")


def fall(number: int, lost: float) -> Fall:
    return Fall(number, 0, 0.6, 0.6 - lost, "place a3 1")


def test_a_turn_counts_as_a_mistake_only_if_a_longer_look_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fall of one ply stands as it was seen; what is dropped makes room for another one close by."""
    seen = {"best": 0.55, "played": 0.5, "better": 0.7, "worse": 0.3}

    def end(look: Any, state: str, times: int = 1) -> Shares:
        assert times == analysis.LONGER, "both sides are looked at longer"
        return seen[state], 1 - seen[state]

    monkeypatch.setattr(analysis._Look, "end", end)
    look = analysis._Look(GAME, 2, 100, lambda: False, None)
    look.ends = {20: ("best", "played"), 22: ("better", "worse")}
    falls = [fall(20, 0.4), fall(22, 0.3), fall(40, 0.2)]
    assert [turn.number for turn in look.sure(falls, (0.5, 0.5))] == [22, 40]
