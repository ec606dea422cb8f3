"""The boards as logic: magnets, chain, tracker and pins, followed through the nets of the circuits themselves."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from controller.devices.sensors.gpio_board import Pins, read_chain, wiring_fault
from controller.rules.shells import cost, node_of
from controller.tracker.circuit_model import TrackerFault, said
from hardware.pcb.boards.carrier import carrier
from hardware.pcb.boards.hat import hat
from hardware.pcb.boards.strip import strip
from hardware.pcb.boards.tile import tile, tile_of
from hardware.pcb.boards.tracker import tracker
from hardware.pcb.devices import CHAIN, TRACKER
from hardware.pcb.netlist import Circuit, Part
from hardware.pcb.placement import Placement
from hardware.profile import Profile, load
from hardware.reverse_supply import D_1N5822, FUSES, MF_R300, reversed_supply
from hardware.tracker_circuit import TrackerCircuit as Rule
from hardware.wiring import wiring

FIRMWARE = Path(__file__).parents[2] / "firmware"
Net = tuple[int, str]


class Floating(Exception):
    """A net that nothing drives."""


class Table:
    """Boards plugged together, their chips at work: levels go from pin to pin along nets and plugs alone."""

    def __init__(self, circuits: list[Circuit]) -> None:
        self.circuits = circuits
        self.up: dict[Net, Net] = {}
        self.magnets: set[tuple[int, str]] = set()
        self.drivers: dict[Net, Callable[[], bool]] = {}  # made at the first look, forgotten at every change
        self.shift = {(b, p.ref): [False] * 8 for b, p in self.parts("74HC165", "74HC595")}
        self.shown = {(b, p.ref): [False] * 8 for b, p in self.parts("74HC595")}

    def parts(self, *devices: str) -> Iterator[tuple[int, Part]]:
        for number, circuit in enumerate(self.circuits):
            yield from ((number, part) for part in circuit.parts if part.device.name in devices)

    def root(self, net: Net) -> Net:
        while net in self.up:
            net = self.up[net]
        return net

    def join(self, a: Net, b: Net) -> None:
        self.drivers = {}
        if self.root(a) != self.root(b):
            self.up[self.root(a)] = self.root(b)

    def plug(self, a: int, plug_a: str, b: int, plug_b: str) -> None:
        """A ribbon: pin to pin of the same number."""
        one, other = self.circuits[a].part(plug_a).nets, self.circuits[b].part(plug_b).nets
        for number in one.keys() & other.keys():
            self.join((a, one[number]), (b, other[number]))

    def at(self, board: int, part: Part, pin: str) -> Net:
        net = part.net(pin)
        assert net is not None, f"{part.ref} has an open {pin}"
        return self.root((board, net))

    def level(self, net: Net) -> bool:
        if not self.drivers:
            self.drivers = dict(self._drivers())
        if net not in self.drivers:
            raise Floating(f"{net} floats")
        return self.drivers[net]()

    def _shifted(self, chip: tuple[int, str], k: int) -> bool:
        return self.shift[chip][k]

    def _shown(self, chip: tuple[int, str], k: int) -> bool:
        return self.shown[chip][k]

    def _drivers(self) -> Iterator[tuple[Net, Callable[[], bool]]]:
        """Yield what sets the level of each net; of two the later wins: a closed sensor against its pull-up."""
        for board, part in self.parts("Resistor network"):
            for k in range(1, 10):
                yield self.at(board, part, f"R{k}"), partial(self.level, self.at(board, part, "COM"))
        for board, part in self.parts("Sensor"):
            if (board, part.ref) in self.magnets:
                yield self.at(board, part, "OUT"), partial(self.level, self.at(board, part, "GND"))
        for board, part in self.parts("74HC165"):
            yield self.at(board, part, "Q7"), partial(self._shifted, (board, part.ref), 7)
        for board, part in self.parts("74HC595"):
            for k in range(8):
                if (net := part.net(f"Q{k}")) is not None:
                    yield self.root((board, net)), partial(self._shown, (board, part.ref), k)
        for board, part in self.parts("74HC86"):
            for k in range(1, 5):
                if (net := part.net(f"{k}Y")) is not None:
                    yield self.root((board, net)), partial(self._differ, board, part, k)
        for board in range(len(self.circuits)):
            yield self.root((board, "VCC")), lambda: True
            yield self.root((board, "GND")), lambda: False

    def _differ(self, board: int, part: Part, gate: int) -> bool:
        return self.level(self.at(board, part, f"{gate}A")) != self.level(self.at(board, part, f"{gate}B"))

    def load(self, latch: Net) -> None:
        for board, part in self.parts("74HC165"):
            assert self.at(board, part, "PL") == self.root(latch)
            self.shift[board, part.ref] = [self.level(self.at(board, part, f"D{k}")) for k in range(8)]

    def clock(self, clock: Net) -> None:
        """A rising edge: all registers take what the one before showed until then."""
        moved = {}
        for board, part in self.parts("74HC165", "74HC595"):
            pin, enable = ("CP", "CE") if part.device.name == "74HC165" else ("SHCP", "OE")
            assert self.at(board, part, pin) == self.root(clock)
            assert not self.level(self.at(board, part, enable))
            moved[board, part.ref] = [self.level(self.at(board, part, "DS")), *self.shift[board, part.ref][:7]]
        self.shift.update(moved)

    def put(self, *magnets: tuple[int, str]) -> None:
        self.magnets = set(magnets)
        self.drivers = {}

    def show(self, latch: Net) -> None:
        """A rising edge at the latch of a 74HC595."""
        for board, part in self.parts("74HC595"):
            if self.at(board, part, "STCP") == self.root(latch):
                self.shown[board, part.ref] = list(self.shift[board, part.ref])


class ChainPins:
    """The Pi's pins, wired to the chain; as `read_chain` uses them."""

    BCM, IN, OUT, PUD_UP = 11, 1, 0, 22

    def __init__(self, table: Table) -> None:
        self.table = table

    def output(self, channel: int, level: int) -> None:
        if channel == Pins().latch and level:
            self.table.load((0, "LATCH"))
        if channel == Pins().clock and level:
            self.table.clock((0, "CLOCK"))

    def input(self, channel: int) -> int:
        assert channel == Pins().data
        return self.table.level(self.table.root((0, "DATA")))

    def setmode(self, mode: int, /) -> None: ...

    def setup(self, channel: int, direction: int, /, *, pull_up_down: int = 0, initial: int = 0) -> None: ...

    def cleanup(self, channels: object, /) -> None: ...


