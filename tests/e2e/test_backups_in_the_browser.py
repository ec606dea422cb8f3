"""A board's card is about to die: its owner takes a backup along on a phone, and puts it back on another board."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.running import Panel, playing
from tests.web_panel.axe import complaints


def play_and_resign(panel: Panel) -> None:
    panel.post("order", do="new_game", game="tides-of-war")
    panel.post("set_up")
    panel.until(lambda view: view["phase"] == "play")
    panel.post("order", do="resign", seat=0)


def test_a_backup_is_taken_along_and_put_back_on_another_board(page: Page, tmp_path: Path, port: int) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    with playing(tmp_path / "a" / "games.sqlite3", "--board", "square144", port=port) as first:
        for _ in range(3):
            play_and_resign(first.panel)
        page.goto(f"{first.panel.address}/settings")
        page.get_by_role("link", name="Backups").click()
        expect(page.get_by_text("No backup yet.")).to_be_visible()
        page.get_by_role("button", name="Make one now").click()
        expect(page.locator("#told")).to_have_text("The backup is made.")
        with page.expect_download() as coming:
            page.get_by_role("link", name="Download").click()
        coming.value.save_as(stick := tmp_path / "stick.backup")
    with playing(tmp_path / "b" / "games.sqlite3", "--board", "square144", port=port) as second:
        play_and_resign(second.panel)
        page.goto(f"{second.panel.address}/backups")
        (photo := tmp_path / "photo.jpg").write_bytes(b"\xff\xd8 no backup")
        page.locator("#file").set_input_files(photo)
        expect(page.locator("#wrong")).to_have_text(
            "photo.jpg is no backup of a Beaconboard: choose a file that ends in .backup."
        )
        page.locator("#file").set_input_files(stick)
        shown = page.get_by_role("region", name="Put this back?")
        expect(shown.get_by_role("row", name="Games")).to_have_text("Games31")
        assert complaints(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        shown.get_by_role("button", name="Put back").click()
        expect(page.locator("#told")).to_have_text("The backup is put back.", timeout=30_000)
        expect(page.locator("#copies li")).to_have_count(1)
        expect(page.locator("#copies li")).to_contain_text("before another was put back")
        page.goto(f"{second.panel.address}/history")
        expect(page.locator("#games li").nth(2)).to_be_visible()
        play_and_resign(second.panel)  # and it plays on
