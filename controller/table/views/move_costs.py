"""What it costs to move on from a store that a hand has lifted from: for the lights and for the panel.

Owns the step from a game's costs, which are in its view, to sites and words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Literal

from controller.rules.facing import Facing, facing_cells
from controller.rules.game import AnyGame
from controller.rules.options import parse
from controller.rules.shells import Cost
from controller.sentences import say
from controller.table.state import Play, Table

CostMeaning = Literal["may_go", "cost_1", "cost_2", "cost_3", "blocked"]


def cost_layers(table: Table, play: Play) -> Iterator[tuple[int, CostMeaning]]:
    """Yield the neighbours of the touched store with what moving there costs: ``cost_3`` is 3 or more units,
    ``may_go`` a free transfer. Only those to which units can go now, and those to which the way is blocked. Nothing
    where no store is touched, or the game has no costs.
    """
    store, costs = _costs(table, play)
    goals = _goals(play.session.game, play.session.state, store) if costs else frozenset()
    for cell, cost in costs.items():
        if cost.closed or cell in goals:
            yield play.game_area.bit[cell], _meaning(cost)


@lru_cache(maxsize=32)  # while a store is in the hand the same is asked for every frame
def _goals(game: AnyGame, state: Any, store: str) -> frozenset[str]:
    """Return the sites to which some legal ply brings what lies on the site ``store``, all of it or a part."""
    found: set[str] = set()
    for ply in game.moves(state):
        walk = game.walk(state, ply)
        begins = walk.path[:1] if len(walk.path) > 1 else walk.concerns if walk.path else (walk.at,)
        if store in begins:
            found.update(walk.path[-1:] or walk.concerns)
    return frozenset(found)


def cost_lines(table: Table) -> tuple[str, ...]:
    """Return the line for the panel: ``From a3: a4 1:2, b2 blocked, b3 free.``; none where no store is touched."""
    if table.play is None or table.link:
        return ()
    touched, costs = _costs(table, table.play)
    told = tuple(_words(cell, cost) for cell, cost in costs.items())
    return (say("From {cell}: {costs}.", cell=touched, costs=told),) if told else ()


def facing_at(table: Table, site: str, to: str) -> Facing | None:
    """Return how the cost between two sites of the board comes about; None where the game has none there."""
    if table.play is None or not {site, to} <= set(table.board.sites):
        return None
    play = table.play
    game, state = play.session.game, play.session.state
    shells = game.look(state, None).shells
    if shells is None:
        return None
    one, other = (
        next((name for name in play.game_area.names(table.board.bit(where)) if name in shells.nodes), "")
        for where in (site, to)
    )
    return facing_cells(game.mesh(parse(game.options, play.session.options)), shells, one, other)


def _costs(table: Table, play: Play) -> tuple[str, Mapping[str, Cost]]:
    """Return the store that was lifted from last and is still empty, and the cost by neighbour, in cell order."""
    game, state = play.session.game, play.session.state
    if not game.facts.shells or play.setting_up or game.result(state).over:
        return "", {}
    lifted = play.settled.position.standing & ~table.now
    if not lifted:
        return "", {}
    shells = game.look(state, None).shells
    costs = shells.costs if shells else {}
    cells = {cell for pair in costs for cell in pair}
    touched = [name for name in play.game_area.names(lifted) if name in cells]
    if not touched:
        return "", {}
    latest = [name for change in play.settled.changes for name in play.game_area.names(change.bit) if name in touched]
    store = (latest or touched)[-1]
    found = {}
    for pair, cost in costs.items():
        if store in pair:
            found[pair[1 - pair.index(store)]] = cost
    return store, {cell: found[cell] for cell in play.game_area.bit if cell in found}


def _meaning(cost: Cost) -> CostMeaning:
    if cost.closed:
        return "blocked"
    if cost.free:
        return "may_go"
    return "cost_1" if cost.pay == 1 else "cost_2" if cost.pay == 2 else "cost_3"


def _words(cell: str, cost: Cost) -> str:
    if cost.closed:
        return say("{cell} blocked", cell=cell)
    return say("{cell} free", cell=cell) if cost.free else f"{cell} {cost.text}"
