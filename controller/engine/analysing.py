"""A process that looks at finished games: a line of JSON for each game, and lines that tell how far it is.

Owns these lines; `docs/analysis.md` has their fields. It runs when nobody else wants the processor, and holds within
a moment when it is told to. Whatever is wrong with a game is answered in one sentence, and the process goes on.
"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, BinaryIO

import msgspec

from controller.engine.analysis import analysed
from controller.engine.cannot_think import CannotThink
from controller.engine.think import PipeLines
from controller.engine.turning_points import Analysis
from controller.rules.game import AnyGame, Illegal, Unreadable
from controller.rules.options import BadOption, check_size, parse
from controller.rules.registry import NoSuchGame, game_named
from controller.sentences import say
from controller.typed import ready

LOOK_S = 0.02  # how often it looks for a word while it works
POLITE = 19
MEGABYTE = 1 << 20
FEWEST = 2  # plies of a game that can have a turning point
REFUSED = (CannotThink, NoSuchGame, BadOption, Illegal, Unreadable)


class Played(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line that comes in: a game, or the word that the work ``hold``, or goes on.

    ``winner`` is the seat, from 1, that won it where somebody gave up or ran out of time.
    """

    game: str = ""
    options: dict[str, Any] = {}
    seed: int = 0
    plies: tuple[str, ...] = ()
    nodes: int | None = None
    winner: int | None = None
    hold: bool | None = None


class AnalysisLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line that goes out: so many of a game's positions are ``done``, its ``analysis``, or an ``error``."""

    done: int = 0
    of: int = 0
    analysis: Analysis | None = None
    error: str = ""


class Over(Exception):
    """Nobody listens any more."""


def opened(played: Played) -> tuple[AnyGame, tuple[Any, ...], tuple[Any, ...], int]:
    """Return the rules, the positions, the plies and the number of seats; raises what is in `REFUSED`."""
    game = game_named(played.game)
    check_size(game, played.options)
    options = parse(game.options, played.options)
    if len(played.plies) < FEWEST:
        raise CannotThink(say("there is nothing to analyse before the second move"))
    states, plies = [game.start(options, played.seed)], []
    for number, text in enumerate(played.plies, 1):
        try:
            ply = game.read(states[-1], text)
            states.append(game.play(states[-1], ply))
        except (Illegal, Unreadable) as wrong:
            raise Illegal(say("move {number}, '{text}': {why}", number=number, text=text, why=str(wrong))) from wrong
        plies.append(ply)
    return game, tuple(states), tuple(plies), game.facts.players(msgspec.to_builtins(options))


def look_at(
    played: Played, stop: Callable[[], bool] = lambda: False, told: Callable[[int], None] = lambda done: None
) -> Analysis:
    """Return the analysis of a game; raises what `opened` raises."""
    game, states, plies, seats = opened(played)
    won = played.winner
    if won is not None and not 0 < won <= seats:
        raise CannotThink(say("there is no seat {seat}", seat=won))
    options, winner = parse(game.options, played.options), None if won is None else won - 1
    return analysed(game, states, plies, seats, played.nodes, stop, told, options, winner)


class Analyser:
    """Looks at the games of its input, one after the other."""

    def __init__(self, lines: PipeLines, out: BinaryIO) -> None:
        self.lines, self.out = lines, out
        self.games: list[Played] = []
        self.held = False
        self.looked_s = 0.0

    def run(self) -> None:
        """Work until the input ends."""
        with suppress(Over):
            while True:
                self._heed(None)
                while self.games and not self.held:
                    self._look_at(self.games.pop(0))

    def _look_at(self, played: Played) -> None:
        of = len(played.plies) + 1
        try:
            said = AnalysisLine(of, of, look_at(played, self._waits, lambda done: self._say(AnalysisLine(done, of))))
        except REFUSED as wrong:
            said = AnalysisLine(error=str(wrong))
        except MemoryError:
            said = AnalysisLine(error=say("there is not enough memory for this"))
        except Over:
            raise
        except Exception as error:  # noqa: BLE001  whatever a game raises, the next one may be sound
            said = AnalysisLine(error=say("the rules failed: {kind}", kind=type(error).__name__))
        self._say(said)

    def _waits(self) -> bool:
        """Heed what was said meanwhile, and wait as long as the work is held; it never stops by itself."""
        now = time.monotonic()
        if now - self.looked_s >= LOOK_S:
            self.looked_s = now
            self._heed(0)
            while self.held:
                self._heed(None)
        return False

    def _heed(self, seconds: float | None) -> None:
        """Take in the lines that are there; raises `Over` at the end of the input."""
        self.lines.look(seconds)
        while self.lines.waiting:
            try:
                said = msgspec.json.decode(self.lines.waiting.popleft(), type=ready(Played))
            except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as wrong:
                self._say(AnalysisLine(error=say("no game was found in this line: {why}", why=str(wrong))))
                continue
            if said.hold is not None:
                self.held = said.hold
            else:
                self.games.append(said)
        if self.lines.over:
            raise Over

    def _say(self, said: AnalysisLine) -> None:
        self.out.write(msgspec.json.encode(said, enc_hook=str.__str__) + b"\n")
        self.out.flush()


def serve(out: BinaryIO, megabytes: int) -> None:
    """Look at the games of the standard input until it ends, with so much memory at most."""
    os.nice(POLITE)
    if hasattr(os, "SCHED_IDLE"):
        with suppress(OSError):  # where it may not, the niceness has to do
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    resource.setrlimit(resource.RLIMIT_DATA, (megabytes * MEGABYTE, megabytes * MEGABYTE))
    Analyser(PipeLines(0), out).run()


# ---- as text ----------------------------------------------------------------------------------------------


def curve(analysis: Analysis, names: Sequence[str]) -> list[str]:
    """Return the chances as lines of text, in per cent: a row for each position, a column for each seat."""
    wide = max(5, *(len(name) for name in names))
    lines = ["move  " + "  ".join(f"{name:>{wide}}" for name in names)]
    for number, chances in enumerate(analysis.chances):
        lines.append(f"{number:>4}  " + "  ".join(f"{100 * chance:>{wide}.0f}" for chance in chances))
    return lines
