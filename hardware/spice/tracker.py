"""The tracker in SPICE: every pair of shells with nominal parts, boards of random parts, and how fast it settles."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import msgspec

from hardware.spice.ngspice import Rows, run
from hardware.tracker_circuit import ADDING_OHMS, FULL, TrackerCircuit

VOLTS = 5.0
GATE_OHMS = 45  # typical: Nexperia 74HC86, 0.18 V lost at 4 mA and 4.5 V
ADC_FARADS = 14e-12  # sample and hold of the ATmega328P, behind at most 100 kOhm
ADC_OHMS = 100_000
WIRE_FARADS = 150e-12  # a metre of flat cable and the pin


class Spread(msgspec.Struct, frozen=True):
    """How far parts may be off. Every part is drawn by itself, evenly between its ends."""

    resistor: float = 0.01  # of 10 kOhm
    gate_ohms: tuple[float, float] = (20.0, 165.0)  # high and low apart; 165 is the limit at 85 °C and 4.5 V
    supply: tuple[float, float] = (4.5, 5.5)
    supply_drop: float = 0.005  # of the tracker below that of the ADC, its reference: 80 mA over wires of 0.3 Ohm
    adc_counts: float = 4.0  # twice the typical absolute error of the ATmega328P


class CircuitBoard(msgspec.Struct, frozen=True):
    """One axis of one board, as drawn."""

    ohms: tuple[float, ...]
    high_ohms: tuple[float, ...]
    low_ohms: tuple[float, ...]
    volts: float  # at the tracker
    reference_volts: float


class Margin(msgspec.Struct, frozen=True):
    """What boards of random parts read. ``off`` has the counts off the level by the number of gates that are high.

    ``worst`` is the largest distance from the level, ``margin`` the least from the border to the next level.
    """

    boards: int
    off: tuple[tuple[float, ...], ...]
    worst: float
    margin: float


# ---- every pair of shells ---------------------------------------------------------------------------------


def all_pairs(circuit: TrackerCircuit) -> Rows:
    """Return, for every pair of shells (B's bits above A's), the counts of each axis with nominal parts."""
    bits = 2 * circuit.nodes
    points = run(_network(circuit), [f"dc Vp 0 {(1 << bits) - 1} 1", "write"], _axes(circuit))
    return [[counts(v, VOLTS) for v in row[1:]] for row in points]


def counts(volts: float, reference_volts: float, error: float = 0.0) -> int:
    """Return what the ADC makes of a voltage; ``error`` in counts."""
    return min(max(int(FULL * volts / reference_volts + error), 0), FULL - 1)


def differing(circuit: TrackerCircuit, axis: int, pattern: int) -> int:
    """Return how many pairs of facing nodes differ, counted one by one."""
    a, b = pattern % (1 << circuit.nodes), pattern >> circuit.nodes
    return sum((a >> node ^ b >> circuit.facing(axis, node)) & 1 for node in range(circuit.nodes))


def level(circuit: TrackerCircuit, high: int) -> float:
    """Return the counts that ``high`` of the gates should give."""
    return FULL * high / circuit.nodes


def _axes(circuit: TrackerCircuit) -> list[str]:
    return [f"v(axis{axis})" for axis in range(circuit.axes)]


def _network(circuit: TrackerCircuit) -> list[str]:
    """The 74HC595 as bits of the swept number, the 74HC86 as gates with an output resistance."""
    lines = ["Vp p 0 0", f"Vsupply vcc 0 {VOLTS}"]
    for place in range(2 * circuit.nodes):
        name = f"{'ab'[place // circuit.nodes]}{place % circuit.nodes}"
        # The chain is low where a magnet is, so the register's output is the bit inverted.
        lines.append(f"B{name} {name} 0 V = 1 - floor((V(p)+0.5)/{1 << place}) + 2*floor((V(p)+0.5)/{2 << place})")
    for axis in range(circuit.axes):
        for node in range(circuit.nodes):
            a, b, at = f"V(a{node})", f"V(b{circuit.facing(axis, node)})", f"{axis}_{node}"
            lines += [
                f"Bx{at} x{at} 0 V = V(vcc)*({a} + {b} - 2*{a}*{b})",
                f"Rgate{at} x{at} y{at} {GATE_OHMS}",
                f"Radd{at} y{at} axis{axis} {ADDING_OHMS}",
            ]
    return lines


# ---- boards of random parts -------------------------------------------------------------------------------


def draw(nodes: int, spread: Spread, dice: random.Random) -> CircuitBoard:
    """Return one axis with parts drawn at random."""

    def each(low: float, high: float) -> tuple[float, ...]:
        return tuple(dice.uniform(low, high) for _ in range(nodes))

    reference = dice.uniform(*spread.supply)
    off = ADDING_OHMS * spread.resistor
    return CircuitBoard(
        each(ADDING_OHMS - off, ADDING_OHMS + off),
        each(*spread.gate_ohms),
        each(*spread.gate_ohms),
        reference * (1 - dice.uniform(0, spread.supply_drop)),
        reference,
    )


def corner(nodes: int, spread: Spread, high: int) -> CircuitBoard:
    """Return the axis whose parts are all at the end that pulls ``high`` high gates down the furthest."""
    weak, strong = spread.gate_ohms[1], spread.gate_ohms[0]
    up, down = ADDING_OHMS * (1 + spread.resistor), ADDING_OHMS * (1 - spread.resistor)
    ohms = tuple(up if node < high else down for node in range(nodes))
    volts = spread.supply[0]
    return CircuitBoard(ohms, (weak,) * nodes, (strong,) * nodes, volts * (1 - spread.supply_drop), volts)


def axis_of(nodes: int, boards: Sequence[CircuitBoard]) -> list[Rows]:
    """Return for each board the voltage at every pattern of gates that are high, by ngspice."""
    lines = ["Vp p 0 0", "Vsupply vcc 0 5"]
    commands = []
    for node in range(nodes):
        lines += [
            f"Bbit{node} bit{node} 0 V = floor((V(p)+0.5)/{1 << node}) - 2*floor((V(p)+0.5)/{2 << node})",
            f"Vr{node} r{node} 0 {ADDING_OHMS}",
            f"Vh{node} h{node} 0 {GATE_OHMS}",
            f"Vl{node} l{node} 0 {GATE_OHMS}",
            f"Bg{node} 0 axis I = (V(vcc)*V(bit{node}) - V(axis)) / "
            f"(V(r{node}) + V(bit{node})*V(h{node}) + (1-V(bit{node}))*V(l{node}))",
        ]
    for board in boards:
        commands.append(f"alter Vsupply = {board.volts:.6f}")
        for node in range(nodes):
            parts = (("r", board.ohms), ("h", board.high_ohms), ("l", board.low_ohms))
            commands += [f"alter V{kind}{node} = {ohms[node]:.4f}" for kind, ohms in parts]
        commands += [f"dc Vp 0 {(1 << nodes) - 1} 1", "write", "destroy"]
    points = run(lines, commands, ["v(axis)"])
    return [points[k : k + (1 << nodes)] for k in range(0, len(points), 1 << nodes)]


def margin(nodes: int, boards: Sequence[CircuitBoard], spread: Spread, dice: random.Random) -> Margin:
    """Return what ``boards`` read, each pattern with an ADC error of its own."""

    def drawn(_: float) -> float:
        return dice.uniform(-spread.adc_counts, spread.adc_counts)

    return _judged(nodes, boards, drawn)


def worst_case(nodes: int, spread: Spread) -> Margin:
    """Return what the boards with all parts at their ends read, the ADC's error against them, for every level."""
    return _judged(nodes, [corner(nodes, spread, high) for high in range(nodes + 1)], lambda _: -spread.adc_counts)


