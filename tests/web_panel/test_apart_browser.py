"""Two browsers on the computer of the board, of which one has become somebody else: who sees and moves what."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web_panel.real_backend import made, tap
from tests.web_panel.real_table import OpenTable, Pages


@pytest.mark.slow
@pytest.mark.checked
def test_a_private_window_becomes_the_second_player_by_one_button_and_goes_back(
    open_table: OpenTable, pages: Pages
) -> None:
    table, first, second = open_table("first36", finishes=True, local=True), pages(), pages()
    table.new_game("tides-of-war")
    first.goto(f"{table.url}join")
    link = first.locator("#second code").inner_text()
    second.goto(link)
    second.get_by_role("button", name="Join as somebody else").click()
    second.get_by_role("button", name="White", exact=True).click()
    expect(second.locator("#joining")).not_to_contain_text("Which side are you playing?")
    first.goto(table.url)
    tap(first, "c3")
    expect(first.locator("#toast")).to_contain_text("Where White's stone could go")
    tap(second, "c3")
    tap(second, "c4")
    made(first, 1)
    assert table.table.play.session.plies == ("c3-c4",)
    second.goto(f"{table.url}join")
    expect(second.locator("#role")).to_have_text("You are at the table.")
    expect(second.locator("#second")).to_have_count(0)
    second.get_by_role("button", name="Leave the table").click()
    second.get_by_role("button", name="Leave", exact=True).click()
    expect(second.locator("#role")).to_have_text("You own this table.")
