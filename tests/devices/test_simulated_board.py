"""The faults of the simulated board, told as they would be by a real one."""

from __future__ import annotations

import pytest

from controller.devices.sensors.simulated_board import SimulatedBoard
from controller.events import FieldSettled, Link, Sensed, Snapshot, Touch


class Emulator:
    """A started board, what it said, and its clock."""

    def __init__(self, **kind: bool) -> None:
        self.now_us = 1_000
        self.heard: list[Sensed] = []
        self.board = SimulatedBoard(("a1", "a2", "b1"), lambda: self.now_us, **kind)
        self.board.start(self.heard.append)
        self.heard.clear()


@pytest.fixture
def emulator() -> Emulator:
    return Emulator()


def test_a_torn_chain_says_so_and_comes_back_with_what_stands_there() -> None:
    heard: list[object] = []
    board = SimulatedBoard(["a1", "b1"], lambda: 7)
    board.start(heard.append)
    heard.clear()
    board.tear()
    board.set_sensor("a1", True)
    (down,) = heard
    assert isinstance(down, Link)
    assert "The sensor chain is interrupted" in down.sentence
    board.mend()
    assert heard[1:] == [Link(7, up=True), Snapshot(7, frozenset({"a1"}))]


def test_a_touch_has_the_time_of_the_hand(emulator: Emulator) -> None:
    emulator.now_us = 77_000
    emulator.board.set_sensor("a1", True)
    assert emulator.heard == [Touch(77_000, "a1", True)]


def test_a_reed_board_cannot_tell_poles(emulator: Emulator) -> None:
    emulator.board.set_sensor("a1", True, -1)
    assert emulator.heard == [Touch(1_000, "a1", True, 0)]


def test_a_hall_board_tells_poles() -> None:
    emulator = Emulator(hall=True)
    emulator.board.set_sensor("a1", True, -1)
    emulator.board.set_sensor("a1", False)
    settled = FieldSettled(1_000, "a1", -7.3)
    assert emulator.heard == [Touch(1_000, "a1", True, -1), settled, Touch(1_000, "a1", False, 0)]


def test_a_touch_that_got_lost_tells_no_field_and_a_contact_that_chatters_none() -> None:
    emulator = Emulator(hall=True)
    emulator.board.lose()
    emulator.board.set_sensor("a1", True, 1)
    emulator.board.chatter("b1")
    assert not [event for event in emulator.heard if isinstance(event, FieldSettled)]


def test_a_lost_touch_is_healed_before_the_next_one(emulator: Emulator) -> None:
    emulator.board.lose()
    emulator.board.set_sensor("a1", True)
    assert emulator.heard == []
    emulator.board.set_sensor("a2", True)
    assert emulator.heard == [Snapshot(1_000, frozenset({"a1"})), Touch(1_000, "a2", True)]


def test_a_lost_touch_is_healed_by_the_next_sign_of_life(emulator: Emulator) -> None:
    emulator.board.lose(2)
    emulator.board.set_sensor("a1", True)
    emulator.board.set_sensor("a2", True)
    emulator.board.heartbeat()
    emulator.board.heartbeat()
    assert emulator.heard == [Snapshot(1_000, frozenset({"a1", "a2"}))]


def test_a_chattering_sensor_ends_where_it_was(emulator: Emulator) -> None:
    emulator.board.set_sensor("a1", True)
    emulator.heard.clear()
    emulator.board.chatter("a1", 2)
    assert [event.on for event in emulator.heard if isinstance(event, Touch)] == [False, True, False, True]


def test_a_dead_sensor_sees_nothing_until_it_is_mended(emulator: Emulator) -> None:
    emulator.board.stick("a1", False)
    emulator.board.set_sensor("a1", True)
    assert emulator.heard == []
    emulator.board.free("a1")
    assert emulator.heard == [Touch(1_000, "a1", True)]


def test_a_stuck_sensor_sees_a_magnet_that_is_not_there(emulator: Emulator) -> None:
    emulator.board.stick("a1", True)
    emulator.board.set_sensor("a1", True)
    emulator.board.set_sensor("a1", False)
    assert emulator.heard == [Touch(1_000, "a1", True)]


def test_a_restart_tells_all_again(emulator: Emulator) -> None:
    emulator.board.set_sensor("b1", True)
    emulator.heard.clear()
    emulator.board.restart()
    down, up, snapshot = emulator.heard
    assert isinstance(down, Link)
    assert not down.up
    assert up == Link(1_000, up=True)
    assert snapshot == Snapshot(1_000, frozenset({"b1"}))


def test_an_unplugged_board_does_not_come_up_when_started() -> None:
    heard: list[Sensed] = []
    board = SimulatedBoard(("a1",), lambda: 0)
    board.unplug()
    board.start(heard.append)
    board.set_sensor("a1", True)
    assert heard == []
    board.replug()
    assert heard == [Link(0, up=True), Snapshot(0, frozenset({"a1"}))]


@pytest.mark.parametrize("do", ["chatter", "free"])
def test_a_fault_needs_a_site_that_is_there(emulator: Emulator, do: str) -> None:
    with pytest.raises(KeyError):
        getattr(emulator.board, do)("z9")
    with pytest.raises(KeyError):
        emulator.board.stick("z9", True)
    with pytest.raises(KeyError):
        emulator.board.set_sensor("z9", True)
    emulator.heard.clear()
    emulator.board.restart()
    assert emulator.heard[-1] == Snapshot(1_000, frozenset()), "and nothing came of it"


def test_a_hall_board_that_restarts_tells_which_pole_lies_where() -> None:
    emulator = Emulator(hall=True)
    emulator.board.set_sensor("a1", True, -1)
    emulator.board.set_sensor("b1", True, 1)
    emulator.board.restart()
    assert emulator.heard[-1] == Snapshot(1_000, frozenset({"-a1", "b1"}))


def test_a_chain_that_was_mended_tells_of_hands_again(emulator: Emulator) -> None:
    emulator.board.tear()
    emulator.board.mend()
    emulator.heard.clear()
    emulator.board.set_sensor("a1", True)
    assert emulator.heard == [Touch(1_000, "a1", True)]
