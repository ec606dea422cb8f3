"""Beacons: plies as text, both ways, and in readable words."""

from __future__ import annotations

import re
from functools import reduce

from controller.rules.game import Chore, Unreadable
from controller.rules.games.beacons.actions import acted, cost_between
from controller.rules.games.beacons.harvest_told import closes_round, falls
from controller.rules.games.beacons.leaving import after_out
from controller.rules.games.beacons.rounds import room
from controller.rules.games.beacons.state import (
    END,
    Beacon,
    Bid,
    CellTables,
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
    units_told,
)
from controller.rules.mesh import NONE
from controller.rules.shells import node_of
from controller.sentences import Sentence, any_of, say, to_player, together

NUMBER = re.compile("0|[1-9][0-9]{0,4}")
FORMS = {
    "t": "t a3 b3 3",
    "d": "d b3 2",
    "s": any_of(("s b3 +", "s b3 -")),
    "m": any_of(("m b3 4 +", "m b3 4 -")),
    "b": "b a3.b2.b3",
    "p": "p a3 2 3",
    "bid": say("bid 5 7, a number for each player"),
    "place": "place a3 3",
    "move": "move a3 2",
    "end": "end",
}


def text(state: State, ply: Ply) -> str:
    """Return the written form: ``t a3 b3 3``, ``b a3.b2.b3``, ``end``."""
    table = table_of(state)
    cells = table.mesh.cells
    match ply:
        case Transfer(cell, to, units):
            return f"t {cells[cell]} {cells[to]} {units}"
        case Destroy(cell, seat):
            return f"d {cells[cell]} {seat + 1}"
        case Shift(cell, by):
            return f"s {cells[cell]} {'+' if by > 0 else '-'}"
        case Modify(cell, node, on):
            return f"m {cells[cell]} {node} {'+' if on else '-'}"
        case Beacon(beacon):
            return f"b {table.beacon_names[beacon]}"
        case Pay(cell, seat, units):
            return f"p {cells[cell]} {seat + 1} {units}"
        case Bid(shares):
            return f"bid {' '.join(map(str, shares))}"
        case Place(cell, units):
            return f"place {cells[cell]} {units}"
        case Move(cell, units):
            return f"move {cells[cell]} {units}"
        case End():
            return "end"
        case Out(seat):
            return f"out {seat + 1}"


def read(state: State, written: str) -> Ply:
    """Return the ply that `text` wrote; it need not be legal. Raises `Unreadable`."""
    table = table_of(state)
    match written.split():
        case ["end"]:
            return END
        case ["out", player]:
            return Out(_seat(state, written, player))
        case ["t", cell, to, units]:
            return Transfer(_cell(table, written, cell), _cell(table, written, to), _number(written, units))
        case ["d", cell, player]:
            return Destroy(_cell(table, written, cell), _seat(state, written, player))
        case ["s", cell, ("+" | "-") as sign]:
            return Shift(_cell(table, written, cell), 1 if sign == "+" else -1)
        case ["m", cell, node, ("+" | "-") as sign]:
            return Modify(_cell(table, written, cell), _node(table, written, node), sign == "+")
        case ["b", vertex]:
            return Beacon(_beacon(table, written, vertex))
        case ["p", cell, player, units]:
            return Pay(_cell(table, written, cell), _seat(state, written, player), _number(written, units))
        case ["bid", *shares]:
            return Bid(tuple(_number(written, share) for share in shares))
        case ["place", cell, units]:
            return Place(_cell(table, written, cell), _number(written, units))
        case ["move", cell, units]:
            return Move(_cell(table, written, cell), _number(written, units))
        case [word, *_] if word in FORMS:
            raise Unreadable(say("'{written}' is not a valid move: write {form}", written=written, form=FORMS[word]))
    raise Unreadable(say("'{written}' is not a valid move: write one of {forms}", written=written, forms=_all_forms()))


