"""Units shared out in secret by everybody at once: which of a few ways to do so cannot be answered well.

What the others bid is guessed as they would reason, never known. Pure.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from controller.engine.found import Found
from controller.engine.judgement import Judge, Shares, outcome
from controller.rules.game import AnyGame, Share

ROUNDS = 600  # of regret matching
MOST = 14  # bids that are considered for each seat


def bid(
    game: AnyGame, known: Any, seat: int, seats: int, judge: Judge, nodes: int, seed: int, stop: Callable[[], bool]
) -> Found:
    """Return a bid for ``seat``, drawn from the mixture that regret matching ends with."""
    share = game.shared(known)
    assert share is not None
    dice = Random(seed)
    candidates = [_candidates(share, each, dice) for each in range(seats)]
    regrets = [[0.0] * len(bids) for bids in candidates]
    mixture = [[1e-9] * len(bids) for bids in candidates]
    looked_at, gained, rounds = 0, [0.0] * seats, 0
    while rounds < ROUNDS and looked_at < nodes and not (rounds and stop()):
        drawn = [_drawn(row, dice) for row in regrets]
        world = dice.getrandbits(32)  # no count from the seed on: neighbouring seeds would guess the same
        for each in range(seats):
            worths = []
            for number in range(len(candidates[each])):
                chosen = [bids[number if s == each else drawn[s]] for s, bids in enumerate(candidates)]
                worths.append(_worth(game, known, seat, seats, chosen, judge, world)[each])
            looked_at += len(worths)
            gained[each] += worths[drawn[each]]
            for number, worth in enumerate(worths):
                regrets[each][number] += worth - worths[drawn[each]]
            mixture[each][drawn[each]] += 1
        rounds += 1
    number = _drawn(mixture[seat], dice)
    ply = game.read(known, candidates[seat][number])
    shares: Shares = tuple([gain / max(rounds, 1) for gain in gained])
    return Found(ply, shares, ((ply, shares[seat]),), (ply,), looked_at, False)


def evenly(game: AnyGame, known: Any, seats: int, seed: int) -> Found:
    """Return a bid that gives all the same but for one unit, if any, of which a beginner need fear nothing."""
    share, dice = game.shared(known), Random(seed)
    assert share is not None
    row = _same_for_all(share)
    giver, taker = dice.choice([(one, other) for one in range(len(row)) for other in range(len(row))])
    if row[giver]:
        row[giver] -= 1
        row[taker] += 1
    ply = game.read(known, _written(share, row))
    shares: Shares = (1 / seats,) * seats
    return Found(ply, shares, ((ply, shares[0]),), (ply,), 1, False)


def _same_for_all(share: Share) -> list[int]:
    count, units = len(share.among), share.units
    return [units // count + (other < units % count) for other in range(count)]


def _written(share: Share, row: list[int]) -> str:
    return " ".join([share.word, *map(str, row)])


def _candidates(share: Share, seat: int, dice: Random) -> list[str]:
    """Return bids as they are written: all to one, evenly, half and half, and some at random."""
    count, units = len(share.among), share.units
    found = [[units if other == one else 0 for other in range(count)] for one in range(count)]
    found.append(_same_for_all(share))
    for one in range(count):
        if one != seat:
            found.append([units // 2 if other == one else units - units // 2 if other == seat else 0
                          for other in range(count)])  # fmt: skip
    while len(found) < MOST:
        row = [0] * count
        for _ in range(units):
            row[dice.randrange(count)] += 1
        found.append(row)
    return list(dict.fromkeys(_written(share, row) for row in found))


def _drawn(weights: list[float], dice: Random) -> int:
    """Return a number drawn by the weights above 0, evenly where there are none."""
    total = 0.0
    for weight in weights:
        total += max(weight, 0.0)
    left = dice.random() * total
    for number, weight in enumerate(weights):
        if weight > 0:
            left -= weight
            if left <= 0:
                return number
    return dice.randrange(len(weights)) if total <= 0 else len(weights) - 1


def _worth(game: AnyGame, known: Any, me: int, seats: int, bids: list[str], judge: Judge, seed: int) -> Shares:
    """Return the shares once everybody has bid so: what was bid before is guessed, as the state is imagined."""
    assert game.imagine is not None
    state = game.imagine(known, me, seed)
    while game.shared(state) is not None:
        seat = game.seat(state)
        assert seat is not None
        state = game.after(state, game.read(state, bids[seat]))
    how = game.result(state)
    return outcome(how, seats, 1) if how.over else judge(state)
