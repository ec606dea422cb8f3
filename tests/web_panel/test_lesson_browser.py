"""A lesson in Chromium: its sentence, Next, and the button that begins one."""

from __future__ import annotations

import msgspec
import pytest
from playwright.sync_api import Page, expect

from controller.game_setup import NAMELESS, Opponents
from controller.orders import NewGame, NextStep, StartLesson
from controller.table.views.types import LessonView
from tests.web_panel.fake_backend import FakeBackend, Serve, square_backend


@pytest.fixture
def square(serve: Serve, page: Page) -> FakeBackend:
    backend = square_backend()
    page.goto(serve(backend))
    expect(page.locator("#sentence")).to_have_text("White to move.")
    return backend


def teach(backend: FakeBackend, lesson: LessonView | None) -> None:
    backend.view = msgspec.structs.replace(backend.view, version=backend.view.version + 1, lesson=lesson)
    backend.tell()


def test_a_step_that_is_read_has_a_sentence_and_next(square: FakeBackend, page: Page) -> None:
    box = page.get_by_role("group", name="Lesson")
    expect(box).to_be_hidden()
    teach(square, LessonView(2, 9, "The river is empty.", next=True))
    expect(box).to_contain_text("Step 2 of 9")
    expect(box).to_contain_text("The river is empty.")
    with page.expect_response("**/api/order") as answered:
        page.locator("#steps").get_by_role("button", name="Next").click()
    assert answered.value.ok
    teach(square, LessonView(3, 9, "Step from c3 to c4.", ply="c3-c4"))
    expect(box).to_contain_text("Step from c3 to c4.")
    expect(page.locator("#steps").get_by_role("button", name="Next")).to_be_hidden()
    (order,) = square.orders
    assert isinstance(order, NextStep)
    assert order.learner.startswith(NAMELESS)  # nobody has said a name here
    teach(square, LessonView(9, 9, "The lesson is over.", over=True))
    expect(box).not_to_contain_text("Step")
    expect(page.locator("#steps").get_by_role("button", name="Play with a friend")).to_be_visible()
    teach(square, LessonView(1, 9, "Once more.", next=True))
    expect(page.locator("#steps").get_by_role("button", name="Play with a friend")).to_have_count(0)
    teach(square, None)
    expect(box).to_be_hidden()


def test_the_lesson_of_a_game_is_begun_from_the_dialog(square: FakeBackend, page: Page) -> None:
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Circle").check()
    dialog.get_by_role("button", name="Learn it").click()
    expect(dialog).to_be_hidden()
    (order,) = square.orders
    assert order == StartLesson(game="circle", learner=order.learner)


def test_after_a_lesson_the_game_is_begun_against_the_board_or_for_two(square: FakeBackend, page: Page) -> None:
    teach(square, LessonView(9, 9, "The lesson is over.", over=True))
    steps, name = page.locator("#steps"), square.view.game
    for button in ("Play with a friend", "Against the board, level 1"):
        with page.expect_response("**/api/order") as answered:
            steps.get_by_role("button", name=button).click()
        assert answered.value.ok
    alone = Opponents(levels=(0, 1), coach=True)
    assert square.orders == [NewGame(game=name), NewGame(game=name, opponents=alone)]


def test_who_only_watches_a_lesson_is_offered_no_game_after_it(square: FakeBackend, page: Page) -> None:
    teach(square, LessonView(9, 9, "The lesson is over.", over=True))
    expect(page.get_by_role("button", name="Play with a friend")).to_be_visible()
    page.evaluate("document.body.dataset.role = 'guest'")
    expect(page.get_by_role("button", name="Play with a friend")).to_be_hidden()


def test_a_lesson_that_is_refused_keeps_the_dialog_and_shows_why(square: FakeBackend, page: Page) -> None:
    square.refusal = "There is no lesson of this game for the board."
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Learn it").click()
    expect(dialog.get_by_role("alert")).to_have_text("There is no lesson of this game for the board.")
    expect(dialog).to_be_visible()
