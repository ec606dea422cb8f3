"""An evening at its end and a week later, in Chromium on the real service: its table, and the welcome."""

from __future__ import annotations

import re
import struct
from pathlib import Path

from playwright.sync_api import Route, expect

from controller.orders import PlayPly
from tests.service.evenings import begun
from tests.web_panel.real_table import OpenTable, Pages, join, say_name


def test_the_table_of_an_evening_is_one_tap_from_the_end_of_a_game_and_shared_in_words_and_as_a_picture(
    open_table: OpenTable, pages: Pages
) -> None:
    table, (ann, ben) = open_table(), (pages(), pages())
    table.new_game("tides-of-war")
    join(ann, table.url, "White")
    join(ben, table.url, "Black")
    say_name(ann, "Ann")
    say_name(ben, "Ben")
    for text in ("c3-d3", "e3xc3xa1"):
        table.running.service.submit(PlayPly(text=text))
    ann.locator("#over").get_by_role("button", name="This evening").click()
    rows = ann.locator("#evening .tonight li")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Ben")
    expect(rows.first.get_by_role("img", name="leads")).to_be_visible()
    expect(rows.first).to_contain_text("Ben jumped into the enemy's town.")
    expect(rows.last).to_contain_text("0 of 1 won")
    expect(rows.last.get_by_role("img")).to_have_count(0)
    ann.route("**/api/reach", lambda asked: asked.fulfill(json={"address": "http://192.168.1.20:8000", "open": True}))
    ann.evaluate("Object.defineProperty(navigator, 'share', { value: undefined })")
    ann.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    ann.evaluate("document.addEventListener('copy', () => (window.taken = document.activeElement.value))")
    ann.locator("#sheet").get_by_role("button", name="Share").click()
    expect(ann.locator("#evening").get_by_role("status")).to_contain_text("Copied")
    expect(ann.locator("#evening").get_by_role("status")).to_contain_text("Copied, with the text before it: ")
    day = ann.evaluate("new Date().toLocaleDateString([], { dateStyle: 'long' })")
    assert ann.evaluate("taken").startswith(
        f"This evening, {day}\n★ Ben: 1 of 1 won. Ben jumped into the enemy's town.\nAnn: 0 of 1 won"
    )
    expect(ann.locator("#evening ul a")).to_have_attribute("href", re.compile(r"/history/\d+"))
    with ann.expect_download() as saved:
        ann.locator("#sheet").get_by_role("button", name="Save as a picture").click()
    png = Path(saved.value.path()).read_bytes()
    assert (saved.value.suggested_filename, struct.unpack(">I", png[16:20])) == ("evening.png", (1080,))


def test_who_opens_the_panel_a_week_later_is_welcomed_and_not_twice_alike(
    open_table: OpenTable, pages: Pages, tmp_path: Path
) -> None:
    table, mara = open_table(), pages()
    join(mara, table.url)
    say_name(mara, "Mara")
    mara.goto(table.url)
    expect(mara.locator("#lobby")).to_be_visible()
    expect(mara.locator("#welcome")).to_have_count(0)  # she has never played here
    mara.get_by_role("button", name="Against the board, level 1: Tides of War").click()
    expect(mara.locator("body")).not_to_have_attribute("data-phase", "idle")
    mara.get_by_role("button", name="Menu").click()
    mara.get_by_role("button", name="Resign …").click()
    mara.get_by_role("button", name="Yes").click()
    expect(mara.locator("body")).to_have_attribute("data-phase", "over")
    port = int(table.url.rstrip("/").rpartition(":")[2])
    table.close()
    begun(tmp_path / "games.sqlite3", "-7 days")
    again = open_table(port=port)
    lines = []
    for _ in range(3):
        mara.goto(again.url)
        expect(mara.locator("#welcome button")).to_have_count(1)
        lines.append(mara.locator("#welcome b").inner_text())
    assert (
        lines[0] == lines[2] == ("Welcome back, Mara. Last time the board won Tides of War at level 1: try it again.")
    )
    assert lines[1].startswith("Welcome back, Mara. The puzzle of the day is of ")
    mara.get_by_role("button", name="Menu").click()
    mara.locator("#sheet").get_by_role("button", name="The last evening").click()
    expect(mara.locator("#sheet")).to_have_attribute("aria-label", "The last evening")
    mara.keyboard.press("Escape")
    mara.locator("#welcome button").click()
    expect(mara.locator("body")).not_to_have_attribute("data-phase", "idle")
    expect(mara.locator("#welcome")).not_to_be_visible()
    assert again.table.play is not None
    assert again.table.play.session.opponents.levels == (0, 1)


def test_an_evening_that_comes_once_the_menu_was_closed_opens_nothing(open_table: OpenTable, pages: Pages) -> None:
    table, ann = open_table(), pages()
    table.new_game("tides-of-war")
    join(ann, table.url, "White")
    with ann.expect_response("**/api/evening"):  # for its name in the menu
        ann.get_by_role("button", name="Menu").click()
    sheet = ann.locator("#sheet")
    asked: list[Route] = []
    ann.route("**/api/evening", lambda route: asked.append(route))
    with ann.expect_request("**/api/evening"):
        sheet.get_by_role("button", name="This evening").click()
    ann.keyboard.press("Escape")
    expect(sheet).not_to_be_visible()
    ann.evaluate("() => { HTMLDialogElement.prototype.showModal = () => (window.reopened = true); }")
    with ann.expect_response("**/api/evening"):
        asked[0].fulfill(json={"games": [], "tally": "", "people": []})
    ann.wait_for_function("() => [...document.styleSheets].some(({ href }) => href?.endsWith('/crown.css'))")
    ann.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert ann.evaluate("window.reopened") is None
    expect(sheet).not_to_be_visible()
