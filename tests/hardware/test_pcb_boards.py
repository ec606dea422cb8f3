"""The boards as copper: parts that fit, tracks that join what the circuit joins and nothing else, files that say so."""

from __future__ import annotations

import csv
import io
import math
import re
from itertools import combinations, pairwise
from typing import Any

import msgspec
import pytest

from hardware.cannot_build import CannotBuild
from hardware.pcb.boards.catalogue import boards
from hardware.pcb.boards.strip import lines as crossing
from hardware.pcb.boards.strip import pieces, strip
from hardware.pcb.boards.tile import tile, tile_of
from hardware.pcb.bom import bom, cost, lines, prices
from hardware.pcb.copper import Track
from hardware.pcb.devices import HC86, HC165, RESISTOR, SENSOR
from hardware.pcb.kicad.layout_file import ORIGIN, layout, open_net
from hardware.pcb.kicad.schematic import schematic
from hardware.pcb.netlist import Circuit, faults, part
from hardware.pcb.placement import GRID, Land, Placement, at, court, inside, lands, rectangle
from hardware.pcb.route import CLEARANCE, VIA, Routes, route
from hardware.profile import load

ALL = list(boards())
ROUTED = ["carrier", "hat", "tracker-square", "strip-square144"]
CLOSE_MM = 0.5  # a part may lie so far from its place in the profile: the grid of the tracks


@pytest.fixture(scope="module", params=ROUTED)
def routed(request: pytest.FixtureRequest) -> tuple[Placement, Routes]:
    board = boards()[request.param]()
    return board, route(board)


# ---- circuits ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_no_circuit_has_a_fault(name: str) -> None:
    assert not faults(boards()[name]().circuit)


@pytest.mark.parametrize("name", ALL)
def test_a_sensors_input_lies_on_no_supply(name: str) -> None:
    """An input and its pull-up on the lights' 5 V would never see its sensor: no check of KiCad finds a net's name."""
    circuit = boards()[name]().circuit
    for register in (each for each in circuit.parts if each.device is HC165):
        read = {register.nets.get(pin.number) for pin in HC165.pins if re.fullmatch("D[0-7]", pin.name)}
        assert not read & {"VCC", "V5"}, register.ref


def test_a_wrong_circuit_is_told_in_sentences() -> None:
    chip = part("U1", HC86, "74HC86", {"1Y": "OUT", "2Y": "OUT", "1A": "IN", "2A": "IN", "GND": "GND"})
    lone = part("R1", RESISTOR, "1k", {"1": "NOWHERE"})
    told = "\n".join(faults(Circuit("wrong", "Wrong", (chip, lone, lone), ("GND",))))
    assert "2 parts are called R1" in told
    assert "pin 14 (VCC) of U1 floats; join it to a net" in told
    assert "2 outputs drive net OUT" in told
    assert "nothing drives net IN" in told
    assert "net GND ends at pin 7 of U1, its only pin" in told


def test_a_pin_that_a_part_does_not_have_is_refused() -> None:
    with pytest.raises(KeyError, match="a 74HC165 has no pin 'Q8'"):
        part("U1", HC165, "74HC165", {"Q8": "OUT"})


