"""The thread that sends notices, and the addresses at which browsers ask for them."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient

from controller.app.run import _entry, own_hosts
from controller.notices.due import TableSight
from controller.notices.letters import Became, Done, Job, Keys
from controller.notices.notices import BoardForNotices, Notices
from controller.notices.subscriptions import Subscriptions
from controller.refused import Refused
from controller.sentences import say
from controller.settings import BadSetting, Settings, checked
from tests.notices.push_service import Browser, PushService
from tests.waiting import until
from tests.web_panel.fake_backend import square_backend
from web_panel.app import create_app
from web_panel.people.joining import COOKIE, WaysIn
from web_panel.people.phones import Phones, new_secret
from web_panel.people.profiles import Profiles

pytestmark = pytest.mark.realtime  # a push service, and the process that writes to it

GRACE_S = 0.1
TURN = TableSight(5, 1, "Tides of War", 1, 3, "White", ready=True, afar=True)


class Table:
    """A table with a phone far away, "ada", that holds seat 1; a word in another language is its English, marked."""

    def __init__(self) -> None:
        self.sights: queue.Queue[TableSight | None] = queue.Queue()
        self.held = {"ada": (1,)}

    def watch(self, quiet_s: float) -> Iterator[TableSight | None]:
        while True:
            try:
                yield self.sights.get(timeout=0.02)
            except queue.Empty:
                yield None

    @property
    def around(self) -> BoardForNotices:
        return BoardForNotices(
            self.watch, lambda: self.held, lambda text, code: f"{code}: {text}", "https://board.example"
        )


class Slow:
    """Sends nothing until it is let go on."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []
        self.go_on, self.closed = threading.Event(), False

    def do(self, job: Job) -> Done | None:
        self.jobs.append(job)
        self.go_on.wait(10)
        return Done(became=(Became("sent"),) * len(job.letters))

    def keys(self) -> Keys:
        return Keys("number", "point")

    def close(self) -> None:
        self.closed = True


def wants(notices: Notices, browser: Browser, phone: str = "ada", language: str = "de") -> bool:
    told = browser.subscription
    return notices.subscribe(phone, language, told["endpoint"], told["keys"]["p256dh"], told["keys"]["auth"])


