"""The shell-cost tracker beside the rules: what the circuit measured, what the rules compute, and whether they agree.

Neither side ever silently wins: where they differ, the judgement has a sentence, and the costs that are shown stay
those of the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from controller.devices.link.messages import Reading
from controller.rules.shells import Cost, costs
from controller.sentences import all_of, say, together
from controller.table.state import Table
from controller.tracker import circuit_model as parts
from hardware.tracker_circuit import FULL, TOLERANCE, Seam, TrackerCircuit

EVERY_MS = 500  # a round of all adjacencies
SILENT_US = 2_000_000  # four rounds
STEADY = 3  # rounds in which sensors and rules must differ alike: a hand that turns a shell is not a disagreement
COMPUTED = say("Until then costs are computed by the rules.")


class NewestReading(msgspec.Struct, frozen=True):
    """The newest reading of an adjacency; ``times`` counts readings in a row with the same nodes and levels."""

    sample: parts.TrackerSample
    times: int


class Tracker(msgspec.Struct, frozen=True):
    """What is known of the circuit. ``heard`` has the adjacencies by their place in the circuit's list."""

    circuit: TrackerCircuit
    heard_us: int
    heard: Mapping[int, NewestReading] = {}
    stray: str = ""  # a reading that nobody requested
    stray_us: int = 0


class Judgement(msgspec.Struct, frozen=True):
    """``sentence`` says what does not agree and what to check, "" where all does. ``measured`` has ``p:m`` by
    ``a3-b3``, in the order of the adjacencies, where the circuit could be read.
    """

    sentence: str = ""
    measured: Mapping[str, str] = {}


class Ruled(msgspec.Struct, frozen=True):
    """The rules' side, by the board's names: a shell by tile, and the computed cost by two tiles, in either order."""

    shells: Mapping[str, int]
    costs: Mapping[tuple[str, str], Cost]


def begin(circuit: TrackerCircuit, now_us: int) -> Tracker:
    """Return the tracker before its first reading."""
    return Tracker(circuit, now_us)


def sample_of(circuit: TrackerCircuit, reading: Reading) -> parts.TrackerSample:
    """Return the nodes and the axes in ``reading``."""
    nodes = (1 << circuit.nodes) - 1
    counts = (reading.axis_0, reading.axis_1, reading.axis_2)[: circuit.axes]
    return parts.TrackerSample(reading.bits_a & nodes, reading.bits_b & nodes, counts)


def take(tracker: Tracker, reading: Reading, now_us: int) -> Tracker:
    """Return the tracker after a reading that arrived at ``now_us``."""
    circuit, pair = tracker.circuit, (reading.register_a, reading.register_b)
    found = (i for i, seam in enumerate(circuit.seams) if (seam.register_a, seam.register_b) == pair)
    index = next(found, None)
    if index is None:
        a, b = (register + 1 for register in pair)
        wrong = say("registers {a} and {b} of the chain, which are not neighbouring tiles", a=a, b=b)
        return msgspec.structs.replace(tracker, stray=wrong, stray_us=now_us)
    sample, before = sample_of(circuit, reading), tracker.heard.get(index)
    again = before is not None and _alike(circuit, before.sample, sample)
    heard = NewestReading(sample, before.times + 1 if before is not None and again else 1)
    return msgspec.structs.replace(tracker, heard_us=now_us, heard={**tracker.heard, index: heard})


def _alike(circuit: TrackerCircuit, one: parts.TrackerSample, other: parts.TrackerSample) -> bool:
    levels = [[parts.decoded(circuit, counts) for counts in sample.counts] for sample in (one, other)]
    return (one.shell_a, one.shell_b) == (other.shell_a, other.shell_b) and levels[0] == levels[1]


def judge(tracker: Tracker, ruled: Ruled | None, now_us: int) -> Judgement:
    """Return whether the circuit agrees with itself, with the sensors, and with the rules.

    Without rules (no game with shells, or the board is being set up) the circuit is held against the sensors alone.
    """
    if now_us - tracker.heard_us > SILENT_US:
        silent = say("The tracker is not responding: check its connector, and flash the sensor board again.")
        return Judgement(together(silent, COMPUTED))
    measured = dict(_measured(tracker))
    if tracker.stray and now_us - tracker.stray_us <= SILENT_US:
        stray = say("The tracker answered for {registers}: flash the sensor board again.", registers=tracker.stray)
        return Judgement(together(stray, COMPUTED), measured)
    wrong = _circuit_wrong(tracker)
    if not wrong and ruled is not None:
        wrong = _rules_differ(tracker, ruled)
    return Judgement(wrong, measured)


def _measured(tracker: Tracker) -> Iterator[tuple[str, str]]:
    circuit = tracker.circuit
    for index, seam in enumerate(circuit.seams):
        if (heard := tracker.heard.get(index)) is not None:
            h = parts.decoded(circuit, heard.sample.counts[seam.axis])
            if h is not None:
                yield f"{seam.tile_a}-{seam.tile_b}", str(costs(circuit.nodes)[h])


def _circuit_wrong(tracker: Tracker) -> str:
    """Return the sentence for a circuit that does not read what its own inputs say."""
    circuit = tracker.circuit
    off = [i for i, heard in tracker.heard.items() if parts.off(circuit, heard.sample) > TOLERANCE]
    if not any(tracker.heard[i].times > 1 for i in off):
        return ""  # not twice in a row: the next round will tell
    samples = {i: tracker.heard[i].sample for i in off}
    worst = max(off, key=lambda i: (_visible(circuit, circuit.seams[i], samples[i]), parts.off(circuit, samples[i])))
    what = _and_more(complaint(circuit, circuit.seams[worst], samples[worst]), len(off) - 1)
    part = parts.named(circuit, [heard.sample for heard in tracker.heard.values()])
    return together(
        say("The tracker disagrees with the sensors: {what}. Check this: {part}.", what=what, part=part), COMPUTED
    )


