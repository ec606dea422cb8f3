"""What the house is told between two views of the table."""

from __future__ import annotations

import msgspec

from controller.house.telling import happened, told_of
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


def test_before_the_first_view_nothing_has_happened_and_no_game_is_no_news() -> None:
    idle = msgspec.structs.replace(view(2, "c3-c4"), phase="idle")
    assert happened(None, view(1, "c3-c4"), str, str) == []
    assert happened(view(1), idle, str, str) == []
    assert events(idle, view(2, "c3-c4", "f2-f1")) == [("begun", 2)], "it was taken up"


def test_who_won_is_told_once_with_the_game_and_the_sentence() -> None:
    last = view(1, "c3-c4")
    over = msgspec.structs.replace(last, phase="over", winner=1, sentence="Black has won.")
    (told,) = happened(last, over, str, str)
    assert told == {"event_type": "over", "game": last.title, "winner": last.seats[1].name, "told": "Black has won."}
    assert happened(over, over, str, str) == []
    assert happened(last, msgspec.structs.replace(over, winner=None), str, str)[0]["winner"] is None
    ranked = msgspec.structs.replace(over, ranking="1. Black (2), 2. White (1).")
    whole = "Black has won. 1. Black (2), 2. White (1)."
    assert happened(last, ranked, str, str)[0]["told"] == told_of(ranked, "", "", str).told == whole


def test_twenty_moves_at_once_are_told_and_more_are_a_game_that_was_taken_up() -> None:
    one = view(1, "c3-c4")
    many = [msgspec.structs.replace(one, plies=one.plies * count) for count in (1, 21, 22)]
    assert [what for what, _ in events(many[0], many[1])] == ["ply"] * 20
    assert events(many[0], many[2]) == [("begun", 22)]


def test_who_is_to_move_is_told_while_a_game_goes_on_and_not_while_it_is_set_up_or_over() -> None:
    for phase, turn in (("setup", None), ("play", "Black"), ("fix", "Black"), ("pause", "Black"), ("over", None)):
        seen = msgspec.structs.replace(view(1, "c3-c4"), phase=phase)
        told = told_of(seen, "Attic", "http://attic", str)
        assert told.turn == turn
        assert told.playing == (phase != "over")
        assert (told.moves, told.game, told.told) == (1, seen.title, seen.sentence)
