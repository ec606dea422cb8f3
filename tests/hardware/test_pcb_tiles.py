"""Nine tiles and their hub, joined by ribbons: from the firmware's pins to every sensor and pixel, and to magnets."""

from __future__ import annotations

import math

import pytest

from hardware.field.limits import TILE_OFF_MT, TILES_OFF_MT
from hardware.pcb import price
from hardware.pcb.assembled import HALL, HC4067, RESISTOR_0603, RIBBON
from hardware.pcb.boards.catalogue import boards, circuits_of
from hardware.pcb.boards.cell import CELL_GROUND, STEEL_MM
from hardware.pcb.boards.hub9 import ENABLE, TILES
from hardware.pcb.boards.rp2040 import ADDRESS, ANALOG, PIXELS, SUPPLY
from hardware.pcb.boards.tile16 import CELLS, PLAY_MM, SIDE_MM, inputs
from hardware.pcb.bom import lines, prices, source
from hardware.pcb.footprints import PLUG_SLOT, PLUG_SLOT_OFF, footprints
from hardware.pcb.netlist import Circuit, Part
from hardware.pcb.placement import Placement, size_mm
from hardware.pcb.route import Routes, route
from hardware.profile import MUX_INPUTS, load
from hardware.spice.assembled import CHIP_A
from hardware.spice.tiles import MV_PER_MT, PAGE, TILE_A, TILE_MOST_A, page, tile_ripple, tile_volts
from tests.hardware.firmware_defines import defined

PROFILE = load("field144")
COLUMNS = 3
CLOSE_MM = 0.5


@pytest.fixture(scope="module")
def tile() -> Placement:
    return boards()["tile16"]()


@pytest.fixture(scope="module")
def hub() -> Placement:
    return boards()["hub9"]()


def there(number: int, cell: str) -> str:
    """Return the board's name of a cell of tile ``number``, which are counted from the first player's left."""
    row, column = divmod(number, COLUMNS)
    return f"{chr(ord(cell[0]) + CELLS * column)}{int(cell[1:]) + CELLS * row}"


def way(header: Part, name: str) -> str | None:
    """Return the net of a ribbon's way at one of its headers."""
    return header.nets.get(str(RIBBON.index(name) + 1))


# ---- sensors and pixels -------------------------------------------------------------------------------------


def read_at(tile: Circuit, hub: Circuit, row: int, address: int, analog: int) -> list[str]:
    """Return the sites whose sensors come to GPIO ``analog`` while the chip picks a row of tiles and an address."""
    chip = hub.part("U1")
    high = {chip.net(f"GPIO{pin}"): bool(address >> k & 1) for k, pin in enumerate(ADDRESS)}
    high |= {chip.net(f"GPIO{pin}"): k != row for k, pin in enumerate(ENABLE)}
    (mux,) = (part for part in tile.parts if part.device is HC4067)
    plug, found = tile.part("J1"), []
    for number in range(TILES):
        header = hub.part(f"J{10 + number}")
        if way(header, "Z") != chip.net(f"GPIO{analog}") or high[way(header, "E")]:
            continue
        assert (mux.net("Z"), mux.net("E")) == (way(plug, "Z"), way(plug, "E"))
        assert [mux.net(f"S{k}") for k in range(4)] == [way(plug, f"S{k}") for k in range(4)]
        chosen = mux.net(f"Y{sum(high[way(header, f'S{k}')] << k for k in range(4))}")
        (hall,) = (part for part in tile.parts if part.device is HALL and part.net("OUT") == chosen)
        found.append(there(number, hall.ref.removeprefix("S")))
    return found


def test_each_row_address_and_line_bring_the_one_sensor_of_their_bit_to_the_chip(
    tile: Placement, hub: Placement
) -> None:
    found = [
        read_at(tile.circuit, hub.circuit, row, address, analog)
        for row in range(3)
        for analog in ANALOG
        for address in range(MUX_INPUTS)
    ]
    assert found == [[site] for site in PROFILE.by_bit()]


