"""The page in Chromium: what fingers, taps and keys do to the pieces of a simulated board."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web_panel.fake_backend import FakeBackend, Serve, hex_backend
from tests.web_panel.fake_board import drag, middle, site, stands, tap, token


def is_beside(page: Page, piece: str) -> None:
    expect(page.locator(f'#off [data-piece="{piece}"]')).to_have_count(1)
    expect(token(page, piece)).to_have_count(0)


# ---- fingers ----


def test_dragging_lifts_at_once_and_puts_down_where_it_is_dropped(square: FakeBackend, page: Page) -> None:
    page.mouse.move(*middle(page, "b3"))
    page.mouse.down()
    expect(site(page, "b4")).to_have_attribute("data-light", "#0072b2")
    page.mouse.move(*middle(page, "e4"), steps=5)
    expect(site(page, "e4")).to_have_class(re.compile("target"))
    page.mouse.move(*middle(page, "b4"), steps=5)
    page.mouse.up()
    stands(page, "p0", "b4")
    assert square.hand.logged(2) == [("lift", "b3"), ("place", "p0", "b4")]


def test_a_piece_dropped_beside_the_board_is_set_aside_and_comes_back_from_the_tray(
    square: FakeBackend, page: Page
) -> None:
    x, y = middle(page, "a3")
    drag(page, middle(page, "b3"), (x - 60, y))
    is_beside(page, "p0")
    box = page.locator('#off [data-piece="p0"]').bounding_box()
    drag(page, (box["x"] + 10, box["y"] + 10), middle(page, "d4"))
    stands(page, "p0", "d4")
    assert square.hand.logged(3) == [("lift", "b3"), ("set_aside", "p0"), ("place", "p0", "d4")]


def test_dropping_on_a_piece_takes_it_off_as_a_hand_does(square: FakeBackend, page: Page) -> None:
    drag(page, middle(page, "b3"), middle(page, "c3"))
    stands(page, "p0", "c3")
    is_beside(page, "p1")


def test_tapping_lifts_and_tapping_a_cell_puts_down(square: FakeBackend, page: Page) -> None:
    tap(page, "b3")
    expect(token(page, "p0")).to_have_attribute("data-state", "lifted")
    expect(site(page, "b4")).to_have_attribute("data-light", "#0072b2")
    tap(page, "b4")
    stands(page, "p0", "b4")


def test_tapping_its_own_cell_puts_a_piece_back(square: FakeBackend, page: Page) -> None:
    tap(page, "b3")
    expect(token(page, "p0")).to_have_attribute("data-state", "lifted")
    tap(page, "b3")
    stands(page, "p0", "b3")
    assert square.hand.logged(2) == [("lift", "b3"), ("place", "p0", "b3")]


@pytest.mark.parametrize("order", [("b3", "c3"), ("c3", "b3")])
def test_a_capture_by_taps_works_whichever_piece_is_lifted_first(square: FakeBackend, page: Page, order: Any) -> None:
    for name in order:
        tap(page, name)
    expect(page.locator("#held button")).to_have_count(2)
    tap(page, "c3")
    stands(page, "p0", "c3")
    is_beside(page, "p1")


def test_a_piece_chosen_in_the_tray_is_put_down_next(square: FakeBackend, page: Page) -> None:
    tap(page, "b3")
    tap(page, "c3")
    chosen = page.locator('#held [data-piece="p0"]')
    chosen.click()
    expect(chosen).to_have_attribute("aria-pressed", "true")
    tap(page, "g9")
    stands(page, "p0", "g9")
    tap(page, "g10")
    stands(page, "p1", "g10")


def test_a_piece_in_hand_is_put_aside_by_the_button(square: FakeBackend, page: Page) -> None:
    aside = page.get_by_role("button", name="Take off the board")
    expect(aside).to_be_disabled()
    tap(page, "b3")
    aside.click()
    is_beside(page, "p0")


def test_two_fingers_swap_two_pieces(square: FakeBackend, page: Page) -> None:
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *fingers: tuple[float, float]) -> None:
        at = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(fingers)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    king, warrior = middle(page, "e5"), middle(page, "f8")
    between = ((king[0] + 20, king[1] - 40), (warrior[0] - 20, warrior[1] + 30))
    touch("touchStart", king)
    touch("touchStart", king, warrior)
    touch("touchMove", *between)
    touch("touchMove", warrior, king)
    expect(page.locator('[data-state="dragged"]')).to_have_count(2)
    touch("touchEnd")
    stands(page, "p2", "f8")
    stands(page, "p3", "e5")
    assert [entry[0] for entry in square.hand.logged(4)] == ["lift", "lift", "place", "place"]


def test_sliding_touches_every_free_cell_on_the_way_only_when_asked(square: FakeBackend, page: Page) -> None:
    ways = [middle(page, name) for name in ("h2", "i2", "j2")]
    drag(page, middle(page, "b3"), ways[0])
    drag(page, ways[0], *ways)
    stands(page, "p0", "j2")
    assert len(square.hand.logged(4)) == 4
    page.get_by_label("Drag without lifting").check()
    drag(page, ways[2], ways[1], ways[0])
    stands(page, "p0", "h2")
    assert square.hand.logged(10)[4:] == [
        ("lift", "j2"), ("place", "p0", "j2"), ("lift", "j2"), ("place", "p0", "i2"), ("lift", "i2"),
        ("place", "p0", "h2"),
    ]  # fmt: skip


def test_a_refused_touch_is_told_and_the_piece_stays_in_hand(square: FakeBackend, page: Page) -> None:
    tap(page, "b3")
    expect(token(page, "p0")).to_have_attribute("data-state", "lifted")
    square.hand.refusal = "Somebody else was faster on b9."
    tap(page, "b9")
    expect(page.get_by_role("alert").filter(has_text=square.hand.refusal)).to_be_visible()
    expect(page.locator('#held [data-piece="p0"]')).to_have_count(1)


def test_every_browser_sees_the_pieces_move(square: FakeBackend, page: Page) -> None:
    other = page.context.new_page()
    other.goto(page.url)
    expect(token(other, "p0")).to_have_count(1)
    drag(page, middle(page, "b3"), middle(page, "k9"))
    stands(other, "p0", "k9")
    tap(page, "k9")
    expect(other.locator('#held [data-piece="p0"]')).to_have_count(1)


def test_set_up_puts_every_piece_where_the_table_wants_it(square: FakeBackend, page: Page) -> None:
    drag(page, middle(page, "b3"), middle(page, "k9"))
    stands(page, "p0", "k9")
    page.get_by_role("button", name="Set up pieces").click()
    stands(page, "p0", "b3")


# ---- keys ----


def test_a_piece_is_moved_with_the_keyboard_alone(square: FakeBackend, page: Page) -> None:
    first = page.locator('.site[tabindex="0"]')
    expect(first).to_have_count(1)
    for _ in range(20):
        page.keyboard.press("Tab")
        if first.evaluate("element => element === document.activeElement"):
            break
        assert not page.evaluate("document.activeElement.id === 'board'")  # where keys would do nothing
    expect(site(page, "a1")).to_be_focused()
    for key in ("ArrowUp", "ArrowUp", "ArrowRight"):
        page.keyboard.press(key)
    expect(site(page, "b3")).to_be_focused()
    expect(site(page, "b3")).to_have_accessible_name("b3, White stone")
    page.keyboard.press("Enter")
    expect(token(page, "p0")).to_have_attribute("data-state", "lifted")
    page.keyboard.press("ArrowUp")
    expect(site(page, "b4")).to_have_accessible_name("b4, empty, may go")
    page.keyboard.press("Enter")
    stands(page, "p0", "b4")


def test_escape_puts_back_and_delete_puts_aside(square: FakeBackend, page: Page) -> None:
    site(page, "b3").focus()
    page.keyboard.press("Enter")
    expect(token(page, "p0")).to_have_attribute("data-state", "lifted")
    page.keyboard.press("Escape")
    stands(page, "p0", "b3")
    page.keyboard.press("Enter")
    page.keyboard.press("Delete")
    is_beside(page, "p0")


def test_the_arrows_reach_every_hex(serve: Serve, page: Page) -> None:
    page.goto(serve(hex_backend()))
    expect(page.locator("#board .token")).to_have_count(4)
    page.locator('[data-site="f1"]').focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator('[data-site="f1"]')).not_to_be_focused()  # the keys are there: they are fetched with the focus
    reached = page.evaluate("""() => {
        const seen = new Set(), frontier = [document.querySelector('[data-site="f1"]')];
        while (frontier.length) {
            const from = frontier.pop();
            if (seen.has(from)) continue;
            seen.add(from);
            for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]) {
                from.focus();
                from.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
                frontier.push(document.activeElement);
            }
        }
        return seen.size;
    }""")
    assert reached == 91
