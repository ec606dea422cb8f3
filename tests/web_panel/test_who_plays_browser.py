"""Who plays is changed in the middle of a game, in Chromium: the board plays on for somebody, and sides are changed."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.web_panel.real_backend import begin, real_panel
from tests.web_panel.test_board_seats_browser import move, moves


def who_plays(page: Page) -> None:
    page.locator("#more").click()
    page.locator("#sheet").get_by_role("button", name="Who plays …").click()


def test_the_board_plays_on_and_sides_are_changed(page: Page, tmp_path: Path) -> None:
    with real_panel("square144", tmp_path, finishes=True) as real:
        page.goto(real.address)
        begin(page, "Tides of War", stand=True)
        move(page, real)
        moves(page, 1)
        who_plays(page)
        page.locator("#sheet label", has_text="Black").locator("select").select_option("1")
        page.get_by_role("button", name="Play on like this").click()
        expect(page.locator("#sheet")).not_to_be_visible()
        moves(page, 2)
        expect(page.locator("#others")).to_contain_text("· level 1")
        who_plays(page)
        page.get_by_role("button", name="Change sides with the board").click()
        moves(page, 3)
        expect(page.locator("#mine")).to_contain_text("Black")
        expect(page.locator("#others")).to_contain_text("· level 1")
        expect(page.locator("#sentence")).to_have_text("Your turn")
        who_plays(page)
        page.locator("#sheet label", has_text="Black").locator("select").select_option("1")
        page.get_by_role("button", name="Play on like this").click()
        moves(page, 4)
        who_plays(page)  # though it plays both sides now
        for seat in ("White", "Black"):
            page.locator("#sheet").get_by_label(seat).select_option("0")
        page.get_by_role("button", name="Play on like this").click()
        expect(page.get_by_text("· level 1")).to_have_count(0)


def test_a_refusal_is_read_in_the_sheet_that_lies_over_the_page(page: Page, tmp_path: Path) -> None:
    why = "Ann plays here: only they can do this."
    with real_panel("square144", tmp_path, finishes=True) as real:
        page.goto(real.address)
        begin(page, "Tides of War", stand=True)
        who_plays(page)
        page.route("**/api/order", lambda route: route.fulfill(status=409, json={"error": why}))
        sheet = page.locator("#sheet")
        sheet.locator("label", has_text="Black").locator("select").select_option("1")
        press = sheet.get_by_role("button", name="Play on like this")
        press.click()
        told = sheet.get_by_role("alert")
        expect(told).to_have_text(why)
        expect(told).to_be_in_viewport(ratio=1)
        press.click()
        expect(told).to_have_count(1)
        expect(sheet.locator("label", has_text="Black").locator("select")).to_have_value(
            "1"
        )  # what was chosen is still there
        page.unroute("**/api/order")
        press.click()
        expect(sheet).not_to_be_visible()
