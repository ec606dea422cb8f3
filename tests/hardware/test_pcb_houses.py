"""The lists for houses that solder: their columns are the published ones, and every part is where the board has it."""

from __future__ import annotations

import csv
import io
from collections import Counter

import msgspec
import pytest

from hardware.cannot_build import CannotBuild
from hardware.pcb.boards.catalogue import boards
from hardware.pcb.bom import bom, cost, lines, prices, source
from hardware.pcb.houses import MOST_REFS, PartPlace, files, on_surface, spots, strangers
from hardware.pcb.kicad.layout_file import layout
from hardware.pcb.placement import Placement
from hardware.pcb.route import Routes
from tests.hardware.test_pcb_boards import inner, read

ALL = list(boards())
# JLCPCB, help: "Bill of Materials for PCB Assembly" and "Pick & Place File for PCB Assembly"; PCBWay's sample bill.
COLUMNS = {
    "jlcpcb-bom.csv": ["Comment", "Designator", "Footprint", "JLCPCB Part #"],
    "jlcpcb-cpl.csv": ["Designator", "Mid X", "Mid Y", "Layer", "Rotation"],
    "pcbway-bom.csv": ["Item #", "Designator", "Qty", "Manufacturer", "Mfg Part #", "Description / Value",
                       "Package/Footprint", "Type", "Your Instructions / Notes"],
    "pcbway-centroid.csv": ["Designator", "Footprint", "Mid X", "Mid Y", "Layer", "Rotation", "Comment"],
}  # fmt: skip


def made(board: Placement) -> dict[str, list[dict[str, str]]]:
    found = {}
    for name, text in files([("", board)], spots(board)).items():
        rows = csv.DictReader(io.StringIO(text))
        found[name] = list(rows)
        assert rows.fieldnames == COLUMNS[name]
    return found


@pytest.mark.parametrize("name", ALL)
def test_every_part_that_is_bought_stands_once_in_each_list(name: str) -> None:
    board = boards()[name]()
    bought = Counter(each.ref for each in board.circuit.parts if each.device.prefix != "H")
    found = made(board)
    assert found.keys() == COLUMNS.keys()
    for file, rows in found.items():
        refs = [ref for row in rows for ref in row["Designator"].split(",")]
        assert Counter(refs) == bought, file
        assert all(len(row["Designator"].split(",")) <= MOST_REFS for row in rows)
    assert all(int(row["Qty"]) == len(row["Designator"].split(",")) for row in found["pcbway-bom.csv"])


@pytest.mark.parametrize("name", ALL)
def test_every_part_lies_where_the_board_file_has_its_pads(name: str) -> None:
    """The middle of its pads, from the lower left corner of the edge, y upwards: reckoned from KiCad's file alone."""
    board = boards()[name]()
    tree = read(layout(board, Routes((), (), 0)))
    ends = [inner(line, end)[0] for line in inner(tree, "gr_line") for end in ("start", "end")]
    corners = [list(map(float, end[1:3])) for end in ends]
    left, bottom = min(x for x, _ in corners), max(y for _, y in corners)
    assert list(map(float, inner(inner(tree, "setup")[0], "aux_axis_origin")[0][1:3])) == pytest.approx([left, bottom])
    there = {}
    for shape in inner(tree, "footprint"):
        ref = next(each[2] for each in inner(shape, "property") if each[1] == "Reference")
        x, y, *turn = map(float, inner(shape, "at")[0][1:])
        pads = [list(map(float, inner(pad, "at")[0][1:3])) for pad in inner(shape, "pad") if pad[1]]
        if not pads:
            continue  # bare holes and marks
        quarter = int(sum(turn)) // 90 % 4
        for _ in range(quarter):
            pads = [[py, -px] for px, py in pads]
        across, down = ([pad[k] for pad in pads] for k in (0, 1))
        there[ref] = (x + (min(across) + max(across)) / 2 - left, bottom - y - (min(down) + max(down)) / 2)
    for row in made(board)["jlcpcb-cpl.csv"]:
        at = tuple(float(row[axis].removesuffix("mm")) for axis in ("Mid X", "Mid Y"))
        assert at == pytest.approx(there[row["Designator"]], abs=0.01), row["Designator"]
        assert row["Layer"] == "Top"
    assert {row["Layer"] for row in made(board)["pcbway-centroid.csv"]} == {"T"}


