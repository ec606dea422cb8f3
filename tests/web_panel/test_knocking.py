"""Where no cell of a real board is free to be touched, those at the table are asked to let a phone in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from flask.testing import FlaskClient

from controller.refused import Refused
from tests.waiting import HandSeconds
from tests.web_panel.test_join import CODE, Room, sentence, you
from web_panel.people import knocking
from web_panel.people.knocking import Knocks


class Table:
    """A real board on which no cell is free; the phone of its owner has its page open."""

    def __init__(self, held: ExitStack, there: bool = True) -> None:
        self.room = Room(with_hand=False)
        self.room.backend.free = False
        self.clock = HandSeconds()
        self.room.entry.knocks = Knocks(self.clock)
        self._held = held
        self.owner = self.room.phone("192.168.1.2")
        assert self.owner.post("/api/pair/code", json={"code": CODE}).status_code == 200
        if there:
            self.watches(self.owner)

    def watches(self, phone: FlaskClient) -> Any:
        page = phone.get("/api/watch")
        self._held.callback(page.close)
        return page

    def asks(self, number: int, name: str = "") -> FlaskClient:
        """Return a guest's phone that asks."""
        phone = self.room.phone(f"192.168.1.{number}")
        answer = phone.post("/api/pair", json={"name": name} if name else {})
        assert (answer.status_code, answer.get_json()) == (200, {"site": ""})
        return phone

    def asked(self) -> dict[str, Any]:
        """Return about whom the owner's phone is asked."""
        knock = you(self.owner)["knock"]
        assert knock is not None
        return knock

    def answers(self, let_in: bool) -> Any:
        return self.owner.post("/api/pair/answer", json={"id": self.asked()["id"], "let_in": let_in})


@pytest.fixture
def held() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def table(held: ExitStack) -> Table:
    return Table(held)


def test_three_phones_are_let_in_one_question_after_the_other(table: Table) -> None:
    phones = [table.asks(20, "Ann"), table.asks(21, "Ben"), table.asks(22)]
    for phone, name in zip(phones, ("Ann", "Ben", ""), strict=True):
        assert you(phone)["knocking"] == "waits"
        assert you(phone)["knock"] is None  # guests are asked nothing
        assert table.asked()["name"] == name
        assert table.answers(True).status_code == 200
        assert you(phone)["role"] == "player"
    assert you(table.owner)["knock"] is None
    assert table.room.backend.calls == {}


def test_who_is_not_let_in_is_told_and_asks_again_later(table: Table) -> None:
    phone = table.asks(20)
    stream = table.watches(phone)
    assert table.answers(False).status_code == 200
    assert b'"knocking":"refused"' in next(line for line in stream.response if line.startswith(b"event: you"))
    assert table.room.phones._asking == {}
    again = phone.post("/api/pair", json={})
    assert again.status_code == 409
    assert sentence(again) == "Those at the table have just said no: ask them, and try again in a minute."
    table.clock.now_s += knocking.AGAIN_S
    assert you(phone)["knocking"] == ""  # it stands no longer than it keeps anybody from asking
    table.asks(20)
    assert table.answers(True).status_code == 200


def test_a_question_is_answered_once(table: Table) -> None:
    phone = table.asks(20)
    id = table.asked()["id"]
    assert table.answers(True).status_code == 200
    late = table.owner.post("/api/pair/answer", json={"id": id, "let_in": False})
    assert late.status_code == 409
    assert sentence(late) == "This phone no longer asks, or somebody else has answered."
    assert you(phone)["role"] == "player"


def test_a_guest_answers_nothing(table: Table) -> None:
    phone = table.asks(20)
    id = table.asked()["id"]
    for guest in (phone, table.room.phone("192.168.1.30")):
        assert guest.post("/api/pair/answer", json={"id": id, "let_in": True}).status_code == 403
    assert you(phone)["role"] == "guest"


def test_who_gives_up_or_closes_the_page_or_waits_in_vain_is_asked_about_no_more(table: Table) -> None:
    phone = table.asks(20)
    assert phone.post("/api/pair/stop", json={}).status_code == 200
    assert you(table.owner)["knock"] is None
    phone = table.asks(20)
    phone.get("/api/watch").close()
    table.clock.now_s += knocking.GONE_S - 1
    assert table.asked()
    phone.get("/api/watch").close()  # loaded anew
    table.clock.now_s += knocking.GONE_S
    assert you(table.owner)["knock"] is None
    table.asks(20)
    table.clock.now_s += 60
    assert table.asked()
    table.clock.now_s += 240
    assert you(table.owner)["knock"] is None


def test_two_phones_of_one_address_wait_and_six_in_all(table: Table) -> None:
    first = table.asks(20)
    table.asks(20)
    third = table.room.phone("192.168.1.20").post("/api/pair", json={})
    assert (third.status_code, third.get_json()["error"][:17]) == (409, "Two phones are al")
    for number in (21, 22, 23, 24):
        table.asks(number)
    seventh = table.room.phone("192.168.1.25").post("/api/pair", json={})
    assert sentence(seventh).startswith("6 phones are joining already")
    assert len(table.room.phones._asking) == 6
    assert table.answers(True).status_code == 200
    assert you(first)["role"] == "player"
    table.asks(25)


def test_where_nobody_is_at_the_table_the_board_says_what_else_there_is(held: ExitStack) -> None:
    table = Table(held, there=False)

    def full(who: str, came: object) -> str:
        raise Refused("No cell is free for joining right now: try after the next move, or use the code")

    table.room.backend.ask_touch = full  # type: ignore[method-assign]
    answer = table.room.phone("192.168.1.20").post("/api/pair", json={})
    assert "or use the code" in sentence(answer)
    assert table.room.phones._asking == {}


def test_while_a_cell_is_free_it_is_touched_and_nobody_is_asked(table: Table) -> None:
    table.room.backend.free = True
    answer = table.room.phone("192.168.1.20").post("/api/pair", json={})
    assert answer.get_json() == {"site": "k1"}
    assert you(table.owner)["knock"] is None
