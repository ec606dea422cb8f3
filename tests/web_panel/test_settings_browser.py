"""Every setting of the panel, changed as a person does, and what it does to the running table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright._impl._sync_base import EventContextManager
from playwright.sync_api import Browser, Page, Response, expect

from controller.orders import PlayPly, TakeBack
from controller.panel.pieces_needed import expected
from controller.service.preferences import Preferences
from controller.settings import Settings, on_panel
from controller.table.state import Table
from controller.table.views.lights import CALM, CONTRAST
from tests.web_panel.real_table import RealTable, eventually, join, phone


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RealTable]:
    table = RealTable(tmp_path)
    yield table
    table.close()


@pytest.fixture
def page(table: RealTable, browser: Browser) -> Iterator[Page]:
    context = phone(browser)
    page = context.new_page()
    join(page, table.url)
    page.goto(f"{table.url}settings")
    expect(page.locator("#set-brightness")).to_be_visible()
    page.get_by_text("For experts").click()
    yield page
    context.close()


def saved(page: Page) -> EventContextManager[Response]:
    return page.expect_response(lambda answer: answer.url.endswith("/api/settings") and answer.request.method == "POST")


def until(table: RealTable, true: Callable[[Table], bool]) -> Table:
    """Return the table as it is when ``true`` holds of it first."""
    for seen in table.running.service.watch(20):
        assert seen is not None, "it never comes"
        if true(seen.table):
            return seen.table
    raise AssertionError("the service has stopped")


@pytest.mark.parametrize("width", [320, 390, 1440])
def test_all_that_is_set_and_all_that_resets_it_stands_in_two_columns(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.evaluate("() => document.querySelectorAll('.reset').forEach((each) => (each.disabled = false))")
    rows = "#settings .setting:visible"
    for parts in (f"{rows} > :is(select, input:not([type=checkbox]))", f"{rows} > .reset"):
        places = [each.bounding_box() for each in page.locator(parts).all()]
        assert len(places) > 5
        assert len({(round(place["x"]), round(place["width"])) for place in places if place}) == 1


@pytest.mark.parametrize("width", [320, 390, 1440])
def test_a_box_to_tick_stands_just_before_its_words(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    for box in page.locator("#settings .setting:visible > [type=checkbox]").all():
        at, words = box.bounding_box(), page.locator(f"label[for={box.get_attribute('id')}]").bounding_box()
        assert at
        assert words
        assert 0 <= words["x"] - at["x"] - at["width"] < 20
        assert abs(at["y"] + at["height"] / 2 - words["y"] - words["height"] / 2) < 4


def fill(page: Page, name: str, value: str) -> None:
    with saved(page) as answer:
        field = page.locator(f"#set-{name}")
        field.fill(value)
        field.blur()
    assert answer.value.status == 200


def choose(page: Page, name: str, value: str) -> None:
    with saved(page):
        page.locator(f"#set-{name}").select_option(value)


def toggle(page: Page, name: str) -> None:
    with saved(page):
        page.locator(f"#set-{name}").click()


def test_every_setting_of_the_panel_is_on_the_page_with_its_line_of_help(page: Page, table: RealTable) -> None:
    for name in (name for name, heading in on_panel().items() if heading != "afar"):
        if name == "own_colours":
            continue  # shown as colours, where they are asked for
        row = page.locator(f"#row-{name}")
        expect(row.locator("small")).not_to_be_empty()
        expect(row.locator("input, select").first).to_have_accessible_description(row.locator("small").inner_text())
    page.goto(f"{table.url}afar")
    for name in (name for name, heading in on_panel().items() if heading == "afar"):
        assert page.locator(f'[name="{name}"]').evaluate("(input) => input.labels[0].textContent.trim()")


def test_brightness_acts_on_the_strip_at_once(page: Page, table: RealTable) -> None:
    fill(page, "brightness", "35")
    assert table.table.brightness == 35
    assert table.lights._brightness == 35


def test_the_current_limit_acts_on_the_next_frame(page: Page, table: RealTable) -> None:
    fill(page, "max_milliamps", "200")
    assert sum(map(sum, table.strip.frames[-1])) * 20 / 255 + len(table.strip.frames[-1]) <= 200


def test_a_theme_is_seen_on_the_board_and_on_the_screen(page: Page, table: RealTable) -> None:
    choose(page, "theme", "contrast")
    assert table.display.theme == CONTRAST
    first = page.locator('#board [data-site="a1"]')
    expect(first).to_have_attribute("data-light", "#0050ff")  # a sample of every light, the first one is may_go
    assert any(frame[0] != (0, 0, 0) for frame in list(table.strip.frames)[-3:])
    expect(first).to_have_attribute("data-light", "#000000", timeout=8000)


def test_own_colours_are_chosen_one_by_one(page: Page, table: RealTable) -> None:
    choose(page, "theme", "own")
    with saved(page):
        page.get_by_label("may go", exact=True).fill("#00ff00")
    assert table.display.theme["may_go"].colour == (0, 255, 0)
    assert table.display.theme["last"] == CALM["last"]


def test_without_blinking_nothing_blinks(page: Page, table: RealTable) -> None:
    toggle(page, "blink")
    assert not any(look.blink for look in table.display.theme.values())


def test_an_idle_table_is_dimmed(page: Page, table: RealTable) -> None:
    fill(page, "idle_minutes", "1")
    display_state = table.running.service._keep.display_state
    now_us = table.running.service._clock()
    display_state._active_us = now_us - 61_000_000
    table.running.service.poke()
    for seen in table.running.service.watch(12):
        assert seen is not None, "it is never dimmed"
        if seen.display.idle:
            break
    assert table.lights._brightness == 12


@pytest.mark.parametrize(
    ("name", "value"), [("steady_ms", 20), ("flicker_ms", 55), ("settle_ms", 900), ("hold_ms", 700)]
)
def test_when_a_touch_counts_is_changed_in_the_middle_of_a_game(
    page: Page, table: RealTable, name: str, value: int
) -> None:
    table.new_game("tam-ruat-chess")
    fill(page, name, str(value))
    assert getattr(table.table.timing, name) == value
    assert table.table.phase == "play"


def test_a_ply_that_could_go_on_waits_as_long_as_was_set(page: Page, table: RealTable) -> None:
    table.new_game("tides-of-war")
    table.running.service.submit(PlayPly(text="c3-d3"))
    hand = table.running.hand
    for settle_ms in (1200, 90):
        hand.set_up(expected(table.table))
        until(table, lambda now: now.phase == "play" and now.now == now.play.settled.position.standing)
        fill(page, "settle_ms", str(settle_ms))
        stone, taken = hand.lift("e3"), hand.lift("d3")
        hand.set_aside(taken["id"])
        hand.place(stone["id"], "c3")  # there faster than a hand carries it: pushed, it may be on its way over c3
        made = until(table, lambda now: len(now.play.session.plies) == 2)
        assert made.play.session.plies[1] == "e3xc3"
        assert 4 * settle_ms <= (made.t_us - made.changed_us) / 1000 < 4 * settle_ms + 1000
        table.running.service.submit(TakeBack())


def test_the_debounce_goes_to_the_sensor_board(page: Page, table: RealTable) -> None:
    fill(page, "press_ms", "9")
    fill(page, "release_ms", "3")
    assert (table.preferences.now.press_ms, table.preferences.now.release_ms) == (9, 3)


def test_phones_turn_the_board(page: Page, table: RealTable) -> None:
    toggle(page, "turned")
    table.new_game("tam-ruat-chess")  # with no game on, there is no board to turn
    page.goto(table.url)
    expect(page.get_by_role("button", name="Turn board")).to_have_attribute("aria-pressed", "true")


def test_a_ply_sounds_where_that_is_wanted(page: Page, table: RealTable) -> None:
    table.new_game("tides-of-war")
    toggle(page, "sounds")
    page.add_init_script(
        """window.blows = 0;
        const create = AudioContext.prototype.createBufferSource;
        AudioContext.prototype.createBufferSource = function () { window.blows += 1; return create.call(this); };"""
    )
    page.goto(table.url)
    expect(page.locator("#sentence")).to_have_text("White to move.")
    page.locator("#sentence").click()  # browsers let nothing be heard before
    expect(page.locator("#aloud")).to_be_attached()
    assert page.evaluate("window.blows") == 0
    table.running.service.submit(PlayPly(text="c3-d3"))
    eventually(page, "window.blows === 1")


def test_the_language_is_changed_on_the_spot(page: Page, table: RealTable) -> None:
    page.locator("#set-language").select_option("de")
    expect(page.get_by_role("heading", name="Einstellungen")).to_be_visible()
    expect(page.get_by_label("Helligkeit", exact=True)).to_be_visible()


def test_hints_are_set_for_each_seat(page: Page, table: RealTable) -> None:
    table.new_game("tam-ruat-chess")
    with page.expect_response("**/api/order"):
        page.locator("#hints").get_by_label("Black").select_option("movable")
    expect(page.locator("#hints-1")).to_have_value("movable")
    assert dict(table.table.hints) == {1: "movable"}


def test_a_setting_out_of_bounds_is_kept_back_and_one_that_was_changed_is_set_back(
    page: Page, table: RealTable
) -> None:
    field = page.locator("#set-settle_ms")
    field.fill("20")
    field.blur()
    assert field.evaluate("field => !field.validity.valid")
    assert table.table.timing.settle_ms == 300
    fill(page, "settle_ms", "400")
    with saved(page):
        page.get_by_role("button", name="Reset A move counts after (ms)").click()
    expect(field).to_have_value("300")
    assert table.table.timing.settle_ms == 300


def test_everything_is_set_back_at_once(page: Page, table: RealTable) -> None:
    choose(page, "theme", "contrast")
    fill(page, "settle_ms", "400")
    with saved(page):
        page.get_by_role("button", name="Reset all").click()
    assert table.preferences.now == Settings(board="square144", journal=table.preferences.now.journal)
    assert table.display.theme == CALM


def test_what_was_set_survives_a_restart(page: Page, table: RealTable, tmp_path: Path) -> None:
    choose(page, "theme", "contrast")
    toggle(page, "blink")
    assert Preferences(Settings(), tmp_path / "settings.toml").now == Settings(theme="contrast", blink=False)


def test_who_is_no_owner_sees_the_settings_and_cannot_change_them(
    page: Page, table: RealTable, browser: Browser
) -> None:
    context = phone(browser)
    other = context.new_page()
    join(other, table.url)
    other.goto(f"{table.url}settings")
    expect(other.locator("#set-brightness")).to_be_disabled()
    expect(other.locator("#role")).to_have_text(
        "Only an owner of this table can change these: Phone 1. Where that phone is lost, “For whoever set up this "
        "board” at the end of this page says how to become one, too."
    )
    context.close()