def test_the_pixels_hang_one_behind_the_other_from_tile_to_tile_and_back_to_the_hub_between(
    tile: Placement, hub: Placement
) -> None:
    shifter, series = hub.circuit.part("U6"), hub.circuit.part("R10")
    assert shifter.net("A") == hub.circuit.part("U1").net(f"GPIO{PIXELS}")
    assert series.net("1") == shifter.net("Y")
    at, order = series.net("2"), []
    for number in range(TILES):
        header = hub.circuit.part(f"J{10 + number}")
        assert way(header, "DIN") == at
        order += [there(number, cell) for cell in _pixels(tile.circuit)]
        at = way(header, "DOUT")
    assert at is None
    assert tuple(order) == PROFILE.by_light()


def _pixels(tile: Circuit) -> list[str]:
    plug = tile.part("J1")
    at, order = way(plug, "DIN"), []
    while pixels := [part for part in tile.parts if part.device.name == "WS2812B" and part.net("DIN") == at]:
        order.append(pixels[0].ref.removeprefix("D"))
        at = pixels[0].net("DOUT")
    last = tile.part("R1")
    assert (last.net("1"), last.net("2")) == (at, way(plug, "DOUT")), "the last one drives the ribbon by a resistor"
    return order


def test_a_tile_is_read_and_lit_in_the_order_in_which_the_board_s_file_has_its_first_tile() -> None:
    assert inputs() == PROFILE.by_bit()[:MUX_INPUTS] == PROFILE.by_light()[:MUX_INPUTS]


def test_the_pins_that_pick_a_row_of_tiles_are_those_of_the_firmware(hub: Placement) -> None:
    first = defined("muxes.c", "PIN_ENABLE")
    assert tuple(range(first, first + PROFILE.mux_groups)) == ENABLE
    chip = hub.circuit.part("U1")
    used = [chip.net(f"GPIO{pin}") for pin in (*ADDRESS, *ENABLE, *ANALOG, SUPPLY)]
    assert used == ["S0", "S1", "S2", "S3", "E0", "E1", "E2", "Z0", "Z1", "Z2", "SUPPLY"]


def test_no_tile_answers_before_the_chip_has_set_its_pins(tile: Placement, hub: Placement) -> None:
    """After a reset each pin of an RP2040 has 50 kΩ or more to ground (its data sheet, Pin Specifications)."""
    pulls = [part for part in tile.circuit.parts if part.device is RESISTOR_0603 and "E" in part.nets.values()]
    (mux,) = (part for part in tile.circuit.parts if part.device is HC4067)
    assert [(set(part.nets.values()), part.value) for part in pulls] == [({mux.net("E"), mux.net("VCC")}, "10k")]
    tiles_a_row = TILES // PROFILE.mux_groups
    least_share = 50 / (50 + 10 / tiles_a_row)
    assert least_share > 0.7, "a 74HC4067 takes 0.7 of its supply for high"
    in_rows = [
        {way(hub.circuit.part(f"J{10 + number}"), "E") for number in range(3 * row, 3 * row + 3)} for row in range(3)
    ]
    assert in_rows == [{"E0"}, {"E1"}, {"E2"}]


# ---- supplies -----------------------------------------------------------------------------------------------


def test_the_grounds_of_a_tile_meet_at_the_hub_alone_each_by_a_way_of_its_own(tile: Placement, hub: Placement) -> None:
    def on_both(board: Placement) -> list[Part]:
        return [part for part in board.circuit.parts if {"GND", CELL_GROUND} <= set(part.nets.values())]

    assert [part.ref for part in on_both(tile)] == ["J1"]
    joints = [part for part in on_both(hub) if part.device.prefix != "J"]
    assert {part.value for part in joints} == {"0"}
    places = [hub.spots[part.ref] for part in joints]
    assert all(math.dist((one.x, one.y), (other.x, other.y)) < 6.0 for one in places for other in places)
    for number in range(TILES):
        header = hub.circuit.part(f"J{10 + number}")
        assert [way(header, ground) for ground in ("GND", CELL_GROUND)] == ["GND", CELL_GROUND]


