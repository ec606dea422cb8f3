"""A link to another board, opened in Chromium: from the page of the relay to one's own board, which asks first."""

from __future__ import annotations

from pathlib import Path

from flask import Flask
from playwright.sync_api import Browser, expect

from controller.afar.keys import WATCHES, GameLink, written
from controller.panel.history_backend import HistoryBackend
from tests.afar.relays import relay_at
from tests.afar.wire import LINK
from tests.web_panel.real_backend import real_panel
from web_panel.relay import create_relay

NOBODY = 1  # the port of a broker that is not there: the page needs none


def test_a_link_that_is_tapped_leads_to_the_own_board_which_asks(browser: Browser, tmp_path: Path) -> None:
    with real_panel("square144", tmp_path) as board, relay_at(NOBODY) as relay:
        page, wrong, asked = browser.new_page(), list[str](), list[str]()
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.on("request", lambda request: asked.append(request.url))
        link = written(LINK, relay)
        told = page.locator("#told")

        page.goto(link[:-1])
        expect(told).to_have_text("This link is incomplete: copy the whole link that you were sent, and open it again.")
        expect(page.get_by_role("button", name="Open it on my board")).to_be_hidden()
        page.evaluate("link => location.replace(link)", written(GameLink("[::1]", 1, True, WATCHES, LINK.key), relay))
        expect(page.get_by_text("You are invited to look on at a game.")).to_be_visible()
        page.evaluate("link => location.replace(link)", link)
        expect(page.get_by_text("You are invited to play a seat on your own board.")).to_be_visible()
        expect(told).to_be_empty()
        page.get_by_role("button", name="Copy the link").click()
        expect(page.get_by_role("status")).to_have_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()") == link

        address = page.get_by_label("Address of your board")
        expect(address).to_have_value("raspberrypi.local:8000")
        address.fill("javascript:alert(1)")
        page.get_by_role("button", name="Open it on my board").click()
        expect(told).to_contain_text("This is no address of a board")
        address.fill(board.address.removeprefix("http://"))
        page.get_by_role("button", name="Open it on my board").click()
        field = page.get_by_label("The link that you were sent")
        expect(field).to_have_value(link)
        expect(field).to_be_in_viewport()
        assert page.url == f"{board.address}afar"
        assert page.request.get(f"{board.address}api/afar").json()["links"] == []  # nothing is joined by itself
        page.get_by_role("button", name="Join this game").click()
        expect(page.locator("#links")).to_contain_text("A game at another board")

        page.goto(f"{relay}board{link.partition('/board')[2]}")
        expect(address).to_have_value(board.address.rstrip("/"))
        assert wrong == []
        assert [each for each in asked if "k=" in each.partition("#")[0]] == []  # nobody was told the key
        page.close()


def test_the_page_of_the_relay_may_load_nothing_of_others_and_tells_nobody_where_one_was(tmp_path: Path) -> None:
    class Deaf:
        def listen(self, room: str, address: str, most: int) -> None:
            return None

        def send(self, room: str, message: bytes) -> bool:
            return False

    app: Flask = create_relay(Deaf(), HistoryBackend(None, tmp_path / "no-games.sqlite3"))
    answer = app.test_client().get("/board", headers={"Accept-Language": "de"})
    assert answer.status_code == 200
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert '<html lang="de">' in answer.text
