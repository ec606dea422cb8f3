"""Beacons: what each kind of piece does and costs, for the card shown while one is in somebody's hand."""

from __future__ import annotations

from collections.abc import Iterator

from controller.rules.games.beacons.actions import corners_to_build, cost_between
from controller.rules.games.beacons.state import NOBODY, State, table_of, units_told
from controller.rules.shells import Cost
from controller.sentences import all_of, say

MOVES = {
    "units": say("Go to a neighbouring cell, at the price between the two."),
    "beacon": say("Stands at a corner of cells and scores 1 in each harvest."),
    "node": say("A node of the shell. Shells that differ make a step between two cells dearer."),
}


def card(state: State, site: str, seat: int | None) -> tuple[str, ...]:
    """Return what it costs to go from a store to each cell beside it, and where it can pay for a beacon.

    Of a corner it is what a beacon costs there, of a beacon how another takes its place.
    """
    table = table_of(state)
    if site in table.beacon_names:
        if "b" not in state.options.actions:
            return (say("No beacons are built in this game."),)
        beacon = table.beacon_names.index(site)
        if state.beacons[beacon] != NOBODY:
            return (
                say(
                    "Whoever is strongest in {cells} and pays {units} from each puts their own in its place.",
                    cells=all_of(table.mesh.cells[cell] for cell in table.circles[beacon]),
                    units=state.options.beacon,
                ),
            )
        return (say("A beacon costs {units} in each cell around.", units=units_told(state.options.beacon)),)
    if site in table.cells and "t" not in state.options.actions:
        return (say("No units are transferred in this game."),)
    if site not in table.cells:
        return ()
    cell = table.cells[site]
    return (*_ways(state, cell, state.queue[0] if seat is None and state.queue else seat), *_beacons(state, cell))


def _beacons(state: State, cell: int) -> Iterator[str]:
    if corners := corners_to_build(state, cell):
        yield say(
            "A beacon can be built: {corners}, for {units} from each store.",
            corners=corners,
            units=units_told(state.options.beacon),
        )


def _ways(state: State, cell: int, seat: int | None) -> Iterator[str]:
    """Yield what it costs to go from a store to each cell beside it; where transfers are made, as far as units go:
    those of ``seat``, or of whoever has most there.
    """
    table, store = table_of(state), state.stores[cell]
    if state.phase == "active" and "t" not in state.used and len(state.used) >= state.options.kinds:
        yield say("The kinds of action of this turn are used up: no units are transferred any more.")
        return
    own = (seat is not None and store[seat]) or max(store)
    for other, _, _ in table.seams[cell]:
        cost = cost_between(state, cell, other)
        assert cost is not None  # of neighbours
        yield _price(table.mesh.cells[other], cost, own if state.phase == "active" else None)


def _price(name: str, cost: Cost, own: int | None) -> str:
    if cost.closed:
        return say("To {cell}: closed.", cell=name)
    if cost.free:
        return say("To {cell}: free.", cell=name)
    most = cost.move if own is None else min(cost.move, own - cost.pay)
    if own is not None and most <= 0:
        return say("To {cell}: {pay} to pay and 1 to move, but only {own} here.", cell=name, pay=cost.pay, own=own)
    if most == 1:
        return say("To {cell}: pay {pay}, and 1 may go.", cell=name, pay=cost.pay)
    return say("To {cell}: pay {pay}, and up to {move} may go.", cell=name, pay=cost.pay, move=most)
