"""Whole games of several people, each with a phone, in Chromium on the real service: arrays and bids in secret too."""

from __future__ import annotations

import re
from itertools import groupby

import pytest
from playwright.sync_api import Page, expect

from controller.devices.sensors.simulated_board import SimulatedBoard
from controller.rules.games.cyvasse.board import CELLS
from controller.rules.games.cyvasse.state import STANDARD
from controller.rules.registry import game_named
from tests.web_panel.real_backend import do_it, made, tap, write
from tests.web_panel.real_table import OpenTable, Pages, RealTable, join

WHITE = [f"{word[0]}@{word[1:]}" for word in STANDARD.split()]
BLACK = [f"{word[0]}@{CELLS[len(CELLS) - 1 - CELLS.index(word[1:])]}" for word in STANDARD.split()]
KING = ("i3-g7", "c9xg7", "h3-i3", "g7xi3", "k1-j1", "i3xh2")  # what follows on the standard array: White's is lost

# Found by play at random that likes to take: everybody is in it, and Black wins.
FOUR = (
    "b2+; c1-d1; a2+; a8-b7; b7-c6; c6-d7; h8+; i7-h6; g9-f9; i2-h3; h1+; end; b2-c1; a2-a1; d7-e6; c9+; h8-g7; "
    "h6-g5; g1+; i3-i2; d1-e2; c1-c2; e6-d6; a7-a6; f9-e8; g7+; h2-i1; h3-i4; c2-c1; b1-c2; a6-b7; c9-d9; h9-h8; "
    "i8-h7; g1-f2; i2-i3; a1+; a3-a4; d9xe8; b7+; g7-h6; g5-h5; f2xe2; i1+; c2-b1; a1-b2; d6-c5; e8-d9; h6-i6; "
    "h8-g8; i3+; e2+; b1-a1; a4-a5; d9-e9; b7+; h5-g4; i6-i5; i1-i2; e2-f3; a1+; b2-c3; c5-b6; b8-c8; i5xi4; "
    "g4-h4; i3xh4; f3-e2; a1+; a5+; c8-d7; b6+; i4xh4; h7-i8; e2-d1; i2-h3; a5-a6; c3-d3; b7xa6; e9-f8; h4xh3; "
    "i8-i7; d1xc1; h1+; d3-e2; a1-b1; f8xg8; b9-a9; h3-g3; i7-i6; h1-i2; c1-d1; b1-a1; end; d7+; a6-b5; i6-h6; "
    "g3-h2; d1+; i2-h1; a1+; e2-d3; d7-e6; g8-f7; h2-i2; h6-g7; d1-c2; h1-h2; d3-c3; a1-a2; f7xg7; b6-b7; i2+; "
    "end; c2xc3; h2-h1; a2+; end; b5-a5; b7-b8; i2xh1"
)


def at_the_table(table: RealTable, pages: Pages, *seats: str) -> list[Page]:
    """Let a phone join for each seat."""
    phones = [pages() for _ in seats]
    for page, seat in zip(phones, seats, strict=True):
        join(page, table.url, seat)
    return phones


def plies(table: RealTable) -> tuple[str, ...]:
    return table.table.play.session.plies


def choose(page: Page, cell: str, words: str, units: int = 0) -> None:
    """Choose what the list of a cell, or its only entry, says with ``words``; then how many ``units``, if it asks."""
    page.get_by_role("button", name="What can I do here?").click()
    tap(page, cell)
    sheet = page.locator("#sheet")
    expect(sheet).to_be_visible()  # while it is closed it has the words of the list before
    expect(sheet).to_contain_text(words)
    entry = sheet.get_by_role("button", name=words)
    if entry.count():  # more than one thing can be done here
        entry.click()
    if units:
        confirm = sheet.get_by_role("button", name=re.compile("^Confirm: "))
        expect(confirm).to_be_visible()
        if confirm.inner_text() != f"Confirm: {units}":
            sheet.get_by_role("button", name=str(units), exact=True).click()
        sheet.get_by_role("button", name=f"Confirm: {units}", exact=True).click()
    expect(sheet).to_be_hidden()


# ---- Cyvasse, set up by the players ----


