"""In Chromium on the running service: how the board does, a support bundle that is read first, figures for programs."""

from __future__ import annotations

import zipfile
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.running import Running, playing

# The texts that are shown, by their names.
READ = """all => Object.fromEntries(all.map((each) =>
  [each.querySelector("b").textContent, each.querySelector("pre").textContent]))"""


def opened(page: Page, running: Running) -> None:
    """Go to the page as people do, on a phone."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{running.panel.address}/care")
    page.get_by_role("link", name="How the board is doing").click()
    expect(page.locator("#condition")).to_contain_text("The board was always switched off in order.")
    expect(page.locator("#condition")).to_contain_text("There is room for games")


def test_what_is_saved_is_what_was_read(page: Page, tmp_path: Path, port: int) -> None:
    with playing(tmp_path / "games.sqlite3", "--board", "first36", port=port) as running:
        opened(page, running)
        expect(page.locator("#files")).to_be_hidden()
        page.get_by_role("button", name="Show what is in it").click()
        expect(page.locator("#count")).to_contain_text("7 texts")
        settings = page.locator("#files details").filter(has=page.get_by_text("settings.txt", exact=True))
        settings.locator("summary").click()
        expect(settings.locator("pre")).to_contain_text("board = first36")
        expect(settings.locator("pre")).to_contain_text("journal = (set)")
        with page.expect_download() as loading:
            page.get_by_role("link", name="Save").click()
        assert loading.value.suggested_filename == "beaconboard-support.zip"
        with zipfile.ZipFile(loading.value.path()) as archive:
            read = page.locator("#files details").evaluate_all(READ)
            assert {name: archive.read(f"beaconboard/{name}").decode() for name in read} == read
        page.get_by_label("With a recording of the last minutes").check()
        expect(page.get_by_role("link", name="Save")).to_be_hidden()  # what was shown was without it
        page.get_by_role("button", name="Show what is in it").click()
        expect(page.locator("#files")).to_contain_text("recording.txt")
        expect(page.locator("#files")).to_contain_text("There is none")


def test_figures_for_programs_are_there_once_the_owner_says_so(page: Page, tmp_path: Path, port: int) -> None:
    with playing(tmp_path / "games.sqlite3", "--board", "first36", port=port) as running:
        address = f"{running.panel.address}/metrics"
        assert page.request.get(address).status == 404
        page.goto(f"{running.panel.address}/settings")
        page.locator("#expert").evaluate("part => part.open = true")
        page.get_by_role("checkbox", name="Figures for programs of the house").check()
        expect(page.get_by_role("button", name="Reset Figures for programs of the house")).to_be_enabled()
        answer = page.request.get(address)
        assert (answer.status, "beaconboard_request_seconds_count" in answer.text()) == (200, True)


def test_a_power_cut_is_told_after_the_next_start(page: Page, tmp_path: Path, port: int) -> None:
    journal = tmp_path / "games.sqlite3"
    with playing(journal, "--board", "first36", port=port) as running:
        running.kill()
    with playing(journal, "--board", "first36", port=port) as running:
        page.goto(f"{running.panel.address}/health")
        expect(page.locator("#condition .watch")).to_contain_text("The program ended by itself the last time")
        expect(page.locator("#short")).to_contain_text("One thing should be looked at")
