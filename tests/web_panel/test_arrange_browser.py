"""Setting pieces up in secret, two phones at once: in Chromium on the real service."""

from __future__ import annotations

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
    assert plies(table) == ()
    white.get_by_role("button", name="Standard").click()
    kind(white, "h2, king")
    assert "K@h2" not in stream_of(black)
    ready(white)  # one tap and Ready; Black's are sent by themselves
    for page in (white, black):
        expect(page.locator("#arrange")).to_have_count(0)
        expect(page.locator("#lines")).to_contain_text("White's fortress: h2")
        expect(page.locator("#lines")).to_contain_text("Black's fortress: a11")
    assert len(plies(table)) == 2 * (HAND + 1)


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
