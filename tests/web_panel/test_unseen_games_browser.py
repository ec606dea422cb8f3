"""Each game played to its end without the screen, by somebody who knows a short game by heart and hears all the rest.

The listener is told which way the game goes; whose turn it is, what may move and where to, what was taken and how it
ended, is heard, and is then held against what the service knows.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.web_panel.listener import Listener, owner
from tests.web_panel.real_backend import Real, real_panel

GAMES = {
    "Tides of War": "a5-a6; d4-c4; b4-f6",
    "Giantslayer": "c3-c5; e4-d4; i2-g4; d6-c6; b4-b6; e6-d7; h1-e4; d7-c8; f8-f6; f5-e6; i3-g3; e6-f5",
    "Chess of Tam Ruat": "j1-j3; c11-c10; j3-i6; h11-g10; i6-h9",
    "Cyvasse": "i3-g7; c9-g7; h3-i3; g7-i3; k1-j1; i3-h2",
    "Circle": (
        "c2+; c2-d3; d3-e4; h7-g6; h8-h7; g6-f5; e4-f5; a3-b4; h7-g6; g8-h7; f5-g6; b3-a2; g9-h8; i6-h6; g6-h7; d1+;"
        " f9-g8; h6-g7; h7-h8; b2-b3; g8-h7; i7-i8; h8-h7; d1-e2; i8-h8; g7-g6; h7-g6"
    ),
}


MOST_ENDS = 8


def played(listener: Listener, real: Real, plan: str) -> None:
    """Make the moves of the ``plan``; each that is heard is the one that was made, with all that it took."""
    listener.asks_what_can_move()
    told, before = "", dict[str, str]()
    for number, step in enumerate(plan.split("; "), 1):
        start, _, end = step.strip("+").partition("-")
        mover, cells = listener.turn(start)
        now = {cell: seat for cell, said in cells.items() if (seat := owner(said))}
        lost = [cell for cell in before if before[cell] != now.get(cell)]
        assert [cell for cell in lost if listener.in_words(cell) not in told] == [], told
        if end:
            listener.moves(start, end)
        else:
            listener.chooses(start, "becomes")
        told, before = listener.hears_a_move(), now
        assert len(real.plies) == number, (mover, told)


def ends(listener: Listener, real: Real, words: str = "") -> None:
    """Hear how the game has ended, which is how the service knows it."""
    said = listener.hears_the_end()
    play = real.running.service.look().table.play
    assert play is not None
    assert play.result.over
    assert play.result.winner is not None
    assert said.startswith(f"{play.session.game.facts.seats[play.result.winner]} wins")
    assert words in said


@pytest.mark.parametrize("title", sorted(GAMES))
def test_a_game_is_played_to_its_end_unseen(page: Page, tmp_path: Path, title: str) -> None:
    with real_panel("any", tmp_path, finishes=True) as real:
        page.goto(real.address)
        listener = Listener(page)
        listener.begins(title, {"Rounds": "1"} if title == "Giantslayer" else {})
        played(listener, real, GAMES[title])
        ends(listener, real)


def test_units_are_placed_moved_and_counted_unseen(page: Page, tmp_path: Path) -> None:
    """One round of Beacons: bids, ten units of each player placed, one moved for a price that is heard, the tally."""
    with real_panel("any", tmp_path, finishes=True) as real:
        page.goto(real.address)
        listener = Listener(page)
        listener.begins("Beacons", {"Seed": "5", "Rounds": "1"})
        listener.shares_out("3", "9")
        listener.hears_a_secret()
        listener.shares_out("9", "3")
        for cell in ("a3", "e3"):
            mover = listener.whose_turn()
            listener.goes_to(cell)
            listener.press("p")
            listener.dials("10")
            listener.hears_a_move()
            assert listener.board()[cell] == f"{mover} units, 10, last"
            listener.ends_the_turn()
            listener.heard(f"{mover} is done placing")
        listener.goes_to("a3")
        listener.press("Enter")
        listener.until(lambda: listener.board()["b2"] == "empty, cost 1")
        listener.goes_to("b2")
        listener.press("Enter")
        listener.heard("You pay 1. Left here: 8")
        listener.dials("1")
        assert "B two" in listener.hears_a_move()
        assert listener.board()["a3"].startswith("Player 2 units, 8")
        for _ in range(MOST_ENDS):
            if listener.over():
                break
            listener.ends_the_turn()
        ends(listener, real, "points")
