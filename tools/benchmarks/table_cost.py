"""Measures what one event costs at the table, over seeded games that a noisy hand plays in virtual time.

    python -m tools.benchmarks.table_cost [GESTURES] [SEED]

Prints for every game the median, the 99th percentile and the worst processor time in milliseconds, of a change of a
sensor or of a timer that ran out. Beside it stands the ply after which the worst one came. GESTURES are per game,
half of them on boards that tell poles.
"""

from __future__ import annotations

import sys
import time

from controller.rules.registry import all_games
from controller.table.state import Table
from tests.table.hand import Hand
from tests.table.soak import fresh, outcome, put_right, undoes

GESTURES, PLIES_A_GAME = 150, 50


class TimedHand(Hand):
    """A hand that notes the processor time of each event, and after which plies it came."""

    def __init__(self, table: Table, seed: int) -> None:
        self.spent: list[tuple[int, int]] = []  # in ns, and the number of plies made
        super().__init__(table, seed)

    def wait(self, ms: float) -> None:
        made, began_ns = len(self.plies), time.thread_time_ns()
        super().wait(ms)
        self.spent.append((time.thread_time_ns() - began_ns, made))

    def _sensor(self, name: str, pole: int) -> None:
        made, began_ns = len(self.plies), time.thread_time_ns()
        super()._sensor(name, pole)
        self.spent.append((time.thread_time_ns() - began_ns, made))


def played(game: str, seed: int, most: int) -> TimedHand:
    """Return the hand that has made up to ``most`` plies of one random game."""
    hand = TimedHand(fresh(game, {}, seed, poles=seed % 2 == 0), seed)
    for _ in range(most):
        plies = [ply for ply in hand.game.plies(hand.state) if not undoes(hand, ply)]
        if not plies:
            break
        ply = hand.random.choice(plies)
        before, expected = hand.state, (*hand.plies, hand.game.text(hand.state, ply))
        hand.make(ply)
        hand.wait(400)
        if outcome(hand, expected) != "right":
            hand.tell(before, ply)
        if hand.plies != expected:
            break
        put_right(hand)
    return hand


def main() -> None:
    """Print the figures of all games."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else GESTURES
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for game in all_games():
        spent: list[tuple[int, str]] = []
        made, seed = 0, first
        while made < most:
            hand = played(game, seed, min(PLIES_A_GAME, most - made))
            made += max(1, len(hand.plies))
            spent += [(ns, f"seed {seed}, ply {after}") for ns, after in hand.spent]
            seed += 1
        spent.sort()
        median, p99, worst = (spent[int(share * (len(spent) - 1))] for share in (0.5, 0.99, 1))
        print(
            f"{game:>15}: {len(spent):6} events, median {median[0] / 1e6:6.3f} ms, p99 {p99[0] / 1e6:7.3f} ms, "
            f"worst {worst[0] / 1e6:7.3f} ms ({worst[1]})"
        )


if __name__ == "__main__":
    main()
