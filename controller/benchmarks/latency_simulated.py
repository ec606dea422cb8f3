"""Latencies stage by stage, in simulated time and on this processor: sensor to frame, frame to light bytes.

Nothing is judged. What can only be measured in real time is `controller.benchmarks.latency_live`'s.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import quantiles

import msgspec

from controller.benchmarks.gestures import gesture
from controller.devices.lights.limiter import LightsFailed, LimitedLights, SimulatedStrip, Strip
from controller.devices.lights.neopixel import open_neopixels
from controller.devices.link import framing, messages
from controller.devices.link.conversation import Conversation, Debounce
from controller.devices.sensors.emulated_board import Emulator, built
from controller.events import Command, Event, Snapshot, Tick, Touch
from controller.from_profile import placement, table_board, wiring
from controller.orders import NewGame, PlayPly, TakeBack
from controller.rules.game import AnyGame
from controller.rules.registry import all_games
from controller.table.board import DoesNotFit, game_area
from controller.table.state import Play, Table
from controller.table.table import step
from controller.table.views.lights import CALM, colours
from hardware.profile import Profile, chained, load

SCAN_US = 100  # how finely simulated time is cut
PACE_US = 150_000  # between two touches of a hand
SETTLE_US = 400_000
MOST_PLIES = 400  # of a random game


class StageTimes(msgspec.Struct, frozen=True):
    """One stage: what took how long, in milliseconds, each time it was tried."""

    stage: str
    ms: tuple[float, ...]
    goal: str = ""


def lines(rows: Iterable[StageTimes]) -> Iterator[str]:
    """Yield the lines of a table."""
    yield f"{'':56}{'n':>6}{'p50':>9}{'p95':>9}{'p99':>9}{'worst':>9}  ms"
    for row in rows:
        marks = [quantile(row.ms, percent) for percent in (50, 95, 99)] if row.ms else []
        worst = [max(row.ms)] if row.ms else []
        yield f"{row.stage:56}{len(row.ms):6}" + "".join(f"{ms:9.2f}" for ms in marks + worst) + f"  {row.goal}"


def quantile(values: Sequence[float], percent: int) -> float:
    """Return the value that ``percent`` of ``values`` do not exceed."""
    return values[0] if len(values) == 1 else quantiles(values, n=100, method="inclusive")[percent - 1]


# ---- sensor to frame, in simulated time -------------------------------------------------------------------


def sensor_to_frame(folder: Path, profile: Profile, touches: int) -> Iterator[StageTimes]:
    """Measure the emulated firmware in lock-step: from the contact to the touch decoded, debounce included.

    Raises `EmulatorFault`.
    """
    dice = random.Random(1)
    few = [site.name for site in dice.sample(profile.sites, 4)]
    took: dict[bool, list[float]] = {True: [], False: []}
    with Emulator(built(folder, profile.name, rp2040=profile.has_fields)) as emulator:
        talk = Conversation(wiring(profile), Debounce(), "the emulator")
        emulator.send(talk.opened(emulator.now_us).send)
        _until(emulator, talk, Snapshot)
        standing: set[str] = set()
        for _ in range(touches):
            _let(emulator, talk, 20_000 + dice.randrange(20_000))
            site = dice.choice(few)
            standing ^= {site}
            begun_us = emulator.now_us
            emulator.set_sensor(site, site in standing)
            _until(emulator, talk, Touch)
            took[site in standing].append((emulator.now_us - begun_us) / 1000)
    for on, name in ((True, "placed"), (False, "lifted")):
        yield StageTimes(f"sensor to frame decoded, {name} (simulated time)", tuple(took[on]), "goal p95 6")


def _until(emulator: Emulator, talk: Conversation, kind: type[Touch] | type[Snapshot]) -> None:
    while not any(isinstance(event, kind) for event in _let(emulator, talk, SCAN_US)):
        pass


def _let(emulator: Emulator, talk: Conversation, us: int) -> tuple[Event, ...]:
    data = emulator.run(us)
    heard, ticked = talk.received(emulator.now_us, data), talk.tick(emulator.now_us)
    emulator.send(heard.send + ticked.send)
    return heard.events + ticked.events


# ---- frame to light bytes, on this processor --------------------------------------------------------------


def captured_strip(count: int) -> tuple[Strip, str]:
    """Return a strip that ends just before the wire, behind the real NeoPixel library where that is installed."""
    os.environ.setdefault("BLINKA_OS_AGNOSTIC", "1")  # this process sends nothing to a real pin
    try:
        strip = open_neopixels("NEOPIXEL", count)
    except LightsFailed:
        return SimulatedStrip(), "without the NeoPixel library"
    import neopixel

    neopixel.neopixel_write = lambda pin, data: bytes(data)
    return strip, "through the NeoPixel library"


class LinkToLights:
    """Everything between the bytes of the link and those of the lights, in virtual time, played on by touches."""

    def __init__(self, profile: Profile, name: str, strip: Strip) -> None:
        self._profile, self._name = profile, name
        self._bit = {site.name: site.bit for site in profile.sites}
        self._light_sites = profile.by_light()
        self._lights = LimitedLights(strip, profile.light_count, profile.max_milliamps)
        self._talk = Conversation(wiring(profile), Debounce(), "")
        self._seq = self._event = 0
        self._now_us = 1_000_000
        self._talk.opened(self._now_us)
        expected = wiring(profile)
        hello = messages.Hello(
            messages.PROTOCOL, 0, 0, 0, expected.table_hash, profile.chain_length, self._now_us, expected.board
        )
        _, asked, _ = framing.feed(b"", self._talk.received(self._now_us, self._frame(hello)).send)
        (session,) = (m.session for m in map(messages.decode, asked) if isinstance(m, messages.Watch))
        empty = messages.Snapshot(self._now_us, 0, 0, session, bytes(profile.chain_length // 8))
        self._talk.received(self._now_us, self._frame(empty))
        self.table = Table(table_board(profile))
        self.events_ms: list[float] = []  # processor time of the table for each event
        self.lifts_ms: list[float] = []  # bytes of a first lift → bytes of the lights, on the clock
        self.lifts_cpu_ms: list[float] = []  # the same on the processor: what other programs take away is left out
        self.by_order = 0  # plies that the touches alone did not determine

    @property
    def play(self) -> Play:
        """The game on the board."""
        assert self.table.play is not None
        return self.table.play

    def begin(self, seed: int) -> None:
        """Start a new game and set it up."""
        self._take(Command(self._now_us, NewGame(game=self._name, seed=seed)))
        self._stand()

    def make(self, game: AnyGame, text: str, dice: random.Random) -> None:
        """Make a legal ply by hand; by order where the hand alone is ambiguous."""
        made, state = len(self.play.session.plies), self.play.session.state
        way = gesture(game, state, game.read(state, text), dice)
        for n, (site, on) in enumerate(way.moves):
            took_ms, cpu_ms = self._touch(site, on)
            if n == 0 and not on:
                self.lifts_ms.append(took_ms)
                self.lifts_cpu_ms.append(cpu_ms)
        self._pass(SETTLE_US)
        for site, on in way.chores:
            self._touch(site, on)
        self._pass(SETTLE_US)
        if self.play.session.plies[made:] != (text,):
            self.by_order += 1
            if len(self.play.session.plies) > made:
                self._take(Command(self._now_us, TakeBack(made)))
            self._take(Command(self._now_us, PlayPly(text)))
        self._stand()

    def _stand(self) -> None:
        """Make the board stand as the game says."""
        standing = self.play.settled.position.standing
        if self.table.now != standing:
            sites = (site for i, site in enumerate(self.table.board.sites) if standing >> i & 1)
            self._take(Snapshot(self._now_us, frozenset(sites)))

    def _touch(self, site: str, on: bool) -> tuple[float, float]:
        """Let a sensor change; return the milliseconds until the lights' bytes, on the clock and on the processor."""
        self._pass(PACE_US)
        self._event += 1
        bit = self._bit[self.table.board.placements[self._name][site]]
        data = self._frame(messages.Change(self._now_us % (1 << 32), self._event % (1 << 16), bit, on))
        begun, begun_cpu = time.perf_counter(), time.thread_time()
        for event in self._talk.received(self._now_us, data).events:
            self._take(event)
        return (time.perf_counter() - begun) * 1000, (time.thread_time() - begun_cpu) * 1000

    def _pass(self, us: int) -> None:
        until_us = self._now_us + us
        while (wake_us := self.table.wake_us) is not None and wake_us <= until_us:
            self._now_us = max(self._now_us, wake_us)
            self._take(Tick(self._now_us))
        self._now_us = until_us

    def _take(self, event: Event) -> None:
        begun = time.thread_time()
        self.table, _ = step(self.table, event)
        if isinstance(event, Touch | Tick):
            self.events_ms.append((time.thread_time() - begun) * 1000)
        lit = colours(self.table, CALM, True)
        self._lights.show([lit.get(site, (0, 0, 0)) if site else (0, 0, 0) for site in self._light_sites])

    def _frame(self, message: messages.Message) -> bytes:
        packed = framing.pack(messages.encode(message, self._seq))
        self._seq = (self._seq + 1) % 256
        return packed


