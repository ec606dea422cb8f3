"""A phone that trusts the board goes over to https with its place at the table; one that does not stays by http."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.chromium import EXECUTABLE
from tests.https.papers_brought import Issuer, fresh_key, pem_of
from tests.https.served import BOARD, CODE, Served
from tests.web_panel.axe import complaints

PHONE: ViewportSize = {"width": 390, "height": 844}
Open = Callable[[bool], Page]


@pytest.fixture
def phone(browser: Browser, secured: Served) -> Iterator[Open]:
    """Return a function that gives a phone which finds the board by its name, and trusts it or does not."""
    key = secured.shown().public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    trusted = base64.b64encode(hashlib.sha256(key).digest()).decode()
    with ExitStack() as held:

        def opened(trusts: bool) -> Page:
            flags = ["--no-sandbox", f"--host-resolver-rules=MAP {BOARD} 127.0.0.1"]
            flags += [f"--ignore-certificate-errors-spki-list={trusted}"] if trusts else []
            own = browser.browser_type.launch(executable_path=EXECUTABLE, args=flags)
            held.callback(own.close)
            page = own.new_context(viewport=PHONE, has_touch=True).new_page()
            page.on("pageerror", lambda error: pytest.fail(str(error)))
            return page

        yield opened


def by_http(secured: Served, path: str = "/") -> str:
    return f"http://{BOARD}:{secured.server.port}{path}"


def by_https(secured: Served, path: str = "/") -> str:
    return f"https://{BOARD}:{secured.tls.port}{path}"


def join_as_owner(page: Page, secured: Served) -> None:
    page.goto(by_http(secured, "/settings"))
    joined = """async (code) => (await fetch("/api/pair/code", { method: "POST",
        headers: { "Content-Type": "application/json" }, body: JSON.stringify({ code, name: "Ann" }) })).ok"""
    assert page.evaluate(joined, CODE)


def test_a_phone_that_trusts_goes_over_with_its_place_and_is_led_there_from_then_on(
    secured: Served, phone: Open
) -> None:
    page = phone(True)
    join_as_owner(page, secured)
    assert not page.evaluate("isSecureContext")
    page.goto(by_http(secured, "/settings"))
    page.get_by_role("link", name="Secure pages").click()
    page.get_by_role("button", name="Try it").click()
    expect(page.locator("#tried")).to_have_text("This phone trusts the board.")
    page.get_by_role("button", name="Go on by https").click()
    page.wait_for_url(by_https(secured))
    assert page.evaluate("fetch('/api/backups').then((answer) => answer.status)") != 403
    (ann,) = (each for each in secured.phones.all() if each.name == "Ann")
    assert ann.owner
    page.goto(by_http(secured))
    page.wait_for_url(by_https(secured))
    secured.secure.switch_off()
    page.goto(by_http(secured))
    expect(page).to_have_url(by_http(secured))


def test_what_browsers_give_to_secure_pages_alone_is_there(secured: Served, phone: Open) -> None:
    page = phone(True)
    page.goto(by_http(secured, "/settings"))
    given = "[isSecureContext, 'serviceWorker' in navigator, 'mediaDevices' in navigator, 'wakeLock' in navigator]"
    assert page.evaluate(given) == [False] * 4
    page.goto(by_https(secured, "/settings"))
    assert page.evaluate(given) == [True] * 4
    made = "navigator.serviceWorker.register('/offline.js').then((made) => made.scope)"
    assert page.evaluate(made) == by_https(secured)
    assert page.evaluate("typeof Notification.requestPermission") == "function"
    assert page.evaluate("fetch('/static/manifest.webmanifest').then((answer) => answer.ok)")


def test_a_phone_that_does_not_trust_stays_where_it_is(secured: Served, phone: Open) -> None:
    page = phone(False)
    join_as_owner(page, secured)
    page.goto(by_http(secured, "/secure"))
    page.get_by_role("button", name="Try it").click()
    expect(page.locator("#tried")).to_contain_text("does not trust the board yet")
    expect(page.get_by_role("button", name="Go on by https")).to_be_hidden()
    page.evaluate("document.cookie = 'trusts-the-board=1; path=/'")  # as one that trusted once, and was reset
    page.goto(by_http(secured, "/#12"))
    page.wait_for_url(by_http(secured, "/#12"))
    assert "trusts" not in page.evaluate("document.cookie")
    page.goto(by_http(secured))
    expect(page).to_have_url(by_http(secured))


def test_an_owner_switches_it_on_and_off_and_brings_a_certificate(secured: Served, phone: Open, tmp_path: Path) -> None:
    secured.secure.switch_off()
    page = phone(True)
    join_as_owner(page, secured)
    page.goto(by_http(secured, "/secure"))
    page.get_by_role("button", name="Switch on with the board's own certificate").click()
    expect(page.locator("#this-phone")).to_be_visible()
    page.wait_for_load_state()  # the page is another one now, whose script is to hear of the files
    key = fresh_key()
    issuer = Issuer()
    (tmp_path / "fullchain.pem").write_text(issuer.certificate(key, (BOARD,)) + issuer.between)
    (tmp_path / "privkey.pem").write_text(pem_of(key))
    page.get_by_text("A name and a certificate of your own").click()
    page.locator("#files").set_input_files([tmp_path / "fullchain.pem"])
    expect(page.locator("#wrong")).to_contain_text("There is no key in these files")
    (tmp_path / "film.pem").write_bytes(b"\0" * 10_000_000)
    page.locator("#files").set_input_files([tmp_path / "film.pem"])
    expect(page.locator("#wrong")).to_contain_text("too large for a certificate")
    page.locator("#files").set_input_files([tmp_path / "fullchain.pem", tmp_path / "privkey.pem"])
    expect(page.get_by_text("Served with the certificate that you brought")).to_be_visible()
    page.get_by_role("button", name="Switch off").click()
    expect(page.locator("#this-phone")).to_have_count(0)
    assert secured.tls.port == 0


@pytest.mark.parametrize("language", ["en-US", "de-DE", "fr-FR"])
def test_the_page_reads_well_on_a_phone(secured: Served, browser: Browser, language: str) -> None:
    with browser.new_context(viewport=PHONE, locale=language) as context:
        page = context.new_page()
        page.goto(secured.url + "/secure")
        for each in page.locator("details").all():
            each.evaluate("details => { details.open = true; }")
        assert complaints(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
