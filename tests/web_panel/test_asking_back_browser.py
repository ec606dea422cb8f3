"""A take-back that asks the other phone, in Chromium and with the real service."""

from __future__ import annotations

from playwright.sync_api import expect

from controller.orders import PlayPly
from tests.web_panel.real_table import OpenTable, Pages, join


def test_the_other_phone_is_asked_and_its_word_counts(open_table: OpenTable, pages: Pages) -> None:
    table, (ann, ben) = open_table("first36", finishes=True), (pages(), pages())
    table.new_game("tides-of-war")
    join(ann, table.url, "White")
    join(ben, table.url, "Black")
    ann.goto(f"{table.url}settings")
    ann.get_by_role("checkbox", name="Ask before every take-back").check()
    ann.goto(table.url)
    table.running.service.submit(PlayPly(text="c3-d3"))
    for page in (ann, ben):
        expect(page.locator("#plies li")).to_have_count(1)
    ann.get_by_role("button", name="Take back", exact=True).click()
    asks = "asks to take back: stone from c3 to d3."
    expect(ann.locator("#waits")).to_have_text(asks.replace("asks", "You ask") + " Still to agree: Black.")
    expect(ben.locator("#waits")).to_have_text(f"White {asks} Do you agree?")
    ben.locator("#acts").get_by_role("button", name="Decline").click()
    expect(ann.locator("#advice")).to_have_text("Black does not agree: the move stays.")
    expect(ben.locator("#advice")).to_have_text("You do not agree: the move stays.")
    expect(ann.locator("#toast")).to_be_empty()
    expect(ann.locator("#plies li")).to_have_count(1)
    ann.get_by_role("button", name="Take back", exact=True).click()
    expect(ann.locator("#acts").get_by_role("button", name="Do not take back")).to_be_visible()
    ben.locator("#acts").get_by_role("button", name="Agree: take it back").click()
    for page in (ann, ben):
        expect(page.locator("#plies li")).to_have_count(0)
        expect(page.locator("#toast")).to_have_text("Taken back: stone from c3 to d3.")
