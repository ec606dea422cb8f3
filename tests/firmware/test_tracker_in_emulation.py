"""The tracker in the emulated board: the very bits on the chain, through registers, gates and resistors, to the ADC."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.devices.link.messages import Change, Reading, Status, WatchRound, WatchTiles
from controller.devices.sensors.emulated_board import Emulator, EmulatorFault, EmulatorFiles, built
from controller.events import Snapshot
from controller.rules.mesh import NONE
from controller.rules.shells import cost
from controller.tracker import circuit_model, judgement
from controller.tracker.circuit_model import TrackerFault
from hardware.profile import load
from hardware.tracker_circuit import TOLERANCE
from tests.firmware.firmware_rig import Rig, make, wiring_of
from tests.firmware.tracker_rig import TrackerRig, ruled


@pytest.fixture(scope="session")
def hexes(build: Path) -> EmulatorFiles:
    make(build, "firmware", "BOARD=shell19")
    return built(build, "shell19")


@pytest.fixture(scope="session")
def squares(build: Path) -> EmulatorFiles:
    make(build, "firmware", "BOARD=shellsquare16")
    return built(build, "shellsquare16")


@pytest.fixture
def rig(hexes: EmulatorFiles) -> Iterator[TrackerRig]:
    with Emulator(hexes) as emulator:
        yield TrackerRig(emulator, load("shell19"))


def shuffled(rig: TrackerRig, seed: int = 5) -> dict[str, int]:
    dice = random.Random(seed)
    shells = {tile: dice.getrandbits(rig.circuit.nodes) for tile in rig.circuit.registers}
    rig.set_shells(shells)
    rig.run(10)
    return shells


def heard(rig: TrackerRig, rounds: int = judgement.STEADY) -> judgement.Tracker:
    now = judgement.begin(rig.circuit, rig.emulator.now_us)
    for _ in range(rounds):
        for reading in rig.round():
            now = judgement.take(now, reading, rig.emulator.now_us)
    return now


def judged(rig: TrackerRig, shells: dict[str, int] | None) -> judgement.Judgement:
    rules = ruled(rig.profile, shells) if shells is not None else None
    return judgement.judge(heard(rig), rules, rig.emulator.now_us)


def samples(rig: TrackerRig) -> list[circuit_model.TrackerSample]:
    return [each.sample for each in heard(rig, 1).heard.values()]


# ---- what is measured -------------------------------------------------------------------------------------


def test_every_pair_of_hex_shells_gives_the_right_h_on_every_axis(rig: TrackerRig) -> None:
    gray = [k ^ k >> 1 for k in range(64 * 64)]  # one sensor changes from one to the next
    for pattern in gray:
        a, b = pattern % 64, pattern // 64
        rig.set_shells({"c2": a, "d4": b})
        reading = rig.pair("c2", "d4")
        assert (reading.bits_a & 63, reading.bits_b & 63) == (a, b)
        for axis, counts in enumerate((reading.axis_0, reading.axis_1, reading.axis_2)):
            expected = cost(a, b, axis, (axis + 3) % 6, 6, "reflect").differing(6)
            assert circuit_model.decoded(rig.circuit, counts) == expected


def test_every_pair_of_square_shells_gives_the_right_h_on_every_axis(squares: EmulatorFiles) -> None:
    with Emulator(squares) as emulator:
        rig = TrackerRig(emulator, load("shellsquare16"))
        for pattern in range(256):
            a, b = pattern % 16, pattern // 16
            rig.set_shells({"a2": a, "d1": b})
            reading = rig.pair("d1", "a2")  # latch A may be the later one on the chain
            for axis, counts in enumerate((reading.axis_0, reading.axis_1)):
                expected = cost(b, a, axis, (axis + 2) % 4, 4, "reflect").differing(4)
                assert circuit_model.decoded(rig.circuit, counts) == expected
            assert reading.axis_2 == 0


@pytest.mark.parametrize("board", ["shell19", "shellsquare16"])
def test_a_round_measures_what_the_rules_compute_at_every_adjacency(
    board: str, hexes: EmulatorFiles, squares: EmulatorFiles
) -> None:
    profile = load(board)
    mesh = profile.cells
    n = len(mesh.neighbours[0])
    with Emulator(hexes if board == "shell19" else squares) as emulator:
        rig = TrackerRig(emulator, profile)
        shells = shuffled(rig)
        told = judged(rig, shells)
    expected = {}
    for a, row in enumerate(mesh.neighbours):
        for side, b in enumerate(row):
            if b != NONE and a < b:
                names = mesh.cells[a], mesh.cells[b]
                found = cost(shells[names[0]], shells[names[1]], side, mesh.facing[a][side], n, "reflect")
                expected["-".join(names)] = str(found)
    assert told == judgement.Judgement("", expected)


def test_a_reading_carries_the_bits_of_its_own_scan(rig: TrackerRig) -> None:
    rig.tell(WatchTiles(0, 8, 1))
    dice = random.Random(2)
    for _ in range(200):  # nodes move while it reads
        rig.set_shells({"a3": dice.getrandbits(6), "b3": dice.getrandbits(6)})
        for reading in rig.readings(dice.randrange(1, 30) / 10):
            sample = judgement.sample_of(rig.circuit, reading)
            assert circuit_model.off(rig.circuit, sample) <= TOLERANCE


# ---- when it is read, and what that costs the scan ----------------------------------------------------------


def test_one_reading_and_a_round_take_no_longer_than_told(rig: TrackerRig) -> None:
    start_us = rig.emulator.now_us
    rig.tell(WatchTiles(0, 8, 0))
    while not rig.readings(0.05):
        pass
    assert rig.emulator.now_us - start_us <= 3000
    start_us = rig.emulator.now_us
    rig.tell(WatchRound(0))
    count = 0
    while count < 42:
        count += len(rig.readings(0.05))
    assert rig.emulator.now_us - start_us <= 45_000


def test_the_scan_stays_at_a_thousand_a_second_whatever_is_read(rig: TrackerRig) -> None:
    before = rig.status()
    rig.tell(WatchRound(1))  # rounds without a pause
    during = rig.status()
    for status in (before, during):
        assert (status.scans_per_s, status.scans_missed, status.bytes_lost) == (1000, 0, 0)
    assert before.jitter_us <= 2
    assert during.jitter_us <= 5


def test_a_watch_goes_on_until_another_takes_its_place(rig: TrackerRig) -> None:
    rig.tell(WatchTiles(0, 8, 20))
    found = rig.readings(205)
    assert 10 <= len(found) <= 11
    assert {(r.register_a, r.register_b) for r in found} == {(0, 8)}
    rig.tell(WatchRound(100))
    rig.readings(10)
    assert 80 <= len(rig.readings(200)) <= 86
    rig.tell(WatchTiles(0, 8, 0))
    rig.readings(10)
    assert rig.readings(500) == []


def test_changes_go_before_readings(hexes: EmulatorFiles) -> None:
    with Emulator(hexes) as emulator:
        host = Rig(emulator, wiring_of(load("shell19")))
        host.until(Snapshot)
        host.talk.track(WatchRound(1))
        host.emulator.send(host.talk.track(WatchRound(1)).send)
        host.run(100)
        start_us = emulator.now_us
        emulator.set_sensor("e3", True)
        while not host.touches():
            host.run(0.1, step_us=100)
        assert emulator.now_us - start_us <= 6500
        assert host.talk.counts.frames_lost == 0


def test_registers_that_are_none_and_a_board_without_tracker_are_bad_frames(
    rig: TrackerRig, square: EmulatorFiles
) -> None:
    for a, b in ((0, 0), (0, 38), (255, 1)):
        rig.tell(WatchTiles(a, b, 0))
    assert rig.readings(20) == []
    assert rig.status().bad_frames == 3
    with Emulator(square) as emulator:
        plain = TrackerRig.__new__(TrackerRig)
        plain.emulator, plain._buffer, plain._seq = emulator, b"", 0
        plain.run(20)
        plain.tell(WatchRound(0))
        plain.tell(WatchTiles(0, 1, 0))
        assert plain.status().bad_frames == 2


def test_the_host_asks_again_after_a_restart_and_when_nothing_comes(hexes: EmulatorFiles) -> None:
    with Emulator(hexes) as emulator:
        host = Rig(emulator, wiring_of(load("shell19")))
        host.talk.track(WatchRound(500))
        host.until(Snapshot)
        readings: list[Reading] = []
        received = host.talk.received

        def keep(now_us: int, data: bytes) -> object:
            outcome = received(now_us, data)
            readings.extend(outcome.readings)
            return outcome

        host.talk.received = keep  # type: ignore[method-assign,assignment]  # listens in beside the rig
        host.run(600)
        assert len(readings) >= 42
        emulator.restart()
        host.run(1000)
        readings.clear()
        host.run(1000)
        assert len(readings) >= 42
        emulator.send(b"\0")
        host.emulator.send(host.talk.tell(WatchTiles(0, 1, 0)).send)  # somebody else's wish ends the rounds
        host.run(3000)
        readings.clear()
        host.run(1000)
        assert len(readings) >= 42


# ---- faults -----------------------------------------------------------------------------------------------

DRIVES = {"high": 1.0, "low": 0.0}


def single_faults(nodes: int) -> list[tuple[str, TrackerFault]]:
    """Return every output and gate that can stick and every resistor that can be open, in the emulator's words."""
    axes = range(nodes // 2)
    found = []
    for node in range(nodes):
        for word, level in DRIVES.items():
            found += [
                (f"output {'AB'[tile]} {node} {word}", TrackerFault("output", tile, node, level)) for tile in (0, 1)
            ]
            found += [(f"gate {axis} {node} {word}", TrackerFault("gate", axis, node, level)) for axis in axes]
        found += [(f"resistor {axis} {node} open", TrackerFault("resistor", axis, node, 0.0)) for axis in axes]
    return found


def mend(rig: TrackerRig, words: str) -> None:
    rig.emulator.ask(" ".join(["tracker", *words.split()[:-1], "free"]))


def test_each_stuck_output_gate_and_open_resistor_is_named_and_no_other(rig: TrackerRig) -> None:
    assert len(single_faults(6)) == 24 + 36 + 18
    all_named(rig)


def test_on_squares_each_is_named_too(squares: EmulatorFiles) -> None:
    with Emulator(squares) as emulator:
        all_named(TrackerRig(emulator, load("shellsquare16")))


def all_named(rig: TrackerRig) -> None:
    shells = shuffled(rig)
    for words, fault in single_faults(rig.circuit.nodes):
        rig.emulator.ask(f"tracker {words}")
        assert circuit_model.suspects(rig.circuit, samples(rig)) == (fault,), words
        told = judged(rig, shells)
        assert circuit_model.said(rig.circuit, fault) in told.sentence
        assert told.sentence.endswith("Until then costs are computed by the rules.")
        mend(rig, words)
    assert judged(rig, shells).sentence == ""


@pytest.mark.parametrize("ohms", [1000, 8200, 12_000, 100_000])
def test_a_resistor_of_another_value_is_named_with_its_value(rig: TrackerRig, ohms: int) -> None:
    shells = shuffled(rig)
    for axis in range(3):
        for node in range(6):
            words = f"resistor {axis} {node} {ohms}"
            rig.emulator.ask(f"tracker {words}")
            (fault,) = circuit_model.suspects(rig.circuit, samples(rig))
            assert (fault.kind, fault.place, fault.node) == ("resistor", axis, node)
            assert fault.value == pytest.approx(10_000 / ohms, rel=0.2)
            assert f"R{axis * 6 + node + 1} " in judged(rig, shells).sentence
            mend(rig, words)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("latch A cut", "latch A (U1, wire from D8) does not follow"),
        ("latch B cut", "latch B (U2, wire from D9) does not follow"),
        ("data cut", "the tracker gets no signal from the chain"),
        ("pin 0 cut", "axis 0 always reads 1.2"),
        ("pin 1 cut", "axis 1 always reads 1.2"),
        ("pin 2 cut", "axis 2 always reads 1.2"),
    ],
)
def test_a_cut_wire_is_named(rig: TrackerRig, words: str, said: str) -> None:
    shells = shuffled(rig)
    rig.emulator.ask(f"tracker {words}")
    assert said in judged(rig, shells).sentence


