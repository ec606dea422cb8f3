"""What matters is whole on small phones: the form for a name, whose turn it is, and the dock beside a form."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.lessons.puzzle_files import all_puzzles
from controller.orders import AskHelp, NewGame, NextStep, PlayPly, Resign, StartLesson, StartPuzzle, WhoPlays
from tests.web_panel.real_backend import Real, real_panel
from tests.web_panel.real_table import IN_EACH_LANGUAGE, OpenTable, Pages, RealTable, eventually, join, say_name

UPRIGHT = [(390, 844), (360, 640), (320, 568)]
LYING = [(844, 390), (667, 375)]
# Of what is found, what does not lie in the page's window with all four edges, or under something else.
HIDDEN = """(found) => [...document.querySelectorAll(found)].filter((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect(), x = (left + right) / 2;
    return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight
        || ![top + 2, bottom - 2].every((y) => each.contains(document.elementFromPoint(x, y)));
}).map((each) => each.textContent || each.id)"""

# How high the board is, as a share of the window's width.
BOARD = "document.querySelector('#board').getBoundingClientRect().height / innerWidth"


def sees(page: Page, found: str) -> None:
    expect(page.locator(found).first).to_be_visible()
    eventually(page, f"!({HIDDEN})({found!r}).length")


@pytest.mark.parametrize("size", UPRIGHT)
def test_every_button_of_the_question_for_a_name_is_whole(
    open_table: OpenTable, pages: Pages, size: tuple[int, int]
) -> None:
    table = open_table("first36")
    phones = [pages(viewport={"width": size[0], "height": size[1]}) for _ in range(2)]
    asks = "#joining :is(button, .who input:not([type=radio]))"
    for page, phase in zip(phones, ("idle", "play"), strict=True):
        if phase == "play":
            table.new_game("tides-of-war")
        join(page, table.url, "White" if phase == "play" else None)
        expect(page.locator("body")).to_have_attribute("data-phase", phase)
        if phase == "play" and size[1] < 592:  # what to do has the room until the first own move
            table.running.service.submit(PlayPly(text="c3-c4"))
        sees(page, asks)
        if phase == "play":
            page.get_by_role("button", name="Enter your name").click()
            expect(page.locator("#joining .who form, #joining .who button").first).to_be_visible()
            sees(page, asks)
        else:
            say_name(page, "Mia")
            expect(page.locator("#joining .who")).to_have_count(0)


@IN_EACH_LANGUAGE
@pytest.mark.parametrize("size", UPRIGHT)
def test_what_comes_after_a_game_is_whole_also_for_who_has_said_no_name(
    open_table: OpenTable, pages: Pages, size: tuple[int, int], language: str
) -> None:
    table, page = open_table("first36"), pages(viewport={"width": size[0], "height": size[1]}, locale=language)
    table.new_game("tides-of-war")
    page.goto(table.url)
    page.locator("#join").click()
    expect(page.locator("body")).not_to_have_attribute("data-role", "guest")  # else it is another button
    page.locator("#joining .choices button").first.click()  # White
    expect(page.locator("body")).to_have_attribute("data-turn", "mine")
    table.running.service.submit(Resign(seat=0))
    expect(page.locator("#over a").first).to_be_visible()
    sees(page, "#over :is(a, button), #acts button")


def two(open_table: OpenTable, pages: Pages, size: tuple[int, int]) -> tuple[RealTable, Page, Page]:
    """Return a table with a game, and the phones of White and of Black."""
    table = open_table("first36", finishes=True)
    table.new_game("tides-of-war")
    white, black = (pages(viewport={"width": size[0], "height": size[1]}) for _ in range(2))
    join(white, table.url, "White")
    join(black, table.url, "Black")
    return table, white, black


@pytest.mark.parametrize("size", [*UPRIGHT, (390, 664), (390, 700), (375, 667)])
def test_the_board_keeps_its_size_when_a_game_is_won_and_a_puzzle_is_solved(
    open_table: OpenTable, pages: Pages, size: tuple[int, int]
) -> None:
    table, white, _ = two(open_table, pages, size)
    expect(white.locator("#board .token")).to_have_count(28)
    played = white.evaluate(BOARD)
    for ply in ("c3-d3", "e3xc3xa1"):
        table.running.service.submit(PlayPly(text=ply))
    expect(white.locator("#over a").first).to_be_visible()
    sees(white, "#sentence, #over :is(a, button), #acts button")
    assert white.evaluate(BOARD) >= 0.85 * played
    puzzle = all_puzzles()["tides-of-war"][0]
    table.running.service.submit(StartPuzzle(game="tides-of-war", puzzle=puzzle.number))
    expect(white.locator("#lesson")).to_be_visible()
    expect(white.locator("body")).to_have_attribute("data-phase", "play")
    played = white.evaluate(BOARD)
    assert puzzle.order.lesson
    table.running.service.submit(PlayPly(text=puzzle.order.lesson.steps[0].ply))
    expect(white.get_by_role("button", name="Next puzzle")).to_be_visible()
    sees(white, "#lesson b, #steps :is(.leave, .next)")
    assert white.evaluate(BOARD) >= 0.85 * played


def test_the_move_that_ended_a_game_is_read_whole(open_table: OpenTable, pages: Pages) -> None:
    table, white, _ = two(open_table, pages, (390, 844))
    for ply in ("c3-d3", "e3xc3xa1"):
        table.running.service.submit(PlayPly(text=ply))
    expect(white.locator("#last-turn")).to_contain_text("takes")
    expect(white.locator("#over")).to_be_visible()
    expect(white.get_by_role("button", name="What decided the game")).to_be_visible()  # all of it is there
    sees(white, "#sentence, #last-turn, #over a, #acts button")


def test_on_the_smallest_phone_the_question_about_a_move_is_whole(open_table: OpenTable, pages: Pages) -> None:
    table, white, black = two(open_table, pages, (320, 568))
    for ply in ("c3-c4", "f2-f1"):
        table.running.service.submit(PlayPly(text=ply))
    expect(white.locator("#plies li")).to_have_count(2)
    white.get_by_role("button", name="Take back", exact=True).click()
    expect(black.locator("#waits")).to_contain_text("Do you agree?")
    sees(black, "#waits, #acts button")


# The cells that lie under something else, or outside the window.
UNDER = """() => [...document.querySelectorAll("#board .site .face")].filter((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return each.closest(".site") !== seen?.closest(".site");
}).map((each) => each.closest(".site").dataset.site)"""


@pytest.mark.parametrize(("size", "language"), [*((size, "en-GB") for size in UPRIGHT), ((320, 568), "fr-FR")])
def test_a_name_that_is_not_said_yet_leaves_the_whole_board_to_a_lesson_and_to_a_game(
    open_table: OpenTable, pages: Pages, size: tuple[int, int], language: str
) -> None:
    """Nobody must say one, and the form is opened by who wants to: also where somebody is known to choose from."""
    table = open_table("first36")
    mia, page = (pages(viewport={"width": size[0], "height": size[1]}, locale=language) for _ in range(2))
    form = page.locator("#joining .who :is(form, button)")
    for phone in (mia, page):
        phone.goto(table.url)
        phone.locator("#join").click()
        expect(phone.locator("#joining .who :is(form, button)").first).to_be_visible()
        if phone is mia:
            say_name(mia, "Mia")
            mia.context.close()
    table.running.service.submit(StartLesson(game="tides-of-war"))
    table.running.service.submit(NextStep())
    expect(page.locator("#lesson")).to_contain_text("a6")
    expect(form).to_have_count(0)
    eventually(page, f"!({UNDER})().length")
    table.new_game("tides-of-war")
    expect(page.locator("#lesson")).to_be_hidden()
    page.locator("#joining .choices button").first.click()  # White
    expect(page.locator("body")).to_have_attribute("data-turn", "mine")
    eventually(page, f"!({UNDER})().length")
    if page.evaluate("matchMedia('(orientation: portrait) and (max-height: 37rem)').matches"):
        expect(page.locator("#joining .choices")).to_have_count(0)  # on so low a window what to do comes first
        table.running.service.submit(PlayPly(text="c3-c4"))
    page.locator("#joining .choices button").first.click()
    expect(form.first).to_be_visible()


# How much of the card's width each sentence of the question takes.
WIDE = """() => { const told = document.querySelector("#joining").clientWidth;
    return [...document.querySelectorAll("#joining .fetched > p")].map((each) => each.clientWidth / told); }"""


def test_who_finds_no_seat_reads_line_below_line(open_table: OpenTable, pages: Pages) -> None:
    table = open_table("first36")
    mia, page = (pages(viewport={"width": 320, "height": 568}, locale="fr-FR") for _ in range(2))
    table.new_game("tides-of-war")
    for phone in (mia, page):
        phone.goto(table.url)
        phone.locator("#join").click()
        expect(phone.locator("body")).not_to_have_attribute("data-role", "guest")
        if phone is mia:
            phone.locator("#joining .choices button").first.click()
            expect(phone.locator("body")).to_have_attribute("data-turn", "mine")
            table.running.service.submit(WhoPlays(levels=(0, 2)))
    expect(page.locator("#joining .fetched > p")).to_have_count(2)
    assert min(page.evaluate(WIDE)) > 0.9


@pytest.mark.parametrize(("board", "game"), [("hex91", "cyvasse"), ("square144", "tam-ruat-chess")])
def test_whose_turn_it_is_is_read_on_the_smallest_phone(tmp_path: Path, page: Page, board: str, game: str) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    with real_panel(board, tmp_path, finishes=True) as real:
        real.running.service.submit(NewGame(game=game, seed=1))
        page.goto(real.address)
        expect(page.locator("#waits")).not_to_be_empty()
        expect(page.locator("#sentence")).not_to_be_empty()
        sees(page, "#sentence")


# What of all that is found has not its first lines, and of those that many, in sight in what is told, as it opens.
READ = """(found, many) => {
    const told = document.querySelector("#told").getBoundingClientRect(), range = document.createRange();
    return [...document.querySelectorAll(found)].filter((each) => {
        range.selectNodeContents(each);
        const lines = [...range.getClientRects()].slice(0, many);
        return !lines.length || lines.some(({ top, bottom }) => top < told.top || bottom > told.bottom + 1);
    }).map((each) => each.textContent);
}"""


@pytest.mark.parametrize("size", [(390, 700), (390, 640), (375, 667)])
def test_on_a_phone_that_is_no_tall_one_what_carries_circle_and_beacons_is_read(
    tmp_path: Path, page: Page, size: tuple[int, int]
) -> None:
    """The goal of the one and what was shared out in the other, below what to do; and the board keeps its size."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    with real_panel("any", tmp_path, finishes=True) as real:
        real.running.service.submit(NewGame(game="circle", seed=1))
        page.goto(real.address)
        expect(page.locator("body")).to_have_attribute("data-phase", "play")
        real.running.service.submit(PlayPly(text="a3+"))
        expect(page.get_by_role("button", name="End turn")).to_be_visible()
        expect(page.locator("#waits")).to_contain_text("Tap a piece")
        expect(page.locator(".who-beats svg")).to_be_visible()
        eventually(page, f"!({READ})('#sentence, #waits, #lines li:first-child', 9).length")
        assert page.evaluate(BOARD) > 0.85
        real.running.service.submit(NewGame(game="beacons", seed=1))
        expect(page.locator("#share")).to_be_visible()
        for bid in ("bid 6 6", "bid 6 6"):
            real.running.service.submit(PlayPly(text=bid))
        expect(page.locator("#seated")).to_contain_text("Received")
        eventually(page, f"!({READ})('#sentence, #waits, #seated', 3).length")
        assert page.evaluate(BOARD) > 0.85


