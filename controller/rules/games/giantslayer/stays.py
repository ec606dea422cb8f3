"""Giantslayer: why a stone cannot move, and why none comes to the centre."""

from __future__ import annotations

from controller.rules.games.giantslayer.state import CELLS, CENTRE, MIDDLE, PLACES, State
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


def why_not_onto(state: State, site: str) -> str:
    """Return why no stone can come to ``site``, "" where one could."""
    closed = 1 << CELLS.index(site) == CENTRE
    return say("The centre e5 is blocked: nothing enters, passes or jumps it.") if closed else ""
