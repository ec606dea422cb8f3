"""A phone without a seat at a game with secret choices: it is told why it sees none, and takes the seat."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web_panel.real_table import RealTable, join, phone, say_name

HINT = "{seat}'s choices are secret. Play {seat} on this phone to see them here."
HELD = "{seat}'s choices are secret: only {name}'s phone shows them."


@pytest.fixture
def bidding(tmp_path: Path) -> Iterator[RealTable]:
    """Return a table at which the first bid of Beacons is to be made."""
    table = RealTable(tmp_path, "shell19")
    table.new_game("beacons")
    yield table
    table.close()


@pytest.fixture
def setting_up(tmp_path: Path) -> Iterator[RealTable]:
    """Return a table at which the arrays of Cyvasse are set up in secret."""
    table = RealTable(tmp_path, "hex91")
    table.new_game("cyvasse", setup="secret")
    yield table
    table.close()


@pytest.fixture
def pages(browser: Browser) -> Iterator[list[Page]]:
    contexts = [phone(browser) for _ in range(2)]
    yield [context.new_page() for context in contexts]
    for context in contexts:
        context.close()


def mover(table: RealTable) -> str:
    session = table.table.play.session
    return str(session.game.facts.seats[session.game.seat(session.state)])


def test_it_takes_the_seat_where_the_plies_would_be(setting_up: RealTable, pages: list[Page]) -> None:
    page, seat = pages[0], mover(setting_up)
    join(page, setting_up.url)
    page.get_by_role("button", name="Just watch").click()
    expect(page.locator("#acts p")).to_have_text(HINT.format(seat=seat))
    page.locator("#acts").get_by_role("button", name=f"Play {seat}", exact=True).click()
    expect(page.locator("#acts p")).to_have_count(0)


def test_it_is_told_whose_phone_shows_them(setting_up: RealTable, pages: list[Page]) -> None:
    first, second = pages
    seat = mover(setting_up)
    join(first, setting_up.url, seat)
    join(second, setting_up.url)
    expect(second.locator("#acts p")).to_have_text(f"{seat}'s choices are secret: another phone shows them.")
    say_name(first, "Ann")
    expect(second.locator("#acts p")).to_have_text(HELD.format(seat=seat, name="Ann"))
    expect(second.locator("#acts").get_by_role("button", name="Play", exact=False)).to_have_count(0)
    expect(first.locator("#acts p")).to_have_count(0)


def test_a_guest_and_a_game_without_secrets_are_told_nothing(setting_up: RealTable, pages: list[Page]) -> None:
    guest, inside = pages
    guest.goto(setting_up.url)
    expect(guest.get_by_role("button", name="Join")).to_be_visible()
    expect(guest.locator("#acts")).to_be_hidden()
    join(inside, setting_up.url)
    expect(inside.locator("#acts p")).to_have_count(1)
    inside.locator("#joining").get_by_role("button", name=mover(setting_up)).click()
    expect(inside.locator("#acts p")).to_have_count(0)


def test_where_the_form_for_a_bid_is_open_nothing_says_that_it_is_not(bidding: RealTable, pages: list[Page]) -> None:
    page = pages[0]
    join(page, bidding.url)
    page.get_by_role("button", name="Just watch").click()
    expect(page.locator("#share")).to_be_visible()
    expect(page.locator("#acts p")).to_have_count(0)


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_hint_fits(setting_up: RealTable, pages: list[Page], width: int) -> None:
    page = pages[0]
    page.set_viewport_size({"width": width, "height": 800})
    join(page, setting_up.url)
    expect(page.locator("#acts p")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
