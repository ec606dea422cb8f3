"""Where to put the multimeter's tips, step by step, and what it shows on a board without a fault."""

from __future__ import annotations

import msgspec

from hardware.power import PULL_UP_OHMS, VOLTS, Budget

SUPPLY_V = (4.75, 5.25)  # what a supply of 5 V gives: plus and minus 5 %, Mean Well GST


class Point(msgspec.Struct, frozen=True):
    """A measurement: black tip, red tip, what to expect, and what it means when it is not so."""

    step: str
    black: str
    red: str
    expected: str
    otherwise: str


def points(found: Budget) -> tuple[Point, ...]:
    """Return the measurements in the order of the manual's steps."""
    low, high = SUPPLY_V
    bus = f"{low:g} to {high:g} V"
    last = found.farthest_volts - (VOLTS - low)
    pull_up = f"{PULL_UP_OHMS / 1000:g} kΩ"
    return (
        Point("3, no chip, no power", "GND of the card", "5 V of the card", "over 1 MΩ", "a bridge between two tracks"),
        Point("3, no chip, no power", "5 V of the card", "each input", pull_up, "network turned round, or a dry joint"),
        Point("3, no chip, no power", "each input", "the next input", f"{2 * PULL_UP_OHMS / 1000:g} kΩ",
              "less: a bridge between the two"),
        Point("3, chip in, 5 V from the Nano", "GND", "pin 16 of the chip", "4.6 to 5.25 V", "supply wire"),
        Point("3, chip in, 5 V from the Nano", "GND", "each input", "pin 16, less 0.1 V at most", "its pull-up"),
        Point("4, no power", "ground wire", "a site's signal wire", "open; under 1 Ω with a magnet on the site",
              "reed broken, or its pigtail off"),
        Point("5, 5 V from the Nano", "GND", "an input, magnet on its site", "0.0 to 0.1 V", "wire at another input"),
        Point("5, 5 V from the Nano, firmware running", "GND", "PL (pin 1) of the last register", "4.5 to 5.25 V",
              "latch wire: it is low for microseconds only"),
        Point("5, 5 V from the Nano, firmware running", "GND", "DS (pin 10) of the last register", "0.0 V",
              "the chain's end is not tied to ground"),
        Point("7, no Pi, no Nano", "bus, black", "bus, red", bus, "polarity, fuse, socket"),
        Point("7, no Pi, no Nano", "GND of the last pixel", "5 V of the last pixel", f"{low - 0.1:.2f} to {high:g} V",
              "a feed is missing"),
        Point("7, no Pi, no Nano", "pin 7 of the 74AHCT125", "pin 14", bus, "its feed"),
        Point("7, Pi and lights on", "GND of the last pixel", "5 V of the last pixel", f"{last:.2f} V or more",
              "wires too thin, or a feed off"),
        Point("7, Pi and lights on", "pin 6 of the Pi's header", "pin 2", "4.75 V or more",
              "the Pi's lead: shorter, thicker"),
    )  # fmt: skip


def table(found: Budget) -> list[str]:
    """Return the measurements as a table in Markdown."""
    rows = ["| step | black tip | red tip | expected | if not |", "| --- | --- | --- | --- | --- |"]
    return rows + [f"| {p.step} | {p.black} | {p.red} | {p.expected} | {p.otherwise} |" for p in points(found)]
