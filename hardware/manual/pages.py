"""Writes into docs/build/generated/ what the manual takes from the profiles: ``python -m hardware.manual.pages``.

Every figure comes from the profile and the rooms that reckon with it; the sentences of the manual itself are in
docs/build/.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from hardware import height_budget as h
from hardware import reverse_supply, supply_path, wrong_voltage
from hardware.manual import assembly_drawings as drawn
from hardware.manual import test_points, tiles_drawing, tray_drawings
from hardware.manual.bill import (
    BillLine,
    bill,
    filament_line,
    foot_screws,
    pieces_bill,
    screw_joints,
    strip_fits,
    table,
)
from hardware.manual.joints import JointsRow, by_hand, hours, on_boards, total
from hardware.manual.section_drawing import sections_of_a_cell
from hardware.manual.sheet_drawing import sheet
from hardware.manual.wiring_drawing import DATA_OHMS, NANO, blocks, card, from_below
from hardware.pcb import price
from hardware.pcb.boards.catalogue import ASSEMBLED, TILED, circuits_of
from hardware.pcb.boards.catalogue import boards as circuit_boards
from hardware.pcb.panel import PANELS, panel
from hardware.pcb.placement import size_mm
from hardware.pieces import largest_game
from hardware.power import budget, light_rows, lines
from hardware.printables import magnets
from hardware.printables.board_places import build_of, laid
from hardware.printables.geometry import parts
from hardware.printables.models import models
from hardware.printables.underside import base_holes
from hardware.printables.volumes import volumes
from hardware.profile import REGISTER_BITS, BadProfile, Profile, load
from hardware.wiring import INPUT_PINS, wiring

BOARDS = ("first36", "hex91", "square144", "shell19")
DOCS = Path(__file__).parents[2] / "docs"
PAGES = DOCS / "build" / "generated"
PICTURES = DOCS / "pictures"
MADE = "<!-- Made by make hardware-docs from the board's profile; do not edit. -->"
BUILDS = {"": "all", "hand": "by hand", "boards": "circuit boards"}
MM3_AN_HOUR = 12_000  # of a small printer with a nozzle of 0.4 mm and layers of 0.2 mm


def files() -> Mapping[Path, str]:
    """Return the text of every generated file by its path; raises `BadProfile` where a board cannot be built."""
    boards = {name: load(name) for name in BOARDS}
    found = {PICTURES / "build-card.svg": card(), PAGES / "overview.md": _text(_overview(boards))}
    found[PICTURES / "build-section.svg"] = sections_of_a_cell()
    found[PICTURES / "build-reed.svg"] = drawn.reed()
    found[PICTURES / "build-case-plan.svg"] = drawn.case_plan(boards["shell19"])
    found[PAGES / "panels.md"] = _text(_panels())
    for name in (*ASSEMBLED, *TILED):
        assembled = load(name)
        found[PAGES / f"{name}.md"] = _text(_assembled(assembled))
        found[PICTURES / f"build-{name}-section.svg"] = tray_drawings.section(assembled)
        found[PICTURES / f"build-{name}-sheet.svg"] = sheet(assembled, largest_game(assembled))
        above = tiles_drawing.plan if assembled.has_tiles else tray_drawings.plan
        found[PICTURES / f"build-{name}-above.svg"] = above(assembled)
    found[PAGES / "reversed-supply.md"] = _text(_reversed())
    found[PAGES / "magnets.md"] = _text(_magnets(boards))
    for name, board in boards.items():
        found[PAGES / f"{name}.md"] = _text(_page(board))
        found[PICTURES / f"build-{name}-below.svg"] = from_below(board)
        found[PICTURES / f"build-{name}-frame.svg"] = drawn.frame_from_below(board)
        found[PICTURES / f"build-{name}-wires.svg"] = drawn.wires_from_below(board)
        found[PICTURES / f"build-{name}-lights.svg"] = drawn.lights_from_below(board)
        found[PICTURES / f"build-{name}-blocks.svg"] = blocks(board, budget(board))
    return found


def _text(rows: Iterator[str]) -> str:
    return "\n".join([MADE, "", *rows]) + "\n"


# ---- all boards -------------------------------------------------------------------------------------------


def _overview(boards: Mapping[str, Profile]) -> Iterator[str]:
    yield from ("# All boards side by side", "")
    heads = ("board", "size", "sensors", "registers", "lights", "supply", "parts", "pieces", "plastic", "printing",
             "joints", "soldering")  # fmt: skip
    yield "| " + " | ".join(heads) + " |"
    yield "| --- | --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for board in boards.values():
        joints = total(by_hand(board))
        yield _overview_row(
            board, board.chain_length // REGISTER_BITS, f"5 V {budget(board).supply_ma / 1000:g} A", 0.0, joints,
            _soldering(joints),
        )  # fmt: skip
    for name in (*ASSEMBLED, *TILED):
        board = load(name)
        supply = "USB, 5 V 3 A" if board.has_tiles else "USB"
        yield _overview_row(board, "none", supply, price.whole(board), 0, "none")
    yield ""
    yield "Planning prices for small numbers from web shops, with a Raspberry Pi 4 and its supply, without postage. "
    yield "Plastic, joints and hours are those of wiring by hand."
    for name in ASSEMBLED:
        yield f"`{name}` comes assembled; its parts are those of a first one, "
        yield f"with the {price.COUNTS[0]} boards that a house makes at least."
    for name in TILED:
        made = " and ".join(f"{count} of `{circuit}`" for circuit, count in price.ordered(load(name)).items())
        yield f"`{name}` comes assembled, too; its parts are those of a first one, with {made}."


def _overview_row(
    board: Profile, registers: int | str, supply: str, ordered_eur: float, joints: int, soldering: str
) -> str:
    """Return the row of a board, whose parts are what is bought and what was ``ordered_eur`` of a house."""
    width, height = _size(board)
    plastic = _plastic(board)
    parts_eur = ordered_eur + sum(line.eur for line in bill(board))
    pieces = sum(line.eur for lines_of in pieces_bill(board).values() for line in lines_of)
    return (
        f"| [`{board.name}`]({board.name}.md) | {width:.0f} × {height:.0f} mm | {len(board.sites)} "
        f"| {registers} | {board.light_count} | {supply} | {parts_eur:.0f} € | {pieces:.0f} € "
        f"| {plastic.number} g, {plastic.eur:.0f} € | {_hours(board)} h | {joints} | {soldering} |"
    )


REACHES_PI = (
    "A Pi complains below 4.63 V. One supply for Pi and board loses too much in plug, fuse and lead, so the Pi "
    "gets its own; [why](../power.md)."
)


def _soldering(joints: int) -> str:
    fast, slow = hours(joints)
    return f"{fast} to {slow} h"


def _size(board: Profile) -> tuple[float, float]:
    corners = [point for site in board.sites if site.kind == "cell" for point in site.outline]
    return max(x for x, _ in corners), max(y for _, y in corners)


def _mm3(board: Profile, build: str = "hand") -> int:
    """Return the plastic of a board wired by hand, or with ``build`` "boards" on circuit boards."""
    found = models(board)
    each = volumes(board.name, found)
    return sum(part.number * each[part.name] for part in found if part.build in ("", build))


def _plastic(board: Profile) -> BillLine:
    return filament_line(_mm3(board))


def _hours(board: Profile) -> int:
    return math.ceil(_mm3(board) / MM3_AN_HOUR)


def _magnets(boards: Mapping[str, Profile]) -> Iterator[str]:
    yield from ("# Magnets and sensors: figures", "")
    heads = ("board", "site", "disc, mm", "to the sensor", "on its site", "strayed", "closes from",
             "empty, others round it", "opens below")  # fmt: skip
    yield "| " + " | ".join(heads) + " |"
    yield "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for name, board in boards.items():
        for kind, seen in parts(board).seen.items():
            fields = (
                f"`{name}`", kind, f"{seen.disc[0]:g} × {seen.disc[1]:g}", f"{seen.depth_mm:.1f} mm",
                f"{seen.on_mt:.1f} mT", f"{seen.off_mt:.1f} mT at {seen.off_mm:.1f} mm", f"{seen.closes_mt:.1f} mT",
                f"{seen.others_mt:.2f} mT", f"{seen.opens_mt:.2f} mT",
            )  # fmt: skip
            yield "| " + " | ".join(fields) + " |"
    yield ""
    yield "Fields of each disc, from its face along its axis:"
    yield ""
    depths = (2.0, 5.0, 10.0, 15.0, 20.0)
    yield "| disc, mm | " + " | ".join(f"{depth:g} mm" for depth in depths) + " | reed | hall switch |"
    yield "| --- |" + " ---: |" * (len(depths) + 2)
    for disc in magnets.DISCS:
        row = [f"{magnets.axial_mt(*disc, 1e-6, depth):.1f} mT" for depth in depths]
        sensors: tuple[h.Sensor, ...] = ("reed", "hall")
        for sensor in sensors:
            depth = h.magnet_to_sensor_mm(sensor)
            row.append(f"{magnets.seen_mt(sensor, disc, depth, 0.0):.1f} mT")
        yield f"| {disc[0]:g} × {disc[1]:g} | " + " | ".join(row) + " |"


def _panels() -> Iterator[str]:
    placed = {name: make() for name, make in circuit_boards().items()}
    yield from ("# Circuit boards and panels: sizes", "")
    yield from ("| board | size | its box |", "| --- | ---: | ---: |")
    for name, board in placed.items():
        yield _sized(name, *size_mm(board))
    yield from ("", "| panel | size | its box | boards on it |", "| --- | ---: | ---: | --- |")
    for name, rows in PANELS.items():
        frame = panel(name, placed)
        yield f"{_sized(name, frame.width, frame.height)} {', '.join(each for row in rows for each in row)} |"
    yield from ("", "The box around each, as its gerbers have it. Houses count a panel as one board of that size.")


def _assembled(board: Profile) -> Iterator[str]:
    yield from (f"# {board.title}: figures", "", "## What a first one costs", "", *_first_one(board))
    yield from ("", "## What it costs to have it assembled", "")
    yield from ("Nobody has ordered one: these are the prices that we know of.", "")
    yield from price.whole_table(board) if board.has_tiles else price.table(board.name)
    for title, rows in (
        ("What to buy besides", table(bill(board))),
        *((f"Pieces for {game}, two players", table(found)) for game, found in pieces_bill(board).items()),
        ("What to print", list(_prints(board))),
        ("Too many volts at its USB socket", list(wrong_voltage.lines(_fuse(board)))),
    ):
        yield from ("", f"## {title}", "", *rows)


def _fuse(board: Profile) -> reverse_supply.ResettableFuse:
    """Return the fuse between the socket of an assembled board, or of its hub, and all else."""
    parts = (part for name in circuits_of(board) for part in circuit_boards()[name]().circuit.parts)
    return wrong_voltage.FUSES[next(part.value for part in parts if part.ref == "F1")]


def _first_one(board: Profile) -> Iterator[str]:
    """Yield what somebody pays who has none yet: the least order of a house, and all that is bought and printed."""
    game = largest_game(board).facts.title
    pieces = pieces_bill(board)[game]
    ordered = price.ordered(board)
    what = (
        " and ".join(f"{count} `{name}`" for name, count in ordered.items())
        if board.has_tiles
        else f"{price.LOT} boards"
    )
    costs = (
        (f"{what}, as houses make no fewer", price.whole(board)),
        ("what is bought besides, Raspberry Pi and tools included", sum(line.eur for line in bill(board))),
        (f"pieces for {game}, two players", sum(line.eur for line in pieces)),
        ("plastic for box and pieces", _plastic(board).eur),
    )
    yield from ("| what | € |", "| --- | ---: |", *(f"| {what} | {euros:.2f} |" for what, euros in costs))
    yield f"| **together** | **{sum(euros for _, euros in costs):.2f}** |"
    yield ""
    left = [count - circuits_of(board)[name] for name, count in ordered.items()]
    over = " and ".join(f"{k} `{name}`" for k, name in zip(left, ordered, strict=True)) if board.has_tiles else None
    yield f"Without postage of what is bought besides. {over or f'{left[0]} boards'} are left over, for others."


def _reversed() -> Iterator[str]:
    yield from ("# A supply the wrong way round: figures", "")
    yield from reverse_supply.lines()
    yield ""
    yield "On carrier or hat, from a supply of 10 A in a room of 40 °C, with the worst parts of their data sheets."
    yield "The diode is a 1N5822 and may have 150 °C. The carrier has the first fuse, the hat the second."


def _sized(name: str, width_mm: float, height_mm: float) -> str:
    return f"| `{name}` | {width_mm:.1f} × {height_mm:.1f} mm | {width_mm * height_mm / 100:.0f} cm² |"


# ---- a board ----------------------------------------------------------------------------------------------


def _page(board: Profile) -> Iterator[str]:
    width, height = _size(board)
    yield f"# {board.title}: figures"
    yield ""
    yield (
        f"`{board.name}`: {width:.1f} × {height:.1f} mm, {len(board.sites)} {board.sensor} sensors, "
        f"{board.chain_length // REGISTER_BITS} registers, {board.light_count} lights."
    )
    for title, rows in (
        ("What to buy", table(bill(board))),
        *((f"Pieces for {game}, two players", table(found)) for game, found in pieces_bill(board).items()),
        ("What to print", list(_prints(board))),
        ("Fixings", list(_fixings(board))),
        ("Solder joints", list(_joints(board))),
        ("What it looks like from below", list(_from_below(board))),
        ("Current, supply, fuse and wires", list(lines(budget(board)))),
        ("What reaches the Pi at worst", [REACHES_PI, "", *supply_path.lines(budget(board).milliamps)]),
        ("What goes to what", [f"![blocks](../../pictures/build-{board.name}-blocks.svg)", "", *_pins(board)]),
        ("Sensors", [f"![from below](../../pictures/build-{board.name}-below.svg)", "", *_inputs(board)]),
        ("Lights", list(_pieces_of_strip(board))),
        ("Test points", test_points.table(budget(board))),
    ):
        yield from ("", f"## {title}", "", *rows)


def _prints(board: Profile) -> Iterator[str]:
    found = models(board)
    each = volumes(board.name, found)
    yield "| file | what | for | number | cm³ each | g together |"
    yield "| --- | --- | --- | ---: | ---: | ---: |"
    for part in found:
        volume = each[part.name]
        grams = part.number * volume * 0.00124
        sizes = f"{part.number} | {volume / 1000:.1f} | {grams:.0f}"
        yield f"| `{part.name}.stl` | {part.what} | {BUILDS[part.build]} | {sizes} |"
    plastic = _plastic(board)
    how = ", by hand" if any(part.build for part in found) else ""
    number = sum(part.number for part in found if part.build != "boards")
    yield f"| **together{how}** | | | {number} | | **{plastic.number}** |"
    if any(part.build == "boards" for part in found):
        number = sum(part.number for part in found if part.build != "hand")
        grams = filament_line(_mm3(board, "boards")).number
        yield f"| **together, on circuit boards** | | | {number} | | **{grams}** |"
    yield ""
    yield (
        f"{'By hand about' if how else 'About'} {_hours(board)} hours of printing, {plastic.eur:.2f} € of PLA, "
        "reckoned as solid as it is drawn."
    )


def _fixings(board: Profile) -> Iterator[str]:
    own = (("screw M3 × 10 with nut, from section to section", screw_joints(board), "by hand and on circuit boards"),
           ("screw 3 × 12 for plastic, at the feet", foot_screws(board), "by hand"))  # fmt: skip
    yield "| screw | number | for |"
    yield "| --- | ---: | --- |"
    for what, number, build in own:
        yield f"| {what} | {number} | {build} |"
    placed = laid(board)
    if placed:
        under = len(base_holes(board, build_of(board)))
        yield f"| screw 3 × 12 for plastic, at the legs | {under} | on circuit boards |"
        screws = sum(len(one.screws) for one in placed)
        yield f"| screw 2.5 × 6 for plastic, boards to frame | {screws} | on circuit boards |"


def _joints(board: Profile) -> Iterator[str]:
    yield from _joint_table("by hand", by_hand(board))
    if on_boards(board):
        yield ""
        yield from _joint_table("on circuit boards", on_boards(board))
    yield ""
    yield "Half a minute a joint for a skilled hand, a minute for a first board, cutting and stripping included."


def _joint_table(title: str, rows: tuple[JointsRow, ...]) -> Iterator[str]:
    yield f"| {title} | number | joints each | joints |"
    yield "| --- | ---: | ---: | ---: |"
    for row in rows:
        yield f"| {row.what} | {row.number} | {row.each} | {row.joints} |"
    yield f"| **together: {_soldering(total(rows))}** | | | **{total(rows)}** |"


def _from_below(board: Profile) -> Iterator[str]:
    for what in ("frame", "wires", "lights"):
        yield f"![{what} from below](../../pictures/build-{board.name}-{what}.svg)"
        yield ""


def _pins(board: Profile) -> Iterator[str]:
    registers = board.chain_length // REGISTER_BITS
    yield "| from | to |"
    yield "| --- | --- |"
    for pin, goal in NANO:
        resistor = f"{DATA_OHMS} Ω, then " if pin == "D12" else ""
        yield f"| Nano {pin} | {resistor}74HC165: {goal} |"
    yield "| 74HC165 pin 9 (Q7) of register 2 and on | pin 10 (DS) of the register before it |"
    yield f"| 74HC165 pin 10 (DS) of register {registers} | ground: the end of the chain |"
    yield "| Pi pin 12 (GPIO 18) | 74AHCT125 pin 2 |"
    yield "| 74AHCT125 pin 3 | 470 Ω, then DIN of pixel 0 |"
    yield "| 74AHCT125 pins 14, 4, 10, 13 | 5 V |"
    yield "| 74AHCT125 pins 7, 1, 5, 9, 12; Pi pin 14 | ground |"
    yield "| Nano USB | any USB socket of the Pi |"


def _inputs(board: Profile) -> Iterator[str]:
    inputs = range(REGISTER_BITS - 1, -1, -1)
    yield "A register a line; each input with its pin. `-` stays open, with its pull-up."
    yield ""
    yield "| register | " + " | ".join(f"D{k} (pin {INPUT_PINS[k]})" for k in inputs) + " |"
    yield "| ---: |" + " --- |" * REGISTER_BITS
    rows = wiring(board)
    for start in range(0, len(rows), REGISTER_BITS):
        sites = [row.site.name if row.site else "-" for row in rows[start : start + REGISTER_BITS]]
        yield f"| {rows[start].register} | " + " | ".join(sites) + " |"


def _pieces_of_strip(board: Profile) -> Iterator[str]:
    whole = strip_fits(board)
    how = "Pieces of strip, each cut from the roll as it is" if whole else "Single pixels, wired in this order"
    yield f"{how}; every line is fed with 5 V and ground from the bus, and its last DOUT goes to the next line's DIN."
    yield ""
    yield "| piece | pixels | sites, in the order of the data |"
    yield "| ---: | --- | --- |"
    for number, row in enumerate(light_rows(board), 1):
        yield f"| {number} | {row[0].light} to {row[-1].light} | {' '.join(site.name for site in row)} |"


@click.command()
def main() -> None:
    """Write the generated pages and drawings of docs/build/."""
    try:
        found = files()
    except BadProfile as error:
        raise click.ClickException(str(error)) from error
    for path, text in found.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        click.echo(path.relative_to(DOCS.parent))


if __name__ == "__main__":
    main()
