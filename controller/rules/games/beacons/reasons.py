"""Beacons: which rule forbids a ply that is not legal, in one sentence.

It is asked only about plies that were read and are not legal.
"""

from __future__ import annotations

from controller.rules.games.beacons.actions import actions, cost_between
from controller.rules.games.beacons.rounds import openings
from controller.rules.games.beacons.state import (
    ACTIONS,
    LETTERS,
    Beacon,
    Bid,
    Destroy,
    End,
    Modify,
    Move,
    Out,
    Pay,
    Phase,
    Place,
    Ply,
    Shift,
    State,
    Transfer,
    dominant,
    player,
    table_of,
    units_told,
)
from controller.sentences import all_of, any_of, say

PHASES: dict[Phase, str] = {
    "bid": say("this is the bidding: write 'bid' and a number for each player"),
    "place": say("this is the placing of units from the coffers: write 'place a3 3' or 'end'"),
    "active": say("this is the active phase: actions begin with t, d, s, m, b or p, or write 'end'"),
    "harvest": say("this is the harvest: write 'move a3 2' or 'end'"),
    "buy-in": say("this is the buy-in: write 'place a3 3' or 'end'"),
    "over": say("the game is over"),
}
KINDS = {
    "t": say("transfer"),
    "d": say("destroy"),
    "s": say("shift"),
    "m": say("modify"),
    "b": say("beacon"),
    "p": say("pay"),
}


def why_not(state: State, ply: Ply) -> str:
    """Return which rule forbids ``ply``."""
    fits = {"bid": (Bid,), "place": (Place, End), "buy-in": (Place, End), "harvest": (Move, End)}
    if state.phase == "active" and type(ply) in LETTERS:
        return why_no_action(state, ply)
    if isinstance(ply, Out):
        return say("nobody is out by a move")
    if not isinstance(ply, fits.get(state.phase, ())):
        return _phase_told(state)
    if isinstance(ply, Bid):
        return _why_no_bid(state, ply)
    assert isinstance(ply, Place | Move)
    return why_no_placing(state, ply)


def _phase_told(state: State) -> str:
    actions = state.options.actions
    if state.phase != "active" or sorted(actions) == sorted(ACTIONS):
        return PHASES[state.phase]
    return say("this is the active phase: actions begin with {letters}, or write 'end'", letters=any_of(actions))


def _why_no_bid(state: State, bid: Bid) -> str:
    players, units = state.options.players, state.options.bid
    if len(bid.shares) != players:
        return say(
            "a bid has one number for each of the {players} players; this one has {count}",
            players=players,
            count=len(bid.shares),
        )
    return say(
        "a bid shares out exactly {units}; this one shares out {sum}", units=units_told(units), sum=sum(bid.shares)
    )


def why_no_placing(state: State, ply: Place | Move) -> str:
    me, options, store = state.queue[0], state.options, state.stores[ply.cell]
    name, coffer = table_of(state).mesh.cells[ply.cell], state.coffers[state.queue[0]]
    if not ply.units:
        return say("place or move at least one unit at a time")
    if ply.units > coffer:
        return say("the coffer of {player} holds {units}", player=player(me), units=units_told(coffer))
    if state.phase == "place":
        most = openings(state)
        if store[me] != sum(store):
            return say("{name} holds another player's units", name=name)
        if len(state.placed) >= most and ply.cell not in state.placed:
            if most == 1:
                return say("you may place units on one cell alone")
            if options.openings:
                return say("you may place units on at most {most} different cells", most=most)
            return say(
                "you may place units on at most {most} different cells, the number of cells divided by the number "
                "of players",
                most=most,
            )
    if state.phase == "harvest" and not store[me]:
        return say(
            "you do not occupy {name}: units from the coffer go only to cells that hold a unit of yours", name=name
        )
    room = options.limit - sum(store)
    if room <= 0:
        return say("the store of {name} is full ({limit})", name=name, limit=options.limit)
    return say(
        "the store of {name} has room for {room} more; the limit is {limit}", name=name, room=room, limit=options.limit
    )


def why_no_action(state: State, ply: Ply) -> str:
    letter, kinds, known = LETTERS[type(ply)], state.options.kinds, state.options.actions
    if letter not in known:
        return say(
            "this game has no action '{kind}': its actions are {kinds}",
            kind=KINDS[letter],
            kinds=all_of(KINDS[each] for each in known),
        )
    if letter not in state.used and len(state.used) >= kinds:
        done = all_of(KINDS[kind] for kind in state.used)
        return say(
            "this would be {ordinal} kind of action this turn: a turn has at most {most}, and this one had {kinds}",
            ordinal=_ordinal(kinds + 1),
            most=kinds,
            kinds=done,
        )
    if isinstance(ply, Beacon):
        return _why_no_beacon(state, ply)
    assert isinstance(ply, Transfer | Destroy | Shift | Modify | Pay)
    name, own = table_of(state).mesh.cells[ply.cell], state.stores[ply.cell][state.queue[0]]
    if not own:
        return say("you have no unit in {name}", name=name)
    match ply:
        case Transfer():
            return _why_no_transfer(state, ply, own)
        case Destroy():
            return _why_no_destroying(state, ply, own)
        case Shift():
            return say(
                "turning a shell costs {price}, and you have {own} in {name}",
                price=units_told(state.options.shift),
                own=own,
                name=name,
            )
        case Modify():
            return _why_no_modifying(state, ply, own)
        case Pay():
            return _why_no_paying(state, ply, own)


