"""A short run of the random fingers on every game: nothing is silent, lost or hangs, and no script fails."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

from controller.rules.registry import all_games
from tests.web_panel.tapper import tapped

TAPS = 60


def test_whatever_is_tapped_the_panel_stands_by_its_word(browser: Browser, tmp_path: Path) -> None:
    games = sorted(all_games())
    told = tapped(browser, tmp_path, games, TAPS, seed=1)
    assert told["taps"] >= TAPS * len(games)
    assert told["told"] == []
