"""Puzzles in Chromium on the real service: chosen, tried, solved, remembered on this phone, and the next one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.lessons.puzzle_files import all_puzzles
from controller.orders import NewGame, StartPuzzle
from tests.waiting import until
from tests.web_panel.real_backend import Real, real_panel

GAME = "tides-of-war"


@pytest.fixture
def real(page: Page, tmp_path: Path) -> Iterator[Real]:
    all_puzzles()  # they are read once, here and not while a page waits for them
    with real_panel("square144", tmp_path, finishes=True) as served:
        page.goto(f"{served.address}puzzles")
        yield served


def ply(page: Page, text: str) -> None:
    said = page.evaluate(
        """async text => (await fetch("/api/order", {method: "POST", headers: {"Content-Type": "application/json"},
            body: JSON.stringify({do: "ply", text})})).json()""",
        text,
    )
    assert "error" not in said, said


def lesson_of(real: Real) -> str:
    play = real.running.service.look().table.play
    assert play is not None
    assert play.session.lesson is not None
    return play.session.lesson.puzzle


def test_a_puzzle_is_chosen_tried_solved_and_followed_by_the_next(page: Page, real: Real) -> None:
    puzzles = all_puzzles()[GAME]
    expect(page.locator("#puzzles")).to_contain_text(f"Solved: 0 of {len(puzzles)}")
    page.get_by_role("button", name="Next puzzle: Tides of War").click()
    page.wait_for_url(real.address)
    box = page.get_by_role("group", name="Lesson")
    expect(box).to_contain_text("Find the move")
    assert lesson_of(real) == puzzles[0].number
    lesson = puzzles[0].order.lesson
    assert lesson is not None
    expect(page.locator("body")).to_have_attribute("data-phase", "play")
    play = real.running.service.look().table.play
    assert play is not None
    best = lesson.steps[0].ply
    texts = [play.session.game.text(play.session.state, each) for each in play.session.game.plies(play.session.state)]
    wrong = next(text for text in texts if text != best)
    ply(page, wrong)
    expect(box).to_contain_text("Try another.")
    assert not real.plies
    ply(page, best)
    expect(box).to_contain_text("Solved:")
    assert list(real.plies) == [best]
    page.locator("#steps").get_by_role("button", name="Next puzzle").click()
    expect(box).to_contain_text("Find the move")
    assert lesson_of(real) == puzzles[1].number
    page.goto(f"{real.address}puzzles")
    expect(page.locator("#puzzles")).to_contain_text(f"Solved: 1 of {len(puzzles)}")
    expect(page.get_by_role("button", name=re.compile("Puzzle 1, .*, solved"))).to_be_visible()
    page.get_by_role("button", name="Next puzzle: Tides of War").click()  # over a puzzle nothing is asked
    page.wait_for_url(real.address)


def test_the_chain_of_a_puzzle_is_tapped_landing_by_landing(page: Page, real: Real) -> None:
    asked = next(each for each in all_puzzles()[GAME] if each.order.lesson.steps[0].ply == "b4xd4xf6")
    real.running.service.submit(StartPuzzle(GAME, asked.number))
    page.goto(real.address)
    board = page.locator("#board")
    expect(page.locator("body")).to_have_attribute("data-phase", "play")
    for cell, told in (("b4", "Find the move"), ("d4", "Right so far: b4 to d4"), ("f6", "Solved: b4 to d4")):
        board.locator(f'[data-site="{site(real, cell)}"]').click()
        expect(page.get_by_role("group", name="Lesson")).to_contain_text(told)
    assert real.plies == ("b4xd4xf6",)


def test_a_wrong_move_is_drawn_with_the_one_that_wins_after_it(page: Page, real: Real) -> None:
    wrong = next(filter(None, (losing(real, each.number) for each in all_puzzles()[GAME])))
    page.goto(real.address)
    expect(page.locator("body")).to_have_attribute("data-phase", "play")
    expect(page.get_by_role("group", name="Lesson")).to_contain_text("Find the move")
    ply(page, wrong)
    expect(page.get_by_role("group", name="Lesson")).to_contain_text("wins at once")
    expect(page.locator("#board .way.played:not(.head)")).to_have_count(1)
    expect(page.locator("#board .way.last:not(.head)")).to_have_count(1)
    page.locator("#board .site:not(.outside)").first.click()
    expect(page.locator("#board .way")).to_have_count(0)


def losing(real: Real, number: str) -> str:
    """Begin a puzzle; return a ply in it that lets the other one win with the next, "" where there is none."""
    real.running.service.submit(StartPuzzle(GAME, number))
    play = real.running.service.look().table.play
    assert play is not None
    game, state = play.session.game, play.session.state
    for each in game.plies(state):
        after = game.after(state, each)
        if any(game.result(game.after(after, it)).winner == game.seat(after) for it in game.plies(after)):
            return game.text(state, each)
    return ""


def site(real: Real, cell: str) -> str:
    """Return the board's name of a cell of the game."""
    table = real.running.service.look().table
    assert table.play is not None
    return str(table.board.where(table.play.game_area.bit[cell])[0])


