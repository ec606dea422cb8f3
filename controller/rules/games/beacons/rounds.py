"""Beacons: setup, harvest and the end of the game. What the active phase is embedded in.

Owns bids, placing, the harvest in its five steps, who is out, and the result, in the ruling's order. Must not know
the actions of a turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Literal

from msgspec.structs import replace

from controller.rules.game import Result
from controller.rules.games.beacons.state import (
    END,
    NOBODY,
    Bid,
    Move,
    Options,
    Place,
    Ply,
    State,
    Stores,
    added,
    dominant,
    stored,
    table,
    table_of,
)
from controller.rules.games.beacons.templates import TEMPLATES, read_start
from controller.rules.shells import read_shell

Tie = Literal["experience", "lot", "both"]

# ---- setup ------------------------------------------------------------------------------------------------


def start(options: Options, seed: int) -> State:
    """Return the first position. Shells and the lot for ties come from the option ``seed``, else from ``seed``."""
    known, players = table(options.board, options.mode), options.players
    draw = Random(options.seed if options.seed >= 0 else seed)
    ties = tuple(draw.sample(range(players), players))
    cells, nobody = len(known.mesh.cells), (0,) * players
    state = State(
        options=options,
        ties=ties,
        phase="bid",
        order=tuple(range(players)),
        queue=tuple(range(players)),
        stores=(nobody,) * cells,
        shells=tuple(draw.getrandbits(known.nodes) for _ in range(cells)),
        colours=(nobody,) * cells,
        beacons=(NOBODY,) * len(known.circles),
        coffers=nobody,
        tally=nobody,
    )
    if options.start:
        return _as_written(state)
    if not options.template:
        return state
    template = TEMPLATES[options.template]
    stores = state.stores
    for name, seat, units in template.stores:
        stores = stored(stores, known.cells[name], seat, units)
    order = template.order
    return replace(state, phase="active", order=order, queue=order, stores=stores, shells=template.shells)


def _as_written(state: State) -> State:
    """Return the start that the option gives: its shells in place of those drawn, the order of play that of seats."""
    written, cells = read_start(state.options.start), table_of(state).cells
    stores, shells = state.stores, list(state.shells)
    for name, seat, units in written.stores:
        stores = stored(stores, cells[name], seat, units)
    for name, nodes in written.shells:
        shells[cells[name]] = read_shell(nodes)
    return replace(state, phase="active", stores=stores, shells=tuple(shells))


def bids(units: int, players: int) -> list[Bid]:
    """Return every way to share ``units`` out among the coffers of ``players``: 53,130 at the most."""

    def shares(left: int, coffers: int) -> list[tuple[int, ...]]:
        if coffers == 1:
            return [(left,)]
        return [(first, *rest) for first in range(left + 1) for rest in shares(left - first, coffers - 1)]

    return [Bid(share) for share in shares(units, players)]


def is_bid(state: State, bid: Bid) -> bool:
    """Return whether ``bid`` is one of `bids`, which are too many to be listed for every ply."""
    players, units = state.options.players, state.options.bid
    right = len(bid.shares) == players and sum(bid.shares) == units and min(bid.shares) >= 0
    return state.phase == "bid" and right


def after_bid(state: State, bid: Bid) -> State:
    """Return the state after a bid; the last one sets coffers and order."""
    return bids_closed(replace(state, bids=(*state.bids, bid.shares), queue=state.queue[1:]))


def bids_closed(state: State) -> State:
    """Return the state after a bid was made or a bidder gave up, who then gives nothing to anybody.

    The bids of those who gave up are filled in as soon as it is their turn, so that bids stay in the order of seats.
    """
    made, players = state.bids, state.options.players
    while len(made) < players and len(made) not in state.queue:
        made = (*made, (0,) * players)
    if len(made) < players:
        return replace(state, bids=made)
    coffers = tuple(sum(shares) for shares in zip(*made, strict=True))
    order = _by_coffer(state, coffers)
    full = tuple(units + state.options.bonus if seat in order else 0 for seat, units in enumerate(coffers))
    return settled(replace(state, phase="place", bids=made, coffers=full, order=order, queue=order))


def _by_coffer(state: State, coffers: tuple[int, ...]) -> tuple[int, ...]:
    """Return who is in play, the least coffer first. Among equals the less experienced go later where the experience of
    all of them is known; then the lot decides.
    """
    seats = [seat for seat in state.ties if seat in state.order]
    played = state.options.played

    def place(seat: int) -> tuple[int, int]:
        equals = [played[other] for other in seats if coffers[other] == coffers[seat]]
        return coffers[seat], 0 if None in equals else -(played[seat] or 0)

    return tuple(sorted(seats, key=place))


def ties_of_bids(state: State) -> Iterator[tuple[tuple[int, ...], Tie]]:
    """Yield who received equally many units in the bids, in order of play, and what has put them in that order."""
    coffers = [sum(shares) for shares in zip(*state.bids, strict=True)] if state.phase == "place" else []
    for units in sorted(set(coffers)):
        seats = tuple(seat for seat in state.order if coffers[seat] == units)
        played = [state.options.played[seat] for seat in seats]
        if len(seats) > 1:
            alike = len(set(played)) == 1 or None in played
            yield seats, "lot" if alike else "experience" if len(set(played)) == len(played) else "both"


# ---- parts in which units go from a coffer onto the board -------------------------------------------------


def openings(state: State) -> int:
    """Return on how many cells a player may place units: an equal share of the board, or what the option says."""
    return state.options.openings or len(state.stores) // state.options.players


def placings(state: State) -> Iterator[tuple[int, int]]:
    """Yield the cells onto which the player to move may bring units from the coffer now, and how many at most."""
    me, limit, phase = state.queue[0], state.options.limit, state.phase
    coffer = state.coffers[me]
    if not coffer:
        return
    may_open = len(state.placed) < openings(state)
    for cell, store in enumerate(state.stores):
        total = sum(store)
        if phase == "place":
            fits = store[me] == total and (may_open or cell in state.placed)
        else:
            fits = phase == "buy-in" or store[me] > 0
        if fits and total < limit:
            yield cell, min(coffer, limit - total)


def room(state: State) -> int:
    """Return how many units the player to move can bring onto the board in this part, had the coffer enough of them."""
    fits = state.options.limit
    rooms = {cell: fits - sum(state.stores[cell]) for cell, _ in placings(state)}
    if state.phase != "place":
        return sum(rooms.values())
    new = sorted((units for cell, units in rooms.items() if cell not in state.placed), reverse=True)
    placed = sum(units for cell, units in rooms.items() if cell in state.placed)
    return placed + sum(new[: openings(state) - len(state.placed)])


def parts(state: State) -> list[Ply]:
    """Return the legal plies of setup and harvest."""
    if state.phase == "bid":
        return [*bids(state.options.bid, state.options.players)]
    make = Move if state.phase == "harvest" else Place
    return [END, *(make(cell, units) for cell, most in placings(state) for units in range(1, most + 1))]


def after_placing(state: State, ply: Place | Move) -> State:
    """Return the state after units came from the coffer; the part ends by itself when nothing more can come."""
    me, cell = state.queue[0], ply.cell
    placed = state.placed if cell in state.placed else (*state.placed, cell)
    fed = tuple(sorted({*state.fed, me})) if isinstance(ply, Move) else state.fed
    stores, coffers = stored(state.stores, cell, me, ply.units), added(state.coffers, me, -ply.units)
    return settled(replace(state, stores=stores, coffers=coffers, placed=placed, fed=fed))


def after_part(state: State) -> State:
    """Return the state after `END`: what is left in the coffer is discarded."""
    return settled(_closed(state))


def _closed(state: State) -> State:
    me = state.queue[0]
    order, out = state.order, state.out
    if state.phase == "buy-in":  # who places nothing is out for good
        out = tuple(seat for seat in out if seat != me)
        order = order if state.placed else tuple(seat for seat in order if seat != me)
    coffers = added(state.coffers, me, -state.coffers[me])
    return replace(state, coffers=coffers, queue=state.queue[1:], placed=(), out=out, order=order)


def settled(state: State) -> State:
    """Return the state at the next decision: parts in which nothing can be done are passed over."""
    while state.phase in ("place", "harvest", "buy-in"):
        if state.queue:
            if next(placings(state), None):
                return state
            state = _closed(state)
        elif state.phase == "place":
            state = replace(state, phase="active", queue=state.order)
        elif state.phase == "harvest":
            state = _found_out(state)
        else:
            state = _round_over(state)
    return state


# ---- harvest ----------------------------------------------------------------------------------------------


def harvest_due(state: State) -> bool:
    """Tell whether the active phase is over: all in play have had a cost-free turn."""
    return state.phase == "active" and set(state.order) <= set(state.passed)


def phase_closed(state: State) -> State:
    """Return the state after a turn of the active phase, at the harvest where that is due."""
    return harvest(state) if harvest_due(state) else state


def harvest(state: State) -> State:
    """Return the state after steps 1 to 3 of the harvest, at the first decision of step 4."""
    in_play = state.order
    # 1. The tally.
    tally = tuple(t + (state.beacons.count(s) if s in in_play else 0) for s, t in enumerate(state.tally))
    # 2. Growth, judged by the state before.
    stores, fed = grown(state)
    # 3. The order; sorting keeps ties as they were.
    order = tuple(sorted(in_play, key=lambda seat: state.coffers[seat]))
    state = replace(state, tally=tally, stores=stores, fed=fed, order=order, queue=order, passed=(), phase="harvest")
    # 4. Coffers onto the board.
    return settled(state)


def grown(state: State) -> tuple[Stores, tuple[int, ...]]:
    """Return the stores that a harvest leaves, and who got units.

    1 unit for the dominant player of each cell and 1 for each neighbour that this player occupies, up to the limit;
    or as many as the options say.
    """
    seams, before, limit = table_of(state).seams, state.stores, state.options.limit
    growth, neighbour_growth = state.options.growth, state.options.neighbour_growth
    stores, fed = [], set()
    for cell, store in enumerate(before):
        seat = dominant(store)
        gain = 0
        if seat != NOBODY:
            gain = growth + neighbour_growth * sum(1 for other, _, _ in seams[cell] if before[other][seat])
            gain = max(0, min(gain, limit - sum(store)))
        if gain:
            fed.add(seat)
        stores.append(added(store, seat, gain) if gain else store)
    return tuple(stores), tuple(sorted(fed))


def _found_out(state: State) -> State:
    """5. Who was given nothing in 2, moved nothing in 4 and dominates no cell is out; they may buy in."""
    ruling = {dominant(store) for store in state.stores}
    out = tuple(seat for seat in state.order if seat not in state.fed and seat not in ruling)
    stores = state.stores
    if out:
        stores = tuple(tuple(0 if s in out else units for s, units in enumerate(store)) for store in stores)
    buy_in = state.options.buy_in
    coffers = tuple(buy_in if seat in out else 0 for seat in range(state.options.players))
    return replace(state, phase="buy-in", queue=out, out=out, stores=stores, coffers=coffers, fed=())


def _round_over(state: State) -> State:
    """The last round ends the game, and so does a table at which fewer than two players are left."""
    if state.round == state.options.rounds or not state.order:
        return replace(state, phase="over", queue=(), why="tally")
    if len(state.order) == 1:
        return replace(state, phase="over", queue=(), why="last")
    return replace(state, phase="active", queue=state.order, round=state.round + 1)


# ---- end --------------------------------------------------------------------------------------------------


def result(state: State) -> Result:
    """Return how things stand; the tally is the score. A draw between the equal is a *tally* without a winner."""
    if not state.why:
        return Result(scores=state.tally)
    winner = state.order[0] if state.why == "last" else _best(state)
    return Result(True, winner, state.why, state.tally)


def _best(state: State) -> int | None:
    """Most tally, of those out too; then most dominant cells, or what the option `tie` says."""
    if state.options.tie != "dominance":
        return _by_order(state)
    ruling = [dominant(store) for store in state.stores]
    standing = [(tally, ruling.count(seat)) for seat, tally in enumerate(state.tally)]
    best = max(standing)
    return standing.index(best) if standing.count(best) == 1 else None


def _by_order(state: State) -> int | None:
    """Most tally, of those out too; then the first or last in the order of play, where those out have no place."""
    most, tie = max(state.tally), state.options.tie
    if state.tally.count(most) == 1:
        return state.tally.index(most)
    equals = [seat for seat in state.order if state.tally[seat] == most]
    return None if tie == "nobody" or not equals else equals[0 if tie == "first" else -1]
