"""Counts how often a lift and a placing go from file to file within the program.

    python -m tools.benchmarks.touch_walk

A stay is a span of execution in one file before control goes to another one: by a call, by its return, or as a
generator is asked for more. What runs outside `controller/` belongs to whoever called it. The second ply of a game is
counted, so that what is looked up once for all is known.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import controller
from controller.events import Event, Tick, Touch
from controller.table.state import Table
from controller.table.table import step
from tests.table.scenes import Scene

ROOT = f"{Path(controller.__file__).parent}/"
PLIES = {"tides-of-war": ("-a4 +b5", "b6", "a6"), "tam-ruat-chess": ("-b2 +b3", "c11", "c10")}


class Walk:
    """The files in which a step stays, in their order, and how many ``calls`` it makes."""

    def __init__(self) -> None:
        self.stays: list[str] = []
        self.calls = 0

    def step(self, table: Table, event: Event) -> Table:
        """Return the table after ``event``, and count."""
        sys.setprofile(self._seen)
        try:
            return step(table, event)[0]
        finally:
            sys.setprofile(None)

    def _seen(self, frame: FrameType, event: str, _: Any) -> None:
        if event not in ("call", "return") or not frame.f_code.co_filename.startswith(ROOT):
            return
        self.calls += event == "call"
        at: FrameType | None = frame if event == "call" else frame.f_back
        while at is not None and not at.f_code.co_filename.startswith(ROOT):
            at = at.f_back
        if at is not None and self.stays[-1:] != [at.f_code.co_filename]:
            self.stays.append(at.f_code.co_filename)


def walked(game: str) -> Walk:
    """Return the walk of the second ply of a game, from its lift until it counts."""
    first, begin, end = PLIES[game]
    for _ in range(2):  # the first time all is looked up that is kept
        walk, table = Walk(), Scene(game).hands(first).run()
        began_us = table.t_us
        events = (
            Touch(began_us + 50_000, begin, False),
            Tick(began_us + 400_000),
            Touch(began_us + 450_000, end, True),
        )
        for event in (*events, Tick(began_us + 500_000), Tick(began_us + 2_000_000)):
            table = walk.step(table, event)
        assert table.play is not None
        assert len(table.play.session.plies) == 2
    return walk


def main() -> None:
    """Print the figures of two games, and the files with most stays."""
    for game in PLIES:
        walk = walked(game)
        files = Counter(file.removeprefix(ROOT) for file in walk.stays)
        print(f"{game}: {len(walk.stays)} stays in {len(files)} files, {walk.calls} calls")
        print("   ", ", ".join(f"{file} {count}" for file, count in files.most_common(8)))


if __name__ == "__main__":
    main()
