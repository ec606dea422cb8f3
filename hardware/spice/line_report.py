"""Page and picture of the chain's lines, for `hardware.spice.report`: which chain misreads behind which driver."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from hardware.profile import chained, load
from hardware.spice import line
from hardware.spice.drawing import HEAD, INK, polyline, words
from hardware.spice.line import (
    END_PLUG,
    HAT_100,
    NANO_22,
    NANO_100,
    NANO_PIN,
    STRONG_GATES,
    TWO_GATES,
    WEAK_GATES,
    Chain,
    Driver,
    Terminator,
)

CHAINS = 1000
BEFORE = (2.1, 2.2, 2.3, 2.4, 2.5)  # volts: where the thresholds of most 74HC lie
MEANS = (1.8, 2.1, 2.5, 2.9, 3.2)  # with three standard deviations from 1.5 to 3.5 V
HAND_OHMS = (110, 160, 220)

PAGE = """# What SPICE found about the chain's clock and latch

Made by `make circuit` with ngspice. A register of the chain is a small load on a line of metres. Each waveform is
held against {chains} chains whose thresholds are drawn around a mean with {spread:g} V of spread (seed 1). A chain
*misreads* when one of its registers takes a clock pulse for two or for none. It also misreads when one clocks more
than {tpd:g} ns after the next one, whose old bit is gone by then. The tracker's two 74HC595 count as registers.

## Why two gates

| chain | driver | {before_means} |
| --- | --- | {before_lines} |
{choices}

Behind 100 Ω the edge stops at {step:.2f} V for {wait:.0f} ns at the first of 18 strips, and behind 22 Ω at
{step_22:.2f} V, going down as it goes up. That is in the midst of the thresholds, where its ripple makes two edges out
of one. So 22 Ω do not mend it: they only change the threshold that suffers, and a terminator at the end leaves the
first step as it is. A Schmitt trigger on each board would mend it, with 18 chips and 290 joints more on a large
board. Two gates of one 74AHCT125 side by side, about 10 Ω and nothing in series, send a step that is beyond every
threshold at once. They sit on the carrier and on the hat. Wires on perfboard have a higher impedance than tracks,
so the Nano's own pin is enough there.

The tracker's clock branches off behind 100 Ω, so that the echoes of its ribbon stay on it.

## Every board

Worst of {drivers} for the circuit boards, of {hand} Ω of wire for those by hand.

| chain | driver | {means} | highest | clamp | with the plug | clamp |
| --- | --- | {lines} | ---: | ---: | ---: | ---: |
{boards}

Misread of {chains}. *With the plug* is the most of all these means. Three standard deviations around these means fill
what a data sheet leaves open, 1.5 to 3.5 V; no threshold is drawn beyond that.

## The end plug

An open end throws the edge back, above the supply and below ground, where the diodes of the inputs take it up. *Clamp*
is the most that a diode carries for some nanoseconds at each edge. A 74HC bears {limit:g} mA (Nexperia, limiting
values); the Nano's own pin keeps within it, and two gates do not: **{over}** is beyond.

So the chain's last plug, which ties DATA to ground, also has {plug_ohms:g} Ω and {plug_pf:g} pF in series from CLOCK to
ground. They take up the edge and draw no current at rest. With the Nano's own pin leave them off: its edge is weak
enough already, and they would spoil it.

![The clock at the first register of 18 strips](pictures/chain-line.svg)

## The latch

PL must be low for 24 ns. The least that a register certainly sees (below {low:g} V):

| chain | 125 ns behind 100 Ω | 1 µs from two gates |
| --- | --- | --- |
{latches}

## What this cannot see