def _visible(circuit: TrackerCircuit, seam: Seam, sample: parts.TrackerSample) -> bool:
    """Whether the axis that the adjacency's cost is read from is off."""
    return abs(sample.counts[seam.axis] - parts.levels(circuit, sample)[seam.axis]) > TOLERANCE


def complaint(circuit: TrackerCircuit, seam: Seam, sample: parts.TrackerSample) -> str:
    """Return what is wrong with a reading whose levels are not those of its nodes; "" where nothing is."""
    expected = parts.levels(circuit, sample)
    order = sorted(range(circuit.axes), key=lambda axis: axis != seam.axis)
    for axis in order:
        counts, right = sample.counts[axis], round(expected[axis] * circuit.nodes / FULL)
        if abs(counts - expected[axis]) <= TOLERANCE:
            continue
        h = parts.decoded(circuit, counts)
        volts = parts.volts(counts)
        where = say(
            "between {a} and {b} axis {axis} reads {volts}", a=seam.tile_a, b=seam.tile_b, axis=axis, volts=volts
        )
        if h is None:
            levels = parts.nearest(circuit, counts)
            return say("{where}, between {levels}, where the sensors give H = {h}", where=where, levels=levels, h=right)
        if h == right:
            volts = parts.volts(round(expected[axis]))
            return say("{where}, which is off the voltage for H = {h} ({volts})", where=where, h=h, volts=volts)
        by = costs(circuit.nodes)
        return say(
            "{where} (H = {h}, cost {cost}), where the sensors give H = {right} (cost {other})",
            where=where,
            h=h,
            cost=str(by[h]),
            right=right,
            other=str(by[right]),
        )
    return ""


def _and_more(what: str, count: int) -> str:
    if not count:
        return what
    if count == 1:
        return say("{what}, and at another adjacency", what=what)
    return say("{what}, and at {count} more adjacencies", what=what, count=count)


def _rules_differ(tracker: Tracker, ruled: Ruled) -> str:
    """Return the sentence where the circuit, and so the sensors, give another cost than the rules."""
    circuit = tracker.circuit
    found = []
    for index, heard in tracker.heard.items():
        seam = circuit.seams[index]
        computed = ruled.costs.get((seam.tile_a, seam.tile_b))
        h = parts.decoded(circuit, heard.sample.counts[seam.axis])
        measured = None if h is None else costs(circuit.nodes)[h]
        if heard.times >= STEADY and computed and measured and computed.text != measured.text:
            found.append((seam, measured, computed))
    if not found:
        return ""
    seam, measured, computed = found[0]
    what = say(
        "Between {a} and {b} the tracker measures H = {h} (cost {cost}), the rules compute H = {right} (cost {other})",
        a=seam.tile_a,
        b=seam.tile_b,
        h=measured.differing(circuit.nodes),
        cost=str(measured),
        right=computed.differing(circuit.nodes),
        other=str(computed),
    )
    nodes = _nodes(tracker, ruled.shells)
    return together(say("{what}. {nodes}.", what=_and_more(what, len(found) - 1), nodes=nodes), COMPUTED)


def _nodes(tracker: Tracker, shells: Mapping[str, int]) -> str:
    """Return which nodes the sensors see otherwise than the rules, and what to check."""
    circuit, read = tracker.circuit, dict[str, int]()
    for index, heard in tracker.heard.items():
        seam = circuit.seams[index]
        read |= {seam.tile_a: heard.sample.shell_a, seam.tile_b: heard.sample.shell_b}
    wrong = [
        say("node {node}, which reads occupied but is empty by the rules", node=f"{tile}:{node}")
        if shell >> node & 1
        else say("node {node}, which reads empty but is occupied by the rules", node=f"{tile}:{node}")
        for tile, shell in read.items()
        if tile in shells
        for node in range(circuit.nodes)
        if (shell ^ shells[tile]) >> node & 1
    ]
    if not wrong:
        return say(
            "Sensors and rules agree on the shells, so either the tracker or the rules compute the cost "
            "wrongly: please report this"
        )
    more = [say("{count} more", count=len(wrong) - parts.FEW)] if len(wrong) > parts.FEW else []
    return say("Most likely {nodes}: check magnet and sensor", nodes=all_of([*wrong[: parts.FEW], *more]))


# ---- the rules' side --------------------------------------------------------------------------------------


def rules_on(table: Table) -> Ruled | None:
    """Return what the game on ``table`` says, by the board's names of the tiles.

    None where there is nothing to compare: no game, one without shells, a board that is being set up, or a game whose
    shells face each other turned and not mirrored, as in the circuit.
    """
    play = table.play
    if play is None or play.setting_up:
        return None
    seen = play.session.game.look(play.session.state, None).shells
    if seen is None or seen.mode != "reflect":
        return None
    place = table.board.placements[play.session.name]
    shells = {place[tile]: shell for tile, shell in seen.nodes.items() if tile in place}
    computed: dict[tuple[str, str], Cost] = {}
    for (one, other), cost in seen.costs.items():
        a, b = place.get(one, ""), place.get(other, "")
        computed |= {(a, b): cost, (b, a): cost}
    return Ruled(shells, computed)
