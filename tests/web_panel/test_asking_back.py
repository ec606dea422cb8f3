"""A take-back that asks the others, over HTTP with the real service: of the own last move only where that is set.

Who is asked answers.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask.testing import FlaskClient

from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from tests.web_panel.real_table import RealTable
from tests.web_panel.test_join import newest, sentence, you
from tests.web_panel.test_people import guest, phone

ASK = {"do": "take_back", "to": 1, "made": 2}


@pytest.fixture
def table(open_table: Callable[..., RealTable]) -> RealTable:
    opened = open_table("first36")
    opened.new_game("tides-of-war")
    return opened


def order(client: FlaskClient, **what: object) -> str:
    """Give an order; returns the sentence with which it was refused, "" where it was not."""
    answer = client.post("/api/order", json=what)
    return "" if answer.status_code == 200 else sentence(answer)


def played(table: RealTable) -> tuple[FlaskClient, FlaskClient]:
    ann, ben = phone(table, 0, name="Ann"), phone(table, 1, name="Ben")
    assert order(ann, do="ply", text="c3-d3") == order(ben, do="ply", text="b6-a6") == ""
    return ann, ben


def asks(client: FlaskClient, on: bool = True) -> None:
    answer = client.post("/api/settings", json={"values": {"take_back_asks_others": on}})
    assert answer.status_code == 200


def test_without_the_setting_nobody_is_asked_of_the_own_last_move_whatever_a_phone_sends(table: RealTable) -> None:
    ann, ben = played(table)
    assert order(ben, **ASK, asks=True, by=[0]) == ""
    assert len(table.table.play.session.plies) == 1
    assert newest(ann)["what"] == "took_back"


@pytest.mark.parametrize("to", [0, 1])
def test_whose_move_is_taken_back_by_another_is_always_asked(table: RealTable, to: int) -> None:
    ann, ben = played(table)
    assert order(ann, do="take_back", to=to, made=2, asks=False, by=[0, 1]) == ""
    assert table.table.play.session.plies == ("c3-d3", "b6-a6")
    assert order(ben, do="agree_back", seat=1, to=to) == ""
    assert len(table.table.play.session.plies) == to


def test_with_it_the_other_agrees_or_not_and_nobody_answers_for_them(table: RealTable) -> None:
    ann, ben = played(table)
    asks(ann)
    assert order(ben, **ASK, asks=False, by=[0, 1]) == ""
    assert table.table.play.back_asked.by == (1,)
    assert you(ann)["told"] == []  # nothing was taken back yet
    assert "plays White: only that phone" in order(ben, do="agree_back", seat=0, to=1)
    assert "Join first" in sentence(guest(table).post("/api/order", json={"do": "agree_back", "seat": 0, "to": 1}))
    assert order(ann, do="refuse_back", seat=0) == ""
    assert len(table.table.play.session.plies) == 2
    assert table.table.advice == "White does not agree: the move stays."
    assert you(ben)["told"] == []  # the table says it
    assert order(ben, **ASK) == ""
    assert order(ann, do="agree_back", seat=0, to=1) == ""
    assert table.table.play.session.plies == ("c3-d3",)
    for each in (ann, ben):
        assert newest(each)["words"] == "Taken back: stone from b6 to a6."
        assert not newest(each)["mine"]
    assert "no longer" not in order(ann, do="ply", text="x")  # the game goes on
    assert order(ann, do="agree_back", seat=0, to=1) == "nobody asks to take back a move any more"


def test_the_word_of_a_phone_with_two_seats_counts_for_both(open_table: Callable[..., RealTable]) -> None:
    table = open_table("square144")
    table.new_game("circle", players=4)
    ann, ben, cid = (phone(table, seat, name=name) for seat, name in enumerate(("Ann", "Ben", "Cid")))
    assert cid.post("/api/seat", json={"seat": 3}).status_code == 200
    assert order(ann, do="ply", text="a2+") == order(ann, do="ply", text="end") == ""
    assert order(ben, do="take_back", to=0, made=2) == ""
    assert order(cid, do="agree_back", seat=2, to=0, by=[0]) == ""  # nor does a phone speak for others
    assert table.table.play.back_asked.agreed == (1, 2, 3)
    assert order(ann, do="agree_back", seat=0, to=0) == ""
    assert table.table.play.session.plies == ()


def test_who_has_no_seat_asks_for_a_free_one_as_somebody_and_may_leave_it(open_table: Callable[..., RealTable]) -> None:
    table = open_table("square144")
    table.new_game("circle", players=4)
    ann, watcher = phone(table, 0, name="Ann"), phone(table, name="Wim")
    assert order(ann, do="ply", text="a2+") == order(ann, do="ply", text="end") == ""
    assert order(watcher, do="take_back", to=0, made=2) == ""
    assert table.table.play.back_asked.by == (1, 2, 3)
    asked = picture(table.table, CALM, 1, 0)
    assert asked.sentence == "Somebody waits for your answer."
    assert asked.waits.startswith("Somebody without a seat asks to take back: ")
    assert order(watcher, do="refuse_back", seat=1) == ""
    assert table.table.play.back_asked is None
    assert (newest(ann)["what"], newest(ann)["who"]) == ("asks_no_longer", "Wim")


def test_who_plays_every_seat_is_not_asked(table: RealTable) -> None:
    ann = phone(table, 0, name="Ann")
    ann.post("/api/seat", json={"seat": 1})
    asks(ann)
    assert order(ann, do="ply", text="c3-d3") == order(ann, do="take_back", to=0, made=1) == ""
    assert table.table.play.session.plies == ()


def test_what_was_taken_back_is_made_again_by_whoever_made_it_alone(table: RealTable) -> None:
    ann, ben = played(table)
    looking_on = phone(table, name="Cid")
    assert order(ben, **ASK) == ""
    assert "Ann and Ben play here: only they" in order(looking_on, do="redo", made=1)
    assert "plays Black: only that phone" in order(ann, do="redo", made=1)
    assert table.table.play.session.plies == ("c3-d3",)
    assert order(ben, do="redo", made=1) == ""
    assert table.table.play.session.plies == ("c3-d3", "b6-a6")
