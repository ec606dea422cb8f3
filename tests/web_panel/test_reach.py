"""Letting phones in over HTTP: who may, what the browser gets that asked, and when another device has come."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.web_panel.fake_backend import FakeReach, square_backend
from tests.web_panel.test_join import CODE, sentence, you
from web_panel.app import create_app
from web_panel.people.joining import WaysIn
from web_panel.people.other_devices import is_own
from web_panel.people.phones import MOST_PHONES, Phones


class Computer:
    """A panel that only its own computer opens so far."""

    def __init__(self, reach: FakeReach | None = None, local: bool = True) -> None:
        self.reach, self.phones = reach or FakeReach(), Phones()
        self.backend = square_backend()
        self.backend.keep_alive_s = 0.01
        self.local = local

    def browser(self, address: str = "127.0.0.1") -> FlaskClient:
        found = ("http://192.168.1.20:8000",) if self.reach.open else ()
        self.entry = WaysIn(self.phones, CODE, self.local and not self.reach.open, lambda: found)
        client = create_app(self.backend, entry=self.entry, reach=self.reach).test_client()
        client.environ_base["REMOTE_ADDR"] = address
        return client

    def let_in(self, client: FlaskClient, **more: Any) -> Any:
        return client.post("/api/reach", json={"open": True}, **more)


@pytest.fixture
def computer() -> Computer:
    return Computer()


def test_the_browser_that_lets_phones_in_stays_the_owners_with_its_seats(computer: Computer) -> None:
    browser = computer.browser()
    browser.post("/api/seat", json={"seat": 1})
    answer = computer.let_in(browser)
    assert answer.status_code == 200
    answer.close()  # it is sent
    assert (computer.reach.chosen, computer.reach.again) == ([True], True)
    assert browser.get("/api/reach").get_json() == {"open": False, "changing": True, "seen": False, "address": ""}
    computer.reach.started()
    cookie, again = browser.get_cookie("beaconboard"), computer.browser()
    assert (you(again)["role"], you(again)["seats"]) == ("guest", [])  # another browser there
    assert cookie is not None
    assert cookie.http_only
    assert cookie.same_site == "Strict"
    again.set_cookie("beaconboard", cookie.value)
    told = you(again)
    assert (told["role"], told["seats"], told["name"]) == ("owner", [1], "Host")
    assert computer.let_in(again).status_code == 200
    assert again.post("/api/reach", json={"open": False}).headers.get("Set-Cookie") is None
    assert computer.reach.chosen == [True, True, False]


def test_phones_hear_that_the_panel_closes_as_long_as_they_are_reached(computer: Computer) -> None:
    computer.reach = FakeReach(open=True)
    here = computer.browser()
    here.post("/api/pair/code", json={"code": CODE})
    assert you(here)["shut"] is False
    computer.let_in(here)
    assert you(here, environ_base={"REMOTE_ADDR": "192.168.1.9"})["shut"] is False
    changes = computer.backend.changes
    here.post("/api/reach", json={"open": False})
    assert computer.backend.changes > changes  # every stream is told at once
    assert you(here, environ_base={"REMOTE_ADDR": "192.168.1.9"})["shut"] is True
    assert you(here)["shut"] is False  # this computer is reached after that, too


def test_the_name_of_who_sits_there_goes_with_the_browser(computer: Computer) -> None:
    computer.phones.call("local", "Ann", "")
    browser = computer.browser()
    computer.let_in(browser)
    assert [phone.name for phone in computer.phones.all()] == ["Ann"]


def test_an_owner_by_the_consoles_code_may_let_phones_in_and_keeps_that_cookie() -> None:
    computer = Computer(local=False)
    browser = computer.browser()
    assert computer.let_in(browser).status_code == 403
    browser.post("/api/pair/code", json={"code": CODE})
    answer = computer.let_in(browser)
    assert answer.status_code == 200
    assert answer.headers.get("Set-Cookie") is None


def test_guests_players_other_sites_and_phones_let_nobody_in(computer: Computer) -> None:
    computer.reach = FakeReach(open=True)
    owner, player, guest = (computer.browser(f"192.168.1.{n}") for n in (7, 8, 9))
    for name, phone in (("Ann", owner), ("Ben", player)):
        secret = f"cookie-of-{name}"
        computer.phones.admit(computer.phones.ask(secret, name))
        phone.set_cookie("beaconboard", secret)
    for phone, status in ((guest, 403), (player, 403), (owner, 409)):
        answer = phone.post("/api/reach", json={"open": False})
        assert answer.status_code == status
    assert "on the computer on which the board runs" in sentence(answer)
    here = Computer().browser()
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert computer.let_in(here, headers=headers).status_code == 403
    assert here.post("/api/reach", data="open=1").status_code == 415
    assert here.post("/api/reach", json={"open": "yes"}).status_code == 400
    assert computer.reach.chosen == []


def test_where_somebody_else_decides_it_is_refused_with_who(computer: Computer) -> None:
    computer.reach = FakeReach(changeable=False, told="Somebody keeps phones out.", cause="It was --host.")
    browser = computer.browser()
    assert sentence(computer.let_in(browser)) == "Somebody keeps phones out."
    page = browser.get("/join").get_data(as_text=True)
    assert "<p>Somebody keeps phones out.</p>" in page
    assert "<summary>For experts</summary><p>It was --host.</p>" in page
    assert 'id="reach"' not in page
    plain = create_app(square_backend()).test_client()
    assert "cannot be changed here" in sentence(computer.let_in(plain))


def test_where_all_places_are_taken_nothing_is_changed(computer: Computer) -> None:
    browser = computer.browser()
    for n in range(MOST_PHONES):
        computer.phones.admit(computer.phones.ask(f"cookie {n}", None))
    answer = computer.let_in(browser)
    assert "already 32 phones" in sentence(answer)
    assert computer.reach.chosen == []


@pytest.mark.parametrize(("open", "address", "button"), [(False, "127.0.0.1", True), (True, "192.168.1.7", False)])
def test_the_page_has_its_button_on_this_computer_alone(
    computer: Computer, open: bool, address: str, button: bool
) -> None:
    computer.reach = FakeReach(open)
    browser = computer.browser(address)
    computer.phones.admit(computer.phones.ask("cookie", None))
    browser.set_cookie("beaconboard", "cookie")
    page = browser.get("/join").get_data(as_text=True)
    assert ('id="reach"' in page) is button
    assert ('id="arrived"' in page) is open
    browser.delete_cookie("beaconboard")
    assert ('id="steps"' in browser.get("/join").get_data(as_text=True)) is not open  # a guest only scans


def test_a_device_has_come_when_its_page_is_open(computer: Computer) -> None:
    computer.reach = FakeReach(open=True)
    here = computer.browser()
    seen = computer.entry.others
    you(here)
    here.environ_base["REMOTE_ADDR"] = "192.168.1.9"
    here.get("/")
    assert not seen.seen
    assert you(here)["role"] == "guest"
    assert here.get("/api/reach").get_json()["seen"]


def test_an_address_of_this_machine_is_no_other_device() -> None:
    assert all(map(is_own, ("127.0.0.1", "127.5.5.5", "afar", "")))
    assert not any(map(is_own, ("192.168.250.249", "2001:db8::7")))


def joined(phones: Phones, name: str, seat: int, afar: bool = False) -> None:
    """Let in a phone called ``name``, which takes ``seat``."""
    id = phones.ask(f"cookie of {name}", name, afar=afar)
    phones.admit(id)
    phones.take(id, seat)


def closed_again(computer: Computer, own_seat: int | None = None) -> FlaskClient:
    """Let phones in and keep them out again; returns the browser that did, with its cookie."""
    first = computer.browser()
    if own_seat is not None:
        first.post("/api/seat", json={"seat": own_seat})
    computer.let_in(first)
    computer.reach.started()
    open = computer.browser()
    open.set_cookie("beaconboard", first.get_cookie("beaconboard").value)
    joined(computer.phones, "Mia", 0)
    assert open.post("/api/reach", json={"open": False}).status_code == 200
    computer.reach.started()
    again = computer.browser()
    again.set_cookie("beaconboard", first.get_cookie("beaconboard").value)
    return again


def test_who_is_kept_out_holds_no_seat_but_is_known_and_who_is_far_away_keeps_theirs(tmp_path: Path) -> None:
    path = tmp_path / "phones.json"
    phones = Phones(path)
    joined(phones, "Mia", 0)
    joined(phones, "Ada", 1, afar=True)
    WaysIn(phones, local=False)
    assert (phones.who("cookie of Mia").seats, phones.who("cookie of Ada").seats) == ((0,), (1,))
    WaysIn(phones, local=True)
    for known in (phones, Phones(path)):
        assert (known.who("cookie of Mia").name, known.who("cookie of Mia").seats) == ("Mia", ())
        assert known.who("cookie of Ada").seats == (1,)
        assert known.who("cookie of Mia").role == "owner"  # she came first


def test_after_phones_were_kept_out_the_computer_plays_as_before(computer: Computer) -> None:
    browser = closed_again(computer)
    told = you(browser)
    assert (told["role"], told["held"]) == ("owner", {})
    assert not any(phone["you"] for phone in told["phones"])  # who is no phone is asked for no side
    assert browser.post("/api/order", json={"do": "ply", "text": "a1-a2"}).status_code == 200
    other = computer.browser()
    other.post("/api/seat", json={"seat": 1})
    assert you(browser)["seats"] == you(other)["seats"] == [1]


def test_the_computer_keeps_its_own_seat_and_name_through_letting_in_and_keeping_out(computer: Computer) -> None:
    computer.phones.call("local", "Ann", "#e4572e")
    browser = closed_again(computer, own_seat=1)
    told = you(browser)
    assert (told["name"], told["named"], told["seats"], told["held"]) == ("Ann", True, [1], {"1": "Ann"})
    assert [phone["name"] for phone in told["phones"]] == ["Ann", "Mia"]
    computer.phones.call("local", "Zoe", "")
    computer.phones.call("local", "Ann", "")  # the name is still its own
    computer.phones.call("local", "Zoe", "")
    computer.let_in(browser)
    computer.reach.started()
    again = computer.browser()
    again.set_cookie("beaconboard", browser.get_cookie("beaconboard").value)
    told = you(again)
    assert (told["role"], told["name"], told["seats"]) == ("owner", "Zoe", [1])
    assert [phone["name"] for phone in told["phones"]] == ["Zoe", "Mia"]  # the same phone as the first time


def test_the_name_of_this_computer_outlives_a_start(tmp_path: Path) -> None:
    phones = Phones(tmp_path / "phones.json")
    phones.keep_local("cookie")
    phones.only_here()
    phones.call("local", "Ann", "")
    after = Phones(tmp_path / "phones.json")
    WaysIn(after, local=True)
    assert after.who("cookie", local=True).name == after.who("", local=True).name == "Ann"


def test_who_joined_with_the_code_on_this_computer_is_its_browser_once_phones_are_kept_out(computer: Computer) -> None:
    computer.reach = FakeReach(open=True)
    browser = computer.browser()
    browser.post("/api/pair/code", json={"code": CODE, "name": "Ann"})
    browser.post("/api/seat", json={"seat": 1})
    assert browser.post("/api/reach", json={"open": False}).status_code == 200
    computer.reach.started()
    other = computer.browser()
    assert (you(other)["name"], you(other)["seats"]) == ("Ann", [1])


def test_a_browser_that_is_known_is_let_in_where_all_places_are_taken(computer: Computer) -> None:
    browser = closed_again(computer)
    for n in range(MOST_PHONES - 2):
        computer.phones.admit(computer.phones.ask(f"cookie {n}", None))
    assert computer.let_in(browser).status_code == 200


# ---- two browsers on this computer ----


def apart(client: FlaskClient, **who: str) -> FlaskClient:
    """Make a phone of its own of the second browser ``client``."""
    answer = client.post("/api/pair/apart", json=who)
    assert answer.status_code == 200
    return client


def test_a_second_browser_here_is_somebody_else_and_the_first_stays_this_computer(computer: Computer) -> None:
    first, second = computer.browser(), apart(computer.browser(), name="Ben")
    assert (you(second)["role"], you(second)["name"]) == ("player", "Ben")
    assert second.post("/api/seat", json={"seat": 1}).status_code == 200
    assert you(first)["held"] == {"1": "Ben"}
    assert (you(first)["role"], you(first)["seats"]) == ("owner", [])
    assert first.post("/api/seat", json={"seat": 1}).status_code == 409
    assert second.post("/api/settings", json={"values": {"sounds": True}}).status_code == 403
    assert first.post("/api/seat", json={"seat": 1, "take": False}).status_code == 200  # as an owner may


def test_only_where_everybody_is_this_computer_does_anybody_come_apart(computer: Computer) -> None:
    second = apart(computer.browser())
    assert sentence(second.post("/api/pair/apart", json={})) == "This browser is a phone of its own already."
    elsewhere = computer.browser("192.168.1.9")
    assert elsewhere.post("/api/pair/apart", json={}).status_code == 403
    assert elsewhere.get("/somebody-else").status_code == second.get("/somebody-else").status_code == 302
    computer.reach = FakeReach(open=True)
    assert computer.browser().post("/api/pair/apart", json={}).status_code == 403  # there it joins as every phone
    assert len(computer.phones.all()) == 1


def test_who_came_apart_is_one_with_this_computer_again_by_leaving_or_without_the_cookie(computer: Computer) -> None:
    second = apart(computer.browser())
    assert you(second)["role"] == "player"
    assert second.post("/api/leave", json={}).status_code == 200
    assert (you(second)["role"], computer.phones.all()) == ("owner", ())
    apart(second).delete_cookie("beaconboard")
    assert you(second)["role"] == "owner"
    assert [phone["owner"] for phone in you(second)["phones"]] == [False]  # and removes the phone that is left


def test_a_seat_of_a_second_browser_here_outlives_a_start_and_letting_phones_in(tmp_path: Path) -> None:
    computer = Computer()
    computer.phones = Phones(tmp_path / "phones.json")
    first, second = computer.browser(), apart(computer.browser(), name="Ben")
    cookie = second.get_cookie("beaconboard").value
    second.post("/api/seat", json={"seat": 1})
    computer.phones = Phones(tmp_path / "phones.json")
    first, second = computer.browser(), computer.browser()
    second.set_cookie("beaconboard", cookie)
    assert (you(second)["name"], you(second)["seats"], you(first)["role"]) == ("Ben", [1], "owner")
    computer.let_in(first)
    computer.reach.started()
    open = computer.browser()
    open.set_cookie("beaconboard", cookie)
    assert (you(open)["role"], you(open)["seats"]) == ("player", [1])
    open.set_cookie("beaconboard", first.get_cookie("beaconboard").value)
    assert you(open)["role"] == "owner"


def test_a_second_browser_is_not_let_in_where_all_places_are_taken(computer: Computer) -> None:
    for n in range(MOST_PHONES):
        computer.phones.admit(computer.phones.ask(f"cookie {n}", None))
    answer = computer.browser().post("/api/pair/apart", json={})
    assert (answer.status_code, "already 32 phones" in sentence(answer)) == (409, True)


def test_the_page_of_people_has_the_address_for_a_second_browser_on_this_computer_alone(computer: Computer) -> None:
    here, link = computer.browser(), '<code class="address">http://localhost/somebody-else</code>'
    assert link in here.get("/join").get_data(as_text=True)
    assert "Join as somebody else" in here.get("/somebody-else").get_data(as_text=True)
    assert link not in apart(here).get("/join").get_data(as_text=True)
    computer.reach = FakeReach(open=True)
    assert "somebody-else" not in computer.browser().get("/join").get_data(as_text=True)
