"""What counts in Relay: how far the pieces have come, and how many have arrived."""

from __future__ import annotations

from controller.rules.game import Advice
from tests.lab.planted.relay import State, home, progress


def count(state: State) -> list[list[int]]:
    """Return both numbers for each seat."""
    return [list(each) for each in zip(progress(state.board), home(state.board), strict=True)]


ADVICE: Advice[State, str] = Advice(("steps", "home"), count)
