"""Notices from the press of a button in Chromium to what the browser's own push service is sent, and what its worker
does with that.

A browser without a window grants no notices and reaches no push service; both are stood in for, and nothing else.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import BrowserContext, Page, Worker, expect

from tests.afar.relays import PATIENCE_MS, Home, far_page, home_and_relay, sees
from tests.notices.push_service import Browser, PushService
from tests.waiting import until

GRANTS = """
    const asked = () => JSON.parse(localStorage.getItem("asked") ?? "false");
    window.Notification = {
        get permission() { return asked() ? "granted" : "default"; },
        requestPermission: async () => (localStorage.setItem("asked", "true"), "granted"),
    };
"""
SUBSCRIBES = """
    const told = %s;
    const bytes = (text) => {
        const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
        return Uint8Array.from(letters, (each) => each.charCodeAt(0)).buffer;
    };
    const kept = () => localStorage.getItem("subscribed");
    const made = () => ({
        toJSON: () => told, endpoint: told.endpoint, options: { applicationServerKey: bytes(kept()) },
        unsubscribe: async () => localStorage.removeItem("subscribed"),
    });
    PushManager.prototype.getSubscription = async () => (kept() ? made() : null);
    PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
        if (!userVisibleOnly) throw new DOMException("", "NotAllowedError");
        localStorage.setItem("subscribed", applicationServerKey);
        return made();
    };
