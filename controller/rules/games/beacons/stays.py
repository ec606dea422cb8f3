"""Beacons: why nothing can be done now with what stands on a site."""

from __future__ import annotations

from controller.rules.games.beacons.reasons import KINDS, why_no_action, why_no_placing
from controller.rules.games.beacons.state import Modify, Move, Place, State, table_of
from controller.sentences import all_of, say


def why_stays(state: State, site: str) -> str:
    """Return why nothing can be done with the units, the beacon or the node on ``site``."""
    if "." in site:
        return say("a beacon stays where it was built")
    if state.phase == "bid":
        return say("the bids come first")
    name, _, node = site.partition(":")
    cell = table_of(state).cells[name]
    if state.phase == "active":
        return why_no_action(state, Modify(cell, int(node), on=False)) if node else _used_up(state, cell)
    if node:
        return say("shells change only in the active phase")
    return why_no_placing(state, Move(cell, 1) if state.phase == "harvest" else Place(cell, 1))


def _used_up(state: State, cell: int) -> str:
    name = table_of(state).mesh.cells[cell]
    if not state.stores[cell][state.queue[0]]:
        return say("you have no unit in {name}", name=name)
    if len(state.used) < state.options.kinds:
        known = all_of(KINDS[kind] for kind in state.options.actions)
        return say("none of the actions of this game can be made in {name} now: {kinds}", name=name, kinds=known)
    done = all_of(KINDS[kind] for kind in state.used)
    return say("the kinds of action of this turn are used up, and here it can do none of them: {kinds}", kinds=done)
