"""What somebody finds when a game is over: links that are whole, and a name that is asked for once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.game_setup import Opponents
from controller.lessons.puzzle_files import all_puzzles
from controller.orders import NewGame, PlayPly, Resign
from tests.web_panel.real_backend import Real, real_panel, tap
from tests.web_panel.real_table import IN_EACH_LANGUAGE, OpenTable, Pages, eventually

SIZES = [(390, 844), (360, 640), (320, 568), (844, 390)]
WON = next(puzzle for puzzle in all_puzzles()["tides-of-war"] if puzzle.aim == "once").order.lesson
# The links of the end, and its button, that the edge of what is told cuts off.
CUT = """() => { const edge = document.querySelector("#told").getBoundingClientRect().bottom + 1;
    return [...document.querySelectorAll("#over :is(a, button)")]
        .filter(each => each.getBoundingClientRect().bottom > edge).map(each => each.textContent); }"""
# How many cells the refusal covers some part of.
OVER_CELLS = """() => { const toast = document.querySelector("#toast").getBoundingClientRect();
    return [...document.querySelectorAll("#board .site")].map(each => each.getBoundingClientRect())
        .filter(({ left, right, top, bottom }) => left < toast.right && right > toast.left
            && top < toast.bottom && bottom > toast.top).length; }"""


# How far the last of the links is below the first one: nothing in one row.
APART = """() => {
  const tops = [...document.querySelectorAll("#over :is(a, button)")].map((e) => e.getBoundingClientRect().top);
  return Math.max(...tops) - Math.min(...tops);
}"""


@pytest.fixture
def panel(tmp_path: Path) -> Iterator[Real]:
    with real_panel("first36", tmp_path, finishes=True) as real:
        yield real


def begin_against_the_board(real: Real, page: Page) -> None:
    """Begin, from the phone, a game that its next move wins."""
    assert WON is not None
    page.goto(real.address)
    expect(page.locator("body")).to_have_attribute("data-phase", re.compile("idle|over"))
    order = {"do": "new_game", "game": "tides-of-war", "plies": list(WON.plies), "opponents": {"levels": [0, 1]}}
    assert page.request.post(f"{real.address}api/order", data=order).ok
    expect(page.locator("body")).to_have_attribute("data-phase", "play")


def win(real: Real, page: Page) -> None:
    """Win the game that is on."""
    assert WON is not None
    real.running.service.submit(PlayPly(text=WON.steps[0].ply))
    expect(page.locator("#over")).to_be_visible()


@IN_EACH_LANGUAGE
def test_each_link_is_whole_after_resigning(panel: Real, pages: Callable[..., Page], language: str) -> None:
    page = pages(locale=language)
    panel.running.service.submit(NewGame(game="tides-of-war", seed=1, opponents=Opponents((0, 2))))
    page.goto(panel.address)
    expect(page.locator("body")).to_have_attribute("data-phase", "play")
    panel.running.service.submit(Resign(seat=0))
    expect(page.locator("#over :is(a, button)")).to_have_count(3)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(CUT) == [], (width, height)
    for width, height in ((390, 844), (360, 640), (360, 780)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(APART) < 8, (width, height)


def test_who_has_won_without_a_name_is_asked_for_one_once(panel: Real, page: Page) -> None:
    begin_against_the_board(panel, page)
    win(panel, page)
    wish = page.get_by_role("button", name="Enter your name, so that this win counts as yours.")
    expect(wish).to_be_visible()
    page.reload()
    wish.click()
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#own-win")).to_have_count(0)
    (ada,) = page.request.get(f"{panel.address}api/people/games").json()
    assert (ada["name"], ada["won"]) == ("Ada", 1)


def test_who_does_not_say_a_name_is_not_asked_after_the_next_win(panel: Real, page: Page) -> None:
    begin_against_the_board(panel, page)
    win(panel, page)
    expect(page.locator("#own-win")).to_be_visible()
    begin_against_the_board(panel, page)
    win(panel, page)
    expect(page.locator("#own-win")).to_have_count(0)


def test_a_refusal_covers_no_cell(panel: Real, pages: Callable[..., Page]) -> None:
    page = pages(locale="de-DE")  # in more words, which take three lines
    begin_against_the_board(panel, page)
    expect(page.locator("#mine .seat[aria-current]")).to_be_visible()
    expect(page.locator("#board .token")).to_have_count(28)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        tap(page, "c5")
        expect(page.locator("#toast")).to_contain_text("c5")
        assert page.evaluate(OVER_CELLS) == 0, (width, height)
        page.locator("#toast").evaluate("(toast) => (toast.textContent = '')")


def test_the_moves_of_a_finished_game_are_read_on_a_wide_page(panel: Real, page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    begin_against_the_board(panel, page)
    win(panel, page)
    expect(page.locator("#off button").first).to_be_visible()
    shown = """() => { const box = (e) => e.getBoundingClientRect(), list = box(plies), light = box(brightness);
        return [list.height, light.height ? light.top - list.bottom : 0, box(record).bottom - list.bottom]; }"""
    high, apart, below = page.evaluate(shown)
    assert high >= 28
    assert min(apart, below) >= 0


def test_who_joins_after_a_game_keeps_the_keyboard_and_reads_the_moves(open_table: OpenTable, pages: Pages) -> None:
    table, page = open_table("first36", finishes=True), pages(viewport={"width": 1280, "height": 800})
    table.running.service.submit(NewGame(game="tides-of-war", seed=1, plies=("c3-c4", "c5xc3xa1")))
    table.set_up()
    page.goto(table.url)
    expect(page.locator("#over")).to_be_visible()
    page.locator("#join").focus()
    page.keyboard.press("Enter")
    expect(page.locator("body")).not_to_have_attribute("data-role", "guest")
    expect(page.get_by_role("button", name="Enter your name")).to_be_focused()  # what is asked now
    page.get_by_role("button", name="Play without a name").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_be_focused()
    expect(page.locator("#off button")).to_have_count(1)
    eventually(page, "document.querySelector('#record').getBoundingClientRect().height > 50")
