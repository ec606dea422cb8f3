"""Ending a turn or a part of it, and answering a draw, on the phone: by whom it is meant, never by a late thumb."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from controller.orders import PlayPly
from tests.web_panel.real_table import OpenTable, Pages, join


def write(page: Page, text: str) -> None:
    """Play a written move; what was played is gone from the field."""
    field = page.get_by_label("Type a move")
    field.fill(text)
    field.press("Enter")
    expect(field).to_have_value("")


@pytest.fixture
def placing(open_table: OpenTable, pages: Pages) -> Page:
    """Return a phone that plays both seats of Beacons, of which the first is placing."""
    table = open_table("shellsquare16")
    table.new_game("beacons", players=2, board="square 4 4", seed=5)
    page = pages()
    join(page, table.url)
    page.get_by_role("button", name="Just watch").click()
    for text in ("bid 5 7", "bid 6 6"):
        table.running.service.submit(PlayPly(text=text))
    expect(page.locator("#acts").get_by_role("button", name="done placing")).to_be_visible()
    return page


def test_units_are_lost_only_when_that_was_confirmed(placing: Page) -> None:
    button = placing.locator("#acts").get_by_role("button", name="done placing")
    seat = button.inner_text().partition(":")[0]
    made = placing.locator("#plies li").count()
    button.click()
    sheet = placing.get_by_role("dialog")
    expect(sheet).to_contain_text(f"{seat} has")
    sheet.get_by_role("button", name="Keep playing").click()
    expect(placing.locator("#plies li")).to_have_count(made)
    button.click()
    sheet.get_by_role("button", name="done placing").click()
    expect(placing.locator("#plies li")).to_have_count(made + 1)
    expect(placing.locator("#acts").get_by_role("button", name="done placing")).not_to_contain_text(seat)


def test_a_thumb_that_comes_late_ends_nothing_of_the_next_player(placing: Page) -> None:
    button = placing.locator("#acts").get_by_role("button", name="done placing")
    expect(button).to_be_enabled()
    write(placing, "end")
    expect(placing.locator("#acts").get_by_role("button", name="done placing")).to_be_disabled()
    expect(placing.locator("#acts").get_by_role("button", name="done placing")).to_be_enabled(timeout=4000)


def test_a_draw_is_answered_by_the_other_phone_and_its_refusal_told(open_table: OpenTable, pages: Pages) -> None:
    table = open_table()
    table.new_game("tides-of-war")
    white, black, watcher = pages(), pages(), pages()
    join(white, table.url, "White")
    join(black, table.url, "Black")
    watcher.goto(table.url)
    black.get_by_role("button", name="Menu").click()
    black.get_by_role("button", name="Offer a draw").click()
    expect(white.locator("#acts").get_by_role("button", name="accept")).to_be_visible()
    expect(black.locator("#acts").get_by_role("button", name="accept")).to_have_count(0)
    expect(black.locator("#acts").get_by_role("button", name="Withdraw the draw offer")).to_be_visible()
    expect(watcher.locator("#acts")).to_be_hidden()
    white.locator("#acts").get_by_role("button", name="Decline").click()
    expect(black.locator("#advice")).to_have_text("White declined the draw.")
    watcher.get_by_role("button", name="Menu").click()
    expect(watcher.get_by_role("dialog")).to_be_visible()
    expect(watcher.get_by_role("dialog").get_by_role("button", name="resigns")).to_have_count(0)


def test_the_menu_stays_open_while_others_move(open_table: OpenTable, pages: Pages) -> None:
    table = open_table()
    table.new_game("tides-of-war")
    white, black = pages(), pages()
    join(white, table.url, "White")
    join(black, table.url, "Black")
    black.get_by_role("button", name="Menu").click()
    sheet = black.get_by_role("dialog")
    expect(sheet.get_by_role("button", name="Resign …")).to_be_visible()
    write(white, "c3-c4")
    expect(black.locator("#sentence")).to_have_text("Your turn")
    expect(sheet.get_by_role("button", name="Resign …")).to_be_visible()
    white.get_by_role("button", name="Menu").click()
    white.get_by_role("button", name="Resign …").click()
    white.get_by_role("button", name="Yes").click()
    expect(sheet.get_by_role("button", name="Resign")).to_have_count(0)
    expect(sheet.get_by_role("link", name="People")).to_be_visible()
