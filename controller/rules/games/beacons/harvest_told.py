"""Beacons: what the end of a turn brings about by itself, in words: the harvest, and who is out after it."""

from __future__ import annotations

from controller.rules.games.beacons.actions import turn_ended
from controller.rules.games.beacons.leaving import without
from controller.rules.games.beacons.rounds import grown, harvest_due
from controller.rules.games.beacons.state import End, Out, Ply, State, Stores, player
from controller.sentences import all_of, or_you, say, together


def news(state: State, ply: Ply, after: State) -> str:
    """Return what each player got by the harvest that ``ply`` has set off, and who is out; "" where neither was."""
    closed = _closed(state, ply)
    harvested = _harvest_told(closed, after.phase == "over") if closed else ""
    gave_up = ply.seat if isinstance(ply, Out) else None
    out = [or_you(player(seat)) for seat in state.order if seat not in after.order and seat != gave_up]
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


def _harvest_told(closed: State, over: bool) -> str:
    """Return who got how many units and points; where the game is ``over``, units do not count any more."""
    held = ((seat, closed.beacons.count(seat)) for seat in closed.order)
    scored = tuple(
        say("{player} +{count}", player=or_you(player(seat)), count=points) for seat, points in held if points
    )
    points = say("Points: {points}.", points=scored) if scored else ""
    if over:
        return say("The last harvest. {points}", points=points) if points else ""
    stores, _ = grown(closed)
    gains = tuple(say("{player} +{count}", player=or_you(player(seat)), count=_gain(closed, seat, stores))
                  for seat in closed.order)  # fmt: skip
    told = together(say("Harvest: {gains}.", gains=gains), points)
    options = closed.options
    if closed.round > 1 or not (options.growth and options.neighbour_growth):
        return told
    why = say("A cell gives whoever is strongest there {own}, and {more} for each cell beside it with units of theirs; "
              "it holds {limit} at most.",
              own=options.growth, more=options.neighbour_growth, limit=options.limit)  # fmt: skip
    return together(told, why)


def _gain(closed: State, seat: int, stores: Stores) -> int:
    """Return how many units ``seat`` got, where its harvest leaves ``stores``."""
    return sum(after[seat] - store[seat] for store, after in zip(closed.stores, stores, strict=True))