def chain_of(circuit: Circuit, count: int, *more: Circuit, torn_after: int = 0) -> Table:
    """So many of the same board in a row, the first to the reader, the last with its cap from DATA to ground.

    The data wire of the ribbon behind board ``torn_after``, counted from 1, is torn.
    """
    table = Table([*[circuit] * count, *more])
    data = str(CHAIN.index("DATA") + 1)
    for number in range(count - 1):
        if number + 1 != torn_after:
            table.plug(number, "J2", number + 1, "J1")
        else:
            for pin, net in circuit.part("J2").nets.items():
                if pin != data:
                    table.join((number, net), (number + 1, circuit.part("J1").nets[pin]))
    last = circuit.part("J2").nets
    table.join((count - 1, last[str(CHAIN.index("DATA") + 1)]), (count - 1, last[str(CHAIN.index("DATA"))]))
    return table


def read(table: Table, length: int) -> int:
    """Return the chain's bits as the Pi's own reader takes them, one past the end too."""
    return read_chain(ChainPins(table), Pins(), length + 1)


def strip_sensor(bit: int) -> tuple[int, str]:
    return bit // 8, f"S{bit % 8 + 1}"


def tile_sensor(profile: Profile, bit: int) -> tuple[int, str]:
    return bit // 16, f"S{bit % 16}"


