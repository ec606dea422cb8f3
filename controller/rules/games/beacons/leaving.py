"""Beacons: a player gives up, and the others play on.

Owns what becomes of that player's units, bid and turn, as the ruling has it for whoever is found out. Must not know how
a ply is written.
"""

from __future__ import annotations

from msgspec.structs import replace

from controller.rules.games.beacons.rounds import bids_closed, harvest, settled
from controller.rules.games.beacons.state import Out, State


def leaves(state: State, seat: int) -> Out | None:
    """Return the ply by which ``seat`` gives up in a game of more than two; None where it is out already."""
    playing = state.options.players > 2 and seat in state.order and seat not in state.left
    return Out(seat) if playing and state.phase != "over" else None


def after_out(state: State, seat: int) -> State:
    """Return the state after ``seat`` gave up: its units leave the stores, its beacons stay and score no more."""
    turn = state.queue[0] == seat
    queue = tuple(other for other in state.queue if other != seat)
    if state.phase == "bid":
        return bids_closed(replace(state, queue=queue, left=tuple(sorted((*state.left, seat)))))
    order = tuple(other for other in state.order if other != seat)
    state = replace(
        state,
        order=order,
        queue=queue,
        stores=tuple((*store[:seat], 0, *store[seat + 1 :]) for store in state.stores),
        coffers=(*state.coffers[:seat], 0, *state.coffers[seat + 1 :]),
        out=tuple(other for other in state.out if other != seat),
        fed=tuple(other for other in state.fed if other != seat),
    )
    if turn:
        state = replace(state, placed=(), used=(), spent=False)
    if len(order) == 1:
        return replace(state, phase="over", queue=(), why="last")
    if state.phase == "active":
        return harvest(state) if state.quiet >= len(order) else state
    return settled(state)
