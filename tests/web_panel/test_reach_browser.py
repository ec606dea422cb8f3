"""The three steps on the page: let phones in, scan, and the page says by itself that one has come."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.web_panel.fake_backend import STREAMS, FakeReach, square_backend
from tests.web_panel.real_table import eventually
from web_panel.app import create_app
from web_panel.people.joining import WaysIn
from web_panel.people.phones import Phones
from web_panel.serve import listen


@pytest.fixture
def opened() -> Iterator[tuple[str, FakeReach, WaysIn]]:
    """Return a panel's page of people, with who can reach it and its ways in."""
    backend, reach = square_backend(), FakeReach()
    entry = WaysIn(Phones(), local=True, addresses=lambda: ("http://192.168.1.20:8000",) if reach.open else ())
    server = listen(create_app(backend, entry=entry, reach=reach, streams=STREAMS), "127.0.0.1", 0, streams=STREAMS)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.port}/join", reach, entry
    backend.close()
    server.close()
    thread.join(timeout=20)


def test_phones_are_let_in_and_the_page_says_when_one_has_come(
    opened: tuple[str, FakeReach, WaysIn], pages: Callable[..., Page]
) -> None:
    (url, reach, entry), page = opened, pages()
    page.clock.install()
    page.goto(url)
    expect(page.locator("#steps h3")).to_have_count(3)
    expect(page.locator("#qr")).to_have_count(0)
    page.get_by_role("button", name="Let phones in").click()
    expect(page.locator("#reach-told")).to_have_text("The board starts again: one moment.")
    page.clock.fast_forward(21_000)
    expect(page.locator("#reach-told")).to_contain_text("start Beaconboard again on this computer")
    reach.started()
    expect(page.locator("#qr")).to_be_visible()  # by itself
    expect(page.locator("#arrived")).to_have_text("Now scan it with a phone: this page says when one has come.")
    page.clock.fast_forward(31_000)
    expect(page.locator("#arrived")).to_contain_text("A firewall on this computer may also keep it out.")
    entry.others.note("192.168.1.9")
    expect(page.locator("#arrived")).to_have_text("It works: another device has opened the panel.")
    page.get_by_role("button", name="Only this computer").click()
    expect(page.locator("#reach-told")).to_have_text("The board starts again: one moment.")
    assert reach.chosen == [True, False]


GIVE = """async (more = {}) => {
  const { give } = await import("/static/common/link.js");
  const said = document.createElement("p");
  said.id = "given";
  document.querySelector("main").append(said);
  await give(said, { url: `${location.origin}/history/7`, title: "Cyvasse", ...more });
}"""


def test_a_link_is_given_as_others_reach_it_and_where_nobody_does_they_are_let_in_first(
    opened: tuple[str, FakeReach, WaysIn], pages: Callable[..., Page]
) -> None:
    (url, reach, _), page = opened, pages()
    page.goto(url)
    page.evaluate(GIVE)
    expect(page.locator("#given").last).to_contain_text("Only this device can open the board at the moment: others")
    page.locator("#given + .given button").click()
    expect(page.locator("#given").last).to_have_text("The board starts again: one moment.")
    reach.started()
    expect(page.locator("#given").last).to_contain_text("http://192.168.1.20:8000/history/7")
    expect(page.locator("#given + .given button")).to_have_text("Copy")
    page.evaluate(GIVE)  # phones are let in by now
    expect(page.locator("#given").last).to_contain_text("http://192.168.1.20:8000/history/7")


def test_what_can_be_read_without_the_link_is_shared_also_where_nobody_could_open_that(
    opened: tuple[str, FakeReach, WaysIn], pages: Callable[..., Page]
) -> None:
    (url, reach, _), page = opened, pages()
    page.goto(url)
    page.evaluate("""() => { window.copied = [];
      window.matchMedia = () => ({ matches: true });
      Object.defineProperty(navigator, "share", { value: undefined, configurable: true });
      Object.defineProperty(navigator, "clipboard", { configurable: true,
        value: { writeText: async (text) => void copied.push(text) } }); }""")
    page.evaluate(GIVE, {"text": "Cyvasse: White wins."})
    said = page.locator("#given").last
    expect(said).to_have_text("Copied without the link: only this device can open the board at the moment.")
    assert page.evaluate("copied") == ["Cyvasse: White wins."]
    page.evaluate("""() => { Object.defineProperty(navigator, "share", { configurable: true,
      value: async (what) => void copied.push(what) }); }""")
    page.evaluate(GIVE, {"text": "Cyvasse: White wins."})
    said = page.locator("#given").last
    expect(said).to_have_text("Shared without the link: only this device can open the board at the moment.")
    assert page.evaluate("copied")[1:] == [{"title": "Cyvasse", "text": "Cyvasse: White wins."}]
    page.locator("#given + .given button", has_text="Let phones in").last.click()
    expect(said).to_have_text("The board starts again: one moment.")
    reach.started()
    eventually(page, "copied.length > 2")
    assert page.evaluate("copied")[2]["url"] == "http://192.168.1.20:8000/history/7"
