"""Beacons: what a program counts in a position, for each seat. How much each is worth stands in `weights.toml`."""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from collections.abc import Sequence

from controller.rules.games.beacons.state import NOBODY, State, dominant, table_of

NAMES = (
    "lead",  # tally, against that of the best other player
    "beacons",  # held
    "beacons_to_come",  # held, times the harvests to come
    "units",  # on the board, up to the limit of their stores
    "ruled",  # cells in which one is dominant
    "held",  # cells with a unit
    "growth",  # units that a harvest would bring now
    "corners",  # vertices without an own beacon whose cells one rules
    "ready",  # those of them that can be paid for
    "edges",  # vertices all of whose cells but one are ruled
    "coffer",
    "out",
    "to_move",
    "contested",  # cells in which another has units too
    "stock",  # units that the next round finds, times the harvests from there on
    "lightable",  # beacons that all can be paid for in this round, one after another, times the harvests to come
    "in_reach",  # how many more can with the next round's units, times the harvests from there on
    "regrowth",  # growth, times the harvests after the next round's
)


BEFORE_HARVEST = ("bid", "place", "active")  # the parts of a round that its harvest is still to follow
Row = list[int]  # a number for each seat, or for each cell


def count(state: State) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of `NAMES` for each seat."""
    options, holders = state.options, state.beacons
    seats = range(options.players)
    left, due = options.rounds - state.round, state.phase in BEFORE_HARVEST
    rulers = [dominant(store) for store in state.stores]
    units, held, growth, contested, stock, later = _of_cells(state, rulers, due)
    corners, ready, edges, now, next_round = _of_vertices(state, rulers, later)
    mover = state.queue[0] if state.queue else NOBODY
    in_play = set(state.order) - set(state.out)
    rows = []
    for seat in seats:
        lit = holders.count(seat) if seat in in_play else 0
        at_once = now[seat] if due else 0
        rows.append(
            (
                state.tally[seat] - max(state.tally[other] for other in seats if other != seat),
                lit,
                lit * (left + due),
                units[seat],
                rulers.count(seat),
                held[seat],
                growth[seat],
                corners[seat],
                ready[seat],
                edges[seat],
                state.coffers[seat],
                int(seat not in in_play),
                int(seat == mover),
                contested[seat],
                stock[seat] * left,
                at_once * (left + 1),
                max(0, next_round[seat] - at_once) * left,
                growth[seat] * max(0, left - 1),
            )
        )
    return tuple(rows)


def _of_cells(state: State, rulers: Sequence[int], due: bool) -> tuple[Row, Row, Row, Row, Row, Row]:
    """Return, by seat, units, cells held, growth, cells contested, and the units that the next round finds.

    The last row is, by cell, what its ruler will have there then. ``due`` is whether this round's harvest is to come.
    """
    seams, options, players = table_of(state).seams, state.options, state.options.players
    limit, grows, beside = options.limit, options.growth, options.neighbour_growth
    units, held, growth, contested, grown = ([0] * players for _ in range(5))
    later = [0] * len(rulers)
    for cell, store in enumerate(state.stores):
        total = sum(store)
        if not total:
            continue
        for seat, own in enumerate(store):
            if own:
                units[seat] += min(own, limit)
                held[seat] += 1
                contested[seat] += own < total
        if (ruler := rulers[cell]) != NOBODY:
            gain = grows + beside * sum(1 for other, _, _ in seams[cell] if state.stores[other][ruler])
            gain = max(0, min(gain, limit - total))
            growth[ruler] += gain
            grown[ruler] += gain if due else 0
            later[cell] = min(store[ruler], limit) + (gain if due else 0)
    stock = [own + more for own, more in zip(units, grown, strict=True)]
    return units, held, growth, contested, stock, later


def _of_vertices(state: State, rulers: Sequence[int], later: Sequence[int]) -> tuple[Row, Row, Row, Row, Row]:
    """Return, by seat, corners, those ready, edges, and the beacons that can be paid for: now, and with ``later``."""
    price, players, holders = state.options.beacon, state.options.players, state.beacons
    corners, ready, edges, lightable, in_reach = ([0] * players for _ in range(5))
    purses, later_purses = [max(store) for store in state.stores], list(later)
    # What comes of a beacon that nobody can build is nothing.
    circles = table_of(state).circles if "b" in state.options.actions else ()
    for beacon, cells in enumerate(circles):
        around = [rulers[cell] for cell in cells]
        for ruler in {around[0], around[1]} - {NOBODY, holders[beacon]}:  # who rules all but one is among these
            others = len(cells) - around.count(ruler)
            if others == 1:
                edges[ruler] += 1
            elif not others:
                corners[ruler] += 1
                ready[ruler] += all(state.stores[cell][ruler] >= price for cell in cells)
                lightable[ruler] += _paid(purses, cells, price)
                in_reach[ruler] += _paid(later_purses, cells, price)
    return corners, ready, edges, lightable, in_reach


def _paid(purses: Row, cells: Sequence[int], price: int) -> bool:
    """Return whether ``purses`` can pay for a beacon amid ``cells``, and take from them what it costs."""
    for cell in cells:
        if purses[cell] < price:
            return False
    for cell in cells:
        purses[cell] -= price
    return True
