"""A match on two phones in Chromium and the real service: chosen, told, gone on with; and a draw that is claimed."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from controller.orders import OfferDraw, PlayPly, Resign
from tests.web_panel.real_table import OpenTable, Pages, join, say_name


def test_best_of_three_is_told_and_each_begins_in_turn(open_table: OpenTable, pages: Pages) -> None:
    table, (ann, ben) = open_table(), (pages(), pages())
    table.new_game("tides-of-war")
    join(ann, table.url, "White")
    join(ben, table.url, "Black")
    say_name(ben, "Ben")
    ann.get_by_role("button", name="New game").click()
    ann.get_by_role("radio", name="Tides of War", exact=True).check()
    ann.get_by_label("Match").select_option("Best of three")
    ann.get_by_role("button", name="Start", exact=True).click()
    expect(ben.locator("#lines")).to_contain_text("Game 1, first to 2: it stands 0\u2060–\u20600.")
    first, second = (
        ("you lead 1\u2060–\u20600", "Ben leads 1\u2060–\u20600"),
        ("You win the match 2\u2060–\u20600!", "Ben wins the match 2\u2060–\u20600."),
    )
    for game, (own, tally) in ((1, first), (2, second)):
        line = "#seated" if game == 1 else "#sentence"  # the end of the match is the headline
        ann.get_by_role("button", name="Menu").click()
        ann.get_by_role("button", name="Resign …").click()
        ann.get_by_role("button", name="Yes,").click()
        for page, told in ((ben, own), (ann, tally)):
            expect(page.locator(line)).to_contain_text(told)
            crown = page.locator("body.crowned")  # the end of the match looks like no other
            expect(crown).to_have_count(game - 1)
        if game == 1:
            expect(ben.locator("#mine .won")).to_have_text("★ 1")
            expect(ann.get_by_role("button", name="Next game: Ben begins")).to_be_visible()
            ben.get_by_role("button", name="Next game: you begin").click()
            expect(ann.locator("#lines")).to_contain_text("Game 2, first to 2: Ben leads 1\u2060–\u20600.")
    weights = "['sentence', 'seated'].map((id) => Number(getComputedStyle(document.getElementById(id)).fontWeight))"
    for page in (ben, ann):  # and how its last game ended does not compete with it
        page.wait_for_function(f"(([headline, game]) => headline > game)({weights})")
    ben.get_by_role("button", name="New match").click()
    expect(ann.locator("body.crowned")).to_have_count(0)
    expect(ben.locator("#lines")).to_contain_text("Game 1, first to 2: it stands 0\u2060–\u20600.")


def test_a_draw_is_claimed_where_the_button_says_so(open_table: OpenTable, pages: Pages) -> None:
    table, (white, black) = open_table(), (pages(), pages())
    table.new_game("tam-ruat-chess")
    join(white, table.url, "White")
    join(black, table.url, "Black")
    for text in ("d1-c3", "d12-c10", "c3-d1", "c10-d12") * 2:
        expect(white.get_by_role("button", name="Claim a draw")).to_have_count(0)
        table.running.service.submit(PlayPly(text=text))
    expect(black.get_by_role("button", name="Claim a draw")).to_have_count(0)
    white.get_by_role("button", name="Claim a draw").click()
    for page in (white, black):
        expect(page.locator("#sentence")).to_have_text("Draw, claimed by White.")


def test_who_is_out_is_asked_for_nothing_and_the_others_agree(open_table: OpenTable, pages: Pages) -> None:
    table, (white, blue) = open_table(), (pages(), pages())
    table.new_game("circle", players=4)
    join(white, table.url, "White")
    join(blue, table.url, "Blue")
    table.running.service.submit(Resign(seat=2))
    table.running.service.submit(OfferDraw(seat=1))
    expect(white.get_by_role("button", name="Accept the draw")).to_be_visible()
    blue.get_by_role("button", name="Menu").click()
    expect(blue.get_by_role("button", name="Pause")).to_be_visible()
    expect(blue.get_by_role("button", name=re.compile("resign", re.IGNORECASE))).to_have_count(0)
    expect(blue.get_by_role("button", name=re.compile("Offer a draw|Blue offers"))).to_have_count(0)
    white.get_by_role("button", name="Accept the draw").click()
    expect(white.get_by_role("button", name="Accept the draw")).to_have_count(0)
    table.running.service.submit(OfferDraw(seat=3))
    expect(white.locator("#sentence")).to_contain_text("Draw")
