"""A move that goes on: ordered once its first part has counted, it is made in place of that."""

from __future__ import annotations

import pytest

from controller.events import Command
from controller.from_profile import bare_profile, table_board
from controller.orders import NewGame, PlayPly
from controller.table.notes import AnyNote, GameOver, PlyMade, Refusal, TakenBack
from controller.table.orders import new_game
from controller.table.state import Table
from controller.table.table import step
from tests.table.afar_tables import given, going
from tests.table.scenes import Scene
from tests.table.soak import stand

WHITE, BLACK = 0, 1


def ordered(table: Table, order: PlayPly) -> tuple[Table, tuple[AnyNote, ...]]:
    return step(table, Command(table.t_us, order))


@pytest.fixture
def jumped() -> Table:
    """Black has jumped once, and may jump on."""
    table, _ = new_game(Table(table_board(bare_profile("tides-of-war", {}))), NewGame(game="tides-of-war", seed=1))
    table = stand(table)
    for text in ("c3-d3", "e3xc3"):
        table = given(table, PlayPly(text=text))
    return table


def test_who_has_made_the_first_jump_orders_the_whole_chain(jumped: Table) -> None:
    table, said = ordered(jumped, PlayPly(text="e3xc3xa1", seat=BLACK))
    assert going(table).session.plies == ("c3-d3", "e3xc3xa1")
    assert [type(note) for note in said] == [TakenBack, PlyMade, GameOver]  # a1 is the town


@pytest.mark.parametrize("seat", [None, WHITE])
def test_nobody_else_does(jumped: Table, seat: int | None) -> None:
    table, said = ordered(jumped, PlayPly(text="e3xc3xa1", seat=seat))
    assert [type(note) for note in said] == [Refusal]
    assert going(table).session.plies == ("c3-d3", "e3xc3")


def test_another_move_is_no_longer_way_of_it(jumped: Table) -> None:
    table, said = ordered(jumped, PlayPly(text="c6-b5", seat=BLACK))
    assert [type(note) for note in said] == [Refusal]
    assert going(table).session.plies == ("c3-d3", "e3xc3")


def test_once_it_was_answered_it_stays_as_it_was_made(jumped: Table) -> None:
    session = going(jumped).session
    answer = session.game.text(session.state, session.game.plies(session.state)[0])
    answered = given(jumped, PlayPly(text=answer))
    table, said = ordered(answered, PlayPly(text="e3xc3xa1", seat=BLACK))
    assert [type(note) for note in said] == [Refusal]
    assert going(table).session.plies == ("c3-d3", "e3xc3", answer)


def test_who_says_the_jump_once_more_goes_on_no_further_and_the_board_need_not_wait() -> None:
    scene = Scene("tides-of-war", after="c3-d3", opponents={"levels": [3, 0]})
    for text in ("e3xc3", "e3xc3", "e3xc3xa1"):
        scene.order(do="ply", text=text, seat=BLACK)
    assert scene.plies() == ["e3xc3"]
    assert [note.reason for _, said in scene.steps() for note in said if isinstance(note, Refusal)] == [
        "it is White's turn"
    ]
