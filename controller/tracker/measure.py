"""The tracker without the service: asks a sensor board, real or emulated, for one pair of tiles or for all, and prints.

Owns the greeting, the waiting and the lines of ``beaconboard tracker``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Protocol

from controller.devices.link.conversation import Conversation, Debounce, Outcome
from controller.devices.link.greeting import Wiring
from controller.devices.link.messages import Reading, WatchRound, WatchTiles
from controller.devices.sensors.emulated_board import Emulator, built
from controller.devices.sensors.serial_board import SerialBoard
from controller.events import Link
from controller.rules.shells import costs
from controller.tracker import circuit_model as parts
from controller.tracker.judgement import sample_of
from hardware.firmware_table import table_hash
from hardware.profile import Profile
from hardware.tracker_circuit import FULL, NoCircuit, Seam, TrackerCircuit, circuit_of

PATIENCE_US = 4_000_000  # a board greets within one second, and a round takes less than one
STEP_US = 1000
SETTLE_US = 30_000  # from a magnet to a level that counts


class NoReading(RuntimeError):
    """The tracker could not be read, or its reading is not a valid cost; one sentence."""


class Reader(Protocol):
    """Gives readings as long as time is left."""

    def read(self, watch: WatchTiles | WatchRound) -> Iterator[Reading]:
        """Ask the board and yield its readings; raises `NoReading` where it does not answer."""


class EmulatedReader:
    """The emulated board in lock-step, with ``magnets`` on these sites."""

    def __init__(self, emulator: Emulator, wiring: Wiring, magnets: Sequence[str] = ()) -> None:
        """Let the board see the magnets before it is asked anything. Raises KeyError where there is no such site."""
        self._emulator = emulator
        self._talk = Conversation(wiring, Debounce(), "the emulator")
        for site in magnets:
            emulator.set_sensor(site, True)
        emulator.run(SETTLE_US)

    def read(self, watch: WatchTiles | WatchRound) -> Iterator[Reading]:
        """Ask the board and yield its readings; raises `NoReading`."""
        end_us = self._emulator.now_us + PATIENCE_US
        self._talk.track(watch)
        self._follow(self._talk.opened(self._emulator.now_us))
        while self._emulator.now_us < end_us:
            outcome = self._talk.received(self._emulator.now_us, self._emulator.run(STEP_US))
            self._follow(outcome)
            self._follow(self._talk.tick(self._emulator.now_us))
            yield from outcome.readings
        raise NoReading("the tracker is not responding: check its connector and flash the board again")

    def _follow(self, outcome: Outcome) -> None:
        _heed(outcome.events)
        self._emulator.send(outcome.send)


class SerialReader:
    """A board on a serial port."""

    def __init__(self, port: str, wiring: Wiring) -> None:
        self._port = port
        self._wiring = wiring

    def read(self, watch: WatchTiles | WatchRound) -> Iterator[Reading]:
        """Ask the board and yield its readings; raises `NoReading`."""
        heard: SimpleQueue[object] = SimpleQueue()
        board = SerialBoard(self._port, self._wiring, _clock_us)
        board.track(watch, heard.put)
        board.start(heard.put)
        end_us = _clock_us() + PATIENCE_US
        try:
            while (left_us := end_us - _clock_us()) > 0:
                item = heard.get(timeout=left_us / 1e6)
                _heed((item,))
                if isinstance(item, Reading):
                    yield item
        except Empty:
            pass
        finally:
            board.stop()
        raise NoReading(f"the tracker on {self._port} is not responding: check its connector and flash the board again")


def _clock_us() -> int:
    return time.monotonic_ns() // 1000


def _heed(events: Sequence[object]) -> None:
    """Raise `NoReading` where the link says why there will be none."""
    for event in events:
        if isinstance(event, Link) and not event.up:
            raise NoReading(event.sentence)


def run(
    profile: Profile,
    tiles: Sequence[str],
    held: ExitStack,
    show: Callable[[str], None],
    *,
    emulated: bool,
    magnets: Sequence[str],
    port: str,
    emulator_folder: Path,
) -> int:
    """Show the cost between two tiles, or between all neighbours where none are named; return how many are not valid.

    Raises `NoCircuit`, `NoReading`, or `EmulatorFault`, each a sentence.
    """
    if profile.tracker == "none":
        raise NoCircuit(f'the board {profile.name} has no tracker: its file says tracker = "none"')
    if len(tiles) not in (0, 2):
        raise NoCircuit("name two neighbouring tiles, e.g. a3 b3, or none for all")
    circuit = circuit_of(profile.cells, {site.name: site.bit for site in profile.sites})
    seam = circuit.seam(*tiles) if tiles else None  # before anything is started
    sites = {bit: site for bit, site in enumerate(profile.by_bit()) if site is not None}
    wiring = Wiring(profile.name, table_hash(profile), sites)
    if magnets and not emulated:
        raise NoReading("--magnet is for the emulated board: add --emulated")
    for site in magnets:
        if site not in sites.values():
            raise NoReading(f"there is no site {site} on the board {profile.name} to put a magnet on")
    reader: Reader = SerialReader(port, wiring)
    if emulated:
        reader = EmulatedReader(held.enter_context(Emulator(built(emulator_folder, profile.name))), wiring, magnets)
    if seam is None:
        return round_lines(circuit, reader, show)
    show(pair_line(circuit, seam, reader))
    return 0


def pair_line(circuit: TrackerCircuit, seam: Seam, reader: Reader) -> str:
    """Return the line for two neighbouring tiles; raises `NoReading`."""
    reading = next(reader.read(WatchTiles(seam.register_a, seam.register_b, 0)))
    return line(circuit, seam, _of(circuit, seam, reading))


def round_lines(circuit: TrackerCircuit, reader: Reader, show: Callable[[str], None]) -> int:
    """Show a line for every adjacency; return how many are not valid costs. Raises `NoReading`."""
    wrong = 0
    for seam, reading in zip(circuit.seams, reader.read(WatchRound(0)), strict=False):
        try:
            show(line(circuit, seam, _of(circuit, seam, reading)))
        except NoReading as unread:
            show(str(unread))
            wrong += 1
    return wrong


def _of(circuit: TrackerCircuit, seam: Seam, reading: Reading) -> parts.TrackerSample:
    """Return what was read; raises `NoReading` where it is of other tiles."""
    if (reading.register_a, reading.register_b) != (seam.register_a, seam.register_b):
        found = f"registers {reading.register_a + 1} and {reading.register_b + 1}"
        asked = f"{seam.tile_a} and {seam.tile_b} (registers {seam.register_a + 1} and {seam.register_b + 1})"
        raise NoReading(f"the tracker answered for {found} when asked for {asked}: flash the board again")
    return sample_of(circuit, reading)


def line(circuit: TrackerCircuit, seam: Seam, sample: parts.TrackerSample) -> str:
    """Return ``a3 b3  axis 1  2.50 V  H 3  cost 1:1``; raises `NoReading` with voltage and levels where it is invalid,
    and where the sensors of these tiles, read in the same scan, say otherwise.
    """
    counts = sample.counts[seam.axis]
    h, volts = parts.decoded(circuit, counts), parts.volts(counts)
    where = f"{seam.tile_a} {seam.tile_b}  axis {seam.axis}"
    expected = round(parts.levels(circuit, sample)[seam.axis] * circuit.nodes / FULL)
    if h is None:
        unread = f"{where}  {volts} lies between {parts.nearest(circuit, counts)}"
        raise NoReading(f"{unread}; {parts.named(circuit, [sample])}")
    if h != expected:
        raise NoReading(f"{where}  {volts} is H {h}, the sensors say H {expected}; {parts.named(circuit, [sample])}")
    return f"{where}  {volts}  H {h}  cost {costs(circuit.nodes)[h]}"
