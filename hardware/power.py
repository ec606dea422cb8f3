"""The power budget of a board: what draws how much, the supply, the fuse and the wires that follow from it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby

import click
import msgspec

from hardware import supply_path
from hardware.profile import IDLE_MILLIAMPS, REGISTER_BITS, BadProfile, Profile, Site, load
from hardware.supply_path import KINDS, PIS, Pi

VOLTS = 5.0
PIXEL_MILLIAMPS = 60  # full white, beside what it draws dark: Adafruit, NeoPixel Überguide, "Powering NeoPixels"
PULL_UP_OHMS = 10_000
REGISTER_MILLIAMPS = 0.5  # Nexperia 74HC165: 80 µA at rest and 35 pF × 5 V × 1 MHz = 0.18 mA at work, rounded up
HALL_MILLIAMPS = 2.7  # TI DRV5023, SLIS151G: supply current, typical
NANO_MILLIAMPS = 40  # ATmega328P 16 MHz 5 V: under 15 mA (data sheet, figure of active supply current); USB chip, lamps

NANO_ON_USB = (
    "The Nano is fed by USB, and so is its chain where it is wired by hand; both are counted here all the same, as a "
    "reserve."
)

# Mean Well, by rated current in mA at 5 V. The GST series are closed desktop supplies with a plug; the LRS series
# has open mains terminals and is for people who may wire mains.
SUPPLIES = ((3000, "GST18A05-P1J"), (4000, "GST25A05-P1J"), (5000, "GST40A05-P1J"), (6000, "GST60A05-P1J"))
OPEN_SUPPLIES = ((10_000, "LRS-50-5 (open mains terminals: only for people who may wire mains)"),)
FUSES_A = (1, 2, 3, 4, 5, 7.5, 10, 15)  # ATO blade fuses, ISO 8820-3
FUSE_LOAD = 0.75  # of its rating, the most that a fuse carries for long: Littelfuse, Fuseology
FUSE_BLOWS = 1.35  # of its rating, at which it blows within ten minutes; at 2.0 within 5 s: Littelfuse 257
SUPPLY_LEAST = 1.05  # of its rating, beyond which a supply may cut off: Mean Well GST, LRS
GAUGES = (26, 24, 22, 20, 18, 16, 14, 12)
COPPER_OHM_MM = 1.72e-5  # resistivity at 20 °C in Ω·mm²/mm: IEC 60028
DENSITY_A_MM2 = 10.0  # short single wires in free air; tables of chassis wiring allow twice that
TRUNK_DROP_VOLTS = 0.15
ROW_DROP_VOLTS = 0.10
THINNEST_FEED = 22  # carries what the fuse lets through until it blows
LEAD_MM = 600  # from the supply's socket to the edge of the board
PIXEL_LEAST_VOLTS = 3.7  # WorldSemi WS2812B: supply 3.7 to 5.3 V


class Draw(msgspec.Struct, frozen=True):
    """One line of the budget: ``count`` things of ``each_ma`` milliamperes, at worst."""

    what: str
    count: int
    each_ma: float
    source: str

    @property
    def milliamps(self) -> float:
        """Return what all of them draw."""
        return self.count * self.each_ma


class Wire(msgspec.Struct, frozen=True):
    """A run of two wires, there and back: ``drop_volts`` is lost on both together at ``amps``."""

    what: str
    amps: float
    length_mm: float
    gauge: int
    drop_volts: float


class Budget(msgspec.Struct, frozen=True):
    """What a board draws at worst, and what feeds it. ``rows`` are the pieces of strip that are fed one by one."""

    draws: tuple[Draw, ...]
    supply_ma: int
    supply: str
    fuse_a: float  # of each branch
    branches: int  # each with its own fuse and trunk, and its share of the rows
    trunk: Wire
    feed: Wire | None
    rows: int

    @property
    def milliamps(self) -> float:
        """Return the sum of all draws."""
        return sum(draw.milliamps for draw in self.draws)

    @property
    def farthest_volts(self) -> float:
        """Return what is left at the pixel that is farthest away, with all current going there."""
        return VOLTS - self.trunk.drop_volts - (self.feed.drop_volts if self.feed else 0.0)


def budget(profile: Profile, pi: Pi | None = None, supply_ma: int | None = None) -> Budget:
    """Return the budget of a board; ``supply_ma`` is a supply that is there already.

    The supply feeds ``pi`` as well; None: the Pi has one of its own, as the guide has it.
    Raises `BadProfile` where the supply, or the largest that there is, gives less than the board can draw.
    """
    if profile.has_tiles:
        raise BadProfile([f"{profile.name} is fed by a supply of 5 V and 3 A at its hub: see docs/tiles-figures.md"])
    if profile.has_fields:
        told = f"{profile.name} is fed by its USB plug: docs/build/cell36.md says what it draws"
        raise BadProfile([told])
    draws = _draws(profile, pi)
    total = sum(draw.milliamps for draw in draws)
    rated, supply = _supply(profile, total, draws[0].milliamps, supply_ma)
    width = max(x for site in profile.sites for x, _ in site.outline)
    height = max(y for site in profile.sites for _, y in site.outline)
    rows = light_rows(profile)
    longest = max((len(row) for row in rows), default=0)
    lights_a = min(profile.max_milliamps, longest * (PIXEL_MILLIAMPS + IDLE_MILLIAMPS)) / 1000
    feed = _wire("bus to a row of lights", lights_a, width / 2, ROW_DROP_VOLTS, lights_a, thinnest=THINNEST_FEED)
    board_a = (total - (KINDS[pi].milliamps if pi else 0)) / 1000
    branches, fuse = fused(board_a, rated / 1000)
    amps, length_mm = board_a / branches, LEAD_MM + height
    trunk = _wire("fuse to the board and along its edge", amps, length_mm, TRUNK_DROP_VOLTS, fuse)
    return Budget(draws, rated, supply, fuse, branches, trunk, feed if rows else None, len(rows))


def fused(board_a: float, supply_a: float) -> tuple[int, float]:
    """Return into how many equal branches the board is fed, and the fuse of each: it carries its branch for long, and
    blows by what the supply gives before that cuts off. Raises `BadProfile` where there is none.
    """
    for branches in range(1, 9):
        for fuse in FUSES_A:
            if board_a / branches <= fuse * FUSE_LOAD and fuse * FUSE_BLOWS <= supply_a * SUPPLY_LEAST:
                return branches, fuse
    raise BadProfile(
        [f"no fuse carries {board_a:.1f} A and blows behind a supply of {supply_a:g} A; set max_milliamps lower"]
    )


def _draws(profile: Profile, pi: Pi | None) -> tuple[Draw, ...]:
    registers, sensors = profile.wired_length // REGISTER_BITS, profile.sensor_count
    full = profile.light_count * (PIXEL_MILLIAMPS + IDLE_MILLIAMPS)
    pull_up_ma = VOLTS / PULL_UP_OHMS * 1000
    draws = [
        Draw(f"lights, {profile.light_count} pixels", 1, min(profile.max_milliamps, full),
             f"max_milliamps; at full white they would draw {full} mA (Adafruit, NeoPixel Überguide)"),
        Draw("pull-ups of closed sensors", sensors, pull_up_ma, f"5 V over {PULL_UP_OHMS // 1000} kΩ, all closed"),
        Draw("74HC165", registers, REGISTER_MILLIAMPS, "Nexperia 74HC165 data sheet, at 1 MHz"),
        Draw("sensor board (Nano)", 1, NANO_MILLIAMPS, "ATmega328P data sheet, USB chip and lamps beside"),
    ]  # fmt: skip
    if pi:
        source = "busy, with the sensor board on USB; Raspberry Pi's table"
        draws.append(Draw(KINDS[pi].name, 1, KINDS[pi].milliamps, source))
    if profile.sensor == "hall":
        draws.insert(1, Draw("hall switches", sensors, HALL_MILLIAMPS, "TI DRV5023 data sheet (SLIS151G)"))
    return tuple(draws)


def _supply(profile: Profile, total: float, lights_ma: float, supply_ma: int | None) -> tuple[int, str]:
    largest = (*SUPPLIES, *OPEN_SUPPLIES)[-1][0] if supply_ma is None else supply_ma
    if total > largest:
        spare = math.floor(lights_ma - (total - largest))
        what = "the largest supply of the list gives" if supply_ma is None else "the supply gives"
        advice = (
            f"set max_milliamps to {spare} at most"
            if spare >= profile.light_count * IDLE_MILLIAMPS
            else "give the Pi a supply of its own"
        )
        raise BadProfile([f"{profile.name} can draw {total:.0f} mA, {what} {largest} mA; {advice}"])
    if supply_ma is not None:
        return supply_ma, "the supply that was given"
    return next(entry for entry in (*SUPPLIES, *OPEN_SUPPLIES) if total <= entry[0])


def _wire(what: str, amps: float, length_mm: float, drop: float, rated_a: float, thinnest: int = GAUGES[0]) -> Wire:
    """Return the thinnest wire that carries ``rated_a`` and loses at most ``drop`` there and back at ``amps``."""
    for gauge in GAUGES:
        lost = amps * 2 * length_mm * COPPER_OHM_MM / area_mm2(gauge)
        if gauge <= thinnest and lost <= drop and rated_a <= area_mm2(gauge) * DENSITY_A_MM2:
            return Wire(what, amps, length_mm, gauge, lost)
    raise BadProfile(
        [f"the wires '{what}' need {amps:.1f} A over {length_mm:.0f} mm; AWG {GAUGES[-1]} loses over {drop} V"]
    )


def area_mm2(gauge: int) -> float:
    """Return the copper of a wire by its AWG number (ASTM B258: 0.127 mm × 92^((36 − n) / 39) across)."""
    across_mm: float = 0.127 * 92 ** ((36 - gauge) / 39)
    return math.pi / 4 * across_mm**2


def light_rows(profile: Profile) -> tuple[tuple[Site, ...], ...]:
    """Return the lights in the strip's order, cut wherever a row or a tile ends: each piece is fed from the bus."""
    sites = {site.name: site for site in profile.sites}
    tiles = any(site.kind != "cell" for site in profile.sites)
    pixels = [sites[name] for name in profile.by_light() if name is not None]
    return tuple(tuple(row) for _, row in groupby(pixels, key=lambda site: _row_of(site.name, tiles)))


