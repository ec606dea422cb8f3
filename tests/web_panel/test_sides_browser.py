"""Whose pieces are whose and which side of the board is near, as a phone in Chromium draws and names it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from controller.game_setup import Match, Opponents
from controller.orders import NewGame, Resign
from tests.table.test_sides_change import FIRST_ROUND
from tests.web_panel.real_backend import board_site, made, middle, tap
from tests.web_panel.real_table import OpenTable, Pages, RealTable, join, say_name

SECOND_ROUND = tuple(FIRST_ROUND.split("; "))


def begin_second_round(table: RealTable) -> None:
    table.running.service.submit(NewGame(game="giantslayer", options={"rounds": 2}, plies=SECOND_ROUND, seed=1))
    table.set_up()


def high_px(page: Page, label: str) -> float:
    """Return how far from the top of the page the cell is that the game calls ``label``."""
    box = page.locator(f'#board [data-site="{board_site(page, label)}"] .face').bounding_box()
    assert box is not None
    return box["y"]


def disc(page: Page, seat: int) -> str:
    return str(page.locator(f'.seat[data-seat="{seat}"] > i path').get_attribute("fill"))


def test_in_the_second_round_names_discs_and_sides_are_the_other_players(open_table: OpenTable, pages: Pages) -> None:
    table, (ann, ben) = open_table("hex91"), (pages(), pages())
    table.new_game("giantslayer", rounds=2)
    join(ann, table.url, "First player")
    join(ben, table.url, "Second player")
    expect(ann.locator('#board [aria-label^="e1, White halogai"]')).to_have_count(1)
    say_name(ann, "Ann")
    expect(ann.locator("#mine .seat")).to_contain_text("AnnWhite · you")
    expect(ben.locator("#mine .seat")).to_contain_text("Second playerBlack · you")
    white = disc(ann, 0)
    assert high_px(ann, "e9") < high_px(ann, "e1")
    assert high_px(ben, "e9") > high_px(ben, "e1")
    begin_second_round(table)
    for page, own, other in ((ann, 0, 1), (ben, 1, 0)):
        expect(page.locator('#board [aria-label^="e1, White halogai"]')).to_have_count(1)
        expect(page.locator('#board [aria-label^="e4, Black giant"]')).to_have_count(1)
        expect(page.locator("#mine .seat")).to_have_attribute("data-seat", str(own))
        expect(page.locator("#others .seat")).to_have_attribute("data-seat", str(other))
        assert disc(page, 1) == white
        assert disc(page, 0) != white
    expect(ann.locator("#mine .seat")).to_contain_text("AnnBlack · you")
    assert high_px(ann, "e9") > high_px(ann, "e1")  # each has the side of the own colour near
    assert high_px(ben, "e9") < high_px(ben, "e1")


def test_the_moves_and_the_history_keep_the_colours_of_their_round(open_table: OpenTable, pages: Pages) -> None:
    table, ann = open_table("hex91", local=True), pages()
    begin_second_round(table)
    ann.goto(table.url)
    fills = "rows => rows.map(row => row.querySelector('i path').getAttribute('fill'))"
    moves, drawn = ann.locator("#plies li"), ann.locator("#plies li i path")  # drawn once the drawings have come
    expect(drawn).to_have_count(14)
    white, black = moves.evaluate_all(fills)[:2]
    ann.get_by_label("Type a move").fill("d2-e2")
    ann.get_by_label("Type a move").press("Enter")
    expect(drawn).to_have_count(15)
    assert moves.evaluate_all(fills)[-2:] == [black, white]
    ann.locator("#plies button").last.click()
    look = ann.locator("#look-back")
    expect(look.locator('[aria-label^="e1, White halogai"]')).to_have_count(1)
    for _ in range(12):
        look.get_by_role("button", name="One move back").click()
    expect(look.locator('[aria-label^="e1, White halogai"]')).to_have_count(1)
    ann.goto(f"{table.url}history/1?ply=14")
    expect(ann.locator('#board [aria-label^="e1, White halogai"]')).to_have_count(1)
    assert ann.locator("#plies li").evaluate_all(fills)[-1] == white
    ann.goto(f"{table.url}history/1?ply=3")
    expect(ann.locator('#board [aria-label="e2, White halogai"]')).to_have_count(0)
    expect(ann.locator('#board [aria-label^="e1, White halogai"]')).to_have_count(1)


CORNERS = ("a1", "a9", "i9", "i1")  # of Circle, by seat


def test_each_of_four_players_has_the_own_corner_near_and_plays_there(open_table: OpenTable, pages: Pages) -> None:
    table = open_table("square144", finishes=True)
    table.new_game("circle", players=4)
    phones = [pages() for _ in CORNERS]
    for page, seat in zip(phones, ("White", "Black", "Blue", "Orange"), strict=True):
        join(page, table.url, seat)
    for own, page in enumerate(phones):
        expect(page.locator("#mine .seat")).to_have_attribute("data-seat", str(own))
        corners = [middle(page, CORNERS[(own + n) % 4]) for n in range(4)]
        (left, low), (also_left, high), (right, also_high), (also_right, also_low) = [
            (round(x), round(y)) for x, y in corners
        ]
        assert left == also_left < right == also_right
        assert high == also_high < low == also_low
    white, black = phones[0], phones[1]
    for begin, end in (("c1", "d1"), ("b2", "c2"), ("a3", "a4")):
        tap(white, begin)
        tap(white, end)
    expect(black.locator("#sentence")).to_have_text("Your turn")
    tap(black, "a7")
    tap(black, "a6")
    made(black, 4)
    corner = black.locator(f'#board [data-site="{board_site(black, "a9")}"]')
    corner.focus()
    corner.press("ArrowUp")  # towards what lies above it on this phone
    assert black.evaluate("document.activeElement.dataset.site") == board_site(black, "b9")
    black.get_by_role("button", name="Turn board").click()
    assert middle(black, "a9")[1] < middle(black, "a1")[1]
    black.get_by_role("button", name="Turn board").click()
    assert round(middle(black, "a9")[1]) == round(middle(black, "a1")[1])


def against_the_board(page: Page, table: RealTable) -> None:
    """Play Tides of War as White against the board, and give up at once."""
    held = Opponents(levels=(0, 1))
    table.running.service.submit(NewGame(game="tides-of-war", opponents=held, match=Match(2), seed=1))
    table.set_up()
    table.running.service.submit(Resign(seat=0))
    page.goto(table.url)


@pytest.mark.parametrize("joins", [False, True])
def test_as_black_against_the_board_one_sits_at_the_bottom(open_table: OpenTable, pages: Pages, joins: bool) -> None:
    table, ann = open_table(local=not joins), pages()
    if joins:
        join(ann, table.url)
    against_the_board(ann, table)
    expect(ann.locator("#mine .seat")).to_contain_text("White")
    assert high_px(ann, "a6") < high_px(ann, "a1")
    ann.locator("#acts").get_by_role("button", name="Next game: the board begins").click()
    table.set_up()
    expect(ann.locator("#mine .seat")).to_contain_text("Black")
    expect(ann.locator("#mine .seat")).not_to_contain_text("level")
    expect(ann.locator("#others .seat")).to_contain_text("· level 1")
    assert high_px(ann, "a6") > high_px(ann, "a1")


def test_who_only_watches_a_game_against_the_board_keeps_the_near_side(open_table: OpenTable, pages: Pages) -> None:
    table, guest = open_table(), pages()
    held = Opponents(levels=(1, 0))
    table.running.service.submit(NewGame(game="tides-of-war", opponents=held, seed=1))
    guest.goto(table.url)
    expect(guest.locator("#mine .seat")).to_contain_text("White")
    assert high_px(guest, "a6") < high_px(guest, "a1")
