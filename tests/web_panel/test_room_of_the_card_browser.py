"""What the card has room for: a refusal covers nothing that is needed, and no line is half seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as NeverSo

from controller.lessons.puzzle_files import all_puzzles
from controller.orders import NewGame, NextStep, PlayPly, StartLesson, StartPuzzle
from tests.web_panel.real_backend import Real, real_panel, tap

SIZES = [(390, 844), (360, 640), (320, 568), (844, 390), (1280, 800)]
# What the toast covers some part of: cells, lines of what says what to do, and the button that is to be pressed next.
COVERED = """() => { const toast = document.querySelector("#toast").getBoundingClientRect();
    const range = document.createRange();
    const lines = [...document.querySelectorAll("#sentence, #lesson p, #advice, #waits, #question")]
        .flatMap(each => (range.selectNodeContents(each),
            [...range.getClientRects()].map(box => [each.id || "step", box])));
    const others = [...document.querySelectorAll("#board .site, #foot .primary")]
        .map(each => [each.dataset.site || "primary", each.getBoundingClientRect()]);
    return [...lines, ...others].filter(([, { left, right, top, bottom, width, height }]) => width && height
        && left < toast.right && right > toast.left && top < toast.bottom && bottom > toast.top)
        .map(([name]) => name); }"""
# The lines of what is told that its edge cuts while it is not scrolled, or that end in its shade and look cut as well;
# and the sentences of which it shows the beginning alone.
HALF = """() => { const told = document.querySelector("#told"), edge = told.getBoundingClientRect().bottom, lines = [];
    for (const walk = document.createTreeWalker(told, NodeFilter.SHOW_TEXT); walk.nextNode();) {
        const range = document.createRange();
        range.selectNodeContents(walk.currentNode);
        if (told.scrollHeight > told.clientHeight + 1 && told.scrollTop + told.clientHeight < told.scrollHeight
            && [...range.getClientRects()].some(({ top, bottom }) => top < edge - 3.5 && bottom > edge - 1))
            lines.push(walk.currentNode.data);
    }
    const begun = [...told.querySelectorAll("#lines li")].filter((each) => !told.scrollTop
        && each.getBoundingClientRect().top < edge - 3.5 && each.getBoundingClientRect().bottom > edge + 1);
    return [...lines, ...begun.map(({ textContent }) => textContent)]; }"""
# A cell on which nothing stands: nobody begins there.
EMPTY = """() => [...document.querySelectorAll("#board .site")].map(each => each.dataset.site)
    .find(name => !document.querySelector(`#board .token[data-on="${name}"]`))"""
NEVER = "() => document.body.dataset.phase && !({})().length"


@pytest.fixture
def panel(tmp_path: Path) -> Iterator[Real]:
    with real_panel("first36", tmp_path, finishes=True) as real:
        yield real


def none(page: Page, found: str, where: object) -> None:
    """Wait until nothing is found; what still is then is named."""
    try:
        page.wait_for_function(NEVER.format(found), timeout=4000)
    except NeverSo:
        assert page.evaluate(found) == [], where
        raise


def refused_everywhere(page: Page, cell: str) -> None:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        tap(page, cell)
        expect(page.locator("#toast")).not_to_be_empty()
        none(page, COVERED, (width, height))
        page.locator("#toast").evaluate("(toast) => (toast.textContent = '')")


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_a_refusal_in_a_lesson_leaves_what_to_do_in_view(
    panel: Real, pages: Callable[..., Page], language: str
) -> None:
    page = pages(locale=language)
    panel.running.service.submit(StartLesson(game="tides-of-war"))
    panel.running.service.submit(NextStep())
    page.goto(panel.address)
    expect(page.locator("#lesson")).to_contain_text("c4")
    refused_everywhere(page, "b5")


def test_a_refusal_in_a_puzzle_and_in_play_leaves_what_to_do_in_view(panel: Real, page: Page) -> None:
    puzzle = all_puzzles()["tides-of-war"][0]
    panel.running.service.submit(StartPuzzle(game="tides-of-war", puzzle=puzzle.number))
    page.goto(panel.address)
    expect(page.locator("#lesson")).to_be_visible()
    page.locator("#board .token").first.wait_for(state="attached")
    refused_everywhere(page, page.evaluate(EMPTY))
    panel.running.service.submit(NewGame(game="tides-of-war", seed=1))
    expect(page.locator("#lesson")).to_be_hidden()
    expect(page.locator("#board .token")).to_have_count(28)
    refused_everywhere(page, page.evaluate(EMPTY))


# What a line of two rows would cover of what the piece in hand can do, of the bottom bar, and of the cells.
ON_CARD = """() => { const box = (each) => each.getBoundingClientRect(), toast = box(document.querySelector("#toast"));
    return [...document.querySelectorAll("#card p, #card li, #card b, #dock button, #board .site")].filter((each) => {
        const { left, right, top, bottom, width } = box(each);
        return width && left < toast.right && right > toast.left && top < toast.bottom && bottom > toast.top;
    }).map((each) => each.id || each.dataset.site || each.textContent); }"""


def test_what_is_told_covers_neither_what_the_lifted_piece_can_do_nor_the_bottom_bar(panel: Real, page: Page) -> None:
    panel.running.service.submit(NewGame(game="tides-of-war", seed=1))
    page.goto(panel.address)
    expect(page.locator("#board .token")).to_have_count(28)
    tap(page, page.evaluate(EMPTY))
    expect(page.locator("#toast")).not_to_be_empty()  # from now on its room is seen to
    for width, height in ((390, 844), (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        tap(page, "c3")
        expect(page.locator("#card")).to_be_visible()
        page.locator("#toast").evaluate("(toast) => (toast.textContent = 'Two fingers make the board larger.')")
        page.evaluate("() => dispatchEvent(new Event('resize'))")
        none(page, ON_CARD, (width, height))
        tap(page, "c3")
        expect(page.locator("#card")).to_be_hidden()


def test_no_line_is_half_seen_above_the_buttons(panel: Real, page: Page) -> None:
    panel.running.service.submit(NewGame(game="tides-of-war", seed=1))
    page.goto(panel.address)
    expect(page.locator("#lines")).not_to_be_empty()
    panel.running.service.submit(PlayPly(text="c3-c4"))
    for width in (320, 360, 390):
        for height in range(560, 860, 20):
            page.set_viewport_size({"width": width, "height": height})
            none(page, HALF, (width, height))


def test_no_line_of_beacons_is_half_seen_above_the_buttons(page: Page, tmp_path: Path) -> None:
    with real_panel("shell19", tmp_path, finishes=True) as real:
        real.running.service.submit(NewGame(game="beacons", seed=1))
        page.goto(real.address)
        expect(page.locator("#share")).to_be_visible()
        for bid in ("bid 6 6", "bid 6 6"):
            real.running.service.submit(PlayPly(text=bid))
        expect(page.locator("#acts")).to_be_visible()
        for width in (320, 360, 390):
            for height in range(560, 860, 20):
                page.set_viewport_size({"width": width, "height": height})
                none(page, HALF, (width, height))


FITS = """() => { const [card, told] = ["#card", "#told"].map((each) => document.querySelector(each));
    return !card.hidden && card.getBoundingClientRect().bottom <= told.getBoundingClientRect().bottom + 1; }"""
# A piece of each game whose card has most to say at its start, and that may be lifted.
LIFTED = {"tides-of-war": "a5", "giantslayer": "a9", "circle": "a4", "tam-ruat-chess": "a2", "cyvasse": "d5"}


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_all_of_what_a_lifted_piece_can_do_is_in_sight(
    pages: Callable[..., Page], tmp_path: Path, language: str
) -> None:
    with real_panel("any", tmp_path, finishes=True) as real:
        page = pages(locale=language)
        for game, site in LIFTED.items():
            real.running.service.submit(NewGame(game=game, seed=1))
            page.goto(real.address)
            expect(page.locator("body")).to_have_attribute("data-phase", "play")
            expect(page.locator(f'#board .token[data-on="{site}"]')).to_have_count(1)
            page.set_viewport_size({"width": 390, "height": 844})
            tap(page, site)
            for width, height in ((390, 844), (390, 700), (390, 664), (375, 667), (844, 390)):
                page.set_viewport_size({"width": width, "height": height})
                page.wait_for_function(FITS)
