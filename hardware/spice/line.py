"""The chain's clock and latch as lines in SPICE: what every register sees, and which share of chains misreads.

A register is a small load somewhere along an open line, so a weak driver's edge stops half-way until it comes back from
the end. The registers on that step clock late, twice or not at all. Registers count from 0, the one next to the reader.

Sources:

- Nexperia 74HC165: 3.5 pF an input, tpd CP to Q7 16 ns at 5 V, low below 1.5 V and high above 3.5 V for certain, PL low
  for 24 ns
- ATmega328P, figure of pin drive: 25 Ω
- TI SN74AHCT125: about 20 Ω a gate
- Wadell, Transmission Line Design Handbook: a 0.25 mm track 0.3 mm beside its pour on FR4, and ribbon cable with ground
  beside each signal
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from hardware.manual.bill import CHAIN_WIRES, chain_wire_mm
from hardware.pcb.boards.strip import LEAST_PITCH_MM
from hardware.profile import REGISTER_BITS, Profile
from hardware.spice.ngspice import Rows, run

VOLTS = 5.0
LOW, HIGH = 1.5, 3.5  # what a 74HC takes for certain at 5 V
HYSTERESIS = 0.1  # of a 74HC input without Schmitt trigger
TPD_NS = 16.0  # so long a register's output still shows the old bit after its clock
SPREAD_VOLTS = 0.1  # of thresholds within a chain, one standard deviation: parts of several makers and lots
REGISTER_FARADS = 5.5e-12  # pin and socket
CLAMP_OHMS, CLAMP_AMPS = 20.0, 1e-14  # of the diodes at an input: resistance and saturation current
CLAMP_MA = 20.0  # the most that they may carry: Nexperia 74HC165 and 74HC595, limiting values, input clamping current
THERMAL_VOLTS = 0.02585  # at 27 °C, as ngspice has it
LISTENERS_FARADS = 10e-12  # the two 74HC595 of the tracker
LISTENERS_OHMS = 100.0  # before their branch, so that its echoes stay there
START_NS, HALF_NS = 20.0, 300.0  # long enough for all echoes to die
STEP_NS = 0.2


class Stretch(msgspec.Struct, frozen=True):
    """A uniform stretch of line."""

    metres: float
    ohms: float
    ns_a_metre: float


class Chain(msgspec.Struct, frozen=True):
    """A chain as a line: before each register the pieces that lead to it from the one before. ``listeners`` has the
    pieces from the driver, behind ``listeners_ohms``, to the tracker's two registers; empty where there is no tracker.
    """

    name: str
    way: tuple[tuple[Stretch, ...], ...]
    listeners: tuple[Stretch, ...] = ()
    listeners_ohms: float = LISTENERS_OHMS


class Driver(msgspec.Struct, frozen=True):
    """What drives the line, with all that lies in series, and how long its edge takes."""

    name: str
    ohms: float
    edge_ns: float


class Terminator(msgspec.Struct, frozen=True):
    """A resistor and a capacitor in series from the far end to ground: they take up the edge and draw no current."""

    ohms: float
    farads: float


class ClockSeen(msgspec.Struct, frozen=True):
    """What the registers see of one clock pulse. For each register and threshold in hundredths of a volt, in
    `THRESHOLDS`: how many rising edges it takes for it, and when the first is over, in ns. The listeners come last.
    """

    edges: tuple[tuple[int, ...], ...]
    times_ns: tuple[tuple[float, ...], ...]
    listening: bool
    most_volts: float
    clamp_ma: float = 0.0  # the most that the diodes of an input carry, towards the supply or from ground


THRESHOLDS = range(145, 356)
NANO_100 = Driver("Nano behind 100 Ω", 25 + 100, 3)
HAT_100 = Driver("74AHCT125 behind 100 Ω", 20 + 100, 2)
NANO_22 = Driver("Nano behind 22 Ω", 25 + 22, 3)
NANO_PIN = Driver("Nano's pin", 25, 3)
TWO_GATES = Driver("two gates of a 74AHCT125", 10, 2)
STRONG_GATES, WEAK_GATES = (Driver(TWO_GATES.name, ohms, 2) for ohms in (7, 14))  # cold and fast, warm and slow
END_PLUG = Terminator(100, 330e-12)


def ribbon(metres: float) -> Stretch:
    """Return flat cable with ground beside the signal."""
    return Stretch(metres, 110, 5.0)


def track(metres: float) -> Stretch:
    """Return a track of the boards."""
    return Stretch(metres, 95, 5.9)


# ---- chains -----------------------------------------------------------------------------------------------


def on_boards(profile: Profile) -> Chain | None:
    """Return the chain of a profile on its circuit boards with short ribbons; None where they cannot carry it."""
    if any(site.kind != "cell" for site in profile.sites):
        return _tiles(profile)
    return _strips(profile) if profile.pitch_mm >= LEAST_PITCH_MM else None


def _strips(profile: Profile) -> Chain:
    count, long_m = profile.chain_length // REGISTER_BITS, REGISTER_BITS * profile.pitch_mm / 1000 - 0.004
    way = [(ribbon(0.3), track(0.03)), *[(track(long_m), ribbon(0.08), track(0.03))] * (count - 1)]
    return Chain(f"{profile.name}, {count} strips", tuple(way))


def _tiles(profile: Profile) -> Chain:
    count = profile.chain_length // REGISTER_BITS // 2
    way: list[tuple[Stretch, ...]] = []
    for number in range(count):
        before = (track(0.033), ribbon(0.12)) if number else (ribbon(0.3),)
        way += [(*before, track(0.05)), (track(0.03),)]
    return Chain(f"{profile.name}, {count} tiles", tuple(way), (ribbon(0.2),))


def by_hand(profile: Profile, ohms: float = 160) -> Chain:
    """Return the chain on perfboard: single wires beside each other, 110 to 220 Ω, as long as the bill has them."""
    count = profile.chain_length // REGISTER_BITS
    each = Stretch(chain_wire_mm(profile) / CHAIN_WIRES / 1000 / count, ohms, 4.8)
    return Chain(f"{profile.name}, by hand", ((each,),) * count, (ribbon(0.2),) if profile.tracker == "circuit" else ())


# ---- waveforms --------------------------------------------------------------------------------------------


def waveforms(chain: Chain, driver: Driver, end: Terminator | None, low_ns: float | None = None) -> Rows:
    """Return time and volts at every register (then at the listeners) for a pulse: up for `HALF_NS`, or down for
    ``low_ns``. Raises `CannotBuild`.
    """
    high, rest, width = (VOLTS, 0.0, HALF_NS) if low_ns is None else (0.0, VOLTS, low_ns)
    edge = driver.edge_ns
    lines = [
        f"Vdrive drive 0 PULSE({rest} {high} {START_NS}n {edge}n {edge}n {width - edge}n 1)",
        f"Rdrive drive line {driver.ohms}",
        f"Vcc vcc 0 {VOLTS}",
        f".model clamp D(Rs={CLAMP_OHMS:g} Is={CLAMP_AMPS:g})",
    ]
    at, taps = "line", []
    for number, pieces in enumerate(chain.way):
        at = _along(lines, at, pieces, f"w{number}")
        lines += _load(at, REGISTER_FARADS)
        taps.append(at)
    if end:
        lines += [f"Rend {at} end {end.ohms}", f"Cend end 0 {end.farads:g}"]
    if chain.listeners:
        lines.append(f"Rlisten line branch {chain.listeners_ohms}")
        taps.append(_along(lines, "branch", chain.listeners, "listen"))
        lines += _load(taps[-1], LISTENERS_FARADS)
    last_ns = START_NS + width + HALF_NS
    return run(lines, [f"tran {STEP_NS}n {last_ns}n 0 {STEP_NS}n", "write"], [f"v({tap})" for tap in taps])


def _along(lines: list[str], at: str, pieces: Sequence[Stretch], name: str) -> str:
    for k, piece in enumerate(pieces):
        to, delay_ns = f"{name}_{k}", piece.metres * piece.ns_a_metre
        if delay_ns < 2 * STEP_NS:  # a line must be longer than a step; far below an edge it is a coil and a capacitor
            nanohenries, picofarads = piece.ohms * delay_ns, 1000 * delay_ns / piece.ohms
            lines += [f"L{to} {at} {to} {nanohenries:.4f}n", f"C{to} {to} 0 {picofarads:.4f}p"]
        else:  # every echo would be a breakpoint of its own without REL and ABS
            lines.append(f"T{to} {at} 0 {to} 0 Z0={piece.ohms} TD={delay_ns:.5f}n REL=1e6 ABS=1e6")
        at = to
    return at


def _load(at: str, farads: float) -> list[str]:
    return [f"Cin{at} {at} 0 {farads:g}", f"Dup{at} {at} vcc clamp", f"Ddown{at} 0 {at} clamp", f"Rsee{at} {at} 0 1e9"]


# ---- what a register makes of them ------------------------------------------------------------------------


def look(chain: Chain, driver: Driver, end: Terminator | None = None) -> ClockSeen:
    """Return what each register sees of one clock pulse; raises `CannotBuild`."""
    points = waveforms(chain, driver, end)
    found = [_register([row[0] * 1e9 for row in points], [row[k] for row in points]) for k in range(1, len(points[0]))]
    most, least = max(max(row[1:]) for row in points), min(min(row[1:]) for row in points)
    edges, times = tuple(edges for edges, _ in found), tuple(times for _, times in found)
    return ClockSeen(edges, times, bool(chain.listeners), most, clamp_ma(max(most - VOLTS, -least)))


def clamp_ma(beyond_volts: float) -> float:
    """Return what an input's diode carries, in mA, at so many volts above the supply or below ground."""
    low, high = 0.0, max(beyond_volts, 0.0) / CLAMP_OHMS
    for _ in range(60):
        amps = (low + high) / 2
        needed = amps * CLAMP_OHMS + THERMAL_VOLTS * math.log1p(amps / CLAMP_AMPS)
        low, high = (amps, high) if needed < beyond_volts else (low, amps)
    return 1000 * low


