"""The games to choose from on an empty table: three taps to a first move, in Chromium on the real service.

The easiest game is on top, and below them waits the puzzle of the day. Each game can be played with somebody, or
against the board, which begins gently, or learnt.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from controller.game_setup import Opponents
from controller.orders import NewGame, PlayAgain, Resign
from tests.service.evenings import A_WEEK_AGO, begun
from tests.web_panel.real_backend import made, real_panel, tap
from tests.web_panel.real_table import OpenTable, Pages, join

GAMES = ("Tides of War", "Giantslayer", "Circle", "Chess of Tam Ruat", "Cyvasse", "Beacons")
SIZES = [(390, 844), (320, 568), (844, 390), (1280, 800)]
OFFERED = """level => import("/static/common/device.js").then(({ offered }) => offered("tides-of-war", { level }))"""


# The buttons of which a short phrase is broken, or the last line is a number alone; those of the first game as they
# are after its lesson.
BROKEN = """() => {
  const [play, level, learn] = document.querySelectorAll("#lobby .offer:first-child button");
  level.classList.add("primary");
  play.before(learn);
  const lines = (node) => { const range = document.createRange(); range.selectNodeContents(node);
    return [...new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))]; };
  const alone = ({ firstChild: text }) => { const last = text.length - text.data.split(" ").at(-1).length;
    const range = document.createRange(); range.setStart(text, last - 2); range.setEnd(text, text.length);
    return range.getClientRects().length > 1; };
  return [...document.querySelectorAll("#lobby button")].filter((e) => e.firstChild)
    .filter((e) => lines(e).length > 1 && (e.textContent.length < 13 || alone(e))).map((e) => e.textContent); }"""


def offers(page: Page) -> Locator:
    return page.get_by_role("group", name="Choose a game").get_by_role("group")


@pytest.mark.parametrize("size", SIZES)
def test_a_game_begins_with_a_tap_and_its_first_move_is_made_with_two_more(
    page: Page, tmp_path: Path, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    with real_panel("any", tmp_path, finishes=True) as real:
        page.goto(real.address)
        expect(offers(page)).to_have_count(7)
        for button in page.locator("#lobby button").all():
            box = button.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 44
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= size[0]
        page.get_by_role("button", name="Play: Tides of War").click()
        expect(page.locator("#lobby")).to_be_hidden()
        expect(page.locator("body")).to_have_attribute("data-phase", "play")
        expect(page.locator("#board .token")).to_have_count(28)
        tap(page, "c3")
        tap(page, "d3")
        made(page, 1)
        assert real.plies == ("c3-d3",)


@pytest.mark.parametrize("language", ["en-GB", "de-DE", "fr-FR"])
def test_no_short_phrase_on_a_button_is_broken_into_lines(
    pages: Callable[..., Page], tmp_path: Path, language: str
) -> None:
    page = pages(locale=language)
    with real_panel("any", tmp_path, finishes=True) as real:
        page.goto(real.address)
        expect(page.locator("#lobby .offer")).to_have_count(7)
        for width, height in ((390, 664), (360, 640), (412, 915)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(BROKEN) == [], width


# By how many pixels the longest choice of a list is wider than there is room for beside its arrow.
CHOICE_CUT = """select => {
  const pen = document.createElement("canvas").getContext("2d"), style = getComputedStyle(select);
  pen.font = style.font;
  const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return Math.max(...[...select.options].map(({ text }) => pen.measureText(text).width)) - room + 12; }"""


@pytest.mark.parametrize("language", ["en-GB", "de-DE", "fr-FR"])
def test_what_can_be_chosen_as_hints_is_read_whole(pages: Callable[..., Page], tmp_path: Path, language: str) -> None:
    page = pages(locale=language, viewport={"width": 360, "height": 640})
    with real_panel("any", tmp_path, finishes=True) as real:
        real.running.service.submit(NewGame(game="tides-of-war", seed=1))
        page.goto(real.address)
        expect(page.locator("body")).to_have_attribute("data-phase", "play")
        page.locator("#more").click()
        expect(page.locator("#sheet select")).to_have_count(2)
        assert page.locator("#sheet select").first.evaluate(CHOICE_CUT) < 0


def test_the_easiest_game_is_on_top(page: Page, tmp_path: Path) -> None:
    with real_panel("any", tmp_path, finishes=True) as real:
        page.goto(real.address)
        expect(offers(page).locator("b")).to_have_text([*GAMES, "Puzzle of the day"])
        expect(offers(page).last.locator("img")).to_have_attribute("src", re.compile(r"^/puzzles/[a-z-]+/\w+\.svg$"))
        assert offers(page).last.locator("img").evaluate("each => each.decode().then(() => each.naturalWidth)")
        page.get_by_role("button", name="New game").click()
        expect(page.locator("#games b")).to_have_text(GAMES)


def test_who_plays_against_the_board_for_the_first_time_meets_the_first_level_and_the_coach(
    page: Page, tmp_path: Path
) -> None:
    with real_panel("any", tmp_path, finishes=True) as real:
        page.goto(real.address)
        page.get_by_role("button", name="Against the board, level 1: Tides of War").click()
        expect(page.locator("body")).to_have_attribute("data-turn", re.compile("mine|theirs"))
        play = real.running.service.look().table.play
        assert play is not None
        assert play.session.opponents == Opponents(levels=(0, 1), coach=True)
        tap(page, "c3")
        tap(page, "d3")
        made(page, 1)
        real.running.service.submit(Resign(seat=0))
        expect(page.get_by_role("button", name="Play again", exact=True)).to_be_visible()
        expect(page.locator("#acts .primary")).to_have_text("Play again")
        expect(page.get_by_role("button", name="Play again at level")).to_be_hidden()  # none is weaker
        assert page.evaluate(OFFERED, 4) == 1  # whoever has beaten four levels, too, meets no stronger one after a loss
        real.running.service.submit(PlayAgain())
        expect(page.locator("body")).to_have_attribute("data-phase", "play")
        real.running.service.submit(Resign(seat=1))
        expect(page.locator("#acts .primary")).to_have_text("Play again at level 2")
        assert page.evaluate(OFFERED, 4) == 5
        page.get_by_role("button", name="Play again at level 2").click()
        expect(page.locator("#others")).to_contain_text("level 2")


def test_what_was_learned_and_beaten_is_not_what_a_game_offers_first(page: Page, tmp_path: Path) -> None:
    def reached(route: Route) -> None:
        answer = route.fetch()
        known = [{"name": "tides-of-war", "level": 2, "lesson": True, "solved": []}]
        route.fulfill(response=answer, json={**answer.json(), "games": known})

    with real_panel("any", tmp_path, finishes=True) as real:
        page.route("**/api/progress", reached)
        page.goto(real.address)
        known, other = (offers(page).nth(n).get_by_role("button") for n in (0, 1))
        expect(known).to_have_text(["Learn it", "Play", "Against the board, level 3"])
        expect(other).to_have_text(["Play", "Against the board, level 1", "Learn it"])
        page.get_by_role("button", name="Against the board, level 3: Tides of War").click()
        expect(page.locator("#others")).to_contain_text("level 3")


def test_a_lesson_begins_with_a_tap(page: Page, tmp_path: Path) -> None:
    with real_panel("any", tmp_path, finishes=True) as real:
        page.goto(real.address)
        page.get_by_role("button", name="Learn it: Giantslayer").click()
        expect(page.get_by_role("group", name="Lesson")).to_contain_text("Step 1 of")
        expect(page.get_by_role("button", name="Next")).to_be_visible()


def test_who_leaves_a_lesson_is_at_the_start_and_goes_on_from_there_where_it_was_left(
    page: Page, tmp_path: Path
) -> None:
    with real_panel("any", tmp_path, finishes=True) as real:
        page.goto(real.address)
        page.get_by_role("button", name="Learn it: Giantslayer").click()
        lesson, steps = page.get_by_role("group", name="Lesson"), page.locator("#steps")
        steps.get_by_role("button", name="Next").click()
        expect(lesson).to_contain_text("Step 2 of")
        steps.get_by_role("button", name="Leave").click()
        for _ in range(2):  # as it is after a reload, too
            expect(page.get_by_role("dialog")).to_be_hidden()
            expect(lesson).to_be_hidden()
            expect(page.locator("#sentence")).to_have_text("No game is on.")
            expect(offers(page).locator("b")).to_have_text(["Go on learning Giantslayer", *GAMES, "Puzzle of the day"])
            expect(offers(page).first).to_contain_text("Step 2 of")
            page.reload()
        page.get_by_role("button", name="Go on: Giantslayer").click()
        expect(page.locator("#lobby")).to_have_count(0)
        expect(lesson).to_contain_text("Step 2 of")
        tap(page, "e1")
        tap(page, "e3")
        expect(lesson).to_contain_text("Step 3 of")
        steps.get_by_role("button", name="Leave").click()
        page.get_by_role("button", name="Play: Circle").click()
        expect(page.locator("#title")).to_have_text("Circle")
        expect(page.locator("#lobby")).to_have_count(0)
        page.get_by_role("button", name="New game").click()
        page.get_by_role("dialog").get_by_role("button", name="Learn it").click()
        expect(lesson).to_contain_text("Step 1 of")  # the lesson of another evening is not the one that was left


def test_a_lesson_that_was_left_is_over_for_the_other_phone_too_and_nobody_is_asked_about_it(
    open_table: OpenTable, pages: Pages
) -> None:
    table = open_table("first36", finishes=True)
    ann, ben = pages(), pages()
    for page in (ann, ben):
        join(page, table.url)
    ann.get_by_role("button", name="Learn it: Tides of War").click()
    ann.locator("#steps").get_by_role("button", name="Next").click()
    expect(ben.get_by_role("group", name="Lesson")).to_contain_text("Step 2 of")
    tap(ann, "b5")
    expect(ann.locator("#toast")).to_contain_text("another move")
    ann.locator("#steps").get_by_role("button", name="Leave").click()
    expect(ann.locator("#toast")).to_have_text("", timeout=3000)  # what was wrong in the lesson no longer matters
    for page in (ann, ben):
        expect(page.locator("#sentence")).to_have_text("No game is on.")
    expect(ann.locator("#lobby .offer").first).to_contain_text("Step 2 of")
    expect(ben.get_by_role("button", name="Go on: Tides of War")).to_have_count(0)  # it is Ann's
    ann.get_by_role("button", name="Go on: Tides of War").click()
    for page in (ann, ben):
        expect(page.get_by_role("group", name="Lesson")).to_contain_text("Step 2 of")
    ben.locator("#steps").get_by_role("button", name="Leave").click()  # she is in it still
    expect(ben.locator("#lobby")).to_be_visible()
    expect(ann.get_by_role("group", name="Lesson")).to_be_visible()
    ann.locator("#steps").get_by_role("button", name="Leave").click()
    expect(ann.locator("#sentence")).to_have_text("No game is on.")
    ben.get_by_role("button", name="Against the board, level 1: Tides of War").click()
    for page in (ann, ben):
        expect(page.locator("#others")).to_contain_text("level 1")
        expect(page.get_by_role("dialog")).to_have_count(0)


def test_at_the_target_it_stands_which_class_beats_which(page: Page, tmp_path: Path) -> None:
    with real_panel("any", tmp_path, finishes=True) as real:
        page.goto(real.address)
        page.get_by_role("button", name="Learn it: Circle").click()
        page.locator("#steps").get_by_role("button", name="Next").click()
        expect(page.get_by_role("group", name="Lesson")).to_contain_text("Step 2 of")
        tap(page, "d4")
        expect(page.locator("#board .against text")).to_have_text(["2 > 1"])
        expect(page.locator("#card")).to_contain_text("Class 2 (leaf) beats class 1 (drop) on e5.")
        tap(page, "e5")
        made(page, 1)
        expect(page.locator("#board .against")).to_have_count(0)


def test_the_games_are_there_at_once_and_their_pictures_follow(page: Page, tmp_path: Path) -> None:
    with real_panel("any", tmp_path, finishes=True) as real:
        page.goto(real.address)
        expect(offers(page)).to_have_count(7)
        assert page.evaluate("performance.now()") < 1900  # what is loaded later comes after two seconds
        box = offers(page).first.bounding_box()
        expect(page.locator("#lobby img[src]")).to_have_count(7)
        assert offers(page).first.bounding_box() == box


def test_a_bid_is_made_with_two_taps(page: Page, tmp_path: Path) -> None:
    with real_panel("any", tmp_path, finishes=True) as real:
        page.goto(real.address)
        page.get_by_role("button", name="Play: Beacons").click()
        form = page.locator("#share")
        form.get_by_role("button", name="Equally").click()
        expect(form.locator("output")).to_have_text("All 12 shared out")
        form.get_by_role("button", name="Confirm").click()
        made(page, 1)
        assert real.plies == ("bid 6 6",)


def test_a_newcomer_plays_with_the_first_tap(open_table: OpenTable, pages: Pages) -> None:
    """It joins and begins; the name is asked for in passing."""
    table, guest = open_table(finishes=True), pages(viewport={"width": 360, "height": 640})
    guest.goto(table.url)
    guest.get_by_role("button", name="Against the board, level 1: Tides of War").click()
    expect(guest.locator("#sentence")).to_have_text("Your turn")
    expect(guest.locator("#mine .seat")).to_contain_text("you")
    expect(guest.locator("#joining")).to_contain_text("Enter your name")  # no cell is to be touched any more
    assert [phone.seats for phone in table.phones.all()] == [(0,)]


def test_who_joins_first_begins_a_game_afterwards(open_table: OpenTable, pages: Pages) -> None:
    table, guest = open_table(), pages()
    guest.goto(table.url)
    guest.get_by_role("button", name="Join").click()
    expect(guest.locator("#joining")).to_contain_text("You are in.")
    expect(guest.get_by_role("button", name="Play: Tides of War")).to_be_visible()
    expect(guest.locator("#lobby")).to_have_count(1)


def standing_out(page: Page) -> list[str]:
    """Return what stands on the buttons that are filled with the accent's colour."""
    found: list[str] = page.locator("button:visible").evaluate_all(
        """buttons => buttons.filter(each => getComputedStyle(each).color === 'rgb(255, 255, 255)')
            .map(each => each.textContent)"""
    )
    return found


