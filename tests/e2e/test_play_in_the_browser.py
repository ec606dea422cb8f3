"""A whole game in Chromium on the running service: new game, set up, lifted and placed by drag and by tap, won."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from controller.benchmarks.gestures import gesture
from controller.rules.registry import game_named
from hardware.profile import load
from tests.e2e.evening import offers
from tests.e2e.running import playing

# The sites whose label ends with one of the meanings, as the panel names them: by the game's names.
LIT = """([meanings, wanted]) => {
  const lit = [...document.querySelectorAll("#board [data-site]")]
    .filter((site) => site.dataset.light !== "#000000" && meanings.some((m) => site.ariaLabel.endsWith(", " + m)))
    .map((site) => site.ariaLabel.split(", ")[0]);
  return JSON.stringify(lit.sort()) === JSON.stringify(wanted);
}"""


class Player:
    """Fingers on the page; sites by the game's names."""

    def __init__(self, page: Page, board: str, name: str) -> None:
        self.page = page
        self.site = load(board).placement(name)
        self.game = game_named(name)

    def begin(self, address: str) -> None:
        self.page.set_viewport_size({"width": 1000, "height": 1700})  # board and tools of raw hands in view together
        self.page.goto(address)
        self.page.get_by_label("Move every piece by hand").check()  # each touch is to go through the emulated board
        self.page.get_by_role("button", name="New game").click()
        self.page.get_by_role("radio", name=self.game.facts.title).check()
        if (rounds := self.page.locator("#options [name=rounds]")).count():
            self.page.locator("#options details").evaluate_all("all => all.forEach((each) => (each.open = true))")
            rounds.fill("1")
        self.page.locator("#start").click()
        expect(self.page.locator("#sentence")).to_have_text("Set up the board.")
        self.page.get_by_role("button", name="Set up pieces").click()
        expect(self.page.locator("#sentence")).to_contain_text("to move")

    def make(self, state: Any, ply: Any, by_drag: bool) -> list[str]:
        """Make ``ply``; the lights answer the lift with what the rules allow. Return the sites of its chores."""
        way = gesture(self.game, state, ply)
        path = self.game.walk(state, ply).path
        if by_drag:
            self.page.mouse.move(*self._middle(path[0]))
            self.page.mouse.down()
            self._offers(state, path[0])
            self.page.mouse.move(*self._middle(path[-1]), steps=4)
            self.page.mouse.up()
        else:
            self._tap(path[0])
            self._offers(state, path[0])
            self._tap(path[-1])
        for site, _ in (move for move in way.moves if move[0] not in path):
            self.put_aside(site)
        return [site for site, _ in way.chores]

    def lit(self, sites: set[str], *meanings: str) -> None:
        """Wait until exactly these sites are lit with one of ``meanings``."""
        self.page.wait_for_function(LIT, arg=[list(meanings), sorted(sites)])

    def _offers(self, state: Any, origin: str) -> None:
        go, take = offers(self.game, state, origin)
        self.lit(go, "may go")
        self.lit(take, "may take")

    def put_aside(self, site: str) -> None:
        self._tap(site)
        self.page.get_by_role("button", name="Take off the board").click()
        expect(self.page.locator(f'#board [data-on="{self.site[site]}"]')).to_have_count(0)

    def _tap(self, site: str) -> None:
        self.page.mouse.click(*self._middle(site))

    def _middle(self, site: str) -> tuple[float, float]:
        face = self.page.locator(f'#board [data-site="{self.site[site]}"] .face')
        face.scroll_into_view_if_needed()
        box = face.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize(
    ("board", "name", "seed", "words"),
    [
        ("square144", "tides-of-war", 301, "White wins: a town is conquered."),
        pytest.param(
            "hex91",
            "giantslayer",
            84,
            "First player wins 6:0: all giants slain.",
            marks=pytest.mark.night,  # half a minute
        ),
    ],
)
def test_a_whole_game_by_drag_and_by_tap(
    page: Page, tmp_path: Path, port: int, board: str, name: str, seed: int, words: str
) -> None:
    with playing(tmp_path / "games.sqlite3", "--board", board, port=port) as running:
        page.set_default_timeout(15_000)
        player = Player(page, board, name)
        player.begin(running.panel.address)
        game, dice = player.game, random.Random(seed)
        state = game.start(game.options(), 0)
        made: list[str] = []
        while game.seat(state) is not None:
            ply = dice.choice(game.plies(state))
            chores = player.make(state, ply, by_drag=len(made) % 2 == 0)
            made.append(game.text(state, ply))
            expect(page.locator("#plies li")).to_have_text(made)
            for site in chores:
                player.put_aside(site)
            state = game.after(state, ply)
        expect(page.locator("#sentence")).to_have_text(words)
        winner = game.result(state).winner
        player.lit({site for site, piece in game.shape(state).items() if piece.seat == winner}, "won")
        expect(page.locator(".seats li.winner")).to_contain_text(game.facts.seats[winner])
