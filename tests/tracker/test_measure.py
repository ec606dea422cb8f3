"""The lines of ``beaconboard tracker``, from the readings of a sensor board that does as it is told here."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
import pytest

from controller.devices.link.greeting import Wiring
from controller.devices.link.messages import Reading, WatchRound, WatchTiles
from controller.events import Link
from controller.tracker import measure
from controller.tracker.measure import NoReading, SerialReader, pair_line, round_lines
from tests.tracker.test_tracker import CIRCUIT, random_shells, reading, round_of

EMPTY = dict.fromkeys(CIRCUIT.registers, 0)


class Answers:
    """A reader that gives these readings, whatever it is asked for."""

    def __init__(self, *readings: Reading) -> None:
        self.asked: list[WatchTiles | WatchRound] = []
        self._readings = readings

    def read(self, watch: WatchTiles | WatchRound) -> Iterator[Reading]:
        self.asked.append(watch)
        yield from self._readings


def test_two_tiles_are_asked_for_once_by_their_registers() -> None:
    seam = CIRCUIT.seam("a3", "b3")
    reader = Answers(reading(seam, {**EMPTY, "a3": 0b000001}))
    assert pair_line(CIRCUIT, seam, reader) == "a3 b3  axis 1  0.83 V  H 1  cost 1:5"
    assert reader.asked == [WatchTiles(CIRCUIT.registers["a3"], CIRCUIT.registers["b3"], 0)]


def test_an_answer_for_other_tiles_is_told_by_the_numbers_of_both_pairs() -> None:
    seam = CIRCUIT.seam("a3", "b3")
    strange = msgspec.structs.replace(reading(seam, EMPTY), register_a=16, register_b=17)
    with pytest.raises(NoReading) as told:
        pair_line(CIRCUIT, seam, Answers(strange))
    asked = f"a3 and b3 (registers {seam.register_a + 1} and {seam.register_b + 1})"
    assert str(told.value) == (
        f"the tracker answered for registers 17 and 18 when asked for {asked}: flash the board again"
    )


def test_a_voltage_that_is_a_cost_but_not_the_one_that_the_sensors_give_is_refused() -> None:
    seam = CIRCUIT.seam("a3", "b3")
    wrong = msgspec.structs.replace(reading(seam, EMPTY), axis_1=171)  # one sixth of the supply
    with pytest.raises(NoReading, match=r"a3 b3  axis 1  0\.83 V is H 1, the sensors say H 0; most likely"):
        pair_line(CIRCUIT, seam, Answers(wrong))


def test_of_a_round_every_adjacency_has_its_line_and_those_that_are_no_cost_are_counted() -> None:
    shells = random_shells(1)
    told: list[str] = []
    assert round_lines(CIRCUIT, Answers(*round_of(shells)), told.append) == 0
    assert [line.split("  ")[0] for line in told] == [f"{seam.tile_a} {seam.tile_b}" for seam in CIRCUIT.seams]
    readings = round_of(shells)
    for spoilt in (3, 7):
        axis = f"axis_{CIRCUIT.seams[spoilt].axis}"
        readings[spoilt] = msgspec.structs.replace(readings[spoilt], **{axis: 85})
    told.clear()
    assert round_lines(CIRCUIT, Answers(*readings), told.append) == 2
    assert len(told) == 42
    assert ["0.42 V lies between H = 0 (0.00 V) and H = 1 (0.83 V)" in line for line in told].count(True) == 2


class SilentBoard:
    """A sensor board on a port that tells these events of its link, and nothing of the tracker."""

    events: tuple[Link, ...] = ()
    stopped = 0

    def __init__(self, port: str, wiring: Wiring, clock: Callable[[], int]) -> None:
        pass

    def track(self, watch: WatchTiles | WatchRound, take: Callable[[Reading], None]) -> None:
        pass

    def start(self, emit: Callable[[object], None]) -> None:
        for event in self.events:
            emit(event)

    def stop(self) -> None:
        type(self).stopped += 1


def test_a_board_that_never_reads_its_tracker_is_told_after_a_while_and_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    class Board(SilentBoard):
        events = (Link(0, True, "shell19"),)

    monkeypatch.setattr(measure, "SerialBoard", Board)
    monkeypatch.setattr(measure, "PATIENCE_US", 1000)
    with pytest.raises(NoReading, match="the tracker on /dev/ttyUSB1 is not responding: check its connector"):
        pair_line(CIRCUIT, CIRCUIT.seam("a3", "b3"), SerialReader("/dev/ttyUSB1", Wiring("shell19", 0, {})))
    assert Board.stopped == 1


def test_what_the_link_says_is_wrong_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Board(SilentBoard):
        events = (Link(0, False, "The cable is out."),)

    monkeypatch.setattr(measure, "SerialBoard", Board)
    with pytest.raises(NoReading, match="The cable is out"):
        pair_line(CIRCUIT, CIRCUIT.seam("a3", "b3"), SerialReader("/dev/ttyUSB1", Wiring("shell19", 0, {})))
    assert Board.stopped == 1