# ---- the chain --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["square144", "hex91"])
def test_a_magnet_over_a_cell_of_the_strips_clears_its_bit_of_the_profile(name: str) -> None:
    profile = load(name)
    length = profile.chain_length
    table = chain_of(strip(profile).circuit, length // 8)
    empty = read(table, length)
    assert empty == (1 << length) - 1
    assert not wiring_fault(empty, length, (1 << length) - 1)
    for site in random.Random(1).sample(profile.sites, 6):
        table.put(strip_sensor(site.bit))
        assert read(table, length) == empty & ~(1 << site.bit), site.name


@pytest.mark.parametrize("torn_after", [1, 5, 17])
def test_a_ribbon_torn_in_mid_chain_reads_high_and_is_found_by_the_end_of_the_chain(torn_after: int) -> None:
    """A serial input that nothing holds reads anything, by chance the ground that ends a whole chain."""
    profile = load("square144")
    length = profile.chain_length
    sample = read(chain_of(strip(profile).circuit, length // 8, torn_after=torn_after), length)
    assert sample == (1 << (length + 1)) - 1
    assert wiring_fault(sample, length, (1 << length) - 1)


def test_a_ribbon_torn_between_tiles_reads_high_too() -> None:
    profile = load("shell19")
    sample = read(chain_of(tile(profile).circuit, 19, torn_after=7), profile.chain_length)
    assert sample >> profile.chain_length == 1


def test_the_wiring_list_and_the_strip_name_the_same_pins() -> None:
    profile = load("square144")
    register = strip(profile).circuit.part("U1")
    for row in wiring(profile):
        assert register.nets[str(row.pin)] == f"S{row.bit % 8 + 1}"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["shell19", "shellsquare16"])
def test_a_tile_sends_its_nodes_its_store_and_its_vertices_in_the_order_of_the_profile(name: str) -> None:
    profile = load(name)
    length, ring = profile.chain_length, len(tile_of(profile).nodes)
    circuit = tile(profile).circuit
    for site in profile.sites[:: len(profile.sites) // 12]:
        table = chain_of(circuit, length // 16)
        place = site.bit % 16
        if place <= ring:
            table.put(tile_sensor(profile, site.bit))
            read_bits = read(table, length)
        else:  # a vertex hangs on a plug: its contact joins pin 3 to pin 2
            plug = circuit.part(f"J{place - 8 + 5}").nets
            table.join((site.bit // 16, plug["3"]), (site.bit // 16, plug["2"]))
            read_bits = read(table, length)
        assert read_bits == ((1 << length) - 1) & ~(1 << site.bit), site.name


def test_a_chain_without_its_end_plug_is_told_from_a_whole_one() -> None:
    assert read(Table([strip(load("hex91")).circuit]), 8) == 0x1FF
    assert read(chain_of(strip(load("hex91")).circuit, 1), 8) == 0x0FF


# ---- the tracker ------------------------------------------------------------------------------------------

RINGS = [(6, "shell19"), (4, "shellsquare16")]


def watch(name: str, ring: int, tiles: tuple[int, int], shells: tuple[int, int]) -> Table:
    """Stream a chain past the tracker, which latches A after byte 0 of one tile and B after that of another."""
    profile = load(name)
    count = 4
    table = chain_of(tile(profile).circuit, count, tracker(ring).circuit)
    for pin in ("CLOCK", "DATA", "VCC", "GND"):
        table.join((count, pin), (0, pin))
    pairs = zip(tiles, shells, strict=True)
    table.put(*((number, f"S{node}") for number, shell in pairs for node in range(ring) if not shell >> node & 1))
    table.load((0, "LATCH"))
    for bit in range(count * 16):
        table.clock((0, "CLOCK"))
        for latch, number in zip("AB", tiles, strict=True):
            if bit == number * 16 + 7:
                table.show((count, f"LATCH_{latch}"))
    return table


def volts_part(table: Table, axis: int) -> float:
    """Return the level of an axis as a part of the supply: the mean of its equal resistors."""
    board = len(table.circuits) - 1
    into = [
        part
        for _, part in table.parts("Resistor")
        if f"AXIS_{axis}" in part.nets.values() and part in table.circuits[board].parts
    ]
    assert len({part.value for part in into}) == 1
    ends = [next(net for net in part.nets.values() if net != f"AXIS_{axis}") for part in into]
    assert len(set(ends)) == len(ends)
    return sum(table.level(table.root((board, end))) for end in ends) / len(ends)


@pytest.mark.parametrize(("ring", "name"), RINGS)
def test_the_tracker_measures_what_the_rules_reckon(ring: int, name: str) -> None:
    pick = random.Random(ring)
    for tiles in ((0, 1), (3, 1), (1, 2)):
        shells = pick.randrange(1 << ring), pick.randrange(1 << ring)
        table = watch(name, ring, tiles, shells)
        for side in range(ring):
            near, far = node_of(side, ring, ring), node_of((side + ring // 2) % ring, ring, ring)
            h = cost(shells[0], shells[1], near, far, ring, "reflect").differing(ring)
            assert volts_part(table, side % (ring // 2)) == pytest.approx(h / ring)


@pytest.mark.parametrize(("ring", "half"), [(6, 3), (4, 2)])
def test_the_gates_pair_the_nodes_that_face_each_other(ring: int, half: int) -> None:
    circuit = tracker(ring).circuit
    pairs = set()
    for part in circuit.parts:
        if part.device.name == "74HC86":
            pairs |= {(part.net(f"{k}A"), part.net(f"{k}B"), part.net(f"{k}Y")) for k in range(1, 5)}
    wanted = {(f"A{j}", f"B{(2 * d + half - j) % ring}", f"X{d}_{j}") for d in range(half) for j in range(ring)}
    assert {pair for pair in pairs if pair[2] is not None} == wanted


@pytest.mark.parametrize(("ring", "name"), RINGS)
def test_a_part_that_the_service_calls_broken_is_the_one_on_the_board(ring: int, name: str) -> None:
    rule = Rule(ring, ring // 2, {}, ())
    board = tracker(ring).circuit
    for axis in range(ring // 2):
        for node in range(ring):
            told = said(rule, TrackerFault("resistor", axis, node, 0))
            (ref,) = re.findall(r"resistor (R\d+)", told)
            assert set(board.part(ref).nets.values()) == {f"X{axis}_{node}", f"AXIS_{axis}"}
            ((gate, ref),) = re.findall(r"gate (\d) of (U\d)", said(rule, TrackerFault("gate", axis, node, 1)))
            assert board.part(ref).net(f"{gate}Y") == f"X{axis}_{node}"
    for place, tile_name in enumerate("AB"):
        for node in range(ring):
            ((pin, ref),) = re.findall(r"output (Q\d) of (U\d)", said(rule, TrackerFault("output", place, node, 1)))
            assert board.part(ref).net(pin) == f"{tile_name}{node}"
        ((ref, pin),) = re.findall(r"\((U\d), wire from (D\d)\)", said(rule, TrackerFault("latch", place, 0, 0)))
        assert board.part(ref).net("STCP") == carrier().circuit.part("U1").net(pin)


def test_every_resistor_of_an_axis_ends_at_that_axis_pin_of_the_nano() -> None:
    nano = carrier().circuit.part("U1")
    plug = carrier().circuit.part("J2").nets
    ours = tracker(6).circuit.part("J1").nets
    for axis in range(3):
        number = str(TRACKER.index(f"AXIS_{axis}") + 1)
        assert ours[number] == f"AXIS_{axis}"
        assert plug[number] == nano.net(f"A{axis}")
    # The Nano measures against its own supply, so the gates must have the same.
    assert plug[str(TRACKER.index("VCC") + 1)] == nano.net("5V")


# ---- lights -----------------------------------------------------------------------------------------------


def passed(circuit: Circuit, plug_in: str, plug_out: str) -> list[str]:
    """Return the pixels of a board as data from one plug pass them on the way to the other."""
    found, net = [], circuit.part(plug_in).nets["2"]
    while net != circuit.part(plug_out).nets["2"]:
        (pixel,) = (part for part in circuit.parts if part.device.name == "WS2812B" and part.net("DIN") == net)
        found.append(pixel.ref)
        net = pixel.nets["2"]
    return found


def test_the_pixels_of_a_strip_follow_its_bits_as_in_the_profiles() -> None:
    assert passed(strip(load("hex91")).circuit, "J3", "J4") == [f"D{cell}" for cell in range(1, 9)]
    for name in ("square144", "hex91"):
        profile = load(name)
        assert list(profile.by_light()) == [site for site in profile.by_bit() if site is not None]


@pytest.mark.parametrize(("ring", "name"), RINGS)
def test_the_pixels_of_a_tile_are_the_store_and_the_nodes_and_then_its_vertices(ring: int, name: str) -> None:
    profile = load(name)
    sensors = [f"S{ref[1:]}" for ref in passed(tile(profile).circuit, "J3", "J4")]
    bits, lights = profile.by_bit(), list(profile.by_light())
    wanted = []
    for first in range(0, profile.chain_length, 16):
        wanted += [bits[first + int(ref[1:])] for ref in sensors]
        wanted += [site for site in bits[first + 8 : first + 16] if site is not None]
    assert lights == wanted


# ---- pins and plugs ---------------------------------------------------------------------------------------


def arduino(port: str, bit: int) -> str:
    """Return the Nano's name of a port pin, from its schematic: D0 to D7 port D, D8 to D13 port B, A0 to A5 port C."""
    return {"D": f"D{bit}", "B": f"D{8 + bit}", "C": f"A{bit}"}[port]


def through(circuit: Circuit, net: str | None, value: str) -> str:
    """Return what lies on the other side of the one resistor of that value at a net."""
    (other,) = (
        end
        for part in circuit.parts
        if part.device.name == "Resistor" and part.value == value and net in part.nets.values()
        for end in part.nets.values()
        if end != net
    )
    return other


def test_the_carrier_joins_the_pins_that_the_firmware_uses() -> None:
    source = (FIRMWARE / "port" / "main.c").read_text()
    defined = {name: arduino(port, int(bit)) for name, port, bit in re.findall(r"#define PIN_(\w+) P(\w)(\d)", source)}
    circuit = carrier().circuit
    nano = circuit.part("U1")
    assert lifted(circuit.part("U2"), nano.net(defined["LOAD"])) == ["LATCH"] * 2
    assert through(circuit, nano.net(defined["LAMP"]), "1k") == circuit.part("D1").net("A")
    for pin in ("LATCH_A", "LATCH_B"):
        if pin in defined:
            assert nano.net(defined[pin]) == pin
    emulator = (FIRMWARE / "emulator" / "chip.c").read_text()
    (clock,) = re.findall(r"PIN_SCK = (\d)", emulator)
    assert lifted(circuit.part("U2"), nano.net(arduino("B", int(clock)))) == ["CLOCK"] * 2
    data = nano.net(arduino("B", 4))  # MISO of the ATmega328P is PB4
    assert through(circuit, data, "330") == "DATA"
    # The tracker hears the same data, and the clock behind the resistor that keeps its echoes.
    tracker_plug = circuit.part("J2").nets
    assert tracker_plug[str(TRACKER.index("DATA") + 1)] == data
    assert through(circuit, tracker_plug[str(TRACKER.index("CLOCK") + 1)], "100") == "CLOCK"


def lifted(gates: Part, net: str | None) -> list[str | None]:
    """Return what the gates with that input drive."""
    return [gates.net(f"{k}Y") for k in range(1, 5) if gates.net(f"{k}A") == net]


def test_a_side_without_power_is_not_fed_through_the_wires_of_the_chain() -> None:
    """Nexperia 74HC165: 20 mA through a clamp, and less than 10 mA keeps a dead ATmega328P from waking up."""
    circuit = carrier().circuit
    milliamps = (5.0 - 0.7) / (330 + 50) * 1000  # Q7 into the dead Nano's clamp; 50 Ω a gate of the HC family
    assert through(circuit, circuit.part("U1").net("D12"), "330") == "DATA"
    assert milliamps < 20
    # The other way the Nano ends at inputs without a diode to their supply: Nexperia, TI 74AHCT125.
    for pin in ("D13", "D10"):
        ends = {ref for ref, _ in circuit.nets()[str(circuit.part("U1").net(pin))]}
        assert ends == {"U1", "U2"}


@pytest.mark.parametrize(("board", "net"), [(carrier(), "OUTER_5V"), (hat(), "V5")])
def test_a_supply_the_wrong_way_round_goes_through_the_fuse_and_a_diode(board: Placement, net: str) -> None:
    """The fuse opens at twice its rating (Bourns MF-R), before the diode is too hot, however long nobody looks."""
    circuit = board.circuit
    (fuse,) = (part for part in circuit.parts if part.device.name == "Fuse")
    assert set(fuse.nets.values()) == {"IN_5V", net}
    diodes = [part for part in circuit.parts if part.device.name in ("Schottky diode", "Peak absorber")]
    assert [(part.net("K"), part.net("A")) for part in diodes] == [(net, "GND")] * 2
    assert len(circuit.nets()["IN_5V"]) == 2  # the terminal and the fuse
    found = reversed_supply(FUSES[fuse.value], D_1N5822)
    assert found.seconds < 10
    assert found.most_c < D_1N5822.most_c


def test_a_resettable_fuse_opens_when_its_data_sheet_says_and_never_below_twice_what_it_holds() -> None:
    assert MF_R300.opens_s(15.0) == pytest.approx(10.8)
    assert MF_R300.opens_s(10.5) > 20
    assert MF_R300.opens_s(6.0) == float("inf")


def test_a_fuse_of_three_amperes_would_open_too_late_for_the_diode() -> None:
    """As a review reckoned with typical parts: past 150 °C after 20 to 40 s at 9.6 A."""
    found = reversed_supply(MF_R300, D_1N5822)
    assert found.amps == pytest.approx(10.5, abs=0.01)  # the supply's own limit
    assert found.most_c > 200


def test_all_plugs_of_the_chain_have_the_same_wires_on_the_same_pins() -> None:
    tiles, strips = tile(load("shell19")).circuit, strip(load("hex91")).circuit
    towards = [carrier().circuit.part("J1"), hat().circuit.part("J5"), tiles.part("J1"), strips.part("J1")]
    away = [tiles.part("J2"), strips.part("J2")]
    for plug in (*towards, *away):
        renamed = {"V5": "VCC", "NEXT": "DATA"}
        assert tuple(renamed.get(plug.nets[str(k)], plug.nets[str(k)]) for k in range(1, 7)) == CHAIN


def test_the_hat_joins_the_pins_of_the_direct_reader_and_of_the_lights() -> None:
    circuit = hat().circuit
    # Physical pins of the header by the Pi's pin-out: GPIO 18, 23, 24, 25 are pins 12, 16, 18, 22.
    header = circuit.part("J1").nets
    pins = {18: header["12"], Pins().data: header["16"], Pins().clock: header["18"], Pins().latch: header["22"]}
    assert sorted(pins) == [18, 23, 24, 25]
    gates = circuit.part("U1")
    into = {gates.net(f"{k}A"): gates.net(f"{k}Y") for k in range(1, 5)}
    assert through(circuit, into[pins[18]], "330") == circuit.part("J4").nets["2"]
    assert lifted(gates, pins[24]) == ["CLOCK"] * 2
    assert lifted(gates, pins[25]) == ["LATCH"]
    assert through(circuit, pins[23], "2.2k") == "DATA"
    assert [gates.net(f"{k}OE") for k in range(1, 5)] == ["GND"] * 4


def ohms(circuit: Circuit, a: str, b: str) -> float:
    (value,) = (p.value for p in circuit.parts if p.device.name == "Resistor" and {a, b} == set(p.nets.values()))
    return float(value.removesuffix("k")) * 1000


def test_no_more_than_a_pi_can_bear_comes_back_from_the_chain() -> None:
    circuit = hat().circuit
    upper, lower = ohms(circuit, "DATA", "DATA_PI"), ohms(circuit, "DATA_PI", "GND")
    pull_up = ohms(circuit, "V5", "DATA")
    assert 5.25 * lower / (upper + lower) < 3.3
    assert 4.75 * lower / (upper + lower) > 2.0
    assert 4.75 * lower / (pull_up + upper + lower) > 2.0, "a torn wire must read high"
