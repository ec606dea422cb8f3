"""A few moves against the board in Chromium: on the real service, with the real process that thinks."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web_panel.real_backend import Real, real_panel, tap

SLOW_MS = 30_000  # for the process to start, on a busy machine


def against(page: Page, game: str, **options: str) -> None:
    """Do the one tap of a newcomer, with these numbers set before."""
    page.locator("#new-game").click()
    page.locator("#games .card").filter(has_text=game).click()
    for name, number in options.items():
        page.locator("#options details").evaluate_all("all => all.forEach((each) => (each.open = true))")
        page.locator(f'#options [name="{name}"]').fill(number)
    page.locator("#solo").click()
    expect(page.locator("#dialog")).not_to_be_visible()
    expect(page.locator("body")).to_have_attribute("data-phase", "play")


def move(page: Page, real: Real) -> None:
    """Make a step by two taps after which the board cannot win at once."""
    session = real.running.service.look().table.play.session
    game, state = session.game, session.state
    for ply in game.plies(state):
        text, after = game.text(state, ply), game.after(state, ply)
        start, dash, end = text.partition("-")
        if dash and not any(game.result(game.after(after, answer)).over for answer in game.plies(after)):
            tap(page, start)
            tap(page, end)
            return
    raise AssertionError(f"no quiet step after {session.plies}")


def moves(page: Page, count: int) -> None:
    expect(page.locator("#plies li")).to_have_count(count, timeout=SLOW_MS)


@pytest.mark.slow
def test_the_board_answers_taps_and_its_piece_moves_by_itself(page: Page, tmp_path: Path) -> None:
    with real_panel("square144", tmp_path, finishes=True) as real:
        page.goto(real.address)
        # The coach may say what the step below costs, and the board waits for twenty seconds.
        page.add_locator_handler(page.get_by_role("button", name="Play on", exact=True), lambda found: found.click())
        against(page, "Tides of War")
        expect(page.locator("#others")).to_contain_text("· level 1")
        move(page, real)
        moves(page, 2)
        expect(page.locator("#last-turn")).to_contain_text(real.plies[1][-2:])
        expect(page.locator("#sentence")).to_have_text("Your turn")
        move(page, real)
        moves(page, 4)
        page.locator("#take-back").click()
        moves(page, 2)
        expect(page.locator("#sentence")).to_have_text("Your turn")
        assert len(real.plies) == 2


def test_levels_are_chosen_by_seat_and_seats_of_the_board_are_nobodys(page: Page, tmp_path: Path) -> None:
    with real_panel("square144", tmp_path, finishes=True) as real:
        page.goto(real.address)
        page.locator("#new-game").click()
        page.locator("#games .card").filter(has_text="Tides of War").click()
        player = page.locator("#players select")
        expect(player).to_have_count(2)
        player.nth(0).select_option("1")
        expect(page.locator("#players")).to_contain_text("often misses the best one")
        page.get_by_label("White: character").select_option(label="Raider")
        expect(page.locator("#players")).to_contain_text("Takes what it can")
        page.get_by_label("Resigns, answers draw offers").check()
        expect(page.locator("#solo")).to_be_hidden()
        page.get_by_role("button", name="Start", exact=True).click()
        moves(page, 1)
        opponents = real.running.service.look().table.play.session.opponents
        assert (opponents.levels, opponents.answers) == ((1, 0), True)
        assert opponents.characters == ("raider", "")
        expect(page.get_by_text("· level 1 · Raider").first).to_be_visible()
        for path, what in (
            ("seat", {"seat": 0, "take": True}),
            ("order", {"do": "resign", "seat": 0}),
            ("order", {"do": "board_plays", "text": "c3-c4", "made": 1}),
        ):
            answer = page.request.post(f"{real.address}/api/{path}", data=what, headers={"Origin": real.address})
            assert answer.status in (403, 409), (path, answer.text())
