"""Beacons: what speaks for a ply that brings nothing which is counted, as a clause that everybody may read who may
read the ply.
"""

from __future__ import annotations

from controller.rules.games.beacons.actions import acted
from controller.rules.games.beacons.harvest_told import closes_round
from controller.rules.games.beacons.rounds import after_placing
from controller.rules.games.beacons.state import END, Bid, Destroy, End, Move, Place, Ply, State, Transfer, table_of
from controller.sentences import say


def speaks_for(state: State, ply: Ply) -> str:
    """Return what speaks for a bid, ending a turn, bringing units to a cell, or destroying one; "" of any other ply."""
    if isinstance(ply, Bid):
        return _of_bid(state, ply)
    if isinstance(ply, Place | Move):
        return _in_cell(state, ply.cell, after_placing(state, ply))
    if isinstance(ply, Transfer):
        return _in_cell(state, ply.to, acted(state, ply))
    if isinstance(ply, Destroy):
        return say("a unit of the others goes, for {units} of its own", units=state.options.destroy)
    return _of_end(state) if state.phase == "active" and isinstance(ply, End) else ""


def _of_bid(state: State, bid: Bid) -> str:
    """Return what the own coffer has by it, whatever the others give. Of two, whoever has more wins more games than
    whoever begins (docs/strength.md).
    """
    kept = bid.shares[state.queue[0]]
    units = kept + state.options.bonus
    if kept < state.options.bid:
        return say("it leaves {units} units or more to set up with, and whoever gets least begins", units=units)
    if state.options.players == 2:
        return say("it leaves {units} units or more to set up with, which are worth more than beginning", units=units)
    return say("it leaves {units} units or more to set up with", units=units)


def _of_end(state: State) -> str:
    if closes_round(state, END):
        return say("the harvest follows at once")
    units = sum(store[state.queue[0]] for store in state.stores)
    if not units:
        return say("no units are left to spend")
    if state.spent:
        return say("it keeps the units that are left ({count})", count=units)
    return say("it keeps all units ({count}), and once all have ended a turn without spending, the harvest comes",
               count=units)  # fmt: skip


def _in_cell(state: State, cell: int, after: State) -> str:
    seat = state.queue[0]
    before, now = _lacking(state, seat), _lacking(after, seat)
    if now < before:
        return say("the nearest beacon then needs {units} more, not {before}", units=now, before=before)
    units, name = after.stores[cell][seat], table_of(state).mesh.cells[cell]
    if units == 1:
        return say("one of its own units is then in {cell}", cell=name)
    return say("{units} of its own units are then in {cell}", units=units, cell=name)


def _lacking(state: State, seat: int) -> int:
    """Return how many units more ``seat`` needs for the beacon that it needs fewest for; 0 where it has all."""
    table, price = table_of(state), state.options.beacon
    rivals = (max((*store[:seat], *store[seat + 1 :]), default=0) for store in state.stores)
    lacks = [max(0, max(price, rival + 1) - store[seat]) for rival, store in zip(rivals, state.stores, strict=True)]
    free = (circle for circle, holder in zip(table.circles, state.beacons, strict=True) if holder != seat)
    return min((sum(lacks[cell] for cell in circle) for circle in free), default=0)
