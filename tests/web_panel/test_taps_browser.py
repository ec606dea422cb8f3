"""Moves by taps in Chromium, on the real service whose hand finishes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from controller.orders import TakeBack
from tests.waiting import until
from tests.web_panel.real_backend import Real, begin, board_site, drag, made, real_panel, tap


def lifted(page: Page, count: int = 1) -> None:
    expect(page.locator('#board [data-state="lifted"]')).to_have_count(count)


def on(page: Page, label: str, kind: str = "") -> None:
    """Hold a cell to what a screen reader is told of it."""
    site = page.locator(f'#board [data-site="{board_site(page, label)}"]')
    expect(site).to_have_attribute("aria-label", re.compile(kind or "empty"))


@pytest.fixture
def tides(page: Page, tmp_path: Path) -> Iterator[Real]:
    """Tides of War, begun on a board whose own hand finishes moves."""
    with real_panel("square144", tmp_path, finishes=True) as real:
        page.goto(real.address)
        begin(page, "Tides of War", stand=True)
        yield real


def test_a_jump_is_two_taps_and_the_jumped_stones_leave(page: Page, tides: Real) -> None:
    tap(page, "c3")
    lifted(page)
    tap(page, "d3")
    made(page, 1)
    tap(page, "e3")
    tap(page, "a1")
    made(page, 2)
    assert tides.plies == ("c3-d3", "e3xc3xa1")
    expect(page.locator("#off button .count, #off button")).not_to_have_count(0)
    for label in ("d3", "b2"):
        on(page, label)
    lifted(page, 0)


def test_another_own_piece_is_another_choice_and_escape_puts_it_back(page: Page, tides: Real) -> None:
    tap(page, "c3")
    lifted(page)
    tap(page, "b2")
    lifted(page)
    on(page, "c3", "stone")
    page.reload()
    lifted(page)  # it is in the hand still
    page.keyboard.press("Escape")
    lifted(page, 0)
    on(page, "b2", "stone")
    tap(page, "b2")
    tap(page, "b2")
    lifted(page, 0)
    drag(page, "c3", "c4")
    made(page, 1)
    assert tides.plies == ("c3-c4",)


def test_a_piece_that_is_dragged_onto_ones_own_goes_back_and_is_told_why(page: Page, tides: Real) -> None:
    drag(page, "b2", "c3")
    expect(page.locator("#toast")).to_have_text("Your own piece stands there.")
    lifted(page, 0)
    on(page, "b2", "stone")
    on(page, "c3", "stone")
    drag(page, "c3", "c4")
    made(page, 1)
    assert tides.plies == ("c3-c4",)


def test_what_is_forbidden_is_said_and_nothing_is_lost(page: Page, tides: Real) -> None:
    tap(page, "c4")
    expect(page.locator("#toast")).to_have_text("c4 is empty: tap a piece to see where it may go.")
    expect(page.locator("dialog[open]")).to_have_count(0)
    tap(page, "c3")
    lifted(page)
    tap(page, "f5")
    expect(page.locator("#toast")).to_contain_text("is not allowed")
    lifted(page)
    tap(page, "a6")
    expect(page.locator("#toast")).to_contain_text("c3 to a6 is not allowed")
    lifted(page)
    tap(page, "c3")
    on(page, "c3", "stone")
    assert tides.plies == ()


def test_why_something_was_refused_is_forgotten_with_the_next_thing_that_is_done(page: Page, tides: Real) -> None:
    tap(page, "c4")
    expect(page.locator("#toast")).to_contain_text("c4 is empty")
    tap(page, "c3")
    lifted(page)
    expect(page.locator("#toast")).to_have_text("", timeout=2000)
    tap(page, "f5")
    expect(page.locator("#toast")).to_contain_text("is not allowed")
    page.request.post(f"{tides.address}api/order", data={"do": "ply", "text": "b2-b3"})
    page.request.post(f"{tides.address}api/order", data={"do": "ply", "text": "c3-c4"})  # as from another phone
    made(page, 1)
    expect(page.locator("#toast")).to_have_text("", timeout=2000)


def test_no_empty_box_opens_for_a_piece_in_the_hand(page: Page, tides: Real) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    tap(page, "c3")
    lifted(page)
    expect(page.locator("#tray")).to_have_css("visibility", "hidden")
    tap(page, "d3")
    made(page, 1)
    tap(page, "e3")
    tap(page, "c3")
    made(page, 2)
    expect(page.locator("#tray")).to_have_css("visibility", "visible")


def test_a_capture_in_cyvasse_is_two_taps(page: Page, tmp_path: Path) -> None:
    with real_panel("hex91", tmp_path, finishes=True) as real:
        page.goto(real.address)
        begin(page, "Cyvasse", stand=True)
        for number, (start, end) in enumerate((("i3", "g7"), ("c9", "g7")), 1):
            tap(page, start)
            lifted(page)
            tap(page, end)
            made(page, number)
        assert real.plies == ("i3-g7", "c9xg7")
        expect(page.locator("#off button")).not_to_have_count(0)


def test_the_pieces_move_only_by_hand_where_somebody_wants_that(page: Page, tides: Real) -> None:
    page.get_by_label("Move every piece by hand").check()
    tap(page, "c3")
    tap(page, "b2")
    lifted(page, 2)
    by_hand = page.get_by_label("Move every piece by hand")
    by_hand.evaluate("box => box.click()")
    sheet = page.locator("#sheet")
    sheet.get_by_role("button", name="Go on by hand").click()
    expect(by_hand).to_be_checked()
    lifted(page, 2)
    by_hand.evaluate("box => box.click()")
    sheet.get_by_role("button", name="Put the pieces right").click()
    lifted(page, 0)
    expect(by_hand).not_to_be_checked()
    on(page, "c3", "stone")
    on(page, "b2", "stone")
    for checked in (True, False):  # nothing is lost by that: nobody is asked
        with page.expect_response("**/api/finish"):
            by_hand.click()
        expect(by_hand).to_be_checked(checked=checked)
    expect(sheet).to_be_hidden()


def tidied(tides: Real) -> bool:
    """Whether the two stones that were jumped lie beside the board, and nothing is left for its own hand to do."""
    assert tides.running.hand is not None
    chores = tides.running.service.look().table.play.settled.pending_chores
    return not chores and len(tides.running.hand.pieces()["off"]) == 2


@pytest.fixture
def captured(page: Page, tides: Real) -> Real:
    """After a jump: stones lie beside the board, and White is to move."""
    for number, (start, end) in enumerate((("d1", "e2"), ("f3", "f1")), 1):
        tap(page, start)
        lifted(page)
        tap(page, end)
        made(page, number)
        lifted(page, 0)
    until(lambda: tidied(tides), "the board's own hand does not take off what was jumped")
    expect(page.locator("#off button")).not_to_have_count(0)
    return tides


def test_escape_lets_go_of_what_was_chosen_beside_the_board_and_then_puts_the_piece_back(
    page: Page, captured: Real
) -> None:
    tap(page, "c1")
    lifted(page)
    beside = page.locator("#off button").first
    beside.click()
    expect(beside).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(beside).to_have_attribute("aria-pressed", "false")
    lifted(page)
    page.keyboard.press("Escape")
    lifted(page, 0)
    on(page, "c1", "stone")


def test_a_piece_chosen_beside_the_board_that_went_back_onto_it_is_chosen_no_longer(page: Page, captured: Real) -> None:
    tap(page, "c1")
    lifted(page)
    beside = page.locator("#off button")
    beside.first.click()
    expect(beside.first).to_have_attribute("aria-pressed", "true")
    captured.running.service.submit(TakeBack())  # somebody else's phone
    expect(beside).to_have_count(0)
    lifted(page, 0)  # and so did what was in the hand meanwhile
    on(page, "c1", "stone")


def test_a_piece_in_the_hand_goes_back_before_a_move_is_taken_back(page: Page, captured: Real) -> None:
    made_before = captured.plies
    tap(page, "c1")
    lifted(page)
    page.get_by_role("button", name="Take back").click()
    lifted(page, 0)
    on(page, "c1", "stone")
    assert captured.plies == made_before
    page.get_by_role("button", name="Take back").click()
    made(page, len(made_before) - 1)


def test_an_answer_that_the_stream_has_overtaken_changes_nothing(page: Page, tides: Real) -> None:

    def late(route: Route) -> None:
        answer = route.fetch()
        assert tides.running.hand is not None
        for token in tides.running.hand.pieces()["held"]:
            page.request.post(f"{tides.address}api/put_back", data={"piece": token["id"]})
        page.wait_for_timeout(500)  # the stream tells of it meanwhile
        route.fulfill(response=answer)

    page.route("**/api/tap", late)
    with page.expect_response("**/api/tap"):
        tap(page, "c3")
    page.unroute("**/api/tap")
    lifted(page, 0)
    on(page, "c3", "stone")


def test_a_piece_that_another_hand_moved_before_the_answer_came_is_seen_where_it_stands(
    page: Page, tides: Real, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = tides.running.hand
    assert hand is not None
    lift, elsewhere = hand.lift, board_site(page, "c4")

    def quickly_taken(site: str) -> dict[str, Any]:
        token = lift(site)
        hand.place(token["id"], elsewhere)
        tides.running.service.poke()
        Event().wait(0.5)  # the stream tells of it meanwhile
        return token

    page.get_by_label("Move every piece by hand").check()
    monkeypatch.setattr(hand, "lift", quickly_taken)
    with page.expect_response("**/api/lift"):
        tap(page, "c3")
    lifted(page, 0)
    on(page, "c3")
    on(page, "c4", "stone")


def test_a_piece_that_is_gone_when_it_is_chosen_what_becomes_of_it_stops_nothing(page: Page, tides: Real) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    tap(page, "c3")
    lifted(page)
    ways = {"choices": [{"ply": "c3-d3", "words": "at once"}, {"ply": "c3-c4", "words": "later"}]}
    page.route("**/api/tap", lambda route: route.fulfill(json=ways))
    tap(page, "d3")
    one = page.get_by_role("dialog").get_by_role("button", name="at once")
    expect(one).to_be_visible()
    page.unroute("**/api/tap")
    hand = tides.running.hand
    assert hand is not None
    (token,) = hand.pieces()["held"]
    hand.set_aside(token["id"])
    hand.clear_away({token["id"]})  # as where it was exchanged
    tides.running.service.poke()
    on(page, "c3", "stone")  # another one that is like it
    hand.lift(board_site(page, "c3"))
    tides.running.service.poke()
    expect(page.locator(f'#board [data-site="{board_site(page, "d3")}"]')).to_have_class(re.compile(r"\blit\b"))
    with page.expect_response("**/api/tap"):
        one.click()
    assert errors == []
    page.keyboard.press("Escape")
    lifted(page, 0)
    on(page, "c3", "stone")


def test_fingers_that_are_faster_than_the_board_do_not_run_ahead_of_it(page: Page, tides: Real) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/api/tap") else None)
    page.locator("#board").evaluate("""(board) => {
        const box = board.querySelector('[data-site="c3"] .face').getBoundingClientRect();
        const [clientX, clientY] = [box.x + box.width / 2, box.y + box.height / 2];
        const more = { bubbles: true, pointerId: 1, isPrimary: true, clientX, clientY };
        for (let n = 0; n < 200; n += 1) {
            board.dispatchEvent(new PointerEvent(n % 2 ? "pointerup" : "pointerdown", more));
        }
    }""")
    page.wait_for_timeout(1500)
    assert 0 < len(asked) < 20
    page.keyboard.press("Escape")
    lifted(page, 0)
    on(page, "c3", "stone")
    assert tides.plies == ()
