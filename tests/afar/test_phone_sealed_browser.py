"""What a phone far away chooses in secret, in Chromium: sealed on its page, opened by it alone when all are sealed."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.afar.relays import PATIENCE_MS, Home, far_page, home_and_relay
from tests.web_panel.real_backend import made

pytestmark = pytest.mark.realtime


def bids(page: Page, *units: int) -> None:
    """Fill the form in and confirm."""
    for player, each in enumerate(units, 1):
        page.get_by_role("spinbutton", name=f"Player {player}").fill(str(each))
    page.get_by_role("button", name="Confirm").click()


def seated(home: Home, seat: int) -> None:
    """Let the page at home hold a seat."""
    assert home.page.request.post(f"{home.real.address}api/seat", data={"seat": seat}).ok


def test_a_bid_is_sealed_on_the_phone_and_opened_when_the_page_is_there_again(
    browser: Browser, tmp_path: Path, port: int
) -> None:
    with home_and_relay(browser, tmp_path, "shell19", port) as home:
        home.new_game("beacons", rounds=1, seed=5)
        seated(home, 0)
        link = home.invite(1)
        far = far_page(browser, link)
        expect(far.locator("#share")).to_contain_text("12 of 12 left", timeout=PATIENCE_MS)
        bids(far, 9, 3)
        expect(far.locator("#waits")).to_contain_text("Your choice is sealed. Still to choose in secret: Player 1.")
        expect(far.locator("#lines")).to_contain_text("You have sealed: bid 9 3.")
        far.reload()
        expect(far.locator("#lines")).to_contain_text("You have sealed: bid 9 3.", timeout=PATIENCE_MS)
        far.goto("about:blank")
        home.order(do="ply", text="bid 3 9", seat=0)
        assert not home.real.plies
        far.goto(link)
        made(far, 2)
        assert home.real.plies == ("bid 3 9", "bid 9 3")