def test_the_pi_and_the_supply_never_feed_each_other(hub: Placement) -> None:
    to_pi, to_supply = hub.circuit.part("J1"), hub.circuit.part("J2")
    assert to_pi.net("VBUS1") != to_supply.net("VBUS1") == hub.circuit.part("F1").net("1")
    assert {part.ref for part in hub.circuit.parts if to_pi.net("VBUS1") in part.nets.values()} == {"J1", "U5"}
    assert to_supply.net("DP1") is None


def test_what_the_supply_offers_is_read_at_its_own_socket(hub: Placement) -> None:
    socket, chip = hub.circuit.part("J2"), hub.circuit.part("U1")
    for pin, down, across in (("CC1", "R16", "R4"), ("CC2", "R17", "R5")):
        assert hub.circuit.part(down).value == "5.1k"
        assert set(hub.circuit.part(down).nets.values()) == {socket.net(pin), "GND"}
        assert set(hub.circuit.part(across).nets.values()) == {socket.net(pin), chip.net(f"GPIO{SUPPLY}")}


@pytest.fixture(scope="module")
def routed(tile: Placement, hub: Placement) -> tuple[tuple[Placement, Routes], tuple[Placement, Routes]]:
    return (tile, route(tile)), (hub, route(hub))


@pytest.mark.long
def test_every_pixel_of_the_last_tile_keeps_more_than_4_6_volts_where_all_light_is_on_it(
    routed: tuple[tuple[Placement, Routes], tuple[Placement, Routes]],
) -> None:
    """Its header is the farthest from the supply, along the bars of copper."""
    lit, dark = (tile_volts(*routed, lights_a, TILES - 1) for lights_a in (PROFILE.strong_milliamps / 1000, 0.0))
    assert len(lit.pixels) == MUX_INPUTS
    assert 4.6 < min(lit.pixels.values()) < min(dark.pixels.values()) < 5.0
    assert abs(lit.ground - dark.ground) < 0.002, "light moves what the chip reads by less than 0.15 mT"


@pytest.mark.long
def test_ground_and_regulators_of_tiles_are_within_what_the_host_takes_for_their_rest(
    routed: tuple[tuple[Placement, Routes], tuple[Placement, Routes]],
) -> None:
    """AP2112K is 1.5 % off, AMS1117 1 %; of 3.3 V the middle has half. The first tile's ground is the highest."""
    first, last = (tile_volts(*routed, 0.0, number).ground * TILE_MOST_A / TILE_A for number in (0, TILES - 1))
    regulator, reference = (3.3 * share / 2 for share in (0.015, 0.01))
    assert (first + regulator + reference) * 1000 / MV_PER_MT <= TILES_OFF_MT
    assert (regulator + first - last) * 1000 / MV_PER_MT <= TILE_OFF_MT


@pytest.mark.long
def test_the_page_has_the_current_and_the_volts_of_these_very_boards(
    routed: tuple[tuple[Placement, Routes], tuple[Placement, Routes]],
) -> None:
    assert PAGE.read_text(encoding="utf-8") == page(PROFILE, *routed), "run make circuit"


def test_the_supply_gives_more_than_all_tiles_draw_and_the_fuse_carries_it_in_a_warm_room(hub: Placement) -> None:
    most_a = CHIP_A + TILES * TILE_MOST_A + PROFILE.strong_milliamps / 1000
    assert most_a < 0.77 * 2.6, "MF-MSMF260/16X holds 2.0 A at 60 °C"
    assert hub.circuit.part("F1").value == "2.6A"


@pytest.mark.parametrize("lights_a", [PROFILE.max_milliamps / 1000, PROFILE.strong_milliamps / 1000])
def test_pixels_that_switch_move_a_tile_s_sensors_by_less_than_two_millivolts(lights_a: float) -> None:
    supply, ground = tile_ripple(lights_a)
    assert 0.0001 < supply < 0.002
    assert ground < 0.02, "it rings for some microseconds at each edge, and means to nothing"


