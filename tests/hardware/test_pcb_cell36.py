"""The board that comes assembled: its circuit against the firmware's pins, its parts against magnets and makers, its
copper by an eye of its own, and its supplies in SPICE.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from hardware.pcb import price
from hardware.pcb.assembled import FERRITE, HALL, HALL_PINS, HC4067, RP2040, USB_C
from hardware.pcb.boards.cell36 import ADDRESS, ANALOG, CELL_GROUND, LAMP, PIXELS, SUPPLY
from hardware.pcb.boards.cell36_layout import STEEL_MM, cell36, chip_spot
from hardware.pcb.bom import lines, prices, source
from hardware.pcb.copper import Track
from hardware.pcb.footprints import footprints
from hardware.pcb.make import project
from hardware.pcb.netlist import Circuit
from hardware.pcb.placement import GRID, Land, Placement, Point, lands, placed, turned
from hardware.pcb.route import CLEARANCE, VIA, Routes, route
from hardware.profile import MUX_INPUTS, MUXES, load
from hardware.spice.assembled import hall_ripple, pixel_volts

FIRMWARE = Path(__file__).parents[2] / "firmware" / "port_rp2040"
PROFILE = load("cell36")
CLOSE_MM = 0.5
FINE = GRID / 16  # places nearer than this are one
STEEL = ("J1", "SW1", "Y1")  # and the ferrite, which is as bad
MORE_A = 0.7  # that the lights may have where the supply offers it
ROUTED = pytest.mark.long  # to join all that hangs on 36 sensors takes half a minute; `test_pcb_boards` routes others


@pytest.fixture(scope="module")
def board() -> Placement:
    return cell36(PROFILE)


@pytest.fixture(scope="module")
def circuit(board: Placement) -> Circuit:
    return board.circuit


@pytest.fixture(scope="module")
def routes(board: Placement) -> Routes:
    return route(board)


# ---- the circuit and the firmware --------------------------------------------------------------------------


def defined(file: str, name: str) -> int:
    """Return the value of a #define of the firmware's port."""
    found = re.search(rf"^#define {name} (\d+)\b", (FIRMWARE / file).read_text(encoding="utf-8"), re.MULTILINE)
    assert found, name
    return int(found[1])


def test_the_pins_are_those_of_the_firmware() -> None:
    first = defined("muxes.c", "PIN_ADDRESS")
    assert tuple(range(first, first + 4)) == ADDRESS
    assert tuple(range(defined("muxes.c", "PIN_ANALOG"), defined("muxes.c", "PIN_ANALOG") + MUXES)) == ANALOG
    assert defined("pixels.c", "PIN") == PIXELS
    assert defined("main.c", "PIN_LAMP") == LAMP
    assert defined("muxes.h", "MUXES") == MUXES
    assert defined("muxes.h", "MUX_INPUTS") == MUX_INPUTS
    assert SUPPLY == 29  # the one input of the ADC that is left


def test_the_chip_has_every_pin_once() -> None:
    assert sorted(int(pin.number) for pin in RP2040.pins) == list(range(1, 58))
    assert len({pin.name for pin in RP2040.pins}) == 57
    assert {f"GPIO{k}" for k in range(30)} <= {pin.name for pin in RP2040.pins}


def read_at(circuit: Circuit, address: int, analog: int) -> str | None:
    """Return the site whose sensor the chip reads at GPIO ``analog`` while it puts ``address`` on its pins."""
    chip = circuit.part("U1")
    levels = {chip.net(f"GPIO{pin}"): bool(address >> k & 1) for k, pin in enumerate(ADDRESS)}
    levels |= {CELL_GROUND: False, "VA": True}
    (mux,) = (p for p in circuit.parts if p.device is HC4067 and p.net("Z") == chip.net(f"GPIO{analog}"))
    assert not levels[mux.net("E")]
    chosen = mux.net(f"Y{sum(levels[mux.net(f'S{k}')] << k for k in range(4))}")
    if chosen == CELL_GROUND:
        return None
    (hall,) = (p for p in circuit.parts if p.device is HALL and p.net("OUT") == chosen)
    assert (hall.net("VCC"), hall.net("GND")) == ("VA", CELL_GROUND)
    return hall.ref.removeprefix("S")