"""
ASKS = """async ([path, body]) => {
    const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body });
    return answer.status;
}"""


@pytest.fixture
def home(browser: Chromium, tmp_path: Path, port: int) -> Iterator[Home]:
    """A board at which Tides of War is played, and its relay."""
    with home_and_relay(browser, tmp_path, "square144", port) as home:
        home.new_game("tides-of-war")
        yield home


def key_of(home: Home) -> str:
    """Return the key with which browsers subscribe to what that board sends."""
    return str(home.page.request.get(f"{home.real.address}api/notices").json()["key"])


def kept(folder: Path) -> list[dict[str, Any]]:
    """Return the browsers that the board has kept."""
    return list(json.loads((folder / "games.sqlite3.notices.json").read_bytes()).get("subscriptions", []))


def phone_of(chromium: Chromium, behind: Browser, language: str = "de-DE") -> BrowserContext:
    """Return a phone whose browser is known to the push service."""
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, locale=language)
    context.add_init_script(GRANTS)
    context.add_init_script(SUBSCRIBES % json.dumps(behind.subscription))
    return context


def tell(page: Page, path: str, **what: object) -> None:
    """Order something as the page does."""
    assert page.evaluate(ASKS, [path, json.dumps(what)]) == 200


def wants_notices(page: Page, menu: str, press: str, says: str) -> None:
    page.get_by_role("button", name=menu).click()
    page.get_by_role("button", name=press).click()
    expect(page.locator("#notices .says")).to_have_text(says)


def test_a_phone_far_away_is_told_in_its_language_while_its_page_is_closed(
    browser: Chromium, tmp_path: Path, home: Home, service: PushService
) -> None:
    behind = service.browser(key_of(home))
    context, link = phone_of(browser, behind), home.invite(1)
    far = context.new_page()
    far.goto(link)
    sees(far, "Tides of War")
    assert context.service_workers == []  # nothing before a press
    wants_notices(far, "Menü", "Meldungen auf diesem Gerät",
                  "Dieses Gerät meldet, wann du am Zug bist, auch wenn die Seite geschlossen ist.")  # fmt: skip
    far.locator("#notices").scroll_into_view_if_needed()
    far.screenshot(path=tmp_path / "menu.png")
    assert [each["endpoint"] for each in kept(tmp_path)] == [behind.endpoint]
    far.keyboard.press("Escape")
    home.order(do="ply", text="c3-c4")  # it is looked at
    expect(far.locator("#plies")).to_contain_text("c3-c4", timeout=PATIENCE_MS)
    expect(far).to_have_title(re.compile("Du bist am Zug"))
    far.wait_for_timeout(7000)
    assert behind.read == []
    tell(far, "/api/order", do="ply", text="c6-b5")
    expect(far.locator("#plies")).to_contain_text("c6-b5", timeout=PATIENCE_MS)
    home.page.request.post(f"{home.real.address}api/set_up", data={})
    far.close()
    home.order(do="ply", text="b3-c3")
    until(lambda: behind.read)
    assert behind.read == [{"title": "Du bist am Zug", "body": "Tides of War: Weiß hat gezogen."}]
    time.sleep(3)
    assert len(behind.read) == 1
    home.end()
    until(lambda: not kept(tmp_path))
    context.close()


def test_a_phone_at_the_board_is_told_of_a_move_from_far_away(
    browser: Chromium, tmp_path: Path, home: Home, service: PushService
) -> None:
    behind = service.browser(key_of(home))
    context = phone_of(browser, behind, "en-GB")
    here = context.new_page()
    here.goto(f"{home.real.address}afar")
    here.get_by_role("button", name="Notices on this device").click()
    expect(here.locator("#notices .note")).to_have_text(
        "Notices come to the phone that holds a seat: take one under People."
    )
    tell(here, "/api/seat", seat=0)
    far = far_page(browser, home.invite(1))
    sees(far, "Tides of War")
    here.goto(home.real.address)  # which makes this browser known, now that it holds a seat
    until(lambda: kept(tmp_path))
    home.order(do="ply", text="c3-c4")
    expect(far.locator("#plies")).to_contain_text("c3-c4", timeout=PATIENCE_MS)
    here.goto("about:blank")
    home.page.request.post(f"{home.real.address}api/set_up", data={})
    tell(far, "/api/order", do="ply", text="c6-b5")
    until(lambda: behind.read)
    assert behind.read == [{"title": "Your turn", "body": "Tides of War: Black has moved."}]
    here.goto(f"{home.real.address}afar")
    expect(here.locator("#notices .says")).to_have_text(
        "This device tells you when it is your turn, also while the page is closed."
    )
    here.screenshot(path=tmp_path / "afar.png", full_page=True)
    here.get_by_role("button", name="No notices").click()
    until(lambda: not kept(tmp_path))
    far.context.close()
    context.close()


def test_a_board_that_can_send_none_says_why(
    browser: Chromium, tmp_path: Path, home: Home, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.notices.post.NEEDS", "no_such_library")
    context = phone_of(browser, service.browser("none"), "en-GB")
    far = context.new_page()
    far.goto(home.invite(1))
    sees(far, "Tides of War")
    says = "This device tells you when it is your turn, as long as the page of the board is open."
    wants_notices(far, "Menu", "Notices on this device", says)
    expect(far.locator("#notices .note")).to_have_text(
        "The board was installed without what sends notices: whoever looks after it installs the extra 'push'."
    )
    assert not (tmp_path / "games.sqlite3.notices.json").exists()
    context.close()


def test_the_table_goes_on_while_a_push_service_hangs(home: Home, service: PushService) -> None:
    behind = service.browser(key_of(home))
    behind.hangs = True
    tell(home.page, "/api/seat", seat=0)
    home.invite(1)
    tell(home.page, "/api/notices", **behind.subscription)
    until(lambda: behind.read)
    began_s = time.monotonic()
    home.order(do="ply", text="c3-c4")
    assert time.monotonic() - began_s < 1
    assert home.real.plies == ("c3-c4",)


WATCHES = """() => {
    self.shown = [];
    self.opened = [];
    ServiceWorkerRegistration.prototype.showNotification = async (...what) => void self.shown.push(what);
    WindowClient.prototype.focus = async function () { self.opened.push(`focus ${this.url}`); };
    Clients.prototype.openWindow = async (url) => void self.opened.push(`open ${url}`);
}"""
TAPPED = """async () => {
    const event = new Event("notificationclick");
    let done;
    const notification = { close: () => self.opened.push("close") };
    Object.assign(event, { notification, waitUntil: (what) => (done = what) });
    dispatchEvent(event);
    await done;
    return self.opened.splice(0);
}"""


def pushed(page: Page, worker: Worker, data: str) -> list[Any]:
    """Let a message come from the push service, as the browser hands it to the worker; returns what that shows."""
    session = page.context.new_cdp_session(page)
    found: list[dict[str, Any]] = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda told: found.extend(told["registrations"]))
    session.send("ServiceWorker.enable")
    until(lambda: page.wait_for_timeout(50) or found)
    scope = worker.evaluate("registration.scope")
    number = next(each["registrationId"] for each in found if each["scopeURL"] == scope)
    origin = worker.evaluate("location.origin")
    session.send("ServiceWorker.deliverPushMessage", {"origin": origin, "registrationId": number, "data": data})
    until(lambda: page.wait_for_timeout(50) or worker.evaluate("self.shown.length"))
    session.detach()
    return list(worker.evaluate("self.shown.splice(0)"))


def test_the_worker_shows_what_comes_and_a_tap_opens_the_page_with_its_key(
    browser: Chromium, tmp_path: Path, home: Home, service: PushService
) -> None:
    context, link = phone_of(browser, service.browser(key_of(home)), "en-GB"), home.invite(1)
    far = context.new_page()
    far.goto(link)
    sees(far, "Tides of War")
    wants_notices(far, "Menu", "Notices on this device",
                  "This device tells you when it is your turn, also while the page is closed.")  # fmt: skip
    (worker,) = context.service_workers
    scope = worker.evaluate("registration.scope")
    worker.evaluate(WATCHES)
    told = {"title": "Your turn", "body": "Tides of War: White has moved."}
    assert pushed(far, worker, json.dumps(told).ljust(512)) == [
        [told["title"], {"body": told["body"], "tag": f"turn {scope}", "icon": "/static/icon-192.png"}]
    ]
    assert pushed(far, worker, "no JSON")[0][0] == "Beaconboard"
    assert worker.evaluate(TAPPED) == ["close", f"focus {link}"]
    other = context.new_page()
    other.goto(f"{home.relay}rules")
    far.close()
    assert worker.evaluate(TAPPED) == ["close", f"open {link}"]
    other.goto(link)
    sees(other, "Tides of War")
    other.get_by_role("button", name="Menu").click()
    other.get_by_role("button", name="No notices").click()
    expect(other.get_by_role("button", name="Notices on this device")).to_be_visible()
    until(lambda: other.wait_for_timeout(50) or not kept(tmp_path))
    other.close()
    context.close()
