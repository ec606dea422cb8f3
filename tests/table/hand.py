"""A hand that makes plies as people do: in any order, with hesitation, slides, bounce, knocks and early answers.

It knows what a ply does to the pieces and nothing of how the table reads it. All variety comes from one seeded
generator, all time is virtual.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

from controller.events import Command, Tick, Touch
from controller.orders import PlayPly
from controller.rules.game import AnyGame, Piece, Walk
from controller.table.state import Table
from controller.table.table import step

Gesture = list[tuple[str, int]]  # the game's site, and the pole of the magnet that comes, 0 where one goes


def pole_of(piece: Piece) -> int:
    """Return which pole of a piece's magnet lies down: north of the first seat's and of nobody's, else south."""
    return -1 if piece.seat else 1


class Hand:
    """Acts on one table. ``now`` is the occupancy as the pieces really lie, ``t_us`` the time."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table, self.random, self.t_us = table, random.Random(seed), table.t_us
        play = table.play
        assert play is not None
        self.game: AnyGame = play.session.game
        self.site = {name: table.board.where(bit)[0] for name, bit in play.game_area.bit.items()}
        self.worst_ns = 0
        shape = self.game.shape(self.state)
        self.poles = {name: pole_of(piece) for name, piece in shape.items()}

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

    def touch(self, name: str, pole: int) -> None:
        """Change a sensor, as a contact does: now and then it chatters for a few milliseconds."""
        other = self.poles.get(name, 0) if pole == 0 else 0
        for _ in range(self.random.choice((0, 0, 0, 1, 2))):
            for seen in (pole, other):
                self._sensor(name, seen)
                self.t_us += self.random.randint(200, 2500)
        self._sensor(name, pole)
        self.poles[name] = pole

    def _sensor(self, name: str, pole: int) -> None:
        began = time.perf_counter_ns()
        self.table, _ = step(self.table, Touch(self.t_us, self.site[name], pole != 0, pole))
        self.worst_ns = max(self.worst_ns, time.perf_counter_ns() - began)

    def pause(self) -> None:
        """Wait as long as a hand takes from one touch to the next."""
        self.wait(self.random.choice((60, 90, 120, 200, 350, 600, 1500)))

    # ---- plies --------------------------------------------------------------------------------------------

    def make(self, ply: Any) -> None:
        """Make ``ply`` with the pieces, or on the panel where no sensor can tell it."""
        before = self.plies
        gesture = self.gesture(self.game.walk(self.state, ply), ply)
        if not gesture:
            self.tell(self.state, ply)
            return
        for noise in self.noise():
            self.perform(noise)
            if self.plies != before:
                return
        self.perform(gesture)

    def tell(self, state: Any, ply: Any) -> None:
        """Make ``ply`` from ``state`` on the panel, then move the pieces after it."""
        before, after = self.game.shape(state), self.game.shape(self.game.after(state, ply))
        self.table, _ = step(self.table, Command(self.t_us, PlayPly(text=self.game.text(state, ply))))
        for name in sorted(before):
            if after.get(name) is None or pole_of(after[name]) != pole_of(before[name]):
                self.pause()
                self.touch(name, 0)
        for name in sorted(after):
            if before.get(name) is None or pole_of(after[name]) != pole_of(before[name]):
                self.pause()
                self.touch(name, pole_of(after[name]))

    def perform(self, gesture: Gesture) -> None:
        """Make the touches, each after a pause."""
        for name, pole in gesture:
            self.pause()
            self.touch(name, pole)

    def gesture(self, walk: Walk, ply: Any) -> Gesture:
        """Return the touches of a ply, in one of the orders in which people make it; empty where nothing moves."""
        if not walk.path:
            return []
        before = self.game.shape(self.state)
        origin, landing = walk.path[0], walk.path[-1]
        after = self.game.shape(self.game.after(self.state, ply))
        pole = pole_of(before[origin]) if len(walk.path) > 1 else pole_of(after[landing])
        lifts: Gesture = [(origin, 0)] if len(walk.path) > 1 else []
        stops = [name for name in walk.path[1:-1] if name not in before or name == origin]
        moved: Gesture = []
        if self.random.random() < 0.4:
            for name in stops:
                moved += [(name, pole), (name, 0)]
        takes: Gesture = [(name, 0) for name in walk.takes]
        if landing in before and (landing != origin or len(walk.path) == 1):
            # The victim leaves before the attacker arrives, before or after that one was lifted.
            takes_here: Gesture = [(landing, 0)]
            lifts = takes_here + lifts if self.random.random() < 0.5 else lifts + takes_here
        moved.append((landing, pole))
        where = self.random.choice(("before", "between", "after"))
        if where == "before":
            return takes + lifts + moved
        if where == "between":
            return lifts + takes + moved
        return lifts + moved + takes

    # ---- what else hands do -------------------------------------------------------------------------------

    def noise(self) -> Iterator[Gesture]:
        """Yield what a hand may do before the ply: adjust a piece, or put one of its own astray and back.

        The last piece moved, and one that the next player may answer with, are not put astray: that means something.
        """
        shape = self.game.shape(self.state)
        standing = sorted(shape)
        while self.random.random() < 0.3:
            name = self.random.choice(standing)
            pole = pole_of(shape[name])
            self.pause()
            self.touch(name, 0)
            self.wait(self.random.choice((60, 150, 300)))
            self.touch(name, pole)
            if self.own(name) and self.random.random() < 0.3:
                free = sorted(set(self.site) - set(standing))
                astray = self.random.choice(free)
                if not self.legal_landing(name, astray):
                    yield [(name, 0), (astray, pole), (astray, 0), (name, pole)]

    def own(self, name: str) -> bool:
        """Whether the piece on ``name`` is of the colour to move."""
        seat = self.game.seat(self.state)
        colour = self.game.colour(self.state, seat) if self.game.colour and seat is not None else seat
        last = self.table.play.session.positions[-1] if self.table.play else None
        return self.game.shape(self.state)[name].seat == colour and (last is None or last.seat != seat)

    def legal_landing(self, origin: str, landing: str) -> bool:
        """Whether some ply takes a piece from ``origin`` over or to ``landing``."""
        for ply in self.game.moves(self.state):
            path = self.game.walk(self.state, ply).path
            if path and path[0] == origin and landing in path:
                return True
        return False