def test_what_a_push_service_says_is_heeded(
    tmp_path: Path, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.notices.due.AGAIN_S", 0.2)
    table = Table()
    notices = Notices(table.around, tmp_path / "notices.json", grace_s=GRACE_S)
    key, why = notices.offer()
    assert why == ""
    busy, gone = service.browser(key), service.browser(key)
    busy.status, gone.status = 429, 410
    assert wants(notices, busy)
    assert wants(notices, gone, language="fr")
    table.sights.put(TURN)
    until(lambda: len(busy.read) >= 2)
    busy.status = 201
    before = len(busy.read)
    until(lambda: len(busy.read) > before)
    time.sleep(2)
    assert busy.read == [{"title": "de: Your turn", "body": "de: Tides of War: White has moved."}] * len(busy.read)
    assert len(busy.read) <= before + 2
    assert [each["title"] for each in gone.read] == ["fr: Your turn"]
    assert [each.endpoint for each in Subscriptions(tmp_path / "notices.json").all] == [busy.endpoint]
    notices.stop()


def test_nobody_waits_for_a_push_service_that_hangs(tmp_path: Path, service: PushService) -> None:
    table, slow = Table(), Slow()
    notices = Notices(table.around, tmp_path / "notices.json", slow, grace_s=GRACE_S)
    browser = service.browser("point")
    assert wants(notices, browser)
    table.sights.put(TURN)
    until(lambda: slow.jobs)
    began_s = time.monotonic()
    assert notices.offer() == ("point", "")
    assert wants(notices, service.browser("point"))
    notices.seen("ada", 6)
    notices.forget("ada", browser.endpoint)
    notices.stop()
    assert time.monotonic() - began_s < 1
    assert slow.closed
    slow.go_on.set()


def test_who_moved_is_left_out_where_that_is_not_for_everybody(tmp_path: Path, service: PushService) -> None:
    table, slow = Table(), Slow()
    slow.go_on.set()
    notices = Notices(table.around, tmp_path / "notices.json", slow, grace_s=0)
    assert wants(notices, service.browser("point"))
    table.sights.put(msgspec.structs.replace(TURN, mover=""))
    until(lambda: slow.jobs)
    assert json.loads(slow.jobs[0].letters[0].text) == {"title": "de: Your turn", "body": "de: Tides of War"}


def test_a_phone_without_a_seat_is_not_kept_and_nothing_runs_for_it(tmp_path: Path, service: PushService) -> None:
    table = Table()
    threads = threading.active_count()
    notices = Notices(table.around, tmp_path / "notices.json", Slow())
    notices.start()
    assert not wants(notices, service.browser("point"), "bo")
    assert threading.active_count() == threads
    without = Notices(table.around, tmp_path / "notices.json", Slow(), lacks=lambda: say("It is not there."))
    assert without.offer() == ("", "It is not there.")
    with pytest.raises(Refused, match="It is not there"):
        wants(without, service.browser("point"))
    assert not (tmp_path / "notices.json").exists()


# ---- the addresses


class NotingAccess:
    """A `web_panel.pages.notices.NoticesAccess` that notes what it is asked."""

    def __init__(self) -> None:
        self.did: list[tuple[Any, ...]] = []

    def offer(self) -> tuple[str, str]:
        return "point", ""

    def subscribe(self, *what: str) -> bool:
        self.did.append(what)
        return True

    def forget(self, *what: str) -> None:
        self.did.append(what)

    def seen(self, *what: object) -> None:
        self.did.append(what)


@pytest.fixture
def asked() -> NotingAccess:
    return NotingAccess()


@pytest.fixture
def client(asked: NotingAccess) -> FlaskClient:
    """A phone at the table; `COOKIE` is what it shows."""
    phones, secret = Phones(), new_secret()
    phones.admit(phones.ask(secret, "Ada"))
    client = create_app(square_backend(), entry=WaysIn(phones), notices=asked).test_client()
    client.set_cookie(COOKIE, secret)
    return client


def test_a_phone_acts_for_itself_and_in_its_language(asked: NotingAccess, client: FlaskClient) -> None:
    told = Browser("https://push.example", "1", "point").subscription
    assert client.get("/api/notices").json == {"key": "point", "why": ""}
    headers = {"Accept-Language": "fr"}
    assert client.post("/api/notices", json={**told, "p": 1}, headers=headers).json == {"kept": True}
    assert client.post("/api/notices/seen", json={"version": 7}).status_code == 200
    assert client.post("/api/notices/stop", json={"endpoint": told["endpoint"]}).status_code == 200
    (subscribed, seen, stopped) = asked.did
    id = subscribed[0]
    assert subscribed == (id, "fr", told["endpoint"], told["keys"]["p256dh"], told["keys"]["auth"])
    assert (seen, stopped) == ((id, 7), (id, told["endpoint"]))


@pytest.mark.parametrize(
    "endpoint",
    ["http://push.example/1", "https://", "https:///1", "https://a@push.example/1", "https://push.example", "file:///x",
     "https://push.example/ x", "https://push.example/\n", "https://[::1]/1", f"https://push.example/{'x' * 1000}"],
)  # fmt: skip
def test_a_browser_is_written_to_by_https_alone(asked: NotingAccess, client: FlaskClient, endpoint: str) -> None:
    told = {**Browser("https://push.example", "1", "point").subscription, "endpoint": endpoint}
    answer = client.post("/api/notices", json=told)
    assert (answer.status_code, asked.did) == (400, [])
    assert "endpoint" in answer.json["error"]


@pytest.mark.parametrize("keys", [{}, {"p256dh": "x", "auth": "y"}, {"p256dh": "A" * 87, "auth": "A" * 22}, None, "x"])
def test_keys_that_cannot_be_any_are_refused(asked: NotingAccess, client: FlaskClient, keys: object) -> None:
    told = {**Browser("https://push.example", "1", "point").subscription, "keys": keys}
    assert client.post("/api/notices", json=told).status_code == 400
    assert asked.did == []


def test_a_guest_gets_none(asked: NotingAccess, client: FlaskClient) -> None:
    client.delete_cookie(COOKIE)
    told = Browser("https://push.example", "1", "point").subscription
    assert client.get("/api/notices").status_code == 403
    for path, body in (("", told), ("/seen", {"version": 1}), ("/stop", {"endpoint": told["endpoint"]})):
        assert client.post(f"/api/notices{path}", json=body).status_code == 403
    assert asked.did == []


def test_the_panel_answers_to_the_name_that_a_proxy_serves() -> None:
    def status(host: str) -> int:
        return app.get("/api/board", headers={"Host": host, "X-Forwarded-For": "203.0.113.5"}).status_code

    app = create_app(square_backend(), own_hosts(Settings(panel_address="https://Board.example:8443/"))).test_client()
    assert (status("board.example:8443"), status("board.example"), status("other.example")) == (200, 200, 421)
    asked = {"Host": "board.example:8443", "X-Forwarded-For": "203.0.113.5"}
    refused = app.post("/api/order", json={"do": "undo"}, headers={**asked, "Origin": "https://board.example:8443"})
    assert "Join first" in refused.json["error"]  # so it was not taken for another web site's
    stranger = app.post("/api/order", json={"do": "undo"}, headers={**asked, "Origin": "https://evil.example"})
    assert "another web site" in stranger.json["error"]
    app = create_app(square_backend(), own_hosts(Settings())).test_client()
    assert status("board.example") == 421


def test_where_a_proxy_lets_others_in_nobody_is_the_owner_unasked() -> None:
    """Also where the proxy does not say that it is one."""
    proxied = Settings(panel_address="https://board.example")
    for settings, status in ((Settings(), 200), (Settings(host="0.0.0.0"), 403), (proxied, 403)):
        entry = _entry(settings, Phones(), Profiles(), tuple)
        client = create_app(square_backend(), own_hosts(settings), entry=entry).test_client()
        assert client.get("/api/notices").status_code == status
    assert entry.addresses() == ("https://board.example",)


@pytest.mark.parametrize("address", ["http://board.example", "board.example", "https://", "https://a/b", "https://a b"])
def test_the_address_of_a_proxy_is_one_by_https(address: str) -> None:
    with pytest.raises(BadSetting, match="an address such as https:"):
        checked({"panel_address": address}, "settings.toml")
