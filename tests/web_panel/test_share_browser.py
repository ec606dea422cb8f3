"""Sharing units out on the phone, as bids do: in Chromium on the real service, with several phones."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web_panel.axe import complaints
from tests.web_panel.real_table import OpenTable, Pages, RealTable, join, stream_of

BOARD = {"board": "square 4 4"}


def begin(open_table: OpenTable, players: int) -> RealTable:
    table = open_table("shellsquare16")
    table.new_game("beacons", players=players, **BOARD)
    return table


def more(page: Page, player: int, times: int) -> None:
    for _ in range(times):
        page.locator(".share-row").nth(player - 1).get_by_role("button", name="One more").click()


def plies(table: RealTable) -> tuple[str, ...]:
    return table.table.play.session.plies


def test_who_looks_on_is_asked_for_no_bid_of_a_seat_that_is_nobodys(open_table: OpenTable, pages: Pages) -> None:
    table, guest, ann = begin(open_table, 3), pages(), pages()
    guest.goto(table.url)
    expect(guest.locator("#sentence")).to_have_text("Player 1 shares out 12 units.")
    expect(guest.locator("#acts")).to_have_text("Nobody plays Player 1 yet: join to take that seat.")
    expect(guest.locator("#acts button")).to_have_count(0)
    expect(guest.locator("#waits")).to_have_text("")
    join(ann, table.url, "Player 1")
    expect(guest.locator("#acts")).to_have_text("Player 1's choices are secret: another phone shows them.")
    expect(ann.locator("#waits")).to_contain_text("Share 12 units among everybody's coffers")


def test_three_players_bid_on_their_phones_and_see_nothing_of_each_other(open_table: OpenTable, pages: Pages) -> None:
    table, phones, watcher = begin(open_table, 3), [pages(), pages(), pages()], pages()
    for number, page in enumerate(phones, 1):
        join(page, table.url, f"Player {number}")
    watcher.goto(table.url)
    expect(watcher.locator("#sentence")).to_have_text("All choose in secret.")
    expect(watcher.locator("#waits")).to_have_text("Waiting for Player 1, Player 2 and Player 3.")
    expect(watcher.locator("#acts")).not_to_contain_text("choices are secret")
    for page in (*phones, watcher):
        expect(page.locator(".seat[aria-current]")).to_have_count(3)
        expect(page.locator("body")).to_have_attribute("data-turn", "theirs" if page is watcher else "mine")
    for page in phones:
        expect(page.locator("#sentence")).to_have_text("Share out 12 units.")
        expect(page).to_have_title("● Your turn – Beacons")
    for number, page in enumerate(phones, 1):
        expect(page.locator("#share")).to_contain_text("12 of 12 left")
        for other in (*phones[: number - 1], watcher):
            expect(other.locator("#share")).to_have_count(0)
        for other in phones[number:]:  # they think about theirs meanwhile
            expect(other.locator("#share").get_by_role("button", name="Ready")).to_be_disabled()
        confirm = page.get_by_role("button", name="Confirm")
        expect(confirm).to_be_disabled()
        more(page, 1, 4 + number)
        more(page, 3, 8 - number)  # what is left; more than that does nothing
        more(page, 2, 1)
        expect(page.locator("#share input").nth(1)).to_have_value("0")
        expect(page.locator("#share output")).to_have_text("All 12 shared out")
        page.locator(".share-row").nth(2).get_by_role("button", name="One less").click()
        expect(confirm).to_be_disabled()
        more(page, 2, 1)
        confirm.click()
        expect(page.locator("#share")).to_have_count(0)
    bids = ("bid 5 1 6", "bid 6 1 5", "bid 7 1 4")
    assert plies(table) == bids
    expect(watcher.locator("#lines")).to_contain_text("coffer")


def test_a_page_opened_while_bids_are_made_has_the_form_before_its_clock_goes_on(
    open_table: OpenTable, pages: Pages
) -> None:
    table, page = begin(open_table, 3), pages()
    join(page, table.url, "Player 1")
    page.context.clock.install()
    page.context.clock.pause_at(4_000_000_000_000)
    page.reload()
    expect(page.locator("#share")).to_contain_text("12 of 12 left")


def test_bids_are_thought_of_at_once_and_sent_by_themselves_when_due(open_table: OpenTable, pages: Pages) -> None:
    table, (first, second) = begin(open_table, 3), (pages(), pages())
    join(first, table.url, "Player 1")
    join(second, table.url, "Player 2")
    more(second, 3, 12)
    second.get_by_role("button", name="Ready").click()
    expect(second.locator("#share")).to_contain_text("Ready: 0 · 0 · 12. Waiting for Player 1 and Player 3.")
    expect(second.locator("#sentence")).to_be_hidden()  # nothing is asked of this one any more
    expect(second.locator("body")).to_have_attribute("data-turn", "theirs")
    assert plies(table) == ()
    assert "0 0 12" not in stream_of(first)
    second.locator("#share").get_by_role("button", name="Change").click()
    expect(second.locator("#share input").nth(2)).to_have_value("12")
    second.get_by_role("button", name="Ready").click()
    more(first, 1, 12)
    first.get_by_role("button", name="Confirm").click()
    expect(second.locator("#sentence")).to_have_text("Player 3 shares out 12 units.")
    assert plies(table) == ("bid 12 0 0", "bid 0 0 12")


def test_all_read_who_is_ready_and_who_is_waited_for_but_no_bid(open_table: OpenTable, pages: Pages) -> None:
    table, (first, second), watcher = begin(open_table, 3), (pages(), pages()), pages()
    join(first, table.url, "Player 1")
    join(second, table.url, "Player 2")
    watcher.goto(table.url)
    more(second, 3, 12)
    second.get_by_role("button", name="Ready").click()
    told = [(first, "you, Player 3", "Player 2"), (second, "Player 1, Player 3", "you"),
            (watcher, "Player 1, Player 3", "Player 2")]  # fmt: skip
    for page, missing, ready in told:
        expect(page.locator("#ready")).to_have_text(f"Ready: {ready}. Not ready yet: {missing}.")
        framed = page.locator(".seat[aria-current]")
        expect(framed).to_have_count(2)
        assert sorted(framed.evaluate_all("all => all.map((e) => e.dataset.seat)")) == ["0", "2"]
    second.locator("#share").get_by_role("button", name="Change").click()
    expect(first.locator("#ready")).to_have_count(0)
    expect(first.locator(".seat[aria-current]")).to_have_count(3)
    second.get_by_role("button", name="Ready").click()
    expect(first.locator("#ready")).to_be_visible()
    second.reload()  # what it was ready with is gone
    expect(first.locator("#ready")).to_have_count(0)
    more(first, 1, 12)
    first.get_by_role("button", name="Confirm").click()
    expect(watcher.locator("#ready")).to_have_text("Ready: Player 1. Not ready yet: Player 2, Player 3.")


def test_a_service_that_was_started_again_hears_who_is_ready(open_table: OpenTable, pages: Pages) -> None:
    table, (first, second) = begin(open_table, 3), (pages(), pages())
    join(first, table.url, "Player 1")
    join(second, table.url, "Player 2")
    more(second, 3, 12)
    second.get_by_role("button", name="Ready").click()
    ready = "Ready: Player 2. Not ready yet: you, Player 3."
    expect(first.locator("#ready")).to_have_text(ready)
    with second.expect_request("**/api/seat/ready") as told:
        table.entry.readiness.forget()  # as one does that is started again
        table.backend.poke()
    assert told.value.post_data_json == {"seat": 1, "on": True}
    expect(first.locator("#ready")).to_have_text(ready)


def test_a_bid_that_waits_is_not_sent_in_the_next_game(open_table: OpenTable, pages: Pages) -> None:
    table, (first, second) = begin(open_table, 3), (pages(), pages())
    join(first, table.url, "Player 1")
    join(second, table.url, "Player 2")
    more(second, 3, 12)
    second.get_by_role("button", name="Ready").click()
    expect(second.locator("#share")).to_contain_text("Ready: 0 · 0 · 12.")
    table.new_game("beacons", players=3, **BOARD)
    expect(second.locator("#share")).not_to_contain_text("It is sent")
    more(first, 1, 12)
    first.get_by_role("button", name="Confirm").click()
    expect(second.locator("#share").get_by_role("button", name="Confirm")).to_be_visible()
    expect(second.get_by_role("button", name="Confirm")).to_be_visible()
    assert plies(table) == ("bid 12 0 0",)


def test_a_bid_that_is_made_is_in_no_other_stream(open_table: OpenTable, pages: Pages) -> None:
    table, first, second = begin(open_table, 3), pages(), pages()
    join(first, table.url, "Player 1")
    join(second, table.url, "Player 2")
    more(first, 2, 12)
    first.get_by_role("button", name="Confirm").click()
    expect(second.locator("#share").get_by_role("button", name="Confirm")).to_be_visible()
    assert plies(table) == ("bid 0 12 0",)
    assert "bid 0 12 0" in stream_of(first)
    assert "bid 0 12 0" not in stream_of(second)


def test_a_bid_is_made_with_the_keyboard_alone(open_table: OpenTable, pages: Pages) -> None:
    table, page = begin(open_table, 3), pages()
    join(page, table.url, "Player 1")
    page.get_by_label("You", exact=True).focus()
    page.keyboard.type("9")
    expect(page.locator("#share output")).to_have_text("3 of 12 left")
    for _ in range(3):  # over "one more" and "one less" to the next number
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#share output")).to_have_text("1 of 12 left")
    page.keyboard.press("Enter")
    assert plies(table) == ()
    for _ in range(3):
        page.keyboard.press("Tab")
    page.keyboard.type("4")
    expect(page.locator("#share output")).to_have_text("3 too many")
    expect(page.get_by_role("button", name="Confirm")).to_be_disabled()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#share h2")).to_have_text("Player 2")  # whose seat no phone holds
    assert plies(table) == ("bid 9 2 1",)


@pytest.mark.parametrize("typed", ["-3", "1.5", ""])
def test_what_is_no_number_of_units_cannot_be_confirmed(open_table: OpenTable, pages: Pages, typed: str) -> None:
    table, page = begin(open_table, 2), pages()
    join(page, table.url, "Player 1")
    page.get_by_label("Player 2", exact=True).fill("12")
    expect(page.get_by_role("button", name="Confirm")).to_be_enabled()
    page.get_by_label("You", exact=True).fill(typed)
    expect(page.get_by_role("button", name="Confirm")).to_be_disabled()
    expect(page.locator("#share output")).to_have_text("Whole numbers only, 0 or more")
    page.get_by_role("button", name="One more for you").click()
    assert plies(table) == ()


def test_one_phone_is_handed_round_and_begins_anew_for_each_player(open_table: OpenTable, pages: Pages) -> None:
    table, page = begin(open_table, 2), pages()
    join(page, table.url)
    page.get_by_role("button", name="Just watch").click()
    expect(page.locator("#share h2")).to_have_text("Player 1")
    more(page, 1, 12)
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator("#share h2")).to_have_text("Player 2")
    expect(page.locator("#share output")).to_have_text("12 of 12 left")
    expect(page.locator("#plies")).not_to_contain_text("12")
    expect(page.locator("#acts").get_by_role("button", name="bid")).to_have_count(0)  # the form is enough
    more(page, 2, 12)
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator("#share")).to_have_count(0)
    assert plies(table) == ("bid 12 0", "bid 0 12")


def test_numbers_stay_while_others_join_and_a_refusal_can_be_mended(open_table: OpenTable, pages: Pages) -> None:
    table, page, other = begin(open_table, 2), pages(), pages()
    join(page, table.url, "Player 1")
    more(page, 1, 12)
    join(other, table.url, "Player 2")
    expect(page.get_by_label("You", exact=True)).to_have_value("12")
    page.route("**/api/order", lambda route: route.abort())
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator("#toast")).to_contain_text("did not answer")
    page.unroute("**/api/order")
    page.get_by_role("button", name="Confirm").click()
    expect(other.locator("#share").get_by_role("button", name="Confirm")).to_be_visible()
    assert plies(table) == ("bid 12 0",)


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_form_is_easy_to_hit_and_to_hear_and_fits(open_table: OpenTable, pages: Pages, width: int) -> None:
    table, page = begin(open_table, 6), pages(viewport={"width": width, "height": 800})
    join(page, table.url, "Player 1")
    expect(page.get_by_role("form", name="Share 12 units among everybody's coffers")).to_be_visible()
    for button in page.locator(".share-row button").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert complaints(page) == []
