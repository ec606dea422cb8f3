"""What is rare is celebrated as it happens: heard and felt on the phones, read on their cards and on the television."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web_panel.real_backend import made, write
from tests.web_panel.real_table import OpenTable, Pages, eventually, join, say_name

LISTENS = "window.felt = []; navigator.vibrate = (...given) => Boolean(felt.push(JSON.stringify(given[0])));"
BUILT, CAPTURE = "[20,30,50]", "[20,40,20]"  # what a phone lets be felt with the sounds of those names
FEATS = {  # the game, its board, what was played before, and a ply of White's with what is cheered of it
    "tides-of-war": ("square144", ("c3-c4", "c6-b5"), "a4xc6xa6", "2 stones at one go!"),
    "cyvasse": ("hex91", ("D-f6",), "Dxf6", "The dragon has fallen!"),
}


def hears(page: Page) -> None:
    page.add_init_script(LISTENS)
    page.add_init_script("localStorage.beaconboard ??= JSON.stringify({ sounds: 'sounds' });")


@pytest.mark.parametrize("game", FEATS)
def test_a_feat_is_heard_and_read_by_who_did_it_by_the_others_and_on_the_television(
    open_table: OpenTable, pages: Pages, game: str
) -> None:
    board, before, ply, cheer = FEATS[game]
    table = open_table(board, finishes=True)
    phones = {name: pages() for name in ("Ann", "Ben")}
    for page, (name, seat) in zip(phones.values(), (("Ann", "White"), ("Ben", "Black")), strict=True):
        hears(page)
        if page is phones["Ann"]:
            table.new_game(game)
        join(page, table.url, seat)
        say_name(page, name)
        page.locator("#sentence").click()  # before a press browsers let nothing be heard
    screen = pages(viewport={"width": 1280, "height": 720})
    screen.goto(f"{table.url}tv")
    for number, text in enumerate((*before, ply), start=1):
        mover = table.table.play.session.mover
        write(phones["Ben" if mover else "Ann"], text)
        made(phones["Ann"], number)
        made(phones["Ben"], number)
    own, other = ("Ann", "Ben") if mover == 0 else ("Ben", "Ann")
    for page in phones.values():
        eventually(page, f"felt.at(-1) === '{BUILT}'")
        assert page.evaluate("felt.length") == len(before) + 1
    expect(phones[own].locator("#seated")).to_have_text(cheer)
    expect(phones[own].locator("#last-turn:visible")).to_have_count(0)
    expect(phones[other].locator("#last-turn")).to_contain_text(f". {cheer}")
    expect(phones[other].locator("#last-turn")).to_be_in_viewport()
    expect(phones[other].locator("#seated")).to_have_text("")
    expect(screen.locator("#last")).to_contain_text(f"{own}: ")
    expect(screen.locator("#last")).to_contain_text(f". {cheer}")
