"""What the lights lose while the board thinks: lift → light with the thinking process at work, and with it at rest.

    python -m tools.benchmarks.thinking [ROUNDS] [PLIES] [BOARD]

A service with its journal and a hand that makes plain plies, as in `beaconboard bench`. In each round so many PLIES
are timed with the process of level 8 at work on another position all the time, and as many with it waiting; which
comes first changes with each round. So whatever else the machine does falls on both alike. Who may (root) goes before
everything else with both, the process as far behind the service as ever. Figures only.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import msgspec

from controller.benchmarks.latency_live import LiveHand, served
from controller.benchmarks.latency_simulated import StageTimes, game_on, lines, quantile
from controller.clock import clock_us
from controller.events import Link, Snapshot, Touch
from controller.rules.registry import game_named
from controller.service.thinking.process import ProcessAnswer, Question, Thinking
from hardware.profile import load

ROUNDS, PLIES, BOARD = 4, 15, "square144"
AHEAD = -15  # niceness
LEVEL, MOST_MS = 8, 3000  # as a seat of the board thinks


class BusyThinker:
    """The thinking process; while it is ``on`` each answer is followed by the next question."""

    def __init__(self, name: str) -> None:
        self._thinking, self._game = Thinking(), game_named(name)
        self._lock, self._on, self._asked = threading.Lock(), False, 0
        self.answers = 0
        self._thinking.heard = self._heard

    def wake(self) -> None:
        """Be there, and at rest."""
        self._thinking.wake()

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Think for as long as this lasts."""
        with self._lock:
            self._on = True
            self._ask()
        yield
        with self._lock:
            self._on = False
            self._thinking.stop(self._asked)

    def close(self) -> None:
        """End the process."""
        self._thinking.close()

    def _ask(self) -> None:
        game, self._asked = self._game, self._asked + 1
        options = game.options()
        known = msgspec.Raw(game.encode(game.start(options, 0)))
        given = msgspec.to_builtins(options)
        self._thinking.ask(Question(self._asked, game.facts.name, given, known, 1, LEVEL, self._asked, MOST_MS))

    def _heard(self, said: ProcessAnswer | None) -> None:
        with self._lock:
            assert said is not None, "the thinking process has ended"
            assert not said.error, said.error
            self.answers += 1
            if self._on:
                self._ask()


def measured(rounds: int, plies: int, board: str) -> Iterator[StageTimes]:
    """Yield the latencies at rest and while it thinks, each of lifts and of plies."""
    profile = load(board)
    name = game_on(profile)
    busy = BusyThinker(name)
    found: dict[bool, tuple[list[float], list[float]]] = {False: ([], []), True: ([], [])}
    with served(profile) as (service, strip):
        steady_us = service.look().table.timing.steady_ms * 1000
        service.emit(Link(clock_us(), up=True))
        service.emit(Snapshot(clock_us(), frozenset()))
        player = LiveHand(service, strip, lambda site, on: service.emit(Touch(clock_us() - steady_us, site, on)))
        busy.wake()
        player.play(name, plies)  # warm
        for number in range(2 * rounds):
            thinks = number % 4 in (1, 2)
            player.lifts_ms, player.plies_ms = [], []
            if thinks:
                with busy.at_work():
                    player.play(name, plies)
            else:
                player.play(name, plies)
            found[thinks][0].extend(player.lifts_ms)
            found[thinks][1].extend(player.plies_ms)
    busy.close()
    assert busy.answers >= rounds, "it has thought in every round"
    for what, part in (("lift to lights", 0), ("rested placing to ply on disk and shown", 1)):
        for thinks, state in ((False, "idle"), (True, "while it thinks")):
            yield StageTimes(f"{what}, {state}", tuple(found[thinks][part]))


def main(rounds: int = ROUNDS, plies: int = PLIES, board: str = BOARD) -> None:
    """Print the rows, and by how much the lights come later at p95."""
    rows = list(measured(rounds, plies, board))
    for line in lines(rows):
        print(line)
    idle, thinking = (quantile(row.ms, 95) for row in rows[:2])
    print(f"lift to lights, p95: {thinking - idle:+.2f} ms while it thinks (goal: at most +1)")


if __name__ == "__main__":
    with suppress(PermissionError):
        os.nice(AHEAD)
    given = sys.argv[1:]
    main(int(given[0]) if given else ROUNDS, int(given[1]) if given[1:] else PLIES, given[2] if given[2:] else BOARD)
