"""The bill of materials of a board wired by hand, with planning prices: ``python -m hardware.manual.bill BOARD``."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import click
import msgspec

from controller.rules.mesh import Point, middle_of
from hardware.height_budget import FOAM_MM, REED_GLASS_MM, TOP_MM
from hardware.pieces import bases, games, node_count
from hardware.power import Budget, budget, light_rows
from hardware.printables.board_places import box_of, laid
from hardware.printables.geometry import Parts, middle, parts, sections
from hardware.printables.tray import screw_mm, tray_values
from hardware.printables.underside import feet
from hardware.profile import REGISTER_BITS, BadProfile, Profile, Site, load
from hardware.supply_path import KINDS, XT30, joint_for
from hardware.wiring import wiring

STRIP_PITCH_MM = 1000 / 30  # of a strip with 30 pixels a metre
STRIP_SLACK_MM = 2.0  # a pixel may lie so far from the middle of its window at the end of a row
SPARES = 0.05
REGISTERS_A_CARD = 2  # on a perfboard of 50 × 70 mm
CHAIN_WIRES = 5  # from card to card: 5 V, ground, clock, latch, data
TO_READER_MM = 300  # from the first card to the reader
TO_CARD_MM = 80  # of every sensor wire, for stripping and for the way to the card's pads
GRAM_MM3 = 0.00124  # of PLA
SLEEVE_MM = 12.0  # over the bent lead of a reed


class BillLine(msgspec.Struct, frozen=True):
    """A line of the bill: ``number`` of ``unit`` at ``each_eur``, a planning price for small numbers.

    ``which`` names a maker's part and a second one; empty where any will do.
    """

    what: str
    number: int
    unit: str
    each_eur: float
    which: str = ""

    @property
    def eur(self) -> float:
        """Return what the line costs."""
        return self.number * self.each_eur


def bill(profile: Profile) -> tuple[BillLine, ...]:
    """Return the bill of the board without pieces; raises `BadProfile` where it cannot be built or fed.

    Of one that comes assembled it is what is bought besides.
    """
    if profile.has_fields:
        return tuple(_beside_assembled(profile))
    power, sizes = budget(profile), parts(profile)
    return (
        *_brains(), *_sensors(profile), *_lights(profile), *_feeding(power), *_body(profile, sizes),
    )  # fmt: skip


def pieces_bill(profile: Profile) -> dict[str, tuple[BillLine, ...]]:
    """Return, by the title of each game on the board, the bill of its pieces for two players."""
    disc = parts(profile).disc
    found: dict[str, tuple[BillLine, ...]] = {}
    for game in games(profile):
        number = sum(bases(game, node_count(profile)).values())
        magnets = BillLine(f"disc magnet {disc[0]:g} × {disc[1]:g} mm, N42 or N45", _spare(number), "", 0.22,
                           f"supermagnete S-{disc[0]:02.0f}-{disc[1]:02.0f}-N; any N42")  # fmt: skip
        found[game.facts.title] = (magnets, BillLine("paper or label sheet A4 for tokens", 2, "", 0.30))
    return found


def _beside_assembled(profile: Profile) -> Iterator[BillLine]:
    pi, box = KINDS["pi4"], tray_values(profile)  # which refuses a board that has none
    tiles = laid(profile)
    width, depth = (round(side) for side in box_of([point for tile in tiles for point in tile.edge])[1])
    yield BillLine("Raspberry Pi 4, 2 GB, with a card of 16 GB", 1, "", 55.00, "any computer with USB, for a try")
    yield BillLine(pi.own, 1, "", pi.own_eur)
    yield BillLine("USB cable, A to C, 1 m, with data lines", 1, "", 4.00)
    if profile.has_tiles:
        yield from _beside_tiles(len(tiles))
    yield BillLine("case for the Pi", 1, "", 6.00, "any")
    yield BillLine("reader for memory cards, on USB", 1, "", 5.00, "none, where the computer has a slot")
    sheet_eur = 20.00 if profile.has_tiles else 8.00
    yield BillLine(f"opal acrylic {TOP_MM:g} mm, cut to {width} × {depth} mm", 1, "", sheet_eur,
                   f"any that lets light through; white card of {TOP_MM:g} mm")  # fmt: skip
    screws = len(tiles) * len(box["posts"])
    yield BillLine(f"screw 2.5 × {screw_mm(profile):g} for plastic, of any steel", screws, "", 0.05)
    yield BillLine("screwdriver for these screws", 1, "", 3.00)
    yield BillLine("rubber foot, self-adhesive", 4, "", 0.15)
    yield BillLine("double-sided tape, 0.2 mm thick at most", 1, "roll", 2.00)
    yield BillLine("glue stick for the sheet, contact glue for the magnets", 1, "lot", 5.00)


def _beside_tiles(tiles: int) -> Iterator[BillLine]:
    yield BillLine("supply 5 V 3 A with a plug of USB-C, for the hub", 1, "", 10.00, "any for a Raspberry Pi 4")
    yield BillLine("ribbon, 12 ways, 0.6 m, with a socket 2 × 6 at both ends", tiles, "", 2.50,
                   "Würth Elektronik 61201223021 on AWG 28; any of 2.54 mm, straight")  # fmt: skip
    yield BillLine("plywood 6 mm, 420 × 500 mm, for all tiles and the hub", 1, "", 8.00, "hardboard 5 mm")
    yield BillLine("screw 2.5 × 8 for plastic, for the hub", 4, "", 0.05)
    yield BillLine("double-sided carpet tape, below the trays", 1, "roll", 4.00)


def _spare(number: int) -> int:
    return number + math.ceil(number * SPARES)


def _brains() -> Iterator[BillLine]:
    yield BillLine("Raspberry Pi 4, 2 GB, with a card of 16 GB", 1, "", 55.00, "Raspberry Pi 4 B; Raspberry Pi 5")
    yield BillLine("Arduino Nano (ATmega328P, 16 MHz) with USB cable", 1, "", 8.00,
                   "Arduino A000005; AZ-Delivery Nano V3")  # fmt: skip


def _sensors(profile: Profile) -> Iterator[BillLine]:
    registers, sensors = profile.wired_length // REGISTER_BITS, profile.sensor_count
    if profile.sensor == "reed":
        yield BillLine(f"reed switch, closing, glass {REED_GLASS_MM:g} mm, 10 to 15 AT", _spare(sensors), "", 0.95,
                       "Standex ORD213-1015; any of that class, its glass no longer")  # fmt: skip
        yield BillLine("insulating sleeve 1 mm, for bent leads", _metres(sensors * SLEEVE_MM), "m", 0.30)
    else:
        yield BillLine("hall switch, closes at 12 mT at most, TO-92", _spare(sensors), "", 0.75,
                       "TI DRV5023AJQLPG; the same on tape, DRV5023AJQLPGM")  # fmt: skip
        yield BillLine("ceramic capacitor 100 nF, one a hall switch", _spare(sensors), "", 0.05)
    yield BillLine("74HC165, DIP-16", _spare(registers), "", 0.45, "TI SN74HC165N; Toshiba TC74HC165APF")
    yield BillLine("socket DIP-16", registers, "", 0.15, "Preci-Dip 110-87-316-41-001101; Harwin D2816-42")
    yield BillLine("resistor network 9 × 10 kΩ, SIP-10, common pin 1", registers, "", 0.25,
                   "Bourns 4610X-101-103LF; TT BI L101S103LF")  # fmt: skip
    yield BillLine("ceramic capacitor 100 nF, 2.54 mm", registers, "", 0.05,
                   "Vishay K104K15X7RF5TL2; Kemet C315C104M5U5TA")  # fmt: skip
    yield BillLine("resistor 330 Ω, in the data wire to the Nano", 1, "", 0.05)
    yield BillLine("perfboard 50 × 70 mm, single pads", math.ceil(registers / REGISTERS_A_CARD) + 1, "", 0.60)
    yield BillLine("pin header and socket, 1 × 40, 2.54 mm", math.ceil(registers * 11 / 40), "pair", 1.00)
    wire_mm = sensor_wire_mm(profile) + chain_wire_mm(profile)
    yield BillLine("wire 0.14 mm² (AWG 26), several colours", _metres(wire_mm), "m", 0.12)


def sensor_wire_mm(profile: Profile) -> float:
    """Return the wire from every sensor to its register, and the ground wire from site to site."""
    total = 0.0
    for points in _cards(profile):
        x, y = middle_of(points)
        total += sum(abs(px - x) + abs(py - y) + TO_CARD_MM for px, py in points)
        total += sum(math.dist(a, b) + 20 for a, b in pairwise(points))
    return total


def chain_wire_mm(profile: Profile) -> float:
    """Return the wires from card to card and to the reader."""
    centres = [middle_of(points) for points in _cards(profile)]
    return CHAIN_WIRES * (TO_READER_MM + sum(math.dist(a, b) + TO_CARD_MM for a, b in pairwise(centres)))


def cards_of(profile: Profile) -> list[list[tuple[int, Site]]]:
    """Return the sites that each card reads with the numbers of their registers, card after card."""
    cards: dict[int, list[tuple[int, Site]]] = {}
    for row in wiring(profile):
        if row.site is not None:
            cards.setdefault((row.register - 1) // REGISTERS_A_CARD, []).append((row.register, row.site))
    return list(cards.values())


def _cards(profile: Profile) -> list[list[Point]]:
    """Return where the sites lie that each card reads, card after card."""
    return [[middle(site) for _, site in card] for card in cards_of(profile)]


def _metres(mm: float) -> int:
    return math.ceil(mm * 1.1 / 1000)


def strip_fits(profile: Profile) -> bool:
    """Tell whether the rows of a strip with 30 pixels a metre lie under the windows without a cut."""
    rows = light_rows(profile)
    if any(site.kind != "cell" for site in profile.sites):
        return False
    longest = max((len(row) for row in rows), default=0)
    return bool(rows) and abs(profile.pitch_mm - STRIP_PITCH_MM) * (longest - 1) / 2 <= STRIP_SLACK_MM


def _lights(profile: Profile) -> Iterator[BillLine]:
    if not profile.light_count:
        return
    if strip_fits(profile):
        yield BillLine("WS2812B strip, 30 pixels a metre, 10 mm wide", math.ceil(profile.light_count / 30), "m", 7.00)
    else:
        yield BillLine("WS2812B on a single board of 10 mm, with capacitor", _spare(profile.light_count), "", 0.16)
        yield BillLine("wire 0.22 mm² (AWG 24), three colours", _metres(light_wire_mm(profile)), "m", 0.15)
    yield BillLine("74AHCT125, DIP-14", 1, "", 0.60, "TI SN74AHCT125N; TI SN74HCT125N")
    yield BillLine("socket DIP-14, for it", 1, "", 0.15, "any")
    yield BillLine("ceramic capacitor 100 nF, beside it", 1, "", 0.05)
    yield BillLine("resistor 470 Ω, at the first pixel", 1, "", 0.05)
    yield BillLine("electrolytic capacitor 1000 µF, 10 V", 1, "", 0.30,
                   "Panasonic EEU-FR1A102; Nichicon UHE1A102MPD")  # fmt: skip


def light_wire_mm(profile: Profile) -> float:
    """Return the wire between single pixels: three leads from each to the next."""
    path = [middle(site) for row in light_rows(profile) for site in row]
    return sum(3 * (math.dist(a, b) + 15) for a, b in pairwise(path))


def _feeding(power: Budget) -> Iterator[BillLine]:
    price = {3000: 15.0, 4000: 17.0, 5000: 21.0, 6000: 26.0}.get(power.supply_ma, 18.0)
    yield BillLine(f"supply 5 V {power.supply_ma / 1000:g} A, {power.supply}", 1, "", price)
    if joint_for(power.milliamps) is XT30:
        yield BillLine("XT30 plug and socket, soldered on instead of the supply's own plug", 1, "pair", 1.50)
    else:
        yield BillLine("socket 5.5 × 2.1 mm with screw terminals, for 5 A", 1, "", 1.20, "Adafruit 368; any for 5 A")
    yield BillLine(f"blade fuse {power.fuse_a:g} A with holder", power.branches, "", 2.50)
    trunks_mm = 2 * power.branches * power.trunk.length_mm
    yield BillLine(f"wire AWG {power.trunk.gauge}, red and black", _metres(trunks_mm), "m", 1.10)
    if power.feed:
        length = 2 * power.feed.length_mm * power.rows
        yield BillLine(f"wire AWG {power.feed.gauge}, red and black", _metres(length), "m", 0.40)
    yield BillLine(KINDS["pi4"].own, 1, "", KINDS["pi4"].own_eur)


def screw_joints(profile: Profile) -> int:
    """Return how many screws join the frame's sections: one where the sides of two cells meet."""
    return sum(len(section.edges) for section in sections(profile)) // 2


