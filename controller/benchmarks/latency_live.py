"""Latencies in real time: a service with its journal, a twin of the sensor board, and a hand that plays final plies.

Only plies that are known at once are played, so that the settling time, a setting, is not measured.
"""

from __future__ import annotations

import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from controller.benchmarks.gestures import gesture
from controller.benchmarks.latency_simulated import (
    StageTimes,
    captured_strip,
    frame_to_lights,
    game_on,
    sensor_to_frame,
)
from controller.clock import clock_us
from controller.devices.interfaces import Colour
from controller.devices.lights.limiter import LimitedLights, Strip
from controller.devices.sensors.emulated_board import built
from controller.devices.sensors.paced_emulator import on_line
from controller.devices.sensors.serial_board import SerialBoard
from controller.events import Link, Sensed, Snapshot, Touch
from controller.from_profile import table_board, wiring
from controller.journal.database import Journal
from controller.orders import NewGame
from controller.service.loop import Service
from controller.table.state import Play, Table
from hardware.profile import Profile

PATIENCE_S = 2.0
PAUSE_S = 0.15  # of the hand: shorter, and the piece is taken for one that is pushed
REST_S = 0.05


class StampedStrip:
    """A strip that keeps when its last frame was through."""

    def __init__(self, strip: Strip) -> None:
        self._strip = strip
        self._changed = threading.Condition()
        self._sent_s = 0.0

    def write(self, frame: Sequence[Colour]) -> None:
        """Send ``frame`` and keep the time."""
        self._strip.write(frame)
        with self._changed:
            self._sent_s = time.perf_counter()
            self._changed.notify_all()

    def close(self) -> None:
        """Close the strip."""
        self._strip.close()

    def after(self, begun_s: float) -> float | None:
        """Wait for a frame after ``begun_s``; return the milliseconds that it took, None where there was none."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._sent_s > begun_s, PATIENCE_S):
                return None
            return (self._sent_s - begun_s) * 1000


class LiveHand:
    """A hand at a running service; ``touch`` changes a sensor of its board, by the board's name of the site."""

    def __init__(self, service: Service, strip: StampedStrip, touch: Callable[[str, bool], None]) -> None:
        self._service, self._strip, self._touch = service, strip, touch
        self._dice = random.Random(1)
        self.lifts_ms: list[float] = []  # lift → lights
        self.plies_ms: list[float] = []  # last placing → ply on disk and shown

    def play(self, name: str, plies: int) -> None:
        """Play games of ``name`` until so many plies were timed; gives up where the board does not answer."""
        for _ in range(4 * plies):
            play = self._service.look().table.play
            ways = _final(play) if play is not None and not play.setting_up else []
            if not ways:
                self._begin(name)
            elif not self._make(self._dice.choice(ways)) or len(self.plies_ms) >= plies:
                return

    def _begin(self, name: str) -> None:
        self._service.submit(NewGame(game=name, seed=self._dice.getrandbits(16)))
        table = self._service.look().table
        assert table.play is not None
        wrong = table.now ^ table.play.settled.position.standing
        for on in (False, True):
            for i, site in enumerate(table.board.sites):
                if wrong >> i & 1 and bool(table.now >> i & 1) != on:
                    self._touch(site, on)
        self._wait(lambda now: now.play is not None and not now.play.setting_up)

    def _make(self, text: str) -> bool:
        table = self._service.look().table
        play = table.play
        assert play is not None
        game, state, made = play.session.game, play.session.state, len(play.session.plies)
        way = gesture(game, state, game.read(state, text))
        place = table.board.placements[play.session.name]
        *before, last = way.moves
        for n, (site, on) in enumerate(before):
            begun_s = time.perf_counter()
            self._touch(place[site], on)
            if n == 0 and (took_ms := self._strip.after(begun_s)) is not None:
                self.lifts_ms.append(took_ms)
            time.sleep(PAUSE_S + self._dice.random() / 1000)
        begun_s = time.perf_counter()
        self._touch(place[last[0]], last[1])
        if not self._wait(lambda now: now.play is not None and len(now.play.session.plies) > made):
            return False
        self.plies_ms.append((time.perf_counter() - begun_s) * 1000 - table.timing.settle_ms)
        for site, on in way.chores:
            self._touch(place[site], on)
        self._wait(lambda now: now.play is not None and now.now == now.play.settled.position.standing)
        time.sleep(REST_S)
        return True

    def _wait(self, until: Callable[[Table], bool]) -> bool:
        for seen in self._service.watch(PATIENCE_S):
            if seen is None:
                return False
            if until(seen.table):
                return True
        return False


