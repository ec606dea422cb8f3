"""A game with clocks in Chromium: a phone far away plays it at once, and who looks on sees it late."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from controller.service.afar import phone_link
from tests.afar.relays import PATIENCE_MS, far_page, home_and_relay, sees
from tests.web_panel.real_backend import made, write


def test_a_game_with_clocks_is_seen_late_by_who_looks_on(
    browser: Browser, tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phone_link, "DELAY_S", 4.0)
    with home_and_relay(browser, tmp_path, "square144", port) as home:
        home.order(do="new_game", game="tides-of-war", clock={"minutes": 5})
        player = far_page(browser, home.invite(0))
        watcher = far_page(browser, home.invite(None))
        sees(player, "Tides of War")
        expect(watcher.locator("#far-told")).to_have_text("You see this game 4 seconds late.", timeout=PATIENCE_MS)
        expect(watcher.locator("#title")).to_be_empty()
        sees(watcher, "Tides of War")
        home.page.request.post(f"{home.real.address}api/set_up", data={})
        expect(player.locator("#sentence")).to_contain_text("Your turn", timeout=PATIENCE_MS)
        write(player, "c3-d3")
        made(player, 1)
        assert watcher.locator("#plies li").count() == 0
        expect(watcher.locator("#plies li")).to_have_count(1, timeout=PATIENCE_MS)
        for page in (player, watcher):
            page.context.close()
