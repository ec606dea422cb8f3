"""Beacons: a player gives up, and the others play on.

Owns what becomes of that player's units, bid and turn, as the ruling has it for whoever is found out.
"""

from __future__ import annotations

from msgspec.structs import replace

from controller.rules.games.beacons.rounds import bids_closed, phase_closed, settled
from controller.rules.games.beacons.state import Out, State


def leaves(state: State, seat: int) -> Out | None:
    """Return the ply by which ``seat`` gives up in a game of more than two; None where it is out already."""
    playing = state.options.players > 2 and seat in state.order
    return Out(seat) if playing and state.phase != "over" else None


def after_out(state: State, seat: int) -> State:
    """Return the state after ``seat`` gave up, with all that ends by that."""
    left = without(state, seat)
    if left.phase == "bid":
        return bids_closed(left)
    return phase_closed(left) if left.phase == "active" else settled(left)


def without(state: State, seat: int) -> State:
    """Return the state once ``seat`` gave up: its units leave the stores, its beacons stay and score no more.

    Another one's turn goes on as it was; its own ends and counts for nobody. What is over by that is not closed yet.
    """
    left = replace(
        state,
        order=_without(state.order, seat),
        queue=_without(state.queue, seat),
        stores=tuple((*store[:seat], 0, *store[seat + 1 :]) for store in state.stores),
        coffers=(*state.coffers[:seat], 0, *state.coffers[seat + 1 :]),
        passed=_without(state.passed, seat),
        fed=_without(state.fed, seat),
        out=_without(state.out, seat),
    )
    last = len(left.order) == 1
    if last or state.queue[0] == seat:
        left = replace(left, placed=(), used=(), spent=False)
    return replace(left, phase="over", queue=(), why="last") if last else left


def _without(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(other for other in seats if other != seat)