@pytest.mark.parametrize("size", LYING)
def test_who_shares_units_out_on_a_lying_phone_has_the_dock_and_the_whole_board(
    tmp_path: Path, page: Page, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    with real_panel("shell19", tmp_path, finishes=True) as real:
        real.running.service.submit(NewGame(game="beacons", seed=1))
        page.goto(real.address)
        expect(page.locator("#share")).to_be_visible()
        sees(page, "#share .choices button, #dock button")
        apart = """() => document.querySelector("#board").getBoundingClientRect().right
            <= document.querySelector("#status").getBoundingClientRect().left"""
        eventually(page, f"({apart})()")


@IN_EACH_LANGUAGE
def test_the_buttons_that_share_out_stand_in_one_line_each_on_the_smallest_phone(
    tmp_path: Path, pages: Pages, language: str
) -> None:
    page = pages(viewport={"width": 320, "height": 568}, locale=language)
    with real_panel("shell19", tmp_path, finishes=True) as real:
        real.running.service.submit(NewGame(game="beacons", seed=1))
        page.goto(real.address)
        expect(page.locator("#share .choices")).to_be_visible()
        wide = "told.scrollWidth - told.clientWidth"
        assert page.evaluate(wide) == 0
        lines = """() => [...document.querySelectorAll("#share .choices > *")].map((each) => {
            const range = document.createRange();
            range.selectNodeContents(each);
            return range.getClientRects().length; })"""
        assert page.evaluate(lines) == [1, 1, 1]
        page.locator("#share .choices button").first.click()  # equally: now it says that nothing is left
        assert page.evaluate(wide) == 0
        assert page.evaluate(lines) == [1, 1, 1]


def test_who_has_read_on_below_sees_the_board_of_a_lesson_and_of_an_earlier_game(
    open_table: OpenTable, pages: Pages
) -> None:
    table, page = open_table("first36"), pages()
    table.new_game("tides-of-war")
    for move in ("c3-c4", "c6-b5"):
        table.running.service.submit(PlayPly(text=move))
    table.running.service.submit(Resign(seat=0))
    join(page, table.url)
    page.locator("#over a").first.click()
    expect(page.locator("#replay")).to_be_visible()
    expect(page.locator("header a")).to_be_in_viewport(ratio=1)
    page.goto(table.url)
    expect(page.locator("#over a").first).to_be_visible()
    page.evaluate("scrollTo(0, 300)")
    assert page.evaluate("scrollY") > 100
    page.locator("#new-game").click()
    page.locator("#learn").click()
    expect(page.locator("#lesson")).to_be_visible()
    eventually(page, "scrollY === 0")


# Two beacons can be built; units that stay dominate c3 no longer.
BUILDABLE = "d3:1x3 e3:1x3 d4:1x3 e2:1x2 c1:1x2 a3:2x2 b3:2x3 c3:2x1"


@contextmanager
def buildable(folder: Path, pages: Pages, size: tuple[int, int], language: str) -> Iterator[tuple[Page, Real]]:
    """Have a phone of that size on its turn, on which two beacons can be built."""
    page = pages(viewport={"width": size[0], "height": size[1]}, locale=language)
    with real_panel("shell19", folder, finishes=True) as real:
        real.running.service.submit(NewGame(game="beacons", seed=1, options={"start": BUILDABLE}))
        page.goto(real.address)
        expect(page.locator("#acts button")).to_have_count(3)
        yield page, real


@IN_EACH_LANGUAGE
@pytest.mark.parametrize("size", [(390, 664), (360, 640), (390, 844)])
def test_two_beacons_that_can_be_built_leave_what_to_do_its_room(
    tmp_path: Path, pages: Pages, size: tuple[int, int], language: str
) -> None:
    with buildable(tmp_path, pages, size, language) as (page, _):
        eventually(page, f"!({READ})('#sentence, #waits', 9).length")
        sees(page, "#acts button")


@IN_EACH_LANGUAGE
@pytest.mark.parametrize("size", [*UPRIGHT, (390, 664)])
def test_help_that_is_asked_for_is_whole_also_where_two_beacons_can_be_built(
    tmp_path: Path, pages: Pages, size: tuple[int, int], language: str
) -> None:
    with buildable(tmp_path, pages, size, language) as (page, real):
        page.locator("#cell-plies").click()
        expect(page.locator("#acts p")).to_be_visible()
        sees(page, "#acts p, #acts button")
        real.running.service.submit(AskHelp(seat=0, made=0))
        page.locator("#cell-plies").click()
        expect(page.locator("#waits")).to_contain_text("d2")
        expect(page.locator("#board .way.better")).to_have_count(2)
        eventually(page, f"!({READ})('#waits', 9).length")
        sees(page, "#acts button")
        assert page.locator("#acts button").count() == 2  # to make it, and enough
