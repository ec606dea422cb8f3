"""A table at the emulated sensor board in lock-step, and what its lights should say by the rules alone.

The firmware runs in its emulated chip; its bytes go through the link's conversation into the table; the table's lights
come out as the frame that a strip would get. All of it in simulated time.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from controller.devices.lights.limiter import LimitedLights, SimulatedStrip
from controller.devices.link.conversation import Conversation, Debounce
from controller.devices.sensors.emulated_board import Emulator
from controller.events import Command, Event, Tick
from controller.from_profile import table_board, wiring
from controller.game_setup import PEOPLE, Opponents
from controller.orders import BoardPlays, NewGame
from controller.rules.registry import game_named
from controller.table import notes
from controller.table.gestures.timing import Timing
from controller.table.state import Play, Table
from controller.table.table import step
from controller.table.views.lights import CALM, Meaning, colours
from hardware.profile import Profile

DARK = (0, 0, 0)
SETTLED_MS = 4 * Timing().settle_ms + 30  # the longest for which a piece rests before its ply counts
Lit = dict[str, tuple[int, int, int]]


class Evening:
    """One board, one game after the other. Sites are named as the game names them."""

    def __init__(self, emulator: Emulator, profile: Profile) -> None:
        self.emulator = emulator
        self.profile = profile
        self.table = Table(table_board(profile), link="not there yet")
        self.said: list[notes.AnyNote] = []
        self._talk = Conversation(wiring(profile), Debounce(), "the emulator")
        self._strip = SimulatedStrip()
        # Bright, and with current to spare, so that a frame shows the very colours of the theme.
        self._lights = LimitedLights(self._strip, profile.light_count, 60_000, 100)
        emulator.send(self._talk.opened(emulator.now_us).send)
        while self.table.link:
            self.let(1)

    def new_game(self, name: str, opponents: Opponents = PEOPLE, **options: Any) -> None:
        self.game = game_named(name)
        self.to_board = self.table.board.placements[name]
        self._take(Command(self.emulator.now_us, NewGame(game=name, options=options, seed=0, opponents=opponents)))
        assert self.table.phase == "setup"

    def decide(self, text: str) -> None:
        """Let the board decide the ply ``text`` for the seat that it plays."""
        self._take(Command(self.emulator.now_us, BoardPlays(text=text, made=len(self.plies))))

    @property
    def play(self) -> Play:
        assert self.table.play is not None
        return self.table.play

    @property
    def state(self) -> Any:
        return self.play.session.state

    @property
    def plies(self) -> list[str]:
        return list(self.play.session.plies)

    # ---- time and touches

    def touch(self, site: str, on: bool, wait_ms: int) -> None:
        """Move a magnet, and let the firmware, the link and the table make of it what they will."""
        self.emulator.set_sensor(self.to_board[site], on)
        self.let(wait_ms)

    def let(self, ms: int) -> None:
        """Let time pass: finely at first, when something is to be expected."""
        passed = 0
        while passed < ms:
            slice_ms = min(1 if passed < 20 else 5, ms - passed)
            passed += slice_ms
            data = self.emulator.run(slice_ms * 1000)
            heard, ticked = self._talk.received(self.emulator.now_us, data), self._talk.tick(self.emulator.now_us)
            self.emulator.send(heard.send + ticked.send)
            for event in heard.events + ticked.events:
                self._take(event)
            if self.table.wake_us is not None and self.table.wake_us <= self.emulator.now_us:
                self._take(Tick(self.emulator.now_us))

    def _take(self, event: Event) -> None:
        self.table, said = step(self.table, event)
        self.said += said

    # ---- light

    def lit(self, half: bool = True) -> Lit:
        """Return what the strip shows, by the game's names; ``half`` is that of blinking. Other sites must be dark."""
        light = colours(self.table, CALM, half)
        sites = self.profile.by_light()
        self._lights.show([light.get(site, DARK) if site else DARK for site in sites])
        frame = self._strip.frames[-1] if self._strip.frames else (DARK,) * len(sites)
        of_game = {board: name for name, board in self.to_board.items()}
        return {of_game[site or ""]: shown for site, shown in zip(sites, frame, strict=True) if shown != DARK}


# ---- what the lights should be, by the rules --------------------------------------------------------------


def painted(*layers: tuple[Meaning, Iterable[str]], half: bool = True) -> Lit:
    """Return the layers in their colours, later ones on top; what blinks is dark in the other half."""
    found: dict[str, Meaning] = {site: meaning for meaning, sites in layers for site in sites}
    return {site: CALM[m].colour for site, m in found.items() if half or not CALM[m].blink}


def offers(game: Any, state: Any, held: str) -> tuple[set[str], set[str]]:
    """Return where the piece from ``held`` may go or touch down, and what it may take, by the legal plies."""
    go: set[str] = set()
    take: set[str] = set()
    standing = set(game.shape(state)) - {held}
    for ply in game.plies(state):
        walk = game.walk(state, ply)
        if len(walk.path) > 1 and walk.path[0] == held:
            go |= set(walk.path[1:]) - standing
            take |= (set(walk.takes) | {walk.path[-1]}) & standing
    return go, take


def goes_on(game: Any, state: Any, ply: Any) -> bool:
    """Whether a longer legal ply begins like this one."""
    path = game.walk(state, ply).path
    paths = (game.walk(state, other).path for other in game.plies(state))
    return any(len(other) > len(path) and other[: len(path)] == path for other in paths)


def changed(game: Any, before: Any, after: Any) -> set[str]:
    """Return the sites that a ply has emptied or filled."""
    return set(game.shape(before)) ^ set(game.shape(after))


def some(dice: random.Random, share: float) -> bool:
    return dice.random() < share
