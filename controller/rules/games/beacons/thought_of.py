"""Beacons: which plies are worth a thought, for a program that cannot look behind hundreds of them.

Owns what no good player would do: pay others, work on a shell, carry units to no purpose.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from collections.abc import Sequence

from controller.rules.games.beacons.state import (
    Modify,
    Move,
    Pay,
    Place,
    Ply,
    Shift,
    State,
    Transfer,
    dominant,
    table_of,
)

PLACING = ("place", "harvest", "buy-in")  # parts of the game in which units go from a coffer onto the board
HANDFULS = (1, 2)  # units that are placed at once; more come by and by


def thinks_of(state: State, plies: Sequence[Ply]) -> list[Ply]:
    """Return those of ``plies`` that are worth a thought, at least one.

    The end of a turn is, and every bid, destruction and beacon. A transfer is where its units serve a purpose in their
    new cell. What is paid to others or spent on a shell is not, nor is an end that throws away what a coffer holds.
    """
    if state.phase in PLACING:
        return [ply for ply in plies if isinstance(ply, Place | Move) and ply.units in HANDFULS] or list(plies)
    rulers = [dominant(store) for store in state.stores]
    wanted: dict[int, tuple[int, ...]] = {}  # by cell
    found: list[Ply] = []
    for ply in plies:
        if isinstance(ply, Transfer):
            if ply.to not in wanted:
                wanted[ply.to] = _wanted(state, ply.to, rulers)
            if ply.units in wanted[ply.to]:
                found.append(ply)
        elif not isinstance(ply, Pay | Shift | Modify):
            found.append(ply)
    return found or list(plies)  # who asks what there is beside the end of a turn has no end among them


def _wanted(state: State, to: int, rulers: Sequence[int]) -> tuple[int, ...]:
    """Return how many more units serve a purpose in a cell.

    They are to rule it, to keep another from ruling it, or to complete what a beacon at one of its corners costs. In
    the last round a cell that nobody has is good for nothing but that.
    """
    me, options = state.queue[0], state.options
    store, price = state.stores[to], options.beacon
    own, rival = store[me], max(units for seat, units in enumerate(store) if seat != me)
    wanted: list[int] = []
    if own <= rival and (rival or state.round < options.rounds):
        wanted.append(rival + 1 - own)
    if own < rival:
        wanted.append(rival - own)
    if own < price and _lacks_only(state, to, rulers):
        wanted.append(price - own)
    return tuple(wanted)


def _lacks_only(state: State, to: int, rulers: Sequence[int]) -> bool:
    """Whether a beacon at a corner of cell ``to`` could be built if there were more units in that one cell."""
    me, price, table = state.queue[0], state.options.beacon, table_of(state)
    return any(
        state.beacons[beacon] != me
        and all(
            cell == to or (rulers[cell] == me and state.stores[cell][me] >= price) for cell in table.circles[beacon]
        )
        for beacon in table.corners[to]
    )
