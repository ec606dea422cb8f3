"""Beacons: what the end of a turn brings about by itself, in words: the harvest, and who is out after it."""

from __future__ import annotations

from functools import reduce

from controller.rules.games.beacons.actions import turn_ended
from controller.rules.games.beacons.leaving import without
from controller.rules.games.beacons.rounds import grown, harvest_due
from controller.rules.games.beacons.state import End, Out, Ply, State, player
from controller.sentences import all_of, say, together


def news(state: State, ply: Ply, after: State) -> str:
    """Return what each player got by the harvest that ``ply`` has set off, and who is out; "" where neither was."""
    closed = _closed(state, ply)
    harvested = _harvest_told(closed) if closed else ""
    gave_up = ply.seat if isinstance(ply, Out) else None
    out = [player(seat) for seat in state.order if seat not in after.order and seat != gave_up]
    return together(harvested, say("Out of the game: {players}.", players=all_of(out)) if out else "")


def closes_round(state: State, ply: Ply) -> bool:
    """Tell whether the harvest follows ``ply`` at once."""
    return _closed(state, ply) is not None


def _closed(state: State, ply: Ply) -> State | None:
    """Return the state from which the harvest that ``ply`` sets off is reckoned; None where it sets off none."""
    if state.phase != "active" or not state.queue or not isinstance(ply, End | Out):
        return None
    closed = turn_ended(state) if isinstance(ply, End) else without(state, ply.seat)
    return closed if harvest_due(closed) else None


def _harvest_told(closed: State) -> str:
    stores, _ = grown(closed)
    gains = [
        _gain(
            seat,
            closed.beacons.count(seat),
            sum(later[seat] - store[seat] for store, later in zip(closed.stores, stores, strict=True)),
        )
        for seat in closed.order
    ]
    return say("Harvest: {gains}.", gains=reduce(lambda one, other: say("{one}; {other}", one=one, other=other), gains))


def _gain(seat: int, points: int, units: int) -> str:
    name = player(seat)
    more = say("+1 unit") if units == 1 else say("+{units} units", units=units)
    if points:
        return say("{player} +{points} to the tally, {units}", player=name, points=points, units=more)
    return say("{player} {units}", player=name, units=more)
