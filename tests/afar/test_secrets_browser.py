"""The secret part of a game between two boards on two phones: a form for bids, arrays put down on the picture."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from controller.broker import Broker
from controller.orders import NewGame
from tests.web_panel.real_backend import real_panel


def tell(page: Page, path: str, **what: Any) -> Any:
    return page.evaluate(
        """async ([path, what]) => (await fetch(path, {method: "POST", headers: {"Content-Type": "application/json"},
            body: JSON.stringify(what)})).json()""",
        [path, what],
    )


@contextmanager
def two_phones(
    browser: Browser, folder: Path, port: int, board: str, new: NewGame, waits: str = "All choose in secret"
) -> Iterator[tuple[Page, Page]]:
    """Yield a phone at home, which plays the first seat, and one at the other board, which plays the second."""
    for name in ("home", "far"):
        (folder / name).mkdir()
    with (
        real_panel(board, folder / "home", finishes=True, broker=Broker("127.0.0.1", port)) as home,
        real_panel(board, folder / "far", finishes=True) as far,
    ):
        here, there = (browser.new_context(viewport={"width": 390, "height": 844}).new_page() for _ in range(2))
        here.goto(home.address)
        home.running.service.submit(new)
        tell(here, "/api/hand/set_up")
        link = tell(here, "/api/afar/invite", seat=1)["link"]
        there.goto(far.address)
        tell(there, "/api/afar/join", link=link)
        expect(there.locator("#waits")).to_contain_text(waits, timeout=15_000)
        tell(here, "/api/seat", seat=0)
        tell(there, "/api/seat", seat=1)
        yield here, there
        for page in (here, there):
            page.context.close()


def test_bids_are_sealed_on_both_phones_and_shown_together(browser: Browser, tmp_path: Path, port: int) -> None:
    with two_phones(browser, tmp_path, port, "shell19", NewGame(game="beacons", seed=1)) as (here, there):
        there.get_by_role("spinbutton", name="Player 1").fill("5")
        there.get_by_role("spinbutton", name="You").fill("7")
        there.screenshot(path=tmp_path / "form.png")
        there.get_by_role("button", name="Confirm").click()
        expect(there.locator("#waits")).to_contain_text("Your choice is sealed. Still to choose in secret: Player 1.")
        expect(there.locator("#share")).to_be_hidden()
        expect(there.locator("body")).to_contain_text("You have sealed: bid 5 for Player 1, 7 for Player 2")
        there.screenshot(path=tmp_path / "sealed.png")
        expect(here.locator("#waits")).to_contain_text("Still to choose: Player 1.", timeout=15_000)
        here.screenshot(path=tmp_path / "home.png")
        here.get_by_role("button", name="Equally").click()
        here.get_by_role("button", name="Confirm").click()
        expect(there.locator("#plies")).to_contain_text("Bid 5 for Player 1, 7 for Player 2", timeout=15_000)
        expect(here.locator("#plies")).to_contain_text("Bid 6 for Player 1, 6 for Player 2", timeout=15_000)
        for page in (here, there):
            expect(page.locator("#waits")).not_to_contain_text("in secret")
        there.screenshot(path=tmp_path / "opened.png")


def test_arrays_are_sealed_on_both_phones_and_shown_together(browser: Browser, tmp_path: Path, port: int) -> None:
    new = NewGame(game="cyvasse", options={"setup": "secret"}, seed=1)
    with two_phones(browser, tmp_path, port, "hex91", new) as (here, there):
        there.get_by_role("button", name="Wall").click()
        there.get_by_role("button", name="Ready").click()
        expect(there.locator("#waits")).to_contain_text("Your choice is sealed. Still to choose in secret: White.")
        expect(there.locator("#arrange")).to_have_count(0)
        there.screenshot(path=tmp_path / "sealed.png")
        expect(here.locator("#waits")).to_contain_text("Still to choose: White.", timeout=15_000)
        here.get_by_role("button", name="Standard").click()
        here.screenshot(path=tmp_path / "home.png")
        here.get_by_role("button", name="Ready").click()
        expect(here.locator("#plies")).to_contain_text("King on h2", timeout=15_000)
        expect(there.locator("#plies")).to_contain_text("King on e10", timeout=15_000)
        for page in (here, there):
            expect(page.locator("#waits")).not_to_contain_text("in secret")
        there.screenshot(path=tmp_path / "opened.png")
