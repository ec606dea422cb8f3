"""Beacons: plies that were made, each as a clause that follows the name of who made it: ``passes``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from controller.rules.games.beacons.actions import cost_between
from controller.rules.games.beacons.state import (
    Beacon,
    Bid,
    Destroy,
    End,
    Modify,
    Move,
    Out,
    Pay,
    Place,
    Ply,
    Shift,
    State,
    Transfer,
    player,
    table_of,
)
from controller.rules.games.beacons.text import faced
from controller.sentences import all_of, say

MOST_CELLS = 4  # that several transfers in a row are told to lead to, by name


def made(state: State, ply: Ply) -> str:
    """Return what whoever makes ``ply`` does."""
    match ply:
        case Transfer():
            return _transfers(state, ply)
        case Destroy() | Shift() | Modify() | Beacon() | Pay():
            return _acts(state, ply)
        case Bid(shares):
            bids = (say("{units} for {player}", units=units, player=player(n)) for n, units in enumerate(shares))
            return say("bids {bids}", bids=tuple(bids))
        case Place(cell, units):
            return say("places {units} on {cell}", units=units, cell=table_of(state).mesh.cells[cell])
        case Move(cell, units):
            return say("moves {units} from the coffer to {cell}", units=units, cell=table_of(state).mesh.cells[cell])
        case End():
            return _ends(state)
        case Out():
            return say("gives up")


def made_alike(state: State, plies: Sequence[Ply]) -> str:
    """Return what whoever places, transfers, destroys or moves units from the coffer several times in a row does."""
    units: dict[int, int] = {}
    destroyed = [ply.seat for ply in plies if isinstance(ply, Destroy)]
    if len(destroyed) == len(plies):
        return _destroys(destroyed)
    for ply in plies:
        if not isinstance(ply, Place | Move | Transfer) or type(ply) is not type(plies[0]):
            return ""
        cell = ply.to if isinstance(ply, Transfer) else ply.cell
        units[cell] = units.get(cell, 0) + ply.units
    if isinstance(plies[0], Transfer):
        return _transfers_alike(state, units, len(plies))
    cells = table_of(state).mesh.cells
    each = all_of(say("{units} on {cell}", units=number, cell=cells[cell]) for cell, number in units.items())
    return (
        say("places {units}", units=each)
        if isinstance(plies[0], Place)
        else say("puts {units} from the coffer", units=each)
    )


def _destroys(seats: Sequence[int]) -> str:
    """Return whose units go, and how many of each."""
    if len(seats) == 1:
        return ""
    each = (say("{units} of {player}", units=seats.count(seat), player=player(seat)) for seat in sorted({*seats}))
    return say("destroys {units}", units=all_of(each))


def _transfers_alike(state: State, units: Mapping[int, int], count: int) -> str:
    """Return what ``count`` transfers bring to which cell; of many cells only how many units."""
    if len(units) > MOST_CELLS:
        return say("transfers {units} units in {count} moves", units=sum(units.values()), count=count)
    cells = table_of(state).mesh.cells
    each = all_of(say("{units} to {cell}", units=number, cell=cells[cell]) for cell, number in units.items())
    return say("transfers {units}", units=each)


def _transfers(state: State, ply: Transfer) -> str:
    cells, cost = table_of(state).mesh.cells, cost_between(state, ply.cell, ply.to)
    begin, end = cells[ply.cell], cells[ply.to]
    if cost is None or cost.free:
        return say("transfers {units} from {begin} to {end} for free", units=ply.units, begin=begin, end=end)
    return say("transfers {units} from {begin} to {end} for {price}",
               units=ply.units, begin=begin, end=end, price=cost.pay)  # fmt: skip


def _acts(state: State, ply: Destroy | Shift | Modify | Beacon | Pay) -> str:
    table, options = table_of(state), state.options
    cells = table.mesh.cells
    match ply:
        case Destroy(cell, seat):
            return say("spends {units} in {cell} to destroy a unit of {player}",
                       units=options.destroy, cell=cells[cell], player=player(seat))  # fmt: skip
        case Shift(cell, by) if by > 0:
            return say("turns the shell of {cell} clockwise for {price}", cell=cells[cell], price=options.shift)
        case Shift(cell):
            return say("turns the shell of {cell} counter-clockwise for {price}", cell=cells[cell], price=options.shift)
        case Modify():
            return _modifies(state, ply)
        case Beacon(beacon):
            return say("builds a beacon between {cells}", cells=all_of(cells[cell] for cell in table.circles[beacon]))
        case Pay(cell, seat, units):
            return say("pays {units} from {cell} into the coffer of {player}",
                       units=units, cell=cells[cell], player=player(seat))  # fmt: skip


def _modifies(state: State, ply: Modify) -> str:
    cell, price = table_of(state).mesh.cells[ply.cell], state.options.modify
    if other := faced(state, ply.cell, ply.node):
        if ply.on:
            return say("puts a unit on the node of {cell} that faces {other}, for {price}",
                       cell=cell, other=other, price=price)  # fmt: skip
        return say("takes the unit off the node of {cell} that faces {other}, for {price}",
                   cell=cell, other=other, price=price)  # fmt: skip
    if other := faced(state, ply.cell, ply.node, opposite=True):
        if ply.on:
            return say("puts a unit on the node of {cell} on the side away from {other}, for {price}",
                       cell=cell, other=other, price=price)  # fmt: skip
        return say("takes the unit off the node of {cell} on the side away from {other}, for {price}",
                   cell=cell, other=other, price=price)  # fmt: skip
    if ply.on:
        return say("puts a unit on node {node} of {cell}, for {price}", node=ply.node, cell=cell, price=price)
    return say("takes the unit off node {node} of {cell}, for {price}", node=ply.node, cell=cell, price=price)


def _ends(state: State) -> str:
    if state.phase == "active":
        return say("ends the turn") if state.used else say("passes")
    if state.phase == "harvest":
        return say("is done with the harvest")
    return say("is done buying in") if state.phase == "buy-in" else say("is done placing")
