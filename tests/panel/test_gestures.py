"""The touches of the hand that finishes moves: what a finger only looked at goes home without being read as a move."""

from __future__ import annotations

from typing import Any

import pytest

from controller.devices.sensors.virtual_hand import VirtualHand
from controller.panel.hand.finishing_hand import ALIKE_S, PAUSE_S, SEVERAL_S, _to_see_s
from controller.panel.hand.gestures import HELD_S, Gestures
from controller.panel.pieces_needed import expected
from controller.table.state import Play
from tests.table.scenes import Scene


class At:
    """A game's pieces on their board, a hand, and a clock that goes on only while it rests."""

    def __init__(self, game: str) -> None:
        self.table, self.now_s = Scene(game).run(), 100.0
        self.seen: list[tuple[str, bool]] = []  # by the sensors
        self.hand = VirtualHand(self)
        self.hand.set_up(expected(self.table))
        self.gestures = Gestures(lambda: self.hand, lambda: self.table, self.rest, lambda: self.now_s)
        self.seen.clear()

    def set_sensor(self, site: str, on: bool, pole: int = 0) -> None:
        self.seen.append((site, on))

    def rest(self, seconds: float) -> None:
        self.now_s += seconds

    def lift(self, site: str, seconds: float = 0.0) -> str:
        piece = self.gestures.lift(site)["id"]
        self.rest(seconds)
        return str(piece)


def test_a_unit_that_was_only_touched_goes_straight_home() -> None:
    at = At("circle")
    at.gestures.put_back(at.lift("c1", HELD_S - 0.01))
    assert at.seen == [("c1", False), ("c1", True)]


def test_a_unit_that_could_be_read_as_held_touches_a_cell_first_to_which_it_cannot_go() -> None:
    """To hold a unit and put it back is a move of Circle: it changes the unit's class."""
    at = At("circle")
    play = at.table.play
    assert play is not None
    session = play.session
    walks = [session.game.walk(session.state, ply) for ply in session.game.plies(session.state)]
    changing = {walk.at for walk in walks if walk.at and len(walk.path) < 2}
    assert len(changing) > 2
    for unit in sorted(changing):
        at.seen.clear()
        began_s = at.now_s
        at.gestures.put_back(at.lift(unit, HELD_S))
        (_, (other, on), off, home) = at.seen
        assert (on, off, home) == (True, (other, False), (unit, True))
        assert other not in {walk.path[-1] for walk in walks if len(walk.path) > 1 and walk.path[0] == unit}
        assert at.now_s > began_s + HELD_S  # it lay there long enough to be seen


def test_a_stone_that_cannot_be_held_goes_straight_home_whenever_it_does() -> None:
    at = At("tides-of-war")
    at.gestures.put_back(at.lift("c3", 60.0))
    assert at.seen == [("c3", False), ("c3", True)]


def test_a_piece_whose_place_was_taken_meanwhile_is_laid_beside_the_board() -> None:
    at = At("tides-of-war")
    stone, other = at.lift("c3"), at.lift("b3")
    at.hand.place(other, "c3")
    at.gestures.put_back(stone)
    assert at.hand.pieces()["held"] == []
    assert [token["id"] for token in at.hand.pieces()["off"]] == [stone]
    at.gestures.put_back(stone)  # it is in no hand any more
    assert at.hand.pieces()["on"]["c3"]["id"] == other


def test_the_hand_is_free_once_all_that_it_holds_stands_where_it_stood() -> None:
    at = At("tides-of-war")
    stones = {at.lift("c3"): "c3", at.lift("b3"): "b3"}
    assert at.gestures.in_hand() == stones
    at.gestures.free()
    assert at.gestures.in_hand() == {}
    assert {at.hand.pieces()["on"][site]["id"]: site for site in ("c3", "b3")} == stones


def test_what_is_taken_off_lies_beside_the_board_and_a_cell_may_be_empty_already() -> None:
    at = At("tides-of-war")
    for _ in range(2):
        at.gestures.take_off("c3")
    assert at.seen == [("c3", False)]
    assert len(at.hand.pieces()["off"]) == 1


# ---- how long the board's move is only to be seen ----


BIDS = "bid 6 6; bid 6 6"


def decided(game: str, levels: list[int], text: str, after: str = "") -> Play:
    """Return a game of two in which the board has decided the ply ``text``."""
    scene = Scene(game, {"players": 2} if game == "beacons" else {}, after, opponents={"levels": levels})
    play = scene.order(do="board_plays", text=text, made=len(scene.after)).run().play
    assert play is not None
    assert play.session.decided == text
    return play


@pytest.mark.parametrize(
    ("play", "seconds"),
    [
        (("tides-of-war", [1, 0], "c3-c4"), PAUSE_S),  # nobody has moved yet
        (("tides-of-war", [0, 1], "c6-b5", "c3-c4"), PAUSE_S),
        (("tides-of-war", [1, 1], "c3-c4"), SEVERAL_S),  # nobody wants to wait for all of them
        (("beacons", [0, 1], "place a3 2", BIDS), PAUSE_S),
        (("beacons", [0, 1], "place a4 2", f"{BIDS}; place a3 2"), ALIKE_S),  # its hand goes on
        (("beacons", [1, 1], "place a4 2", f"{BIDS}; place a3 2"), ALIKE_S),
    ],
)
def test_people_have_time_to_see_which_move_the_board_has_decided(play: tuple[Any, ...], seconds: float) -> None:
    assert _to_see_s(decided(*play)) == seconds
