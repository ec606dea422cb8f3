"""What a phone says and plays, in Chromium and the real service: moves in words, touched pieces, sounds, a buzz."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Browser, Page, expect

from controller.game_setup import ClockRule
from controller.orders import NewGame, PlayPly
from controller.panel.pieces_needed import expected
from tests.web_panel.real_table import OpenTable, RealTable, eventually, phone

HEARD = """
window.said = []; window.buzzes = [];
SpeechSynthesis.prototype.speak = (words) => words.text && window.said.push([words.lang, words.text]);
Navigator.prototype.vibrate = (pattern) => window.buzzes.push(pattern);
"""


def listening(browser: Browser, table: RealTable, mode: str, locale: str = "en-GB") -> Page:
    """Return a watching phone that has chosen ``mode`` and was pressed once."""
    page = phone(browser, locale=locale).new_page()
    begin(page, table, mode)
    return page


def begin(page: Page, table: RealTable, mode: str) -> None:
    """Open the panel and press it once."""
    page.add_init_script(f"localStorage.setItem('beaconboard', {json.dumps(json.dumps({'sounds': mode}))});{HEARD}")
    page.goto(table.url)
    page.locator("#sentence").click()
    expect(page.locator("#aloud")).to_be_attached()


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("en-GB", "Stone from C three to D three. Black to move."),
        ("de-DE", "Stein von C drei nach D drei. Schwarz ist am Zug."),
    ],
)
def test_a_phone_says_each_move_in_its_language(
    browser: Browser, open_table: OpenTable, locale: str, words: str
) -> None:
    table = open_table()
    table.new_game("tides-of-war")
    page = listening(browser, table, "speech", locale)
    table.running.service.submit(PlayPly(text="c3-d3"))
    eventually(page, "window.said.length > 0")
    lang, text = page.evaluate("window.said[0]")
    assert lang == locale[:2]
    assert text.startswith(words)  # then what to do on the board
    expect(page.locator("#aloud")).to_have_attribute("aria-live", "off")  # a screen reader would say it a second time
    assert len(page.evaluate("window.buzzes")) == 1


@pytest.mark.parametrize(("mode", "buzzes"), [("off", 0), ("sounds", 1)])
def test_without_speech_nothing_is_said(browser: Browser, open_table: OpenTable, mode: str, buzzes: int) -> None:
    table = open_table()
    table.new_game("tides-of-war")
    page = listening(browser, table, mode)
    table.running.service.submit(PlayPly(text="c3-d3"))
    expect(page.locator("#sentence")).to_have_text("Black to move.")
    page.wait_for_timeout(300)
    assert page.evaluate("window.said") == []
    assert len(page.evaluate("window.buzzes")) == buzzes


def test_a_finger_that_rests_on_a_cell_hears_what_is_there(browser: Browser, open_table: OpenTable) -> None:
    table = open_table()
    table.new_game("tides-of-war")
    page = listening(browser, table, "speech")
    cell = next(site for site in table.table.board.sites
                if "c4" in table.table.play.game_area.names(table.table.board.bit(site)))  # fmt: skip
    page.locator(f'[data-site="{cell}"]').hover()
    page.mouse.down()
    eventually(page, "window.said.length === 1")
    page.mouse.up()
    assert page.evaluate("window.said[0][1]") == "C four: empty. River."


def test_a_screen_reader_reads_moves_and_touched_cells(browser: Browser, open_table: OpenTable) -> None:
    """Whoever plays by keys gets the words in a live region, though no voice is chosen."""
    table = open_table()
    table.new_game("tides-of-war")
    page = listening(browser, table, "off")
    page.locator('#board [tabindex="0"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("h")
    heard = page.locator("#aloud")
    expect(heard).to_have_attribute("aria-live", "assertive")
    expect(heard).to_have_text(re.compile(r"^[A-L] [a-z]+: "))
    table.running.service.submit(PlayPly(text="c3-d3"))
    expect(heard).to_have_text("Stone from C three to D three.")


def test_little_time_is_heard_once(browser: Browser, open_table: OpenTable) -> None:
    table = open_table()
    table.running.service.submit(NewGame(game="tides-of-war", seed=1, clock=ClockRule(minutes=1)))
    table.running.hand.set_up(expected(table.table))
    page = phone(browser).new_page()
    page.clock.install()
    begin(page, table, "sounds")
    table.running.service.submit(PlayPly(text="c3-d3"))
    eventually(page, "window.buzzes.length === 1")
    page.clock.fast_forward(31_000)
    eventually(page, "window.buzzes.length === 2")
    page.clock.fast_forward(10_000)
    page.wait_for_timeout(700)
    assert len(page.evaluate("window.buzzes")) == 2
    page.clock.fast_forward(12_000)
    eventually(page, "window.buzzes.length === 3")
