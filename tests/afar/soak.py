"""Plays games between two boards over a line that cuts, loses, delays, doubles and reorders; counts what went wrong.

`python -m tests.afar.soak PLIES SEED` prints one JSON object. The games are all that have no secrets. A fork is a head
that differs at the end of a game, or a far log that was ever no part of home's; lost is a ply that was made and is in
no log; played twice is an order that changed home more than once.
"""

from __future__ import annotations

import random
import sys
import time

import msgspec

from controller.orders import PlayPly, Resign, TakeBack
from controller.rules.game import AnyGame
from controller.rules.registry import all_games
from tests.afar.wire import Core, Line, Pair

CUT_EACH = 9  # plies, about
BACK, RESIGN, RESTART = 0.02, 0.002, 0.01  # chances at each ply
LONGEST = 400  # plies of one game


class Count(msgspec.Struct):
    plies: int = 0
    games: int = 0
    cuts: int = 0
    taken_back: int = 0
    restarts: int = 0
    forks: int = 0
    lost: int = 0
    twice: int = 0
    declined: int = 0
    seconds: float = 0.0


def open_games() -> list[AnyGame]:
    """Return the games that can be played between two boards: those without secrets."""
    return [game for game in all_games().values() if game.secret is None]


def soak(plies: int, seed: int) -> Count:
    """Play at least so many ``plies``."""
    count, chance, began = Count(), random.Random(seed), time.monotonic()
    games = open_games()
    while count.plies < plies:
        _game(games[count.games % len(games)].facts.name, chance, count, plies)
        count.games += 1
    count.seconds = round(time.monotonic() - began, 1)
    return count


def _game(name: str, chance: random.Random, count: Count, plies: int) -> None:
    core = Core(name, seed=chance.randrange(1 << 30))
    line = Line(chance.randrange(1 << 30), loses=0.05, doubles=0.1, slow_s=0.6)
    pair = Pair(core, line)
    pair.until(lambda: pair.far.log is not None)
    made = 0
    while not core.over and made < LONGEST and count.plies < plies:
        made += 1
        count.plies += 1
        _disturb(pair, chance, count)
        before = len(core.plies)
        if core.mover == pair.seat:
            _far_moves(pair, chance, count)
        else:
            text = chance.choice([core.game.text(core.states[-1], ply) for ply in core.game.plies(core.states[-1])])
            pair.home_plies(text)
            count.lost += len(core.plies) != before + 1
        log = pair.far.log
        count.forks += log is None or not pair.home.log.holds(log.n, log.head())
    line.loses = 0.0
    pair.until(lambda: pair.same)
    count.cuts += line.cuts
    stands = tuple(core.plies)
    count.lost += pair.home.log.plies != stands or pair.far.log is None or pair.far.log.plies != stands
    count.forks += pair.far.log is None or pair.far.log.head() != pair.home.log.head()


def _far_moves(pair: Pair, chance: random.Random, count: Count) -> None:
    core, far = pair.core, pair.far
    pair.until(lambda: far.log is not None and far.log.plies == tuple(core.plies) and far.asked is None)
    before, n = len(core.plies), pair.home.log.n
    state = core.states[-1]
    what: PlayPly | TakeBack | Resign = PlayPly(
        text=chance.choice([core.game.text(state, ply) for ply in core.game.plies(state)]), seat=pair.seat
    )
    if before and chance.random() < BACK:
        what = TakeBack(to=before - 1, by=(pair.seat,), asks=True)
        count.taken_back += 1
    elif chance.random() < RESIGN:
        what = Resign(seat=pair.seat)
    pair.wish(what)
    if chance.random() < RESTART:  # the power fails with the order on its way: the hand looks, and gives it again
        count.restarts += 1
        pair.start_far()
        pair.run(90)
        if pair.home.log.n == n:
            pair.until(lambda: pair.same)
            pair.wish(what)
    pair.until(lambda: pair.far.asked is None)
    count.twice += pair.home.log.n > n + 1
    count.lost += pair.home.log.n < n + 1
    count.declined += bool(pair.far.declined)


def _disturb(pair: Pair, chance: random.Random, count: Count) -> None:
    if chance.random() < 1 / CUT_EACH:
        pair.line.cut(chance.random() * 5)
    if chance.random() < RESTART:
        count.restarts += 1
        pair.start_home()


if __name__ == "__main__":
    sys.stdout.write(msgspec.json.encode(soak(int(sys.argv[1]), int(sys.argv[2]))).decode() + "\n")
