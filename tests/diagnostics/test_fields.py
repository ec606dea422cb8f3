"""What is said of fields: each fault with its cell, its figure and what to do, and nothing of a board that is right.

Fields are those of docs/build/field.md: the weakest piece of 8 × 3 mm has 4.8 mT, its neighbours take up to 1.2 mT, and
a range of 3.3 V at 15 mV/mT ends 110 mT from its middle.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Set

import pytest

from controller.devices.lights.limiter import LimitedLights, SimulatedStrip
from controller.devices.link.messages import SensorField
from controller.devices.sensors.absent_board import AbsentBoard
from controller.devices.sensors.simulated_board import SimulatedBoard
from controller.diagnostics.doctor import ExaminationDevices, examine
from controller.diagnostics.examination import Beat, EnteredLine, Exam, Input, Say, begin, report, step, verdict
from controller.diagnostics.field_watch import ASK_EVERY_US, STALE_US, FieldWatch
from controller.diagnostics.fields import field_findings
from controller.diagnostics.planted_faults import SimulatedPerson, world
from controller.events import Link, Snapshot, Touch
from hardware.profile import load
from tests.diagnostics.test_doctor import WELL
from tests.waiting import HandClock

BOARD = load("cell36")
QUIET = {site.name: SensorField(0.1, 0.4) for site in BOARD.sites}
END_MT = 3300 / 2 / 15


def told(lying: Set[str] = frozenset(), wanted: Set[str] = frozenset(), /, **read: SensorField) -> list[str]:
    """Return what is said of a board with these fields, all others as they are on an empty one."""
    return [f"{each.what} {each.advice}" for each in field_findings(BOARD, QUIET | read, lying, wanted)]


def test_of_a_board_that_is_right_nothing_is_said() -> None:
    assert told() == []
    assert told({"c3", "d3"}, {"c3", "-d3"}, c3=SensorField(7.3, 0.5), d3=SensorField(-7.3, -0.5)) == []
    weakest_among_neighbours = 4.8 - 0.7
    assert told({"c3"}, c3=SensorField(weakest_among_neighbours, 0.0)) == []


@pytest.mark.parametrize(("raw_mt", "figure", "where"), [(-END_MT, "−110.0 mT", "3.3 V"), (END_MT, "+110.0 mT", "GND")])
@pytest.mark.parametrize("rest_mt", [0.0, 1.5])
def test_a_sensor_at_either_rail_is_named_with_its_pin(raw_mt: float, figure: str, where: str, rest_mt: float) -> None:
    """A south pole raises the voltage, and has a field below 0 here."""
    (sentence,) = told({"d4"}, d4=SensorField(raw_mt - rest_mt, rest_mt))
    assert sentence.startswith(f"d4: its sensor sticks at the end of its range, {figure}. Multiplexer ")
    assert f"Look for a short to {where} there" in sentence


def test_a_tile_whose_sensors_are_all_at_a_rail_is_told_once() -> None:
    """Its line lies on ground while its cable is out, which reads as a strong north pole; the first one falls to it."""
    board = load("field144")
    tile = board.by_bit()[64:80]
    read = {site.name: SensorField(END_MT if site.name in tile else 0.1, 0.0) for site in board.sites}
    read |= {"e5": SensorField(70.0, 0.0)}
    (missing,) = field_findings(board, read, frozenset(map(str, tile)))
    assert missing.what == "No sensor of tile 4 can be read."
    found = field_findings(board, read | {"e5": SensorField(0.1, 0.0)}, frozenset())
    assert [finding.what.partition(":")[0] for finding in found] == sorted(map(str, tile[1:]))


def test_the_strongest_magnet_that_a_sensor_can_tell_is_at_no_rail() -> None:
    """The output of the chip ends 0.2 V before its supply."""
    assert told({"d4"}, d4=SensorField((3300 / 2 - 200) / 15, 0.0)) == []


@pytest.mark.parametrize(
    ("wanted", "field_mt", "sentence"),
    [
        (
            "c3",
            -7.3,
            "c3: −7.3 mT, but the piece that belongs there has its north pole down. Put the right piece there",
        ),
        (
            "-c3",
            7.3,
            "c3: +7.3 mT, but the piece that belongs there has its south pole down. Put the right piece there",
        ),
    ],
)
def test_a_magnet_upside_down_is_told_where_a_game_says_what_lies_there(
    wanted: str, field_mt: float, sentence: str
) -> None:
    assert told({"c3"}, c3=SensorField(field_mt, 0.0)) == []
    (only,) = told({"c3"}, {wanted}, c3=SensorField(field_mt, 0.0))
    assert only.startswith(sentence)


def test_a_magnet_that_reaches_just_above_the_threshold_is_weak() -> None:
    (sentence,) = told({"c3"}, c3=SensorField(-3.4, 0.2))
    assert sentence.startswith("c3: its magnet reaches only −3.4 mT. Put the piece in the middle of its cell")


def test_a_field_below_the_threshold_is_no_piece_and_is_told() -> None:
    (sentence,) = told(e2=SensorField(2.4, 0.0))
    assert sentence.startswith("e2: +2.4 mT, and no piece. A piece counts from 3 mT on")


def test_iron_moves_where_a_sensor_rests() -> None:
    (sentence,) = told(f6=SensorField(0.1, -2.0))
    assert sentence.startswith("f6: its sensor rests at −2.0 mT with nothing on it. Look for iron near that cell")


@pytest.mark.parametrize(("lying", "count"), [("e5", 0), ("f5", 0), ("d6", 1)])
def test_an_empty_cell_next_to_a_magnet_feels_that_and_is_not_judged(lying: str, count: int) -> None:
    found = told({lying}, f6=SensorField(1.9, 0.0), **{lying: SensorField(7.3, 0.0)})
    assert len(found) == count


# ---- while somebody looks ---------------------------------------------------------------------------------


class CountedBoard(SimulatedBoard):
    """Counts how often it is asked."""

    asked = 0

    def ask_fields(self, take: Callable[..., None]) -> None:
        self.asked += 1
        super().ask_fields(take)


def test_a_board_is_asked_while_somebody_looks_and_what_is_old_is_not_shown() -> None:
    clock = HandClock()
    board = CountedBoard(("a1", "b1"), clock, hall=True)
    watch = FieldWatch(lambda: board, clock)
    assert watch.look() == {}  # it has not started
    board.start(lambda event: None)
    board.set_sensor("a1", True, -1)
    clock.now_us += ASK_EVERY_US
    assert watch.look() == {"a1": SensorField(-7.3, 0.0), "b1": SensorField(0.0, 0.0)}
    for _ in range(10):
        watch.look()  # from many phones at once
    assert board.asked == 2
    board.unplug()
    clock.now_us += STALE_US
    assert watch.look() == {}
    board.replug()
    clock.now_us += ASK_EVERY_US
    assert watch.look()
    watch.forget()
    assert set(watch.look() or ()) == {"a1", "b1"}  # it asked anew


def test_a_board_without_linear_sensors_is_not_asked() -> None:
    clock = HandClock()
    assert FieldWatch(lambda: SimulatedBoard(("a1",), clock), clock).look() is None
    assert FieldWatch(lambda: AbsentBoard(clock, "it is not there"), clock).look() is None


# ---- the doctor -------------------------------------------------------------------------------------------


def examined(plant: Callable[[SimulatedBoard], None]) -> tuple[list[str], Exam]:
    """Return what the doctor says of a board of linear sensors in which something was planted, and its examination."""
    strip = SimulatedStrip(keep=1)
    now_us = [0]

    def clock() -> int:
        now_us[0] += 250_000
        return now_us[0]

    sensors = SimulatedBoard(BOARD.site_names, clock, hall=True)
    plant(sensors)
    lights = LimitedLights(strip, BOARD.light_count, BOARD.max_milliamps, 100)
    person = SimulatedPerson(BOARD, world(BOARD, ()), sensors, lambda: strip.frames[-1], lambda: None)
    watch = FieldWatch(lambda: sensors, clock)
    said: list[str] = []
    devices = ExaminationDevices(BOARD, sensors, lights, lambda: WELL, clock, person, 0.0, watch.look)
    return said, examine(devices, said.append)


def test_the_doctor_says_what_is_wrong_with_an_empty_board() -> None:
    def plant(board: SimulatedBoard) -> None:
        board.set_rest("f6", -2.0)
        board.stick("d4", True)
        board.set_field("b2", 4.2)
        board.set_sensor("b2", True, -1)  # iron that is a magnet by now

    said, exam = examined(plant)
    found = [line for line in report(exam) if line[0].isdigit() and ". " in line[:4]]
    assert len(found) == 3
    assert "b2: −4.2 mT with nothing on it, as a piece has. Take iron and magnets away from that cell." in found[0]
    assert "d4: its sensor sticks at the end of its range, +110.0 mT." in found[1]
    assert "f6: its sensor rests at −2.0 mT with nothing on it." in found[2]
    assert said[-1] == found[-1]
    assert math.isclose(exam.seen.rested["f6"].rest_mt, -2.0)


def test_the_doctor_finds_nothing_on_a_board_of_linear_sensors_that_is_right() -> None:
    said, _ = examined(lambda board: None)
    assert said[-1] == "Everything that was tried is in order."


def held(fields_mt: Mapping[str, tuple[float, ...]]) -> tuple[Exam, list[str]]:
    """Return an examination in which a magnet was held to these sites, each reading so in beat after beat, and what the
    doctor says of it.
    """
    happened: list[Input] = [Link(0, True), Snapshot(0, frozenset()), Beat(0, None, QUIET), EnteredLine()]
    for site in (each for each in BOARD.by_bit() if each):
        happened.append(Touch(1, site, True, 1))
        happened += [Beat(1, None, QUIET | {site: SensorField(mt, 0.0)}) for mt in fields_mt.get(site, (0.1, 7.3, 7.2))]
        happened += [Touch(2, site, False), Beat(2, None, QUIET)]
    exam, _ = begin(BOARD, lights=False)
    told_ = list[str]()
    for event in happened:
        exam, said = step(exam, event)
        told_ += [each.sentence for each in said if isinstance(each, Say)]
    return exam, told_


def test_the_doctor_names_the_cell_that_saw_too_little_of_the_magnet() -> None:
    exam, told_ = held({"c3": (0.1, 3.2, 3.4, 3.3)})
    (found,) = verdict(exam).findings
    assert found.what == "c3: its magnet reaches only +3.4 mT."
    assert "c3: north pole down. +3.4 mT." in told_
    assert "d3: north pole down. +7.3 mT." in told_


def test_a_magnet_that_was_taken_off_before_it_was_measured_is_not_called_weak() -> None:
    exam, _ = held({"c3": (0.1, 3.2)})
    assert verdict(exam).findings == ()


def test_a_magnet_that_is_weak_everywhere_is_told_once() -> None:
    exam, _ = held({site.name: (3.4, 3.4, 3.4) for site in BOARD.sites})
    (found,) = verdict(exam).findings
    assert found.what == "Your magnet reaches less than 4 mT on 36 cells."
