"""How the engine says no: one exception for all that asks it what it cannot do."""

from __future__ import annotations


class CannotThink(ValueError):
    """A question, a game, a level, weights or a ladder that the engine cannot take; one sentence."""
