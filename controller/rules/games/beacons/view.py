"""Beacons: what stands on which site, how a hand makes a ply, and what each player may know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain, starmap
from typing import Any

from msgspec.structs import replace

from controller.rules.game import Mark, Piece, Share, View, Walk
from controller.rules.games.beacons.actions import (
    corners_to_build,
    cost_between,
    missing_for_a_beacon,
    owner_of_node,
    sites_to_build,
)
from controller.rules.games.beacons.reasons import KINDS
from controller.rules.games.beacons.rounds import openings
from controller.rules.games.beacons.state import (
    NOBODY,
    Beacon,
    Bid,
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
    dominant,
    player,
    table_of,
    units_told,
)
from controller.rules.games.beacons.text import more_told
from controller.rules.notation import bits
from controller.rules.shells import Cost, ShellView, cost_map, shell_text
from controller.sentences import all_of, capital, or_you, say, to_player, together

FREE, CLOSED = "#8fe3b0", "#ff7b6b"  # colours of costs; between them from the first of these to the second
CHEAP, DEAR = (0xFF, 0xF1, 0xA8), (0xFF, 0xB0, 0x5E)
MOST_CORNERS = 4  # that a line names; the board shows all of them
PHASES = {
    "bid": say("the bids"),
    "place": say("placing"),
    "active": say("active phase"),
    "harvest": say("harvest"),
    "buy-in": say("buying in"),
}


def shape(state: State) -> dict[str, Piece]:
    """Return the stores that hold units, the beacons and the occupied nodes, by site.

    A store has the colour of the player who is dominant in it, and nobody's where none is.
    """
    table = table_of(state)
    found = dict(chain.from_iterable(map(_on_cell, table.mesh.cells, state.stores, state.shells, state.colours)))
    for name, holder in zip(table.beacon_names, state.beacons, strict=True):
        if holder != NOBODY:
            found[name] = Piece(holder, "beacon")
    return found


@lru_cache(maxsize=1024)
def _on_cell(name: str, store: tuple[int, ...], shell: int, rings: tuple[int, ...]) -> tuple[tuple[str, Piece], ...]:
    """Return the pieces of one cell: a ply changes few cells, and is asked what it does before anybody makes it."""
    return _pieces(name, dominant(store) if any(store) else None, shell, rings)


@lru_cache(maxsize=1024)
def _pieces(name: str, owner: int | None, shell: int, rings: tuple[int, ...]) -> tuple[tuple[str, Piece], ...]:
    """Return the pieces of one cell, None being the owner of an empty store: most plies differ in numbers alone."""
    units = () if owner is None else ((name, Piece(_seat(owner), "units")),)
    nodes = ((f"{name}:{node}", Piece(_seat(owner_of_node(rings, node)), "node")) for node in bits(shell))
    return (*units, *nodes)


def _seat(owner: int) -> int | None:
    return None if owner == NOBODY else owner


def walk(state: State, ply: Ply) -> Walk:
    """Return what a sensor can see of a ply: a store's sensor knows only whether any unit is there.

    So a transfer has a path where its last units leave for an empty cell, and where it opens a cell; of the rest
    the difference of the shapes shows.
    """
    table = table_of(state)
    cells = table.mesh.cells
    match ply:
        case Transfer(cell, to, units):
            if any(state.stores[to]):
                return Walk(at=cells[cell], concerns=(cells[to],))
            cost = cost_between(state, cell, to)
            leaves = cost is not None and cost.pay + units == sum(state.stores[cell])
            return Walk((cells[cell], cells[to]) if leaves else (cells[to],), concerns=(cells[cell],))
        case Place(cell) | Move(cell):
            return Walk(at=cells[cell]) if any(state.stores[cell]) else Walk((cells[cell],))
        case Beacon(beacon):
            return Walk((table.beacon_names[beacon],), concerns=tuple(cells[c] for c in table.circles[beacon]))
        case Modify(cell, node, on):
            site = f"{cells[cell]}:{node}"
            return Walk((site,), concerns=(cells[cell],)) if on else Walk(at=site, concerns=(cells[cell],))
        case Destroy(cell) | Shift(cell) | Pay(cell):
            return Walk(at=cells[cell])
        case Bid() | End() | Out():
            return Walk()


def view(state: State, seat: int | None) -> View:
    """Return everything but the bids of others: all else lies open.

    ``data`` has: ``phase``, ``round``, ``rounds``, ``order`` (seats), ``used`` (kinds this turn), ``stores`` (by cell,
    units by seat), ``shells`` (by cell, a digit a node), ``beacons`` (seat by vertex), ``coffers`` and ``tally`` (by
    seat), and during the bids ``bid``: the own one, None before it is made.
    """
    table = table_of(state)
    cells = table.mesh.cells
    data: dict[str, Any] = {
        "phase": state.phase,
        "round": state.round,
        "rounds": state.options.rounds,
        "order": list(state.order),
        "used": [KINDS[kind].template for kind in state.used],
        "stores": {name: list(store) for name, store in zip(cells, state.stores, strict=True) if any(store)},
        "shells": {name: shell_text(ring, table.nodes) for name, ring in zip(cells, state.shells, strict=True)},
        "beacons": {name: s for name, s in zip(table.beacon_names, state.beacons, strict=True) if s != NOBODY},
        "coffers": list(state.coffers),
        "tally": list(state.tally),
    }
    if state.phase == "bid":
        data["bid"] = list(state.bids[seat]) if seat in _bidders(state) and seat is not None else None
    costs = _costs(state)
    shells = ShellView(dict(zip(cells, state.shells, strict=True)), costs, state.options.mode)
    marks = (*_counts(state), *_prices(costs), *(Mark((site,), "offer") for site in sites_to_build(state)))
    return View(
        shape(state),
        _lines(state),
        data,
        _share_of(state, seat),
        marks,
        shells,
        holds=_held(state),
        stage=_stage(state),
    )


def _held(state: State) -> tuple[tuple[str, ...], ...]:
    """Return what each seat has that the board does not show at a glance: coffer, beacons, and a cost-free turn."""
    return tuple(tuple(_held_by(state, seat)) for seat in range(state.options.players))


def _held_by(state: State, seat: int) -> Iterator[str]:
    if units := state.coffers[seat]:
        yield say("coffer {units}", units=units)
    if count := state.beacons.count(seat):
        yield say("1 beacon") if count == 1 else say("{count} beacons", count=count)
    if state.phase == "active" and seat in state.passed:
        yield say("spent nothing")


def share(state: State) -> Share | None:
    """Return what a bid is; None when the bids are over."""
    if state.phase != "bid":
        return None
    units, players = state.options.bid, range(state.options.players)
    sentence = say(
        "Share {units} among everybody's coffers, in secret. Keep many to set up with, or give some away: who gets "
        "least begins.",
        units=units_told(units),
    )
    most = openings(state) * state.options.limit
    if most < units + state.options.bonus:  # not even as much as comes to each on the average
        lost = say("No more than {units} find room when you set up: the rest would be lost.", units=units_told(most))
        return Share("bid", units, tuple(map(player, players)), together(sentence, lost))
    return Share("bid", units, tuple(map(player, players)), sentence)


def _share_of(state: State, seat: int | None) -> Share | None:
    """Return what a bid is, for a seat that bids later too."""
    found = share(state)
    return replace(found, ahead=seat in state.queue[1:]) if found else None


def _costs(state: State) -> dict[tuple[str, str], Cost]:
    table = table_of(state)
    cells, found = table.mesh.cells, cost_map(table.between, state.shells, table.nodes, state.options.mode)
    return {(cells[a], cells[b]): cost for (a, b, _, _), cost in zip(table.between, found, strict=True)}


def _counts(state: State) -> Iterator[Mark]:
    """Yield how many units of each seat a store holds."""
    for cell, store in zip(table_of(state).mesh.cells, state.stores, strict=True):
        yield from (Mark((cell,), "count", str(units), seat) for seat, units in enumerate(store) if units)


def _prices(costs: Mapping[tuple[str, str], Cost]) -> Iterator[Mark]:
    """Return what it costs to move between two cells."""
    return starmap(_price, costs.items())


@lru_cache(maxsize=4096)
def _price(pair: tuple[str, str], cost: Cost) -> Mark:
    """Return the mark of one pair: between most cells, the cost stays the same from ply to ply."""
    return Mark(pair, "between", cost.text, colour=_colour(cost))


def _colour(cost: Cost) -> str:
    if cost.free or cost.closed:
        return FREE if cost.free else CLOSED
    part = cost.pay / (cost.pay + cost.move)  # in sixteen steps: there are many marks, and nobody sees finer ones
    return "#" + "".join(f"{round((a + part * (b - a)) / 17):x}" for a, b in zip(CHEAP, DEAR, strict=True))


def _bidders(state: State) -> list[int]:
    """Return who of those in play has bid."""
    return [seat for seat in state.order if seat < len(state.bids)]


def _lines(state: State) -> tuple[str, ...]:
    if state.phase == "over":
        return tuple(_outcome(state))
    lines = list(_next_beacon(state))  # first: a small phone shows the first lines alone
    lines.append(
        say(
            "Round {round} of {rounds}: {phase}.",
            round=state.round,
            rounds=state.options.rounds,
            phase=PHASES[state.phase],
        )
    )
    if state.phase == "bid":
        return (*lines, *(_standings(state) if state.out or len(state.order) < state.options.players else ()))
    if state.phase != "active" or len(state.order) > 2:  # of two, whose turn it is says all
        players = tuple(or_you(player(seat)) for seat in state.order)
        lines.append(say("Order of play: {players}.", players=players))
    if state.phase == "active" and state.passed:
        thrifty = all_of(or_you(player(seat)) for seat in state.passed)
        lines.append(say("In a row without spending: {players}. Once all have, the harvest comes.", players=thrifty))
    if state.used:
        lines.append(say("This turn: {kinds}.", kinds=all_of(KINDS[kind] for kind in state.used)))
    return (*lines, *_standings(state))


def _outcome(state: State) -> Iterator[str]:
    """Yield with what each player has ended, the most points first, and then what else is left of theirs."""
    ranked = sorted(range(len(state.tally)), key=lambda seat: -state.tally[seat])
    for seat in ranked:
        beacons = state.beacons.count(seat)
        yield say(
            "{player}: points {points}, beacons {beacons}.",
            player=or_you(player(seat)), points=state.tally[seat], beacons=beacons,
        )  # fmt: skip
    for seat in ranked:
        units = sum(store[seat] for store in state.stores)
        yield say(
            "{player}: {units} on the board, coffer {coffer}.",
            player=or_you(player(seat)), units=units, coffer=state.coffers[seat] if any(state.coffers) else 0,
        )  # fmt: skip


def _next_beacon(state: State) -> Iterator[str]:
    """Yield where the player to move can build a beacon, else what the nearest one lacks."""
    corners, missing = corners_to_build(state), missing_for_a_beacon(state)
    if corners:
        seat, named, more = player(state.queue[0]), corners[:MOST_CORNERS], len(corners[MOST_CORNERS:])
        own = say("You can build a beacon now: {corners}.", corners=named)
        told = say("{player} can build a beacon now: {corners}.", player=seat, corners=named)
        if more:
            own = say("You can build a beacon now: {corners}; {more} more are marked on the board.",
                      corners=named, more=more)  # fmt: skip
            told = say("{player} can build a beacon now: {corners}; {more} more are marked on the board.",
                       player=seat, corners=named, more=more)  # fmt: skip
        yield to_player(seat, own, told)
    elif missing:
        corner, cells = missing
        needs = all_of(_need_told(*each) for each in cells)
        seat = player(state.queue[0])
        if cells[0][2]:
            own = say("For you the cheapest beacon, {corner}, needs {needs}.", corner=corner, needs=needs)
            told = say("For {player} the cheapest beacon, {corner}, needs {needs}.",
                       player=seat, corner=corner, needs=needs)  # fmt: skip
        else:
            own = say("For you the nearest beacon, {corner}, needs {needs}.", corner=corner, needs=needs)
            told = say("For {player} the nearest beacon, {corner}, needs {needs}.",
                       player=seat, corner=corner, needs=needs)  # fmt: skip
        yield to_player(seat, own, told)


def _need_told(cell: str, units: int, start: str, pay: int) -> str:
    """Return how many units more ``cell`` needs, and from where they can come for how much, if ``start`` is no ""."""
    more = more_told(cell, units)
    if not start:
        return more
    if not pay:
        return say("{more} (from {start} for free)", more=more, start=start)
    return say("{more} (from {start} for {pay})", more=more, start=start, pay=pay)


def _stage(state: State) -> str:
    rounds = state.options.rounds
    return say("Round {round} of {rounds}", round=state.round, rounds=rounds) if rounds > 1 else ""


def _standings(state: State) -> Iterator[str]:
    """Yield what each player has; no coffers while nobody has anything in one."""
    for seat, tally in enumerate(state.tally):
        units = sum(store[seat] for store in state.stores)
        called = or_you(player(seat))
        if seat not in state.order or seat in state.out:
            called = capital(say("{player} (out)", player=called))
        if any(state.coffers):
            yield say(
                "{player}: points {tally}, units {units}, coffer {coffer}.",
                player=called,
                tally=tally,
                units=units,
                coffer=state.coffers[seat],
            )
        else:
            yield say("{player}: points {tally}, units {units}.", player=called, tally=tally, units=units)
