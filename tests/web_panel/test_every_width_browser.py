"""Pages at the widths that people have, light and dark: nothing sticks out or is drawn empty, axe has no complaint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web_panel.axe import RULES, complaints
from tests.web_panel.real_table import OpenTable, Pages

WIDTHS = ((320, 568), (390, 844), (768, 1024), (1440, 900))
PATHS = (
    "",
    "join",
    "settings",
    "history",
    "puzzles",
    "rules",
    "workshop",
    "workshop/rules",
    "workshop/rules/beacons",
    "clock",
    "tv",
    "house",
    "afar",
    "care",
    "health",
    "somebody-else",
    "offline",
)
COLOURS = ("color-contrast",)  # nothing else is different in the dark
OUT = """() => [...document.querySelectorAll("dialog[open] *, body > :not(dialog) *")].filter((e) => {
  const { left, right, width } = e.getBoundingClientRect();
  return width && (right > innerWidth + 1 || left < -1) && !e.closest("svg, #plies");
}).map((e) => e.outerHTML.slice(0, 80))"""
# What is cut off within the dialog, or sticks out of a button or a game's card: words wider than what they stand on.
WIDER = """() => [...document.querySelectorAll("#dialog, #dialog .bar button, #dialog .card :is(b, small)")]
  .filter((e) => e.scrollWidth > e.clientWidth + 1 || e.clientWidth > e.parentElement.clientWidth)
  .map((e) => e.outerHTML.slice(0, 80))"""
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


# On the hex board the words of four games that do not fit are the longest.
@pytest.mark.parametrize(("locale", "board"), [("en-GB", "square144"), ("de-DE", "square144"), ("fr-FR", "hex91")])
def test_new_game_and_the_lobby_have_room(open_table: OpenTable, pages: Pages, locale: str, board: str) -> None:
    table, page = open_table(board, finishes=True, local=True), pages(locale=locale)
    page.goto(table.url)
    for width, height in WIDTHS:
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("#lobby button").first).to_be_visible()
        assert (page.evaluate(OUT), page.evaluate(EMPTY)) == ([], [])
        page.locator("#new-game").click()
        expect(page.locator("#learn")).to_be_visible()
        assert page.evaluate(OUT) == []
        assert page.evaluate(WIDER) == []
        assert page.evaluate(BROKEN) == []
        expect(page.locator("#start")).to_be_in_viewport(ratio=1)
        bar = page.evaluate("document.querySelector('#dialog .bar').offsetHeight / innerHeight")
        assert bar < 0.34
        page.locator("#cancel").click()


def all_complaints(page: Page, url: str, paths: tuple[str, ...], rules: Sequence[str]) -> list[tuple[str, Any]]:
    """Return what axe says of the pages, and of what is opened on the first one."""
    found = []
    for path in paths:
        page.goto(url + path)
        expect(page.locator("main, svg").first).to_be_visible()
        found += [(path, each) for each in complaints(page, rules)]
        if path == "":
            expect(page.locator("#board .site").first).to_be_attached()
            assert page.evaluate(EMPTY) == []
            page.locator("#more").click()
            expect(page.locator("#sheet")).to_be_visible()
            found += [("menu", each) for each in complaints(page, rules)]
            page.keyboard.press("Escape")
            page.locator("#new-game").click()
            expect(page.locator("#learn")).to_be_visible()
            found += [("new game", each) for each in complaints(page, rules)]
    return found


IN_A_GAME = ("", "clock", "tv")


@pytest.mark.parametrize(
    ("size", "in_a_game"),
    [
        pytest.param(WIDTHS[1], IN_A_GAME, id="narrow"),
        pytest.param(WIDTHS[3], ("",), id="wide", marks=pytest.mark.long),
    ],
)
def test_axe_has_no_complaint_of_any_page(
    open_table: OpenTable, pages: Pages, size: tuple[int, int], in_a_game: tuple[str, ...]
) -> None:
    table, page = open_table(finishes=True, local=True), pages()
    page.set_viewport_size({"width": size[0], "height": size[1]})
    assert all_complaints(page, table.url, PATHS, RULES) == []
    table.new_game("tam-ruat-chess")
    assert all_complaints(page, table.url, in_a_game, RULES) == []


def test_axe_can_read_all_that_is_written_in_the_dark(open_table: OpenTable, pages: Pages) -> None:
    table, page = open_table(finishes=True, local=True), pages(color_scheme="dark")
    assert all_complaints(page, table.url, PATHS, COLOURS) == []
    table.new_game("tam-ruat-chess")
    assert all_complaints(page, table.url, IN_A_GAME, COLOURS) == []