def test_a_pixel_is_turned_round_for_the_house_whose_library_has_it_the_other_way() -> None:
    found = made(boards()["strip-square144"]())
    files = ("jlcpcb-cpl.csv", "pcbway-centroid.csv")
    jlcpcb, pcbway = ({row["Designator"]: row["Rotation"] for row in found[file]} for file in files)
    assert (jlcpcb["D1"], pcbway["D1"]) == ("180", "0")
    assert jlcpcb["U1"] == pcbway["U1"] == "90"


@pytest.mark.parametrize("name", ALL)
def test_what_a_machine_places_has_a_number_by_which_the_house_takes_it(name: str) -> None:
    for line in lines(boards()[name]().circuit):
        if line.bought:
            order = source(line, prices())
            assert order.maker
            assert order.mpn
            assert order.second
            assert order.lcsc.startswith("C") or not on_surface(line.device.footprint)


@pytest.mark.parametrize("name", ALL)
def test_a_number_stands_in_one_line_of_a_house_s_bill(name: str) -> None:
    """A house matches by number: a plug and a jumper of three pins, which are one part, made it ask."""
    numbers = [row["Mfg Part #"] for row in made(boards()[name]())["pcbway-bom.csv"]]
    assert len(numbers) == len(set(numbers))


def test_hall_switch_and_reed_are_two_lines_of_which_one_is_bought() -> None:
    circuit = boards()["strip-square144"]().circuit
    rows = list(csv.DictReader(io.StringIO(bom(circuit))))
    at = next(k for k, row in enumerate(rows) if row["references"].startswith("S1 "))
    hall, reed = rows[at : at + 2]
    assert (hall["pieces"], hall["maker's number"]) == ("8", "DRV5023AJQLPG")
    assert (reed["references"], reed["part"]) == ("instead of the line above", "reed switch of 10 to 15 AT")
    assert (reed["pieces"], reed["maker's number"], reed["together"]) == ("8", "ORD213-1015", "")
    assert sum(float(row["together"]) for row in rows[:-1] if row["together"]) == pytest.approx(cost(circuit), abs=0.05)


def test_resistors_are_ordered_by_their_code_of_iec_60062() -> None:
    orders = {line.value: source(line, prices()).mpn for line in lines(boards()["hat"]().circuit) if line.bought}
    assert orders["2.2k"] == "MFR-25FRF52-2K2"
    assert orders["330"] == "MFR-25FRF52-330R"
    assert orders["1k"] == "MFR-25FRF52-1K"


def test_a_part_of_which_nobody_knows_what_to_order_is_named() -> None:
    line = next(line for line in lines(boards()["hat"]().circuit) if line.device.name == "74AHCT125")
    with pytest.raises(CannotBuild, match="does not say what to order for 74AHCT125"):
        source(line, msgspec.structs.replace(prices(), source={}))


def test_a_list_that_disagrees_with_the_copper_is_told() -> None:
    corners = [(1, 1), (3, 1), (3, 2), (1, 2)]
    pads = [f"%TO.P,D1,{k}*%\nX{x}000000Y{y}000000D03*\n%TD*%\n" for k, (x, y) in enumerate(corners)]
    gerber = "%FSLAX46Y46*%\n" + "".join(pads)
    assert strangers(gerber, [PartPlace("D1", "WS2812B", "", 2.0, 1.5, 0)]) == []
    assert strangers(gerber, [PartPlace("D1", "WS2812B", "", 2.0, 1.6, 0)]) == [
        "D1 is listed at 2, 1.6 and lies at 2, 1.5"
    ]
    assert strangers(gerber, [PartPlace("D2", "WS2812B", "", 2.0, 1.5, 0)])  # not on the board at all