Crosstalk between ribbons, a supply that dips, loose plugs. Try the whole chain with `beaconboard doctor`.
"""


def page() -> tuple[str, str]:
    """Return the page and its picture; raises `CannotBuild`."""
    strips, tiles = line.on_boards(load("square144")), line.on_boards(load("shell19"))
    assert strips
    assert tiles
    step, wait = line.step(strips, NANO_100)
    rows = list(_boards())
    text = PAGE.format(
        chains=CHAINS, spread=line.SPREAD_VOLTS, tpd=line.TPD_NS, step=step, wait=wait,
        step_22=line.step(strips, NANO_22)[0], before_means=" | ".join(f"{m} V" for m in BEFORE),
        before_lines=" | ".join("---:" for _ in BEFORE), choices="\n".join(_choices((strips, tiles))),
        drivers="7, 10 and 14 Ω", hand=", ".join(map(str, HAND_OHMS)), means=" | ".join(f"{m} V" for m in MEANS),
        lines=" | ".join("---:" for _ in MEANS), boards="\n".join(row.line for row in rows), low=line.LOW,
        latches="\n".join(_latches((strips, tiles))), limit=line.CLAMP_MA, over=_over(rows),
        plug_ohms=END_PLUG.ohms, plug_pf=END_PLUG.farads * 1e12,
    )  # fmt: skip
    return text, picture(strips)


def _choices(chains: tuple[Chain, ...]) -> Iterator[str]:
    for chain in chains:
        joined = msgspec.structs.replace(chain, listeners_ohms=1.0)  # as the tracker hung before
        before: list[tuple[Driver, Terminator | None]]
        before = [(NANO_100, None), (HAT_100, None), (NANO_22, None), (NANO_22, END_PLUG)]
        for each, driver, end in [*((joined, *case) for case in before), (chain, TWO_GATES, None)]:
            seen = line.look(each, driver, end)
            shares = " | ".join(f"{line.share(seen, mean, CHAINS) / CHAINS:.1%}" for mean in BEFORE)
            ended = f", {END_PLUG.ohms:g} Ω and {END_PLUG.farads * 1e12:g} pF at the end" if end else ""
            yield f"| {chain.name} | {driver.name}{ended} | {shares} |"


class BoardRow(msgspec.Struct, frozen=True):
    """A line of the table, and what its diodes carry without the end plug."""

    line: str
    clamp_ma: float


def _over(rows: list[BoardRow]) -> str:
    beyond = [row.clamp_ma for row in rows if row.clamp_ma > line.CLAMP_MA]
    return f"{min(beyond):.0f} to {max(beyond):.0f} mA" if beyond else "none"


def _boards() -> Iterator[BoardRow]:
    for name in chained():
        profile = load(name)
        chain = line.on_boards(profile)
        if chain:
            yield _worst([(chain, each) for each in (STRONG_GATES, TWO_GATES, WEAK_GATES)])
        for driver in (NANO_PIN, TWO_GATES):
            yield _worst([(line.by_hand(profile, ohms), driver) for ohms in HAND_OHMS])


def _worst(cases: list[tuple[Chain, Driver]]) -> BoardRow:
    chain, driver = cases[0]
    seen = [line.look(*case) for case in cases]
    shares = [max(line.share(each, mean, CHAINS) for each in seen) for mean in MEANS]
    volts, clamp = max(each.most_volts for each in seen), max(each.clamp_ma for each in seen)
    ended = [line.look(*case, END_PLUG) for case in cases] if driver is not NANO_PIN else []
    misread = max((line.share(each, mean, CHAINS) for each in ended for mean in MEANS), default=None)
    ended_ma = max((each.clamp_ma for each in ended), default=0.0)
    counts = " | ".join(str(found) for found in shares)
    plug = "left off | " if misread is None else f"{misread} | {ended_ma:.0f} mA"
    row = f"| {chain.name} | {driver.name} | {counts} | {volts:.1f} V | {clamp:.0f} mA | {plug} |"
    return BoardRow(row, clamp)


def _latches(chains: tuple[Chain, ...]) -> Iterator[str]:
    for chain in chains:
        before = line.low_ns(chain, NANO_100, None, 125)
        yield f"| {chain.name} | {before:.0f} ns | {line.low_ns(chain, TWO_GATES, None, 1000):.0f} ns |"


def picture(chain: Chain) -> str:
    """Return the clock at the first register behind each driver, as SVG."""
    width, height, left, top = 720, 360, 60, 40
    parts = [HEAD.format(width=width, height=height)]

    def at(time_ns: float, volts: float) -> tuple[float, float]:
        return left + time_ns * 0.75, top + (6 - volts) * 45

    for volts in range(7):
        parts.append(polyline([at(0, volts), at(800, volts)], "#eee", 1))
        parts.append(words(left - 8, at(0, volts)[1] + 4, f"{volts} V", "end"))
    for border in (line.LOW, line.HIGH):
        parts.append(polyline([at(0, border), at(800, border)], INK, 1, "4 4"))
    kinds = ((NANO_100, "#b7410e"), (NANO_22, "#e69f00"), (TWO_GATES, "#2b6cb0"))
    for k, (driver, colour) in enumerate(kinds):
        rows = line.waveforms(msgspec.structs.replace(chain, listeners=()), driver, None)
        points = [at(row[0] * 1e9, row[1]) for row in rows[::8] if row[0] < 800e-9]
        parts += [polyline(points, colour), words(left + k * 220, 20, driver.name, colour=colour)]
    parts.append(words(left, height - 8, "0 to 0.8 µs; between the dashed lines a 74HC may take it for either"))
    return "\n".join([*parts, "</svg>", ""])
