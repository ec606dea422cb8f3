"""Beacons: how plies are made on a phone: on a dial, by turning a shell, and in which order they are listed."""

from __future__ import annotations

from controller.rules.game import Dial
from controller.rules.games.beacons.actions import cost_between
from controller.rules.games.beacons.state import (
    Beacon,
    Destroy,
    Modify,
    Move,
    Pay,
    Place,
    Ply,
    Shift,
    State,
    Transfer,
    player,
    table_of,
)
from controller.rules.shells import Cost
from controller.sentences import Sentence, say

ORDER = (Beacon, Transfer, Place, Move, Destroy, Shift, Modify, Pay)  # what is wanted most comes first


def rank(state: State, ply: Ply) -> int:
    """Return where ``ply`` stands in a list: beacons first, what gives units away last."""
    return next((n for n, kind in enumerate(ORDER) if isinstance(ply, kind)), len(ORDER))


def dial(state: State, ply: Ply) -> Dial | None:
    """Return what the number of units in ``ply`` chooses, None where it has none."""
    cells = table_of(state).mesh.cells
    match ply:
        case Transfer(cell, to, units):
            cost = cost_between(state, cell, to)
            assert cost is not None  # of neighbours
            title = say("Transfer from {begin} to {end}", begin=cells[cell], end=cells[to])
            told = _stay(state.stores[cell][state.queue[0]] - cost.pay - units, cost)
            return Dial(title, units, told, _price(cost), (cells[cell], cells[to]))
        case Place(cell, units):
            return Dial(say("Place units on {cell}", cell=cells[cell]), units, _coffer(state, units))
        case Move(cell, units):
            title = say("Move units from the coffer to {cell}", cell=cells[cell])
            return Dial(title, units, _coffer(state, units))
        case Pay(cell, seat, units):
            title = say("Pay units from {cell} into the coffer of {player}", cell=cells[cell], player=player(seat))
            left = state.stores[cell][state.queue[0]] - units
            return Dial(title, units, say("{units} stay on {cell}.", units=left, cell=cells[cell]))
    return None


def turn(state: State, ply: Ply) -> int:
    """Return by how many nodes ``ply`` turns the shell of its cell, clockwise."""
    return ply.by if isinstance(ply, Shift) else 0


def _price(cost: Cost) -> Sentence:
    if cost.free:
        return say("{cost}: free, any number may go.", cost=cost.text)
    return say("{cost}: pay {pay}, then up to {move} may go.", cost=cost.text, pay=cost.pay, move=cost.move)


def _stay(stay: int, cost: Cost) -> Sentence:
    if cost.free:
        return say("You pay nothing. Left here: {stay}.", stay=stay)
    return say("You pay {pay}. Left here: {stay}.", pay=cost.pay, stay=stay)


def _coffer(state: State, units: int) -> Sentence:
    return say("Left to place: {units}.", units=state.coffers[state.queue[0]] - units)