def _final(play: Play) -> list[str]:
    """Return the plies that a plain lift and placing makes beyond doubt."""
    every = play.settled.position.footprints
    alone = [f for f in every if sum(other.done == f.done for other in every) == 1 and f.origin]
    return [f.text for f in alone if not play.settled.position.longer_than(f)]


@contextmanager
def served(profile: Profile) -> Iterator[tuple[Service, StampedStrip]]:
    """Serve a board without wires, with a journal of its own; yield the service and the strip that is stamped."""
    captured, _ = captured_strip(profile.light_count)
    strip = StampedStrip(captured)
    lights = LimitedLights(strip, profile.light_count, profile.max_milliamps)
    with tempfile.TemporaryDirectory(prefix="beaconboard-") as folder:
        journal = Journal(Path(folder) / "games.sqlite3")
        service = Service(Table(table_board(profile)), journal, lights, profile.by_light(), clock_us)
        service.start()
        try:
            yield service, strip
        finally:
            service.stop()


def placing_to_ply(profile: Profile, name: str, plies: int) -> Iterator[StageTimes]:
    """Measure the service alone, beyond the ``settle_ms`` for which a piece rests before its ply counts.

    Touches come with the time of their contact, so that ``steady_ms`` is over already.
    """
    with served(profile) as (service, strip):
        steady_us = service.look().table.timing.steady_ms * 1000
        service.emit(Link(clock_us(), up=True))
        service.emit(Snapshot(clock_us(), frozenset()))
        player = LiveHand(service, strip, lambda site, on: service.emit(Touch(clock_us() - steady_us, site, on)))
        player.play(name, plies)
        yield StageTimes(f"rested placing to ply on disk and shown, {name}", tuple(player.plies_ms), "beyond settle_ms")
        yield StageTimes("  steady_ms of the table, simulated time", (steady_us / 1000,))


def sensor_to_end(folder: Path, profile: Profile, name: str, plies: int) -> Iterator[StageTimes]:
    """Measure all of it: emulated board in real time, serial line, service.

    Raises `EmulatorFault`.
    """
    with ExitStack() as held:
        line = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="beaconboard-"))) / "line"
        emulator = held.enter_context(on_line(built(folder, profile.name, rp2040=profile.has_fields), line, clock_us))
        service, strip = held.enter_context(served(profile))
        board = SerialBoard(str(line), wiring(profile), clock_us)
        held.callback(board.stop)
        came = threading.Event()

        def emit(event: Sensed) -> None:
            service.emit(event)
            if isinstance(event, Snapshot):
                came.set()

        board.start(emit)
        came.wait(5 * PATIENCE_S)
        player = LiveHand(service, strip, emulator.set_sensor)
        player.play(name, plies)
        yield StageTimes(f"sensor to lights, lift, all of it, {name}", tuple(player.lifts_ms), "goal p95 10")
        yield StageTimes(f"sensor to ply shown, all of it, {name}", tuple(player.plies_ms), "beyond settle_ms; goal 15")


def stages(folder: Path, profile: Profile, touches: int) -> tuple[Iterator[StageTimes], ...]:
    """Return every stage in turn; each is measured as it is gone through, and raises then."""
    game, plies = game_on(profile), touches // 4 + 1
    return (
        sensor_to_frame(folder, profile, touches),
        frame_to_lights(touches),
        placing_to_ply(profile, game, plies),
        sensor_to_end(folder, profile, game, plies),
    )
