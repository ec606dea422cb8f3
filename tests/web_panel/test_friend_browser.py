"""A friend's phone comes to the table by the picture that whoever plays shows over the game."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.chromium import painted
from tests.image.codes import read_picture
from tests.web_panel.real_table import OpenTable, Pages, join


def scanned(picture: Locator) -> str:
    """Return what a phone's camera reads."""
    painted(picture.page)
    seen = Image.open(io.BytesIO(picture.screenshot())).convert("L")
    return read_picture(np.asarray(seen))


def shows_the_way_in(page: Page) -> Locator:
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="A friend joins").click()
    return page.get_by_role("img", name="QR code of")


def test_who_scans_the_picture_is_in_and_is_asked_for_a_side(open_table: OpenTable, pages: Pages) -> None:
    table, (host, friend) = open_table(shared="localhost"), (pages(), pages())
    table.new_game("tam-ruat-chess")
    join(host, table.url, "White")
    picture = shows_the_way_in(host)
    expect(picture).to_be_in_viewport(ratio=1)
    address = f"http://localhost:{table.server.port}"
    expect(host.locator("#sheet .address")).to_have_text(address)
    assert scanned(picture) == f"{address}/#join"
    friend.goto(scanned(picture))
    expect(friend.locator("#joining")).to_contain_text("Which side are you playing?")
    friend.locator("#joining").get_by_role("button", name="Black").click()
    expect(friend.locator("#mine")).to_contain_text("Black")
    assert friend.url == f"{address}/"  # opened again it asks nothing
    holder = table.phones.holder(1)
    assert holder is not None
    assert not holder.owner


def test_who_is_at_the_table_and_scans_the_picture_stays_who_they_are(open_table: OpenTable, pages: Pages) -> None:
    table, page = open_table(), pages()
    join(page, table.url)
    before = [phone.id for phone in table.phones.all()]
    page.goto("about:blank")
    page.goto(f"{table.url}#join")
    expect(page).to_have_url(table.url)
    assert [phone.id for phone in table.phones.all()] == before


def test_where_only_this_computer_opens_the_board_the_way_in_begins_with_letting_phones_in(
    open_table: OpenTable, pages: Pages
) -> None:
    table, page = open_table(), pages()
    join(page, table.url)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="A friend joins").click()
    expect(page.locator("#sheet")).to_contain_text("Only this computer can open the board at the moment.")
    page.get_by_role("button", name="Let phones in").click()
    expect(page.locator("#sheet [role=status]")).to_contain_text("cannot be changed here")  # whose panel stays as it is
