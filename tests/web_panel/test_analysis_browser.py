"""After the game, in Chromium on the real service: the curve, its turning points, the better move, and playing on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.chromium import painted
from tests.web_panel.real_backend import Real, begin, made, real_panel, write

# Black overlooks the way into the town, White lets it be open, and Black takes it.
LOST = ("c3-c4", "c6-b5", "c2-d3", "c5xc3xa1")


@pytest.fixture
def real(page: Page, tmp_path: Path) -> Iterator[Real]:
    with real_panel("square144", tmp_path) as served:
        page.goto(served.address)
        begin(page, "Tides of War")
        yield served


@pytest.mark.realtime
def test_a_game_is_analysed_and_played_on_from_a_turning_point(page: Page, real: Real) -> None:
    write(page, "; ".join(LOST))
    made(page, len(LOST))
    page.goto(f"{real.address}history/1")
    page.get_by_role("button", name="Analyse this game").click()
    curve = page.get_by_role("group", name=re.compile("Chance of winning after each move"))
    expect(curve).to_be_visible(timeout=60_000)
    expect(curve).to_have_attribute("aria-label", re.compile("White: .* 0 % at the end; Black: .* 100 % at the end"))
    turn = page.locator(".turning li").first
    sentence = turn.locator("span").inner_text()
    number = int(sentence.removeprefix("Move ").split(",")[0])
    curve.get_by_role("button", name=sentence).click()
    painted(page)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    before = f"Move {number - 1} of 4" if number > 1 else "The start"
    expect(page.locator("#now")).to_contain_text(before)
    expect(turn).to_have_attribute("aria-current", "step")
    expect(page.locator("#board .way.better").first).to_be_attached()
    expect(page.locator("#board .way.played").first).to_be_attached()
    page.get_by_role("button", name="To the end").click()
    expect(page.locator("#board .way")).to_have_count(0)
    page.set_viewport_size({"width": 390, "height": 664})
    turn.get_by_role("button", name="Show it").click()
    assert page.locator("#board").evaluate("board => board.getBoundingClientRect().top") >= 0  # the list is below it
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_url(real.address)
    expect(page.locator("#plies li")).to_have_count(number - 1)
    assert real.plies == LOST[: number - 1]
    page.goto(f"{real.address}history/1")  # found once, and there at once from now on
    expect(page.locator(".turning li").first).to_contain_text(sentence)
    expect(page.get_by_role("button", name="Analyse this game")).to_have_count(0)


def test_a_game_that_is_being_played_is_not_analysed(page: Page, real: Real) -> None:
    write(page, "c3-c4; c6-b5")
    made(page, 2)
    page.goto(f"{real.address}history/1")
    expect(page.locator("#analysis")).to_contain_text("This game is still being played")
    answer = page.request.post(f"{real.address}api/history/1/analysis", data="{}",
                               headers={"Content-Type": "application/json"})  # fmt: skip
    assert answer.status == 409