def _cell(table: CellTables, written: str, name: str) -> int:
    if name not in table.cells:
        raise Unreadable(say("'{written}': there is no cell {name} on this board", written=written, name=name))
    return table.cells[name]


def _number(written: str, word: str) -> int:
    if not NUMBER.fullmatch(word):
        raise Unreadable(say("'{written}': {word} is not a valid number of units", written=written, word=word))
    return int(word)


def _seat(state: State, written: str, word: str) -> int:
    players = state.options.players
    if not NUMBER.fullmatch(word) or not 1 <= int(word) <= players:
        raise Unreadable(
            say(
                "'{written}': there is no player {word}; the players are numbered 1 to {players}",
                written=written,
                word=word,
                players=players,
            )
        )
    return int(word) - 1


def _node(table: CellTables, written: str, word: str) -> int:
    if not NUMBER.fullmatch(word) or int(word) >= table.nodes:
        raise Unreadable(
            say(
                "'{written}': there is no node {word}; the nodes are numbered 0 to {nodes}",
                written=written,
                word=word,
                nodes=table.nodes - 1,
            )
        )
    return int(word)


def _beacon(table: CellTables, written: str, name: str) -> int:
    if name not in table.beacons:
        raise Unreadable(
            say(
                "'{written}': there is no beacon vertex {name}; write the cells around it in cell order",
                written=written,
                name=name,
            )
        )
    return table.beacons[name]


def _all_forms() -> str:
    return reduce(lambda one, other: say("{one}; {other}", one=one, other=other), FORMS.values())


# ---- for people -------------------------------------------------------------------------------------------


def glimpse(state: State, ply: Ply, seat: int | None) -> str:
    """Return the text of ``ply`` as ``seat`` may know it: another player's bid stays secret."""
    return "bid" if isinstance(ply, Bid) and seat != state.queue[0] else text(state, ply)


def secret(state: State) -> bool:
    """Tell whether a ply made now is for its own player to know: the bids are."""
    return state.phase == "bid"


def opens(state: State, ply: Ply) -> bool:
    """Tell whether ``ply`` shows something of the bids: the last one does, since it fills the coffers."""
    if state.phase != "bid":
        return False
    return after_out(state, ply.seat).phase != "bid" if isinstance(ply, Out) else len(state.queue) == 1


def in_words(state: State, ply: Ply) -> str:
    """Return ``ply`` in words."""
    table = table_of(state)
    cells = table.mesh.cells
    match ply:
        case Transfer():
            return _transfer_in_words(state, ply)
        case Destroy(cell, seat):
            return say(
                "spend {units} in {cell} to destroy a unit of {player}",
                units=state.options.destroy,
                cell=cells[cell],
                player=player(seat),
            )
        case Shift(cell, by):
            price = state.options.shift
            if by > 0:
                return say("turn the shell of {cell} clockwise for {price}", cell=cells[cell], price=price)
            return say("turn the shell of {cell} counter-clockwise for {price}", cell=cells[cell], price=price)
        case Modify():
            return _modify_in_words(state, ply)
        case Beacon(beacon):
            around = "–".join(cells[c] for c in table.circles[beacon])
            return say("build the beacon {cells}: {price} each", cells=around, price=state.options.beacon)
        case Pay(cell, seat, units):
            return say(
                "pay {units} from {cell} into the coffer of {player}",
                units=units,
                cell=cells[cell],
                player=player(seat),
            )
        case Bid(shares):
            bids = (say("{units} for {player}", units=units, player=player(n)) for n, units in enumerate(shares))
            return say("bid {bids}", bids=tuple(bids))
        case Place(cell, units):
            return say("place {units} on {cell}", units=units, cell=cells[cell])
        case Move(cell, units):
            return say("move {units} from the coffer to {cell}", units=units, cell=cells[cell])
        case End():
            return _end_in_words(state)
        case Out(seat):
            return say("{seat} is out", seat=player(seat))