def test_each_address_brings_the_sensor_of_its_bit_to_the_chip(circuit: Circuit) -> None:
    found = [read_at(circuit, address, analog) for analog in ANALOG for address in range(MUX_INPUTS)]
    assert found == list(PROFILE.by_bit())


def test_the_pixels_hang_one_behind_the_other_in_the_order_of_the_strip(circuit: Circuit) -> None:
    net = circuit.part("U1").net(f"GPIO{PIXELS}")
    shifter = circuit.part("U6")
    assert (shifter.net("A"), shifter.net("OE"), shifter.net("VCC")) == (net, "GND", "V5")
    series = circuit.part("R10")
    assert series.net("1") == shifter.net("Y")
    at = series.net("2")
    order = []
    while at is not None:
        (pixel,) = (p for p in circuit.parts if p.device.name == "WS2812B" and p.net("DIN") == at)
        order.append(pixel.ref.removeprefix("D"))
        at = pixel.net("DOUT")
    assert tuple(order) == PROFILE.by_light()


def test_the_grounds_meet_at_one_resistor_of_nothing(circuit: Circuit) -> None:
    both = [part for part in circuit.parts if {"GND", CELL_GROUND} <= set(part.nets.values())]
    assert [(part.ref, part.value) for part in both] == [("R1", "0")]
    assert circuit.part("U1").net("ADC_AVDD") == circuit.part("Sa1").net("VCC")  # so a weak supply changes nothing


@pytest.mark.parametrize(("offered_ma", "cc_volts"), [(500, (0.25, 0.61)), (1500, (0.70, 1.16)), (3000, (1.31, 2.04))])
def test_one_input_tells_apart_what_the_supplies_offer(
    circuit: Circuit, offered_ma: int, cc_volts: tuple[float, float]
) -> None:
    """USB Type-C Specification, table 4-36: volts at Rd of 5.1 k. A cable joins one pin, so the mean is half."""
    socket, chip = circuit.part("J1"), circuit.part("U1")
    for pin, down, across in (("CC1", "R2", "R4"), ("CC2", "R3", "R5")):
        assert circuit.part(down).value == "5.1k"
        assert set(circuit.part(down).nets.values()) == {socket.net(pin), "GND"}
        assert set(circuit.part(across).nets.values()) == {socket.net(pin), chip.net(f"GPIO{SUPPLY}")}
    low, high = (volts * (100 + 5.1 / 2) / (200 + 5.1) for volts in cc_volts)
    bounds = {500: (0.10, 0.33), 1500: (0.33, 0.62), 3000: (0.62, 1.10)}[offered_ma]
    assert bounds[0] < low < high < bounds[1]


# ---- makers -------------------------------------------------------------------------------------------------


def test_main_and_second_sensor_have_the_same_pins_and_a_turned_one_would_be_found_out() -> None:
    order = prices().source[HALL.name]
    ours = tuple(HALL.pins[k].name for k in sorted(range(3), key=lambda k: HALL.pins[k].number))
    assert HALL_PINS[order.mpn] == ours
    assert HALL_PINS[order.second.split(",")[0]] == ours
    assert HALL_PINS["HX6659ISO-B"] != ours


def test_the_house_loads_no_more_than_twelve_reels_and_has_all_on_one_side(circuit: Circuit, board: Placement) -> None:
    assert price.extended(circuit) <= 12
    assert all(source(line, prices()).lcsc for line in lines(circuit))
    assert len(board.marks) == 3
    assert len({board.spots[part.ref] for part in circuit.parts}) == len(circuit.parts)


def test_five_and_fifty_boards_have_a_price_whose_lines_are_dated(circuit: Circuit) -> None:
    few, many = (price.order(circuit, count, price.house()) for count in (5, 50))
    assert all(re.fullmatch(r"20\d\d(-\d\d)?", line.date) for line in (*few, *many))
    assert {"2023", "2026-11"} <= {line.date for line in few}
    each_few, each_many = sum(line.euros for line in few) / 5, sum(line.euros for line in many) / 50
    assert 20 < each_many < each_few < 80
    reels = next(line for line in few if line.what.startswith("reel"))
    assert reels.euros == pytest.approx(3 * price.extended(circuit) * price.house().rate.USD)


