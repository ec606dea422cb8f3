"""What the phone does beside moving pieces, in Chromium on the real service: clocks, draws, resigning, hints, plies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.orders import PlayPly
from tests.web_panel.real_backend import Real, begin, do_it, made, real_panel, tap, write
from tests.web_panel.real_table import eventually
from tests.web_panel.served import pieces_are

CLOCK = re.compile(r"^\d+:\d\d$")


@pytest.fixture
def real(page: Page, tmp_path: Path) -> Iterator[Real]:
    with real_panel("square144", tmp_path) as served:
        page.goto(served.address)
        yield served


def test_the_first_load_is_small(page: Page, real: Real) -> None:
    """At most 60 kB in at most 8 requests, in the middle of a game of the greatest board."""
    begin(page, "Chess of Tam Ruat")
    sizes: list[int] = []
    fresh = page.context.new_page()
    session = fresh.context.new_cdp_session(fresh)
    session.send("Network.enable")
    asked: list[str] = []
    session.on("Network.requestWillBeSent", lambda told: asked.append(told["request"]["url"]))
    session.on("Network.dataReceived", lambda told: sizes.append(told["encodedDataLength"]))
    fresh.goto(real.address)
    expect(fresh.locator("#board .token")).to_have_count(48)
    expect(fresh.locator("#writing")).to_be_visible()
    assert len(asked) <= 8, asked
    assert sum(sizes) <= 60_000, sizes


def test_a_clock_counts_down_for_who_is_to_move_and_stands_in_a_pause(page: Page, real: Real) -> None:
    page.get_by_role("button", name="New game").click()
    dialog = page.locator("#dialog")
    dialog.get_by_role("radio", name="Tides of War").check()
    dialog.locator("[name=clock_kind]").select_option("increment")
    dialog.get_by_label("Minutes per player").fill("5")
    dialog.get_by_label("Seconds per move").fill("3")
    dialog.get_by_role("button", name="Start", exact=True).click()
    page.get_by_role("button", name="Set up for me").click()
    write(page, "c3-d3")
    made(page, 1)
    clocks = page.locator(".seats time")
    expect(clocks).to_have_count(2)
    black = page.locator("#others time")
    expect(page.locator("#mine time")).to_have_text(CLOCK)
    expect(black).to_have_class(re.compile("running"))
    expect(black).to_have_text(re.compile("^4:5"))
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".seats time.running")).to_have_count(0)
    page.locator("#acts").get_by_role("button", name="Continue").click()
    expect(black).to_have_class(re.compile("running"))


def test_resigning_is_asked_twice_and_ends_the_game(page: Page, real: Real) -> None:
    begin(page, "Tides of War")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="White resigns …").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="Keep playing", exact=True).click()
    expect(page.locator("#sentence")).to_have_text("White to move.")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="White resigns …").click()
    sheet.get_by_role("button", name="Yes, White resigns").click()
    expect(page.locator("#sentence")).to_contain_text("Black wins")
    expect(page.locator("body")).to_have_attribute("data-phase", "over")


@pytest.mark.parametrize("agreed", [True, False])
def test_a_draw_is_offered_and_answered(page: Page, real: Real, agreed: bool) -> None:
    begin(page, "Tides of War")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="White offers a draw").click()
    page.locator("#acts").get_by_role("button", name="accept" if agreed else "Decline").click()
    expect(page.locator("#acts").get_by_role("button", name="Decline")).to_have_count(0)
    expect(page.locator("#sentence")).to_have_text("Draw by agreement." if agreed else "White to move.")


def test_hints_are_chosen_for_each_seat(page: Page, real: Real) -> None:
    begin(page, "Tides of War")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog").get_by_label("White").select_option("none")
    page.get_by_role("button", name="Close").click()
    tap(page, "c3")
    expect(page.locator('#board [data-state="lifted"]')).to_have_count(1)
    pieces_are(page, "({ held }) => held.length === 1")
    expect(page.locator('#board [data-site="d3"]')).to_have_attribute("data-light", "#000000")
    tap(page, "c3")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog").get_by_label("White").select_option("legal")
    page.get_by_role("button", name="Close").click()
    tap(page, "c3")
    expect(page.locator('#board [data-site="d3"]')).not_to_have_attribute("data-light", "#000000")


def test_a_ply_is_written_as_lists_read_it_and_a_refusal_goes_with_the_next_one(page: Page, real: Real) -> None:
    begin(page, "Tides of War")
    refusal, field = page.locator("#writing [role=alert]"), page.get_by_label("Type a move")
    write(page, "C3 to  c9")
    expect(refusal).not_to_be_empty()
    field.press("End")
    field.press("Backspace")
    expect(refusal).to_be_empty()
    write(page, "c3 to c8")
    expect(refusal).not_to_be_empty()
    real.running.service.submit(PlayPly(text="c3-d3"))
    made(page, 1)
    expect(refusal).to_be_empty()
    write(page, "c3-c9")
    expect(refusal).not_to_be_empty()
    page.get_by_role("button", name="Take back").click()
    made(page, 0)
    expect(refusal).to_be_empty()  # it was about the position that is gone
    real.running.service.submit(PlayPly(text="c3-d3"))
    made(page, 1)
    write(page, "C6 to  b5")
    made(page, 2)
    assert real.plies == ("c3-d3", "c6-b5")


def test_a_written_ply_that_is_not_legal_is_refused_in_words_and_stays_to_be_mended(page: Page, real: Real) -> None:
    begin(page, "Tides of War")
    write(page, "c3-d3; c3-c4; d5-c4")
    made(page, 1)
    expect(page.locator("#writing [role=alert]")).not_to_be_empty()
    expect(page.get_by_label("Type a move")).to_have_value("c3-c4; d5-c4")
    with page.expect_response("**/api/order"):
        write(page, "e3xc3xe5")
    write(page, "e3xc3")
    made(page, 2)
    expect(page.locator("#writing [role=alert]")).to_be_empty()


def test_pieces_follow_a_ply_of_the_phone_and_its_taking_back(page: Page, real: Real) -> None:
    begin(page, "Tides of War")
    write(page, "c3-d3")
    expect(page.locator("#advice")).to_have_text("Move White's stone from c3 to d3.")
    do_it(page)
    expect(page.locator('#board .token[data-on="d3"]')).to_have_count(1)
    page.get_by_role("button", name="Take back").click()
    made(page, 0)
    do_it(page)
    expect(page.locator('#board .token[data-on="c3"]')).to_have_count(1)
    assert real.plies == ()


def test_a_free_cell_tells_what_can_come_there(page: Page, real: Real) -> None:
    begin(page, "Tides of War")
    tap(page, "d3")
    sheet = page.get_by_role("dialog")
    expect(sheet).to_have_attribute("aria-label", "Moves on d3")
    sheet.get_by_role("button", name="c3 to d3", exact=True).click()
    made(page, 1)
    expect(sheet).to_be_hidden()


def test_a_cell_without_plies_says_so(page: Page, real: Real) -> None:
    begin(page, "Tides of War")
    tap(page, "a1")
    expect(page.locator("#toast")).to_have_text("There is nothing to do on a1 now.")


def test_games_for_other_boards_are_grey_and_say_which(page: Page, real: Real) -> None:
    page.get_by_role("button", name="New game").click()
    dialog = page.locator("#dialog")
    expect(dialog.get_by_role("radio")).to_have_count(6)
    expect(dialog.get_by_role("radio", name="Cyvasse")).to_be_disabled()
    expect(dialog.locator(".card.unfit").filter(has_text="Cyvasse")).to_contain_text("Needs: ")
    expect(dialog.locator(".card:not(.unfit)")).to_have_count(3)
    eventually(page, "() => [...document.querySelectorAll('.card img')].every(i => i.naturalWidth > 0)")
