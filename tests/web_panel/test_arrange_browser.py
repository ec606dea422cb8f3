"""Setting pieces up in secret, two phones at once: in Chromium on the real service."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web_panel.real_table import OpenTable, Pages, RealTable, join, stream_of

HAND = 25  # pieces without the dragon


def begin(open_table: OpenTable) -> RealTable:
    table = open_table("hex91")
    table.new_game("cyvasse", setup="secret")
    return table


def ready(page: Page) -> None:
    page.get_by_role("button", name="Ready").click()


def tap(page: Page, cell: str) -> None:
    page.locator(f'#board [data-site="{cell}"]').click(force=True)


def kind(page: Page, name: str) -> None:
    """Expect the piece on a cell by what a screen reader says."""
    expect(page.locator(f'#board [aria-label^="{name}"]')).to_have_count(1)


def plies(table: RealTable) -> tuple[str, ...]:
    return table.table.play.session.plies


def test_both_set_up_at_once_and_black_need_not_wait(open_table: OpenTable, pages: Pages) -> None:
    table, white, black = begin(open_table), pages(), pages()
    join(white, table.url, "White")
    join(black, table.url, "Black")
    black.get_by_role("button", name="Corner").click()
    ready(black)
    expect(black.locator("#arrange")).to_contain_text("They are sent when White has set up.")
    expect(white.locator("#ready")).to_have_text("Ready: Black. Not ready yet: you.")
    black.reload()  # what it was ready with is still here, and not ready
    expect(white.locator("#ready")).to_have_count(0)
    ready(black)
    assert plies(table) == ()
    white.get_by_role("button", name="Standard").click()
    kind(white, "h2, king")
    assert "K@h2" not in stream_of(black)
    ready(white)  # one tap and Ready; Black's are sent by themselves
    for page, whites, blacks in ((white, "Your", "Black's"), (black, "White's", "Your")):
        expect(page.locator("#arrange")).to_have_count(0)
        expect(page.locator("#lines")).to_contain_text(f"{whites} fortress: h2")
        expect(page.locator("#lines")).to_contain_text(f"{blacks} fortress: a11")
    assert len(plies(table)) == 2 * (HAND + 1)


def test_an_array_that_waits_is_not_sent_in_the_next_game(open_table: OpenTable, pages: Pages) -> None:
    table, white, black = begin(open_table), pages(), pages()
    join(white, table.url, "White")
    join(black, table.url, "Black")
    black.get_by_role("button", name="Corner").click()
    ready(black)
    expect(black.locator("#arrange")).to_contain_text("They are sent when White has set up.")
    table.new_game("cyvasse", setup="secret")
    expect(black.locator("#arrange")).not_to_contain_text("They are sent")
    white.get_by_role("button", name="Standard").click()
    ready(white)
    expect(black.locator('.seat[data-seat="1"]')).to_have_attribute("aria-current", "true")
    expect(black.get_by_role("button", name="Ready")).to_be_visible()
    assert len(plies(table)) == HAND + 1


def test_an_array_by_hand_is_thirty_taps_and_pieces_change_places_until_ready(
    open_table: OpenTable, pages: Pages
) -> None:
    table, white = begin(open_table), pages()
    join(white, table.url, "White")
    cells = table.backend._view(table.running.service.look(), 0).arrange.cells
    taps = 0
    for cell in cells[:HAND]:
        tap(white, cell)
        taps += 1
    kind(white, f"{cells[0]}, king")
    tap(white, cells[0])
    tap(white, cells[1])  # exchanged
    kind(white, f"{cells[1]}, king")
    expect(white.locator("#arrange")).to_contain_text("Tap two cells to exchange")
    white.reload()
    kind(white, f"{cells[1]}, king")
    white.get_by_role("button", name="Keep this array").click()
    white.get_by_role("button", name="Clear", exact=True).click()
    expect(white.get_by_role("button", name="Ready")).to_be_disabled()
    white.get_by_role("button", name="Own array 1", exact=True).click()
    ready(white)
    expect(white.locator("#arrange")).to_have_count(0)
    assert taps + 1 <= 30
    assert sorted(plies(table)) == sorted({*plies(table)})
    assert {f"K@{cells[1]}", "end"} < {*plies(table)}


def spot(page: Page, place: str) -> tuple[float, float]:
    """Return the middle of a cell, or of a kind in the tray."""
    found = page.locator(f'#board [data-site="{place}"] .face, #arrange [data-kind="{place}"]')
    found.scroll_into_view_if_needed()
    box = found.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, begin: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*begin)
    page.mouse.down()
    page.mouse.move(*end, steps=6)
    page.mouse.up()


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_pieces_are_dragged_from_the_tray_between_cells_and_off_again(
    open_table: OpenTable, pages: Pages, size: tuple[int, int]
) -> None:
    table, white = begin(open_table), pages(viewport={"width": size[0], "height": size[1]})
    join(white, table.url, "White")
    first, second, third = table.backend._view(table.running.service.look(), 0).arrange.cells[:3]
    drag(white, spot(white, "K"), spot(white, first))
    kind(white, f"{first}, king")
    drag(white, spot(white, "E"), spot(white, second))
    kind(white, f"{second}, elephant")
    drag(white, spot(white, first), spot(white, third))  # moved
    kind(white, f"{third}, king")
    kind(white, f"{first}, empty")
    drag(white, spot(white, third), spot(white, second))  # exchanged
    kind(white, f"{second}, king")
    kind(white, f"{third}, elephant")
    left = white.locator('#arrange [data-kind="K"] b')
    expect(left).to_have_text("0")
    drag(white, spot(white, second), (spot(white, second)[0], 20))  # off the board: beside it again
    kind(white, f"{second}, empty")
    expect(left).to_have_text("1")
    drag(white, spot(white, "K"), spot(white, "a11"))  # where none of its cells is it stays in the tray
    expect(left).to_have_text("1")
    drag(white, spot(white, "K"), spot(white, third))  # on a cell that is taken: that piece is beside the board again
    kind(white, f"{third}, king")
    expect(white.locator('#arrange [data-kind="E"] b')).to_have_text("2")
    white.get_by_role("button", name="Standard").click()
    drag(white, spot(white, "h2"), spot(white, "i3"))
    drag(white, spot(white, "i3"), spot(white, "h2"))
    kind(white, "h2, king")
    ready(white)
    expect(white.locator("#arrange")).to_have_count(0)
    assert "K@h2" in plies(table)


def test_a_piece_is_dragged_by_a_finger(open_table: OpenTable, pages: Pages) -> None:
    table, white = begin(open_table), pages()
    join(white, table.url, "White")
    cell = table.backend._view(table.running.service.look(), 0).arrange.cells[0]
    session = white.context.new_cdp_session(white)
    start, end = spot(white, "K"), spot(white, cell)
    start = spot(white, "K")
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": start[0], "y": start[1]}]})
    for n in range(1, 7):
        x, y = (start[i] + (end[i] - start[i]) * n / 6 for i in (0, 1))
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    kind(white, f"{cell}, king")
