"""Plays games at random with a noisy hand and counts how the table read it: right, asked, wrong, stuck.

``python -m tests.table.soak GESTURES [SEED]`` runs that many gestures over all games, in virtual time.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from controller.events import Snapshot
from controller.from_profile import bare_profile, table_board
from controller.orders import NewGame
from controller.rules.registry import all_games
from controller.table.orders import new_game
from controller.table.state import Table
from controller.table.table import step
from tests.table.hand import Hand, pole_of


def fresh(game: str, options: dict[str, Any], seed: int, poles: bool) -> Table:
    """Return a table on which ``game`` stands ready on a bare board of its own sites, with reed or hall sensors."""
    board = msgspec.structs.replace(table_board(bare_profile(game, options)), poles=poles)
    table = Table(board)
    table, _ = new_game(table, NewGame(game=game, options=options, seed=seed))
    return stand(table)


def stand(table: Table) -> Table:
    """Return the table with its pieces put where they belong, all at once."""
    assert table.play is not None
    marks = table.board.marks(table.play.settled.position.standing)
    table, _ = step(table, Snapshot(table.t_us, frozenset(marks)))
    return table


def gestures(
    game: str, options: dict[str, Any], seed: int, most: int, poles: bool = False
) -> Iterator[tuple[str, str]]:
    """Yield what became of each gesture of one random game, and the ply."""
    hand = Hand(fresh(game, options, seed, poles), seed)
    for _ in range(most):
        state = hand.state
        plies = [ply for ply in hand.game.plies(state) if not undoes(hand, ply)]
        if not plies:
            return
        ply = hand.random.choice(plies)
        before, text = hand.plies, hand.game.text(state, ply)
        hand.make(ply)
        hand.wait(20 if hand.random.random() < 0.3 else 400)
        if hand.plies != (*before, text):
            hand.wait(2000)  # the longest for which a slow or pushed piece rests
        kind = outcome(hand, (*before, text))
        if kind == "asked":
            hand.tell(state, ply)
            kind = "asked" if outcome(hand, (*before, text)) == "right" else "wrong"
        yield kind, text
        if hand.plies != (*before, text):
            return
        put_right(hand)


def undoes(hand: Hand, ply: Any) -> bool:
    """Whether ``ply`` puts the player's own last piece back: with the hand that takes the last ply back instead."""
    play = hand.table.play
    assert play is not None
    if len(play.session.positions) < 2:
        return False
    before, last = play.session.positions[-2:]
    if last.seat != hand.game.seat(last.state):
        return False
    made = hand.game.walk(before.state, hand.game.read(before.state, last.text))
    return len(made.path) > 1 and hand.game.walk(last.state, ply).path == made.path[::-1]


def put_right(hand: Hand) -> None:
    """Do the chores, or set up again where a new round begins."""
    play = hand.table.play
    assert play is not None
    wrong = (hand.table.now ^ play.settled.position.standing) & play.game_area.area
    shape = play.settled.position.shape
    missing = play.game_area.names(wrong & ~hand.table.now)
    for name in play.game_area.names(wrong & hand.table.now):
        hand.touch(name, 0)
        hand.wait(50)
    for name in missing:
        hand.touch(name, pole_of(shape[name]))
        hand.wait(50)


def outcome(hand: Hand, expected: tuple[str, ...]) -> str:
    """Return how the last gesture was read."""
    play = hand.table.play
    assert play is not None
    if hand.plies == expected:
        return "right"
    if play.verdict.asked:
        return "asked"
    return "stuck" if hand.plies == expected[:-1] else "wrong"


def soak(total: int, seed: int) -> dict[str, Counter[str]]:
    """Run ``total`` gestures over all games and return the counts by game."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in all_games()}
    share = total // len(counts)
    for name, count in counts.items():
        number = seed
        while sum(count.values()) < share:
            for kind, text in gestures(name, {}, number, 60, poles=number % 2 == 0):
                count[kind] += 1
                if kind in ("wrong", "stuck"):
                    sys.stdout.write(f"{name} seed {number}: {kind} {text}\n")
                if sum(count.values()) >= share:
                    break
            number += 1
    return counts


if __name__ == "__main__":
    began = time.perf_counter()
    for game_name, found in soak(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1).items():
        sys.stdout.write(f"{game_name}: {dict(found)}\n")
    sys.stdout.write(f"{time.perf_counter() - began:.1f} s\n")
