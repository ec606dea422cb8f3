"""Each game begun and played without the screen: by keys alone, from what a screen reader is given, in Chromium."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from controller.rules.registry import all_games
from tests.web_panel.listener import TURN
from tests.web_panel.real_backend import made, real_panel
from tests.web_panel.unseen import Unseen

MOVES = 3
MANY = ("cyvasse", "tam-ruat-chess")  # the most pieces to name


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.night if name in MANY else ()) for name in sorted(all_games())],
)
def test_a_game_is_begun_and_played_unseen(page: Page, tmp_path: Path, name: str) -> None:
    """By its list of moves and by hand; each move is heard with its cells in words, and whose turn it is then."""
    game = all_games()[name]
    with real_panel("any", tmp_path, finishes=True) as real:
        page.goto(real.address)
        player = Unseen(page)
        player.begins(game.facts.title)
        if game.share is not None:
            for number in (1, 2):
                player.shares_out("12")
                made(page, number)
        last = ""
        for number in range(MOVES):
            before = len(real.plies)
            said = player.heard(TURN.pattern)
            seat = next(number for number, called in enumerate(game.facts.seats) if called in said)
            mover = game.side(real.running.service.look().table.play.session.state, seat)
            player.to_board()
            if number == 1 and not game.facts.several:
                player.moves_a_piece(mover)
            else:
                player.chooses_a_move(mover if game.share is None else "")
            last = player.heard_move(last)
            assert len(real.plies) == before + 1, last