# ---- where things lie ---------------------------------------------------------------------------------------


def middle_of(site: str) -> Point:
    side = max(x for each in PROFILE.sites for x, _ in each.outline)
    found = next(each for each in PROFILE.sites if each.name == site)
    return found.x_mm, side - found.y_mm


def test_each_sensor_lies_in_the_middle_of_its_cell(board: Placement) -> None:
    for site in PROFILE.sites:
        spot = board.spots[f"S{site.name}"]
        assert math.dist((spot.x, spot.y), middle_of(site.name)) < CLOSE_MM


def test_steel_and_ferrite_keep_off_the_sensors(board: Placement) -> None:
    halls = [(board.spots[f"S{site.name}"].x, board.spots[f"S{site.name}"].y) for site in PROFILE.sites]
    places = list(board.screws)
    for part in board.circuit.parts:
        if part.ref in STEEL or part.device is FERRITE:
            spot = board.spots[part.ref]
            left, top, right, bottom = footprints()[part.device.footprint].body
            corners = [turned(x, y, spot.turn) for x in (left, right) for y in (top, bottom)]
            places += [(spot.x + x, spot.y + y) for x, y in corners]
            places += [placed(pad, spot) for pad in footprints()[part.device.footprint].pads]
    assert min(math.dist(place, hall) for place in places for hall in halls) >= STEEL_MM


def test_the_sockets_mouth_is_at_the_edge(board: Placement) -> None:
    spot, edge = board.spots["J1"], max(y for _, y in board.edge)
    assert USB_C.footprint == "USB-C"
    assert 3.4 < edge - spot.y < 3.9  # Korean Hroparts: 3.65 from its middle to the board's edge
    assert abs(spot.x - chip_spot(PROFILE).x) < CLOSE_MM


# ---- copper -------------------------------------------------------------------------------------------------


def reach(track: Track) -> float:
    return track.width / 2


def apart(a: Track, b: Track) -> float:
    """Return the gap between two straight tracks with round ends, in any direction."""
    if _cross(a, b):
        return -min(a.width, b.width)
    ends = [a.gap(*b.start), a.gap(*b.end)]
    return min(min(ends) - reach(b), min(b.gap(*a.start), b.gap(*a.end)) - reach(a))


def _cross(a: Track, b: Track) -> bool:
    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    one = side(a.start, a.end, b.start) * side(a.start, a.end, b.end)
    other = side(b.start, b.end, a.start) * side(b.start, b.end, a.end)
    return one < 0 and other < 0


def neighbours(tracks: list[Track]) -> Iterator[tuple[Track, Track]]:
    """Yield pairs of tracks that share a square of 5 mm, each pair once."""
    squares: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for number, track in enumerate(tracks):
        (x, y), (to_x, to_y) = track.start, track.end
        for column in range(math.floor(min(x, to_x) / 5 - 0.3), math.floor(max(x, to_x) / 5 + 0.3) + 1):
            for row in range(math.floor(min(y, to_y) / 5 - 0.3), math.floor(max(y, to_y) / 5 + 0.3) + 1):
                squares[track.layer, column, row].append(number)
    seen = {(a, b) for there in squares.values() for k, a in enumerate(there) for b in there[k + 1 :]}
    yield from ((tracks[a], tracks[b]) for a, b in seen)


def all_copper(routes: Routes) -> list[Track]:
    """Return every track, and each hole as a track of no length on both layers."""
    holes = [Track(via.net, layer, (via.x, via.y), (via.x, via.y), VIA) for via in routes.vias for layer in (0, 1)]
    return [*routes.tracks, *holes]