def test_cyvasse_is_set_up_in_secret_and_then_played_until_the_king_is_lost(
    open_table: OpenTable, pages: Pages
) -> None:
    table = open_table("hex91")
    table.new_game("cyvasse", setup="secret")
    white, black = at_the_table(table, pages, "White", "Black")
    tap(black, "h2")  # White's king will stand there
    expect(black.locator("#toast")).to_have_text("Only the lit cells are yours.")
    white.get_by_role("button", name="Standard").click()
    expect(white.locator('#board [aria-label^="h2, king"]')).to_have_count(1)
    expect(black.locator("#board .token")).to_have_count(0)
    white.get_by_role("button", name="Ready").click()
    made(white, 26)
    expect(black.locator("#plies")).not_to_contain_text(re.compile("K@h2|king on h2", re.IGNORECASE))
    expect(black.locator("#sentence")).to_have_text("Set up your pieces in rows 7 to 11: 25 are left.")
    expect(black.locator("#lines")).to_contain_text("White is ready.")
    expect(white.locator('#board .token[data-state="ghost"]')).to_have_count(25)
    black.get_by_role("button", name="Standard").click()
    black.get_by_role("button", name="Ready").click()
    made(black, 52)
    for page in (white, black):
        expect(page.locator("#board polygon.ground.fortress")).to_have_count(2)
    do_it(white)
    expect(black.locator('#board .token[data-state="set"]')).to_have_count(50)
    play_to_the_kings_loss(table, white, black)


def test_cyvasse_is_set_up_openly_in_turn_by_hand_and_by_phone(open_table: OpenTable, pages: Pages) -> None:
    table = open_table("hex91")
    table.new_game("cyvasse", setup="open")
    white, black = at_the_table(table, pages, "White", "Black")
    assert isinstance(table.running.sensors, SimulatedBoard)
    table.running.sensors.set_sensor("h2", True)  # a piece is put there; which one, no reed contact can tell
    white.locator("#answers").get_by_role("button", name="king on h2").click()
    made(black, 1)
    expect(white.locator("#advice")).to_be_empty()
    tap(white, "g2")
    expect(white.locator("#toast")).to_have_text("There is nothing to do on g2 now.")
    number = 1
    for mine, theirs in zip([*WHITE[1:], "end", ""], [*BLACK, "end"], strict=True):
        for page, text in ((black, theirs), (white, mine)):
            if text:
                number += 1
                write(page, text)
                made(page, number)
    assert plies(table)[:2] == ("K@h2", BLACK[0])
    do_it(black)
    play_to_the_kings_loss(table, white, black)


def play_to_the_kings_loss(table: RealTable, white: Page, black: Page) -> None:
    """Play `KING`, the first ply by hand."""
    expect(white.locator("#sentence")).to_have_text("Your turn")
    expect(white.locator("#advice")).to_be_empty()
    tap(white, "i3")
    tap(white, "g7")
    made(white, 53)
    for number, text in enumerate(KING[1:], 54):
        page = white if number % 2 else black
        write(page, text)
        made(page, number)
    expect(white.locator("#sentence")).to_have_text("You lose. Black wins: the king is taken.")
    expect(black.locator("#sentence")).to_have_text("You win: the king is taken.")
    assert plies(table)[-6:] == KING


# ---- Circle ----


@pytest.mark.night
def test_circle_is_played_by_four_phones_to_its_end(open_table: OpenTable, pages: Pages) -> None:
    table = open_table()
    table.new_game("circle", players=4)
    phones = at_the_table(table, pages, "White", "Black", "Blue", "Orange")
    game = game_named("circle")
    state, turns = game.start(game.options(players=4), 0), []
    for text in (text.strip() for text in FOUR.split(";")):
        turns.append((game.seat(state), text))
        state = game.play_text(state, text)
    done = 0
    for seat, turn in groupby(turns, key=lambda each: each[0]):
        texts = [text for _, text in turn]
        expect(phones[seat].locator("#sentence")).to_have_text("Your turn")
        write(phones[seat], "; ".join(texts))
        done += len(texts)
        made(phones[seat], done)
    for number, page in enumerate(phones):
        wins = "You win" if number == 1 else "You lose. Black wins"
        expect(page.locator("#sentence")).to_have_text(f"{wins}: nobody else has two units left.")
        expect(page.locator(".seats li.winner")).to_contain_text("Black")
    do_it(phones[3])
    assert plies(table) == tuple(text for _, text in turns)
    phones[0].locator("#acts").get_by_role("button", name="Play again: the next player begins").click()
    expect(phones[2].locator("#seated")).to_have_text("Each seat has passed to the next player.")


