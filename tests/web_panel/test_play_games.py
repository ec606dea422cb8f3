"""Whole short games of all six games in Chromium, on the real service: by taps, by the keyboard alone, by the phone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web_panel.real_backend import begin, board_site, do_it, drag, made, real_panel, tap, write

GIANTSLAYER = (
    "c3-g3; f4xh2; a9-c7; d6xb8; d9-d7; e6xc8; i3-g5; f5xh5; i2-g2; d5-d4; a6-e2; e4-d5; c9-c3; d4-c4; d2-d4; d5xd3"
)
CIRCLE = (
    "c2-b1; d1-c2; c2-d1; h8-g7; h7-g6; g6+; d1-e1; c1+; g7-h6; g6-f6; c1-c2; b3-c3; i6-i5; i7-h7; a3-b4; e1-d2; f6-e5;"
    "h7-g7; c2-b3; b2-a1; g7-f6; e5-d4; b1-b2; b3-c2; d4-e3; i5-h4; a4-b5; end; e3xd2; h4-g5; b5-a6; b2-b3; d2xc3;"
    "g5-h4; a6-b5; b4-c4; c3xc4; h6-g6; a1-a2; b3-b4; c4xb5; h4-g3; c2-b3; end; b5xb4; f6-f5; a2-b1; b3-c3; g3-f4;"
    "b4-a3; b1-b2; c3-d2; f5-e4; a3xb2"
)


def over(page: Page, sentence: str) -> None:
    expect(page.locator("body")).to_have_attribute("data-phase", "over")
    expect(page.locator("#sentence")).to_have_text(re.compile(sentence))


def test_tides_of_war_is_played_with_taps_to_a_conquest(page: Page, tmp_path: Path) -> None:
    with real_panel("square144", tmp_path) as real:
        page.goto(real.address)
        begin(page, "Tides of War")
        tap(page, "c3")
        expect(page.locator('#board [data-state="lifted"]')).to_have_count(1)
        tap(page, "d3")
        made(page, 1)
        for label in ("e3", "c3", "b2"):  # the stone, and over d3 to c3, where it stands for a moment
            if label != "b2":
                tap(page, label)
        tap(page, "c3")
        tap(page, "a1")
        tap(page, "d3")
        tap(page, "b2")
        over(page, "Black wins")
        assert real.plies == ("c3-d3", "e3xc3xa1")


def test_tides_of_war_is_played_with_the_keyboard_alone(page: Page, tmp_path: Path) -> None:
    with real_panel("square144", tmp_path) as real:
        page.goto(real.address)
        begin(page, "Tides of War")
        page.locator('#board .site[tabindex="0"]').focus()
        at = [1, 1]

        def go(file: int, rank: int) -> None:
            keys = ["ArrowRight" if file > at[0] else "ArrowLeft"] * abs(file - at[0])
            keys += ["ArrowUp" if rank > at[1] else "ArrowDown"] * abs(rank - at[1])
            for key in keys:
                page.keyboard.press(key)
            at[:] = [file, rank]
            page.keyboard.press("Enter")

        first = page.locator('#board .site[tabindex="0"]').get_attribute("data-site")
        assert first == board_site(page, "a1") == "a1"
        go(3, 3)
        go(4, 3)
        made(page, 1)
        page.keyboard.press("p")
        sheet = page.get_by_role("dialog")
        chain = sheet.get_by_role("button", name=re.compile("^e3 to c3, then"))
        expect(chain).to_have_count(0)  # it does not begin or end at d3
        page.keyboard.press("Escape")
        go(5, 3)
        page.keyboard.press("Escape")  # back where it was
        page.keyboard.press("p")
        chain.press("Enter")
        over(page, "Black wins")
        assert real.plies == ("c3-d3", "e3xc3xa1")


def test_circle_is_played_on_the_phone_with_class_changes_and_ends_of_turns(page: Page, tmp_path: Path) -> None:
    plies = [text.strip() for text in CIRCLE.split(";")]
    with real_panel("square144", tmp_path) as real:
        page.goto(real.address)
        begin(page, "Circle")
        write(page, "; ".join(plies[:5]))
        made(page, 5)
        do_it(page)
        page.get_by_role("button", name="What can I do here?").click()
        tap(page, "g6")
        page.get_by_role("dialog").get_by_role("button", name="g6 becomes class 2 (leaf)").click()
        made(page, 6)
        write(page, "; ".join(plies[6:27]))
        made(page, 27)
        page.locator("#acts").get_by_role("button", name="End turn").click()
        made(page, 28)
        write(page, "; ".join(plies[28:]))
        made(page, 54)
        over(page, "Black wins")
        do_it(page)
        assert real.plies == tuple(plies)


def test_circle_is_begun_by_four(page: Page, tmp_path: Path) -> None:
    with real_panel("square144", tmp_path) as real:
        page.goto(real.address)
        begin(page, "Circle", players="4")
        expect(page.locator(".seats li")).to_have_count(4)
        write(page, "a2+; b1+; end")
        made(page, 3)
        expect(page.locator("#sentence")).to_have_text("Black to move.")
        assert real.plies == ("a2+", "b1+", "end")


def test_giantslayer_is_played_until_every_giant_is_slain(page: Page, tmp_path: Path) -> None:
    with real_panel("hex91", tmp_path) as real:
        page.goto(real.address)
        begin(page, "Giantslayer", rounds="1")
        tap(page, "c3")
        tap(page, "g3")
        made(page, 1)
        write(page, GIANTSLAYER.partition("; ")[2])
        made(page, 16)
        over(page, "all giants slain")
        do_it(page)
        expect(page.locator(".seat-0 .score")).to_have_text("6")
        assert real.plies == tuple(GIANTSLAYER.split("; "))


def test_cyvasse_is_played_until_the_king_is_lost_for_good(page: Page, tmp_path: Path) -> None:
    with real_panel("hex91", tmp_path) as real:
        page.goto(real.address)
        begin(page, "Cyvasse")
        expect(page.locator("#board polygon.ground.fortress")).to_have_count(2)
        tap(page, "i3")
        tap(page, "g7")
        made(page, 1)
        tap(page, "c9")
        tap(page, "g7")
        tap(page, "g7")
        made(page, 2)
        write(page, "h3-i3; g7xi3; k1-j1; i3xh2")
        over(page, "Black wins: the king is taken.")
        do_it(page)
        assert real.plies[1] == "c9xg7"


def test_a_piece_dropped_on_another_takes_it(page: Page, tmp_path: Path) -> None:
    with real_panel("hex91", tmp_path) as real:
        page.goto(real.address)
        begin(page, "Cyvasse")
        for number, (start, end) in enumerate((("i3", "g7"), ("c9", "g7")), 1):
            drag(page, start, end)
            made(page, number)
        assert real.plies == ("i3-g7", "c9xg7")


@pytest.mark.parametrize("setup", ["open", "secret"])
def test_cyvasse_is_set_up_by_the_players(page: Page, tmp_path: Path, setup: str) -> None:
    with real_panel("hex91", tmp_path) as real:
        page.goto(real.address)
        page.get_by_role("button", name="New game").click()
        dialog = page.locator("#dialog")
        dialog.get_by_role("radio", name="Cyvasse").check()
        dialog.locator("[name=setup]").select_option(label=setup.capitalize())
        dialog.get_by_role("button", name="Start", exact=True).click()
        expect(page.locator("body")).to_have_attribute("data-phase", "play")
        if setup == "open":
            tap(page, "h2")
            page.get_by_role("dialog").get_by_role("button", name="king on h2").click()
            made(page, 1)
            do_it(page)
            expect(page.locator("#board .site .ring")).to_have_count(91)
        else:
            write(page, "K@h2")
            made(page, 1)
            expect(page.locator("#plies li")).to_have_text(re.compile("chooses in secret|King on h2"))
        assert real.plies == ("K@h2",)


def test_chess_of_tam_ruat_is_played_to_a_checkmate(page: Page, tmp_path: Path) -> None:
    with real_panel("square144", tmp_path) as real:
        page.goto(real.address)
        begin(page, "Chess of Tam Ruat")
        for number, ply in enumerate(("j1-j3", "c11-c10", "j3-i6", "h11-g10", "i6-h9"), 1):
            for label in ply.split("-"):
                tap(page, label)
            made(page, number)
        over(page, "White wins: checkmate.")
        assert real.plies[-1] == "i6-h9"


def test_beacons_is_played_from_the_bids_to_the_tally(page: Page, tmp_path: Path) -> None:
    with real_panel("shell19", tmp_path) as real:
        page.goto(real.address)
        begin(page, "Beacons", rounds="1", seed="5")
        write(page, "bid 3 9; bid 9 3")
        made(page, 2)
        page.get_by_role("button", name="All prices").click()
        expect(page.locator("#board .price")).to_have_count(42)
        page.get_by_role("button", name="All prices").click()
        page.get_by_role("button", name="What can I do here?").click()
        tap(page, "a3")
        page.get_by_role("dialog").get_by_role("button", name="5", exact=True).click()
        page.get_by_role("dialog").get_by_role("button", name="Confirm: 5").click()
        made(page, 3)
        expect(page.locator("#board .mark.count")).to_have_text("5")
        ended = 3
        while page.locator("body").get_attribute("data-phase") != "over" and ended < 14:
            page.locator("#acts").get_by_role("button", name=re.compile("([Ee]nd turn|[Dd]one )")).click()
            sheet = page.get_by_role("dialog")
            if sheet.is_visible():  # units would be lost
                sheet.get_by_role("button", name=": done ").click()
            ended += 1
            made(page, ended)
        over(page, ", and the most dominant cells decide")
        assert real.plies[-1] == "end"