@ROUTED
def test_no_copper_comes_too_near_to_that_of_another_net(board: Placement, routes: Routes) -> None:
    least = CLEARANCE - 1e-3  # a micrometre: tracks by hand end at rounded places
    close = [(a, b) for a, b in neighbours(all_copper(routes)) if a.net != b.net and apart(a, b) < least]
    assert not close, close[:3]
    around = [(track, *_rectangle(track)) for track in all_copper(routes)]
    for land in lands(board):
        x, y, far = land.x, land.y, max(land.width, land.height) + 1
        for track, left, low, right, high in around:
            if left - far <= x <= right + far and low - far <= y <= high + far and land.net != track.net:
                assert (track.layer and not land.drill) or _far(land, track) >= least, (land, track)


def _rectangle(track: Track) -> tuple[float, float, float, float]:
    """Return the left, low, right and high edge of the upright rectangle around it."""
    (x, y), (to_x, to_y), half = track.start, track.end, reach(track)
    return min(x, to_x) - half, min(y, to_y) - half, max(x, to_x) + half, max(y, to_y) + half


def _far(land: Land, track: Track) -> float:
    steps = max(1, round(math.dist(track.start, track.end) / 0.1))
    (x, y), (to_x, to_y) = track.start, track.end
    places = ((x + (to_x - x) * k / steps, y + (to_y - y) * k / steps) for k in range(steps + 1))
    return min(land.gap(*place) for place in places) - reach(track)


@ROUTED
def test_the_copper_joins_all_pads_of_every_net(board: Placement, routes: Routes) -> None:
    for net, ends in board.circuit.nets().items():
        tracks = [track for track in all_copper(routes) if track.net == net]
        pads = [land for land in lands(board) if land.net == net]
        groups = _joined(tracks, pads)
        assert len({groups[len(tracks) + k] for k in range(len(pads))}) == 1, net
        assert {land.ref for land in pads} == {ref for ref, _ in ends}


def _joined(tracks: list[Track], pads: list[Land]) -> list[int]:
    """Return by number which tracks and pads hang together: those that touch, and the two ends of a hole."""
    above = list(range(len(tracks) + len(pads)))

    def root(number: int) -> int:
        while above[number] != number:
            above[number] = above[above[number]]
            number = above[number]
        return number

    places: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for number, track in enumerate(tracks):
        steps = max(1, round(math.dist(track.start, track.end) / (GRID / 4)))
        (x, y), (to_x, to_y) = track.start, track.end
        for k in range(steps + 1):
            at = x + (to_x - x) * k / steps, y + (to_y - y) * k / steps
            places[track.layer, round(at[0] / FINE), round(at[1] / FINE)].append(number)
            for pad, land in enumerate(pads, len(tracks)):
                if (land.drill or not track.layer) and land.gap(*at) <= 0:
                    above[root(number)] = root(pad)
        if track.start == track.end:  # a hole: it is listed once a layer
            places[2, round(x / FINE), round(y / FINE)].append(number)
    for there in places.values():
        for one, other in pairwise(there):
            above[root(one)] = root(other)
    return [root(number) for number in range(len(above))]


@ROUTED
def test_the_finest_track_is_what_the_project_says(board: Placement, routes: Routes) -> None:
    finest = min(track.width for track in routes.tracks)
    assert finest == 0.15
    assert f'"min_track_width": {finest}' in project("cell36", min(track.width for track in board.tracks))


# ---- supplies -----------------------------------------------------------------------------------------------


@ROUTED
@pytest.mark.parametrize("lights_a", [PROFILE.max_milliamps / 1000, MORE_A])
def test_every_pixel_keeps_more_than_4_6_volts_by_its_tracks_alone(
    board: Placement, routes: Routes, lights_a: float
) -> None:
    assert PROFILE.max_milliamps < PROFILE.strong_milliamps < 1000 * MORE_A
    volts = pixel_volts(board, routes, lights_a)
    assert len(volts) == PROFILE.light_count
    assert 4.6 < min(volts.values()) < max(volts.values()) < 5.0


@pytest.mark.slow
@pytest.mark.parametrize("lights_a", [PROFILE.max_milliamps / 1000, MORE_A])
def test_pixels_that_switch_move_the_sensors_supply_by_less_than_two_millivolts(lights_a: float) -> None:
    assert 0.0001 < hall_ripple(lights_a) < 0.002
