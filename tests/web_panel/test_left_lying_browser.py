"""A game that was left lying, a week later, in Chromium on the real service: what greets its player, and others."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from controller.orders import NewGame
from tests.service.evenings import begun
from tests.web_panel.real_backend import made
from tests.web_panel.real_table import OpenTable, Pages, join, say_name


class Evening:
    """Odette has begun a game against the board and gone; Mara owns the table, and Jonas has been there, too."""

    def __init__(self, open_table: OpenTable, pages: Pages, folder: Path) -> None:
        self._open, self._folder, self.table = open_table, folder, open_table(finishes=True)
        self.mara, self.odette, self.jonas = pages(), pages(), pages()
        for page, name in ((self.mara, "Mara"), (self.odette, "Odette"), (self.jonas, "Jonas")):
            join(page, self.table.url)
            say_name(page, name)
        self.odette.goto(self.table.url)
        self.odette.get_by_role("button", name="Against the board, level 1: Tides of War").click()
        expect(self.odette.locator("body")).to_have_attribute("data-turn", "mine")
        for cell in ("d2", "d3"):  # a move that the coach lets pass
            table = self.table.table
            site = table.board.where(table.play.game_area.bit[cell])[0]
            self.odette.locator(f'#board [data-site="{site}"]').click()
        made(self.odette, 2)  # the board has answered

    def a_week_later(self) -> None:
        """Switch the board off, and on again after a week."""
        for page in (self.mara, self.odette, self.jonas):
            page.goto("about:blank")
        port = int(self.table.url.rstrip("/").rpartition(":")[2])
        self.table.close()
        for number in (1, 2):
            begun(self._folder / "games.sqlite3", "-7 days", number=number)
        self.table = self._open(finishes=True, port=port)


@pytest.fixture
def evening(open_table: OpenTable, pages: Pages, tmp_path: Path) -> Evening:
    return Evening(open_table, pages, tmp_path)


def test_a_game_left_lying_greets_its_player_alone_and_all_others_find_the_choice_of_games(evening: Evening) -> None:
    evening.a_week_later()
    jonas, odette, url = evening.jonas, evening.odette, evening.table.url
    jonas.goto(url)
    lying = jonas.locator("#lying")
    expect(lying).to_contain_text("Tides of War of Odette stands on the board, and is kept when another game begins.")
    expect(jonas.locator("#lobby")).not_to_contain_text("Go on with Tides of War")  # that is Odette's, and said
    expect(jonas.locator("#joining")).not_to_contain_text("All seats are taken")
    lying.get_by_role("button", name="Look at it").click()
    expect(jonas.locator("#lobby")).to_have_count(0)
    expect(jonas.locator("#joining")).to_contain_text("All seats are taken")
    expect(jonas.locator("#take-back")).to_be_disabled()
    jonas.goto(url)
    expect(lying).to_be_visible()
    odette.goto(url)
    expect(odette.locator("body")).to_have_attribute("data-turn", "mine")
    expect(odette.locator("#lobby")).to_have_count(0)
    expect(odette.locator("#plies li")).not_to_have_count(0)
    expect(jonas.locator("#lobby")).to_have_count(0)  # she is here: it is her table
    odette.goto("about:blank")
    expect(jonas.locator("#lying")).to_be_visible(timeout=30_000)  # once her page is known to be closed
    jonas.get_by_role("button", name="Play: Chess of Tam Ruat").click()
    expect(jonas.locator("#title")).to_have_text("Chess of Tam Ruat")  # nobody was asked
    assert evening.table.table.play.session.name == "tam-ruat-chess"


def test_whose_game_made_room_for_another_one_is_offered_it_first(evening: Evening) -> None:
    evening.a_week_later()
    jonas, odette = evening.jonas, evening.odette
    jonas.goto(evening.table.url)
    jonas.get_by_role("button", name="Against the board, level 1: Chess of Tam Ruat").click()
    expect(jonas.locator("#title")).to_have_text("Chess of Tam Ruat")
    evening.a_week_later()
    odette.goto(evening.table.url)
    welcome = odette.locator("#lobby > :first-child")
    expect(welcome).to_contain_text("Welcome back, Odette. Your game of Tides of War waits for you.")
    expect(odette.locator("#lobby > *").nth(1)).to_contain_text("Puzzle of the day")
    expect(odette.locator("#lobby > *").nth(1)).to_contain_text("to move: ")
    expect(odette.locator("#lying")).to_contain_text("Chess of Tam Ruat of Jonas")
    welcome.get_by_role("button", name="Go on with your game").click()
    expect(odette.locator("#title")).to_have_text("Tides of War")
    expect(odette.locator("body")).to_have_attribute("data-turn", "mine")


def test_a_puzzle_over_a_game_left_lying_leads_back_to_the_choice_of_games(evening: Evening) -> None:
    evening.a_week_later()
    jonas = evening.jonas
    jonas.goto(evening.table.url)
    jonas.get_by_role("button", name="Solve it: Puzzle of the day").click()
    expect(jonas.locator("#lesson")).to_be_visible()
    jonas.get_by_role("button", name="Leave").click()
    expect(jonas.locator("#lying")).to_be_visible()
    assert evening.table.table.play.session.name == "tides-of-war"
    holder = evening.table.phones.holder(0)
    assert holder
    assert holder.name == "Odette"  # it is hers, whoever has led back to it


def test_a_game_of_hands_that_nobody_plays_with_a_phone_is_gone_on_with_in_one_tap(
    open_table: OpenTable, pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, page = open_table(), pages()
    join(page, table.url)
    table.running.service.submit(NewGame(game="tides-of-war", seed=1))
    table.set_up()
    monkeypatch.setattr("web_panel.people.left_lying.LYING_S", 0.0)
    page.goto(table.url)
    expect(page.locator("#lying")).to_contain_text("Tides of War stands on the board")
    page.locator("#lying").get_by_role("button", name="Go on").click()
    expect(page.locator("#lobby")).to_have_count(0)
    expect(page.locator("body")).to_have_attribute("data-phase", "play")
