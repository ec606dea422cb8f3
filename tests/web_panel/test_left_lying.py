"""A game that was left lying: whom it bars, who is told whose it is, and what a look at it changes."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient

from controller.orders import NewGame
from controller.table.views.types import SeatView
from tests.web_panel.test_join import Room, sentence, you
from web_panel.people.left_lying import LYING_S
from web_panel.people.presence import Presence

replace = msgspec.structs.replace

NEW: dict[str, Any] = {"do": "new_game", "game": "circle"}
BEGINNINGS = (
    NEW,
    {"do": "start_lesson", "game": "circle"},
    {"do": "start_puzzle", "game": "tides-of-war", "puzzle": "1"},
)
DAYS_S = 6 * 86_400.0


class Table(Room):
    """Odette has played against somebody whose seat is nobody's; Jonas is at the table, and owns nothing."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.now_s = 0.0
        self.entry.presence = Presence(lambda: self.now_s)
        self.owner, self.odette, self.jonas = (
            self.joined(f"192.168.1.{n + 7}", name) for n, name in enumerate(("Mara", "Odette", "Jonas"))
        )
        self.sits(self.odette, 0)

    def sits(self, phone: FlaskClient, seat: int) -> None:
        assert phone.post("/api/seat", json={"seat": seat}).status_code == 200

    def passes(self, seconds: float) -> None:
        self.now_s += seconds
        self.backend.still_s += seconds

    def looks(self, phone: FlaskClient) -> None:
        """Open the page, and close it again."""
        phone.get("/api/watch").close()


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "phones.json")


def test_a_game_is_left_lying_after_an_hour_without_a_move_and_its_player_reads_nothing_of_that(table: Table) -> None:
    table.looks(table.odette)
    table.passes(LYING_S - 1)
    assert you(table.jonas)["lying"] is None
    table.passes(1)
    assert you(table.jonas)["lying"] == you(table.phone("192.168.1.30"))["lying"] == ["Odette"]
    assert you(table.odette)["lying"] is None


@pytest.mark.parametrize("order", BEGINNINGS, ids=lambda order: str(order["do"]))
def test_who_only_looks_at_a_game_left_lying_bars_the_others_for_as_long_as_the_page_is_open(
    table: Table, order: dict[str, Any]
) -> None:
    table.passes(DAYS_S)
    page = table.odette.get("/api/watch")
    assert you(table.jonas)["lying"] is None
    assert you(table.jonas)["barred"]
    why = "Odette plays here: only they, or who owns this table, can begin another game."
    assert sentence(table.jonas.post("/api/order", json=order)) == why
    page.close()
    table.passes(5)
    assert not you(table.jonas)["barred"]
    assert table.jonas.post("/api/order", json=order).status_code == 200


def test_who_has_moved_and_closed_the_page_is_waited_for_as_ever(table: Table) -> None:
    table.passes(DAYS_S)
    page = table.odette.get("/api/watch")
    table.backend.still_s = 0.0  # she has moved
    page.close()
    table.passes(5)
    assert you(table.jonas)["barred"]
    assert table.jonas.post("/api/order", json=NEW).status_code == 409
    assert table.backend.orders == []


def test_of_a_game_of_hands_only_the_time_counts_and_nobody_is_named(table: Table) -> None:
    table.odette.post("/api/seat", json={"seat": 0, "take": False})
    with table.jonas.get("/api/watch"):
        table.passes(LYING_S)
        assert you(table.jonas)["lying"] == you(table.odette)["lying"] == []


def test_neither_a_game_that_is_over_nor_a_lesson_is_left_lying(table: Table) -> None:
    table.passes(DAYS_S)
    table.backend.lesson = True
    assert you(table.jonas)["lying"] is None
    table.backend.lesson = False
    view = table.backend.view
    table.backend.view = replace(view, seats=tuple(replace(seat, to_move=False) for seat in view.seats))
    assert you(table.jonas)["lying"] is None


def test_who_gave_up_does_not_keep_a_game_that_others_left_lying(table: Table) -> None:
    view = table.backend.view
    table.backend.view = replace(view, seats=(*view.seats, SeatView("Red", False, 0, colour=2)))
    table.sits(table.jonas, 2)
    table.backend.view = replace(view, seats=(*view.seats, SeatView("Red", False, 0, colour=2, out=True)))
    table.passes(DAYS_S)
    assert you(table.jonas)["lying"] == ["Odette"]


def test_a_puzzle_that_leads_back_to_a_game_left_lying_leaves_it_so(table: Table) -> None:
    table.backend.lesson = True
    submit = table.backend.submit

    def resumed(order: Any) -> str:
        table.backend.lesson = False
        return submit(order)

    table.backend.submit = resumed  # type: ignore[method-assign]
    back = {"do": "resume", "game_id": 1}
    assert table.jonas.post("/api/order", json=back).status_code == 200
    assert you(table.jonas)["lying"] == ["Odette"]
    assert table.jonas.post("/api/order", json=NEW).status_code == 200
    assert table.backend.orders[-1] == NewGame(game="circle")
    table.backend.lesson = True
    with table.odette.get("/api/watch"):  # it is she who has solved it
        assert table.odette.post("/api/order", json=back).status_code == 200
    assert you(table.jonas)["lying"] is None


def test_of_who_is_to_move_and_long_gone_all_read_when_that_was(table: Table) -> None:
    table.looks(table.odette)
    table.passes(LYING_S - 1)
    told = you(table.jonas)
    assert (told["away"], told["last_here"]) == ([0], {})
    table.passes(DAYS_S)
    last = datetime.fromisoformat(you(table.jonas)["last_here"]["0"]).replace(tzinfo=UTC)
    assert abs((datetime.now(UTC) - last).total_seconds() - DAYS_S - LYING_S) < 120


def test_after_a_restart_nobody_was_here_later_than_the_last_move_tells(table: Table) -> None:
    table.backend.still_s = DAYS_S
    table.entry.presence = Presence(lambda: table.now_s)  # its clock has just begun
    table.now_s += 20
    last = datetime.fromisoformat(you(table.jonas)["last_here"]["0"]).replace(tzinfo=UTC)
    assert abs((datetime.now(UTC) - last).total_seconds() - DAYS_S) < 120
