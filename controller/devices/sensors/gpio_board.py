"""A sensor board without a microcontroller: the Pi clocks the chain of 74HC165 through its own pins.

The GPIO module is handed in.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import msgspec

from controller.devices.interfaces import Clock, Emit
from controller.devices.link.greeting import REGISTER_BITS, grounded
from controller.devices.sensors.debounce import Debounced, Holds, debounce
from controller.events import Link, Snapshot, Touch
from controller.first_in_line import go_first
from controller.sentences import say

# So many scans in a row must be wrong before the wiring is blamed: one alone may be a spark.
BAD_SCANS = 3
AT_ONCE = 3  # sensors that no hands close within one scan
STOP_S = 2.0
LATCH_NS = 1000  # the line to the last register is metres long: docs/chain-figures.md


class NoGpio(RuntimeError):
    """No GPIO pins are available here; the sentence says what to install or choose instead."""


class Gpio(Protocol):
    """The part of ``RPi.GPIO`` that is used."""

    BCM: int
    IN: int
    OUT: int
    PUD_UP: int

    def setmode(self, mode: int, /) -> None: ...

    def setup(self, channel: int, direction: int, /, *, pull_up_down: int = ..., initial: int = ...) -> None: ...

    def output(self, channel: int, level: int, /) -> None: ...

    def input(self, channel: int, /) -> int: ...

    def cleanup(self, channels: Any, /) -> None: ...


def rpi_gpio() -> Gpio:
    """Return the real ``RPi.GPIO`` module (or its drop-in, rpi-lgpio); raises `NoGpio`.

    Importing rpi-lgpio makes a pipe in the working directory, for which it must be writable.
    """
    try:
        from RPi import GPIO
    except OSError as error:
        raise NoGpio(
            f"the pins of this machine cannot be used ({error}): start the service in a folder that it may write to, "
            "as the unit that make install puts in place does"
        ) from error
    except (ImportError, RuntimeError) as error:
        raise NoGpio(
            f"the pins of this machine cannot be used ({error}): install rpi-lgpio on a Raspberry Pi, "
            "or choose another kind of board"
        ) from error
    module: Gpio = GPIO
    return module


def pin_faults(gpio: Gpio) -> tuple[type[Exception], ...]:
    """Return what the module raises when pins fail; rpi-lgpio lets the errors of the lgpio under it through."""
    lgpio = getattr(gpio, "lgpio", None)
    known = (RuntimeError, OSError, ValueError)
    return known if lgpio is None else (*known, lgpio.error)


class Pins(msgspec.Struct, frozen=True):
    """BCM numbers of the Pi's pins. The defaults have no second duty that matters at boot or to the lights."""

    data: int = 23
    clock: int = 24
    latch: int = 25


def read_chain(gpio: Gpio, pins: Pins, length: int) -> int:
    """Latch the chain and return ``length`` bits; bit 0 is the first to arrive. A closed sensor reads 0.

    The clock rests high, as the 74HC165 wants it while the latch rises (Nexperia: "CP or CE HIGH before the LOW-to-HIGH
    transition of PL"), and the latch stays low for `LATCH_NS`.
    """
    gpio.output(pins.latch, 0)
    low_ns = time.perf_counter_ns()
    while time.perf_counter_ns() - low_ns < LATCH_NS:
        pass
    gpio.output(pins.latch, 1)
    sample = 0
    for bit in range(length):
        if gpio.input(pins.data):
            sample |= 1 << bit
        gpio.output(pins.clock, 0)
        gpio.output(pins.clock, 1)
    return sample


# ---- what a scan says -------------------------------------------------------------------------------------


class ChainKnown(msgspec.Struct, frozen=True):
    """What is known of the chain. ``debounced`` is None until there is a good scan, and after a fault.

    ``grounded_at`` is the first bit behind a data wire on ground, None where none seems to be.
    """

    debounced: Debounced | None = None
    bad_scans: int = 0
    grounded_at: int | None = None


def wiring_fault(sample: int, length: int, used: int) -> str:
    """Return what is wrong with a scan of ``length`` + 1 bits, or "". ``used`` has the bits that belong to a site.

    The last register's serial input lies on ground, so the bit after the last reads 0 on a sound chain, and an
    empty board can be distinguished from a dead wire. No game fills every site.
    """
    past_end = sample >> length
    chain = sample & ((1 << length) - 1)
    if past_end and chain == (1 << length) - 1:
        return say(
            "the sensor chain reads high everywhere: check the data wire, the clock wire, and the registers' "
            "power and ground"
        )
    if past_end:
        return say(
            "the sensor chain does not end after {length} bits: check that the right board is selected and that "
            "pin 10 of the last register is connected to ground",
            length=length,
        )
    if not chain & used:
        return say(
            "the sensor chain reads low everywhere: check the data wire for a short to ground, and that the latch "
            "wire reaches pin 1 of every register"
        )
    return ""


