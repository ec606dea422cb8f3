"""Beacons: plies as text, both ways, and in readable words.

Owns the written forms of the ruling. Must not know which plies are legal.
"""

from __future__ import annotations

import re

from controller.rules.beacons_actions import cost_between
from controller.rules.beacons_state import (
    END,
    Beacon,
    Bid,
    Destroy,
    End,
    Modify,
    Move,
    Pay,
    Place,
    Ply,
    Shift,
    State,
    Table,
    Transfer,
    table_of,
)
from controller.rules.game import Unreadable

NUMBER = re.compile("0|[1-9][0-9]{0,4}")
FORMS = {
    "t": "t a3 b3 3",
    "d": "d b3 2",
    "s": "s b3 + or s b3 -",
    "m": "m b3 4 + or m b3 4 -",
    "b": "b a3.b2.b3",
    "p": "p a3 2 3",
    "bid": "bid 5 7, a number for each player",
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


def read(state: State, written: str) -> Ply:
    """Return the ply that `text` wrote; it need not be legal. Raises `Unreadable`."""
    table = table_of(state)
    match written.split():
        case ["end"]:
            return END
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
            raise Unreadable(f"'{written}' is no ply: write {FORMS[word]}")
    raise Unreadable(f"'{written}' is no ply: write one of {'; '.join(FORMS.values())}")


def _cell(table: Table, written: str, name: str) -> int:
    if name not in table.cells:
        raise Unreadable(f"'{written}': there is no cell {name} on this board")
    return table.cells[name]


def _number(written: str, word: str) -> int:
    if not NUMBER.fullmatch(word):
        raise Unreadable(f"'{written}': {word} is no number of units")
    return int(word)


def _seat(state: State, written: str, word: str) -> int:
    players = state.options.players
    if not NUMBER.fullmatch(word) or not 1 <= int(word) <= players:
        raise Unreadable(f"'{written}': there is no player {word}; the players are numbered 1 to {players}")
    return int(word) - 1


def _node(table: Table, written: str, word: str) -> int:
    if not NUMBER.fullmatch(word) or int(word) >= table.nodes:
        raise Unreadable(f"'{written}': there is no node {word}; the nodes are numbered 0 to {table.nodes - 1}")
    return int(word)


def _beacon(table: Table, written: str, name: str) -> int:
    if name not in table.beacons:
        raise Unreadable(f"'{written}': there is no beacon vertex {name}; write the cells round it in cell order")
    return table.beacons[name]


# ---- for people -------------------------------------------------------------------------------------------


def glimpse(state: State, ply: Ply, seat: int | None) -> str:
    """Return the text of ``ply`` as ``seat`` may know it: another player's bid stays secret."""
    return "bid" if isinstance(ply, Bid) and seat != state.queue[0] else text(state, ply)


def say(state: State, ply: Ply) -> str:
    """Return ``ply`` in words."""
    table, options = table_of(state), state.options
    cells = table.mesh.cells
    match ply:
        case Transfer(cell, to, units):
            cost = cost_between(state, cell, to)
            price = f" for {cost.p}" if cost and cost.p else " for free"
            return f"transfer {units} from {cells[cell]} to {cells[to]}{price}"
        case Destroy(cell, seat):
            return f"spend {options.destroy} in {cells[cell]} to destroy a unit of player {seat + 1}"
        case Shift(cell, by):
            return f"turn the shell of {cells[cell]} {'clockwise' if by > 0 else 'counter-clockwise'}"
        case Modify(cell, node, on):
            return f"{'put a unit on' if on else 'take the unit off'} node {node} of {cells[cell]}"
        case Beacon(beacon):
            return f"build a beacon between {', '.join(cells[c] for c in table.circles[beacon])}"
        case Pay(cell, seat, units):
            return f"pay {units} from {cells[cell]} into the coffer of player {seat + 1}"
        case Bid(shares):
            return "bid " + ", ".join(f"{units} for player {seat}" for seat, units in enumerate(shares, 1))
        case Place(cell, units):
            return f"place {units} on {cells[cell]}"
        case Move(cell, units):
            return f"move {units} from the coffer to {cells[cell]}"
        case End():
            return "end the turn" if state.phase == "active" else "end this part"