# ---- Beacons on square tiles ----


def bid(page: Page, *shares: int) -> None:
    for number, units in enumerate(shares):
        page.locator("#share input").nth(number).fill(str(units))
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator("#share")).to_have_count(0)


def end(page: Page) -> None:
    page.locator("#acts").get_by_role("button", name=re.compile("([Ee]nd turn|[Dd]one )")).click()


@pytest.mark.night  # by day three play so
def test_beacons_on_square_tiles_with_two_players_through_a_harvest(open_table: OpenTable, pages: Pages) -> None:
    table = open_table("shellsquare16")
    table.new_game("beacons", board="square 4 4", seed=5, rounds=2)
    one, two = at_the_table(table, pages, "Player 1", "Player 2")
    bid(one, 5, 7)
    bid(two, 6, 6)
    choose(one, "a1", "Place units on a1", units=6)
    choose(one, "b1", "Place units on b1", units=6)
    expect(two.locator("#sentence")).to_have_text("Place your 14 units.")
    choose(two, "c3", "Place units on c3", units=7)
    made(two, 5)
    end(two)
    expect(two.get_by_role("dialog")).to_contain_text("7 units in the coffer. They would be lost.")
    two.get_by_role("dialog").get_by_role("button", name="Done placing").click()
    expect(one.locator("#lines")).to_contain_text("active phase")
    do_it(one)
    expect(one.locator("#board .mark.count").first).to_be_visible()
    choose(one, "a1.b1", "Build the beacon")
    choose(one, "b2", "Transfer from b1 to b2", units=2)
    do_it(one)
    end(one)
    choose(two, "c3", "Turn the shell of c3 clockwise for 1")
    choose(two, "c3", "Pay units from c3 into the coffer of Player 1", units=2)
    do_it(two)
    end(two)
    for page in (one, two):
        expect(page.locator("#sentence")).to_have_text("Your turn")
        end(page)
    expect(one.locator("#lines")).to_contain_text("harvest")
    expect(one.locator(".seat-0 .score")).to_have_text("1")
    choose(one, "a1", "Move units from the coffer to a1", units=2)
    for page in (one, two):
        expect(page.locator("#lines")).to_contain_text("Round 2 of 2: active phase.")
    assert plies(table)[:3] == ("bid 5 7", "bid 6 6", "place a1 6")
    assert plies(table)[-1] == "move a1 2"


def test_beacons_on_square_tiles_with_three_players_through_a_harvest(open_table: OpenTable, pages: Pages) -> None:
    table = open_table("shellsquare16")
    table.new_game("beacons", board="square 4 4", players=3, seed=5, rounds=2)
    one, two, three = at_the_table(table, pages, "Player 1", "Player 2", "Player 3")
    bid(one, 4, 4, 4)
    bid(two, 5, 4, 3)
    bid(three, 3, 4, 5)
    orders = ("Player 3, Player 2, you", "Player 3, you, Player 1", "you, Player 2, Player 1")
    for page, order in zip((one, two, three), orders, strict=True):
        expect(page.locator("#lines")).to_contain_text(f"Order of play: {order}.")
    for page, first, second in ((three, "d4", "d3"), (two, "a4", "a3"), (one, "a1", "b1")):
        choose(page, first, f"Place units on {first}", units=7)
        choose(page, second, f"Place units on {second}", units=6)
    do_it(one)
    choose(three, "d4", "Pay units from d4 into the coffer of Player 1", units=1)
    end(three)
    choose(two, "a3.a4", "Build the beacon")
    end(two)
    choose(one, "a1.b1", "Build the beacon")
    end(one)
    do_it(one)
    for page in (three, two, one):
        end(page)
    expect(one.locator("#lines")).to_contain_text("harvest")
    choose(one, "a1", "Move units from the coffer to a1", units=1)
    for page in (one, two, three):
        expect(page.locator("#lines")).to_contain_text("Round 2 of 2: active phase.")
        for seat, score in enumerate("110"):
            expect(page.locator(f".seat-{seat} .score")).to_have_text(score)
    assert plies(table)[-1] == "move a1 1"
