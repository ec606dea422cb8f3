"""What a program counts in a position of Beacons.

How much each is worth stands in `weights.toml`.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from typing import Any

from controller.rules.game import Advice, Gain
from controller.rules.games.beacons.state import NOBODY, State, dominant, table_of
from controller.sentences import say

NAMES = (
    "lead",  # tally, against that of the best other player
    "beacons",  # held
    "beacons_to_come",  # held, times the harvests to come after this round's
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
)


def count(state: State) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of `NAMES` for each seat."""
    table, options = table_of(state), state.options
    players, limit, price = options.players, options.limit, options.beacon
    grows, beside = options.growth, options.neighbour_growth
    rulers = [dominant(store) for store in state.stores]
    totals = [sum(store) for store in state.stores]
    left = options.rounds - state.round
    holders = state.beacons
    mover = state.queue[0] if state.queue else NOBODY
    units, held, growth, contested = [0] * players, [0] * players, [0] * players, [0] * players
    for cell, store in enumerate(state.stores):
        if not totals[cell]:
            continue
        for seat, own in enumerate(store):
            if own:
                units[seat] += min(own, limit)
                held[seat] += 1
                contested[seat] += own < totals[cell]
        if (ruler := rulers[cell]) != NOBODY:
            gain = grows + beside * sum(1 for other, _, _ in table.seams[cell] if state.stores[other][ruler])
            growth[ruler] += max(0, min(gain, limit - totals[cell]))
    corners, ready, edges = [0] * players, [0] * players, [0] * players
    circles = table.circles if "b" in options.actions else ()  # what comes of a beacon that nobody can build is nothing
    for beacon, cells in enumerate(circles):
        around = [rulers[cell] for cell in cells]
        for ruler in {around[0], around[1]} - {NOBODY, holders[beacon]}:  # who rules all but one is among these
            others = len(cells) - around.count(ruler)
            if others == 1:
                edges[ruler] += 1
            elif not others:
                corners[ruler] += 1
                ready[ruler] += all(state.stores[cell][ruler] >= price for cell in cells)
    rows = []
    in_play = set(state.order) - set(state.out)
    for seat in range(players):
        lit = holders.count(seat) if seat in in_play else 0
        best = max(state.tally[other] for other in range(players) if other != seat)
        rows.append(
            (
                state.tally[seat] - best,
                lit,
                lit * left,
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
            )
        )
    return tuple(rows)


TOLD = {
    "lead": say("points ahead"),
    "beacons": say("beacons"),
    "beacons_to_come": say("harvests with a beacon to come"),
    "units": say("units on the board"),
    "ruled": say("cells ruled"),
    "held": say("cells with units"),
    "growth": say("units from the next harvest"),
    "corners": say("beacons in reach"),
    "ready": say("beacons that could be lit at once"),
    "edges": say("corners one cell short of a beacon"),
    "coffer": say("units in the coffer"),
    "contested": say("contested cells"),
}
GAINS = tuple(map(Gain, ("beacons", "ready", "corners", "ruled", "growth")))
ADVICE: Advice[State, Any] = Advice(NAMES, count, told=TOLD, gains=GAINS)
