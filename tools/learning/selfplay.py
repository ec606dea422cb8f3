"""Positions to learn from: what alpha-beta thinks of them after a short search, and how the game then ended."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from random import Random
from typing import Any

import msgspec

from controller.engine.alpha_beta import AlphaBeta
from controller.engine.found import Sight
from controller.engine.judgement import difference_of, weights_of
from controller.engine.learned import network_of, read
from controller.rules.game import AnyTactics
from controller.rules.registry import advice_of, game_named

MOST_PLIES = 300  # of a game; one that is not over then counts as a draw
AT_RANDOM = 14  # one ply of so many is drawn, so that games go where no search would
OPENING = (1, 10)  # plies at random at the start
SIGHT = Sight()


class Seen(msgspec.Struct, frozen=True):
    """A quiet position: what is on, what its counts and its search make it worth to the mover, how the mover fared."""

    on: list[int]
    counted: int
    searched: int
    share: float


class SelfPlay(msgspec.Struct, frozen=True):
    """How games are played: ``nodes`` positions for a ply, with the network in ``learned`` where there is one."""

    game: str
    nodes: int
    options: dict[str, Any] = {}
    learned: bytes = b""


def positions(how: SelfPlay, numbers: range, jobs: int) -> Iterator[list[Seen]]:
    """Yield what the games of those ``numbers`` show, each as soon as it is over."""
    pool = ProcessPoolExecutor(jobs)
    waiting = [pool.submit(one_game, how, number) for number in numbers]
    try:
        for each in as_completed(waiting):
            yield each.result()
    finally:
        pool.shutdown(cancel_futures=True)


def one_game(how: SelfPlay, number: int) -> list[Seen]:
    """Play game ``number`` and return its quiet positions."""
    game, advice = game_named(how.game), advice_of(how.game)
    assert advice is not None
    assert advice.inputs is not None
    assert advice.tactics is not None
    tactics, dice = advice.tactics, Random(number)
    counted = difference_of(advice, weights_of(how.game))
    network = network_of(read(how.learned, how.game, advice), advice) if how.learned else None
    state = game.start(msgspec.convert(how.options, game.options, strict=False), number)
    seen: list[tuple[int, list[int], int, int]] = []
    plies, chance = 0, dice.randint(*OPENING)
    while plies < MOST_PLIES and (seat := game.seat(state)) is not None:
        book = advice.book(state, number) if advice.book else None
        if book is not None:
            state = game.after(state, book)
            continue
        if plies < chance or dice.randrange(AT_RANDOM) == 0:
            ply = dice.choice(game.moves(state))
        else:
            search = AlphaBeta(game, state, tactics, counted, SIGHT, dice.getrandbits(31), network=network)
            search.run(how.nodes, lambda: False)
            ply = search.found().ply
            if _quiet(tactics, state, ply):
                sign = 1 if seat == 0 else -1
                seen.append((seat, list(advice.inputs.on(state)), sign * counted(state), search.worths[ply]))
        state, plies = game.after(state, ply), plies + 1
    winner = game.result(state).winner
    return [Seen(on, count, worth, 0.5 if winner is None else float(seat == winner)) for seat, on, count, worth in seen]


def _quiet(tactics: AnyTactics, state: Any, ply: Any) -> bool:
    """Whether what stands is what counts: nothing hangs that the best ply takes."""
    return tactics.loud(state, ply) == 0 and not (tactics.urgent and tactics.urgent(state))
