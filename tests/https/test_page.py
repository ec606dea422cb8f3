"""The page of secure pages over the wire: who may do what, how a phone goes over, and what stays as it was by http."""

from __future__ import annotations

import plistlib
import ssl

import pytest

from controller.refused import Refused
from tests.https.served import BOARD, CODE, Served
from tests.web_panel.documented import check
from web_panel.people.hand_over import MOST, VALID_S, HandOvers
from web_panel.security import FOR_OWNERS

HERE = "http://" + BOARD


def role(served: Served, cookie: str, *, https: bool) -> int:
    """Return 200 for an owner, else 403."""
    return served.ask("/api/revoke", {"id": "nobody"}, https=https, cookie=cookie).status


def test_only_owners_change_anything(secured: Served) -> None:
    for path in ("on", "off", "bring"):
        assert f"/api/secure/{path}" in FOR_OWNERS
        assert secured.ask(f"/api/secure/{path}", {"pem": ""} if path == "bring" else {}, https=False).status == 403
    assert secured.tls.port


def test_everybody_reads_how_to_trust_and_what_is_told_is_as_documented(secured: Served) -> None:
    answer = secured.ask("/api/secure", https=False)
    document = secured.ask("/api/openapi.json", https=False).json()
    schema = document["paths"]["/api/secure"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    check(document, schema, answer.json())
    assert answer.json()["address"] == f"https://{BOARD}:{secured.tls.port}"
    page = secured.ask("/secure", https=False)
    assert page.status == 200
    print_ = answer.json()["fingerprint"]
    assert " ".join(print_[at : at + 4] for at in range(0, 64, 4)) in page.body.decode()
    assert f"connect-src 'self' https://{BOARD}:{secured.tls.port};" in page.headers["Content-Security-Policy"]
    assert "https" not in secured.ask("/", https=False).headers["Content-Security-Policy"]


def test_the_authority_comes_in_the_forms_that_devices_take(secured: Served) -> None:
    plain = secured.ask("/secure/beaconboard.crt", https=False)
    assert (plain.status, plain.headers["Content-Type"]) == (200, "application/x-x509-ca-cert")
    assert ssl.DER_cert_to_PEM_cert(plain.body) == ssl.DER_cert_to_PEM_cert(secured.secure.authority())
    profile = secured.ask("/secure/beaconboard.mobileconfig", https=False)
    assert profile.headers["Content-Type"] == "application/x-apple-aspen-config"
    told = plistlib.loads(profile.body)
    assert told["PayloadType"] == "Configuration"
    assert told["PayloadContent"][0]["PayloadType"] == "com.apple.security.root"
    assert told["PayloadContent"][0]["PayloadContent"] == plain.body


def test_before_it_is_switched_on_there_is_nothing_to_load_and_nothing_to_try(board: Served) -> None:
    assert board.ask("/secure/beaconboard.crt", https=False).status == 409
    assert board.ask("/api/secure", https=False).json()["address"] == ""
    assert board.ask("/", https=False, cookie="trusts-the-board=1").status == 200


def test_a_phone_takes_its_place_over_and_keeps_it_by_http(secured: Served) -> None:
    cookie = secured.joined()
    assert role(secured, cookie, https=True) == 403  # the cookie by http is none by https
    word = secured.ask("/api/secure/over", {}, https=False, cookie=cookie).json()["word"]
    arrived = secured.ask("/api/secure/arrive", {"word": word})
    fresh = arrived.headers["Set-Cookie"]
    assert fresh.startswith("__Host-beaconboard=")
    assert all(part in fresh for part in ("; Secure", "; HttpOnly", "; SameSite=Strict", "; Path=/"))
    taken = fresh.partition(";")[0]
    assert role(secured, taken, https=True) == 409  # an owner, and nobody has that id
    assert role(secured, taken, https=False) == 403
    assert role(secured, cookie, https=False) == 409
    assert len(secured.phones.everybody()) == 2  # this phone, and the computer's own browser


def test_a_way_over_is_open_once(secured: Served) -> None:
    cookie = secured.joined()
    word = secured.ask("/api/secure/over", {}, https=False, cookie=cookie).json()["word"]
    assert secured.ask("/api/secure/arrive", {"word": word}, https=False).status == 409
    assert secured.ask("/api/secure/arrive", {"word": word}).status == 200
    again = secured.ask("/api/secure/arrive", {"word": word})
    assert (again.status, again.headers["Set-Cookie"]) == (409, None)
    assert secured.ask("/api/secure/over", {}, https=False).status == 403  # a guest has nothing to take along


def test_a_phone_that_was_sent_away_cannot_come_over_any_more(secured: Served) -> None:
    cookie = secured.joined()
    word = secured.ask("/api/secure/over", {}, https=False, cookie=cookie).json()["word"]
    (phone,) = (phone for phone in secured.phones.all() if phone.id != "local")
    secured.phones.revoke(phone.id)
    assert secured.ask("/api/secure/arrive", {"word": word}).status == 409


def test_whoever_is_sent_away_is_so_by_both_ways(secured: Served) -> None:
    cookie = secured.joined()
    word = secured.ask("/api/secure/over", {}, https=False, cookie=cookie).json()["word"]
    taken = secured.ask("/api/secure/arrive", {"word": word}).headers["Set-Cookie"].partition(";")[0]
    (phone,) = (phone for phone in secured.phones.all() if phone.id != "local")
    secured.phones.revoke(phone.id)
    assert role(secured, taken, https=True) == role(secured, cookie, https=False) == 403


def test_a_phone_joins_by_https_and_leaves(secured: Served) -> None:
    cookie = secured.joined(https=True)
    assert cookie.startswith("__Host-beaconboard=")
    gone = secured.ask("/api/leave", {}, cookie=cookie).headers["Set-Cookie"]
    assert gone.startswith("__Host-beaconboard=;")
    assert "; Secure" in gone
    assert role(secured, cookie, https=True) == 403


def test_words_are_for_one_minute_one_address_and_one_phone() -> None:
    now_s = 0.0
    ways = HandOvers(lambda: now_s)
    first, second = ways.give("a", "10.0.0.5"), ways.give("a", "10.0.0.5")
    for word, address in ((first, "10.0.0.5"), (second, "10.0.0.6"), (second, "10.0.0.5"), ("", "10.0.0.5")):
        with pytest.raises(Refused, match="not open any more"):
            ways.take(word, address)  # the second was used up by the wrong address
    third = ways.give("a", "10.0.0.5")
    now_s = VALID_S
    with pytest.raises(Refused):
        ways.take(third, "10.0.0.5")
    for number in range(3 * MOST):
        ways.give(f"{number}", "10.0.0.5")
    assert len(ways._given) == MOST


@pytest.mark.parametrize(
    ("origin", "told"),
    [
        (HERE, True), (f"{HERE}:8000", True), ("http://192.168.1.7:8000", True), ("https://evil.example", False),
        ("null", False), ("http://[", False), ("http://8.8.8.8", False), ("http://", False),
    ],
)  # fmt: skip
def test_pages_of_the_board_alone_may_ask_whether_a_phone_trusts_it(secured: Served, origin: str, told: bool) -> None:
    answer = secured.ask("/api/secure/here", Origin=origin)
    assert answer.status == 200
    assert answer.headers["Access-Control-Allow-Origin"] == (origin if told else None)
    assert answer.headers["Access-Control-Allow-Credentials"] is None
    assert secured.ask("/api/secure/here", https=False, Origin=origin).headers["Access-Control-Allow-Origin"] is None


def test_a_page_by_http_may_have_been_changed_and_orders_nothing_by_https(secured: Served) -> None:
    cookie = secured.joined(https=True)
    for origin, status in ((f"https://{BOARD}:{secured.tls.port}", 200), (f"http://{BOARD}:{secured.tls.port}", 403)):
        answer = secured.ask("/api/order", {"do": "take_back"}, cookie=cookie, Origin=origin)
        assert answer.status == status
    assert secured.ask("/api/order", {"do": "take_back"}, cookie=cookie, site="cross-site").status == 403


def test_a_phone_that_trusts_is_led_on_from_the_panel_and_from_nothing_else(secured: Served) -> None:
    trusts = "trusts-the-board=1"
    led = secured.ask("/", https=False, cookie=trusts)
    assert (led.status, led.headers["Location"], led.headers["Cache-Control"]) == (302, "/secure/over", "no-store")
    for path in ("/secure", "/settings", "/api/board"):
        assert secured.ask(path, https=False, cookie=trusts).status == 200
    assert secured.ask("/", cookie=trusts).status == 200
    secured.secure.switch_off()
    assert secured.ask("/", https=False, cookie=trusts).status == 200


def test_addresses_to_be_scanned_stay_those_by_http(secured: Served) -> None:
    for path in ("/join", "/join.svg"):
        assert secured.ask(path).status == 200
    assert f'<code class="address">{secured.url}</code>' in secured.ask("/join").body.decode()
    assert "https://" not in secured.ask("/join").body.decode()


@pytest.mark.slow
def test_an_owner_switches_it_on_off_and_anew_from_the_page(board: Served) -> None:
    cookie = board.joined()
    assert board.ask("/api/secure/on", {}, https=False, cookie=cookie).status == 200
    first = board.ask("/api/secure", https=False).json()["fingerprint"]
    assert board.ask("/api/secure/on", {"anew": True}, https=False, cookie=cookie).status == 200
    assert board.ask("/api/secure", https=False).json()["fingerprint"] != first
    own = board.ask("/api/pair/code", {"code": CODE}).headers["Set-Cookie"].partition(";")[0]
    assert board.ask("/api/secure/off", {}, cookie=own).status == 200  # it is answered before it is gone
    board.secure.look()
    assert board.tls.port == 0
    assert not board.ask("/api/secure", https=False).json()["on"]
