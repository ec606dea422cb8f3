"""Shells turned by a finger that goes round a cell, in Chromium on the real service."""

from __future__ import annotations

import math
import re

import pytest
from playwright.sync_api import Page, expect

from tests.web_panel.real_backend import board_site, made
from tests.web_panel.real_table import eventually
from tests.web_panel.test_dial_browser import Open, touched

__all__ = ["touched"]
CELL = "b3"


def spot(page: Page, label: str) -> tuple[float, float]:
    box = page.locator(f'#board [data-site="{board_site(page, label)}"] .face').bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def shell(page: Page) -> str:
    """Return which nodes of the cell a piece is drawn on, a digit each."""
    return "".join(
        str(page.locator(f'#board .token[data-on="{board_site(page, f"{CELL}:{node}")}"]').count()) for node in range(6)
    )


def go_round(page: Page, begin: str, degrees: float, let_go: bool = True) -> None:
    """Drag from a node round its cell, clockwise."""
    (x, y), (at_x, at_y) = spot(page, begin.split(":")[0]), spot(page, begin)
    radius, angle = math.hypot(at_x - x, at_y - y), math.atan2(at_y - y, at_x - x)
    page.mouse.move(at_x, at_y)
    page.mouse.down()
    for n in range(1, 9):
        now = angle + math.radians(degrees) * n / 8
        page.mouse.move(x + radius * math.cos(now), y + radius * math.sin(now))
    if let_go:
        page.mouse.up()


@pytest.mark.parametrize(("degrees", "sign"), [(55, "+"), (-55, "-")])
def test_a_shell_turns_as_the_finger_goes_round(touched: Open, degrees: float, sign: str) -> None:
    page, real = touched(template="trial")
    before = shell(page)
    assert "1" in before
    assert "0" in before
    go_round(page, f"{CELL}:1", degrees)
    made(page, 1)
    assert real.plies == (f"s {CELL} {sign}",)
    expect(page.locator(".ring-turned")).to_have_count(0)
    after = before[-1] + before[:-1] if sign == "+" else before[1:] + before[0]
    assert shell(page) == after
    page.get_by_role("button", name="Take back").click()
    made(page, 0)
    expect(page.locator(f'#board .token[data-on^="{CELL}:"]')).to_have_count(before.count("1"))
    for _ in range(100):
        if shell(page) == before and not page.locator(".ring-turned").count():
            break
        page.wait_for_timeout(50)
    assert shell(page) == before


def test_a_small_turn_springs_back_and_a_tap_is_a_tap(touched: Open) -> None:
    page, real = touched(template="trial")
    before = shell(page)
    go_round(page, f"{CELL}:1", 14, let_go=False)
    expect(page.locator(".ring-turned")).to_have_count(1)
    expect(page.locator('#board [data-state="lifted"]')).to_have_count(0)
    page.mouse.up()
    expect(page.locator(".ring-turned")).to_have_count(0)
    assert shell(page) == before
    assert real.plies == ()
    page.mouse.click(*spot(page, f"{CELL}:1"))
    eventually(page, "Boolean(document.querySelector('#sheet[open], #board [data-state=lifted], #toast:not(:empty)'))")


def test_whoever_cannot_turn_it_is_told(touched: Open) -> None:
    page, real = touched(template="trial")
    go_round(page, "b2:0", 50)  # nothing of this player's is there
    expect(page.locator("#toast")).to_have_text(re.compile("cannot be turned"))
    expect(page.locator(".ring-turned")).to_have_count(0)
    assert real.plies == ()
