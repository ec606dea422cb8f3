"""The pages beside the board are of one style, each leads on, and a list of moves shows the one that is looked at."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.orders import NewGame, PlayPly, Resign
from tests.web_panel.real_backend import real_panel
from tests.web_panel.real_table import OpenTable, Pages, eventually, join

MOVES = 30
# Whether the row of the move that is looked at lies whole within the list of them.
SEEN = """() => { const box = (found) => document.querySelector(found)?.getBoundingClientRect();
    const [list, row] = [box("#plies"), box("#plies [aria-current]")];
    return Boolean(row) && row.top >= list.top - 1 && row.bottom <= list.bottom + 1; }"""
# Where the fields of this device begin, and where they end.
EDGES = """() => new Set([...document.querySelectorAll("#this-phone .setting select")].map((each) => {
    const { left, right } = each.getBoundingClientRect();
    return `${Math.round(left)} ${Math.round(right)}`; })).size"""


@pytest.mark.parametrize("address", ["join", "settings", "history", "house", "rules/circle"])
def test_each_page_begins_with_the_way_to_the_board_and_its_title(
    open_table: OpenTable, pages: Pages, address: str
) -> None:
    table, page = open_table("first36"), pages()
    page.goto(f"{table.url}{address}")
    expect(page.locator("header a").first).to_have_text("← The board")
    expect(page.locator("header h1")).to_be_visible()


def test_the_fields_of_this_device_are_aligned(open_table: OpenTable, pages: Pages) -> None:
    table, page = open_table("first36"), pages()
    page.goto(f"{table.url}settings")
    expect(page.locator("#this-phone .setting select")).to_have_count(3)
    eventually(page, f"({EDGES})() === 1")


def test_who_cannot_connect_the_board_to_a_house_reads_who_can(open_table: OpenTable, pages: Pages) -> None:
    table, (ann, ben) = open_table("first36"), (pages(), pages())
    for each in (ann, ben):
        join(each, table.url)
    ben.goto(f"{table.url}house")
    expect(ben.locator("#stands")).not_to_be_empty()
    expect(ben.locator("#asks")).to_contain_text("Whoever owns this table can connect it")
    ann.goto(f"{table.url}house")
    expect(ann.locator("#way")).to_be_visible()
    expect(ann.locator("#asks")).to_be_hidden()


def test_the_list_of_moves_shows_the_one_that_is_looked_at(page: Page, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 390, "height": 500})
    with real_panel("any", tmp_path, finishes=True) as real:
        service = real.running.service
        service.submit(NewGame(game="circle", seed=1))
        page.goto(real.address)
        expect(page.locator("body")).to_have_attribute("data-phase", "play")
        for _ in range(MOVES):
            play = service.look().table.play
            assert play
            game, state = play.session.game, play.session.state
            service.submit(PlayPly(text=game.text(state, game.plies(state)[0])))
        service.submit(Resign(seat=0))
        page.goto(f"{real.address}history/1")
        expect(page.locator("#plies li")).to_have_count(MOVES)
        eventually(page, f"({SEEN})()")
        page.locator("#first").click()
        page.locator("#next").click()
        eventually(page, f"({SEEN})()")
