"""Boards with linear sensors are told where these rest: when, in which parts, and which boards are not."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import pytest

from controller.clock import clock_us
from controller.devices.link.conversation import Outcome
from controller.devices.link.greeting import Wiring
from controller.devices.link.messages import Hello, Message, Rests, Snapshot, Status, Watch
from controller.devices.link.rests import not_told, rest_messages
from controller.devices.sensors import serial_board
from controller.devices.sensors.serial_board import SerialBoard
from controller.devices.sensors.simulated_board import SimulatedBoard
from controller.events import Touch
from controller.from_profile import wiring
from hardware.profile import load
from tests.devices.listener import BoardListener
from tests.devices.test_pixels_on_a_board import LineEnd
from tests.devices.test_serial_protocol import SESSION, Board, heard

FIELDS, RESTS, WATCHED = 32, 64, 1
POLES = Wiring("hex91", 7, {0: "a1", 1: "a2", 9: "b1", 16: "-a1", 17: "-a2", 25: "-b1"})
RESTS_MT = {"a1": -3.5, "b1": 0.25}
UNKNOWN = 0x7FFF
TOLD = Rests(0, struct.pack("<10h", -350, *[UNKNOWN] * 8, 25))
OTHER = Rests(0, struct.pack("<10h", UNKNOWN, 400, *[UNKNOWN] * 8))


def greeted(flags: int = FIELDS | RESTS, rests_mt: dict[str, float] | None = RESTS_MT) -> tuple[Board, list[Message]]:
    """Return a board that has said hello, and what the host said to that."""
    board = Board(POLES)
    board.talk.opened(0)
    if rests_mt is not None:
        board.talk.rest_at(rests_mt)
    return board, heard(board.says(Hello(1, 257, 1, flags, 7, 6, 1000, "hex91")))


def beaten(board: Board, flags: int) -> Outcome:
    return board.says(Status(3000, 1, 1, flags, 1000, 1, 0, 5, 6, 4, 4, 0, 0, 0, 0))


def told(said: list[Message]) -> list[Message]:
    return [message for message in said if isinstance(message, Rests)]


def test_a_board_is_told_before_it_is_watched_so_that_its_first_snapshot_counts_from_there() -> None:
    _, said = greeted()
    assert told(said) == [TOLD]
    kinds = [type(message) for message in said]
    assert kinds.index(Rests) < kinds.index(Watch)


def test_a_lost_part_is_told_again_with_each_heartbeat_and_all_after_a_restart() -> None:
    board, _ = greeted()
    board.says(Snapshot(2000, 5, 6, SESSION, bytes(4)))
    assert told(heard(beaten(board, FIELDS | RESTS | WATCHED))) == [TOLD]
    assert told(heard(board.says(Hello(1, 257, 2, FIELDS | RESTS, 7, 6, 1000, "hex91")))) == [TOLD]


def test_new_rests_are_told_at_once_and_from_then_on() -> None:
    board, _ = greeted()
    board.says(Snapshot(2000, 5, 6, SESSION, bytes(4)))
    (new,) = told(heard(board.talk.rest_at({"a2": 4.0})))
    assert new == OTHER
    assert told(heard(beaten(board, FIELDS | RESTS | WATCHED))) == [new]


@pytest.mark.parametrize("flags", [0, FIELDS, FIELDS | 16])
def test_a_firmware_of_before_is_told_nothing(flags: int) -> None:
    board, said = greeted(flags)
    board.says(Snapshot(2000, 5, 6, SESSION, bytes(4)))
    assert not board.talk.has_rests
    assert told(said + heard(beaten(board, flags | WATCHED)) + heard(board.talk.rest_at(RESTS_MT))) == []
    assert "make flash BOARD=hex91" in not_told("hex91")


@pytest.mark.parametrize("rests_mt", [None, {}, {"z9": 1.0}])
def test_without_rests_all_is_as_before(rests_mt: dict[str, float] | None) -> None:
    board, said = greeted(rests_mt=rests_mt)
    board.says(Snapshot(2000, 5, 6, SESSION, bytes(4)))
    assert told(said + heard(beaten(board, FIELDS | RESTS | WATCHED))) == []


def test_a_whole_board_is_told_in_parts_that_fit() -> None:
    board = load("cell36")
    rests_mt = {site.name: site.bit / 100 for site in board.sites}
    parts = rest_messages(rests_mt, wiring(board))
    assert [part.first for part in parts] == [0, 24]
    numbers = [number for part in parts for number in struct.unpack(f"<{len(part.rests) // 2}h", part.rests)]
    assert {bit: number for bit, number in enumerate(numbers) if number != UNKNOWN} == {
        site.bit: site.bit for site in board.sites
    }


# ---- the simulated one ------------------------------------------------------------------------------------


def test_a_simulated_cell_that_rests_far_off_reads_as_taken_until_its_rest_was_told() -> None:
    board, heard_ = SimulatedBoard(("a1", "b1"), lambda: 0, hall=True), BoardListener()
    board.set_rest("a1", -3.5)
    board.start(heard_)
    assert heard_.believed == {"a1"}
    board.rest_at({"a1": -3.5})
    assert heard_.believed == set()
    board.set_field("a1", 3.1)
    board.set_sensor("a1", True, 1)
    assert [event for event in heard_.events if isinstance(event, Touch)][-1] == Touch(0, "a1", True, 1)


# ---- over a real line ---------------------------------------------------------------------------------------


class RestLine(LineEnd):
    greeting = Hello(1, 257, 1, FIELDS | RESTS, 7, 3, 1000, "hex91")


@pytest.fixture
def line() -> Iterator[RestLine]:
    line = RestLine()
    yield line
    line.close()


@pytest.mark.realtime
def test_what_is_known_before_the_start_goes_with_the_greeting_and_news_over_the_line(line: RestLine) -> None:
    board = SerialBoard(line.port, POLES, clock_us)
    board.rest_at(lambda number: RESTS_MT)
    board.start(BoardListener())
    try:
        assert line.until(Rests) == TOLD
        line.until(Watch)
        assert board.has_rests()
        board.rest_at(lambda number: {"a2": 4.0})
        assert line.until(Rests) != TOLD
    finally:
        board.stop()


@pytest.mark.realtime
def test_another_board_of_the_same_name_at_the_same_port_is_not_told_the_rests_of_the_first(
    line: RestLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugged_in = ["E6605838833F5A2C"]
    monkeypatch.setattr(serial_board, "serial_number_of", lambda port: plugged_in[0])
    board = SerialBoard(line.port, POLES, clock_us)
    board.rest_at({"E6605838833F5A2C": RESTS_MT, "0123456789ABCDEF": {"a2": 4.0}}.__getitem__)
    for number, rests in (("E6605838833F5A2C", TOLD), ("0123456789ABCDEF", OTHER)):
        plugged_in[0] = number
        board.start(BoardListener())
        try:
            assert line.until(Rests) == rests
            assert board.serial_number() == number
        finally:
            board.stop()


def test_a_line_that_is_not_of_usb_has_no_serial_number(line: RestLine) -> None:
    assert serial_board.serial_number_of(line.port) == ""
