"""What decided a game, in Chromium on the real service: asked for at its end, with pictures, shared, played on from."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.chromium import painted
from tests.web_panel.real_backend import begin, made, real_panel, write

# Black overlooks the way into the town, White lets it be open, and Black takes it.
LOST = ("c3-c4", "c6-b5", "c2-d3", "c5xc3xa1")

# White overlooks the way into the town with its third move, and loses in the end.
OVERLOOKED = (
    "d2-d3", "e3-d2", "c2xe2", "d4-c4", "b2-c2", "f2xd2xd4", "c1-d2",
    "b6-a6", "d1-e2", "e4-e3", "b4-b5", "d4xb2", "b5-b4", "e3xc1xa1",
)  # fmt: skip


@pytest.mark.realtime
def test_a_game_that_is_over_tells_what_decided_it(page: Page, tmp_path: Path) -> None:
    with real_panel("square144", tmp_path) as real:
        page.goto(real.address)
        begin(page, "Tides of War")
        write(page, "; ".join(LOST))
        made(page, len(LOST))
        page.get_by_role("button", name="What decided the game").click()
        sheet = page.locator("#decided")
        expect(sheet).to_contain_text("Black wins: a town is conquered.")
        rows = sheet.locator("li")
        expect(rows.first).to_contain_text("Move", timeout=60_000)
        ply = int(rows.first.locator("p").first.inner_text().removeprefix("Move ").split(",")[0])
        picture = rows.first.get_by_role("img", name=f"The position before move {ply}")
        expect(picture).to_be_visible()
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
        painted(page)
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        sheet.get_by_role("button", name="Share").click()
        expect(sheet.get_by_role("status")).to_contain_text("nly this device can open the board at the moment")
        expect(sheet.get_by_role("button", name="Let phones in")).to_be_visible()
        home = "http://192.168.1.20:8000"  # others reach it there, once phones are let in
        page.route("**/api/reach", lambda asked: asked.fulfill(json={"address": home, "open": True}))
        page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")  # as on plain http
        page.evaluate("document.addEventListener('copy', () => (window.taken = document.activeElement.value))")
        sheet.get_by_role("button", name="Share").click()
        expect(sheet.get_by_role("status")).to_contain_text(f"Copied: {home}/history/1")
        assert page.evaluate("taken").startswith("Tides of War: Black wins: a town is conquered.\nMove ")
        with page.expect_download() as saved:
            sheet.get_by_role("button", name="Save as a picture").click()
        assert saved.value.suggested_filename == "game-1.png"
        expect(sheet.get_by_role("status")).to_have_text("Saved as game-1.png.")
        png = Path(saved.value.path()).read_bytes()
        assert png.startswith(b"\x89PNG\r\n")
        width, height = struct.unpack(">II", png[16:24])
        assert width == 1080
        assert height > rows.count() * 440  # each with its board
        rows.first.get_by_role("button", name="Play on from here").click()
        expect(page.locator("#sheet")).not_to_be_visible()
        expect(page.locator("#plies li")).to_have_count(ply - 1)
        assert real.plies == LOST[: ply - 1]


def give(page: Page, ply: str) -> None:
    """Make a ply as a tap does: a puzzle has no line to write in."""
    page.evaluate("async ply => (await import('/static/common/api.js')).ask('order', { do: 'ply', text: ply })", ply)


@pytest.mark.realtime
def test_what_was_overlooked_becomes_a_puzzle(page: Page, tmp_path: Path) -> None:
    with real_panel("square144", tmp_path) as real:
        page.goto(f"{real.address}puzzles")
        own = page.get_by_role("region", name="From your own games")
        expect(own).to_contain_text("When a game is over, look at what decided it")
        page.goto(real.address)
        begin(page, "Tides of War")
        write(page, "; ".join(OVERLOOKED))
        made(page, len(OVERLOOKED))
        page.get_by_role("button", name="What decided the game").click()
        row = page.locator("#decided li").filter(has=page.get_by_role("button", name="Make it a puzzle")).first
        row.wait_for(timeout=60_000)
        number = int(row.locator("p").first.inner_text().removeprefix("Move ").split(",")[0])
        row.get_by_role("button", name="Make it a puzzle").click()
        expect(page.get_by_role("group", name="Lesson")).to_contain_text("Find")
        play = real.running.service.look().table.play
        assert play is not None
        assert play.session.lesson is not None
        assert play.session.lesson.plies == OVERLOOKED[: number - 1]
        overlooked, best = OVERLOOKED[number - 1], play.session.lesson.steps[0].ply
        page.locator("#acts").get_by_role("button", name="Set up for me").click()
        expect(page.locator("body")).to_have_attribute("data-phase", "play")
        give(page, overlooked)
        expect(page.get_by_role("group", name="Lesson")).to_contain_text("Not the best move")
        give(page, best)
        expect(page.get_by_role("group", name="Lesson")).to_contain_text("Solved:")
        page.goto(f"{real.address}puzzles")
        expect(own.get_by_role("listitem")).to_have_count(1)
        expect(own.get_by_role("listitem")).to_contain_text("✓ solved")
        assert own.locator("img").evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
        painted(page)
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        own.get_by_role("button", name="Solve it again").click()
        page.get_by_role("button", name="Set up").click()
        expect(page.get_by_role("group", name="Lesson")).to_contain_text("Find")
