"""A hand that makes plies as people do: in any order, with hesitation, slides, bounce, knocks and early answers.

It knows what a ply does to the pieces and nothing of how the table reads it. All variety comes from one seeded
generator, all time is virtual.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from controller.events import Command, PlayPly, Tick, Touch
from controller.rules.game import AnyGame, Walk
from controller.table.state import Table
from controller.table.table import step

Gesture = list[tuple[str, bool]]  # the game's site, and whether a magnet comes or goes


class Hand:
    """Acts on one table. ``now`` is the occupancy as the pieces really lie, ``t_us`` the time."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table, self.random, self.t_us = table, random.Random(seed), table.t_us
        play = table.play
        assert play is not None
        self.game: AnyGame = play.session.game
        self.site = {name: table.board.sites[bit.bit_length() - 1] for name, bit in play.ground.bit.items()}
        self.worst_ns = 0

    @property
    def plies(self) -> tuple[str, ...]:
        assert self.table.play is not None
        return self.table.play.session.plies

    @property
    def state(self) -> Any:
        assert self.table.play is not None
        return self.table.play.session.state

    def wait(self, ms: float) -> None:
        """Let time pass."""
        self.t_us += round(ms * 1000)
        self.table, _ = step(self.table, Tick(self.t_us))

    def touch(self, name: str, on: bool, bounce: bool = True) -> None:
        """Change a sensor, as a reed contact does: now and then it chatters for a few milliseconds."""
        for _ in range(self.random.choice((0, 0, 0, 1, 2)) if bounce else 0):
            self._sensor(name, on)
            self.t_us += self.random.randint(200, 2500)
            self._sensor(name, not on)
            self.t_us += self.random.randint(200, 2500)
        self._sensor(name, on)

    def _sensor(self, name: str, on: bool) -> None:
        self.table, _ = step(self.table, Touch(self.t_us, self.site[name], on))

    def pause(self) -> None:
        """Wait as long as a hand takes from one touch to the next."""
        self.wait(self.random.choice((60, 90, 120, 200, 350, 600, 1500)))

    # ---- plies --------------------------------------------------------------------------------------------

    def make(self, ply: Any) -> None:
        """Make ``ply`` with the pieces, or on the panel where no sensor can tell it."""
        state = self.state
        gesture = self.gesture(self.game.walk(state, ply), ply)
        if not gesture:
            self.tell(ply)
            return
        for noise in self.noise():
            self.perform(noise)
        self.perform(gesture)

    def tell(self, ply: Any) -> None:
        """Make ``ply`` on the panel, then move the pieces after it."""
        state = self.state
        before, after = self.game.shape(state), self.game.shape(self.game.after(state, ply))
        self.table, _ = step(self.table, Command(self.t_us, PlayPly(text=self.game.text(state, ply))))
        for name in before.keys() - after.keys():
            self.pause()
            self.touch(name, False)
        for name in after.keys() - before.keys():
            self.pause()
            self.touch(name, True)

    def perform(self, gesture: Gesture) -> None:
        """Make the touches, each after a pause."""
        for name, on in gesture:
            self.pause()
            self.touch(name, on)

    def gesture(self, walk: Walk, ply: Any) -> Gesture:
        """Return the touches of a ply, in one of the orders in which people make it; empty where nothing moves."""
        if not walk.path:
            return []
        before = self.game.shape(self.state)
        origin, landing = walk.path[0], walk.path[-1]
        lifts: Gesture = [(origin, False)] if len(walk.path) > 1 else []
        stops = [name for name in walk.path[1:-1] if name not in before or name == origin]
        moved: Gesture = []
        if self.random.random() < 0.4:
            for name in stops:
                moved += [(name, True), (name, False)]
        takes: Gesture = [(name, False) for name in walk.takes]
        if landing in before and landing != origin:
            # The victim leaves before the attacker arrives, before or after that one was lifted.
            takes_here: Gesture = [(landing, False)]
            lifts = takes_here + lifts if self.random.random() < 0.5 else lifts + takes_here
        moved.append((landing, True))
        where = self.random.choice(("before", "between", "after"))
        if where == "before":
            return takes + lifts + moved
        if where == "between":
            return lifts + takes + moved
        return lifts + moved + takes

    # ---- what else hands do -------------------------------------------------------------------------------

    def noise(self) -> Iterator[Gesture]:
        """Yield what a hand may do before the ply: adjust a piece, begin another ply and put it back, knock one."""
        standing = sorted(self.game.shape(self.state))
        while self.random.random() < 0.3:
            name = self.random.choice(standing)
            self.touch(name, False)
            self.wait(self.random.choice((60, 150, 300)))
            self.touch(name, True)
            if self.random.random() < 0.3:
                free = sorted(set(self.site) - set(standing))
                astray = self.random.choice(free)
                if not self.legal_landing(name, astray):
                    yield [(name, False), (astray, True), (astray, False), (name, True)]

    def legal_landing(self, origin: str, landing: str) -> bool:
        """Whether some ply takes a piece from ``origin`` over or to ``landing``."""
        for ply in self.game.moves(self.state):
            path = self.game.walk(self.state, ply).path
            if path and path[0] == origin and landing in path:
                return True
        return False
