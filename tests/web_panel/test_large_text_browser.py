"""Text that somebody has made large in the browser: up to twice its size nothing is cut off or covered."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.game_setup import Opponents
from controller.orders import NewGame, PlayPly, Resign
from tests.web_panel.real_backend import real_panel
from tests.web_panel.real_table import IN_EACH_LANGUAGE, OpenTable, Pages

ORDINARY_PX = 16
# What sticks out sideways: the page's own width must not count, a phone's grows with what does.
OUT = """width => [...document.querySelectorAll("dialog[open] *, body > :not(dialog) *")].filter((e) => {
  const box = e.getBoundingClientRect();
  return box.width && (box.right > width + 1 || box.left < -1) && !e.closest("svg, #plies");
}).map((e) => e.outerHTML.slice(0, 80))"""
# What is cut off where nothing scrolls to it, and words of the dock that have no room in it.
CUT = """() => [...document.querySelectorAll("#told, #foot, #dock button, .seat b, dialog[open], dialog[open] button")]
  .filter((e) => e.offsetParent && (e.scrollWidth > e.clientWidth + 2 || e.scrollHeight > e.clientHeight + 2)
    && !(e.matches("#told, #foot, dialog") && e.scrollWidth <= e.clientWidth + 2
      && getComputedStyle(e).overflowY === "auto"))
  .map((e) => e.outerHTML.slice(0, 80))"""
# The parts of the page that lie over each other where both scroll with it.
OVER = """() => {
  const parts = ["#others", "#table", "#mine", "#status", "#hands", "#history"].map((name) => {
    const { left, right, top, bottom, width, height } = document.querySelector(name).getBoundingClientRect();
    return { name, left, right, top, bottom, seen: width && height };
  }).filter(({ seen }) => seen);
  return parts.flatMap((a, n) => parts.slice(n + 1).filter((b) => a.left < b.right - 1 && a.right > b.left + 1
    && a.top < b.bottom - 1 && a.bottom > b.top + 1).map((b) => [a.name, b.name]));
}"""
# The cells that the button for all prices lies over.
UNDER = """() => {
  const heat = document.querySelector("#heat").getBoundingClientRect();
  return [...document.querySelectorAll("#board .site")].filter((e) => {
    const { left, right, top, bottom } = e.getBoundingClientRect();
    return left < heat.right - 1 && right > heat.left + 1 && top < heat.bottom - 1 && bottom > heat.top + 1;
  }).map((e) => e.dataset.site);
}"""
# The rows of seats in which what was captured lies over the name.
COVERED_NAMES = """() => [...document.querySelectorAll(".seat")].filter((seat) => {
  const [name, taken] = ["b", ".captured"].map((part) => seat.querySelector(part)?.getBoundingClientRect());
  return name && taken && name.left < taken.right - 1 && name.right > taken.left + 1
    && name.top < taken.bottom - 1 && name.bottom > taken.top + 1;
}).map((seat) => seat.textContent)"""
ROOM = "() => document.querySelector('#board').getBoundingClientRect().width / innerWidth"


def enlarged(page: Page, percent: int) -> None:
    """Set the size of text as the browser's settings do: it is what an em of its media queries is, too."""
    sizes = {"standard": ORDINARY_PX * percent // 100, "fixed": 13 * percent // 100}
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": sizes})


@IN_EACH_LANGUAGE
@pytest.mark.parametrize(
    ("size", "percent"),
    [((390, 844), 130), ((390, 844), 150), ((390, 844), 200), ((320, 568), 200), ((844, 390), 200), ((1280, 800), 200)],
)
def test_twice_as_large_text_is_whole_and_the_board_stays_as_wide_as_the_window(
    pages: Pages, tmp_path: Path, size: tuple[int, int], percent: int, language: str
) -> None:
    width, height = size
    page = pages(viewport={"width": width, "height": height}, is_mobile=width < 1000, locale=language)
    enlarged(page, percent)

    def whole(where: str) -> None:
        assert (page.evaluate(OUT, width), page.evaluate(CUT), page.evaluate(OVER)) == ([], [], []), where
        assert page.evaluate("document.documentElement.scrollWidth") == width, where

    with real_panel("first36", tmp_path, finishes=True) as real:
        page.goto(real.address)
        expect(page.locator("#lobby .offer").first).to_be_visible()
        assert page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") >= ORDINARY_PX * percent // 100
        whole("lobby")
        for button, dialog in (("#more", "#sheet"), ("#new-game", "#dialog")):
            page.locator(button).click()
            expect(page.locator(dialog)).to_be_visible()
            whole(dialog)
            if dialog == "#dialog":
                expect(page.locator("#start")).to_be_in_viewport(ratio=1)
            page.keyboard.press("Escape")
        real.running.service.submit(NewGame(game="tides-of-war", seed=1, plies=("c3-c4",), opponents=Opponents((0, 1))))
        expect(page.locator("#board .token").first).to_be_attached()
        whole("play")
        if width < height:
            assert page.evaluate(ROOM) > 0.89
        real.running.service.submit(Resign(seat=0))
        expect(page.locator("#over")).to_be_visible()
        whole("over")
        expect(page.locator("#acts .primary, #acts button").last).to_be_visible()
        page.locator("#acts button").last.scroll_into_view_if_needed()
        expect(page.locator("#acts button").last).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_what_is_opened_is_in_sight_in_text_twice_as_large_and_plates_are_flat(
    pages: Pages, tmp_path: Path, locale: str
) -> None:
    """What can be asked stood below the window, and each captured stone below the other."""
    page = pages(viewport={"width": 390, "height": 844}, is_mobile=True, locale=locale)
    enlarged(page, 200)
    with real_panel("first36", tmp_path, finishes=True) as real:
        taken = ("c3-c4", "c6-b5", "a4xc6xa6", "e3-e2")
        real.running.service.submit(NewGame(game="tides-of-war", seed=1, plies=taken, opponents=Opponents((0, 2))))
        page.goto(real.address)
        expect(page.locator("body")).to_have_attribute("data-turn", "mine")
        expect(page.locator("#mine .captured")).to_be_visible()
        for plate, lines in (("#others", 5), ("#mine", 3)):
            height = page.locator(plate).evaluate("plate => plate.scrollHeight")
            assert height < lines * 2 * ORDINARY_PX, plate
        page.locator("#cell-plies").click()
        expect(page.locator("#acts").get_by_role("button").last).to_be_in_viewport(ratio=1)


def test_what_was_captured_does_not_lie_over_the_name_of_who_took_it_in_large_text(
    pages: Pages, tmp_path: Path
) -> None:
    page = pages(viewport={"width": 412, "height": 915}, is_mobile=True, locale="fr-FR")
    enlarged(page, 150)
    with real_panel("first36", tmp_path, finishes=True) as real:
        taken = ("c3-c4", "c6-b5", "a4xc6xa6")
        real.running.service.submit(NewGame(game="tides-of-war", seed=1, plies=taken, opponents=Opponents((1, 0))))
        page.goto(real.address)
        expect(page.locator("#others .captured")).to_be_visible()
        assert page.evaluate(COVERED_NAMES) == []


def test_the_puzzle_of_the_day_keeps_within_the_page_in_large_text(pages: Pages, tmp_path: Path) -> None:
    page = pages(viewport={"width": 412, "height": 915}, is_mobile=True, locale="fr-FR")
    enlarged(page, 150)
    with real_panel("first36", tmp_path, finishes=True) as real:
        page.goto(f"{real.address}puzzles")
        expect(page.locator("#puzzles button").first).to_be_visible()
        assert page.evaluate(OUT, 412) == []
        assert page.evaluate("document.documentElement.scrollWidth") == 412


@pytest.mark.parametrize("size", [(390, 844), (360, 640)])
def test_a_guest_sees_the_way_in_without_scrolling_in_text_twice_as_large(
    open_table: OpenTable, pages: Pages, size: tuple[int, int]
) -> None:
    """It stood below the board, which has the whole window."""
    table = open_table("first36", finishes=True)
    page = pages(viewport={"width": size[0], "height": size[1]}, is_mobile=True)
    enlarged(page, 200)
    page.goto(table.url)
    join = page.locator("#joining").get_by_role("button", name="Join", exact=True)

    def seen(where: str) -> None:
        expect(join).to_be_in_viewport(ratio=1)
        covered = "e => { const { left, top, width, height } = e.getBoundingClientRect();"
        covered += " return document.elementFromPoint(left + width / 2, top + height / 2) !== e; }"
        assert not join.evaluate(covered), where
        assert page.evaluate(OUT, size[0]) == [], where
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        below = "() => document.querySelector('#joining').getBoundingClientRect().bottom"
        assert page.evaluate(below) <= join.bounding_box()["y"] + 1, where
        page.evaluate("scrollTo(0, 0)")

    expect(page.locator("body")).to_have_attribute("data-phase", "idle")
    seen("lobby")
    table.new_game("tides-of-war")
    expect(page.locator("#board .token").first).to_be_attached()
    seen("play")
    page.locator("#board [data-site='c3']").click()
    expect(page.locator("#joining.foremost")).to_be_attached()
    seen("after a tap in vain")


@IN_EACH_LANGUAGE
@pytest.mark.parametrize("size", [(390, 844), (320, 568)])
def test_units_are_shared_out_and_all_prices_seen_in_text_twice_as_large(
    pages: Pages, tmp_path: Path, size: tuple[int, int], language: str
) -> None:
    page = pages(viewport={"width": size[0], "height": size[1]}, is_mobile=True, locale=language)
    enlarged(page, 200)

    def whole(where: str) -> None:
        assert (page.evaluate(OUT, size[0]), page.evaluate(CUT), page.evaluate(OVER)) == ([], [], []), where
        assert page.evaluate("[document.documentElement.scrollWidth, innerWidth]") == [size[0]] * 2, where

    with real_panel("shell19", tmp_path, finishes=True) as real:
        real.running.service.submit(NewGame(game="beacons", seed=1, options={"players": 3}))
        page.goto(real.address)
        expect(page.locator("#share .share-row")).to_have_count(3)
        whole("bids")
        names = page.locator(".share-row b").evaluate_all("all => all.map((e) => e.scrollWidth <= e.clientWidth)")
        assert names == [True] * 3
        page.locator("#more").click()
        expect(page.locator("#sheet")).to_be_visible()
        whole("menu")
        page.keyboard.press("Escape")
        for text in ("bid 4 4 4",) * 3:
            real.running.service.submit(PlayPly(text=text))
        expect(page.locator("#heat")).to_be_visible()
        expect(page.locator("#share")).to_have_count(0)
        assert page.evaluate(UNDER) == []
        whole("placing")
        label = "parseFloat(getComputedStyle(document.querySelector('#dock button')).fontSize)"
        assert page.evaluate(label) >= ORDINARY_PX


def test_text_is_made_large_in_mid_game_and_help_stands_above_its_buttons(pages: Pages, tmp_path: Path) -> None:
    page = pages(viewport={"width": 390, "height": 664})
    with real_panel("first36", tmp_path, finishes=True) as real:
        real.running.service.submit(NewGame(game="tides-of-war", seed=1, opponents=Opponents((0, 1))))
        page.goto(real.address)
        expect(page.locator("body")).to_have_attribute("data-turn", "mine")
        enlarged(page, 200)
        page.screenshot()  # a page hears of it with its next picture
        expect(page.locator("link[href$='large.css']")).to_have_count(1)  # nobody has to load the page anew
        page.locator("#cell-plies").click()
        page.get_by_role("button", name="Help me").click()
        expect(page.get_by_role("button", name="Enough")).to_be_in_viewport(ratio=1)
        expect(page.locator("#waits")).to_be_in_viewport(ratio=1)
        expect(page.locator("#waits")).to_contain_text("Look at")
