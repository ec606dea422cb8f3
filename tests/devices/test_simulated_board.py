"""The faults of the simulated board, told as they would be by a real one."""

from __future__ import annotations

import pytest

from controller.devices.sensors.simulated_board import SimulatedBoard
from controller.events import Link, Snapshot, Touch


class Bench:
    """A started board, what it said, and its clock."""

    def __init__(self, **kind: bool) -> None:
        self.now_us = 1_000
        self.heard: list[Touch | Snapshot | Link] = []
        self.board = SimulatedBoard(("a1", "a2", "b1"), lambda: self.now_us, **kind)
        self.board.start(self.heard.append)
        self.heard.clear()


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_a_torn_chain_says_so_and_comes_back_with_what_stands_there() -> None:
    heard: list[object] = []
    board = SimulatedBoard(["a1", "b1"], lambda: 7)
    board.start(heard.append)
    heard.clear()
    board.tear()
    board.set_sensor("a1", True)
    (down,) = heard
    assert isinstance(down, Link)
    assert "The sensor chain is torn" in down.sentence
    board.mend()
    assert heard[1:] == [Link(7, up=True), Snapshot(7, frozenset({"a1"}))]


def test_a_touch_has_the_time_of_the_hand(bench: Bench) -> None:
    bench.now_us = 77_000
    bench.board.set_sensor("a1", True)
    assert bench.heard == [Touch(77_000, "a1", True)]


def test_a_reed_board_cannot_tell_poles(bench: Bench) -> None:
    bench.board.set_sensor("a1", True, -1)
    assert bench.heard == [Touch(1_000, "a1", True, 0)]


def test_a_hall_board_tells_poles() -> None:
    bench = Bench(hall=True)
    bench.board.set_sensor("a1", True, -1)
    bench.board.set_sensor("a1", False)
    assert bench.heard == [Touch(1_000, "a1", True, -1), Touch(1_000, "a1", False, 0)]


def test_a_lost_touch_is_healed_before_the_next_one(bench: Bench) -> None:
    bench.board.lose()
    bench.board.set_sensor("a1", True)
    assert bench.heard == []
    bench.board.set_sensor("a2", True)
    assert bench.heard == [Snapshot(1_000, frozenset({"a1"})), Touch(1_000, "a2", True)]


def test_a_lost_touch_is_healed_by_the_next_sign_of_life(bench: Bench) -> None:
    bench.board.lose(2)
    bench.board.set_sensor("a1", True)
    bench.board.set_sensor("a2", True)
    bench.board.heartbeat()
    bench.board.heartbeat()
    assert bench.heard == [Snapshot(1_000, frozenset({"a1", "a2"}))]


def test_a_chattering_sensor_ends_where_it_was(bench: Bench) -> None:
    bench.board.set_sensor("a1", True)
    bench.heard.clear()
    bench.board.chatter("a1", 2)
    assert [event.on for event in bench.heard if isinstance(event, Touch)] == [False, True, False, True]


def test_a_dead_sensor_sees_nothing_until_it_is_mended(bench: Bench) -> None:
    bench.board.stick("a1", False)
    bench.board.set_sensor("a1", True)
    assert bench.heard == []
    bench.board.free("a1")
    assert bench.heard == [Touch(1_000, "a1", True)]


def test_a_stuck_sensor_sees_a_magnet_that_is_not_there(bench: Bench) -> None:
    bench.board.stick("a1", True)
    bench.board.set_sensor("a1", True)
    bench.board.set_sensor("a1", False)
    assert bench.heard == [Touch(1_000, "a1", True)]


def test_a_restart_tells_all_again(bench: Bench) -> None:
    bench.board.set_sensor("b1", True)
    bench.heard.clear()
    bench.board.restart()
    down, up, snapshot = bench.heard
    assert isinstance(down, Link)
    assert not down.up
    assert up == Link(1_000, up=True)
    assert snapshot == Snapshot(1_000, frozenset({"b1"}))


def test_an_unplugged_board_does_not_come_up_when_started() -> None:
    heard: list[Touch | Snapshot | Link] = []
    board = SimulatedBoard(("a1",), lambda: 0)
    board.unplug()
    board.start(heard.append)
    board.set_sensor("a1", True)
    assert heard == []
    board.replug()
    assert heard == [Link(0, up=True), Snapshot(0, frozenset({"a1"}))]


@pytest.mark.parametrize("do", ["chatter", "free"])
def test_a_fault_needs_a_site_that_is_there(bench: Bench, do: str) -> None:
    with pytest.raises(KeyError):
        getattr(bench.board, do)("z9")
    with pytest.raises(KeyError):
        bench.board.stick("z9", True)
