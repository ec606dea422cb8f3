"""Beacons: how a game came out, in words, where its tallies alone have not decided it."""

from __future__ import annotations

from controller.rules.games.beacons.rounds import result
from controller.rules.games.beacons.state import State, dominant, player
from controller.sentences import say


def ending(state: State) -> str:
    """Return as a clause what decided between equal tallies; "" where nothing had to."""
    best = [seat for seat, tally in enumerate(state.tally) if tally == max(state.tally)]
    if state.why != "tally" or len(best) == 1:
        return ""
    tie, drawn = state.options.tie, result(state).winner is None
    if tie != "dominance":
        return _by_order(tie, drawn, max(state.tally))
    if drawn:
        return say("points and dominant cells are equal")
    ruling = [dominant(store) for store in state.stores]
    cells = tuple(say("{player}: {cells}", player=player(seat), cells=ruling.count(seat)) for seat in best)
    return say(
        "points are equal at {points}, and the most dominant cells decide ({cells})",
        points=max(state.tally),
        cells=cells,
    )


def _by_order(tie: str, drawn: bool, points: int) -> str:
    if drawn:
        return say("points are equal")
    if tie == "first":
        return say("points are equal at {points}, and the first in the order of play wins", points=points)
    return say("points are equal at {points}, and the last in the order of play wins", points=points)
