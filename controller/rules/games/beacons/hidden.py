"""Beacons: what a player may not know, how it is struck out of a state, and how it may be.

Owns secrecy: the bids of others until all are made, and the lot for ties.
"""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from controller.rules.games.beacons.state import State


def known(state: State, viewer: int | None) -> State:
    """Return ``state`` with the seats in order in place of the lot for ties, and plain bids in place of secret ones."""
    bids = state.bids
    if state.phase == "bid":
        bids = tuple(bid if seat == viewer or not any(bid) else _plain(state, seat) for seat, bid in enumerate(bids))
    return replace(state, ties=tuple(range(state.options.players)), bids=bids)


def _plain(state: State, seat: int) -> tuple[int, ...]:
    """Return the bid that keeps everything."""
    return tuple(state.options.bid if other == seat else 0 for other in range(state.options.players))


def imagine(state: State, viewer: int | None, seed: int) -> State:
    """Return what ``viewer`` knows with a lot for ties, and bids of others that give each unit to anybody alike."""
    dice, players = Random(seed), state.options.players
    bids = state.bids
    if state.phase == "bid":
        bids = tuple(bid if seat == viewer or not any(bid) else _drawn(state, dice) for seat, bid in enumerate(bids))
    return replace(state, ties=tuple(dice.sample(range(players), players)), bids=bids)


def _drawn(state: State, dice: Random) -> tuple[int, ...]:
    coffers = [0] * state.options.players
    for _ in range(state.options.bid):
        coffers[dice.randrange(len(coffers))] += 1
    return tuple(coffers)
