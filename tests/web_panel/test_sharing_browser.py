"""Sharing and looking back in Chromium: every move has an address, screens are read only, a game goes on meanwhile."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from controller.game_setup import ClockRule
from controller.orders import NewGame, PlayAgain, PlayPly, Resign
from controller.panel.pieces_needed import expected
from tests.web_panel.real_table import OpenTable, RealTable, join, phone
from tests.web_panel.test_contrast import contrast

PLIES = ("e1-f1", "f3-e2", "f1xf3xd3xf1")
ORDER = """text => fetch("/api/order", { method: "POST", headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ do: "ply", text, seat: 0 }) }).then((answer) => answer.status)"""


def played(table: RealTable, *plies: str) -> None:
    clock = ClockRule("sudden", minutes=5)
    table.running.service.submit(NewGame(game="tides-of-war", seed=1, clock=clock))
    table.running.hand.set_up(expected(table.table))
    next(seen for seen in table.running.service.watch(20) if seen is not None and not seen.table.play.setting_up)
    for ply in plies:
        table.running.service.submit(PlayPly(text=ply))
    table.running.hand.set_up(expected(table.table))


@pytest.fixture
def table(open_table: OpenTable) -> RealTable:
    made = open_table()
    played(made, *PLIES)
    return made


def test_every_move_has_an_address_that_reload_back_and_keys_know(table: RealTable, page: Page) -> None:
    now = page.locator("#now")
    page.goto(f"{table.url}history/1?ply=2")
    expect(now).to_contain_text("Move 2 of 3, Black")
    page.keyboard.press("ArrowLeft")
    expect(now).to_contain_text("Move 1 of 3")
    assert page.url.endswith("/history/1?ply=1")
    page.keyboard.press("End")
    expect(now).to_contain_text("Move 3 of 3")
    page.reload()
    expect(now).to_contain_text("Move 3 of 3")
    page.go_back()
    expect(now).to_contain_text("Move 1 of 3")
    page.go_forward()
    expect(now).to_contain_text("Move 3 of 3")
    page.keyboard.press("Home")
    expect(now).to_contain_text("The start")
    expect(page.locator("#figures")).to_contain_text("Captured by White: 3")
    page.goto(f"{table.url}history#1")  # as addresses were before
    expect(now).to_contain_text("Move 3 of 3")
    assert page.url.endswith("/history/1?ply=3")


def test_who_looks_back_disturbs_nothing_and_returns_with_one_tap(table: RealTable, page: Page) -> None:
    page.goto(table.url)
    page.locator("#plies").get_by_role("button", name=PLIES[0]).click()
    earlier = page.locator("#look-back")
    expect(earlier).to_contain_text("Move 1 of 3, White: stone from e1 to f1")
    expect(earlier.locator(".token")).to_have_count(28)
    page.keyboard.press("End")
    expect(earlier).to_contain_text("Move 3 of 3")
    expect(earlier.locator(".token")).to_have_count(25)
    table.running.service.submit(PlayPly(text="b6-a6"))
    expect(page.locator("#plies li")).to_have_count(4)
    expect(earlier).to_be_visible()
    earlier.get_by_role("button", name="Back to the game").click()
    expect(earlier).to_be_hidden()
    assert table.table.play.session.plies == (*PLIES, "b6-a6")
    expect(page.locator('[data-seat="0"] .captured')).to_have_attribute("aria-label", re.compile("3 × stone"))


def test_moves_taken_back_are_made_again_with_one_button(table: RealTable, browser: Browser) -> None:
    mine = phone(browser).new_page()
    join(mine, table.url)
    for left in (2, 1):
        mine.locator("#take-back").click()
        expect(mine.locator("#plies li")).to_have_count(left)
    mine.get_by_role("button", name="Redo 2 moves").click()
    expect(mine.locator("#plies li")).to_have_count(3)
    expect(mine.get_by_role("button", name=re.compile("Redo"))).to_have_count(0)
    assert table.table.play.session.plies == PLIES
    mine.context.close()


def test_the_end_leads_to_the_replay(table: RealTable, page: Page) -> None:
    page.goto(table.url)
    table.running.service.submit(Resign(seat=0))
    over = page.locator("#over")
    expect(over).to_contain_text("Moves: 3, minutes: 1")
    over.get_by_role("link", name="See it again").click()
    expect(page.locator("#now")).to_contain_text("Move 3 of 3")


# Whether each game of the evening is told: null where it is told in part.
TOLD_GAMES = """() => { const all = document.querySelector("#evening").getBoundingClientRect();
    return [...document.querySelectorAll("#evening li")].map((each) => { const at = each.getBoundingClientRect();
        if (!at.width || at.left >= all.right || at.top >= all.bottom) return false;
        return at.bottom <= all.bottom + 1 || null; }); }"""


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 720)])
def test_the_television_shows_everything_at_once(table: RealTable, page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{table.url}tv")
    expect(page.locator("#last")).to_contain_text("White: f1 to f3, then to d3, then to f1, takes f2, e3 and e2")
    expect(page.locator(".seat time")).to_have_text([re.compile(r"\d:\d\d")] * 2)
    for part in ("#board", "#title", "#sentence", "#last", '[data-seat="0"]', '[data-seat="1"]'):
        box = page.locator(part).bounding_box()
        assert box is not None, part
        assert box["x"] >= 0, part
        assert box["y"] >= 0, part
        assert box["x"] + box["width"] <= width, part
        assert box["y"] + box["height"] <= height, part
    assert page.locator("button, input").count() == 0
    expect(page.locator("a")).to_have_attribute("href", "/")  # the only one: who came here on a phone can go back


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (720, 1280)])
def test_between_two_games_the_television_tells_who_has_won_what_this_evening(
    table: RealTable, page: Page, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{table.url}tv")
    expect(page.locator("#last")).to_contain_text("White: f1")
    expect(page.locator("#evening")).to_be_empty()
    table.running.service.submit(Resign(seat=0))
    expect(page.locator("#evening li")).to_have_count(1)
    assert page.evaluate(TOLD_GAMES) == [True]  # no heading over nothing
    for loser in (0, 1, 0, 1, 0, 0):
        table.running.service.submit(PlayAgain())
        expect(page.locator("#evening")).to_be_empty()
        table.running.service.submit(Resign(seat=loser))
        expect(page.locator("#evening .tally")).to_be_visible()
    expect(page.locator("#evening .tally")).to_have_text("Won: Black (5), White (2).")
    expect(page.locator("#evening li")).to_have_count(4)  # as many as there is room for, the newest
    assert page.evaluate(TOLD_GAMES) == [True] * 4
    for length in range(1, 16):  # of a last move in more words: what has no room is not told, and no line of it is cut
        told = page.evaluate(f"last.textContent = 'b1 to c1, takes d2. '.repeat({length}), ({TOLD_GAMES})()")
        assert None not in told, (length, told)
        assert page.locator("#evening h3").is_visible() == (told[0] is True), (length, told)
    assert (False in told) == (width > height)
    page.evaluate("last.textContent = ''")
    for part in ("#board", "#sentence", "#evening .tally"):
        box = page.locator(part).bounding_box()
        assert box is not None, part
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= height, part
        assert box["x"] + box["width"] <= width, part
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.parametrize("place", ["seats", "mine"])
def test_the_clock_that_runs_is_read_on_the_television(table: RealTable, page: Page, place: str) -> None:
    if place == "mine":
        table.running.service.submit(PlayPly(text="b6-a6"))
    page.goto(f"{table.url}tv")
    running = f"#{place} time.running"
    expect(page.locator(running)).to_be_visible()
    seen = "(running) => { const { color, backgroundColor } = getComputedStyle(document.querySelector(running)); "
    colours = page.evaluate(f"{seen} return [color, backgroundColor]; }}", running)  # found and asked at once: it ticks
    parts = [[int(part) / 255 for part in re.findall(r"[\d.]+", colour)] for colour in colours]
    assert contrast(*parts) >= 4.5, colours


def test_the_television_tells_a_turn_whole_and_shows_a_dark_disc(open_table: OpenTable, page: Page) -> None:
    table = open_table("square144")
    table.new_game("circle", players=4)
    for text in ("a2+", "a3+"):
        table.running.service.submit(PlayPly(text=text))
    page.goto(f"{table.url}tv")
    expect(page.locator("#last")).to_have_text("White: a2 becomes class 2 (leaf); a3 becomes class 2 (leaf)")
    plate, disc = (
        [int(part) / 255 for part in re.findall(r"[\d.]+", page.locator(f"#seats {at}").first.evaluate(
            "(e, name) => getComputedStyle(e)[name]", name))]
        for at, name in (("i.drawn", "backgroundColor"), ("i.drawn path", "fill"))
    )  # fmt: skip
    assert len(plate) == 3  # no see-through one
    assert contrast(plate, disc) >= 3


def test_a_screen_shows_no_secret_of_the_phone_that_opened_it(open_table: OpenTable, browser: Browser) -> None:
    table = open_table("shell19")
    context = phone(browser)
    mine = context.new_page()
    join(mine, table.url)
    table.new_game("beacons", rounds=1)
    names = table.table.play.session.game.facts.seats
    mine.goto(f"{table.url}join")
    mine.locator("#chairs").get_by_role("button", name=re.compile(names[0])).first.click()
    expect(mine.locator("#chairs")).to_contain_text("Release")
    assert mine.evaluate(ORDER, "bid 3 9") == 200
    mine.goto(table.url)
    expect(mine.locator("#plies")).to_contain_text("Bid 3 for Player 1, 9 for Player 2")
    mine.goto(f"{table.url}tv")
    expect(mine.locator("#sentence")).to_have_text(f"Waiting for {names[1]} to share out units.")
    expect(mine.locator("#last")).to_be_empty()
    expect(mine.locator("body")).not_to_contain_text(re.compile("3 9|9 for"))
    context.close()


def test_the_clocks_fill_the_screen_and_run(table: RealTable, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{table.url}clock")
    expect(page.locator("#clocks time")).to_have_count(2)
    expect(page.locator("#clocks .running")).to_have_attribute("data-seat", "1")
    first = page.locator("#clocks .running time").inner_text()
    expect(page.locator("#clocks .running time")).not_to_have_text(first)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.parametrize(("width", "height"), [(360, 640), (320, 568)])
def test_a_look_back_on_a_small_phone_has_its_buttons_in_reach(
    open_table: OpenTable, page: Page, width: int, height: int
) -> None:
    table = open_table("shell19")
    table.new_game("beacons", template="trial")
    page.set_viewport_size({"width": width, "height": height})
    page.goto(table.url)
    expect(page.locator("body")).to_have_attribute("data-phase", "play")
    page.evaluate("document.querySelector('#plies').append(Object.assign(document.createElement('li'), "
                  "{ innerHTML: '<button data-ply=\"0\">0</button>' }))")  # fmt: skip
    page.evaluate("document.querySelector('[data-ply]').click()")
    expect(page.locator("#look-back")).to_be_visible()
    page.evaluate("document.querySelector('#look-back ul').style.minHeight = '60rem'")
    for button in page.locator("#look-back .choices button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= height
        assert box["height"] >= 44
