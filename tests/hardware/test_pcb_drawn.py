"""The drawn circuits: followed wire by wire, they join what the circuit joins and nothing else."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hardware.pcb.boards.catalogue import boards
from hardware.pcb.drawn.plan import MANY_PINS, plan
from hardware.pcb.drawn.sheet import Sheet, page, sheet
from hardware.pcb.netlist import Circuit

ALL = list(boards())
PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
Point = tuple[float, float]


class Joined:
    """Sets of points that wires join. A wire that ends on another, or lies on it, joins it; a crossing does not."""

    def __init__(self) -> None:
        self.above: dict[object, object] = {}

    def root(self, point: object) -> object:
        while self.above.get(point, point) != point:
            point = self.above[point]
        return point

    def join(self, one: object, other: object) -> None:
        self.above[self.root(one)] = self.root(other)


def on(point: Point, a: Point, b: Point) -> bool:
    across = (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
    return abs(across) < 1e-3 and all(
        min(p, q) - 1e-3 <= x <= max(p, q) + 1e-3 for x, p, q in zip(point, a, b, strict=True)
    )


def followed(drawn: Sheet) -> Joined:
    joined = Joined()
    runs = [(a, b) for wire in drawn.wires for a, b in pairwise(wire)]
    points = [*(end for run in runs for end in run), *drawn.ends.values(), *(at for _, at in drawn.names)]
    for a, b in runs:
        for point in points:
            if on(point, a, b):
                joined.join(point, a)
        joined.join(a, b)
    for net, at in drawn.names:  # what has one name is one net
        joined.join(at, f"net {net}")
    return joined


def drawing(name: str) -> tuple[Circuit, Sheet]:
    board = boards()[name]()
    return board.circuit, sheet(plan(board.circuit, board.power), board.circuit.title)


@pytest.mark.parametrize("name", ALL)
def test_the_wires_join_what_the_circuit_joins_and_nothing_else(name: str) -> None:
    circuit, drawn = drawing(name)
    joined = followed(drawn)
    nets = defaultdict(set)
    for each in circuit.parts:
        for number, net in each.nets.items():
            if each.device.prefix != "H":
                nets[net].add(joined.root(drawn.ends[each.ref, number]))
    for net, roots in nets.items():
        assert len(roots) == 1, f"{net} is drawn in {len(roots)} pieces"
    assert len({root for roots in nets.values() for root in roots}) == len(nets), "two nets are drawn as one"


@pytest.mark.parametrize("name", ALL)
def test_a_name_at_a_wire_is_the_name_of_its_net(name: str) -> None:
    circuit, drawn = drawing(name)
    joined = followed(drawn)
    for each in circuit.parts:
        if each.device.prefix != "H":
            for number, net in each.nets.items():
                root = joined.root(drawn.ends[each.ref, number])
                assert {said for said, at in drawn.names if joined.root(at) == root} <= {net}


@pytest.mark.parametrize("name", ALL)
def test_every_part_and_pin_is_there_with_its_name(name: str) -> None:
    circuit, drawn = drawing(name)
    words = {element.text for element in ElementTree.fromstring(page(boards()[name]())).iter()}
    for each in circuit.parts:
        if each.device.prefix == "H":
            continue
        assert each.ref in words
        for pin in each.device.pins:
            open_in_a_crowd = pin.number not in each.nets and len(each.device.pins) > MANY_PINS
            assert ((each.ref, pin.number) in drawn.ends) is not open_in_a_crowd
    assert all(element.get("viewBox") for element in [ElementTree.fromstring(page(boards()[name]()))])


@pytest.mark.parametrize("name", ALL)
def test_nothing_is_drawn_outside_the_sheet(name: str) -> None:
    _, drawn = drawing(name)
    for wire in drawn.wires:
        assert all(0 < x < drawn.width and 0 < y < drawn.height for x, y in wire)


@pytest.mark.parametrize("name", ALL)
def test_the_drawings_of_the_manual_are_up_to_date(name: str) -> None:
    kept = PICTURES / f"schematic-{name}.svg"
    assert kept.read_text(encoding="utf-8") == page(boards()[name]()), "run make hardware-boards"
