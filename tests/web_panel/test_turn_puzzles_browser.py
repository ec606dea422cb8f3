"""A puzzle of Beacons in Chromium, by touch on a phone: tried in a wrong way, led back, solved with a beacon."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.game_setup import Lesson
from controller.lessons.puzzle_files import Puzzle, all_puzzles
from tests.web_panel.real_backend import Real, board_site, made, real_panel
from tests.web_panel.test_dial_browser import touch

NAME = "beacons"


def lesson_of(puzzle: Puzzle) -> Lesson:
    assert puzzle.order.lesson is not None
    return puzzle.order.lesson


def carried_and_built() -> tuple[int, Lesson]:
    """The first puzzle, and its number on the page, in which units are carried and then one beacon is built."""
    for number, puzzle in enumerate(all_puzzles()[NAME], 1):
        *carried, last = (step.ply for step in lesson_of(puzzle).steps)
        if last.startswith("b ") and all(ply.startswith("t ") for ply in carried):
            return number, lesson_of(puzzle)
    raise AssertionError


@pytest.fixture
def phone(pages: Callable[..., Page], tmp_path: Path) -> Iterator[tuple[Page, Real]]:
    with real_panel("shell19", tmp_path, finishes=True) as real:
        page = pages()
        page.goto(f"{real.address}puzzles")
        yield page, real


def carry(page: Page, ply: str) -> None:
    """Bring units from one cell to another, as many as ``ply`` says."""
    _, begin, end, units = ply.split()
    touch(page, begin)
    expect(page.locator('#board [data-state="lifted"]')).to_have_count(1)
    touch(page, end)
    sheet = page.locator("#sheet")
    expect(sheet.get_by_role("heading")).to_have_text(f"Transfer from {begin} to {end}")
    if (number := sheet.get_by_role("button", name=units, exact=True)).count():
        number.tap()
    sheet.get_by_role("button", name=f"Confirm: {units}").tap()


def test_a_turn_is_tried_led_back_and_solved_by_touch(phone: tuple[Page, Real]) -> None:
    page, real = phone
    number, lesson = carried_and_built()
    *carried, beacon = (step.ply for step in lesson.steps)
    expect(page.get_by_role("region", name="Beacons")).to_contain_text(f"Solved: 0 of {len(all_puzzles()[NAME])}")
    page.get_by_role("button", name=re.compile(f"^Puzzle {number}, .*in one turn")).tap()
    page.wait_for_url(real.address)
    box = page.get_by_role("group", name="Lesson")
    expect(box).to_contain_text(re.compile("beacon.* in this turn.* are enough", re.DOTALL))
    expect(page.locator("body")).to_have_attribute("data-phase", "play")
    page.locator("#acts").get_by_role("button", name=re.compile("[Ee]nd turn")).tap()
    expect(box).to_contain_text("The goal cannot be reached in this turn after this")
    assert real.plies == ()
    for count, ply in enumerate(carried, 1):
        carry(page, ply)
        made(page, count)
        expect(box).to_contain_text(f"Actions so far: {count}.")
    touch(page, beacon.removeprefix("b "))
    page.locator("#sheet").get_by_role("button", name=re.compile("^Build the beacon")).tap()
    expect(box).to_contain_text(f"Solved with {len(lesson.steps)} actions: it cannot be done with fewer.")
    assert real.plies == (*carried, beacon)
    page.locator("#steps").get_by_role("button", name="Next puzzle").tap()
    expect(box).to_contain_text("are enough")
    page.goto(f"{real.address}puzzles")
    expect(page.get_by_role("region", name="Beacons")).to_contain_text("Solved: 1 of")


def test_the_goal_glows_and_the_next_action_is_shown_to_who_asks(phone: tuple[Page, Real]) -> None:
    page, real = phone
    number, lesson = carried_and_built()
    first, beacon = lesson.steps[0].ply, lesson.steps[-1].ply.removeprefix("b ")
    page.get_by_role("button", name=re.compile(f"^Puzzle {number}, ")).tap()
    page.wait_for_url(real.address)
    box = page.get_by_role("group", name="Lesson")
    expect(box).to_contain_text("are enough")
    if lesson.goal.startswith("beacon"):
        goal = page.locator(f'#board [data-site="{board_site(page, beacon)}"]')
        expect(goal).to_have_attribute("aria-label", re.compile("may go"))
    page.locator("#steps").get_by_role("button", name="Show the move").tap()
    expect(box).to_contain_text("make it as the lights show")
    _, begin, end, _ = first.split()  # nothing else can be made now, so that no number is asked
    touch(page, begin)
    expect(page.locator('#board [data-state="lifted"]')).to_have_count(1)
    touch(page, end)
    made(page, 1)
    assert real.plies == (first,)
    page.locator("#steps").get_by_role("button", name="Show the move").tap()
    expect(box).to_contain_text("make it as the lights show")
    page.goto(f"{real.address}puzzles")
    expect(page.get_by_role("region", name="Beacons")).to_contain_text("Solved: 0 of")


def test_a_board_of_squares_has_no_puzzles_of_hexes(tmp_path: Path, page: Page) -> None:
    with real_panel("shellsquare16", tmp_path) as real:
        page.goto(f"{real.address}puzzles")
        expect(page.locator("#puzzles")).to_contain_text("There are no puzzles for the games of this board yet.")
