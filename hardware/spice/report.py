"""Makes the page and pictures of what SPICE found: ``python -m hardware.spice.report DOCS``, by ``make circuit``."""

from __future__ import annotations

import random
import sys
from pathlib import Path

from hardware.cannot_build import CannotBuild
from hardware.profile import Profile, load
from hardware.spice import drawing, line_report, sensor, strip, tracker
from hardware.tracker_circuit import BETWEEN, FULL, TOLERANCE, TrackerCircuit, circuit_of

SEED = 1
BOARDS = 1000
NAMES = {6: "hex", 4: "square"}
SPREAD = tracker.Spread()
COARSE = tracker.Spread(resistor=0.05)

PAGE = """# What SPICE found about the circuits

Made by `make circuit` with ngspice; [tracker.md](tracker.md) explains the circuit. Counts are of the ADC, 1024 at the
supply.

## Every pair of shells, nominal parts

| tiles | pairs of shells | axes | wrong H | most counts off a level |
| --- | --- | --- | --- | --- |
{pairs}

## Boards of random parts

{boards} boards of each kind, every pattern of gates on each (seed {seed}). Each part is drawn evenly between its ends.
Resistors are within ±{percent:g} %, each gate's output has {gate[0]:g} to {gate[1]:g} Ω, high and low apart, and the
supply {supply[0]:g} to {supply[1]:g} V. The tracker lies up to {drop:g} % below the ADC's reference, and the ADC is
within ±{adc:g} counts. *Worst end* has all of them at once at the end that hurts most.

| tiles | gap | boards | readings | wrong H | most off | margin | worst end, margin | with 5 % resistors |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
{margins}

The margin is what is left, in counts, to the border of another H.

![How far readings lie off their levels](pictures/tracker-margins.svg)

The service takes a reading for a level within ±{between} counts and calls a part wrong beyond ±{tolerance}.

## Settling

After a latch with all gates turning over, the ADC's capacitor is within half a count after {settle6:.1f} µs (hex) or
{settle4:.1f} µs (square). That is with the most that its multiplexer may have (100 kΩ) and a metre of cable. It is
sampled 12 µs after a conversion begins, and a conversion begins when the whole chain has been read.

## One sensor's input

A reed contact that bounces for 1.9 ms when it closes, with 10 kΩ to 5 V, two metres of wire and a 74HC165. The input
falls in {fall:.2f} µs and rises to a certain high in {rise:.2f} µs. Of {scans} scans in 50 phases {undefined} fell
between the levels. With {in_row} scans in a row every phase believed {changes} changes: the contact closed, and it
opened.

## The lights' supply

Volts at the worst light when the strip draws its board's limit, along 35 µm rails of 5 mm; a WS2812B needs
{least:g} V.

| board | fed at | all alike | one stretch, far from the feeds |
| --- | --- | --- | --- |
{strips}
"""


def page(circuits: dict[int, TrackerCircuit], boards: tuple[Profile, ...]) -> tuple[str, tracker.Margin]:
    """Return the page and the hexes' margin, for the plot; raises `CannotBuild`."""
    pairs, margins, kept = [], [], {}
    for nodes, circuit in circuits.items():
        pairs.append(_pairs_row(circuit))
        kept[nodes], row = _margin_row(nodes)
        margins.append(row)
    seen = sensor.look(sensor.waveform())
    text = PAGE.format(
        pairs="\n".join(pairs), margins="\n".join(margins), boards=BOARDS, seed=SEED, percent=SPREAD.resistor * 100,
        gate=SPREAD.gate_ohms, supply=SPREAD.supply, drop=SPREAD.supply_drop * 100, adc=SPREAD.adc_counts,
        between=BETWEEN, tolerance=TOLERANCE, settle6=tracker.settling_us(6), settle4=tracker.settling_us(4),
        fall=seen.fall_us, rise=seen.rise_us, scans=seen.scans, undefined=seen.undefined or "none",
        in_row=sensor.SCANS, changes=" to ".join(map(str, sorted(set(seen.changes)))), least=strip.LEAST_VOLTS,
        strips="\n".join(row for profile in boards for row in _strip_rows(profile)),
    )  # fmt: skip
    return text, kept[6]


def _pairs_row(circuit: TrackerCircuit) -> str:
    rows = tracker.all_pairs(circuit)
    wrong, most = 0, 0.0
    for pattern, axes in enumerate(rows):
        for axis, counts in enumerate(axes):
            h = tracker.differing(circuit, axis, pattern)
            wrong += round(counts * circuit.nodes / FULL) != h
            most = max(most, abs(counts - tracker.level(circuit, h)))
    return f"| {NAMES[circuit.nodes]} | {len(rows)} | {circuit.axes} | {wrong} | {most:.1f} |"


def _margin_row(nodes: int) -> tuple[tracker.Margin, str]:
    dice = random.Random(SEED)
    boards = [tracker.draw(nodes, SPREAD, dice) for _ in range(BOARDS)]
    found = tracker.margin(nodes, boards, SPREAD, dice)
    worst, coarse = tracker.worst_case(nodes, SPREAD), tracker.worst_case(nodes, COARSE)
    gap = FULL / nodes
    readings = [off for row in found.off for off in row]
    wrong = sum(abs(off) >= gap / 2 for off in readings)
    return found, (
        f"| {NAMES[nodes]} | {gap:.1f} | {found.boards} | {len(readings)} | {wrong} | {found.worst:.1f} | "
        f"{found.margin:.1f} | {worst.margin:.1f} | {coarse.margin:.1f} |"
    )


def _strip_rows(profile: Profile) -> list[str]:
    drops = strip.drops(profile)
    alike = {drop.feed: drop.least_volts for drop in drops if drop.load == "all alike"}
    stretch = {drop.feed: drop.least_volts for drop in drops if drop.load == "one stretch"}
    name = f"{profile.name}, {profile.light_count} lights, {profile.max_milliamps / 1000:g} A"
    return [f"| {name} | {feed} | {alike[feed]:.2f} V | {stretch[feed]:.2f} V |" for feed in alike]


def main(arguments: list[str]) -> str | None:
    """Write the page and the pictures under the folder named; return a sentence where it failed."""
    if len(arguments) != 1:
        return "usage: python -m hardware.spice.report DOCS"
    docs = Path(arguments[0])
    hexes, squares = load("shell19"), load("shellsquare16")
    circuits = {
        circuit.nodes: circuit
        for circuit in (circuit_of(p.cells, {site.name: site.bit for site in p.sites}) for p in (hexes, squares))
    }
    try:
        text, margin = page(circuits, (hexes, squares, load("square144")))
        lines, waves = line_report.page()
    except CannotBuild as wrong:
        return str(wrong)
    (docs / "pictures").mkdir(parents=True, exist_ok=True)
    (docs / "tracker-figures.md").write_text(text, encoding="utf-8")
    (docs / "chain-figures.md").write_text(lines, encoding="utf-8")
    (docs / "pictures" / "chain-line.svg").write_text(waves, encoding="utf-8")
    plot = drawing.margins(margin, TOLERANCE, BETWEEN, FULL / 12)
    (docs / "pictures" / "tracker-margins.svg").write_text(plot, encoding="utf-8")
    facing = [circuits[6].facing(1, node) for node in range(6)]
    (docs / "pictures" / "tracker-circuit.svg").write_text(drawing.circuit(6, 1, facing), encoding="utf-8")
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
