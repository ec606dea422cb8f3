"""The simulated hand that finishes moves: whole games by taps alone, through the sensors and the real service."""

from __future__ import annotations

import logging
import os
import random
from pathlib import Path

import pytest
from taps import Tapper

GAMES = [
    ("tides-of-war", "square144", {}),
    ("giantslayer", "hex91", {}),
    ("tam-ruat-chess", "square144", {}),
    ("circle", "square144", {}),
    ("cyvasse", "hex91", {}),
    ("beacons", "shell19", {}),
]
PLIES = int(os.environ.get("TAPPED_PLIES", "40"))


@pytest.mark.parametrize(("game", "board", "options"), GAMES, ids=[game for game, _, _ in GAMES])
def test_a_game_is_played_by_taps_alone(
    game: str, board: str, options: dict[str, object], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table = Tapper(tmp_path / "games.sqlite3", board)
    dice = random.Random(int(os.environ.get("TAPPED_SEED", "5")))
    table.begin(game, **options)
    with caplog.at_level(logging.WARNING):
        for _ in range(PLIES):
            session = table.play.session
            plies = session.game.plies(session.state)
            if not plies:
                break
            doing = [ply for ply in plies if session.game.text(session.state, ply) != "end"]
            table.make(dice.choice(doing if doing and dice.random() < 0.9 else plies))
    table.stop()
    assert not [record for record in caplog.records if "did not read" in record.message]
