"""Positions of Beacons for tests, and plies as text."""

from __future__ import annotations

import random
from typing import Any

from msgspec.structs import replace

from controller.rules.games.beacons.game import GAME
from controller.rules.games.beacons.state import State, table_of
from controller.rules.options import parse
from controller.rules.shells import read_shell
from tests.rules.asking import GameAsked

ASKED = GameAsked(GAME)
played, refusal = ASKED.play, ASKED.refusal


def begin(seed: int = 1, /, **options: Any) -> State:
    """Return the first position with these options."""
    return GAME.start(parse(GAME.options, options), seed)


def stand(
    units: str,
    *,
    beacons: str = "",
    shells: str = "",
    coffers: tuple[int, ...] | None = None,
    tally: tuple[int, ...] | None = None,
    **options: Any,
) -> State:
    """Return a position of the active phase, player 1 to move, all shells empty but those given.

    ``units`` is written ``a3=6/0 b3=1/2``, units by player; ``beacons`` ``a3.b2.b3=2``; ``shells`` ``a3=101010``.
    """
    state = begin(**options)
    table, players = table_of(state), state.options.players
    stores, rings, holders = [(0,) * players] * len(state.stores), [0] * len(state.stores), list(state.beacons)
    for word in units.split():
        name, counts = word.split("=")
        stores[table.cells[name]] = tuple(map(int, counts.split("/")))
    for word in shells.split():
        name, nodes = word.split("=")
        rings[table.cells[name]] = read_shell(nodes)
    for word in beacons.split():
        name, player = word.split("=")
        holders[table.beacons[name]] = int(player) - 1
    order = tuple(range(players))
    return replace(
        state,
        phase="active",
        order=order,
        queue=order,
        stores=tuple(stores),
        shells=tuple(rings),
        beacons=tuple(holders),
        coffers=coffers or (0,) * players,
        tally=tally or (0,) * players,
    )


def texts(state: State) -> set[str]:
    """Return the legal plies as text."""
    return {GAME.text(state, ply) for ply in GAME.moves(state)}


def units(state: State, cell: str) -> tuple[int, ...]:
    """Return the units in a cell, by seat."""
    return state.stores[table_of(state).cells[cell]]


def likely(draw: random.Random, plies: list[str]) -> str:
    """Return a ply, all kinds of it equally likely, but beacons and small numbers of units more so."""
    beacons = [ply for ply in plies if ply.startswith("b ")]
    if beacons and draw.random() < 0.7:
        return draw.choice(beacons)
    kind = draw.choice(sorted({ply.split()[0] for ply in plies} - {"p"} or {"p"}))
    same = [ply for ply in plies if ply.split()[0] == (kind if draw.random() < 0.9 else "p")]
    return draw.choice(same or plies)


BOARDS: list[dict[str, Any]] = [
    {},
    {"template": "trial", "rounds": 4},
    {"template": "duel", "kinds": 3, "buy_in": 2},
    {"template": "trio", "players": 3, "owned_nodes": True, "buy_in": 4, "rounds": 5},
    {"board": "square 4 1", "bid": 6, "limit": 6},
    {"board": "square 3 3", "players": 4, "bid": 4, "bonus": 3, "mode": "rotate", "beacon": 1},
    {"board": "square 4 4", "limit": 7, "kinds": 6, "beacon": 2, "shift": 2, "modify": 2, "destroy": 2, "buy_in": 1},
    {"board": "hex 2", "players": 3, "bid": 5, "mode": "rotate", "owned_nodes": True, "beacon": 1, "limit": 4},
    {"board": "hex 4", "players": 5, "bid": 3, "bonus": 6, "rounds": 2, "beacon": 2},
]
