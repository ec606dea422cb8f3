"""The stage on every screen: what a turn needs is in view, under a thumb, and stays where it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.game_setup import Opponents
from controller.orders import NewGame, Resign
from tests.web_panel.real_backend import begin, made, real_panel, tap
from tests.web_panel.real_table import RealTable, eventually, join

SIZES = [(390, 844), (320, 568), (844, 390), (744, 1133), (820, 1180), (1024, 768), (1280, 800)]
LONG = "<b>Änne-Marie</b> von und zu 小林 Überli"  # as wide as 40 letters
PARTS = ("#others", "#table", "#mine", "#status", "#dock")
BOXES = """parts => parts.map(part => {
    const { x, y, right, bottom } = document.querySelector(part).getBoundingClientRect();
    return [part, Math.round(x), Math.round(y), Math.round(right), Math.round(bottom)];
})"""
SMALL = """() => [...document.querySelectorAll("#dock button, #status button, #question button")]
    .filter(each => each.offsetParent && Math.min(each.offsetWidth, each.offsetHeight) < 44)
    .map(each => each.textContent)"""

# The buttons under the sentence of which some part cannot be touched: below the screen, or under something else.
COVERED = """() => [...document.querySelectorAll("#acts button")].filter(button => {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const corners = [left + 8, right - 8].flatMap(x => [[x, top + 8], [x, bottom - 8]]);
    return !corners.every(([x, y]) => document.elementFromPoint(x, y) === button);
}).map(button => button.textContent)"""

# The words of the dock that run over two lines or out of their button.
BROKEN = """() => [...document.querySelectorAll("#dock button")].flatMap(button => {
    const { left, right } = button.getBoundingClientRect();
    const text = button.querySelector("span").firstChild;
    return [...text.data.matchAll(/\\S+/g)].filter(word => {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        const lines = [...range.getClientRects()];
        return lines.length !== 1 || lines[0].left < left || lines[0].right > right;
    }).map(word => word[0]);
})"""


@pytest.fixture
def seated(open_table: Callable[..., RealTable], pages: Callable[..., Page]) -> Page:
    table, page = open_table("first36"), pages()
    table.new_game("tides-of-war")
    join(page, table.url, "Black")
    page.evaluate(
        """name => fetch("/api/me", { method: "POST", headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ name, colour: "#17bebb" }) })""",
        LONG,
    )
    expect(page.locator("#mine b")).to_have_text(LONG)
    return page


def test_what_a_turn_needs_is_in_view_on_every_screen(seated: Page) -> None:
    for width, height in SIZES:
        seated.set_viewport_size({"width": width, "height": height})
        boxes = seated.evaluate(BOXES, list(PARTS))
        for part, left, top, right, bottom in boxes:
            outside = left < 0 or top < 0 or right > width or bottom > height + 1
            assert not outside, (width, height, part, boxes)
        assert seated.evaluate("document.documentElement.scrollWidth") <= width
        assert seated.evaluate(SMALL) == [], (width, height)


SMALL_SIZES = [(390, 844), (320, 568)]
# What of the card is cut off: below the edge of what is told, in pixels, for each part that is named.
CUT = """parts => { const edge = document.querySelector("#told").getBoundingClientRect().bottom;
    return parts.map(part => document.querySelector(part)).filter(each => each?.offsetParent)
        .map(each => [each.id, Math.max(0, Math.round(each.getBoundingClientRect().bottom - edge))]); }"""


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_what_to_do_is_in_sight_while_the_boards_move_is_told_and_a_piece_is_in_the_hand(
    pages: Callable[..., Page], tmp_path: Path, language: str
) -> None:
    page = pages(locale=language)
    with real_panel("first36", tmp_path, finishes=True) as real:
        board = Opponents((1, 0))
        real.running.service.submit(NewGame(game="tides-of-war", seed=1, plies=("c3-c4",), opponents=board))
        page.goto(real.address)
        expect(page.locator("#last-turn")).to_be_visible()
        for width, height in SMALL_SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert dict(page.evaluate(CUT, ["#waits", "#last-turn"])) == {"waits": 0, "last-turn": 0}, (width, height)
        tap(page, "b6")
        expect(page.locator("#card")).to_be_visible()
        expect(page.locator("#last-turn")).to_be_hidden()
        for width, height in SMALL_SIZES:
            page.set_viewport_size({"width": width, "height": height})
            cut = dict(page.evaluate(CUT, ["#waits", "#card"]))
            assert cut["waits"] == 0, (width, height)
            assert cut["card"] == 0 or (width == 320 and language != "en-GB"), (
                width,
                height,
            )  # longer words scroll there


@pytest.mark.parametrize("language", ["en-GB", "de-DE", "fr-FR"])
def test_another_game_is_one_tap_away_on_every_screen_when_one_is_over(
    pages: Callable[..., Page], tmp_path: Path, language: str
) -> None:
    page = pages(locale=language)
    with real_panel("first36", tmp_path, finishes=True) as real:
        real.running.service.submit(NewGame(game="tides-of-war", seed=1, plies=("c3-c4",)))
        page.goto(real.address)
        expect(page.locator("body")).to_have_attribute("data-phase", "play")
        real.running.service.submit(Resign(seat=0))
        expect(page.locator("#over")).to_be_visible()
        expect(page.locator("#acts button")).to_have_count(2)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(COVERED) == [], (width, height)


@pytest.mark.parametrize("language", ["en-GB", "de-DE", "fr-FR"])
def test_no_word_under_a_thumb_is_broken_or_cut(pages: Callable[..., Page], tmp_path: Path, language: str) -> None:
    page = pages(locale=language)
    with real_panel("any", tmp_path) as real:
        page.goto(real.address)
        expect(page.locator("#lobby .offer")).to_have_count(7)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(BROKEN) == [], (width, height)


def test_the_banner_keeps_its_room_whatever_it_says(seated: Page) -> None:
    before = seated.evaluate(BOXES, list(PARTS))
    for text in ("", "One line.", "A long sentence that has to be read. " * 12):
        seated.locator("#advice").evaluate("(advice, text) => (advice.textContent = text)", text)
        assert seated.evaluate(BOXES, list(PARTS)) == before


def test_back_closes_the_menu_and_stays_on_the_page(seated: Page) -> None:
    address = seated.url
    seated.get_by_role("button", name="Menu").click()
    expect(seated.locator("#sheet")).to_be_visible()
    seated.go_back()
    expect(seated.locator("#sheet")).to_be_hidden()
    assert seated.url == address


def test_who_comes_back_from_a_page_of_the_menu_closes_the_menu_with_the_next_back(seated: Page) -> None:
    menu, address = seated.locator("#sheet"), seated.url
    seated.locator("#more").click()
    menu.get_by_role("link", name="How to play").click()
    expect(seated.locator("h1")).to_be_visible()
    assert seated.url != address
    seated.go_back()
    expect(seated.locator("body")).to_have_attribute("data-phase", "play")
    expect(menu).to_be_hidden()
    seated.wait_for_function("!history.state")
    seated.locator("#more").click()
    expect(menu).to_be_visible()
    seated.go_back()
    expect(menu).to_be_hidden()
    assert seated.url == address


# The rows of the list of moves of which all is in sight, counted from the last one.
ROWS = """() => { const list = document.querySelector("#plies"), { top, bottom } = list.getBoundingClientRect();
    const seen = [...list.querySelectorAll("li")].map(each => each.getBoundingClientRect())
        .filter(each => each.top >= top - 1 && each.bottom <= bottom + 1);
    return new Set(seen.map(each => Math.round(each.top))).size; }"""
QUIET = ("d2-d3", "c5-c4", "a5-b5", "e3-d2", "d3-e2", "b6-c5", "c2-d3", "d2-e3", "e2-d2", "e3-e2")


@pytest.mark.parametrize("touch", [True, False])
@pytest.mark.parametrize("size", [(1280, 800), (1440, 900)])
def test_five_rows_of_moves_are_in_sight_on_a_computer_also_when_pieces_were_taken(
    pages: Callable[..., Page], tmp_path: Path, size: tuple[int, int], touch: bool
) -> None:
    page = pages(viewport={"width": size[0], "height": size[1]}, has_touch=touch)
    with real_panel("first36", tmp_path, finishes=True) as real:
        real.running.service.submit(NewGame(game="tides-of-war", seed=1, plies=QUIET))
        page.goto(real.address)
        expect(page.locator("#plies li")).to_have_count(len(QUIET))
        assert page.evaluate(ROWS) == 5
        tap(page, "e1")
        tap(page, "e3")
        made(page, len(QUIET) + 1)
        expect(page.locator("#off button")).to_have_count(1)
        eventually(page, f"({ROWS})() === 5")


# How much of the list of moves is to be seen, and how far its frame reaches, both in pixels.
FRAME = """() => { const box = each => document.querySelector(each).getBoundingClientRect();
    return [Math.round(box("#plies").height), Math.round(box("#plies").bottom - box("#record").bottom),
        Math.round(box("#record").bottom - box("#hands").top)]; }"""


def test_the_moves_keep_their_frame_while_every_piece_is_moved_by_hand_and_many_were_taken(
    pages: Callable[..., Page], tmp_path: Path
) -> None:
    page = pages(viewport={"width": 1280, "height": 800}, locale="de-DE")
    with real_panel("first36", tmp_path, finishes=True) as real:
        real.running.service.submit(NewGame(game="tides-of-war", seed=1, plies=QUIET))
        page.goto(real.address)
        tap(page, "e1")
        tap(page, "e3")
        made(page, len(QUIET) + 1)
        page.locator("#by-hand").check()
        expect(page.locator("#set-aside")).to_be_visible()
        for site in ("a1", "b1", "c1", "d1", "a2", "b2", "c2", "a3", "b3", "c3"):
            page.evaluate(
                "site => fetch('/api/lift', { method: 'POST', body: JSON.stringify({ site }), "
                "headers: { 'Content-Type': 'application/json' } })",
                site,
            )
        height, below_frame, over_hands = page.evaluate(FRAME)
        assert height >= 56  # two rows
        assert below_frame <= 0
        assert over_hands <= 0


def test_every_page_of_the_menu_has_a_drawing(seated: Page) -> None:
    seated.get_by_role("button", name="Menu").click()
    drawn = seated.locator("#sheet nav a").evaluate_all(
        "links => Object.fromEntries(links.map((a) => [a.textContent, a.querySelector('path').getTotalLength()]))"
    )
    assert len(drawn) > 5
    assert [name for name, length in drawn.items() if not length] == []


def test_escape_puts_a_piece_back_wherever_the_focus_is(
    open_table: Callable[..., RealTable], pages: Callable[..., Page]
) -> None:
    table, page = open_table("first36"), pages()
    table.new_game("tides-of-war")
    join(page, table.url)
    page.locator("#board [data-site=c3] .ring").click(force=True)
    expect(page.locator('#board .token[data-state="lifted"]')).to_have_count(1)
    page.locator("#title").click()
    page.keyboard.press("Escape")
    expect(page.locator('#board .token[data-state="lifted"]')).to_have_count(0)


SHIFTS = """() => {
    window.shifts = 0;
    new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.shifts += value;
    }).observe({ type: "layout-shift" });
}"""


@pytest.mark.parametrize("size", [(390, 844), (320, 568)])
def test_little_moves_while_pieces_are_lifted_and_put_down(page: Page, tmp_path: Path, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    with real_panel("hex91", tmp_path, finishes=True) as real:
        page.goto(real.address)
        begin(page, "Giantslayer", stand=True)
        page.evaluate(SHIFTS)
        for number, (start, end) in enumerate((("a7", "b7"), ("e4", "e3"), ("b7", "c7"), ("e3", "e4")), 1):
            for site in (start, start, start, end):
                tap(page, site)
                page.wait_for_timeout(300)
            made(page, number)
        assert page.evaluate("shifts") <= 0.1