def _judged(nodes: int, boards: Sequence[CircuitBoard], error: Callable[[float], float]) -> Margin:
    off: list[list[float]] = [[] for _ in range(nodes + 1)]
    for board, points in zip(boards, axis_of(nodes, boards), strict=True):
        for pattern, (_, volts) in enumerate(points):
            high = pattern.bit_count()
            read = counts(volts, board.reference_volts, error(volts))
            off[high].append(read - FULL * high / nodes)
    worst = max(abs(each) for row in off for each in row)
    return Margin(len(boards), tuple(tuple(row) for row in off), worst, FULL / nodes / 2 - worst)


# ---- how fast it settles ----------------------------------------------------------------------------------


def settling_us(nodes: int, ohms: float = ADDING_OHMS * 1.01) -> float:
    """Return how long after a latch the ADC's capacitor is within half a count of its new level, all gates turning."""
    lines = [
        "Vx x 0 PWL(0 0 1u 0 1.02u 5)",
        f"Radd x axis {(ohms + GATE_OHMS) / nodes}",
        f"Cwire axis 0 {WIRE_FARADS}",
        f"Radc axis hold {ADC_OHMS}",
        f"Cadc hold 0 {ADC_FARADS}",
    ]
    points = run(lines, ["tran 20n 40u", "write"], ["v(hold)"])
    late = [time for time, volts in points if abs(volts - 5.0) > 5.0 / FULL / 2]
    return late[-1] * 1e6 - 1.0
