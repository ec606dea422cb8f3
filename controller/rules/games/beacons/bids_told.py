"""Beacons: the bids in words, once all are in. Must not know which of them were secret to whom."""

from __future__ import annotations

from controller.rules.games.beacons.rounds import Tie, ties_of_bids
from controller.rules.games.beacons.state import State, player
from controller.sentences import all_of, capital, say, together


def bids_told(state: State) -> str:
    """Return who bid what and who begins by that, while units are placed; "" at any other time."""
    if state.phase != "place":
        return ""
    bids = [_bid_told(state, seat) for seat in range(len(state.bids)) if any(state.bids[seat])]
    coffers = [sum(shares) for shares in zip(*state.bids, strict=True)]
    totals = tuple(say("{player}: {units}", player=player(seat), units=coffers[seat]) for seat in state.order)
    received, begins = say("Received: {totals}.", totals=totals), say("{player} begins.", player=player(state.order[0]))
    return together(*bids, received, *ties_told(state), capital(begins))


def ties_told(state: State) -> list[str]:
    """Return a sentence for each tie of the bids, with what has decided it."""
    return [_tie_told(seats, tie) for seats, tie in ties_of_bids(state)]


def _bid_told(state: State, seat: int) -> str:
    shares = state.bids[seat]
    gifts = tuple(
        say("{units} to {player}", units=units, player=player(other))
        for other, units in enumerate(shares)
        if units and other != seat
    )
    if not gifts:
        told = say("{player} bid: kept all {units}.", player=player(seat), units=shares[seat])
    else:
        told = say("{player} bid: kept {units}, gave {gifts}.", player=player(seat), units=shares[seat], gifts=gifts)
    return capital(told)


def _tie_told(seats: tuple[int, ...], tie: Tie) -> str:
    players = capital(all_of(map(player, seats)))
    if tie == "lot":
        return say("{players} received equally many: the lot decided between them.", players=players)
    if tie == "experience":
        return say("{players} received equally many: the less experienced go later.", players=players)
    return say(
        "{players} received equally many: the less experienced go later, and the lot decided between equals.",
        players=players,
    )
