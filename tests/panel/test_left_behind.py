"""What random fingers found: pieces that touches left in the hand, in the tray or on a wrong cell come right again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.devices.sensors.simulated_board import SimulatedBoard
from controller.devices.sensors.virtual_hand import VirtualHand
from controller.orders import Redo, TakeBack
from controller.rules.game import Piece
from tests.panel.finger import Finger


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Finger]:
    made = Finger(tmp_path / "games.sqlite3", "square144")
    made.begin("tides-of-war")
    yield made
    made.stop()


def token(table: Finger, name: str) -> str:
    return str(table.hand.pieces()["on"][table.where(name)]["id"])


def off(table: Finger) -> Counter[tuple[int | None, str]]:
    return Counter((piece["seat"], piece["kind"]) for piece in table.hand.pieces()["off"])


def ply(table: Finger, text: str) -> None:
    session = table.play.session
    table.make(session.game.read(session.state, text))


def test_two_phones_lift_a_piece_each_and_one_is_in_the_hand(table: Finger) -> None:
    table.finisher.lift(table.where("c3"))
    table.rest(0.2)
    table.finisher.lift(table.where("b3"))  # a phone that does not know yet of the first one
    assert [piece["from"] for piece in table.hand.pieces()["held"]] == [table.where("b3")]
    table.rest(0.5)
    assert table.play.verdict.possible
    table.finisher.put_back(table.held())
    table.rest(1)
    assert table.right()


def test_a_piece_that_was_lifted_and_laid_beside_the_board_comes_back(table: Finger) -> None:
    table.finisher.lift(table.where("c3"))
    table.rest(0.3)
    table.finisher.set_aside(table.held())
    table.rest(2)
    assert table.right()
    assert not table.hand.pieces()["off"]
    assert table.play.session.plies == ()


def test_a_magnet_that_only_passed_meanwhile_is_no_reason_to_leave_a_piece_beside_the_board(table: Finger) -> None:
    passed, left = table.where("f6"), table.where("c3")
    table.at.touch(passed, True)
    table.finisher.lift(left)
    table.at.touch(passed, False, after_ms=3)
    table.finisher.set_aside(table.held())
    table.rest(2)
    assert table.right()


def test_a_taken_piece_that_is_put_on_the_board_is_not_forgotten(table: Finger) -> None:
    ply(table, "c3-d3")
    ply(table, "e3xc3xa1")
    taken = off(table)
    assert taken == {(0, "stone"): 2}
    white = next(piece["id"] for piece in table.hand.pieces()["off"])
    black = token(table, "a1")
    table.finisher.set_aside(black)
    table.finisher.place(white, table.where("a1"))  # no sensor can tell them apart
    table.rest(2)
    assert token(table, "a1") == black
    assert off(table) == taken
    assert table.right()


def test_a_taken_piece_that_is_lifted_again_does_not_hover(table: Finger) -> None:
    ply(table, "c3-d3")
    ply(table, "e3xc3xa1")
    taken = table.hand.pieces()["off"][0]["id"]
    table.finisher.place(taken, table.where("d3"))
    table.finisher.lift(table.where("d3"))
    table.rest(2)
    assert not table.hand.pieces()["held"]
    assert off(table) == {(0, "stone"): 2}


def test_captures_lie_beside_the_board_after_a_take_back_and_all_of_it_again(table: Finger) -> None:
    ply(table, "c3-d3")
    ply(table, "e3xc3xa1")
    table.at.order(TakeBack(to=0))
    table.rest(1)
    assert table.right()
    for made in (0, 1):
        if table.play.undone:
            table.at.order(Redo(made=made))
    table.rest(2)
    assert table.right()
    assert off(table) == {(0, "stone"): 2}


def test_captures_lie_beside_the_board_after_a_restart(tmp_path: Path) -> None:
    table = Finger(tmp_path / "games.sqlite3", "square144")
    table.begin("tides-of-war")
    ply(table, "c3-c4")
    ply(table, "c5xc3")
    table.stop()
    again = Finger(tmp_path / "games.sqlite3", "square144")
    again.rest(2)
    assert again.play.session.plies == ("c3-c4", "c5xc3")
    assert again.right()
    assert off(again) == {(0, "stone"): 1}
    again.begin("tides-of-war")
    assert not off(again), "they were the other game's"
    again.stop()


def test_pieces_of_another_board_have_other_names_and_later_news() -> None:
    sensors = SimulatedBoard(("a1", "b1"), lambda: 0)
    before = VirtualHand(sensors)
    before.set_up({"a1": Piece(0, "stone")})
    after = VirtualHand(SimulatedBoard(("a1", "b1"), lambda: 0), before)
    after.set_up({"a1": Piece(0, "stone")})
    assert before.pieces()["on"]["a1"]["id"] != after.pieces()["on"]["a1"]["id"]
    moves = [before.pieces()["moves"], after.pieces()["moves"]]
    for move in (lambda: after.lift("a1"), lambda: after.place("t2", "b1"), lambda: after.set_aside("t2")):
        move()
        moves.append(after.pieces()["moves"])
    assert moves == sorted(set(moves))


def test_a_capture_by_hand_is_unfinished_until_what_was_jumped_is_taken_off(table: Finger) -> None:
    ply(table, "c3-d3")
    table.finisher.finish(False)
    assert not table.finisher.unfinished
    table.finisher.lift(table.where("e3"))
    table.rest(0.3)
    assert not table.finisher.unfinished  # nobody knows yet where it goes
    table.finisher.place(table.held(), table.where("c3"))
    table.rest(1)
    assert table.finisher.unfinished
    assert table.play.session.plies == ("c3-d3",)
    table.finisher.put_right()
    table.rest(2)
    assert not table.finisher.unfinished
    assert table.play.session.plies == ("c3-d3", "e3xc3")
    assert table.right()


def test_without_a_game_nothing_is_unfinished_and_nothing_to_put_right(tmp_path: Path) -> None:
    idle = Finger(tmp_path / "games.sqlite3", "square144")
    assert not idle.finisher.unfinished
    idle.finisher.put_right()
    idle.rest(0.1)
    assert not idle.hand.pieces()["on"]
    idle.stop()
