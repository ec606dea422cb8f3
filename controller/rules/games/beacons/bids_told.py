"""Beacons: what the bids came to, in words, once all are in. Who gave what stays secret until the game is over:
totals alone are tallied.
"""

from __future__ import annotations

from controller.rules.games.beacons.rounds import Tie, ties_of_bids
from controller.rules.games.beacons.state import State, player
from controller.sentences import all_of, capital, or_you, say, to_player, together


def bids_told(state: State) -> str:
    """Return what each player received and who begins by that, while units are placed; "" at any other time."""
    if state.phase != "place":
        return ""
    coffers = [sum(shares) for shares in zip(*state.bids, strict=True)]
    totals = tuple(say("{player}: {units}", player=or_you(player(seat)), units=coffers[seat]) for seat in state.order)
    received, first = say("Received: {totals}.", totals=totals), player(state.order[0])
    begins = to_player(first, say("You begin."), say("{player} begins.", player=first))
    bonus = state.options.bonus
    more = [say("Every coffer gets {units} more.", units=bonus)] if bonus else []
    return together(received, *more, *ties_told(state), capital(begins))


def ties_told(state: State) -> list[str]:
    """Return a sentence for each tie of the bids, with what has decided it."""
    return [_tie_told(seats, tie) for seats, tie in ties_of_bids(state)]


def _tie_told(seats: tuple[int, ...], tie: Tie) -> str:
    players = all_of(or_you(player(seat)) for seat in seats)
    if tie == "lot":
        told = say("{players} received the same: the lot decided.", players=players)
    elif tie == "experience":
        told = say("{players} received the same: the less experienced go later.", players=players)
    else:
        told = say(
            "{players} received the same: the less experienced go later, and the lot decided between equals.",
            players=players,
        )
    return capital(told)
