"""Beacons: what each kind of piece does and costs, for the card shown while one is in somebody's hand."""

from __future__ import annotations

from collections.abc import Iterator

from controller.rules.games.beacons.actions import corners_to_build, cost_between
from controller.rules.games.beacons.state import State, table_of
from controller.rules.shells import Cost
from controller.sentences import say

MOVES = {
    "units": say("Units are transferred to a neighbouring cell, at the price between the two."),
    "beacon": say("Stands at a corner of cells and scores 1 in each harvest."),
    "node": say("A node of the shell. Shells that differ make a step between two cells dearer."),
}


def card(state: State, site: str, seat: int | None) -> tuple[str, ...]:
    """Return what it costs to go from a store to each cell beside it, and where it can pay for a beacon; of a beacon,
    what one costs.
    """
    table = table_of(state)
    if site in table.beacon_names:
        if "b" not in state.options.actions:
            return (say("No beacons are built in this game."),)
        return (say("A beacon costs {units} units in each cell around.", units=state.options.beacon),)
    if site in table.cells and "t" not in state.options.actions:
        return (say("No units are transferred in this game."),)
    return (*_prices(state, table.cells[site]), *_beacons(state, table.cells[site])) if site in table.cells else ()


def _beacons(state: State, cell: int) -> Iterator[str]:
    if corners := corners_to_build(state, cell):
        yield say(
            "A beacon can be built: {corners}, for {units} from each store.",
            corners=corners,
            units=state.options.beacon,
        )


def _prices(state: State, cell: int) -> Iterator[str]:
    table = table_of(state)
    for other, _, _ in table.seams[cell]:
        cost = cost_between(state, cell, other)
        assert cost is not None  # of neighbours
        yield _price(table.mesh.cells[other], cost)


def _price(name: str, cost: Cost) -> str:
    if cost.closed:
        return say("To {cell}: closed.", cell=name)
    if cost.free:
        return say("To {cell}: free.", cell=name)
    return say("To {cell}: pay {pay}, and up to {move} may go.", cell=name, pay=cost.pay, move=cost.move)