def _register(times_ns: Sequence[float], volts: Sequence[float]) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return, by threshold, how many rising edges a register takes and when the first is over."""
    extremes = [v for a, v, b in zip(volts, volts[1:], volts[2:], strict=False) if (v - a) * (b - v) < 0]
    records: list[tuple[float, float]] = []  # (volts, time) whenever it was never so high before
    for time, v in zip(times_ns, volts, strict=True):
        if not records or v > records[-1][0]:
            records.append((v, time))
    edges, times, at = [], [], 0
    for hundredths in THRESHOLDS:
        over, under = hundredths / 100 + HYSTERESIS / 2, hundredths / 100 - HYSTERESIS / 2
        while at < len(records) and records[at][0] <= over:
            at += 1
        times.append(records[at][1] if at < len(records) else float("inf"))
        count, up = 0, False
        for v in extremes:
            if not up and v > over:
                count, up = count + 1, True
            elif up and v < under:
                up = False
        edges.append(count)
    return tuple(edges), tuple(times)


def misreads(seen: ClockSeen, thresholds: Sequence[float]) -> bool:
    """Return whether a chain with these thresholds, a volt value a register, shifts wrong.

    A register takes one pulse for several or for none, or clocks after its neighbour's output has already gone on.
    """
    places = [min(max(round(100 * volts), THRESHOLDS[0]), THRESHOLDS[-1]) - THRESHOLDS[0] for volts in thresholds]
    if any(edges[place] != 1 for edges, place in zip(seen.edges, places, strict=True)):
        return True
    times = [each[place] for each, place in zip(seen.times_ns, places, strict=True)]
    if seen.listening and times.pop() > times[0] + TPD_NS:
        return True
    return any(here > after + TPD_NS for here, after in pairwise(times))


def may_misread(seen: ClockSeen) -> bool:
    """Return whether there are thresholds, within what the data sheet allows, with which a chain misreads."""
    allowed = slice(round(100 * LOW) - THRESHOLDS[0], round(100 * HIGH) - THRESHOLDS[0] + 1)
    if any(edges != 1 for each in seen.edges for edges in each[allowed]):
        return True
    times = [each[allowed] for each in seen.times_ns]
    first, last = [min(each) for each in times], [max(each) for each in times]
    if seen.listening and (first.pop(), last.pop())[1] > first[0] + TPD_NS:
        return True
    return any(here > after + TPD_NS for here, after in zip(last[:-1], first[1:], strict=True))


def share(seen: ClockSeen, mean_volts: float, chains: int) -> int:
    """Return how many of ``chains`` misread; thresholds are drawn around a mean, within what the data sheet allows."""
    if not may_misread(seen):
        return 0
    dice = random.Random(1)

    def drawn() -> float:
        return min(max(dice.gauss(mean_volts, SPREAD_VOLTS), LOW), HIGH)

    return sum(misreads(seen, [drawn() for _ in seen.edges]) for _ in range(chains))


def step(chain: Chain, driver: Driver) -> tuple[float, float]:
    """Return the volts of the step at register 1 on the way up, and for how many ns it waits there for the echo."""
    points = waveforms(chain, driver, None)
    ohms = chain.way[0][0].ohms
    full = VOLTS * ohms / (ohms + driver.ohms)
    rise = [(row[0] * 1e9, row[1]) for row in points if row[0] * 1e9 < START_NS + HALF_NS]
    begins = next(time for time, v in rise if v > 0.8 * full)
    ends = next(time for time, v in rise if v > 1.25 * full)
    on_it = sorted(v for time, v in rise if begins <= time <= ends)
    return on_it[len(on_it) // 2], ends - begins


def low_ns(chain: Chain, driver: Driver, end: Terminator | None, pulse_ns: float) -> float:
    """Return for how long the worst register certainly sees a latch pulse of that length."""
    points = waveforms(chain, driver, end, pulse_ns)
    registers = len(chain.way)
    lengths = []
    for k in range(1, registers + 1):
        longest, since = 0.0, None
        for row in points:
            if row[k] < LOW:
                since = row[0] if since is None else since
                longest = max(longest, row[0] - since)
            else:
                since = None
        lengths.append(longest * 1e9)
    return min(lengths)