def test_one_button_stands_out_at_a_time_at_the_start(open_table: OpenTable, pages: Pages) -> None:
    table, guest = open_table(), pages()
    guest.goto(table.url)
    expect(guest.locator("#lobby button").first).to_be_visible()
    assert standing_out(guest) == ["Learn it"]  # joining is part of it
    join(guest, table.url)
    expect(guest.get_by_role("button", name="Learn it: Tides of War")).to_be_visible()
    expect(guest.get_by_role("button", name="Save")).to_be_visible()
    assert standing_out(guest) == ["Save"]
    guest.get_by_role("button", name="Play without a name").click()
    expect(guest.get_by_role("button", name="Save")).to_have_count(0)
    assert standing_out(guest) == ["Learn it"]


def test_a_week_later_the_game_that_was_left_is_offered_first(page: Page, tmp_path: Path) -> None:
    with real_panel("any", tmp_path, finishes=True) as real:
        submit = real.running.service.submit
        submit(NewGame(game="tides-of-war", seed=1))
        page.goto(real.address)
        tap(page, "c3")
        tap(page, "d3")
        made(page, 1)
        submit(NewGame(game="giantslayer", seed=1))
        expect(page.locator("#title")).to_have_text("Giantslayer")
        submit(Resign(seat=0))
        expect(page.locator("body")).to_have_attribute("data-phase", "over")
    for number in (1, 2):
        begun(tmp_path / "games.sqlite3", A_WEEK_AGO, number=number)
    with real_panel("any", tmp_path, finishes=True) as real:
        page.goto(real.address)
        first = offers(page).first
        expect(first.locator("b")).to_have_text("Go on with Tides of War")
        expect(first).to_contain_text("1 move played")
        expect(first.locator("img")).to_have_attribute("src", "/history/1/position.svg")  # how it stands
        assert first.locator("img").evaluate("image => image.decode().then(() => image.naturalWidth > 0)")
        expect(offers(page)).to_have_count(8)  # who has resigned is not asked to go on
        page.get_by_role("button", name="Go on: Tides of War").click()
        expect(page.locator("#title")).to_have_text("Tides of War")
        made(page, 1)
