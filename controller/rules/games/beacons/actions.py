"""Beacons: the active phase. Which actions a player may take, and what each does.

Owns the six kinds of action and the end of a turn, in the ruling's order.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from controller.rules.games.beacons.state import (
    END,
    LETTERS,
    NOBODY,
    Beacon,
    CellTables,
    Destroy,
    Modify,
    Pay,
    Ply,
    Shift,
    State,
    Stores,
    Transfer,
    added,
    dominant,
    stored,
    table_of,
)
from controller.rules.shells import Cost

Ways = dict[int, tuple[int, int]]  # by cell that gets units: the cell beside it that sends them, and what that pays


def actions(state: State) -> list[Ply]:
    """Return the legal actions of the player to move, and `END`, which is always legal."""
    table, me, options = table_of(state), state.queue[0], state.options
    kinds = state.used if len(state.used) >= options.kinds else options.actions
    found: list[Ply] = [END]
    for cell, store in enumerate(state.stores):
        own = store[me]
        if not own:
            continue
        if "t" in kinds:
            _transfers(state, table, cell, own, found)
        if "d" in kinds and own >= options.destroy:
            found += [Destroy(cell, seat) for seat, units in enumerate(store) if units and seat != me]
        if "s" in kinds and own >= options.shift:
            found += (Shift(cell, 1), Shift(cell, -1))
        if "m" in kinds and own >= options.modify and any(state.beacons[b] == me for b in table.corners[cell]):
            shell = state.shells[cell]
            found += [Modify(cell, node, not shell >> node & 1) for node in range(table.nodes)]
        if "p" in kinds:
            found += [Pay(cell, s, units) for s in state.order if s != me for units in range(1, own + 1)]
    if "b" in kinds:
        found += _new_beacons(state, table, me)
    return found


def _transfers(state: State, table: CellTables, cell: int, own: int, found: list[Ply]) -> None:
    """p units are paid first, then 1 … m units move; with 0:1 any number of units."""
    shells, ring = state.shells, table.ring
    near, far, mask, costs = ring.near[shells[cell]], ring.far, ring.mask, ring.costs
    for to, i, j in table.seams[cell]:
        cost = costs[((near >> i ^ far[shells[to]] >> j) & mask).bit_count()]
        most = own if cost.free else min(cost.move, own - cost.pay)
        found += [Transfer(cell, to, units) for units in range(1, most + 1)]


def _new_beacons(state: State, table: CellTables, me: int) -> list[Ply]:
    """Where one is dominant in every cell round the vertex, and each of those stores can pay."""
    price = state.options.beacon
    able = [store[me] >= price and dominant(store) == me for store in state.stores]
    if not any(able):
        return []
    return [
        Beacon(beacon)
        for beacon, cells in enumerate(table.circles)
        if state.beacons[beacon] != me and all(able[cell] for cell in cells)
    ]


def sites_to_build(state: State) -> tuple[str, ...]:
    """Return the sites where the player to move can build a beacon now."""
    return tuple(table_of(state).beacon_names[beacon] for beacon in _to_build(state))


def corners_to_build(state: State, cell: int | None = None) -> tuple[str, ...]:
    """Return the corners, of ``cell`` if it is given, where the player to move can build a beacon now: ``a3–a4``."""
    table = table_of(state)
    circles = (table.circles[beacon] for beacon in _to_build(state))
    return tuple("–".join(table.mesh.cells[c] for c in each) for each in circles if cell in (None, *each))


def _to_build(state: State) -> list[int]:
    if state.phase != "active" or not state.queue:
        return []
    return [ply.beacon for ply in actions(state) if isinstance(ply, Beacon)]


def missing_for_a_beacon(state: State) -> tuple[str, tuple[tuple[str, int, str, int], ...]] | None:
    """Return the corner, ``a3–a4``, where a beacon costs the player to move the fewest units, and what it still needs.

    That is each cell that lacks units, how many, the cell beside it that can send them, and what that pays.

    Where they cannot be brought in this turn it is the corner that needs the fewest, and they come from "". None where
    a beacon can be built, or none in this turn.
    """
    found, options = supplied(state), state.options
    if not found or {} in found.values():
        return None
    table, lacks = table_of(state), _lacks(state, _least(state))
    beacon, ways = min(
        found.items(),
        key=lambda each: (
            (0, options.beacon * len(table.circles[each[0]]) + sum(pay for _, pay in each[1].values()))
            if each[1] is not None
            else (1, sum(lacks[cell] for cell in table.circles[each[0]]))
        ),
    )
    circle = table.circles[beacon]
    cells, nobody = table.mesh.cells, (-1, 0)
    sent = {cell: (ways or {}).get(cell, nobody) for cell in circle if lacks[cell]}
    return "–".join(cells[cell] for cell in circle), tuple(
        (cells[cell], lacks[cell], "" if start < 0 else cells[start], pay) for cell, (start, pay) in sent.items()
    )


def supplied(state: State) -> dict[int, Ways | None]:
    """Return, by beacon that the player to move could have in this turn, from where each cell around it gets the units
    that it lacks; None where one of them cannot.
    """
    kinds, options = {*state.used, LETTERS[Beacon]}, state.options
    if state.phase != "active" or not state.queue or len(kinds) > options.kinds:
        return {}
    if LETTERS[Beacon] not in options.actions:
        return {}
    me, least, circles = state.queue[0], _least(state), table_of(state).circles
    lacks = _lacks(state, least)
    may = LETTERS[Transfer] in options.actions and len({*kinds, LETTERS[Transfer]}) <= options.kinds
    return {
        beacon: _brought(state, circle, least) if may or not any(lacks[cell] for cell in circle) else None
        for beacon, (circle, holder) in enumerate(zip(circles, state.beacons, strict=True))
        if holder != me
    }


def steps_to_build(state: State, beacon: int, ways: Ways) -> tuple[Ply, ...]:
    """Return the transfers that bring what a beacon lacks, as `supplied` has it, and then the beacon."""
    lacks, steps = _lacks(state, _least(state)), list[Ply]()
    for cell, (start, _) in ways.items():
        cost = cost_between(state, start, cell)
        assert cost is not None  # of neighbours
        most = lacks[cell] if cost.free else cost.move
        steps += [Transfer(start, cell, min(most, lacks[cell] - sent)) for sent in range(0, lacks[cell], most)]
    return (*steps, Beacon(beacon))


def _least(state: State) -> list[int]:
    """Return, by cell, how many units the player to move has to have there for a beacon at one of its corners."""
    me, price = state.queue[0], state.options.beacon
    return [max(price, 1 + max((*store[:me], *store[me + 1 :]))) for store in state.stores]


def _lacks(state: State, least: Sequence[int]) -> list[int]:
    """Return, by cell, how many units the player to move has there too few."""
    return [max(0, units - store[state.queue[0]]) for units, store in zip(least, state.stores, strict=True)]


def _brought(state: State, circle: Sequence[int], least: Sequence[int]) -> Ways | None:
    """Return from which cell beside it, and for how much, each cell of ``circle`` gets what it lacks of the ``least``;
    None where one of them cannot. No cell of the circle sends what it needs itself.
    """
    me, stores = state.queue[0], state.stores
    found: Ways = {}
    kept = {cell: least[cell] for cell in circle}
    for cell in circle:
        units = least[cell] - stores[cell][me]
        offers = []
        for start, _, _ in table_of(state).seams[cell] if units > 0 else ():
            spare = stores[start][me] - kept.get(start, 0)
            cost = cost_between(state, start, cell) if spare >= units else None
            if cost is None or cost.closed:
                continue
            pay = 0 if cost.free else cost.pay * -(-units // cost.move)
            if units + pay <= spare:
                offers.append((pay, start))
        if units > 0 and not offers:
            return None
        if units > 0:
            pay, start = min(offers)
            kept[start] = kept.get(start, 0) + units + pay
            found[cell] = start, pay
    return found


def cost_between(state: State, cell: int, to: int) -> Cost | None:
    """Return the cost of the adjacency of two cells, None where they are not neighbours."""
    table = table_of(state)
    ring, shells = table.ring, state.shells
    for other, i, j in table.seams[cell]:
        if other == to:
            return ring.costs[((ring.near[shells[cell]] >> i ^ ring.far[shells[to]] >> j) & ring.mask).bit_count()]
    return None


# ---- what an action does ----------------------------------------------------------------------------------


def acted(state: State, ply: Ply) -> State:
    """Return the state after a legal action; its kind is used up, the turn goes on."""
    letter, me, options = LETTERS[type(ply)], state.queue[0], state.options
    used = state.used if letter in state.used else tuple(sorted((*state.used, letter)))
    match ply:
        case Transfer(cell, to, units):
            cost = cost_between(state, cell, to)
            assert cost is not None
            stores = stored(stored(state.stores, cell, me, -cost.pay - units), to, me, units)
            return replace(state, stores=stores, used=used, spent=state.spent or cost.pay > 0)
        case Destroy(cell, seat):
            stores = stored(stored(state.stores, cell, me, -options.destroy), cell, seat, -1)
            return replace(state, stores=stores, used=used, spent=True)
        case Shift(cell, by):
            return _shifted(state, cell, by, stored(state.stores, cell, me, -options.shift), used)
        case Modify(cell, node, on):
            return _modified(state, cell, node, on, used)
        case Beacon(beacon):
            stores = state.stores
            for cell in table_of(state).circles[beacon]:
                stores = stored(stores, cell, me, -options.beacon)
            beacons = (*state.beacons[:beacon], me, *state.beacons[beacon + 1 :])
            return replace(state, stores=stores, beacons=beacons, used=used, spent=True)
        case Pay(cell, seat, units):
            stores, coffers = stored(state.stores, cell, me, -units), added(state.coffers, seat, units)
            return replace(state, stores=stores, coffers=coffers, used=used, spent=True)
    raise TypeError(f"{ply!r} is no action")


def _shifted(state: State, cell: int, by: int, stores: Stores, used: tuple[str, ...]) -> State:
    """Clockwise, what node j held goes to j + 1, with its colour."""
    nodes = table_of(state).nodes

    def turned(ring: int) -> int:
        return (ring << by % nodes | ring >> -by % nodes) & (1 << nodes) - 1

    colours = tuple(turned(ring) for ring in state.colours[cell])
    return replace(
        state,
        stores=stores,
        shells=(*state.shells[:cell], turned(state.shells[cell]), *state.shells[cell + 1 :]),
        colours=(*state.colours[:cell], colours, *state.colours[cell + 1 :]),
        used=used,
        spent=True,
    )


def _modified(state: State, cell: int, node: int, on: bool, used: tuple[str, ...]) -> State:
    """With owned nodes, the unit paid for adding is itself put on the node."""
    me, bit = state.queue[0], 1 << node
    colours = tuple(ring & ~bit for ring in state.colours[cell])
    if on and state.options.owned_nodes:
        colours = added(colours, me, bit)
    return replace(
        state,
        stores=stored(state.stores, cell, me, -state.options.modify),
        shells=added(state.shells, cell, bit if on else -bit),
        colours=(*state.colours[:cell], colours, *state.colours[cell + 1 :]),
        used=used,
        spent=True,
    )


def turn_ended(state: State) -> State:
    """Return the state after the end of a turn: the own units cut down to the limit, the next player to move.

    Only the player's own units can be over the limit: everybody's last turn ended within it.
    """
    me, limit = state.queue[0], state.options.limit
    over = [max(0, sum(store) - limit) for store in state.stores]
    stores = state.stores
    if any(over):
        stores = tuple(added(store, me, -o) for store, o in zip(stores, over, strict=True))
    return replace(
        state,
        stores=stores,
        queue=(*state.queue[1:], me),
        used=(),
        spent=False,
        passed=() if state.spent else tuple(sorted({*state.passed, me})),
    )


def owner_of_node(rings: tuple[int, ...], node: int) -> int:
    """Return whose unit an occupied node holds, NOBODY where it is unassigned; ``rings`` are the cell's, by seat."""
    return next((seat for seat, ring in enumerate(rings) if ring >> node & 1), NOBODY)
