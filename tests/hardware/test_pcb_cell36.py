"""The board that comes assembled: its circuit against the firmware's pins, its parts against magnets and makers, its
copper by an eye of its own, and its supplies in SPICE.
"""

from __future__ import annotations

import math
import re

import pytest

from hardware.field.limits import REST_MOST_MT, SENSOR_OFF_MT
from hardware.field_table import SENSOR_MV_PER_MT
from hardware.pcb import price
from hardware.pcb.assembled import FERRITE, HALL, HALL_PINS, HALL_RESTS_MV, HC4067, RP2040, USB_C
from hardware.pcb.boards.cell import CELL_GROUND, STEEL_MM
from hardware.pcb.boards.cell36_layout import cell36, chip_spot
from hardware.pcb.boards.rp2040 import ADDRESS, ANALOG, LAMP, PIXELS, SUPPLY
from hardware.pcb.bom import lines, prices, source
from hardware.pcb.footprints import footprints
from hardware.pcb.netlist import Circuit
from hardware.pcb.placement import Placement, Point, placed, turned
from hardware.pcb.route import Routes, route
from hardware.profile import MUX_INPUTS, MUXES, load
from tests.hardware.assembled_supplies import hall_ripple, pixel_volts
from tests.hardware.firmware_defines import defined

PROFILE = load("cell36")
CLOSE_MM = 0.5
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
    assert HALL_PINS[order.second.split()[-1]] == ours
    assert HALL_PINS["HX6659ISO-B"] != ours


def test_main_and_second_sensor_rest_where_the_firmware_and_the_host_expect_it_and_the_49e_class_does_not() -> None:
    order = prices().source[HALL.name]
    most_mt = {name: mv / SENSOR_MV_PER_MT for name, mv in HALL_RESTS_MV.items()}
    assert most_mt[order.mpn] == most_mt[order.second.split()[-1]] == SENSOR_OFF_MT
    assert most_mt["OH49E-S"] > REST_MOST_MT


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
