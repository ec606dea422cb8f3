"""Where pieces are moved by taps on a page, nobody is told to lift them or to put them back."""

from __future__ import annotations

import msgspec
import pytest

from controller.orders import NewGame
from controller.table.state import Table
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from tests.table.test_lessons import TIDES, Pupil
from tests.table.test_puzzles import PUZZLE


def at(game: str, **order: object) -> Pupil:
    pupil = Pupil(NewGame(game=game, seed=1, **order)).set_up()  # type: ignore[arg-type]
    pupil.table = msgspec.structs.replace(pupil.table, by_taps=True)
    return pupil


def waits(table: Table, seat: int | None = None) -> str:
    return picture(table, CALM, 1, seat).waits


def test_a_piece_is_tapped_and_then_its_cell() -> None:
    pupil = at(TIDES)
    assert waits(pupil.table) == "Tap a piece to see where it may go."
    pupil.hands("-d2")
    assert waits(pupil.table) == "Tap the cell where it goes."


@pytest.mark.parametrize("seat", [None, 0])
def test_who_is_to_move_is_told_without_a_name(seat: int | None) -> None:
    assert waits(at(TIDES).table, seat) == "Tap a piece to see where it may go."


def test_whoever_else_looks_reads_who_may() -> None:
    assert waits(at(TIDES).table, 1) == "White: tap a piece to see where it may go."


def test_where_more_can_be_done_than_move_the_list_is_named() -> None:
    assert "tap a piece" in waits(at("circle").table, 1)
    assert waits(at("circle").table).endswith("or use “What can I do here?”.")


def test_a_wrong_try_at_a_puzzle_leaves_nothing_to_put_back() -> None:
    pupil = at(TIDES, lesson=PUZZLE)
    pupil.hands("-c4 +d3")
    pupil.wait(3000)
    assert pupil.view.sentence == "c4 to d3 is not the best move: try another."
