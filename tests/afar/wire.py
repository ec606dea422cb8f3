"""Two ends of a link over a bad line, in virtual time: home with a core of its own, a far hand, and what lies between.

The line cuts, delays, doubles and reorders, from a seed. Nothing here waits.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from typing import Any

import msgspec

from controller.afar.far import Far
from controller.afar.home import Home
from controller.afar.keys import GameLink
from controller.afar.log import Begun, Log, LogEntry, leading_to
from controller.afar.messages import Ask, Message
from controller.afar.sealing import Sealing, Unsealed
from controller.afar.seats import HeldSeats
from controller.orders import HomeEnded, HomeNow, PlayPly, Resign, TakeBack, Wish
from controller.rules.game import AnyGame, Illegal, Unreadable
from controller.rules.registry import game_named

LINK = GameLink("broker.example", 1883, False, 1, bytes(range(32)))


class Core:
    """A game by the rules alone, as home plays it. ``played`` counts what was carried out, by number of the ply."""

    def __init__(self, name: str, seed: int = 0, **options: Any) -> None:
        self.game: AnyGame = game_named(name)
        chosen = msgspec.convert(options, self.game.options)
        self.begun = Begun(name, msgspec.to_builtins(chosen), seed)
        self.states = [self.game.start(chosen, seed)]
        self.plies: list[str] = []
        self.ended = HomeEnded()

    @property
    def over(self) -> bool:
        return self.ended.over or self.game.result(self.states[-1]).over

    @property
    def mover(self) -> int | None:
        return None if self.over else self.game.seat(self.states[-1])

    def ply(self, text: str, seat: int) -> str:
        if self.mover != seat:
            return "it is not your turn"
        try:
            self.states.append(self.game.play_text(self.states[-1], text))
        except (Illegal, Unreadable) as wrong:
            return str(wrong)
        self.plies.append(text)
        return ""

    def back(self, to: int) -> str:
        if not 0 <= to < len(self.plies):
            return "there is nothing to take back"
        del self.plies[to:], self.states[to + 1 :]
        return ""

    def carry_out(self, wish: Wish) -> str:
        if isinstance(wish, PlayPly):
            return self.ply(wish.text, wish.seat or 0)
        if isinstance(wish, TakeBack):
            return self.back(len(self.plies) - 1 if wish.to is None else wish.to)
        if isinstance(wish, Resign) and not self.over:
            self.ended = HomeEnded(True, 1 - wish.seat, "resigned", None, (wish.seat,))
            return ""
        return "not in this game"


class Line:
    """Carries bytes between ``ends`` of which each hears by a function; how badly, the seed decides."""

    def __init__(self, seed: int, loses: float = 0.0, doubles: float = 0.0, slow_s: float = 0.0) -> None:
        self.chance = random.Random(seed)
        self.loses, self.doubles, self.slow_s = loses, doubles, slow_s
        self.now_s, self.cut_until_s, self.cuts = 0.0, 0.0, 0
        self.ends: dict[str, Callable[[bytes], None]] = {}
        self.seen: list[bytes] = []
        self.keep = False
        self._waiting: list[tuple[float, int, str, bytes]] = []
        self._n = 0

    def send(self, to: str, data: bytes) -> None:
        if self.keep:
            self.seen.append(data)
        if self.now_s < self.cut_until_s or self.chance.random() < self.loses:
            return
        for _ in range(2 if self.chance.random() < self.doubles else 1):
            self._n += 1
            at_s = self.now_s + 0.01 + self.chance.random() * self.slow_s
            heapq.heappush(self._waiting, (at_s, self._n, to, data))

    def cut(self, for_s: float) -> None:
        """Nothing gets through for a while, and what is on its way is lost."""
        self.cuts += 1
        self.cut_until_s = self.now_s + for_s
        self._waiting.clear()

    def next_s(self) -> float | None:
        return self._waiting[0][0] if self._waiting else None

    def deliver(self) -> None:
        while self._waiting and self._waiting[0][0] <= self.now_s:
            _, _, to, data = heapq.heappop(self._waiting)
            self.ends[to](data)


class Pair:
    """A game between two boards. ``said`` are the sentences of both."""

    def __init__(self, core: Core, line: Line, seat: int = 1) -> None:
        self.core, self.line, self.seat = core, line, seat
        self.said: list[str] = []
        self.kept_home: list[LogEntry] = []  # as on disk
        self.kept_far: Log | None = None
        line.ends = {"home": self.home_hears, "far": self.far_hears}
        self.start_home()
        self.start_far()

    # ---- home

    def start_home(self) -> None:
        self.home_seal = Sealing(LINK, "down", self.line.chance.randbytes)
        self.home = Home(Log(self.core.begun, self.kept_home), HeldSeats(self.seat), self._carry_out, self.said.append)

    def _carry_out(self, ask: Ask) -> str:
        why = self.core.carry_out(ask.what)
        if not why:
            self.grow()
        return why

    def grow(self) -> None:
        entries = leading_to(self.home.log, self.core.plies, self.core.ended)
        self.kept_home += entries
        self.to_far(self.home.grown(entries, HomeNow()))

    def home_plies(self, text: str) -> None:
        assert self.core.ply(text, 1 - self.seat) == ""
        self.grow()

    def home_hears(self, data: bytes) -> None:
        try:
            heard = self.home_seal.open(data)
        except Unsealed as wrong:
            self.said.append(str(wrong))
            if wrong.from_:
                self.line.send("far", self.home_seal.seal(self.home.hello(), wrong.from_))
            return
        for answer in self.home.hear(heard.what):
            self.line.send("far", self.home_seal.seal(answer, heard.from_))

    def to_far(self, messages: tuple[Message, ...]) -> None:
        for message in messages:
            if self.home_seal.peer:
                self.line.send("far", self.home_seal.seal(message))

    # ---- far

    def start_far(self) -> None:
        self.far_seal = Sealing(LINK, "up", self.line.chance.randbytes)
        self.far = Far(self.far_seal.name, self.kept_far, self.said.append)
        self.to_home((self.far.hello(self.line.now_s),))

    def far_hears(self, data: bytes) -> None:
        try:
            heard = self.far_seal.open(data)
        except Unsealed as wrong:
            self.said.append(str(wrong))
            return
        if not heard.known:
            return
        answers = self.far.met(self.line.now_s) if heard.first else ()
        answers += self.far.hear(heard.what, self.line.now_s)
        self.kept_far = self.far.log
        self.to_home(answers)

    def to_home(self, messages: tuple[Message, ...]) -> None:
        for message in messages:
            self.line.send("home", self.far_seal.seal(message))

    def wish(self, what: Wish) -> None:
        self.to_home(self.far.wish(what, self.line.now_s))

    # ---- time

    def run(self, seconds: float) -> None:
        end_s = self.line.now_s + seconds
        while True:
            due = min(end_s, self.far.wake_s, self.line.next_s() or end_s)
            self.line.now_s = max(self.line.now_s, due)
            self.line.deliver()
            self.to_home(self.far.pass_time(self.line.now_s))
            if self.line.now_s >= end_s:
                return

    def until(self, true: Callable[[], bool], patience_s: float = 3600.0) -> None:
        end_s = self.line.now_s + patience_s
        while not true():
            assert self.line.now_s < end_s, "it never came"
            self.run(0.05)

    @property
    def same(self) -> bool:
        """Whether both boards have the same record of the same game."""
        log = self.far.log
        return log is not None and log.head() == self.home.log.head() and log.plies == tuple(self.core.plies)