def test_a_puzzle_sends_a_game_away_only_after_a_question(page: Page, real: Real) -> None:
    real.running.service.submit(NewGame(game=GAME))
    until(lambda: real.running.service.look().table.phase == "play")
    ply(page, "c3-c4")
    assert real.plies == ("c3-c4",)
    page.get_by_role("button", name="Next puzzle: Tides of War").click()
    expect(page.get_by_role("dialog")).to_contain_text("stays among the games played")
    page.get_by_role("button", name="Cancel").click()
    assert real.plies == ("c3-c4",)
    page.get_by_role("button", name="Next puzzle: Tides of War").click()
    page.get_by_role("button", name="Set up").click()
    page.wait_for_url(real.address)
    assert lesson_of(real)
    page.locator("#steps").get_by_role("button", name="Leave").click()
    expect(page.get_by_role("group", name="Lesson")).to_be_hidden()
    expect(page.locator("#plies li")).to_have_count(1)
    assert real.plies == ("c3-c4",)


def test_a_move_that_was_shown_is_not_counted_as_solved(page: Page, real: Real) -> None:
    puzzle = all_puzzles()[GAME][0]
    page.get_by_role("region", name="Tides of War").get_by_role("button", name=re.compile("^Puzzle 1, easy, ")).click()
    page.wait_for_url(real.address)
    box = page.get_by_role("group", name="Lesson")
    page.locator("#steps").get_by_role("button", name="Show the move").click()
    expect(box).to_contain_text("make it as the lights show")
    lesson = puzzle.order.lesson
    assert lesson is not None
    ply(page, lesson.steps[0].ply)
    expect(box).to_contain_text("The move was")
    page.goto(f"{real.address}puzzles")
    expect(page.get_by_role("region", name="Tides of War")).to_contain_text("Solved: 0 of")


def test_the_menu_and_the_dialog_of_a_new_game_lead_to_the_puzzles(page: Page, real: Real) -> None:
    page.goto(real.address)
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("link", name="Puzzles")).to_have_attribute("href", "/puzzles")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="New game").click()
    page.get_by_role("dialog").get_by_role("button", name="Puzzles").click()
    page.wait_for_url(f"{real.address}puzzles")


def test_a_puzzle_that_is_not_there_is_refused_in_a_sentence(page: Page, real: Real) -> None:
    answer = page.request.post(f"{real.address}api/order", headers={"Content-Type": "application/json"},
                               data='{"do": "start_puzzle", "game": "tides-of-war", "puzzle": "x"}')  # fmt: skip
    assert answer.status == 409
    assert "there is no puzzle x of tides-of-war" in answer.text()


def test_a_long_page_leads_to_the_puzzles_of_each_game(page: Page, real: Real) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    leads = page.get_by_role("navigation", name="Puzzles")
    expect(leads).to_be_visible()
    titles = page.locator("#puzzles section[id] > h2").all_inner_texts()
    assert leads.get_by_role("link").all_inner_texts() == titles
    leads.get_by_role("link", name="Circle").click()
    expect(page.get_by_role("region", name="Circle").get_by_role("heading", name="Circle")).to_be_in_viewport()
