"""What the house is told between two views of the table."""

from __future__ import annotations

import msgspec

from controller.house.telling import happened
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from controller.table.views.types import PanelView
from tests.table.scenes import Scene


def view(game_id: int, *plies: str) -> PanelView:
    seen = picture(Scene("tides-of-war", after="; ".join(plies)).run(), CALM, 1)
    return msgspec.structs.replace(seen, game_id=game_id)


def events(before: PanelView, now: PanelView) -> list[tuple[str, int | None]]:
    told = happened(before, now, str, lambda number: f"move {number}")
    return [(event["event_type"], event.get("number")) for event in told]


def test_a_game_that_begins_in_the_middle_of_another_takes_nothing_back() -> None:
    assert events(view(1, "c3-c4", "f2-f1"), view(2)) == [("begun", 0)]
    assert events(view(1, "c3-c4"), view(2, "c3-c4", "f2-f1")) == [("begun", 2)]
    assert events(view(1), view(2)) == [("begun", 0)]


def test_moves_of_one_game_are_made_and_taken_back() -> None:
    assert events(view(1, "c3-c4"), view(1, "c3-c4", "f2-f1")) == [("ply", 2)]
    assert events(view(1, "c3-c4", "f2-f1"), view(1)) == [("taken_back", 0)]
    assert events(view(1, "c3-c4"), view(1, "c3-d3")) == [("taken_back", 0), ("ply", 1)]
