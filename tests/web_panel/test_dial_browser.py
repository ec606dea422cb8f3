"""Beacons by touch on a phone: bids, numbers of units on a dial, prices on the board, and a whole short game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.orders import AskHelp, NewGame
from controller.rules.registry import game_named
from controller.table.planned import planned
from tests.web_panel.real_backend import Real, board_site, made, real_panel
from tests.web_panel.real_table import eventually

Open = Callable[..., tuple[Page, Real]]
# As many numbers to choose from as there can be.
SIX = """() => { const box = document.createElement("div");
    box.className = "chips";
    for (let n = 1; n <= 6; n += 1) box.append(Object.assign(document.createElement("button"), { textContent: n }));
    document.querySelector(".dial .chips")?.remove();
    document.querySelector(".dial .note").after(box); }"""
SIZES = [(390, 844), (320, 568), (844, 390), (1280, 800)]


@pytest.fixture
def touched(pages: Callable[..., Page], tmp_path: Path) -> Iterator[Open]:
    """Return a function that begins a game of Beacons and opens it on a phone."""
    held = []

    def opened(**options: object) -> tuple[Page, Real]:
        panel = real_panel("shell19", tmp_path, finishes=True)
        real = panel.__enter__()
        held.append(panel)
        real.running.service.submit(NewGame(game="beacons", options=options, seed=5))
        page = pages()
        page.goto(real.address)
        expect(page.locator("#title")).to_contain_text("Beacons")  # and the round, where there are several
        expect(page.locator("body")).to_have_attribute("data-phase", "play")
        expect(page.get_by_role("button", name="All prices")).to_be_visible()
        return page, real

    yield opened
    for panel in held:
        panel.__exit__(None, None, None)


def touch(page: Page, label: str) -> None:
    """Touch the cell that the game calls ``label``."""
    box = page.locator(f'#board [data-site="{board_site(page, label)}"] .face').bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def end(page: Page) -> None:
    """End a turn or a part, and be sure of it."""
    page.locator("#acts").get_by_role("button", name=re.compile("[Ee]nd turn|[Dd]one ")).tap()
    sheet = page.locator("#sheet")
    if sheet.is_visible():
        expect(sheet).to_contain_text(re.compile("would be lost"))
        sheet.get_by_role("button", name=re.compile("[Ee]nd turn|[Dd]one ")).tap()


def test_help_with_a_bid_is_read_in_its_form(touched: Open) -> None:
    page, real = touched(players=2)
    seated = page.request.post(f"{real.address}/api/seat", data={"seat": 0})
    assert seated.ok  # help with what is secret is its own seat's alone
    form = page.locator("#share")
    page.get_by_role("button", name="What can I do here?").tap()
    page.get_by_role("button", name="Help me").tap()
    told = form.get_by_text(re.compile("^A good move: bid "))
    expect(told).to_be_in_viewport()
    page.get_by_role("button", name="Enough").tap()
    expect(form).to_contain_text("Share 12 units among everybody's coffers")


@pytest.mark.parametrize("players", [2, 6])
def test_a_bid_is_made_without_scrolling(touched: Open, players: int) -> None:
    page, _ = touched(players=players)
    for width, height in SIZES if players == 2 else SIZES[:2]:
        page.set_viewport_size({"width": width, "height": height})
        for name in ("One more for Player 1", f"One more for Player {players}", "Confirm"):
            box = page.get_by_role("button", name=name, exact=True).bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 44
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= height, (width, height, name)
        beyond = page.locator("#status").evaluate("each => each.scrollHeight - each.clientHeight")
        assert beyond <= 1, (width, height)


def test_a_transfer_is_four_taps_with_its_price_in_view(touched: Open) -> None:
    page, real = touched(template="trial")
    game = game_named("beacons")
    state = game.start(game.options(template="trial"), 5)
    shells = game.look(state, None).shells
    assert shells is not None
    free = next(
        (cell, other) if cell in ("a3", "b3") else (other, cell)
        for (cell, other), cost in shells.costs.items()
        if cost.move and cost.pay <= 2 and {cell, other} & {"a3", "b3"}
    )
    cost = shells.costs[free] if free in shells.costs else shells.costs[free[1], free[0]]
    touch(page, free[0])
    expect(page.locator('#board [data-state="lifted"]')).to_have_count(1)
    expect(page.locator("#question")).to_be_hidden()
    expect(page.locator("#board .price").first).to_be_visible()
    for badge in page.locator("#board .price rect").all():
        box = badge.bounding_box()
        assert box is not None
        assert box["height"] >= 14
    touch(page, free[1])
    sheet = page.locator("#sheet")
    expect(sheet.get_by_role("heading")).to_have_text(f"Transfer from {free[0]} to {free[1]}")
    expect(sheet.locator(".note")).to_contain_text(cost.text)
    expect(sheet.locator(".facing")).to_be_visible()
    expect(sheet.locator("path.differs")).to_have_count(cost.differing(6))
    if cost.move > 1:
        sheet.get_by_role("button", name="1", exact=True).tap()
    expect(sheet.locator(".told")).to_contain_text(str(6 - cost.pay - 1))
    sheet.get_by_role("button", name="Confirm: 1").tap()
    made(page, 1)
    assert real.plies == (f"t {free[0]} {free[1]} 1",)
    expect(sheet).to_be_hidden()
    expect(page.locator('#board [data-state="lifted"]')).to_have_count(0)


def test_who_sends_what_help_shows_is_led_to_the_cell_and_to_the_number(touched: Open) -> None:
    page, real = touched(start="a3:1x6 d3:2x3")
    plan = planned(real.running.service.look().table.play.session)
    assert plan is not None
    text = plan[0]
    goal = text.split()[2]
    assert text == f"t a3 {goal} 1"
    real.running.service.submit(AskHelp(seat=0, made=0))
    expect(page.locator("#waits")).to_contain_text("A good move: transfer 1 from a3")
    touch(page, "a3")
    expect(page.locator('#board [data-state="lifted"]')).to_have_count(1)
    expect(page.locator("#waits")).to_contain_text(f"Tap {goal}: transfer 1 from a3 to {goal}")
    expect(page.locator("#question")).to_be_hidden()
    cell = page.locator(f'#board [data-site="{board_site(page, goal)}"]')
    expect(cell).to_have_attribute("aria-label", re.compile("may go"))
    assert page.locator('#board [aria-label*="choice"]').count() == 0
    touch(page, goal)
    page.get_by_role("button", name="Confirm: 1").tap()
    made(page, 1)
    assert real.plies == (text,)


def test_on_the_smallest_phone_no_number_of_a_transfer_lies_under_its_button(touched: Open) -> None:
    page, _ = touched(template="trial")
    page.set_viewport_size({"width": 320, "height": 568})
    game = game_named("beacons")
    shells = game.look(game.start(game.options(template="trial"), 5), None).shells
    assert shells is not None
    pair = next(pair for pair, cost in shells.costs.items() if cost.move and cost.pay <= 2 and {"a3", "b3"} & {*pair})
    for label in sorted(pair, key=lambda cell: cell not in ("a3", "b3")):
        touch(page, label)
    expect(page.locator("#sheet .facing")).to_be_visible()
    page.evaluate(SIX)
    page.locator(".dial .note").evaluate("(note) => { note.textContent = '0:1: free, any number of units may move.'; }")
    under = """() => { const top = document.querySelector(".dial .confirm").getBoundingClientRect().top;
        const ends = [...document.querySelectorAll(".chips button")].map((e) => e.getBoundingClientRect().bottom);
        return Math.max(...ends) <= top; }"""
    eventually(page, f"({under})()")


def test_a_lifted_store_lights_no_cell_that_gives_it_away(touched: Open) -> None:
    page, real = touched(template="trial")
    touch(page, "a3")
    expect(page.locator("#waits")).to_have_text("Tap the cell to send units to, or this one again to keep them here.")
    expect(page.locator("#board .blink")).to_have_count(0)
    touch(page, "c3")
    expect(page.locator("#toast")).to_contain_text("a3 and c3 are not neighbours")
    assert not real.plies


def test_two_cells_touched_show_how_their_price_comes_about(touched: Open) -> None:
    page, _ = touched(template="trial")
    touch(page, "c1")
    expect(page.locator("#board .price")).to_have_count(3)
    touch(page, "d1")
    expect(page.locator("#board .over path")).to_have_count(6)
    page.get_by_role("button", name="All prices").tap()
    expect(page.locator("#board .price")).to_have_count(42)
    expect(page.locator("#price-legend")).to_contain_text("pay p, then up to m may move")
    page.get_by_role("button", name="All prices").tap()
    expect(page.locator("#price-legend")).to_be_hidden()


def test_what_was_touched_in_one_turn_is_forgotten_in_the_next(touched: Open) -> None:
    """Also where the turn leaves every number on the board as it was."""
    page, _ = touched(template="trial")
    touch(page, "c1")
    touch(page, "d1")
    expect(page.locator("#board .over path")).to_have_count(6)
    end(page)
    made(page, 1)
    expect(page.locator("#board .over path")).to_have_count(0)
    expect(page.locator("#board .price")).to_have_count(0)


def test_a_list_has_own_transfers_first_others_last_and_no_number_twice(touched: Open) -> None:
    page, _ = touched(template="trial")
    page.get_by_role("button", name="What can I do here?").tap()
    touch(page, "b3")
    rows = page.locator("#sheet .plies button")
    expect(rows.first).to_contain_text("Transfer from b3")
    said = [" ".join(text.split()) for text in rows.all_inner_texts()]
    assert len(said) <= 12
    pays = next(n for n, text in enumerate(said) if "Pay units from b3" in text)
    own = [text.startswith("Transfer from b3") for text in said[:pays]]
    assert own == sorted(own, reverse=True)
    assert pays < len(said) - 1
    assert all(re.match("Transfer from .. to b3", text) for text in said[pays + 1 :])
    rows.nth(pays).tap()
    expect(page.locator("#sheet .confirm")).to_have_text("Confirm: 1")


def test_a_short_game_is_played_by_touch_alone(touched: Open) -> None:
    page, real = touched(rounds=1)
    for player in (1, 2):
        expect(page.locator("#share h2")).to_have_text(f"Player {player}")
        for _ in range(12):
            page.get_by_role("button", name=f"One more for Player {player}").tap()
        page.get_by_role("button", name="Confirm").tap()
        made(page, player)
    touch(page, "c3")
    sheet = page.locator("#sheet")
    expect(sheet.get_by_role("heading")).to_have_text("Place units on c3")
    sheet.get_by_role("button", name="10", exact=True).tap()
    sheet.get_by_role("button", name="Confirm: 10").tap()
    made(page, 3)
    end(page)
    made(page, 4)
    touch(page, "e3")
    sheet.get_by_role("button", name="8", exact=True).tap()
    sheet.get_by_role("button", name="Confirm: 8").tap()
    made(page, 5)
    end(page)
    made(page, 6)
    touch(page, "c3")
    expect(page.locator('#board [data-state="lifted"]')).to_have_count(1)
    for cell in ("d3", "c4", "b3", "c2", "d2", "b4"):
        touch(page, cell)
        page.wait_for_timeout(400)
        if sheet.is_visible():
            break
    sheet.locator(".confirm").tap()
    made(page, 7)
    assert real.plies[-1].startswith("t c3 ")
    count = 7
    while page.locator("body").get_attribute("data-phase") != "over" and count < 16:
        end(page)
        count += 1
        made(page, count)
    expect(page.locator("body")).to_have_attribute("data-phase", "over")
    assert real.plies[-1] == "end"
