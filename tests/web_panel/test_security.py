"""Attacks on the panel, and what each gets. docs/security.md lists them."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from controller.service.preferences import Preferences
from controller.settings import BadSetting, Settings, on_panel
from tests.web_panel.fake_backend import square_backend
from tests.web_panel.real_backend import real_app
from tests.web_panel.test_join import CODE, Room, sentence, you
from web_panel.app import create_app
from web_panel.people.joining import COOKIE, WaysIn
from web_panel.people.phones import Phones
from web_panel.security import FOR_ALL, FOR_OWNERS

FORBIDDEN_SETTINGS = ["board", "sensors", "serial_port", "lights_pin", "emulator_folder", "host", "port", "journal",
                      "house_authority"]  # fmt: skip


@pytest.fixture
def room() -> Room:
    return Room()


def changing_rules(app: Flask) -> list[str]:
    return [rule.rule for rule in app.url_map.iter_rules() if set(rule.methods or ()) - {"GET", "HEAD", "OPTIONS"}]


def test_no_address_changes_anything_by_get(room: Room) -> None:
    """Every address either reads or changes, never both."""
    for rule in room.app.url_map.iter_rules():
        methods = set(rule.methods or ()) - {"HEAD", "OPTIONS"}
        assert "GET" not in methods or methods == {"GET"}, rule


def test_nothing_of_the_api_is_kept_by_a_browser_or_a_proxy(room: Room) -> None:
    """A shared computer would show the next one at it what the last one might see; refusals and errors as well."""
    guest, owner = room.phone("192.168.1.66"), room.joined()
    asked = 0
    for rule in room.app.url_map.iter_rules():
        if not rule.rule.startswith("/api/"):
            continue
        path = rule.rule.replace("<", "").replace(">", "")
        for phone in (guest, owner):
            method = "POST" if "POST" in (rule.methods or ()) else "GET"
            answer = phone.open(path, method=method, json={} if method == "POST" else None)
            assert answer.headers["Cache-Control"] == "no-store", (method, path, answer.status)
            answer.close()
            asked += 1
    assert asked > 60
    assert guest.get("/api/no/such/address").headers["Cache-Control"] == "no-store"


def test_every_change_needs_a_phone_at_the_table_but_joining_itself(room: Room) -> None:
    guest = room.phone()
    changing = changing_rules(room.app)
    assert {"/api/order", "/api/seat", "/api/settings", "/api/revoke", "/api/lift"} <= set(changing)
    for rule in set(changing) - FOR_ALL:
        assert guest.post(rule, json={}).status_code == 403, rule
    assert set(changing) >= FOR_ALL | FOR_OWNERS


@pytest.mark.parametrize(
    "cookie", ["", "x", "0" * 43, "local", "../../etc/passwd", '{"id":"local"}', "é", "a" * 3000, "null", "' OR 1=1 --"]
)
def test_a_made_up_cookie_lets_nobody_in(room: Room, cookie: str) -> None:
    room.joined()
    thief = room.phone("192.168.1.66")
    answer = thief.post("/api/order", json={"do": "take_back"}, headers={"Cookie": f"{COOKIE}={cookie}"})
    assert answer.status_code == 403
    assert room.backend.orders == []


def test_guessing_the_code_ends_after_a_few_tries(room: Room) -> None:
    thief = room.phone("192.168.1.66")
    answers = [thief.post("/api/pair/code", json={"code": f"{n:08}"}).status_code for n in range(10)]
    assert answers == [409] * 6 + [429] * 4
    last = thief.post("/api/pair/code", json={"code": CODE})
    assert last.status_code == 429
    assert sentence(last)
    assert room.phone("192.168.1.5").post("/api/pair/code", json={"code": CODE}).status_code == 200


def test_asking_for_cells_without_end_is_stopped(room: Room) -> None:
    thief = room.phone("192.168.1.66")
    answers = [thief.post("/api/pair", json={}).status_code for _ in range(15)]
    assert answers == [200] * 12 + [429] * 3
    assert len(room.backend.calls) == 1


def test_a_flood_of_orders_is_stopped_and_harms_no_other_phone(room: Room) -> None:
    room.joined("192.168.1.5")
    flood = room.joined("192.168.1.66")
    answers = {flood.post("/api/order", json={"do": "take_back"}).status_code for _ in range(200)}
    assert answers == {200, 429}
    assert room.joined("192.168.1.7").post("/api/order", json={"do": "take_back"}).status_code == 200


def test_one_address_cannot_take_every_stream() -> None:
    room = Room()
    thief, other = room.phone("192.168.1.66"), room.phone("192.168.1.7")
    held = [thief.get("/api/watch") for _ in range(20)]
    assert {answer.status_code for answer in held} == {200, 503}
    assert other.get("/api/watch").status_code == 200
    for answer in held:
        answer.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    "host",
    ["evil.example", "192.168.1.20.evil.example", "board.local.evil.example", "evil@127.0.0.1", "evil:x@127.0.0.1:8000",
     "0.0.0.0", "0.0.0.0:8000", "[::]", "[::ffff:0.0.0.0]:8000", "localhost/x", "127.0.0.1 evil"],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/join", "/join.svg", "/settings", "/api/settings"])
def test_a_name_that_another_site_points_at_us_gets_nothing(room: Room, host: str, path: str) -> None:
    assert room.phone().get(path, headers={"Host": host}).status_code == 421


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(FOR_ALL | FOR_OWNERS | {"/api/seat", "/api/leave"}))
@pytest.mark.parametrize(
    "headers",
    [{"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}],
)
def test_another_web_site_pairs_nobody_and_sets_nothing(path: str, headers: dict[str, str]) -> None:
    here = create_app(square_backend(), entry=WaysIn(Phones(), CODE, local=True)).test_client()
    assert here.post(path, json={}, headers=headers).status_code == 403


def test_an_invitation_to_another_board_is_for_owners_alone(room: Room) -> None:
    owner, player, guest = room.joined("192.168.1.7"), room.joined("192.168.1.8"), room.phone("192.168.1.9")
    picture = f"/afar/{'0' * 32}.svg"
    assert owner.get("/api/afar").json["links"][0]["text"] != ""
    assert owner.get(picture).status_code == 200
    for other in (player, guest):
        assert other.get("/api/afar").json["links"][0]["text"] == ""
        assert other.get(picture).status_code == 403
        assert other.post("/api/afar/invite", json={"seat": 1}).status_code == 403
        assert other.post("/api/afar/hand", json={"room": "0" * 32}).status_code == 403
        assert other.post("/api/house/forget", json={"id": "0" * 8}).status_code == 403


@pytest.mark.parametrize("path", sorted(FOR_OWNERS | {"/api/runs/begin", "/api/runs/remove", "/api/variants/save"}))
def test_who_has_joined_without_owning_the_board_is_refused_what_owners_alone_may_do(room: Room, path: str) -> None:
    owner, player = room.joined(), room.joined("192.168.1.8")
    answer = player.post(path, json={})
    assert (answer.status_code, "Only the owner's phone can" in sentence(answer)) == (403, True)
    assert owner.post(path, json={}).status_code != 403


@pytest.mark.parametrize("path", sorted(FOR_ALL | FOR_OWNERS))
def test_a_form_cannot_send_it(path: str) -> None:
    here = create_app(square_backend(), entry=WaysIn(Phones(), CODE, local=True)).test_client()
    assert here.post(path, data={"code": CODE}).status_code == 415
    assert here.post(path, data='{"code":"12345678"}', content_type="text/plain").status_code == 415


@pytest.mark.parametrize("path", ["/", "/join", "/settings"])
def test_pages_have_no_code_in_them(room: Room, path: str) -> None:
    page = room.phone().get(path)
    text = page.get_data(as_text=True)
    assert "unsafe" not in page.headers["Content-Security-Policy"]
    for inline in ("onclick", "onload", "style=", "<style", "javascript:"):
        assert inline not in text
    assert all("src=" in tag or "application/json" in tag for tag in text.split("<script")[1:] if tag)


@pytest.mark.parametrize("path", ["/panel.js", "/panel-later.js", "/static/panel.css"])
def test_what_belongs_to_a_page_leaves_the_policy_to_that_and_is_taken_for_nothing_else(room: Room, path: str) -> None:
    headers = room.phone().get(path).headers
    assert "Content-Security-Policy" not in headers
    assert (headers["X-Content-Type-Options"], headers["Cross-Origin-Resource-Policy"]) == ("nosniff", "same-origin")


def test_a_name_with_markup_stays_text_in_a_page(room: Room) -> None:
    told = room.phone().get("/", headers={"Accept-Language": "<script>alert(1)</script>"}).get_data(as_text=True)
    assert "alert(1)" not in told


def test_a_panel_that_listens_everywhere_does_not_answer_to_no_address_at_all() -> None:
    app = create_app(square_backend(), ["0.0.0.0", "board.example"], entry=WaysIn(Phones(), CODE))
    client = app.test_client()
    assert client.get("/join", headers={"Host": "0.0.0.0:8000"}).status_code in (400, 421)
    assert client.get("/join", headers={"Host": "board.example:8000"}).status_code == 200


@pytest.mark.parametrize(
    "address", ["/api/history/99", "/api/history/99/text", "/api/history", "/api/evening", "/api/first-evening"]
)
def test_no_answer_tells_where_the_journal_lies(tmp_path: Path, address: str) -> None:
    with ExitStack() as held:
        app, _, _ = real_app("square144", tmp_path, held)
        if "99" not in address:
            (tmp_path / "games.sqlite3").unlink()
        answer = app.test_client().get(address)
        assert answer.status_code == 409
        assert "games.sqlite3" in sentence(answer)
        assert str(tmp_path) not in sentence(answer)


@pytest.mark.parametrize("name", FORBIDDEN_SETTINGS)
def test_the_panel_cannot_set_a_file_a_port_or_a_device(name: str) -> None:
    assert name not in on_panel()
    with pytest.raises(BadSetting, match=f"'{name}' cannot be set here"):
        Preferences(Settings()).choose({name: "/etc/passwd"})


@pytest.mark.parametrize(
    "values",
    [
        {"language": "../../../etc/passwd"}, {"language": "de.po"}, {"own_colours": 'may_go=#000000"\nhost = "0.0.0.0'},
        {"own_colours": "nothing=#000000"}, {"theme": "own\n"}, {"brightness": 101}, {"brightness": True}, {"blink": 1},
        {"settle_ms": 10**30}, {"sounds": "yes"}, {"": 1}, {"own_colours": "may_go=#00000g"},
    ],
)  # fmt: skip
def test_a_setting_that_is_not_allowed_changes_nothing_and_writes_nothing(
    tmp_path: Path, values: dict[str, Any]
) -> None:
    file = tmp_path / "settings.toml"
    preferences = Preferences(Settings(), file)
    with pytest.raises(BadSetting):
        preferences.choose({"settle_ms": 400, **values})
    assert (preferences.now, file.exists()) == (Settings(), False)


def test_a_phone_that_was_sent_away_cannot_come_back_with_its_cookie(room: Room) -> None:
    owner, bo = room.joined(), room.joined("192.168.1.8")
    old = bo.get_cookie(COOKIE).value
    id = next(phone["id"] for phone in you(bo)["phones"] if phone["you"])
    owner.post("/api/revoke", json={"id": id})
    again = room.phone("192.168.1.8")
    again.set_cookie(COOKIE, old)
    assert you(again)["role"] == "guest"


def test_a_guest_is_told_neither_ids_nor_who_else_is_there(room: Room) -> None:
    room.joined(name="Ann")
    told = you(room.phone("192.168.1.9"))
    assert told["phones"] == []
    assert "Ann" not in json.dumps(told)


@pytest.mark.slow
def test_too_many_who_only_ask_do_not_fill_the_memory() -> None:
    phones = Phones()
    for n in range(500):
        phones.ask(f"secret {n}", None)
    assert len(phones._asking) <= 32