# ---- where things lie ---------------------------------------------------------------------------------------


def test_cells_go_on_at_their_pitch_over_the_seam_between_two_tiles(tile: Placement) -> None:
    assert pytest.approx(CELLS * PROFILE.pitch_mm) == SIDE_MM
    assert size_mm(tile) == pytest.approx((SIDE_MM - PLAY_MM, SIDE_MM - PLAY_MM))
    sites = {site.name: site for site in PROFILE.sites}
    for number in range(TILES):
        row, column = divmod(number, COLUMNS)
        for cell in inputs():
            spot, site = tile.spots[f"S{cell}"], sites[there(number, cell)]
            at = spot.x + column * SIDE_MM, (row + 1) * SIDE_MM - spot.y
            assert math.dist(at, (site.x_mm, site.y_mm)) < CLOSE_MM


def test_nothing_of_a_tile_is_of_steel_but_its_screws_which_keep_off_the_sensors(tile: Placement) -> None:
    kinds = {part.device.name for part in tile.circuit.parts}
    assert not kinds & {"USB-C socket", "Button", "Crystal", "Ferrite"}
    halls = [(tile.spots[f"S{cell}"].x, tile.spots[f"S{cell}"].y) for cell in inputs()]
    assert min(math.dist(screw, hall) for screw in tile.screws for hall in halls) >= STEEL_MM


def test_the_hub_s_plugs_go_in_from_its_edges(hub: Placement) -> None:
    width, height = size_mm(hub)
    for number in range(TILES):
        spot = hub.spots[f"J{10 + number}"]
        to_edge = {0: width - spot.x, 90: spot.y, 180: spot.x}[spot.turn]
        assert 11.96 < to_edge < 13.5, "its mouth lies 11.96 mm from its pins"
    for ref in ("J1", "J2"):
        assert 3.4 < height - hub.spots[ref].y < 3.9


@pytest.mark.parametrize("name", ["Box-2x6", "Box-2x6-slot"])
def test_the_ribbon_s_header_is_that_of_kicad_s_library(name: str) -> None:
    """IDC-Header_2x06_P2.54mm_Horizontal: from pin 1 the others lie 2.54 mm apart, even ones nearer to the mouth."""
    header = footprints()[name]
    one = next(pad for pad in header.pads if pad.number == "1")
    pins = {int(pad.number): (pad.x - one.x, pad.y - one.y) for pad in header.pads if pad.number}
    assert pins == {
        number: pytest.approx(((number - 1) % 2 * 2.54, (number - 1) // 2 * 2.54)) for number in range(1, 13)
    }
    assert {(pad.width, pad.height) for pad in header.pads if pad.number} == {(1.7, 1.7)}
    assert {pad.drill for pad in header.pads if pad.number} <= {1.0, 1.1}, "legs of 0.64 mm, across 0.9 mm"
    left, top, right, bottom = (edge - at for edge, at in zip(header.body, (one.x, one.y) * 2, strict=True))
    slot = PLUG_SLOT_OFF + PLUG_SLOT / 2 if "slot" in name else 0.0
    assert (top, right - slot, bottom) == pytest.approx((-5.1, 13.28, 17.8), abs=0.06)
    assert left < -0.85, "no other part between the legs and their pads' edge"


# ---- makers -------------------------------------------------------------------------------------------------


def test_a_house_loads_few_reels_and_has_all_on_one_side(tile: Placement, hub: Placement) -> None:
    types = [price.extended(board.circuit) for board in (tile, hub)]
    assert types == [5, 9]
    for board in (tile, hub):
        assert all(source(line, prices()).mpn for line in lines(board.circuit))
        assert len(board.marks) == 3
    assert circuits_of(PROFILE) == {"tile16": 9, "hub9": 1}