def faced(state: State, cell: int, node: int, opposite: bool = False) -> str:
    """Return the neighbour that a node of ``cell`` faces, or that is ``opposite``: people see no numbers on nodes. ""
    where there is none.
    """
    table = table_of(state)
    row = table.mesh.neighbours[cell]
    sides = [side for side in range(len(row)) if node_of(side, len(row), table.nodes) == node]
    if opposite:
        sides = [(side + len(row) // 2) % len(row) for side in sides if len(row) % 2 == 0]
    return next((table.mesh.cells[row[side]] for side in sides if row[side] != NONE), "")


def _modify_in_words(state: State, ply: Modify) -> str:
    cell, price = table_of(state).mesh.cells[ply.cell], state.options.modify
    if other := faced(state, ply.cell, ply.node):
        if ply.on:
            return say("put a unit on the node of {cell} that faces {other}, for {price}",
                       cell=cell, other=other, price=price)  # fmt: skip
        return say("take the unit off the node of {cell} that faces {other}, for {price}",
                   cell=cell, other=other, price=price)  # fmt: skip
    if other := faced(state, ply.cell, ply.node, opposite=True):
        if ply.on:
            return say("put a unit on the node of {cell} on the side away from {other}, for {price}",
                       cell=cell, other=other, price=price)  # fmt: skip
        return say("take the unit off the node of {cell} on the side away from {other}, for {price}",
                   cell=cell, other=other, price=price)  # fmt: skip
    if ply.on:
        return say("put a unit on node {node} of {cell}, for {price}", node=ply.node, cell=cell, price=price)
    return say("take the unit off node {node} of {cell}, for {price}", node=ply.node, cell=cell, price=price)


def _end_in_words(state: State) -> str:
    if state.phase == "active" or not state.queue:
        return say("end turn")
    if state.phase == "harvest":
        return say("done with the harvest")
    return say("done buying in") if state.phase == "buy-in" else say("done placing")


def offered(state: State, ply: Ply) -> str:
    """Return ``ply`` in words for a button: whose turn or part ends with it, and whether the harvest follows; which
    prices a shell that is turned or changed has then.
    """
    if isinstance(ply, Shift | Modify):
        return say("{ply}: {prices}", ply=in_words(state, ply), prices=_prices_told(state, ply))
    if not isinstance(ply, End) or not state.queue:
        return in_words(state, ply)
    ends, last = _end_in_words(state), state.round == state.options.rounds
    if closes_round(state, ply) and last:
        ends = say("{ends} (the last harvest follows)", ends=ends)
    elif closes_round(state, ply):
        ends = say("{ends} (the harvest follows)", ends=ends)
    seat = player(state.queue[0])
    return to_player(seat, say(ends), say("{player}: {ends}", player=seat, ends=ends))


def _prices_told(state: State, ply: Shift | Modify) -> str:
    """Return each way from the cell of ``ply`` whose price it changes, with the price that it then has."""
    after, table = acted(state, ply), table_of(state)
    told = tuple(
        say("to {cell} {price} instead of {before}",
            cell=table.mesh.cells[to], price=_price(after, ply.cell, to), before=_price(state, ply.cell, to))
        for to, _, _ in table.seams[ply.cell]
        if cost_between(after, ply.cell, to) != cost_between(state, ply.cell, to)
    )  # fmt: skip
    return say("{prices}", prices=told) if told else say("no price changes by that")


def _price(state: State, cell: int, to: int) -> str:
    cost = cost_between(state, cell, to)
    assert cost is not None  # of neighbours
    if cost.closed:
        return say("closed")
    return say("free") if cost.free else cost.text


def more_told(cell: str, units: int) -> str:
    """Return that ``cell`` needs so many units more."""
    return say("1 more in {cell}", cell=cell) if units == 1 else say("{units} more in {cell}", units=units, cell=cell)


def due(state: State) -> str:
    """Return what a part of setup or harvest asks for; "" in the active phase."""
    if state.phase == "active" or not state.queue:
        return ""
    units = state.options.bid if state.phase == "bid" else state.coffers[state.queue[0]]
    fit = units if state.phase == "bid" else room(state)
    return to_player(player(state.queue[0]), *(_due(state.phase, units) if units <= fit else _due_in_part(fit, units)))


def _due_in_part(fit: int, units: int) -> tuple[Sentence, Sentence]:
    """Return the same where only ``fit`` of the ``units`` in the coffer find room."""
    own = say("place {fit} of your {units} units: no more fit, and the rest is lost", fit=fit, units=units)
    return own, say("places {fit} of {units} units: no more fit, and the rest is lost", fit=fit, units=units)


def _due(phase: str, units: int) -> tuple[Sentence, Sentence]:
    """Return what a phase asks for, as an order to who does it and as others read what they do."""
    if phase == "bid":
        told = units_told(units)
        return say("share out {units}", units=told), say("shares out {units}", units=told)
    if phase == "place":
        if units == 1:
            return say("place your last unit"), say("places the last unit")
        return say("place your {units} units", units=units), say("places {units} units", units=units)
    if phase == "buy-in":
        return (
            say("stay in the game with units from your coffer ({units})", units=units),
            say("may stay in the game with units from the coffer ({units})", units=units),
        )
    if units == 1:
        own = say("bring the unit in your coffer to a cell of yours")
        return own, say("brings the unit in the coffer to a cell of theirs")
    return (
        say("bring the {units} units in your coffer to cells of yours", units=units),
        say("brings the {units} units in the coffer to cells of theirs", units=units),
    )


def sure(state: State, ply: Ply) -> str:
    """Return the question whether units in the coffer, above the limit or in the harvest may be lost; "" where ``ply``
    loses none.
    """
    if not isinstance(ply, End) or state.phase not in ("active", "place", "harvest", "buy-in"):
        return ""
    me = state.queue[0]
    mover = player(me)
    if state.phase == "active":
        limit = state.options.limit
        lost = sum(max(0, min(store[me], sum(store) - limit)) for store in state.stores)
        if not lost:
            return falls(state)
        own = say("You have stores above the limit of {limit}.", limit=limit)
        told = to_player(mover, own, say("{player} has stores above the limit of {limit}.", player=mover, limit=limit))
        return together(say("{told} Units that would be lost: {lost}.", told=told, lost=lost), falls(state))
    units = state.coffers[me]
    if units == 1:
        own = say("You have 1 unit in the coffer. It would be lost.")
        return to_player(mover, own, say("{player} has 1 unit in the coffer. It would be lost.", player=mover))
    own = say("You have {units} units in the coffer. They would be lost.", units=units)
    told = say("{player} has {units} units in the coffer. They would be lost.", player=mover, units=units)
    return to_player(mover, own, told)


def chores(state: State, ply: Ply) -> tuple[Chore, ...]:
    """Return which shell is to be turned after ``ply``."""
    if not isinstance(ply, Shift):
        return ()
    table = table_of(state)
    cell = table.mesh.cells[ply.cell]
    if ply.by > 0:
        told = say("Turn the shell of {cell} one step clockwise.", cell=cell)
    else:
        told = say("Turn the shell of {cell} one step counter-clockwise.", cell=cell)
    return (Chore(tuple(f"{cell}:{node}" for node in range(table.nodes)), told),)


def _transfer_in_words(state: State, ply: Transfer) -> str:
    cells, cost = table_of(state).mesh.cells, cost_between(state, ply.cell, ply.to)
    begin, end = cells[ply.cell], cells[ply.to]
    if cost is None or cost.free:
        return say("transfer {units} from {begin} to {end} for free", units=ply.units, begin=begin, end=end)
    price = cost.pay
    return say("transfer {units} from {begin} to {end} for {price}", units=ply.units, begin=begin, end=end, price=price)
