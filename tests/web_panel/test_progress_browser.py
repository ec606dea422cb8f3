"""Somebody comes back: what was reached, today's puzzle, and what the family sees, in Chromium on the real service."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from controller.orders import NextStep, PlayPly, Resign, StartLesson
from controller.table.views.sentences_of_play import shown
from tests.service.evenings import A_WEEK_AGO, begun
from tests.web_panel.real_table import OpenTable, Pages, RealTable


@pytest.fixture
def table(open_table: OpenTable) -> RealTable:
    return open_table("first36", finishes=True)


def come(page: Page, table: RealTable, name: str) -> None:
    """Be let in as somebody with a name, and look at the panel."""
    for path, given in (("pair", {"name": name}), ("pair/touch", {})):
        assert page.request.post(f"{table.url}api/{path}", data=given).ok
    page.goto(table.url)


def offers(page: Page) -> Locator:
    return page.get_by_role("group", name="Choose a game").get_by_role("group")


def solve(table: RealTable) -> None:
    """Find the move of the puzzle that is on."""
    table.set_up()
    table.running.service.submit(PlayPly(text=table.table.play.session.lesson.steps[0].ply))


def test_the_puzzle_of_the_day_is_begun_with_a_tap_and_found_only_once(table: RealTable, pages: Pages) -> None:
    page = pages()
    page.set_viewport_size({"width": 320, "height": 568})
    come(page, table, "Ann")
    expect(offers(page).locator("b")).to_have_text(["Tides of War", "Puzzle of the day"])
    page.get_by_role("button", name="Solve it: Puzzle of the day").click()
    expect(page.get_by_role("group", name="Lesson")).to_be_visible()
    solve(table)
    expect(page.get_by_role("group", name="Lesson")).to_contain_text("Solved")
    page.goto(f"{table.url}puzzles")
    today = page.get_by_role("region", name="Puzzle of the day")
    expect(today).to_contain_text("✓ solved")
    expect(page.locator("#puzzles")).to_contain_text("Solved: 1 of")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_somebody_has_reached_stands_at_the_game_and_in_the_list_of_the_people(
    table: RealTable, pages: Pages
) -> None:
    page = pages()
    page.set_viewport_size({"width": 320, "height": 568})
    come(page, table, "Ann")
    page.get_by_role("button", name="Against the board, level 1: Tides of War").click()
    expect(page.locator("body")).to_have_attribute("data-phase", "play")
    expect(page.locator("#mine")).to_contain_text("Ann")  # nobody had to say which side she plays
    table.running.service.submit(Resign(seat=1))
    page.get_by_role("button", name="Solve a puzzle").click()  # one of the game that was just played
    expect(page.get_by_role("group", name="Lesson")).to_be_visible()
    assert table.table.play.session.name == "tides-of-war"
    assert table.table.play.session.lesson.puzzle
    solve(table)
    page.get_by_role("button", name="New game").click()
    card = page.locator("#games .card").filter(has_text="Tides of War")
    expect(card).to_contain_text("✓ level 1 beaten, 1 puzzle")
    page.goto(f"{table.url}join")
    page.locator("#household summary").filter(has_text="Ann").click()
    expect(page.get_by_role("row", name="Tides of War")).to_contain_text("level 1 beaten, 1 puzzle")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_lesson_that_was_gone_through_is_told_to_whoever_asked_for_it_alone(table: RealTable, pages: Pages) -> None:
    ann, guest = pages(), pages()
    come(ann, table, "Ann")
    ann.get_by_role("button", name="Learn it: Tides of War").click()
    expect(ann.get_by_role("group", name="Lesson")).to_be_visible()
    table.set_up()
    while table.table.play.session.expected:
        table.running.service.submit(PlayPly(text=table.table.play.session.expected))
    ann.get_by_role("button", name="New game").click()
    expect(ann.locator("#games .card").filter(has_text="Tides of War")).to_contain_text("✓ lesson done")
    assert guest.request.get(f"{table.url}api/progress").json()["games"] == []


def test_after_a_lesson_the_level_is_offered_that_the_choice_of_games_offers(table: RealTable, pages: Pages) -> None:
    ann = pages()
    come(ann, table, "Ann")
    ann.get_by_role("button", name="Against the board, level 1: Tides of War").click()
    expect(ann.locator("body")).to_have_attribute("data-phase", "play")
    table.running.service.submit(Resign(seat=1))
    expect(ann.locator("body")).to_have_attribute("data-phase", "over")
    table.running.service.submit(StartLesson(game="tides-of-war"))
    table.set_up()
    while table.table.play.session.expected:
        table.running.service.submit(PlayPly(text=table.table.play.session.expected))
    while not shown(table.table, table.table.play).over:
        table.running.service.submit(NextStep())
    expect(ann.locator("#steps").get_by_role("button", name="Against the board, level 2")).to_be_visible()


def test_on_another_evening_the_empty_table_tells_what_was_reached(
    table: RealTable, pages: Pages, open_table: OpenTable, tmp_path: Path
) -> None:
    ann = pages()
    come(ann, table, "Ann")
    ann.get_by_role("button", name="Against the board, level 1: Tides of War").click()
    expect(ann.locator("body")).to_have_attribute("data-phase", "play")
    table.running.service.submit(Resign(seat=1))
    table.close()
    begun(tmp_path / "games.sqlite3", A_WEEK_AGO)
    again = open_table("first36", finishes=True)
    ann.goto(again.url)
    expect(ann.get_by_role("group", name="Tides of War")).to_contain_text("✓ level 1 beaten")
    expect(ann.get_by_role("group", name="Puzzle of the day")).to_be_visible()