def frame_to_lights(touches: int) -> Iterator[StageTimes]:
    """Measure, for every game that fits a board of ours, random games played by touches."""
    for name in all_games():
        profile = home(name)
        if profile is None:
            continue
        strip, what = captured_strip(profile.light_count)
        chain = LinkToLights(profile, name, strip)
        _play(chain, all_games()[name], touches)
        order = f"{chain.by_order} plies given by order" if chain.by_order else ""
        yield StageTimes(f"frame decoded to light bytes, lift, {name}", tuple(chain.lifts_ms), f"goal p95 4; {what}")
        yield StageTimes("  the same, time of the processor alone", tuple(chain.lifts_cpu_ms))
        yield StageTimes("  the table, any touch of whole games, processor", tuple(chain.events_ms), order)


def home(name: str) -> Profile | None:
    """Return one of our boards on which the game, with its usual options, has its place."""
    game = all_games()[name]
    options = game.options()
    for profile in map(load, chained()):
        try:
            game_area(table_board(profile), name, game.mesh(options).cells, game.shape(game.start(options, 0)))
        except DoesNotFit:
            continue
        return profile
    return None


def _play(chain: LinkToLights, game: AnyGame, lifts: int) -> None:
    """Play random games, the first one to its end, until there were so many lifts."""
    dice = random.Random(1)
    seed = 0
    while len(chain.lifts_ms) < lifts:
        seed += 1
        chain.begin(seed)
        for n in range(MOST_PLIES):
            state = chain.play.session.state
            plies = game.plies(state)
            if not plies or (seed > 1 and len(chain.lifts_ms) >= lifts):
                break
            chain.make(game, game.text(state, dice.choice(plies)), dice)
            if n + 1 == MOST_PLIES and not chain.lifts_ms:
                return  # a game without lifts


def game_on(profile: Profile) -> str:
    """Return the game that is played on this board for the measurements: the one with the shortest games."""
    fitting = [game.facts for game in all_games().values() if placement(profile, game) is not None]
    return min(fitting, key=lambda facts: facts.minutes).name