def grounded_bit(known: ChainKnown, sample: int, used: int) -> int | None:
    """Return the first bit behind a data wire on ground, or None: all behind it closed within one scan.

    It stays so until the register of that bit has an open input again.
    """
    closed_from = -(-sample.bit_length() // REGISTER_BITS) * REGISTER_BITS  # behind the last input that reads open
    if known.grounded_at is not None:
        return known.grounded_at if closed_from <= known.grounded_at else None
    if known.debounced is None:
        return None
    doubted = sum(1 << bit for bit in known.debounced.since)
    sudden = (~sample & used & ~known.debounced.levels & ~doubted) >> closed_from << closed_from
    first = (sudden & -sudden).bit_length() - 1
    return first // REGISTER_BITS * REGISTER_BITS if sudden.bit_count() >= AT_ONCE else None


def scanned(
    known: ChainKnown, sample: int, t_us: int, sites: Sequence[str | None], holds: Holds
) -> tuple[ChainKnown, tuple[Touch | Snapshot | Link, ...]]:
    """Return what is known after a scan of the chain and the bit past its end, and the events that it makes."""
    used = sum(1 << bit for bit, site in enumerate(sites) if site is not None)
    fault = wiring_fault(sample, len(sites), used)
    at = None if fault else grounded_bit(known, sample, used)
    fault = fault if at is None else grounded(at // REGISTER_BITS + 1)
    if fault:
        bad_scans = known.bad_scans + 1
        if bad_scans < BAD_SCANS:
            return msgspec.structs.replace(known, bad_scans=bad_scans, grounded_at=at), ()
        events = (Link(t_us, up=False, sentence=fault),) if bad_scans == BAD_SCANS else ()
        return ChainKnown(bad_scans=bad_scans, grounded_at=at), events
    occupied = ~sample & used
    if known.debounced is None:
        names = frozenset(site for bit, site in enumerate(sites) if site is not None and occupied >> bit & 1)
        return ChainKnown(Debounced(occupied)), (Link(t_us, up=True), Snapshot(t_us, names))
    debounced, changes = debounce(known.debounced, occupied, t_us, holds)
    touched = ((sites[change.bit], change.on) for change in changes)
    return ChainKnown(debounced), tuple(Touch(t_us, site, on) for site, on in touched if site is not None)


# ---- the board --------------------------------------------------------------------------------------------


class GpioBoard:
    """Reads the chain on the Pi's own pins; a `controller.devices.interfaces.SensorBoard`.

    ``sites`` names the site of every bit, None for an unused one. A touch carries the time of the scan that
    settled it. Where the pins themselves fail, it says so and reads no more.
    """

    def __init__(
        self,
        gpio: Gpio,
        sites: Sequence[str | None],
        clock: Clock,
        *,
        pins: Pins | None = None,
        scan_hz: float = 100,
        halt: threading.Event | None = None,
    ) -> None:
        self._gpio = gpio
        self._sites = tuple(sites)
        self._clock = clock
        self._pins = pins or Pins()
        self._period_s = 1 / scan_hz
        self._holds = Holds()
        self._halt = halt or threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, emit: Emit) -> None:
        """Begin to scan in a thread of its own."""
        self._halt.clear()
        self._thread = threading.Thread(target=self._run, args=(emit,), name="gpio-board", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop scanning and let go of the pins. May be called twice."""
        self._halt.set()
        if self._thread is not None:
            self._thread.join(STOP_S)
            self._thread = None

    def _run(self, emit: Emit) -> None:
        go_first()
        known = ChainKnown()
        for sample in self._samples(emit):
            known, events = scanned(known, sample, self._clock(), self._sites, self._holds)
            for event in events:
                emit(event)
            self._halt.wait(self._period_s)

    def _samples(self, emit: Emit) -> Iterator[int]:
        """Yield scans until halted; a fault of the pins themselves is reported and ends them."""
        try:
            self._open()
            while not self._halt.is_set():
                yield read_chain(self._gpio, self._pins, len(self._sites) + 1)
            self._gpio.cleanup((self._pins.data, self._pins.clock, self._pins.latch))
        except pin_faults(self._gpio) as error:
            sentence = say(
                "the Pi's GPIO pins cannot be used ({error}): check the pin numbers and whether another program "
                "uses them",
                error=str(error),
            )
            emit(Link(self._clock(), up=False, sentence=sentence))

    def _open(self) -> None:
        gpio, pins = self._gpio, self._pins
        gpio.setmode(gpio.BCM)
        gpio.setup(pins.latch, gpio.OUT, initial=1)
        gpio.setup(pins.clock, gpio.OUT, initial=1)
        # Pulled up, a loose data wire reads high past the chain's end too, and is found.
        gpio.setup(pins.data, gpio.IN, pull_up_down=gpio.PUD_UP)