@pytest.mark.parametrize("seed", range(3))
def test_a_circuit_whose_resistors_are_within_their_percent_is_not_complained_of(rig: TrackerRig, seed: int) -> None:
    shells = shuffled(rig)
    dice = random.Random(seed)
    for axis in range(3):
        for node in range(6):
            rig.emulator.ask(f"tracker resistor {axis} {node} {dice.choice((9900, 10_100))}")
    assert judged(rig, shells).sentence == ""


def test_two_broken_parts_are_told_as_such(rig: TrackerRig) -> None:
    shells = shuffled(rig)
    rig.emulator.ask("tracker resistor 0 1 open")
    rig.emulator.ask("tracker gate 2 4 high")
    assert "no single part explains it" in judged(rig, shells).sentence


def test_a_stuck_sensor_is_named_with_the_adjacency_and_both_costs(rig: TrackerRig) -> None:
    shells = shuffled(rig)
    for number, tile in enumerate(rig.circuit.registers):
        for node in (number % 6, (number + 3) % 6):
            occupied = not shells[tile] >> node & 1
            rig.emulator.stick(f"{tile}:{node}", occupied)
            rig.run(1)
            told = judged(rig, shells).sentence
            read, ruled = ("occupied", "empty") if occupied else ("empty", "occupied")
            assert f"Most likely node {tile}:{node}, which reads {read} but is {ruled} by the rules" in told
            assert tile in told.split(" the tracker measures ")[0].split()
            rig.emulator.stick(f"{tile}:{node}", None)
    rig.run(1)
    assert judged(rig, shells).sentence == ""


def test_faults_that_are_none_are_refused(rig: TrackerRig, square: EmulatorFiles) -> None:
    wrong = "output C 1 high, gate 3 0 low, gate 0 6 low, resistor 0 0 much, latch A, data gone, dance"
    for words in wrong.split(", "):
        with pytest.raises(EmulatorFault):
            rig.emulator.ask(f"tracker {words}")
    with Emulator(square) as emulator, pytest.raises(EmulatorFault, match="no tracker"):
        emulator.ask("tracker data cut")


def test_readings_do_not_disturb_play(rig: TrackerRig) -> None:
    rig.tell(WatchRound(1))
    messages = rig.run(1500)
    assert any(isinstance(message, Status) for message in messages)
    assert not any(isinstance(message, Change) for message in messages)
