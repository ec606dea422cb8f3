"""Games played, in Chromium on the real service: listed, replayed, gone on with, taken out and brought in again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.journal.recording import parse, replay
from controller.orders import Resume
from controller.rules.registry import game_named
from tests.web_panel.real_backend import Real, begin, do_it, made, real_panel, write

PLIES = ("c2-d3", "e4xc2xc4", "b4-b5", "f2-f1")


@pytest.fixture
def real(page: Page, tmp_path: Path) -> Iterator[Real]:
    """Return a service with a game of four plies on the table; its page is open."""
    with real_panel("square144", tmp_path) as served:
        page.goto(served.address)
        begin(page, "Tides of War")
        write(page, "; ".join(PLIES))
        made(page, len(PLIES))
        yield served


def agree(page: Page) -> None:
    """Say yes to what the page asks."""
    question = page.get_by_role("dialog")
    expect(question).to_contain_text("The current game stays in this list.")
    question.get_by_role("button", name="Put it on the board").click()


def pieces(page: Page) -> dict[str, str]:
    return dict(page.locator("#board .token").evaluate_all("all => all.map(e => [e.dataset.on, e.classList[1]])"))


def expected(plies: tuple[str, ...]) -> dict[str, str]:
    game = game_named("tides-of-war")
    state = game.start(game.options(), 0)
    for ply in plies:
        state = game.play_text(state, ply)
    return {site: f"seat-{piece.seat}" for site, piece in game.shape(state).items()}


def test_a_game_is_listed_and_replayed_ply_by_ply(page: Page, real: Real) -> None:
    page.goto(real.address + "history")
    page.get_by_role("link", name="Tides of War").click()
    expect(page.locator("#now")).to_contain_text("Move 4 of 4")
    for number in range(4, -1, -1):
        if number < 4:
            page.get_by_role("button", name="One move back").click()
        expect(page.locator("#now")).to_contain_text(f"Move {number} of 4" if number else "The start")
        standing = expected(PLIES[:number])
        expect(page.locator("#board .token")).to_have_count(len(standing))
        assert pieces(page) == standing
    page.get_by_role("button", name="Play back").click()
    expect(page.locator("#now")).to_contain_text("Move 4 of 4", timeout=10_000)
    page.locator("#plies li").nth(1).get_by_role("button").click()
    expect(page.locator("#now")).to_contain_text("Move 2 of 4, Black")


def test_play_goes_on_from_an_earlier_ply_as_a_new_game(page: Page, real: Real) -> None:
    page.goto(real.address + "history#1")
    page.locator("#plies li").nth(1).get_by_role("button").click()
    expect(page.locator("#now")).to_contain_text("Move 2 of 4")
    page.get_by_role("button", name="Play on from here").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")  # no: everything stays
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Play on from here").click()
    agree(page)
    page.wait_for_url(real.address)
    expect(page.locator("#plies li")).to_have_count(2)
    page.locator("#acts").get_by_role("button", name="Put the pieces right").click()
    expect(page.locator("#sentence")).to_have_text("White to move.")
    assert list(real.plies) == list(PLIES[:2])
    write(page, "b4-b5")
    made(page, 3)
    page.goto(real.address + "history")
    expect(page.locator("#games li")).to_have_count(2)
    page.get_by_role("link", name="Tides of War").last.click()
    expect(page.locator("#now")).to_contain_text("Move 4 of 4")  # the old one is as it was
    page.get_by_role("button", name="Go on with this game").click()
    agree(page)
    page.wait_for_url(real.address)
    expect(page.locator("#plies li")).to_have_count(4)
    assert list(real.plies) == list(PLIES)


def saved(page: Page, link: str) -> str:
    with page.expect_download() as loading:
        page.get_by_role("link", name=link).click()
    return Path(loading.value.path()).read_text(encoding="utf-8")


def test_a_game_is_taken_out_and_brought_in_again(page: Page, real: Real) -> None:
    page.goto(real.address + "history#1")
    expect(page.locator("#now")).to_contain_text("Move 4 of 4")
    text, recording = saved(page, "Save as text"), saved(page, "Save the recording")
    last, _ = list(replay(parse(recording)))[-1]
    assert last.play is not None
    assert last.play.session.plies == PLIES
    for number, written in enumerate((text, recording), 2):
        page.goto(real.address + "history")
        page.get_by_label(re.compile("A game as text")).fill(written)
        page.get_by_role("button", name="Put it on the board").click()
        agree(page)
        expect(page.locator("#title")).to_have_text("Tides of War")
        expect(page.locator("#plies li")).to_have_count(4)
        assert list(real.plies) == list(PLIES)
        page.goto(real.address + "history")
        expect(page.locator("#games li")).to_have_count(number)


def test_a_refusal_is_shown_on_the_page(page: Page, real: Real) -> None:
    page.goto(real.address + "history")
    page.get_by_label(re.compile("A game as text")).fill("game: circle\nplies: b2+; z9+")
    page.get_by_role("button", name="Put it on the board").click()
    expect(page.locator("#told")).to_contain_text("move 2, 'z9+'")


def test_what_is_secret_leaves_the_board_only_when_it_is_told(page: Page, tmp_path: Path) -> None:
    with real_panel("shell19", tmp_path) as real:
        page.goto(real.address)
        begin(page, "Beacons", rounds="1")
        write(page, "bid 3 9")
        made(page, 1)
        for path in ("history/1/text", "history/1/recording", "history/1/order?ply=1"):
            answer = page.request.get(f"{real.address}api/{path}")
            assert answer.status == 409
            assert "secret" in answer.json()["error"]
        assert "secret" in page.request.get(f"{real.address}api/care/recording").json()["error"]
        assert "bid" not in str(page.request.get(f"{real.address}api/care").json()["log"])
        game = page.request.get(f"{real.address}api/history/1").json()
        assert "3 9" not in str(game["plies"])


def test_the_evening_counts_who_won(page: Page, real: Real) -> None:
    do_it(page)
    begin(page, "Tides of War")
    write(page, "c3-d3; e3xc3xa1")
    made(page, 2)
    page.get_by_role("button", name="This evening").click()
    expect(page.locator("#evening")).to_contain_text("Won: Black (1).")
    expect(page.locator("#evening li")).to_have_count(2)


def test_a_game_that_was_taken_up_again_is_there_after_a_restart(page: Page, tmp_path: Path) -> None:
    with real_panel("square144", tmp_path) as real:
        page.goto(real.address)
        begin(page, "Tides of War")
        write(page, PLIES[0])
        made(page, 1)
        do_it(page)
        begin(page, "Circle")
        real.running.service.submit(Resume(1))
        made(page, 1)
    with real_panel("square144", tmp_path) as real:
        assert real.plies == PLIES[:1]
