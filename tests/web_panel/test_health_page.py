"""How the board does over HTTP: who is told what, and `/metrics` asked by those for whom it is not."""

from __future__ import annotations

from typing import Any, cast

import pytest
from werkzeug.test import Client

from tests.web_panel.fake_backend import square_backend
from tests.web_panel.test_join import Room, sentence
from web_panel.app import create_app
from web_panel.serving.proxies import LocalProxy

OUTSIDE = ["8.8.8.8", "2a00:1450::1", "2606:4700::1111", "::ffff:8.8.8.8", "100.64.0.7", "not an address", ""]
INSIDE = ["127.0.0.1", "::1", "192.168.1.66", "10.0.0.9", "172.16.3.4", "169.254.7.7", "fe80::1%wlan0", "fd00::5",
          "::ffff:192.168.1.66"]  # fmt: skip


@pytest.fixture
def room() -> Room:
    return Room()


def asked(room: Room, address: str, **headers: str) -> Any:
    room.health.on = True
    return room.phone(address).get(
        "/metrics", headers={name.replace("_", "-"): value for name, value in headers.items()}
    )


def test_everybody_is_told_one_sentence_and_the_owner_all_of_them(room: Room) -> None:
    guest, owner, player = room.phone("192.168.1.9"), room.joined("192.168.1.7"), room.joined("192.168.1.8")
    for other in (guest, player):
        assert other.get("/api/health").json == {"state": "well", "told": "All is well.", "lines": [], "owner": False}
    assert owner.get("/api/health").json["lines"] == [{"state": "well", "what": "The lights work.", "advice": ""}]


def test_a_bundle_is_for_owners_alone_and_knows_whose_names_to_leave_out(room: Room) -> None:
    owner, player = room.joined("192.168.1.7", "Ann"), room.joined("192.168.1.8", "Ben")
    guest = room.phone("192.168.1.9")
    for other in (guest, player):
        assert other.post("/api/health/bundle", json={}).status_code == 403
        assert other.get("/api/health/saved?number=1").status_code == 403
    shown = owner.post("/api/health/bundle", json={"recording": True})
    assert shown.json["files"] == [{"name": "log.txt", "text": "a line\n"}]
    assert set(room.health.people) == {"Ann", "Ben"}
    saved = owner.get("/api/health/saved?number=1")
    assert (saved.data, saved.mimetype) == (b"PK", "application/zip")
    assert "beaconboard-support.zip" in saved.headers["Content-Disposition"]
    assert owner.get("/api/health/saved?number=2").status_code == 409


@pytest.mark.parametrize("body", [{"recording": 3}, {"recording": None}, {"files": ["/etc/passwd"]}, [], "x"])
def test_a_bundle_that_is_asked_for_in_another_way_is_refused(room: Room, body: Any) -> None:
    assert room.joined().post("/api/health/bundle", json=body).status_code == 400


@pytest.mark.parametrize("number", ["", "-1", "x", "99999999999999999999", "../../etc/passwd"])
def test_what_is_no_number_of_a_bundle_is_refused(room: Room, number: str) -> None:
    assert room.joined().get(f"/api/health/saved?number={number}").status_code == 400


def test_bundles_without_end_are_stopped(room: Room) -> None:
    owner = room.joined()
    answers = [owner.post("/api/health/bundle", json={}).status_code for _ in range(9)]
    assert answers == [200] * 6 + [429] * 3


def test_who_has_the_page_open_is_known(room: Room) -> None:
    owner = room.joined("192.168.1.7", "Ann")
    streams = [owner.get("/api/watch"), room.phone("192.168.1.9").get("/api/watch")]
    owner.get("/api/health")
    assert (room.health.connected.phones, room.health.connected.others) == (("Ann",), 1)
    for stream in streams:
        stream.close()
    owner.get("/api/health")
    assert (room.health.connected.phones, room.health.connected.others) == ((), 0)


# ---- figures for programs


def test_figures_are_switched_off_by_default_and_only_an_owner_switches_them_on(room: Room) -> None:
    owner, player = room.joined("192.168.1.7"), room.joined("192.168.1.8")
    answer = owner.get("/metrics")
    assert (answer.status_code, "switched off" in answer.get_data(as_text=True)) == (404, True)
    for other in (player, room.phone("192.168.1.9")):
        assert other.post("/api/settings", json={"values": {"metrics": True}}).status_code == 403


@pytest.mark.parametrize("address", INSIDE)
def test_a_program_in_the_house_reads_them_without_joining(room: Room, address: str) -> None:
    answer = asked(room, address)
    assert (answer.status_code, answer.data) == (200, b"beaconboard_pages 1.0\n")
    assert answer.content_type == "text/plain; version=0.0.4; charset=utf-8"


@pytest.mark.parametrize("address", OUTSIDE)
def test_nobody_outside_of_the_house_does(room: Room, address: str) -> None:
    assert asked(room, address).status_code == 403


@pytest.mark.parametrize("header", ["X_Forwarded_For", "Forwarded", "X_Real_IP", "Via"])
def test_nor_who_comes_through_a_proxy_that_nobody_named(room: Room, header: str) -> None:
    """Who stands behind it is not known: it may carry in the whole internet."""
    assert asked(room, "192.168.1.2", **{header: "192.168.1.66"}).status_code == 403


@pytest.mark.parametrize(
    ("origin", "status"), [("192.168.1.66", 200), ("8.8.8.8", 403), ("192.168.1.66, 8.8.8.8", 403)]
)
def test_a_proxy_that_the_settings_name_says_where_a_request_comes_from(room: Room, origin: str, status: int) -> None:
    room.health.on = True
    proxy = Client(LocalProxy().behind(room.app))
    answer = proxy.get("/metrics", headers={"X-Forwarded-For": origin}, environ_base={"REMOTE_ADDR": "127.0.0.1"})
    assert answer.status_code == status


def test_another_web_site_cannot_read_them_through_a_browser_in_the_house(room: Room) -> None:
    assert asked(room, "192.168.1.66", Host="evil.example").status_code == 421
    assert "Access-Control-Allow-Origin" not in asked(room, "192.168.1.66").headers


def test_requests_are_timed_and_those_that_are_refused_counted(room: Room) -> None:
    measured, guest = room.health.measured, room.phone()
    assert guest.get("/api/board").status_code == 200
    assert guest.post("/api/order", json={"do": "take_back"}).status_code == 403
    assert guest.get("/api/no/such/address").status_code == 404
    assert measured.counted("refused_requests") == 2
    assert measured.request.distribution().count == 2  # a stranger's order was refused before anything was done


def test_a_panel_that_knows_nothing_of_the_board_has_no_such_page() -> None:
    client = create_app(square_backend()).test_client()
    assert {client.get(path).status_code for path in ("/health", "/metrics", "/api/health")} == {404}
    assert sentence(client.get("/api/health"))


def test_the_phone_that_runs_a_check_keeps_it_for_as_long_as_its_page_is_open() -> None:
    """A check whose phone says nothing any more is another's after a while."""
    told: list[str] = []

    class Care:
        def stay(self, who: str) -> None:
            told.append(who)

    client = create_app(square_backend(), diagnostics=cast("Any", Care())).test_client()
    assert client.post("/api/care/walk/stay", json={}).status_code == 200
    assert told == ["local"]