def _row_of(name: str, tiles: bool) -> str:
    """Return what tells one row from the next: the number of a cell, or the cell where it is a tile of many sites."""
    cell = name.split(".")[0].split(":")[0]
    return cell if tiles else cell.lstrip("abcdefghijklmnopqrstuvwxyz")


def lines(found: Budget) -> Sequence[str]:
    """Return the budget as lines of Markdown."""
    table = ["| what | number | mA each | mA | from |", "| --- | ---: | ---: | ---: | --- |"]
    table += [f"| {d.what} | {d.count} | {d.each_ma:g} | {d.milliamps:.0f} | {d.source} |" for d in found.draws]
    table += [f"| **at worst** | | | **{found.milliamps:.0f}** | |", "", NANO_ON_USB, ""]
    wires = [found.trunk, *([found.feed] if found.feed else [])]
    table += ["| part | which | why |", "| --- | --- | --- |"]
    supply = f"5 V {found.supply_ma / 1000:g} A, {found.supply}"
    table.append(f"| supply | {supply} | the next above {found.milliamps:.0f} mA |")
    table.append(
        f"| fuses | {found.branches} × {found.fuse_a:g} A blade, in + next to the supply, a branch of the board each | "
        f"carries {found.trunk.amps:.1f} A at {FUSE_LOAD:.0%} of its rating at most, and blows at "
        f"{found.fuse_a * FUSE_BLOWS:.1f} A, which the supply gives |"
    )
    for wire in wires:
        table.append(
            f"| {wire.what} | AWG {wire.gauge} ({area_mm2(wire.gauge):.2f} mm²) | {wire.amps:.1f} A over "
            f"{wire.length_mm:.0f} mm lose {wire.drop_volts:.2f} V there and back |"
        )
    table.append(
        f"| left at the last pixel | {found.farthest_volts:.2f} V | a WS2812B wants {PIXEL_LEAST_VOLTS} V; "
        f"{found.rows} pieces of strip, each fed from the bus |"
    )
    return table


@click.command()
@click.argument("board")
@click.option("--pi", type=click.Choice(PIS), help="The same supply feeds this Pi; without, the Pi has its own.")
@click.option("--supply-milliamps", type=click.IntRange(min=1), help="What your supply gives at 5 V.")
def main(board: str, pi: Pi | None, supply_milliamps: int | None) -> None:
    """Print the power budget of BOARD, a name or the path of a board file, and what reaches a Pi beside it."""
    try:
        found = budget(load(board), pi, supply_milliamps)
    except BadProfile as error:
        raise click.ClickException(str(error)) from error
    beside_ma = found.milliamps - (KINDS[pi].milliamps if pi else 0)
    for line in (*lines(found), "", *supply_path.lines(beside_ma)):
        click.echo(line)


if __name__ == "__main__":
    main()
