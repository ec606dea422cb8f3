"""Two players of Beacons that follow a plan and do not search: what one is told of the game in five minutes.

The keeper spreads out, lives from its harvests, and lights what it can spare. The fighter also carries units together
for a beacon, and spends some to harm the others' harvest more than its own.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from controller.rules.games.beacons.game import after, moves
from controller.rules.games.beacons.state import (
    END,
    NOBODY,
    Beacon,
    Destroy,
    Move,
    Place,
    State,
    Transfer,
    dominant,
    stored,
    table_of,
)

PLENTY = 8  # units after the next harvest: who would have fewer lights no beacon before the last round
FIGHTS = 0.9  # how often a plan that pays is carried out


def keeper(state: State, dice: Random) -> Any:
    """Return a ply of the active phase, or one that places units."""
    if state.phase != "active":
        return _placed(state, dice)
    return _lit(state, moves(state)) or END


def fighter(state: State, dice: Random) -> Any:
    """Return a ply of the active phase, or one that places units."""
    if state.phase != "active":
        return _placed(state, dice)
    plies = moves(state)
    if ply := _lit(state, plies) or _carried(state, plies):
        return ply
    return (_harmful(state, plies) if dice.random() < FIGHTS else None) or END


def harvested(state: State, seat: int) -> int:
    """Return how many units ``seat`` would have after a harvest now."""
    limit = state.options.limit
    return sum(min(limit, store[seat]) for store in state.stores) + _grown(state, state.stores, seat)


def _grown(state: State, stores: tuple[tuple[int, ...], ...], seat: int) -> int:
    options, seams = state.options, table_of(state).seams
    total = 0
    for cell, store in enumerate(stores):
        if dominant(store) == seat:
            beside = sum(1 for other, _, _ in seams[cell] if stores[other][seat])
            gain = options.growth + options.neighbour_growth * beside
            total += max(0, min(gain, options.limit - sum(store)))
    return total


def _placed(state: State, dice: Random) -> Any:
    """Return one unit where harvests grow most by it, away from others and on cells with few."""
    me, seams = state.queue[0], table_of(state).seams
    single = [ply for ply in moves(state) if isinstance(ply, Place | Move) and ply.units == 1]

    def worth(ply: Place | Move) -> float:
        stores = stored(state.stores, ply.cell, me, 1)
        foes = sum(sum(state.stores[other]) - state.stores[other][me] for other, _, _ in seams[ply.cell])
        return 3 * _grown(state, stores, me) - 0.5 * stores[ply.cell][me] - 0.3 * foes + 0.2 * dice.random()

    return max(single, key=worth, default=END)


def _lit(state: State, plies: list[Any]) -> Any:
    """Return the beacon that leaves most for the next harvest, None where none can be spared or it is too early."""
    me, options = state.queue[0], state.options
    last = state.round == options.rounds
    if state.round == 1 and not last:
        return None
    left = {ply: harvested(after(state, ply), me) for ply in plies if isinstance(ply, Beacon)}
    spared = [ply for ply, units in left.items() if last or units >= PLENTY]
    return max(spared, key=lambda ply: (state.beacons[ply.beacon] != NOBODY, left[ply]), default=None)


def _carried(state: State, plies: list[Any]) -> Any:
    """Return the transfer after which most beacons more can be lit, None where there is none."""
    now = _lightable(plies)
    more = {ply: _lightable(moves(after(state, ply))) - now for ply in plies if isinstance(ply, Transfer)}
    best = max(more, key=lambda ply: more[ply], default=None)
    return best if best is not None and more[best] > 0 else None


def _lightable(plies: list[Any]) -> int:
    return sum(isinstance(ply, Beacon) for ply in plies)


def _harmful(state: State, plies: list[Any]) -> Any:
    """Return what costs the strongest other more of its next harvest than the own one, None where nothing does."""
    me = state.queue[0]
    foe = max((seat for seat in state.order if seat != me), key=lambda seat: harvested(state, seat))

    def ahead(of: State) -> int:
        return harvested(of, me) - harvested(of, foe)

    gains = {ply: ahead(after(state, ply)) - ahead(state) for ply in plies if isinstance(ply, Transfer | Destroy)}
    best = max(gains, key=lambda ply: gains[ply], default=None)
    return best if best is not None and gains[best] > 0 else None


PLANS: dict[str, Callable[[State, Random], Any]] = {"keeper": keeper, "fighter": fighter}
