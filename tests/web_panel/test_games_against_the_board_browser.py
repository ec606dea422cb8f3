"""A whole game of each against the board in Chromium: a person taps, the real process thinks, to the end.

The person knows the rules and the buttons. What the person meant is written down before it is tapped, and what was
made is held to it; the board's moves are played on from its record by the rules alone, and so is how it ended.
"""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from controller.engine.levels import level_of
from controller.engine.player import Player
from controller.rules.game import AnyGame
from controller.rules.registry import all_games, game_named
from tests.web_panel.real_backend import Real, real_panel, tap
from tests.web_panel.test_board_seats_browser import against

NODES, MOST_PLIES, PATIENCE_S = 250, 400, 60.0
ENDS = re.compile(r"(: end turn|: done |^End turn|^Done )", re.IGNORECASE)
CELL = re.compile(r"[a-l]\d+")
ONE_ROUND = {"giantslayer": {"rounds": "1"}, "beacons": {"rounds": "1"}}
LONGEST = ("beacons", "circle", "cyvasse", "giantslayer", "tam-ruat-chess")  # half a minute and more


class Person:
    """Somebody in the first seat, with a finger on the page."""

    def __init__(self, page: Page, game: AnyGame) -> None:
        self.page, self.game = page, game
        self.sheet = page.locator("#sheet")
        self.thinks = Player(game, 2)

    def wants(self, state: Any, number: int) -> Any:
        """Return the ply to make: a good one, and in Beacons one of the plainest turns."""
        if self.game.facts.name != "beacons":
            return self.thinks.choose(state, level_of(8, self.game.facts.name), number, NODES).ply
        plies = {self.game.text(state, ply): ply for ply in self.game.plies(state)}
        for kind in ("bid", "place", "b"):
            if of_kind := [text for text in plies if text.startswith(f"{kind} ")]:
                return plies[of_kind[len(of_kind) // 2]]
        transfers = [text for text in plies if text.startswith("t ")]
        return plies[transfers[number % len(transfers)] if transfers and number % 2 else "end"]

    def makes(self, state: Any, ply: Any) -> None:
        """Tap what makes ``ply``: piece and goal, or what the list of a cell has; and the button where one says it."""
        text, path = self.game.text(state, ply), self.game.walk(state, ply).path
        kind, *more = text.split()
        if text == "end":
            self.page.locator("#acts").get_by_role("button", name=ENDS).click()
        elif self.game.facts.name == "beacons":
            self.makes_in_beacons(kind, more)
        elif len(path) > 1 and path[0] != path[-1]:
            for cell in path if self.is_one_of_several_ways(state, path) else (path[0], path[-1]):
                tap(self.page, cell)
        else:
            self.page.get_by_role("button", name="What can I do here?").click()
            tap(self.page, path[-1] if path else CELL.search(text)[0])

    def is_one_of_several_ways(self, state: Any, path: tuple[str, ...]) -> bool:
        """Whether more than one leads there: then each landing is tapped, as the page asks for."""
        ends = [way[:1] + way[-1:] for each in self.game.plies(state) if (way := self.game.walk(state, each).path)]
        return ends.count(path[:1] + path[-1:]) > 1

    def makes_in_beacons(self, kind: str, more: list[str]) -> None:
        if kind == "bid":
            for number, units in enumerate(more):
                self.page.locator("#share input").nth(number).fill(units)
            self.page.get_by_role("button", name="Confirm").click()
            return
        self.page.get_by_role("button", name="What can I do here?").click()
        tap(self.page, more[0])
        words = {"place": "Place units on {0}", "t": "Transfer from {0} to {1}", "b": "Build a beacon"}[kind]
        words = words.format(*more)
        expect(self.sheet).to_contain_text(words)
        if (entry := self.sheet.get_by_role("button", name=words)).count():
            entry.first.click()
        if kind == "b":
            return
        confirm = self.sheet.get_by_role("button", name=re.compile("^Confirm: "))
        expect(confirm).to_be_visible()
        if confirm.inner_text() != f"Confirm: {more[-1]}":
            self.sheet.get_by_role("button", name=more[-1], exact=True).click()
        self.sheet.get_by_role("button", name=f"Confirm: {more[-1]}", exact=True).click()

    def is_asked(self, text: str, words: str) -> None:
        """Answer which of several moves was meant, or that the turn is to end, where the page asks."""
        told = ENDS if text == "end" else re.compile(f"^{re.escape(words)}$", re.IGNORECASE)
        if (meant := self.sheet.get_by_role("button", name=told).first).is_visible():
            meant.click()
            expect(self.sheet).to_be_hidden()


def until(page: Page, real: Real, person: Person, number: int, text: str, words: str) -> None:
    """Wait until so many plies are made, the last of them that one, and answer what is asked about it."""
    end = time.monotonic() + PATIENCE_S
    while len(real.plies) < number or real.plies[number - 1] != text:  # a chain grows landing by landing
        assert time.monotonic() < end, (number, text, page.locator("#status").inner_text(), real.plies[-3:])
        page.wait_for_timeout(60)
        person.is_asked(text, words)


def their_turn_is_over(page: Page, real: Real, game: AnyGame, state: Any, made: int) -> Any:
    """Wait for what the board plays until the person is to move, or all is over; return how the game stands then."""
    end = time.monotonic() + PATIENCE_S
    while game.seat(state) == 1:
        while len(real.plies) == made:
            assert time.monotonic() < end, page.locator("#status").inner_text()
            page.wait_for_timeout(60)
        state = game.play_text(state, real.plies[made])
        made += 1
        end = time.monotonic() + PATIENCE_S
    return state


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.night if name in LONGEST else pytest.mark.long)
        for name in sorted(all_games())
    ],
)
def test_a_whole_game_is_played_against_the_board(page: Page, tmp_path: Path, name: str) -> None:
    game = game_named(name)
    with real_panel("any", tmp_path, finishes=True) as real:
        page.goto(real.address)
        against(page, game.facts.title, **ONE_ROUND.get(name, {}))
        session = real.running.service.look().table.play.session
        state, person = session.positions[0].state, Person(page, game)
        while game.seat(state) is not None and len(real.plies) < MOST_PLIES:
            made = len(real.plies)
            ply = person.wants(state, made)
            text = game.text(state, ply)
            expect(page.locator("#plies li")).to_have_count(made, timeout=20_000)
            person.makes(state, ply)
            until(page, real, person, made + 1, text, game.words(state, ply))
            state = their_turn_is_over(page, real, game, game.after(state, ply), made + 1)
        result = game.result(state)
        assert result.over
        expect(page.locator("body")).to_have_attribute("data-phase", "over")
        wins = {None: "draw", 0: "you win"}.get(result.winner, "you lose")
        expect(page.locator("#sentence")).to_contain_text(wins, ignore_case=True)
        assert real.running.service.look().table.play.session.opponents.levels[1]
