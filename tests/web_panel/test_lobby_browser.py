"""The games to choose from on an empty table: three taps to a first move, in Chromium on the real service."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web_panel.real_backend import made, real_panel, tap
from tests.web_panel.real_table import OpenTable, Pages

SIZES = [(390, 844), (320, 568), (844, 390), (1280, 800)]


@pytest.mark.parametrize("size", SIZES)
def test_a_picture_begins_its_game(page: Page, tmp_path: Path, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    with real_panel("any", tmp_path, finishes=True) as real:
        page.goto(real.address)
        lobby = page.get_by_role("group", name="Choose a game")
        expect(lobby.get_by_role("button")).to_have_count(6)
        for card in lobby.get_by_role("button").all():
            box = card.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 44
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= size[0]
        lobby.get_by_role("button", name="Tides of War").click()
        expect(lobby).to_be_hidden()
        expect(page.locator("body")).to_have_attribute("data-phase", "play")
        expect(page.locator("#board .token")).to_have_count(28)
        tap(page, "c3")
        tap(page, "d3")
        made(page, 1)
        assert real.plies == ("c3-d3",)


def test_the_games_are_there_at_once_and_their_pictures_follow(page: Page, tmp_path: Path) -> None:
    with real_panel("any", tmp_path, finishes=True) as real:
        page.goto(real.address)
        expect(page.locator("#lobby button")).to_have_count(6)
        assert page.evaluate("performance.now()") < 1900  # what is loaded later comes after two seconds
        box = page.locator("#lobby button").first.bounding_box()
        expect(page.locator("#lobby img[src]")).to_have_count(6)
        assert page.locator("#lobby button").first.bounding_box() == box


def test_a_bid_is_made_with_two_taps(page: Page, tmp_path: Path) -> None:
    with real_panel("any", tmp_path, finishes=True) as real:
        page.goto(real.address)
        page.get_by_role("group", name="Choose a game").get_by_role("button", name="Beacons").click()
        form = page.locator("#share")
        form.get_by_role("button", name="All alike").click()
        expect(form.locator("output")).to_have_text("All 12 shared out")
        form.get_by_role("button", name="Confirm").click()
        made(page, 1)
        assert real.plies == ("bid 6 6",)


def test_a_guest_has_nothing_to_choose_from(open_table: OpenTable, pages: Pages) -> None:
    table, guest = open_table(), pages()
    guest.goto(table.url)
    expect(guest.get_by_role("button", name="Join")).to_be_visible()
    guest.wait_for_timeout(2500)
    expect(guest.locator("#lobby")).to_have_count(0)
