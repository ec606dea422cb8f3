"""Two panels in Chromium: one invites, the other joins, and each plays its seat."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from controller.broker import Broker
from tests.web_panel.real_backend import begin, real_panel

TIDES = "Tides of War"


def order(page: Page, text: str) -> None:
    page.evaluate(
        """text => fetch("/api/order", {method: "POST", headers: {"Content-Type": "application/json"},
            body: JSON.stringify({do: "ply", text})})""",
        text,
    )


def hand_over(here: Page, there: Page) -> None:
    """Make the other board home; both pages say so, and it is the other one that could hand it back."""
    not_home(there)
    name = "Make the other board home"
    here.get_by_role("button", name=name).click()
    here.locator("dialog").get_by_role("button", name=name).click()
    expect(here.locator("#links")).to_contain_text("The other board is home to the game now.", timeout=15_000)
    expect(here.locator("#links")).to_contain_text("The other board is there.", timeout=15_000)
    expect(there.locator("#links")).to_contain_text("This board is home to the game now.", timeout=15_000)
    expect(there.get_by_role("button", name=name)).to_be_visible(timeout=15_000)
    expect(here.get_by_role("button", name=name)).to_have_count(0)
    not_home(here)


def not_home(page: Page) -> None:
    """The page offers no invitation that would be refused, and says who can invite."""
    expect(page.locator("#seats")).to_have_text(
        "Another board is home to this game: only people there can invite others.", timeout=15_000
    )
    expect(page.locator("#no-broker")).to_be_hidden()
    expect(page.locator("#phone-seats button")).to_have_count(2)  # for its own seat, and to look on


def offered(page: Page, *invitations: str) -> None:
    expect(page.locator("#seats button")).to_have_text(list(invitations), timeout=15_000)


def test_a_link_is_made_on_one_panel_and_joined_on_another(browser: Browser, tmp_path: Path, port: int) -> None:
    for name in ("home", "far"):
        (tmp_path / name).mkdir()
    broker = Broker("127.0.0.1", port)
    with (
        real_panel("square144", tmp_path / "home", finishes=True, broker=broker) as home,
        real_panel("square144", tmp_path / "far", finishes=True) as far,
    ):
        here, there = browser.new_page(), browser.new_page()
        here.goto(home.address)
        begin(here, TIDES, stand=True)
        here.goto(f"{home.address}afar")
        here.get_by_role("button", name="Another board plays Black").click()
        link = here.get_by_role("textbox", name="The link", exact=True).input_value()
        assert link.startswith("beaconboard://127.0.0.1")
        here.get_by_text("As a QR code").click()
        expect(here.get_by_role("img", name="QR code of the link")).to_be_visible()
        assert here.request.get(here.locator("#links img").evaluate("img => img.src")).status == 200

        there.goto(f"{far.address}afar")
        expect(there.locator("#no-broker")).to_be_visible()
        there.get_by_label("The link that you were sent").fill("https://example.org")
        there.get_by_role("button", name="Join this game").click()
        expect(there.locator("#told")).to_contain_text("This is not a link to a game")
        there.get_by_label("The link that you were sent").fill(link)
        there.get_by_role("button", name="Join this game").click()
        expect(there.locator("#links")).to_contain_text("Tides of War: this board plays Black", timeout=15_000)
        expect(here.locator("#links")).to_contain_text("The other board is there.", timeout=15_000)

        here.goto(home.address)
        there.goto(far.address)
        expect(there.locator("#waits")).to_have_text("White is to move, at the other board.", timeout=15_000)
        order(here, "c3-c4")
        expect(there.locator("#plies")).to_contain_text("c3-c4", timeout=15_000)
        expect(here.locator("#waits")).to_have_text("Black is to move, at the other board.", timeout=15_000)
        answer = there.request.get(f"{far.address}api/plies?site=").status
        assert answer == 200
        play = far.running.service.look().table.play
        assert play is not None
        text = play.settled.position.footprints[0].text
        order(there, text)
        expect(here.locator("#plies")).to_contain_text(text, timeout=15_000)

        here.goto(f"{home.address}afar")
        there.goto(f"{far.address}afar")
        offered(here, "Another board plays White", "Black: a new link", "Another board looks on")
        hand_over(here, there)
        offered(there, "Another board looks on")

        here.get_by_role("button", name="End the link").click()
        here.locator("dialog").get_by_role("button", name="End the link").click()
        expect(here.locator("#links")).to_be_empty()
        there.goto(f"{far.address}afar")
        expect(there.locator("#links")).to_be_empty()
        here.close()
        there.close()
