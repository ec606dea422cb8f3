"""Games between two players, each opening from every seat, one after another or in several processes.

A player is a stranger's name, or a level of the product: "5", "level:5", or the best one as it plays at the board: see
`timed`. In Beacons it may be one that follows a plan. Level 8 without what was learned is "counts:8", and with the
network in a folder "learned:FOLDER".
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from controller.engine.cannot_think import CannotThink
from controller.engine.learned import FILE
from controller.engine.levels import LEVELS, level_of
from controller.engine.matches import chooser
from controller.engine.player import Player
from controller.rules.game import AnyGame
from controller.rules.registry import game_named
from tools.arena.beacons_players import PLANS
from tools.arena.strangers import STRANGERS, Budget, chosen
from tools.arena.timed import TIMED, TimedPlayer

LONGEST = 300  # plies, after which a game is cut and counts as drawn
OPENING = 2  # plies at random
Choose = Callable[[Any, int], Any]  # (state, seed)


class Pairing(msgspec.Struct, frozen=True):
    """Who plays what: A sits in one seat and B in all others."""

    game: str
    a: str
    b: str
    seed: int = 0
    budget: Budget = Budget()
    options: dict[str, Any] = {}


class Played(msgspec.Struct, frozen=True):
    """One game; ``ms`` are what A and B thought about a ply on average, of the processor."""

    number: int
    points: float  # of A
    plies: int
    ms: tuple[float, float]
    why: str


def player(name: str, game: AnyGame, seats: int, budget: Budget, options: Any = None) -> Choose:
    """Return the player called ``name`` of a game with ``options``; raises what `chooser` raises where it is none."""
    if name in STRANGERS:
        return lambda state, seed: chosen(name, game, state, Random(seed), budget)
    if name in PLANS and game.facts.name == "beacons":
        return lambda state, seed: _by_plan(name, game, state, Random(seed))
    if name.startswith("counts:"):
        plays, level = Player(game, seats), level_of(int(name.removeprefix("counts:")), game.facts.name)
        counts = msgspec.structs.replace(level, learned=False)
        return lambda state, seed: plays.choose(state, counts, seed, budget.nodes, _stops_after(budget.seconds)).ply
    if name.startswith("learned:"):
        folder = Path(name.removeprefix("learned:"))
        plays = Player(game, seats, options=options, learned=folder)
        if plays.why_not or not (folder / FILE).is_file():
            raise CannotThink(plays.why_not or f"there is no {FILE} in {folder}")
        return lambda state, seed: plays.choose(state, LEVELS[-1], seed, budget.nodes, _stops_after(budget.seconds)).ply
    if name in TIMED:
        return TimedPlayer(name, game, seats, budget, options)
    number = name.removeprefix("level:")
    return chooser(number, game, seats, budget.nodes, lambda: _stops_after(budget.seconds), options)


def _by_plan(name: str, game: AnyGame, state: Any, dice: Random) -> Any:
    """Return the ply of a player of Beacons that follows a plan; it bids at random, as strangers do."""
    if game.secret and game.secret(state):
        return dice.choice(game.moves(state))
    return PLANS[name](state, dice)


def _stops_after(seconds: float) -> Callable[[], bool]:
    ends = time.process_time() + seconds
    return lambda: time.process_time() >= ends


def opening(game: AnyGame, options: Any, seed: int) -> Any:
    """Return a position two plies from the start, at random, in which nobody wins at once."""
    dice = Random(seed)
    while True:
        state = game.start(options, dice.getrandbits(31))
        for _ in range(OPENING):
            state = game.after(state, dice.choice(game.moves(state)))
        if not _decides(game, state):
            return state


def _decides(game: AnyGame, state: Any) -> bool:
    if game.seat(state) is None:
        return True
    if game.secret and game.secret(state):
        return False
    return any(game.result(game.after(state, ply)).winner is not None for ply in game.moves(state))


def one_game(pairing: Pairing, number: int) -> Played:
    """Play game ``number`` of a pairing: each opening as often as there are seats, A in the next one each time."""
    game = game_named(pairing.game)
    options = msgspec.convert(pairing.options, game.options, strict=False)
    seats = game.facts.players(pairing.options | {k: getattr(options, k) for k in options.__struct_fields__})
    seat, seed = number % seats, pairing.seed * 1_000_003 + number // seats
    state, dice = opening(game, options, seed), Random(seed)
    players = [player(name, game, seats, pairing.budget, options) for name in (pairing.a, pairing.b)]
    plies, spent = [0, 0], [0.0, 0.0]
    while (mover := game.seat(state)) is not None and sum(plies) < LONGEST:
        who = int(mover != seat)
        began = time.process_time()
        ply = players[who](state, dice.getrandbits(31))
        spent[who] += time.process_time() - began
        plies[who] += 1
        state = game.play(state, ply)
    result = game.result(state)
    points = 0.5 if result.winner is None else float(result.winner == seat)
    ms = [1000 * seconds / max(1, count) for seconds, count in zip(spent, plies, strict=True)]
    return Played(number, points, sum(plies), (round(ms[0], 2), round(ms[1], 2)), result.why or "cut")


def played(pairing: Pairing, numbers: Iterable[int], jobs: int) -> Iterator[Played]:
    """Yield the games of those ``numbers`` in their order."""
    if jobs <= 1:
        yield from (one_game(pairing, number) for number in numbers)
        return
    pool = ProcessPoolExecutor(jobs)
    waiting = [pool.submit(one_game, pairing, number) for number in numbers]
    try:
        yield from (each.result() for each in waiting)
    finally:
        pool.shutdown(cancel_futures=True)
