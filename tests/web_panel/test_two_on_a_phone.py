"""Two people share a phone: whoever plays its second seat has a name, too, in what is told, counted and kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from controller.orders import NewGame, Resign
from tests.web_panel.real_table import RealTable
from tests.web_panel.test_join import sentence, you
from tests.web_panel.test_people import finish, numbers, people, phone, seen
from web_panel.people.phones import Phones


@pytest.fixture
def table(open_table: Callable[..., RealTable]) -> RealTable:
    opened = open_table("first36")
    opened.new_game("tides-of-war")
    return opened


def plays(client: FlaskClient, seat: int, name: str | None) -> int:
    return client.post("/api/seat/person", json={"seat": seat, "name": name}).status_code


def names(client: FlaskClient) -> list[str]:
    return [person["name"] for _, person in sorted(you(client)["people"].items())]


def test_who_plays_the_second_seat_of_a_phone_is_called_by_name(table: RealTable) -> None:
    ann = phone(table, name="Ann")
    assert plays(ann, 1, "Tim") == 200
    assert you(ann)["seats"] == [0, 1]  # nobody held any: the phone plays them all
    assert (names(ann), you(ann)["held"]) == (["Ann", "Tim"], {"0": "Ann", "1": "Tim"})
    assert seen(ann, "en")["sentence"] == "Ann to move."
    table.running.service.submit(Resign(seat=0))
    assert seen(ann, "en")["sentence"] == "Ann resigned. Tim wins."


def test_games_on_one_phone_count_for_both(table: RealTable) -> None:
    ann = phone(table, name="Ann")
    plays(ann, 1, "Tim")
    finish(table, loser=0)
    found = people(ann)
    assert (numbers(found["Ann"]), numbers(found["Tim"])) == ((1, 0, 1), (1, 1, 0))
    games = ann.get("/api/history").get_json()["games"]
    assert games[0]["result"] == "Tim won as Black against Ann"


def test_both_change_sides_with_the_seats(table: RealTable) -> None:
    ann = phone(table, name="Ann")
    plays(ann, 1, "Tim")
    finish(table, loser=0)
    assert ann.post("/api/order", json={"do": "play_again", "seats": "turn"}).status_code == 200
    assert names(ann) == ["Tim", "Ann"]
    sat = {tuple(names(ann)) for _ in range(24) if table.phones.reseat("lots", 2) is None}
    assert sat == {("Ann", "Tim"), ("Tim", "Ann")}


def test_the_own_name_or_none_gives_the_seat_back_and_so_does_leaving_it(table: RealTable) -> None:
    ann = phone(table, name="Ann")
    for name in ("Ann", None):
        plays(ann, 1, "Tim")
        assert plays(ann, 1, name) == 200
        assert names(ann) == ["Ann", "Ann"]
    plays(ann, 1, "Tim")
    assert ann.post("/api/seat", json={"seat": 1, "take": False}).status_code == 200
    assert ann.post("/api/seat", json={"seat": 1}).status_code == 200
    assert names(ann) == ["Ann", "Ann"]


def test_names_follow_when_they_are_changed_merged_or_removed(table: RealTable) -> None:
    ann = phone(table, name="Ann")
    plays(ann, 1, "Tim")
    known = {person["name"]: person["id"] for person in ann.get("/api/people").get_json()}
    assert ann.post("/api/people/change", json={"id": known["Tim"], "name": "Timothy"}).status_code == 200
    assert names(ann) == ["Ann", "Timothy"]
    assert ann.post("/api/people/remove", json={"id": known["Tim"]}).status_code == 200
    assert names(ann) == ["Ann", "Ann"]


def test_nobody_sits_there_twice_nor_on_a_seat_of_somebody_else(table: RealTable) -> None:
    ann, ben = phone(table, name="Ann"), phone(table, 1, name="Ben")
    assert sentence(ann.post("/api/seat/person", json={"seat": 0, "name": "Ben"})).startswith("Ben plays in this game")
    assert sentence(ann.post("/api/seat/person", json={"seat": 1, "name": "Tim"})) == "This seat is held by Ben."
    assert plays(ann, 0, "Tim") == 200
    assert sentence(ben.post("/api/seat/person", json={"seat": 1, "name": "Tim"})).startswith("Tim plays in this game")
    ann.post("/api/order", json={"do": "new_game", "game": "tides-of-war", "opponents": {"levels": [0, 2]}})
    assert sentence(ann.post("/api/seat/person", json={"seat": 1, "name": "Tim"})).startswith("Nobody with a phone")


def test_a_restart_and_another_phone_keep_who_plays(tmp_path: Path, table: RealTable) -> None:
    ann = phone(table, name="Ann")
    plays(ann, 1, "Tim")
    other = phone(table)
    (own,) = (each for each in table.phones.all() if each.named)
    (nameless,) = (each for each in table.phones.everybody() if not each.named and each.id != "local")
    table.phones.pass_on(own.id, nameless.id)
    assert names(other) == ["Ann", "Tim"]
    assert table.phones.known(own.id).beside == ()
    kept = Phones(tmp_path / "phones.json")
    kept._phones, kept._local = table.phones._phones, table.phones._local
    kept._write()
    again = Phones(tmp_path / "phones.json")
    assert [holder and holder.name for seat in (0, 1) for holder in [again.holder(seat)]] == ["Ann", "Tim"]


def test_a_game_that_goes_on_seats_both_again(table: RealTable) -> None:
    ann = phone(table, name="Ann")
    plays(ann, 1, "Tim")
    table.set_up()
    assert ann.post("/api/order", json={"do": "ply", "text": "c3-d3"}).status_code == 200
    game = ann.get("/api/history").get_json()["games"][0]["id"]
    ann.post("/api/order", json={"do": "new_game", "game": "tides-of-war"})
    plays(ann, 1, None)
    assert names(ann) == ["Ann", "Ann"]
    assert ann.post("/api/order", json={"do": "resume", "game_id": game}).status_code == 200
    assert names(ann) == ["Ann"]  # Tim is not at the table
    plays(ann, 1, "Tim")
    assert ann.post("/api/order", json={"do": "resume", "game_id": game}).status_code == 200
    assert names(ann) == ["Ann", "Tim"]


def test_one_word_of_one_person_makes_the_draw_for_both_seats_and_two_people_answer_each(
    open_table: Callable[..., RealTable],
) -> None:
    table = open_table("square144")
    table.running.service.submit(NewGame("circle", options={"players": 4}))
    table.set_up()
    ann, ben = phone(table, 0, name="Ann"), phone(table, 1, name="Ben")
    for client, seat in ((ann, 2), (ben, 3)):
        client.post("/api/seat", json={"seat": seat})
    assert ann.post("/api/order", json={"do": "offer_draw", "seat": 0}).status_code == 200
    offers = [seat["offers_draw"] for seat in seen(ann)["seats"]]
    assert offers == [True, False, True, False]
    assert plays(ben, 3, "Tim") == 200
    assert ben.post("/api/order", json={"do": "offer_draw", "seat": 1}).status_code == 200
    assert seen(ann)["phase"] == "play"  # Tim has not agreed
    assert ben.post("/api/order", json={"do": "offer_draw", "seat": 3}).status_code == 200
    assert seen(ann)["phase"] == "over"