# ---- placement --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_parts_lie_on_the_board_and_beside_each_other(name: str) -> None:
    board = boards()[name]()
    boxes = {each.ref: court(board, each.ref) for each in board.circuit.parts}
    for ref, (left, top, right, bottom) in boxes.items():
        assert all(inside(board.edge, x, y, 0.1) for x in (left, right) for y in (top, bottom)), ref
    for (a, one), (b, other) in combinations(boxes.items(), 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, f"{a} and {b}"


@pytest.mark.parametrize("name", ["square144", "hex91"])
def test_the_cells_of_a_strip_lie_at_the_pitch_of_the_board(name: str) -> None:
    profile, board = load(name), strip(load(name))
    spots = [board.spots[f"S{cell}"] for cell in range(1, 9)]
    for number, spot in enumerate(spots):
        assert abs(spot.x - (number + 0.5) * profile.pitch_mm) < CLOSE_MM
    assert len({spot.y for spot in spots}) == 1


def test_cells_too_close_for_a_strip_are_told() -> None:
    small = msgspec.structs.replace(load("hex91"), pitch_mm=30.0)
    with pytest.raises(CannotBuild, match=r"hex91: cells lie 30 mm apart in rows of 39\.0 mm; a strip needs 36 and 33"):
        strip(small)


@pytest.mark.parametrize("name", ["shell19", "shellsquare16"])
def test_the_nodes_of_a_tile_lie_where_the_profile_has_them(name: str) -> None:
    profile = load(name)
    board = tile(profile)
    sites = {site.name: site for site in profile.sites}
    ring = len(tile_of(profile).nodes)
    store = board.spots[f"S{ring}"]
    cell = profile.mesh().cells[0]
    for node in range(ring):
        spot, site, middle = board.spots[f"S{node}"], sites[f"{cell}:{node}"], sites[cell]
        there = site.x_mm - middle.x_mm, middle.y_mm - site.y_mm
        assert math.dist((spot.x - store.x, spot.y - store.y), there) < 2 * CLOSE_MM


def test_a_board_without_tiles_gets_no_tile() -> None:
    with pytest.raises(CannotBuild, match="hex91 has 0 shell nodes on its first register; a tile has 4 or 6"):
        tile_of(load("hex91"))


def test_square_rows_of_twelve_take_whole_strips_and_strips_cut_in_half() -> None:
    found = pieces(load("square144"))
    assert found[0] == (("a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1"),)
    assert found[1] == (("i1", "j1", "k1", "l1"), ("l2", "k2", "j2", "i2"))
    assert sorted(len(register) for register in found) == [1] * 12 + [2] * 6


def test_hex_rows_are_cut_where_they_end() -> None:
    found = pieces(load("hex91"))
    assert found[0] == (("f1", "g1", "h1", "i1", "j1", "k1"), ("k2", "j2"))
    assert sum(len(piece) for register in found for piece in register) == 91


def test_a_cut_strip_can_be_joined_again() -> None:
    """Every net that has parts on both sides of a border crosses it through holes on both sides."""
    board = strip(load("square144"))
    for border in range(1, 8):
        x = border * 40
        sides: dict[str, set[bool]] = {}
        for land in lands(board):
            if land.net is not None and not land.ref.startswith("H"):
                sides.setdefault(land.net, set()).add(land.x > x)
        both = {net for net, seen in sides.items() if len(seen) == 2}
        assert both == set(crossing(border))


def test_no_pour_comes_near_a_saw_line_but_for_one_bridge_on_either_side_of_the_board() -> None:
    """A burr can join 5 V on the front to ground on the back only where both are cut at the same place."""
    board = boards()["strip-square144"]()
    tree = read(layout(board, Routes((), (), 0)))
    height = max(y for _, y in board.edge)
    kept: dict[tuple[str, int], tuple[float, float]] = {}
    for zone in inner(tree, "zone"):
        if inner(zone, "keepout"):
            assert ["copperpour", "not_allowed"] in inner(zone, "keepout")[0]
            points_of = inner(inner(zone, "polygon")[0], "pts")[0][1:]
            corners = [(float(x) - ORIGIN, float(y) - ORIGIN) for _, x, y in points_of]
            xs, ys = [x for x, _ in corners], [y for _, y in corners]
            middle = round((min(xs) + max(xs)) / 2)
            assert min(abs(x - middle) for x in xs) == pytest.approx(1.5)
            kept[inner(zone, "layer")[0][1], middle] = min(ys), max(ys)
    assert sorted(kept) == [(layer, border * 40) for layer in ("B.Cu", "F.Cu") for border in range(1, 8)]
    for border in range(1, 8):
        (front_top, front_end), (back_top, back_end) = kept["F.Cu", border * 40], kept["B.Cu", border * 40]
        assert front_end == pytest.approx(height)
        assert back_top == 0
        assert 4 <= front_top < back_end <= height - 4  # wide bridges that do not meet


# ---- tracks -----------------------------------------------------------------------------------------------


def gap(a: Track, b: Track) -> float:
    """Between the edges of two tracks, each across or along, with round ends."""
    boxes = []
    for track in (a, b):
        xs, ys = zip(track.start, track.end, strict=True)
        boxes.append((min(xs), min(ys), max(xs), max(ys)))
    one, other = boxes
    across = max(other[0] - one[2], one[0] - other[2], 0)
    return math.hypot(across, max(other[1] - one[3], one[1] - other[3], 0)) - (a.width + b.width) / 2


def points(track: Track) -> list[tuple[float, float]]:
    steps = max(1, round(math.dist(track.start, track.end) / GRID))
    (x, y), (to_x, to_y) = track.start, track.end
    return [(x + (to_x - x) * k / steps, y + (to_y - y) * k / steps) for k in range(steps + 1)]


def on_grid(x: float, y: float) -> tuple[int, int]:
    return round(x / GRID), round(y / GRID)


def holds(land: Land, point: tuple[float, float], layer: int) -> bool:
    return (land.drill > 0 or layer == 0) and land.gap(*point) <= 0


@pytest.mark.slow
def test_the_tracks_join_all_pads_of_every_net(routed: tuple[Placement, Routes]) -> None:
    board, routes = routed
    for net, ends in board.circuit.nets().items():
        joined: dict[Any, Any] = {}

        def root(key: Any, joined: dict[Any, Any] = joined) -> Any:
            while key in joined:
                key = joined[key]
            return key

        def join(a: Any, b: Any, joined: dict[Any, Any] = joined) -> None:
            if root(a) != root(b):
                joined[root(a)] = root(b)

        pads = [land for land in lands(board) if land.net == net]
        for track in routes.tracks:
            if track.net == net:
                keys = [(track.layer, *on_grid(x, y)) for x, y in points(track)]
                for a, b in pairwise(keys):
                    join(a, b)
                for point, key in zip(points(track), keys, strict=True):
                    for land in pads:
                        if holds(land, point, track.layer):
                            join(key, (land.ref, land.number))
        for via in routes.vias:
            if via.net == net:
                join((0, *on_grid(via.x, via.y)), (1, *on_grid(via.x, via.y)))
        assert len({root(end) for end in ends}) == 1, net


@pytest.mark.slow
def test_no_track_comes_too_near_to_another_net(routed: tuple[Placement, Routes]) -> None:
    board, routes = routed
    least = CLEARANCE - 1e-6
    for a, b in combinations(routes.tracks, 2):
        if a.net != b.net and a.layer == b.layer:
            assert gap(a, b) >= least, (a, b)
    pads = lands(board)
    for track in routes.tracks:
        for land in pads:
            if land.net != track.net and (land.drill or track.layer == 0):
                assert min(land.gap(*point) for point in points(track)) >= least + track.width / 2, (track, land)
    for via in routes.vias:
        disc = [Track(via.net, layer, (via.x, via.y), (via.x, via.y), VIA) for layer in (0, 1)]
        assert all(
            gap(track, d) >= least
            for track in routes.tracks
            for d in disc
            if track.net != via.net and track.layer == d.layer
        )
        assert all(land.gap(via.x, via.y) >= least + VIA / 2 for land in pads if land.net != via.net)


@pytest.mark.slow
def test_the_same_board_always_gets_the_same_tracks() -> None:
    assert route(boards()["carrier"]()) == route(boards()["carrier"]())


def test_a_pad_that_is_walled_in_is_named() -> None:
    near = Circuit(
        "tight",
        "Tight",
        (part("S1", SENSOR, "reed", {"OUT": "A"}), part("S2", SENSOR, "reed", {"OUT": "A"})),
        (),
    )
    spots = {"S1": at(5, 5), "S2": at(15, 20)}
    wall = tuple((x, 12.0) for x in range(0, 24, 4))
    with pytest.raises(CannotBuild, match=r"tight: net A cannot reach its pad at 17\.\d+, 19\.\d+ mm"):
        route(Placement(near, spots, rectangle(22, 25), wall))
    assert route(Placement(near, spots, rectangle(22, 25))).tracks
    with pytest.raises(CannotBuild, match="tight: pad 3 of S2 lies beside the board"):
        route(Placement(near, spots, rectangle(22, 10)))


# ---- files ------------------------------------------------------------------------------------------------


def read(text: str) -> list[Any]:
    """Return a file of nested brackets as nested lists."""
    stack: list[list[Any]] = [[]]
    for token in re.findall(r'"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+', text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token[1:-1] if token.startswith('"') else token)
    assert len(stack) == 1
    return list(stack[0][0])


def inner(node: list[Any], head: str) -> list[list[Any]]:
    return [each for each in node if isinstance(each, list) and each[0] == head]


@pytest.mark.slow
def test_the_board_file_has_the_pads_of_the_netlist_at_their_places(routed: tuple[Placement, Routes]) -> None:
    board, routes = routed
    tree = read(layout(board, routes))
    found = {}
    for footprint in inner(tree, "footprint"):
        (ref,) = (each[2] for each in inner(footprint, "property") if each[1] == "Reference")
        for pad in inner(footprint, "pad"):
            if pad[1]:
                found[ref, pad[1]] = inner(pad, "net")[0][2]
    wanted = {
        (each.ref, pin.number): each.nets.get(pin.number) or open_net(each, pin.number)
        for each in board.circuit.parts
        for pin in each.device.pins
    }
    assert found == wanted
    starts = {(float(s[1]), float(s[2])) for t in inner(tree, "segment") for s in inner(t, "start")}
    assert starts == {(round(t.start[0] + ORIGIN, 4), round(t.start[1] + ORIGIN, 4)) for t in routes.tracks}


@pytest.mark.parametrize("name", ALL)
def test_the_schematic_has_a_label_at_every_joined_pin(name: str) -> None:
    circuit = boards()[name]().circuit
    tree = read(schematic(circuit))
    places = [tuple(inner(label, "at")[0][1:3]) for label in inner(tree, "global_label")]
    assert len(set(places)) == len(places)
    labels = sorted(label[1] for label in inner(tree, "global_label"))
    flags = list(circuit.supplies)
    assert labels == sorted([net for each in circuit.parts for net in each.nets.values()] + flags)


# ---- costs ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_the_bill_counts_every_part_and_has_a_price_for_it(name: str) -> None:
    circuit = boards()[name]().circuit
    bought = [each.ref for each in circuit.parts if each.device.prefix != "H"]
    rows = [row for row in csv.reader(io.StringIO(bom(circuit))) if not row[0].startswith("instead")]
    assert sorted(ref for row in rows[1:-1] for ref in row[0].split()) == sorted(bought)
    assert float(rows[-1][-1]) == pytest.approx(sum(float(row[-1]) for row in rows[1:-1]), abs=0.05)
    assert float(rows[-1][-1]) == pytest.approx(cost(circuit), abs=0.01)
    assert "estimate" in rows[0][-2]


def test_no_price_is_listed_that_no_board_needs() -> None:
    used = {line.device.name for make in boards().values() for line in lines(make().circuit)}
    assert set(prices().unit) <= used
