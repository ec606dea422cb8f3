"""Beacons: which rule forbids a ply that is not legal, in one sentence.

Owns these sentences. It is asked only about plies that were read and are not legal.
"""

from __future__ import annotations

from controller.rules.beacons_actions import cost_between
from controller.rules.beacons_state import (
    LETTERS,
    Beacon,
    Bid,
    Destroy,
    End,
    Modify,
    Move,
    Pay,
    Phase,
    Place,
    Ply,
    Shift,
    State,
    Transfer,
    dominant,
    table_of,
)

PHASES: dict[Phase, str] = {
    "bid": "these are the bids: write 'bid' and a number for each player",
    "place": "units are being placed from the coffers: write 'place a3 3' or 'end'",
    "active": "this is the active phase: actions begin with t, d, s, m, b or p, or write 'end'",
    "harvest": "this is the harvest: write 'move a3 2' or 'end'",
    "buy-in": "this is the buy-in: write 'place a3 3' or 'end'",
    "over": "the game is over",
}
KINDS = {"t": "transfer", "d": "destroy", "s": "shift", "m": "modify", "b": "beacon", "p": "pay"}


def why_not(state: State, ply: Ply) -> str:
    """Return which rule forbids ``ply``."""
    fits = {"bid": (Bid,), "place": (Place, End), "buy-in": (Place, End), "harvest": (Move, End)}
    if state.phase == "active" and type(ply) in LETTERS:
        return _why_no_action(state, ply)
    if not isinstance(ply, fits.get(state.phase, ())):
        return PHASES[state.phase]
    if isinstance(ply, Bid):
        return _why_no_bid(state, ply)
    assert isinstance(ply, Place | Move)
    return _why_no_placing(state, ply)


def _why_no_bid(state: State, bid: Bid) -> str:
    players, units = state.options.players, state.options.bid
    if len(bid.shares) != players:
        return f"a bid has one number for each of the {players} players, this one has {len(bid.shares)}"
    return f"a bid shares out exactly {units} units, this one {sum(bid.shares)}"


def _why_no_placing(state: State, ply: Place | Move) -> str:
    me, options, store = state.queue[0], state.options, state.stores[ply.cell]
    name, coffer = table_of(state).mesh.cells[ply.cell], state.coffers[state.queue[0]]
    if not ply.units:
        return "at least one unit is placed or moved at a time"
    if ply.units > coffer:
        return f"the coffer of player {me + 1} holds {_units(coffer)}"
    if state.phase == "place":
        most = len(state.stores) // options.players
        if store[me] != sum(store):
            return f"another player's units are on {name}"
        if len(state.placed) >= most and ply.cell not in state.placed:
            return f"units are placed on at most {most} different cells: the cells divided by the players"
    if state.phase == "harvest" and not store[me]:
        return f"you do not occupy {name}: coffer units go to cells that hold a unit of yours"
    room = options.limit - sum(store)
    if room <= 0:
        return f"the store of {name} is full ({options.limit})"
    return f"the store of {name} has room for {room} more, the limit is {options.limit}"


def _why_no_action(state: State, ply: Ply) -> str:
    letter, kinds = LETTERS[type(ply)], state.options.kinds
    if letter not in state.used and len(state.used) >= kinds:
        done = " and ".join(KINDS[kind] for kind in state.used)
        return f"{_ordinal(kinds + 1)} kind of action this turn: a turn has at most {kinds}, this one had {done}"
    if isinstance(ply, Beacon):
        return _why_no_beacon(state, ply)
    assert isinstance(ply, Transfer | Destroy | Shift | Modify | Pay)
    name, own = table_of(state).mesh.cells[ply.cell], state.stores[ply.cell][state.queue[0]]
    if not own:
        return f"you have no unit in {name}"
    match ply:
        case Transfer():
            return _why_no_transfer(state, ply, own)
        case Destroy():
            return _why_no_destroying(state, ply, own)
        case Shift():
            return f"turning a shell costs {_units(state.options.shift)}, and you have {own} in {name}"
        case Modify():
            return _why_no_modifying(state, ply, own)
        case Pay():
            return _why_no_paying(state, ply, own)


def _ordinal(number: int) -> str:
    return {2: "a second", 3: "a third", 4: "a fourth", 5: "a fifth", 6: "a sixth"}[number]


def _units(number: int) -> str:
    return "1 unit" if number == 1 else f"{number} units"


def _why_no_transfer(state: State, ply: Transfer, own: int) -> str:
    table = table_of(state)
    name, other = table.mesh.cells[ply.cell], table.mesh.cells[ply.to]
    cost = cost_between(state, ply.cell, ply.to)
    if cost is None:
        return f"{name} and {other} are not neighbours: units move across one side"
    if not cost.m:
        return f"blocked: all {table.nodes} nodes of {name} and {other} differ ({cost})"
    if not ply.units:
        return "units move at least one at a time"
    if cost.h and ply.units > cost.m:
        return f"the transfer costs {cost.p} and moves at most {cost.m} ({cost})"
    price = f"the transfer costs {cost.p} and moves {ply.units}" if cost.h else f"the transfer moves {ply.units}"
    return f"{price}, and you have {own} in {name}"


def _why_no_destroying(state: State, ply: Destroy, own: int) -> str:
    name, price = table_of(state).mesh.cells[ply.cell], state.options.destroy
    if ply.seat == state.queue[0]:
        return "only units of other players are destroyed"
    if not state.stores[ply.cell][ply.seat]:
        return f"player {ply.seat + 1} has no unit in {name}"
    return f"destroying a unit costs {_units(price)}, and you have {own} in {name}"


def _why_no_modifying(state: State, ply: Modify, own: int) -> str:
    table, price = table_of(state), state.options.modify
    name = table.mesh.cells[ply.cell]
    if all(state.beacons[beacon] != state.queue[0] for beacon in table.corners[ply.cell]):
        return f"no beacon of yours touches {name}"
    if own < price:
        return f"changing a shell costs {_units(price)}, and you have {own} in {name}"
    return f"node {ply.node} of {name} is {'already occupied' if ply.on else 'empty'}"


def _why_no_beacon(state: State, ply: Beacon) -> str:
    table, me, price = table_of(state), state.queue[0], state.options.beacon
    if state.beacons[ply.beacon] == me:
        return f"a beacon of yours already stands at {table.beacon_names[ply.beacon]}"
    for cell in table.circles[ply.beacon]:
        if dominant(state.stores[cell]) != me:
            return f"you are not dominant in {table.mesh.cells[cell]}"
    poor = next(cell for cell in table.circles[ply.beacon] if state.stores[cell][me] < price)
    own = state.stores[poor][me]
    return f"a beacon costs {_units(price)} from each store round it, and you have {own} in {table.mesh.cells[poor]}"


def _why_no_paying(state: State, ply: Pay, own: int) -> str:
    if ply.seat == state.queue[0]:
        return "units are paid into another player's coffer, not into one's own"
    if ply.seat not in state.order:
        return f"player {ply.seat + 1} is out: units are paid to players in play"
    if not ply.units:
        return "at least one unit is paid"
    return f"you have {own} in {table_of(state).mesh.cells[ply.cell]}, not {ply.units}"
