"""The board's own move on a simulated board: people see first which it is, and nobody's hand is pushed aside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.game_setup import Opponents
from controller.orders import BoardPlays, NewGame, Pause
from controller.panel.hand.finishing_hand import PATIENCE_S, PAUSE_S
from tests.panel.finger import STEP_S, Finger, order

ASIDE_S = 0.2


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Finger]:
    """A table at which the board plays White, and has just decided its first move."""
    made = Finger(tmp_path / "games.sqlite3", "square144")
    made.at.order(NewGame(game="tides-of-war", seed=1, opponents=Opponents((1, 0))))
    made.rest(0.5)
    made.at.order(BoardPlays(text="c3-c4", made=0))
    assert made.play.session.decided == "c3-c4"
    yield made
    made.stop()


def goes_on(table: Finger, seconds: float) -> tuple[str, ...]:
    """Let time pass with the hand at work, as its thread does; returns what has been played."""
    table.rest(seconds)
    table.finisher.play_for_board()
    table.rest(ASIDE_S)
    return tuple(table.play.session.plies)


def test_the_move_is_to_be_seen_for_a_moment_and_is_then_made(table: Finger) -> None:
    assert table.finisher.pause_s() == pytest.approx(PAUSE_S)
    assert goes_on(table, 0.0) == ()
    left = table.finisher.pause_s()
    assert left is not None
    assert 0 < left < PAUSE_S
    assert goes_on(table, left + STEP_S) == ("c3-c4",)
    assert table.right()
    assert table.finisher.pause_s() is None  # it is Black's turn


def test_where_people_move_every_piece_the_move_is_left_to_them(table: Finger) -> None:
    table.finisher.finish(False)
    assert table.finisher.pause_s() is None
    assert goes_on(table, PAUSE_S + STEP_S) == ()
    table.finisher.finish(True)
    table.finisher.pause_s()
    assert goes_on(table, PAUSE_S + STEP_S) == ("c3-c4",)


def test_who_has_begun_to_make_it_ends_it_and_another_piece_is_waited_for_and_then_put_back(table: Finger) -> None:
    table.finisher.pause_s()
    table.finisher.lift(table.where("c6"))
    assert goes_on(table, PAUSE_S + STEP_S) == ()
    assert table.held()
    assert goes_on(table, PATIENCE_S) == ()
    assert not table.held()  # now it stands, and at the next look the move is made
    assert goes_on(table, 0.5) == ("c3-c4",)


def test_the_boards_own_piece_stays_in_the_hand_that_lifted_it(table: Finger) -> None:
    table.finisher.pause_s()
    table.finisher.lift(table.where("c3"))
    for _ in range(2):
        assert goes_on(table, PATIENCE_S) == ()
        assert [piece["from"] for piece in table.hand.pieces()["held"]] == [table.where("c3")]


def test_a_move_that_is_refused_meanwhile_is_not_made_and_harms_nothing(table: Finger) -> None:
    table.finisher.pause_s()
    table.rest(PAUSE_S + STEP_S)
    table.at.order(Pause(on=True))
    assert goes_on(table, 0.0) == ()
    table.at.order(Pause(on=False))
    table.rest(0.3)
    table.finisher.pause_s()
    assert goes_on(table, PAUSE_S + STEP_S) == ("c3-c4",)


def test_a_move_that_is_typed_before_the_sensors_have_seen_the_last_piece_takes_that_piece(tmp_path: Path) -> None:
    table = Finger(tmp_path / "games.sqlite3", "square144")
    table.begin("tides-of-war")
    table.make_text("a5-b5")
    table.tap("c5")
    table.rest(0.3)
    table.tap("a5")
    table.at.service.submit(order("a4xa6"))
    table.stands(("a5-b5", "c5xa5", "a4xa6"))
    table.stop()


def test_who_lifts_a_piece_the_moment_a_game_has_begun_keeps_it_in_the_hand(tmp_path: Path) -> None:
    table = Finger(tmp_path / "games.sqlite3", "square144")
    table.begin("tides-of-war")
    table.at.order(NewGame(game="tides-of-war", seed=2))  # its hand has not looked at this one yet
    table.finisher.lift(table.where("c3"))
    table.rest(0.3)
    assert [piece["from"] for piece in table.hand.pieces()["held"]] == [table.where("c3")]
    table.stop()
