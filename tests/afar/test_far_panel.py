"""What a phone far away may ask of the panel: by the route that answers, however the address is written."""

from __future__ import annotations

import itertools
import logging
from typing import Any

import msgspec
import pytest
from flask import Flask

from controller.afar.phone import Call
from tests.web_panel.fake_backend import square_backend
from web_panel.app import create_app
from web_panel.people.far_phones import CHANGES, READS, SETTINGS, STILL, FarPanel
from web_panel.people.joining import WaysIn
from web_panel.people.phones import Phones

WAYS = [
    "{}", "{}?x=1", "{}?", "{}#x", "{}?x=1#y", "{}/", "{};x=1", "{}%3Fx=1", "{}%2f", "/{}", "{}/.", "{}/../board",
    "{}%00", "{}?seat=0&seat=1", "{} ", "{}\n", "{}?\n", "{}%0a", "{}é", "{}?é=\x00",
]  # fmt: skip


def shuffled(path: str) -> list[str]:
    """Return ways to write the address of ``path``, and addresses that look like it."""
    written = [way.format(path) for way in WAYS]
    encoded = "/api/" + "".join(f"%{ord(letter):02x}" for letter in path.removeprefix("/api/"))
    swapped = [path.replace("/api/", begins) for begins in ("/api//", "/api/./", "/api/x/../")]
    return [*written, encoded, encoded + "?x=1", path.upper().replace("/API/", "/api/"), *swapped, path + "x"]


@pytest.fixture(scope="module")
def app() -> Flask:
    return create_app(square_backend(), entry=WaysIn(Phones()))


@pytest.fixture
def far(app: Flask) -> FarPanel:
    return FarPanel(app, square_backend(), WaysIn(Phones()))


def asked(far: FarPanel, path: str, method: Any = "GET", body: str = "{}") -> tuple[int, Any]:
    status, answered = far.answer("", Call("0" * 16, method, path, body))
    return status, msgspec.json.decode(answered)


@pytest.mark.parametrize("path", shuffled(SETTINGS))
def test_no_way_to_write_its_address_tells_more_settings_than_colours(far: FarPanel, path: str) -> None:
    status, answered = asked(far, path)
    assert set(answered) == {"colours"} if status == 200 else {"error"}


def test_the_settings_are_there_to_be_hidden(app: Flask, far: FarPanel) -> None:
    assert len(app.test_client().get(SETTINGS).get_json()) > 1
    assert asked(far, f"{SETTINGS}?x=1")[0] == 200


def test_every_route_that_is_not_named_is_refused_however_it_is_written(app: Flask, far: FarPanel) -> None:
    rules = {(rule.rule, method) for rule in app.url_map.iter_rules() for method in rule.methods or ()}
    ours = {(rule, "GET") for rule in READS} | {(rule, "POST") for rule in CHANGES}
    for (rule, method), path in itertools.product(sorted(rules - ours), ("{}", "{}?x=1", "{}#x")):
        if method in ("GET", "POST") and rule.startswith("/api/"):
            written = path.format(rule.replace("<name>", "x").replace("<int:game_id>", "1"))
            assert asked(far, written, method)[0] == 403, (rule, method)


def test_the_routes_that_are_named_exist(app: Flask) -> None:
    whole = create_app(square_backend(), entry=WaysIn(Phones()))
    rules = {rule.rule for rule in whole.url_map.iter_rules()} | {"/api/drawings/<name>", "/api/facing"}
    assert rules.issuperset(READS | CHANGES)


@pytest.mark.parametrize("path", [path for rule in sorted(READS) for path in shuffled(rule.replace("<name>", "x"))])
def test_only_what_stands_still_tells_nothing_of_a_game(far: FarPanel, path: str) -> None:
    """Whatever counts as such is answered by such a route."""
    if far.tells_nothing(Call("0" * 16, "GET", path)):
        assert far._route(far._environ("", "GET", Call("0" * 16, "GET", path))) in STILL
        assert path.removeprefix("/").startswith(("api/board", "api/drawings", "api/%"))


def test_no_address_is_a_fault(far: FarPanel, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    odd = ["", "[", "]", "%", "%zz", "\x00", "x" * 1990, "\u202e", "😀", "\ufffe", "?" + "&" * 1900, "order?x", "\\",
           "\r\nX: y", "@b", ":80"]  # fmt: skip
    paths = [*(f"/api/{each}" for each in odd), *shuffled("/api/plies"), *shuffled("/api/order")]
    for path, method in itertools.product(paths, ("GET", "POST")):
        for body in ("", "{}", "[", "[" * 60_000, "\x00", '"\\ud800"', "\U0010ffff"):
            call = Call("0" * 16, "GET" if method == "GET" else "POST", path, body)
            far.tells_nothing(call)
            status, _ = far.answer("", call)
            assert status < 500, path
    assert not [record for record in caplog.records if record.exc_info or record.levelno >= logging.ERROR]
