"""Giantslayer: why a stone cannot move."""

from __future__ import annotations

from controller.rules.games.giantslayer.state import CELLS, MIDDLE, PLACES, State
from controller.rules.mesh import hex_distance
from controller.sentences import say


def why_stays(state: State, site: str) -> str:
    """Return why the stone on ``site`` cannot move."""
    cell = CELLS.index(site)
    taken = say("every cell around it is occupied")
    if hex_distance(PLACES[cell], MIDDLE) == 1:
        taken = say("every cell around it is occupied, and the centre e5 is blocked")
    if state.white >> cell & 1:
        return taken
    return say("{taken}; it can trample no halogai, for none beside it has a free cell behind it", taken=taken)
