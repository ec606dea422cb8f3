"""One sensor's input in SPICE: a bouncing reed contact, its wire and pull-up at a 74HC165, and what the scans see."""

from __future__ import annotations

import bisect
from collections.abc import Sequence

import msgspec

from hardware.spice.ngspice import Rows, run

VOLTS = 5.0
PULL_UP_OHMS = 10_000
WIRE_OHMS, WIRE_FARADS = 0.2, 150e-12  # two metres, there and back, beside its neighbours
INPUT_FARADS = 3.5e-12  # Nexperia 74HC165
HIGH, LOW = 0.7 * VOLTS, 0.3 * VOLTS  # what a 74HC takes for certain
SCAN_US = 1000
SCANS = 4  # in a row that must agree: the firmware's default debounce
# When the contact closes and opens, in µs: makes that bounce for 1.9 ms, opens after 12 ms and bounces again.
CLOSES = ((1000, 1120), (1260, 1480), (1530, 1900), (2010, 2030), (2900, 12_000), (12_090, 12_160), (12_400, 12_430))
END_US = 20_000
PHASES = 50  # of the scans, that are looked at


class Input(msgspec.Struct, frozen=True):
    """What was found over all phases of the scan. ``changes`` are those that each phase believed, as (least, most)."""

    rise_us: float  # from open to a certain high
    fall_us: float
    undefined: int  # scans that fell between the levels, of all
    scans: int
    changes: tuple[int, int]


def waveform() -> Rows:
    """Return time in seconds and the volts at the register's input."""
    steps = [(0.0, 0)]
    for close, opened in CLOSES:
        steps += [(close, 0), (close + 0.1, 1), (opened, 1), (opened + 0.1, 0)]
    pwl = " ".join(f"{at}u {level}" for at, level in steps)
    netlist = [
        f"Vcc vcc 0 {VOLTS}",
        f"Vreed ctl 0 PWL({pwl})",
        f"Rpull vcc in {PULL_UP_OHMS}",
        f"Cin in 0 {INPUT_FARADS}",
        f"Rwire in far {WIRE_OHMS}",
        f"Cwire far 0 {WIRE_FARADS}",
        "Sreed far 0 ctl 0 reed",
        ".model reed SW(vt=0.5 ron=0.15 roff=1e9)",
    ]
    return run(netlist, [f"tran 1u {END_US}u", "write"], ["v(in)"])


def look(points: Rows) -> Input:
    """Return what scans at any phase make of the waveform."""
    undefined = scans = 0
    changes = []
    for phase in range(PHASES):
        first = SCAN_US * phase / PHASES
        volts = [volts_at(points, first + SCAN_US * k) for k in range(int((END_US - first) // SCAN_US))]
        scans += len(volts)
        undefined += sum(LOW < v < HIGH for v in volts)
        changes.append(believed([v < VOLTS / 2 for v in volts]))
    rise, fall = _edge(points, CLOSES[-1][1], HIGH, up=True), _edge(points, CLOSES[0][0], LOW, up=False)
    return Input(rise, fall, undefined, scans, (min(changes), max(changes)))


def volts_at(points: Rows, us: float) -> float:
    """Return the voltage at a time."""
    return points[max(bisect.bisect(points, us * 1e-6, key=lambda row: row[0]) - 1, 0)][1]


def _edge(points: Rows, from_us: float, level: float, *, up: bool) -> float:
    after = (row for row in points if row[0] * 1e6 >= from_us)
    return next(time * 1e6 - from_us for time, volts in after if (volts >= level if up else volts <= level))


def believed(levels: Sequence[bool]) -> int:
    """Return how many changes are believed of scans that begin open: a level counts after `SCANS` in a row."""
    now, run_of, changes = False, 0, 0
    for level in levels:
        run_of = run_of + 1 if level != now else 0
        if run_of == SCANS:
            now, run_of, changes = level, 0, changes + 1
    return changes
