"""Help from the board in Chromium: asked for on the phone, found by the real process, shown by light and in words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.waiting import until
from tests.web_panel.real_backend import Real, real_panel, tap

SLOW_MS = 30_000  # for the process to start, on a busy machine


def begin(page: Page, *, coach: bool = False, clock: bool = False) -> None:
    page.locator("#new-game").click()
    page.locator("#games .card").filter(has_text="Tides of War").click()
    if coach:
        page.get_by_label("Coach").check()
    if clock:
        page.locator("[name=clock_kind]").select_option("sudden")


def against(page: Page, **more: bool) -> None:
    begin(page, **more)
    page.locator("#solo").click()
    expect(page.locator("body")).to_have_attribute("data-phase", "play")


def press(page: Page, name: str) -> None:
    page.locator("#acts").get_by_role("button", name=name).click()


def lit(page: Page, meaning: str) -> int:
    """Return how many cells say that they mean that."""
    return page.locator(f'#board [aria-label*="{meaning}"]').count()


def shown(real: Real) -> str:
    play = real.running.service.look().table.play
    return play.help.ply if play and play.help else ""


@pytest.mark.slow
def test_somebody_asks_what_to_do_and_is_shown_it_step_by_step(page: Page, tmp_path: Path) -> None:
    with real_panel("square144", tmp_path, finishes=True) as real:
        page.goto(real.address)
        against(page)
        expect(page.locator("#acts")).to_be_hidden()
        page.locator("#cell-plies").click()
        press(page, "Help me")
        waits = page.locator("#waits")
        expect(waits).to_have_text(re.compile(r"Your stone on [a-f][1-6] can make a good move\."), timeout=SLOW_MS)
        start, end = re.split("[-x]", shown(real))[:2]
        assert (lit(page, "choice"), lit(page, "may go")) == (1, 0)
        press(page, "Show me more")
        expect(waits).to_have_text(f"Your stone on {start} can go to {end}.")
        expect(page.locator("#board .way.better")).to_have_count(2)  # the line and its head
        press(page, "Show me more")
        expect(waits).to_have_text(re.compile(rf"A good move: {start} to {end}[.;]"))
        expect(page.locator("#acts").get_by_role("button")).to_have_text(["Make this move", "Enough"])
        page.locator("#more").click()
        page.locator("#sheet").get_by_role("button", name="What would they do?").click()
        expect(page.locator("#sheet")).not_to_be_visible()
        expect(waits).to_have_text(re.compile("If you did nothing, the board would play .+"), timeout=SLOW_MS)
        press(page, "Enough")
        expect(page.locator("#acts")).to_be_hidden()


@pytest.mark.slow
def test_somebody_asks_with_a_piece_in_the_hand(page: Page, tmp_path: Path) -> None:
    """Help is for that piece; for what the others would do it is put back first."""
    with real_panel("square144", tmp_path, finishes=True) as real:
        page.goto(real.address)
        against(page)
        tap(page, "b4")
        page.locator("#cell-plies").click()
        press(page, "Help me")
        waits = page.locator("#waits")
        expect(waits).to_have_text(re.compile(r"Put it on (b5|c4)\."), timeout=SLOW_MS)
        assert shown(real).startswith("b4-")
        expect(page.locator("#board .way.better")).to_have_count(2)
        page.locator("#cell-plies").click()
        press(page, "What would they do?")
        expect(waits).to_have_text(re.compile("If you did nothing, the board would play .+"), timeout=SLOW_MS)


@pytest.mark.slow
def test_the_coach_speaks_the_board_waits_and_the_move_is_made_anew(page: Page, tmp_path: Path) -> None:
    with real_panel("square144", tmp_path, finishes=True) as real:
        page.goto(real.address)
        against(page, coach=True)
        tap(page, "b3")
        tap(page, "c4")
        expect(page.locator("#waits")).to_have_text(
            re.compile(
                r"Coach: the board can answer “[^”]* takes [^”]*”\. "
                r"After a better move you would soon have more stones: \d+, not \d+\. "
                r"Take the move back, or play on\."
            ),
            timeout=SLOW_MS,
        )
        assert lit(page, "lost much") == 1
        sounds = page.get_by_text("Hear the moves on this device?")
        expect(sounds).to_be_hidden()  # while the coach speaks, nothing else is asked
        page.locator("#acts").get_by_role("button", name="Take back").click()
        expect(page.locator("#plies li")).to_have_count(0)
        tap(page, "b3")
        tap(page, "c4")
        expect(page.locator("#acts").get_by_role("button", name="Play on")).to_be_visible(timeout=SLOW_MS)
        press(page, "Play on")
        expect(page.locator("#plies li")).to_have_count(2, timeout=SLOW_MS)
        expect(sounds).to_be_visible()


def test_the_coach_can_be_silenced_and_called_back_in_the_menu(page: Page, tmp_path: Path) -> None:
    with real_panel("square144", tmp_path, finishes=True) as real:
        page.goto(real.address)
        against(page, coach=True)

        def coaches() -> bool:
            return bool(real.running.service.look().table.play.session.opponents.coach)

        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name="No more coaching").click()
        until(lambda: not coaches())
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name="Let the coach speak").click()
        until(coaches)


def test_with_a_clock_there_is_no_help_and_no_coach_and_the_phone_says_so(page: Page, tmp_path: Path) -> None:
    with real_panel("square144", tmp_path, finishes=True) as real:
        page.goto(real.address)
        begin(page, coach=True, clock=True)
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.locator("#refusal")).to_have_text("with a clock there is no coach: choose one of the two")
        page.get_by_label("Coach").uncheck()
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.locator("body")).to_have_attribute("data-phase", "play")
        page.locator("#more").click()
        expect(page.locator("#sheet .off")).to_have_text("In a game with a clock there is no help.")
        expect(page.get_by_role("button", name="Help me")).to_have_count(0)


@pytest.mark.parametrize("what", ["hint", "coached"])
def test_nobody_but_the_board_itself_finds_help(page: Page, tmp_path: Path, what: str) -> None:
    with real_panel("square144", tmp_path, finishes=True) as real:
        order = {"do": what, "made": 1, **({"text": "a5-a6", "about": "move"} if what == "hint" else {})}
        origin = {"Origin": real.address.rstrip("/")}
        answer = page.request.post(f"{real.address}/api/order", data=order, headers=origin)
        assert answer.status in (403, 409), answer.text()