def why_not_between(state: State, start: str, end: str) -> str:
    """Return which rule forbids the units on the site ``start`` to go to the site ``end``; "" where none does.

    At a corner of their cell they are meant to be spent on a beacon.
    """
    table = table_of(state)
    if state.phase != "active" or start not in table.cells or ":" in end:
        return ""
    cell = table.cells[start]
    if end in table.cells:
        ply: Ply = Transfer(cell, table.cells[end], 1)
    elif cell in table.circles[table.beacon_names.index(end)]:
        ply = Beacon(table.beacon_names.index(end))
    else:
        return say("units go from cell to cell; a beacon is paid from the stores that touch its corner")
    if ply not in actions(state):
        return why_no_action(state, ply)
    return say("a beacon is a piece of its own: first put the store back") if isinstance(ply, Beacon) else ""


def _ordinal(number: int) -> str:
    return {2: say("a second"), 3: say("a third"), 4: say("a fourth"), 5: say("a fifth"), 6: say("a sixth")}[number]


def _why_no_transfer(state: State, ply: Transfer, own: int) -> str:
    table = table_of(state)
    name, other = table.mesh.cells[ply.cell], table.mesh.cells[ply.to]
    cost = cost_between(state, ply.cell, ply.to)
    if cost is None:
        return say("{name} and {other} are not neighbours: units move across a shared side", name=name, other=other)
    if cost.closed:
        return say(
            "blocked: all {nodes} nodes of {name} and {other} differ ({cost})",
            nodes=table.nodes,
            name=name,
            other=other,
            cost=cost.text,
        )
    if not ply.units:
        return say("move at least one unit at a time")
    if not cost.free and ply.units > cost.move:
        return say(
            "the transfer costs {price} and moves at most {most} ({cost})",
            price=cost.pay,
            most=cost.move,
            cost=cost.text,
        )
    if cost.free:
        return say("the transfer moves {units}, and you have {own} in {name}", units=ply.units, own=own, name=name)
    sentence = say("the transfer costs {price} and moves {units}", price=cost.pay, units=ply.units)
    return say("{transfer}, and you have {own} in {name}", transfer=sentence, own=own, name=name)


def _why_no_destroying(state: State, ply: Destroy, own: int) -> str:
    name, price = table_of(state).mesh.cells[ply.cell], state.options.destroy
    if ply.seat == state.queue[0]:
        return say("you can destroy only other players' units")
    if not state.stores[ply.cell][ply.seat]:
        return say("{player} has no unit in {name}", player=player(ply.seat), name=name)
    return say(
        "destroying a unit costs {price}, and you have {own} in {name}", price=units_told(price), own=own, name=name
    )


def _why_no_modifying(state: State, ply: Modify, own: int) -> str:
    table, price = table_of(state), state.options.modify
    name = table.mesh.cells[ply.cell]
    if all(state.beacons[beacon] != state.queue[0] for beacon in table.corners[ply.cell]):
        return say("none of your beacons touches {name}", name=name)
    if own < price:
        return say(
            "changing a shell costs {price}, and you have {own} in {name}", price=units_told(price), own=own, name=name
        )
    if ply.on:
        return say("node {node} of {name} is already occupied", node=ply.node, name=name)
    return say("node {node} of {name} is empty", node=ply.node, name=name)


def _why_no_beacon(state: State, ply: Beacon) -> str:
    table, me, price = table_of(state), state.queue[0], state.options.beacon
    if state.beacons[ply.beacon] == me:
        return say("you already have a beacon at {vertex}", vertex=table.beacon_names[ply.beacon])
    for cell in table.circles[ply.beacon]:
        if dominant(state.stores[cell]) != me:
            return say("you are not dominant in {cell}", cell=table.mesh.cells[cell])
    poor = next(cell for cell in table.circles[ply.beacon] if state.stores[cell][me] < price)
    own = state.stores[poor][me]
    return say(
        "a beacon costs {price} from each store around it, and you have {own} in {cell}",
        price=units_told(price),
        own=own,
        cell=table.mesh.cells[poor],
    )


def _why_no_paying(state: State, ply: Pay, own: int) -> str:
    if ply.seat == state.queue[0]:
        return say("you pay units into another player's coffer, not into your own")
    if ply.seat not in state.order:
        return say("{player} is out: you can pay only players still in play", player=player(ply.seat))
    if not ply.units:
        return say("pay at least one unit")
    return say(
        "you have {own} in {cell}, not {units}", own=own, cell=table_of(state).mesh.cells[ply.cell], units=ply.units
    )
