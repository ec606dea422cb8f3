"""Cells that a game treats apart, on the panel and the television: drawn, named, and never above a light."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web_panel.real_backend import begin, board_site, real_panel, tap
from tests.web_panel.real_table import OpenTable, RealTable, phone


def watching(browser: Browser, table: RealTable, page: str = "", **more: str) -> Page:
    """Return a page of a phone that watches."""
    opened = phone(browser, **more).new_page()
    opened.goto(table.url + page)
    return opened


def called(page: Page, name: str) -> str | None:
    """Return how a screen reader names the cell that its game calls ``name``."""
    cell = page.locator(f'#board .site[aria-label^="{name}, "]')
    expect(cell).to_have_count(1)
    return cell.get_attribute("aria-label")


@pytest.mark.parametrize("path", ["", "tv"])
def test_towns_and_river_are_drawn_and_named(browser: Browser, open_table: OpenTable, path: str) -> None:
    table = open_table("first36")
    table.new_game("tides-of-war")
    page = watching(browser, table, path)
    expect(page.locator("#board .ground.town")).to_have_count(2)
    expect(page.locator("#board .ground.river")).to_have_count(6)
    expect(page.locator("#board .sign.town")).to_have_count(2)
    assert called(page, "a1") == "a1, empty, White's town"
    assert called(page, "c4") == "c4, empty, river"
    assert called(page, "a2") == "a2, White stone"


def test_a_cell_that_is_lit_shows_its_light_alone(page: Page, tmp_path: Path) -> None:
    with real_panel("square144", tmp_path, finishes=True) as real:
        page.goto(real.address)
        begin(page, "Tides of War", stand=True)
        river = page.locator(f'#board [data-site="{board_site(page, "c4")}"]')
        expect(river.locator(".ground")).to_have_css("fill", "rgb(47, 98, 131)")
        tap(page, "c3")
        expect(river).to_have_class(re.compile(r"\blit\b"))
        expect(river.locator(".ground")).to_have_css("fill", "none")


def test_the_legend_names_the_cells_of_the_game(browser: Browser, open_table: OpenTable) -> None:
    table = open_table("hex91")
    table.new_game("giantslayer")
    page = watching(browser, table)
    expect(page.locator("#board .ground.closed")).to_have_count(1)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="What the lights mean").click()
    expect(page.locator(".legend.places li")).to_have_text(["closed centre", "edge"])


@pytest.mark.parametrize("path", ["", "tv"])
def test_of_what_lies_between_cells_it_is_said_what_it_is(browser: Browser, open_table: OpenTable, path: str) -> None:
    table = open_table("shell19")
    table.new_game("beacons")
    page = watching(browser, table, path)
    assert called(page, "c3.c4.d3") == "c3.c4.d3, empty corner"
    nodes = {(called(page, f"c3:{node}") or "").partition(", ")[2] for node in range(6)}
    assert "empty node" in nodes
    assert nodes <= {"empty node", "shell node"}
