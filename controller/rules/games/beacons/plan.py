"""Beacons: a turn with a plan, which help shows step by step, and why, with numbers that come true.

A step is a beacon with all the transfers that it needs, or one transfer that brings more at the harvest. Owns which
steps there are, and which of them make the best turn. Turns are compared where they are over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from typing import NamedTuple

from controller.rules.games.beacons.actions import acted, actions, steps_to_build, supplied, turn_ended
from controller.rules.games.beacons.counts import NAMES, count
from controller.rules.games.beacons.harvest_told import closes_round
from controller.rules.games.beacons.rounds import grown
from controller.rules.games.beacons.state import END, Beacon, End, Ply, State, Transfer, dominant, table_of
from controller.rules.games.beacons.text import more_told
from controller.sentences import all_of, say

COMPARED = 3  # turns that are gone on with
MOST_STEPS = 8  # of a turn
FALLEN = 3000  # thousandths that it costs to have nothing left after the harvest
# What is counted is worth so many thousandths. The rules read no files, so `weights.toml` stands here once more.
WEIGHTS = {
    "lead": 400, "beacons_to_come": 400, "units": 2, "ruled": 10, "edges": 5, "coffer": 150, "out": -3000,
    "contested": -5, "stock": 10, "lightable": 320, "in_reach": 240, "regrowth": 20,
}  # fmt: skip

Step = tuple[Ply, ...]


class _Turn(NamedTuple):
    """What a turn is worth that has had these steps and led to a state."""

    worth: int
    steps: tuple[Step, ...]
    state: State


def planned(states: Sequence[State], plies: Sequence[Ply]) -> tuple[Ply, str] | None:
    """Return how to go on after ``plies`` were made in turn from ``states``, whose last one is now, and why, as a
    clause; None where there is no plan.

    Who makes what is planned is shown the rest of it; whoever makes another ply has another plan from there on.
    """
    steps: tuple[Step, ...] = ()
    for state, ply in zip(states, plies, strict=False):
        steps = _left(steps or turn(state), ply)
    steps = steps or turn(states[-1])
    return (steps[0][0], _why(states[-1], steps[0])) if steps else None


def _left(steps: tuple[Step, ...], ply: Ply) -> tuple[Step, ...]:
    """Return what is left of a plan once ``ply`` was made: nothing where it had another one."""
    if not steps or steps[0][0] != ply:
        return ()
    rest = steps[0][1:]
    return (rest, *steps[1:]) if rest else steps[1:]


@lru_cache(maxsize=64)
def turn(state: State) -> tuple[Step, ...]:
    """Return the steps of the best turn from ``state``, the last one its end; none outside the active phase, and where
    nobody may build or transfer.
    """
    if state.phase != "active" or not {"t", "b"}.issubset(state.options.actions):
        return ()
    me = state.queue[0]
    best = _Turn(_worth(state, me), (), state)
    turns = [best]
    for _ in range(MOST_STEPS):
        further = {}
        for each in turns:
            for step in _steps(each.state):
                after = reduce(acted, step, each.state)
                further[after.stores, after.beacons] = _Turn(_worth(after, me), (*each.steps, step), after)
        turns = sorted(further.values(), key=lambda each: each.worth, reverse=True)[:COMPARED]
        best = max((best, *turns), key=lambda each: each.worth)
    return (*best.steps, (END,))


def _steps(state: State) -> Iterator[Step]:
    """Yield the beacons that can be built, and the transfers after which the harvest brings more than they cost."""
    for beacon, ways in supplied(state).items():
        if ways is not None:
            yield steps_to_build(state, beacon, ways)
    if state.round < state.options.rounds:
        now = harvested(state)
        for ply in actions(state):
            if isinstance(ply, Transfer) and ply.units in _of_use(state, ply.to):
                after = acted(state, ply)
                if harvested(after) - now > _owned(state) - _owned(after):
                    yield (ply,)


def _of_use(state: State, cell: int) -> tuple[int, int]:
    """Return with how many units more the player to move occupies a cell, and rules it."""
    me, store = state.queue[0], state.stores[cell]
    return 1, max(0, *store[:me], *store[me + 1 :]) + 1 - store[me]


def harvested(state: State) -> int:
    """Return how many units a harvest would bring the player to move, if the turn ended and nobody did anything."""
    me, closed = state.queue[0], turn_ended(state)
    stores, _ = grown(closed)
    return sum(after[me] - store[me] for store, after in zip(closed.stores, stores, strict=True))


def _owned(state: State) -> int:
    return sum(store[state.queue[0]] for store in state.stores)


def _worth(state: State, me: int) -> int:
    """Return what ``state`` is worth to ``me`` where the turn ends, against the best of the others.

    What could be built and is not by then counts as what the next round can build.
    """
    rows, left = [dict(zip(NAMES, row, strict=True)) for row in count(state)], state.options.rounds - state.round
    rows[me]["in_reach"] += rows[me]["lightable"] // (left + 1) * left
    rows[me]["lightable"] = 0
    own, *others = (
        sum(weight * rows[seat][name] for name, weight in WEIGHTS.items())
        for seat in sorted(range(len(rows)), key=lambda seat: seat != me)
    )
    stores, fed = grown(turn_ended(state))
    return own - max(others) - FALLEN * (left > 0 and me not in fed and me not in map(dominant, stores))


# ---- why --------------------------------------------------------------------------------------------------


def _why(state: State, step: Step) -> str:
    """Return what the first ply of ``step`` is for, and what that costs and brings."""
    if isinstance(step[-1], End):
        return _why_end(state)
    if isinstance(step[-1], Beacon):
        return _why_beacon(state, step, step[-1])
    then = harvested(acted(state, step[0]))
    return say("the harvest then brings {then} units, not {now}", then=then, now=harvested(state))


def _why_beacon(state: State, step: Step, goal: Beacon) -> str:
    table, owned, harvests = table_of(state), _owned(state), state.options.rounds - state.round + 1
    spent = owned - _owned(reduce(acted, step, state))
    if len(step) == 1 and harvests == 1:
        return say("it takes {spent} of {owned} units, and brings a point in the last harvest if it still stands",
                   spent=spent, owned=owned)  # fmt: skip
    if len(step) == 1:
        return say("it takes {spent} of {owned} units, and brings a point in each of {count} harvests while it stands",
                   spent=spent, owned=owned, count=harvests)  # fmt: skip
    corner = "–".join(table.mesh.cells[cell] for cell in table.circles[goal.beacon])
    needs: dict[int, int] = {}
    for ply in step[1:]:
        if isinstance(ply, Transfer):
            needs[ply.to] = needs.get(ply.to, 0) + ply.units
    if not needs:
        return say("then the beacon {corner} can be built; all together that takes {spent} of {owned} units",
                   corner=corner, spent=spent, owned=owned)  # fmt: skip
    more = all_of(more_told(table.mesh.cells[cell], units) for cell, units in needs.items())
    return say("it is for the beacon {corner}, which then needs {more}; all together that takes {spent} of {owned} "
               "units", corner=corner, more=more, spent=spent, owned=owned)  # fmt: skip


def _why_end(state: State) -> str:
    """Return that nothing else pays, and what the harvest brings if nobody does anything until then."""
    if not _owned(state):
        return say("no units are left to spend")
    if state.round == state.options.rounds:
        points = state.beacons.count(state.queue[0])
        if points == 1:
            return say("nothing else seems worth its price, and the last harvest brings 1 point as things stand")
        return say("nothing else seems worth its price, and the last harvest brings {points} points as things stand",
                   points=points)  # fmt: skip
    units = harvested(state)
    if not units:
        return say("nothing else seems worth its price")
    if closes_round(state, END):
        return say("nothing else seems worth its price, and the harvest that follows at once brings {units} units",
                   units=units)  # fmt: skip
    return say("nothing else seems worth its price, and the harvest brings {units} units as things stand", units=units)
