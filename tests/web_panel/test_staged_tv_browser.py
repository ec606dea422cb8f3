"""The page for the television on a stage: what stands beside the board, told to nobody in particular."""

from __future__ import annotations

from typing import Any

import pytest

from controller.rules.mesh import squares
from controller.table.views.types import PlyView
from tests.web_panel.staged import Stage, geometry, view, you

BOARD = geometry(squares(3, 3))
LARGER = {**geometry(squares(4, 4)), "name": "larger"}


@pytest.fixture
def tv(stage: Stage) -> Stage:
    """Return the television, on which nothing has been shown yet."""
    stage.open("/tv", answers={"board": BOARD})
    stage.send("open")
    stage.send("you", you("guest", held={}))
    return stage


def shown(tv: Stage, **fields: Any) -> None:
    tv.send("view", view(**fields))


def released(tv: Stage) -> None:
    """Let what was asked for arrive."""
    tv.js("async () => { stage.held.shift()(); await stage.settled(); }")


def test_a_new_game_on_another_board_is_told_though_more_happens_before_that_board_is_there(tv: Stage) -> None:
    shown(tv, title="Circle", phase="over", sentence="White wins.", plies=(PlyView(0, "a1-a2"),))
    assert tv.text("#sentence") == "White wins."
    tv.answers(board={"late": LARGER})
    shown(tv, game_id=2, board="larger", title="Giantslayer")
    shown(tv, game_id=2, board="larger", title="Giantslayer", sentence="Black to move.")  # once its pieces stand
    tv.send("you", you("guest", held={}, people={"0": {"name": "Ann", "colour": ""}}))
    released(tv)
    assert tv.text("#title") == "Giantslayer"
    assert "wins" not in tv.text("#sentence")
    assert "Ann" in tv.texts(".seat b")
    assert tv.text("#last") == ""


def test_a_board_that_could_not_be_asked_for_is_asked_for_again(tv: Stage) -> None:
    shown(tv, title="Circle")
    tv.answers(board={"in_turn": ["away", LARGER]})
    shown(tv, game_id=2, board="larger", title="Giantslayer")
    assert tv.text("#title") == "Circle"
    tv.passes(2_000)
    assert tv.text("#title") == "Giantslayer"
