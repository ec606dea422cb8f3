"""Beacons: what the end of a turn brings about by itself, in words: the harvest, and who is out after it."""

from __future__ import annotations

from functools import reduce

from controller.rules.games.beacons.actions import turn_ended
from controller.rules.games.beacons.leaving import without
from controller.rules.games.beacons.rounds import grown, harvest_due
from controller.rules.games.beacons.state import End, Out, Ply, State, Stores, player
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


def speaks_for(state: State, ply: Ply) -> str:
    """Return what speaks for ending a turn, as a clause; "" of any other ply."""
    if state.phase != "active" or not isinstance(ply, End):
        return ""
    if closes_round(state, ply):
        return say("the harvest follows at once")
    units = sum(store[state.queue[0]] for store in state.stores)
    if not units:
        return say("you have no units to spend")
    if state.spent:
        return say("it spends no more of your units, of which {count} are left", count=units)
    return say("it spends none of your {count} units", count=units)


def _closed(state: State, ply: Ply) -> State | None:
    """Return the state from which the harvest that ``ply`` sets off is reckoned; None where it sets off none."""
    if state.phase != "active" or not state.queue or not isinstance(ply, End | Out):
        return None
    closed = turn_ended(state) if isinstance(ply, End) else without(state, ply.seat)
    return closed if harvest_due(closed) else None


def _harvest_told(closed: State) -> str:
    stores, _ = grown(closed)
    gains = [_gain(closed, seat, stores) for seat in closed.order]
    told = say("Harvest: {gains}.", gains=reduce(lambda one, other: say("{one}; {other}", one=one, other=other), gains))
    options = closed.options
    if closed.round > 1 or not (options.growth and options.neighbour_growth):
        return told
    why = say("A cell gives whoever is strongest there {own}, and {more} for each cell beside it with units of theirs; "
              "it holds {limit} at most.",
              own=options.growth, more=options.neighbour_growth, limit=options.limit)  # fmt: skip
    return together(told, why)


def _gain(closed: State, seat: int, stores: Stores) -> str:
    """Return what ``seat`` got, where its harvest leaves ``stores``: units, of how many cells, and points."""
    name, points = player(seat), closed.beacons.count(seat)
    grew = [after[seat] - store[seat] for store, after in zip(closed.stores, stores, strict=True) if after != store]
    units, cells = sum(grew), sum(map(bool, grew))
    more = say("+1 unit") if units == 1 else say("+{units} units", units=units)
    if cells > 1:
        more = say("{more} in {cells} cells", more=more, cells=cells)
    if points:
        scored = say("+1 point") if points == 1 else say("+{points} points", points=points)
        return say("{player} {points}, {units}", player=name, points=scored, units=more)
    return say("{player} {units}", player=name, units=more)