def foot_screws(profile: Profile) -> int:
    """Return how many screws hold the feet of a board that is wired by hand: one from above and one from below."""
    return 2 * sum(len(feet(section)) for section in sections(profile))


def _body(profile: Profile, sizes: Parts) -> Iterator[BillLine]:
    yield BillLine("sheet for the top, opal acrylic 2 mm, or card and glue", 1, "", 12.00)
    yield BillLine("sheet for the base, hardboard or plywood 3 mm", 1, "", 5.00)
    if screw_joints(profile):
        yield BillLine("screw M3 × 10 with nut, from section to section", screw_joints(profile), "", 0.06)
    yield BillLine("screw 3 × 12 for plastic, two a foot", foot_screws(profile), "", 0.05)
    yield BillLine("screw 2.5 × 6 for plastic, for the Pi", 4, "", 0.05)
    yield BillLine("rubber foot, self-adhesive", 4, "", 0.15)
    yield BillLine(f"foam tape {FOAM_MM:g} mm, for cards and level shifter", 1, "roll", 3.00)
    yield BillLine("double-sided tape, 0.2 mm thick at most, for the top", 1, "roll", 2.00)
    yield BillLine("solder 0.7 mm, hot glue, contact glue", 1, "lot", 10.00)
    if sizes.ring_mm is not None:
        yield BillLine("double-sided tape, 5 m, for the guides", 1, "", 3.00)


def filament_line(volume_mm3: float) -> BillLine:
    """Return the line for printing so much plastic, as solid as it is drawn."""
    return BillLine("PLA filament", math.ceil(volume_mm3 * GRAM_MM3 / 10) * 10, "g", 0.022)


def table(lines: Sequence[BillLine]) -> list[str]:
    """Return the lines as a table in Markdown, with their sum."""
    rows = ["| part | number | for example; instead | € each | € |", "| --- | ---: | --- | ---: | ---: |"]
    for n in lines:
        rows.append(f"| {n.what} | {f'{n.number} {n.unit}'.strip()} | {n.which} | {n.each_eur:.2f} | {n.eur:.2f} |")
    rows.append(f"| **together** | | | | **{sum(line.eur for line in lines):.2f}** |")
    return rows


@click.command()
@click.argument("board")
def main(board: str) -> None:
    """Print what to buy for BOARD: a name, or the path of a board file."""
    try:
        profile = load(board)
        click.echo("\n".join(table(bill(profile))))
        for title, lines in pieces_bill(profile).items():
            click.echo("\n".join(["", f"Pieces for {title}, two players", "", *table(lines)]))
    except BadProfile as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
