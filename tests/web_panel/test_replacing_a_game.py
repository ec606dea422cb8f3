"""Another game, a lesson or a puzzle over one that others play: who may begin it, and what those others are told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient

from controller.orders import NewGame, StartPuzzle
from controller.table.views.types import SeatView
from tests.web_panel.test_join import Room, newest, sentence, you
from web_panel.people import presence

replace = msgspec.structs.replace

NEW: dict[str, Any] = {"do": "new_game", "game": "circle"}
WHO: dict[str, Any] = {"do": "who_plays", "levels": [0, 0]}
PUZZLE: dict[str, Any] = {"do": "start_puzzle", "game": "tides-of-war", "puzzle": "1"}
BEGINNINGS = (
    NEW,
    {"do": "start_lesson", "game": "circle"},
    PUZZLE,
    {"do": "play_again"},
    {"do": "resume", "game_id": 1},
)


@pytest.fixture
def long_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has closed a page did so long ago."""
    monkeypatch.setattr(presence, "LATELY_S", 0.0)


class Table(Room):
    """Ann and Bo play, each on a phone; Olga owns the table, and Cy is at it: neither has a seat."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        names = ("Olga", "Ann", "Bo", "Cy")
        self.olga, self.ann, self.bo, self.cy = (
            self.joined(f"192.168.1.{n + 7}", name) for n, name in enumerate(names)
        )
        self.ann.post("/api/seat", json={"seat": 0})
        self.bo.post("/api/seat", json={"seat": 1})
        self.close = [phone.get("/api/watch").close for phone in (self.ann, self.bo)]  # their pages are open until then


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "phones.json")


@pytest.mark.parametrize("order", BEGINNINGS, ids=lambda order: str(order["do"]))
def test_who_has_no_seat_begins_nothing_while_those_who_play_look(table: Table, order: dict[str, Any]) -> None:
    answer = table.cy.post("/api/order", json=order)
    why = "Ann and Bo play here: only they, or who owns this table, can begin another game."
    assert (answer.status_code, sentence(answer)) == (409, why)
    assert table.backend.orders == []


@pytest.mark.parametrize("order", BEGINNINGS, ids=lambda order: str(order["do"]))
def test_who_is_out_of_a_game_that_goes_on_looks_on_as_all_others_do(table: Table, order: dict[str, Any]) -> None:
    view = table.backend.view
    table.backend.view = replace(view, seats=(*view.seats, SeatView("Red", False, 0, colour=2)))
    assert table.cy.post("/api/seat", json={"seat": 2}).status_code == 200
    assert not you(table.cy)["barred"]
    table.backend.view = replace(view, seats=(*view.seats, SeatView("Red", False, 0, colour=2, out=True)))
    assert you(table.cy)["barred"]
    why = "Ann and Bo play here: only they, or who owns this table, can begin another game."
    assert sentence(table.cy.post("/api/order", json=order)) == why
    assert table.cy.post("/api/order", json={"do": "take_back"}).status_code == 200  # who gave up by mistake


FOR_PLAYERS = (
    WHO,
    *({"do": what} for what in ("take_back", "redo")),
    *({"do": what, "on": False} for what in ("coach", "pause")),
)


@pytest.mark.parametrize("order", FOR_PLAYERS, ids=lambda order: str(order["do"]))
def test_what_is_for_those_who_play_is_refused_to_who_has_found_no_seat(table: Table, order: dict[str, Any]) -> None:
    why = "Ann and Bo play here: only they, or who owns this table, can do this."
    assert sentence(table.cy.post("/api/order", json=order)) == why
    assert table.backend.orders == []
    assert you(table.cy)["barred"]
    assert not you(table.ann)["barred"]
    assert table.ann.post("/api/order", json=order).status_code == 200


def test_nobody_takes_a_seat_that_the_game_does_not_have(table: Table) -> None:
    assert sentence(table.cy.post("/api/seat", json={"seat": 2})) == "there is no seat 3 in this game"
    assert you(table.cy)["seats"] == []


def test_where_a_seat_is_nobodys_its_player_may_have_a_phone_without_one(table: Table) -> None:
    table.bo.post("/api/leave", json={})
    assert table.cy.post("/api/order", json={"do": "take_back"}).status_code == 200


@pytest.mark.usefixtures("long_ago")
def test_once_nobody_who_plays_has_looked_for_long_anybody_takes_the_boards_place(table: Table) -> None:
    for close in table.close:
        close()
    assert not you(table.cy)["barred"]
    assert table.cy.post("/api/order", json=WHO).status_code == 200


def test_a_phone_that_went_dark_still_plays(table: Table) -> None:
    for close in table.close:
        close()
    assert you(table.cy)["barred"]
    assert table.cy.post("/api/order", json=NEW).status_code == 409


@pytest.mark.usefixtures("long_ago")
def test_one_of_two_who_still_looks_is_named_alone(table: Table) -> None:
    table.close[0]()
    why = "Bo plays here: only they, or who owns this table, can begin another game."
    assert sentence(table.cy.post("/api/order", json=NEW)) == why


@pytest.mark.usefixtures("long_ago")
def test_once_nobody_who_plays_looks_any_more_anybody_at_the_table_may(table: Table) -> None:
    for close in table.close:
        close()
    assert table.cy.post("/api/order", json=NEW).status_code == 200
    assert table.backend.orders == [NewGame(game="circle")]


@pytest.mark.parametrize("who", ["ann", "olga"])
def test_who_plays_may_and_so_may_the_owner(table: Table, who: str) -> None:
    assert getattr(table, who).post("/api/order", json=NEW).status_code == 200
    assert table.backend.orders == [NewGame(game="circle")]


def test_who_has_begun_another_game_is_not_called_by_a_seat_of_the_one_before(table: Table) -> None:
    table.ann.post("/api/leave", json={})
    nameless = table.joined("192.168.1.20")
    nameless.post("/api/seat", json={"seat": 0})
    assert nameless.post("/api/order", json=NEW).status_code == 200
    assert newest(table.bo)["who"] == you(nameless)["name"] == "Phone 1"


def test_in_a_game_who_has_no_name_is_called_by_the_seat(table: Table) -> None:
    table.bo.post("/api/seat", json={"seat": 1, "take": False})
    nameless = table.joined("192.168.1.20")
    nameless.post("/api/seat", json={"seat": 1})
    nameless.get("/api/watch")
    why = sentence(table.cy.post("/api/order", json=NEW))
    assert why == "Ann and Black play here: only they, or who owns this table, can begin another game."
    assert table.olga.post("/api/seat", json={"seat": 1, "take": False}).status_code == 200
    assert newest(table.ann)["words"] == "Black"


def test_the_seat_of_a_phone_that_is_away_is_given_to_the_board_by_who_may_release_it(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    gives = {**WHO, "levels": [0, 2]}
    monkeypatch.setattr(presence, "AWAY_S", 0.0)
    assert "Bo plays Black" in sentence(table.olga.post("/api/order", json=gives))  # whose page is open
    table.close[1]()
    assert table.ann.post("/api/order", json=gives).status_code == 409  # not for ten minutes yet
    assert table.olga.post("/api/order", json=gives).status_code == 200  # who owns the table


def test_all_know_who_owns_the_table_while_that_phone_is_looked_at(table: Table) -> None:
    assert you(table.ann)["owner_here"] == ""
    looks = table.olga.get("/api/watch")
    assert {you(each)["owner_here"] for each in (table.olga, table.ann, table.cy)} == {"Olga"}
    looks.close()
    assert you(table.ann)["owner_here"] == ""


def test_a_screen_at_the_board_itself_says_who_is_here_and_no_other(table: Table, long_ago: None) -> None:
    guest = table.app.test_client()
    assert you(table.phone("192.168.1.30"))["here"] == []  # a guest in the house need not know
    assert you(guest)["here"] == ["Ann", "Bo"]
    looks = [phone.get("/api/watch") for phone in (table.olga, table.joined("192.168.1.31"))]
    assert you(guest)["here"] == ["Olga", "Ann", "Bo"]  # nobody knows a phone without a name by its number
    assert you(table.ann)["here"] == []  # who is in reads it of the phones
    for each in looks:
        each.close()


def test_everybody_is_told_who_has_released_whose_seat(table: Table) -> None:
    assert table.olga.post("/api/seat", json={"seat": 1, "take": False}).status_code == 200
    told = newest(table.bo)
    assert (told["who"], told["what"], told["words"], told["mine"]) == ("Olga", "released", "Bo", False)
    assert newest(table.olga)["mine"]


def test_who_plays_against_somebody_is_told_that_they_have_given_up_their_seat(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(client: FlaskClient) -> list[Any]:
        return [newest(client)[key] for key in ("who", "what", "words", "mine")]

    table.bo.post("/api/seat", json={"seat": 1, "take": False})
    assert (told(table.ann), told(table.bo)) == (["Bo", "gave_up", "Black", False], ["Bo", "gave_up", "Black", True])
    table.bo.post("/api/seat", json={"seat": 1})
    looks = list[int]()  # a page that is open looks whenever it is woken
    monkeypatch.setattr(table.backend, "poke", lambda: looks.append(newest(table.ann)["number"]))
    assert table.bo.post("/api/leave", json={}).status_code == 200
    assert (told(table.ann), looks[-1]) == (["Bo", "gave_up", "Black", False], newest(table.ann)["number"])
    seats = tuple(msgspec.structs.replace(seat, to_move=False) for seat in table.backend.view.seats)
    table.backend.view = msgspec.structs.replace(
        table.backend.view, seats=seats
    )  # it is over: nobody waits for anybody
    number = newest(table.ann)["number"]
    table.ann.post("/api/seat", json={"seat": 0, "take": False})
    assert newest(table.ann)["number"] == number


def test_the_seats_of_a_phone_that_is_removed_are_released(table: Table) -> None:
    bo = next(phone["id"] for phone in you(table.olga)["phones"] if phone["name"] == "Bo")
    assert table.olga.post("/api/revoke", json={"id": bo}).status_code == 200
    told = newest(table.ann)
    assert (told["who"], told["what"], told["words"]) == ("Olga", "released", "Bo")


def test_the_others_are_told_that_it_is_a_puzzle(table: Table) -> None:
    assert table.ann.post("/api/order", json=PUZZLE).status_code == 200
    assert isinstance(table.backend.orders[0], StartPuzzle)
    told = newest(table.bo)
    assert (told["who"], told["what"]) == ("Ann", "puzzle")
