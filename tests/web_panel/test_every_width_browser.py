"""Pages at the widths that people have, light and dark: nothing sticks out or is drawn empty, axe has no complaint."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.web_panel.real_table import OpenTable, Pages, RealTable

WIDTHS = ((320, 568), (390, 844), (768, 1024), (1440, 900))
PATHS = ("", "join", "settings", "history", "puzzles", "rules", "clock", "tv", "house", "afar", "care", "offline")
RULES: dict[str, Any] = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}
OUT = """() => [...document.querySelectorAll("dialog[open] *, body > :not(dialog) *")].filter((e) => {
  const { left, right, width } = e.getBoundingClientRect();
  return width && (right > innerWidth + 1 || left < -1) && !e.closest("svg, #plies");
}).map((e) => e.outerHTML.slice(0, 80))"""
# What has a border or a ground of its own, is seen, and holds nothing.
EMPTY = """() => [...document.querySelectorAll("main section, main section > div, #tray > div")].filter((e) => {
  const { width, height } = e.getBoundingClientRect(), { borderTopWidth, visibility } = getComputedStyle(e);
  const text = (each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const inside = [...e.querySelectorAll(":not(h2)")].filter((each) => each.getBoundingClientRect().width);
  const full = inside.some((each) => each.matches("svg, img, input, button") || text(each));
  return width && height && visibility !== "hidden" && borderTopWidth !== "0px" && !full;
}).map((e) => e.id)"""

# Names of games that are broken within a word.
BROKEN = """() => [...document.querySelectorAll("#games b")].filter((e) => {
  const range = document.createRange();
  range.selectNodeContents(e);
  return range.getClientRects().length > e.textContent.trim().split(/\\s+/).length;
}).map((e) => e.textContent)"""


def complaints(page: Page) -> list[str]:
    found = Axe().run(page, options=RULES).response["violations"]
    return [f"{rule['id']}: {rule['nodes'][0]['html'][:100]}" for rule in found]


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_new_game_and_the_lobby_have_room(open_table: OpenTable, pages: Pages, locale: str) -> None:
    table, page = open_table(finishes=True, local=True), pages(locale=locale)
    page.goto(table.url)
    for width, height in WIDTHS:
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("#lobby button").first).to_be_visible()
        assert (page.evaluate(OUT), page.evaluate(EMPTY)) == ([], [])
        page.locator("#new-game").click()
        expect(page.locator("#learn")).to_be_visible()
        assert page.evaluate(OUT) == []
        assert page.evaluate(BROKEN) == []
        expect(page.locator("#start")).to_be_in_viewport(ratio=1)
        bar = page.evaluate("document.querySelector('#dialog .bar').offsetHeight / innerHeight")
        assert bar < 0.34
        page.locator("#cancel").click()


def stand(table: RealTable, state: str) -> None:
    if state != "idle":
        table.new_game("tam-ruat-chess")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("state", ["idle", pytest.param("play", marks=pytest.mark.slow)])
def test_axe_has_no_complaint_of_any_page(open_table: OpenTable, pages: Pages, scheme: Any, state: str) -> None:
    table, page = open_table(finishes=True, local=True), pages(color_scheme=scheme)
    stand(table, state)
    found = []
    for width, height in (WIDTHS[1], WIDTHS[3]):
        page.set_viewport_size({"width": width, "height": height})
        for path in (
            "",
            "join",
            "settings",
            "history",
            "puzzles",
            "rules",
            "clock",
            "tv",
            "house",
            "afar",
            "care",
            "offline",
        ):
            page.goto(table.url + path)
            page.wait_for_timeout(300)
            found += [(width, path, each) for each in complaints(page)]
            if path == "":
                assert page.evaluate(EMPTY) == []
                page.locator("#more").click()
                expect(page.locator("#sheet")).to_be_visible()
                found += [(width, "menu", each) for each in complaints(page)]
                page.keyboard.press("Escape")
                page.locator("#new-game").click()
                expect(page.locator("#learn")).to_be_visible()
                found += [(width, "new game", each) for each in complaints(page)]
    assert found == []
