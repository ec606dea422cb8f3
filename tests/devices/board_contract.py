"""What every sensor board promises, whatever it is made of: stories that are told on each rig."""

from __future__ import annotations

from itertools import pairwise

import pytest

from controller.devices.sensors.virtual_hand import VirtualHand
from controller.events import Link, Snapshot, Touch
from tests.devices.listener import BoardListener
from tests.devices.rigs import SITES, Rig


class Man:
    def __init__(self, seat: int, kind: str) -> None:
        self.seat, self.kind = seat, kind


class BoardContract:
    """The stories; who holds boards to them inherits them, and names each board in a fixture `rig`."""

    @pytest.fixture
    def heard(self, rig: Rig) -> BoardListener:
        """A listener on a started, empty board."""
        heard = BoardListener()
        rig.board.start(heard)
        rig.settle()
        return heard

    def test_says_first_that_it_is_up_and_then_what_stands_there(self, rig: Rig) -> None:
        rig.switch.set_sensor("a1", True)
        rig.switch.set_sensor("c3", True)
        heard = BoardListener()
        rig.board.start(heard)
        rig.settle()
        link, snapshot = heard.events
        assert isinstance(link, Link)
        assert link.up
        assert isinstance(snapshot, Snapshot)
        assert snapshot.sites == {"a1", "c3"}

    def test_an_empty_board_is_no_fault(self, heard: BoardListener) -> None:
        assert heard.up
        assert heard.believed == set()

    def test_tells_each_change_once_and_in_its_order(self, rig: Rig, heard: BoardListener) -> None:
        for site, on in (("b2", True), ("b3", True), ("b2", False), ("b2", True)):
            rig.switch.set_sensor(site, on)
            rig.settle()
        assert heard.touches() == [("b2", True), ("b3", True), ("b2", False), ("b2", True)]

    def test_each_site_answers_to_its_own_name(self, rig: Rig, heard: BoardListener) -> None:
        """One piece goes from each to the next: all at once would be a wire on ground to some boards."""
        for before, site in pairwise(("", *SITES)):
            told = len(heard.touches())
            if before:
                rig.switch.set_sensor(before, False)
            rig.switch.set_sensor(site, True)
            rig.settle()
            assert sorted(heard.touches()[told:]) == sorted([(before, False)] * bool(before) + [(site, True)])

    def test_a_magnet_that_stays_is_not_told_again(self, rig: Rig, heard: BoardListener) -> None:
        rig.switch.set_sensor("a2", True)
        rig.settle()
        rig.switch.set_sensor("a2", True)
        rig.settle()
        assert heard.touches() == [("a2", True)]

    def test_two_hands_at_once_are_both_told(self, rig: Rig, heard: BoardListener) -> None:
        rig.switch.set_sensor("a1", True)
        rig.switch.set_sensor("c2", True)
        rig.settle()
        assert sorted(heard.touches()) == [("a1", True), ("c2", True)]

    def test_times_never_run_backwards(self, rig: Rig, heard: BoardListener) -> None:
        for site in SITES[:4]:
            rig.switch.set_sensor(site, True)
            rig.settle()
        times = [event.t_us for event in heard.events]
        assert times == sorted(times)
        touched = [event.t_us for event in heard.events if isinstance(event, Touch)]
        assert len(set(touched)) == 4

    def test_says_in_a_sentence_that_it_is_gone(self, rig: Rig, heard: BoardListener) -> None:
        rig.cut()
        rig.settle()
        last = heard.events[-1]
        assert isinstance(last, Link)
        assert not last.up
        assert len(last.sentence.split()) > 4

    def test_comes_back_with_what_stands_there_now(self, rig: Rig, heard: BoardListener) -> None:
        rig.switch.set_sensor("a1", True)
        rig.settle()
        rig.cut()
        rig.settle()
        rig.switch.set_sensor("a1", False)
        rig.switch.set_sensor("b1", True)
        rig.settle()
        assert heard.touches() == [("a1", True)]
        rig.mend()
        rig.settle()
        assert heard.up
        assert isinstance(heard.events[-1], Snapshot)
        assert heard.believed == {"b1"}

    def test_a_hand_sets_the_board_up_and_moves_a_piece(self, rig: Rig, heard: BoardListener) -> None:
        hand = VirtualHand(rig.switch)
        hand.set_up({"a1": Man(0, "m"), "c3": Man(1, "m")})
        rig.settle()
        assert heard.believed == {"a1", "c3"}
        piece = hand.lift("a1")
        rig.settle()
        hand.place(piece["id"], "a2")
        rig.settle()
        assert heard.touches()[-2:] == [("a1", False), ("a2", True)]

    def test_says_nothing_more_once_stopped(self, rig: Rig, heard: BoardListener) -> None:
        rig.board.stop()
        rig.board.stop()
        told = len(heard.events)
        rig.switch.set_sensor("a1", True)
        rig.settle()
        assert len(heard.events) == told

    def test_can_be_started_again(self, rig: Rig, heard: BoardListener) -> None:
        rig.board.stop()
        rig.switch.set_sensor("b3", True)
        again = BoardListener()
        rig.board.start(again)
        rig.settle()
        assert again.up
        assert again.believed == {"b3"}

    def test_no_such_site_is_refused(self, rig: Rig) -> None:
        with pytest.raises(KeyError):
            rig.switch.set_sensor("z9", True)
