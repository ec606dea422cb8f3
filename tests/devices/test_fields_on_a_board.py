"""Boards with linear sensors: when they are asked what these read, and what the host makes of the answer."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from queue import SimpleQueue

import pytest

from controller.clock import clock_us
from controller.devices.link.conversation import ASK_AGAIN_US, SETTLE_US, Outcome
from controller.devices.link.greeting import Wiring
from controller.devices.link.messages import Change, Fields, FieldsPlease, Hello, SensorField, Snapshot, Watch
from controller.devices.sensors.serial_board import SerialBoard
from controller.devices.sensors.simulated_board import SimulatedBoard
from controller.events import FieldSettled
from controller.events import Snapshot as Occupancy
from tests.devices.listener import BoardListener
from tests.devices.test_pixels_on_a_board import LineEnd
from tests.devices.test_serial_protocol import SECOND, SESSION, Board, heard
from tests.waiting import PATIENCE_S, until

FIELDS = 32
POLES = Wiring("hex91", 7, {0: "a1", 1: "a2", 9: "b1", 16: "-a1", 17: "-a2", 25: "-b1"})


def body(*pairs: tuple[int, int]) -> bytes:
    """Return hundredths of a millitesla as they lie in a frame: field and rest of each sensor."""
    return b"".join(struct.pack("<hh", *pair) for pair in pairs)


def up(flags: int = FIELDS) -> Board:
    board = Board(POLES)
    board.talk.opened(0)
    board.says(Hello(1, 257, 1, flags, 7, 6, 1000, "hex91"))
    board.says(Snapshot(2000, 5, 6, SESSION, b"\x01\x00\x00\x00"))
    return board


def test_a_board_with_linear_sensors_is_asked_and_its_answer_is_told_by_site() -> None:
    board = up()
    assert board.talk.has_fields
    assert heard(board.talk.ask_fields()) == [FieldsPlease()]
    first = board.says(Fields(0, body((730, -12), (0, 55), (1, 1))))
    assert first.fields == {"a1": SensorField(7.3, -0.12), "a2": SensorField(0.0, 0.55)}  # bit 2 has no sensor
    assert board.says(Fields(8, body((0, 0), (-11_000, 0)))).fields == {"b1": SensorField(-110.0, 0.0)}
    assert board.says(Fields(47, body((5, 5), (5, 5)))).fields == {}  # a south pole's bits tell no field


@pytest.mark.parametrize("flags", [0, 16])
def test_a_board_without_is_not_asked(flags: int) -> None:
    board = up(flags)
    assert board.talk.has_fields is False
    assert heard(board.talk.ask_fields()) == []


def test_nothing_is_asked_and_nothing_is_told_while_the_link_is_down() -> None:
    board = Board(POLES)
    board.talk.opened(0)
    board.talk.ask_fields()
    board.says(Hello(1, 257, 1, FIELDS, 7, 6, 1000, "hex91"))
    assert FieldsPlease not in map(type, heard(board.talk.ask_fields()))
    assert board.says(Fields(0, body((730, 0)))).fields == {}


def test_an_answer_that_is_cut_short_has_the_whole_sensors_before_the_cut() -> None:
    assert up().says(Fields(0, body((730, 0), (5, 5))[:6])).fields == {"a1": SensorField(7.3, 0.0)}


# ---- a magnet that came ---------------------------------------------------------------------------------------


def pressed(board: Board, event: int, bit: int = 0, on: int = 1) -> Outcome:
    return board.says(Change(board.now_us, event, bit, on))


def asked(outcomes: list[Outcome]) -> int:
    return sum(message == FieldsPlease() for outcome in outcomes for message in heard(outcome))


def settled(outcome: Outcome) -> list[tuple[str, float]]:
    return [(event.site, event.field_mt) for event in outcome.events if isinstance(event, FieldSettled)]


def test_once_a_magnet_lies_still_its_field_is_asked_for_and_told_once() -> None:
    board = up()
    pressed(board, 6, bit=1)
    assert asked(board.passes(SETTLE_US - 100_000)) == 0
    assert settled(board.says(Fields(0, body((0, 0), (250, 0))))) == []  # on its way, for the page
    assert asked(board.passes(200_000)) == 1
    answer = board.says(Fields(0, body((0, 0), (-730, 0))))
    assert settled(answer) == [("a2", -7.3)]
    (event,) = answer.events
    assert event.t_us < board.now_us  # it is that of the question
    assert asked(board.passes(SECOND)) == 0
    assert settled(board.says(Fields(0, body((0, 0), (-730, 0))))) == []


def test_a_magnet_that_left_again_is_not_told() -> None:
    board = up()
    pressed(board, 6, bit=1)
    board.passes(2 * SETTLE_US)
    pressed(board, 7, bit=1, on=0)
    assert settled(board.says(Fields(0, body((0, 0), (0, 0))))) == []
    assert asked(board.passes(SECOND)) == 0


def test_an_answer_that_got_lost_is_asked_for_again() -> None:
    board = up()
    pressed(board, 6, bit=1)
    assert asked(board.passes(SETTLE_US + 2 * ASK_AGAIN_US)) >= 2
    assert settled(board.says(Fields(0, body((0, 0), (-730, 0))))) == [("a2", -7.3)]


def test_a_board_without_fields_is_not_asked_after_a_magnet_came() -> None:
    board = up(0)
    pressed(board, 6, bit=1)
    assert asked(board.passes(SECOND)) == 0


# ---- the simulated one --------------------------------------------------------------------------------------


def test_a_simulated_board_tells_the_fields_of_its_magnets_to_whoever_asks() -> None:
    told: list[Mapping[str, SensorField]] = []
    board = SimulatedBoard(("a1", "a2", "b1"), lambda: 0, hall=True)
    board.ask_fields(told.append)  # it has not started
    board.start(lambda event: None)
    board.set_sensor("a1", True, -1)
    board.set_field("a2", 12.0)
    board.set_sensor("a2", True, 1)
    board.set_rest("b1", -2.0)
    board.ask_fields(told.append)
    board.stick("b1", True)
    board.ask_fields(told.append)
    board.unplug()
    board.ask_fields(told.append)
    assert told[0] == {"a1": SensorField(-7.3, 0.0), "a2": SensorField(12.0, 0.0), "b1": SensorField(0.0, -2.0)}
    assert abs(told[1]["b1"].field_mt) > 100
    assert len(told) == 2


def test_a_simulated_board_of_reeds_has_no_fields() -> None:
    board = SimulatedBoard(("a1",), lambda: 0)
    board.start(lambda event: None)
    board.ask_fields(lambda fields: pytest.fail("it told some"))
    assert not board.has_fields()


# ---- over a real line ---------------------------------------------------------------------------------------


class FieldLine(LineEnd):
    greeting = Hello(1, 257, 1, FIELDS, 7, 3, 1000, "hex91")


@pytest.fixture
def line() -> Iterator[FieldLine]:
    line = FieldLine()
    yield line
    line.close()


@pytest.mark.realtime
def test_another_thread_asks_and_is_told_over_a_line(line: FieldLine) -> None:
    told: SimpleQueue[Mapping[str, SensorField]] = SimpleQueue()
    board = SerialBoard(line.port, POLES, clock_us)
    listener = BoardListener()
    board.start(listener)
    try:
        line.until(Watch)
        until(lambda: any(isinstance(event, Occupancy) for event in listener.events))
        board.ask_fields(told.put)
        line.until(FieldsPlease)
        line.say(Fields(0, body((730, 0))))
        assert told.get(timeout=PATIENCE_S) == {"a1": SensorField(7.3, 0.0)}
        assert board.has_fields()
    finally:
        board.stop()
    board.ask_fields(told.put)  # nobody any more
