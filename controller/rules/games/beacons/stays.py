"""Beacons: why nothing can be done now with what stands on a site, and why nothing can come to one."""

from __future__ import annotations

from controller.rules.games.beacons.actions import actions
from controller.rules.games.beacons.reasons import KINDS, why_no_action, why_no_placing
from controller.rules.games.beacons.rounds import placings
from controller.rules.games.beacons.state import Beacon, Modify, Move, Place, State, table_of
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
    return _why_no_unit(state, cell)


def _why_no_unit(state: State, cell: int) -> str:
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


def why_not_onto(state: State, site: str) -> str:
    """Return why no beacon can be built on a vertex, no node filled, or no unit placed; of an empty store, what to tap
    first.
    """
    table = table_of(state)
    if state.phase in ("place", "harvest", "buy-in"):
        cell = table.cells.get(site)
        if cell is None or any(cell == onto for onto, _ in placings(state)):
            return ""
        return say("No unit can come to {cell} now: {why}.", cell=site, why=_why_no_unit(state, cell))
    if state.phase != "active":
        return ""
    legal = actions(state)
    name, _, node = site.partition(":")
    if site in table.beacons:
        beacon = Beacon(table.beacons[site])
        cells = all_of(table.mesh.cells[cell] for cell in table.circles[beacon.beacon])
        why = "" if beacon in legal else why_no_action(state, beacon)
        return say("No beacon can be built between {cells} now: {why}.", cells=cells, why=why) if why else ""
    if node:
        filled = Modify(table.cells[name], int(node), on=True)
        why = "" if filled in legal else why_no_action(state, filled)
        return say("The shell of {cell} cannot be changed now: {why}.", cell=name, why=why) if why else ""
    if any(state.stores[table.cells[name]]):
        return ""
    return say("{cell} is empty. Tap a cell with units of yours to see where they may go.", cell=name)
