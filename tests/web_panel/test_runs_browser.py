"""A run of the workshop from a phone: begun, watched, ended, gone on with, and its report read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web_panel.axe import complaints
from tests.web_panel.real_backend import real_panel

pytestmark = pytest.mark.realtime  # a run is a process of its own


def test_a_run_is_begun_watched_and_ended_and_its_report_is_read(page: Page, tmp_path: Path) -> None:
    with real_panel("any", tmp_path) as real:
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(f"{real.address}workshop/rules/tides-of-war")
        page.get_by_role("link", name="Play it a thousand times").click()
        page.wait_for_url("**/workshop?play=tides-of-war")
        expect(page.get_by_label("Game or variant")).to_have_value("tides-of-war")
        expect(page.get_by_label("Games of each kind")).to_have_value("1000")
        page.get_by_label("Games of each kind").fill("5000")
        page.get_by_role("button", name="Start").click()
        expect(page.locator("#wrong")).to_have_text("Play 10 to 2000 games of each kind.")
        page.get_by_label("Games of each kind").fill("2000")
        page.get_by_label("Who plays").select_option(label="By chance")
        page.get_by_label("Name of the run").fill("by chance")
        page.get_by_role("button", name="Start").click()
        card = page.locator("#runs li").filter(has_text="by-chance")
        expect(card).to_contain_text("0 of 2000 games. The first ones are being played")
        expect(page.get_by_role("button", name="Start")).to_be_disabled()
        expect(card).to_contain_text(re.compile(r"[1-9]\d* of 2000 games, .* left"), timeout=120_000)
        assert complaints(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        card.get_by_role("button", name="End").click()
        expect(card).to_contain_text("The report is being written")
        expect(card.get_by_role("link", name="Report")).to_be_visible(timeout=120_000)
        expect(card.get_by_role("button", name="Go on")).to_be_visible()
        expect(page.locator("#told")).to_have_text("The report on by-chance is written.")
        faults: list[str] = []
        page.on("console", lambda said: faults.append(said.text) if said.type in ("error", "warning") else None)
        card.get_by_role("link", name="Report").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("tides-of-war: what")
        expect(page.locator("svg").first).to_be_visible()
        assert page.locator("h1").evaluate("e => getComputedStyle(e).fontSize") == "24px"  # its own style holds
        assert faults == []
        page.go_back()
        page.get_by_role("button", name="Delete").click()
        page.locator("#sure").get_by_role("button", name="Delete").click()
        expect(page.get_by_text("No run yet.")).to_be_visible()
        assert list((tmp_path / "runs").iterdir()) == []
