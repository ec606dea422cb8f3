"""A home with its board, a broker and a relay: what a phone far away needs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from playwright.sync_api import Browser, Page, expect

from controller.app.relay import MqttBridge, serve
from controller.broker import Broker
from tests.web_panel.real_backend import Real, real_panel

PATIENCE_MS = 15_000


@contextmanager
def relay_at(broker_port: int) -> Iterator[str]:
    """Run a relay; yields its address."""
    bridge = MqttBridge(Broker("127.0.0.1", broker_port))
    server = serve(bridge, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}/"
    finally:
        bridge.close()
        server.close()
        thread.join(timeout=20)


class Home(msgspec.Struct, frozen=True):
    """A home: its panel, and the page of the people there."""

    real: Real
    page: Page
    relay: str

    def invite(self, seat: int | None, name: str = "Ada") -> str:
        """Return a link, as the page *Another board* gets it."""
        answer = self.page.request.post(f"{self.real.address}api/afar/phone", data={"seat": seat, "name": name})
        assert answer.ok, answer.text()
        return str(answer.json()["link"])

    def end(self) -> None:
        """End all links to phones."""
        for link in self.page.request.get(f"{self.real.address}api/afar").json()["phones"]:
            assert self.page.request.post(f"{self.real.address}api/afar/end", data={"room": link["room"]}).ok

    def new_game(self, game: str, **options: object) -> None:
        """Begin a game, with all pieces where they belong."""
        self.order(do="new_game", game=game, options=options, seed=1)
        self.page.request.post(f"{self.real.address}api/set_up", data={})
        for seen in self.real.running.service.watch(5):
            assert seen is not None, "the board is not set up"
            if seen.table.play is not None and not seen.table.play.setting_up:
                return

    def order(self, **what: object) -> None:
        """Order something, as the people at home."""
        answer = self.page.request.post(f"{self.real.address}api/order", data=what)
        assert answer.ok, answer.text()


@contextmanager
def home_and_relay(
    browser: Browser, folder: Path, board: str, broker_port: int, relay_port: int | None = None
) -> Iterator[Home]:
    """Run a home, and a relay whose way to the broker may lead by another port."""
    page = browser.new_page()
    with (
        relay_at(relay_port or broker_port) as relay,
        real_panel(board, folder, finishes=True, broker=Broker("127.0.0.1", broker_port), relay=relay) as real,
    ):
        page.goto(real.address)
        yield Home(real, page, relay)
        page.close()


def far_page(browser: Browser, link: str) -> Page:
    """Open a link on a phone."""
    page = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True).new_page()
    page.goto(link)
    return page


def sees(page: Page, title: str) -> None:
    """Wait until the page shows the game."""
    expect(page.locator("#title")).to_contain_text(title, timeout=PATIENCE_MS)
