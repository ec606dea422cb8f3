"""Who sits where when a game begins, on several phones in Chromium and the real service."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.web_panel.axe import complaints
from tests.web_panel.real_backend import begin
from tests.web_panel.real_table import OpenTable, Pages, join, say_name

LOTS = re.compile(r"Drawn by lot: ((?:Ann|Ben) \(White\), (?:Ann|Ben) \(Black\))\.")


def sat(page: Page, count: int) -> list[str]:
    """Return who sits where, by the page of people."""
    rows = page.locator("#chairs li")
    expect(rows).to_have_count(count)
    return [text or "" for text in rows.locator("span").all_text_contents()]


def chosen(page: Page) -> list[str]:
    """Return who is chosen for each seat in the dialog."""
    expect(page.locator("[name=player]").first).to_be_visible()
    told = page.locator("[name=player]").evaluate_all("all => all.map((each) => each.selectedOptions[0].text)")
    return [str(each) for each in told]


def open_dialog(page: Page, title: str) -> None:
    page.get_by_role("button", name="New game").click()
    page.get_by_role("radio", name=title, exact=True).check()


def test_who_begins_is_kept_swapped_or_drawn_and_everybody_is_told(open_table: OpenTable, pages: Pages) -> None:
    table, (ann, ben, watcher) = open_table(), (pages(), pages(), pages())
    table.new_game("tides-of-war")
    join(ann, table.url, "White")
    join(ben, table.url, "Black")
    say_name(ann, "Ann")
    say_name(ben, "Ben")
    watcher.goto(table.url)
    open_dialog(ann, "Tides of War")
    assert chosen(ann) == ["Ann · you", "Ben"]
    ann.get_by_role("button", name="Swap seats").click()
    assert chosen(ann) == ["Ben", "Ann · you"]
    assert complaints(ann) == []
    ann.get_by_role("button", name="Start", exact=True).click()
    for page in (ann, ben, watcher):
        expect(page.locator("#seated")).to_have_text("New seats: Ben (White), Ann (Black).")
    open_dialog(ben, "Tides of War")
    ben.get_by_role("checkbox", name="Random seats").check()
    ben.get_by_role("button", name="Start", exact=True).click()
    for page in (ann, ben, watcher):
        expect(page.locator("#seated")).to_have_text(LOTS)
    assert len({page.locator("#seated").text_content() for page in (ann, ben, watcher)}) == 1
    told = LOTS.fullmatch(ann.locator("#seated").text_content() or "")
    ann.goto(f"{table.url}join")
    white, black = sat(ann, 2)
    assert told
    assert told[1] == f"{white} (White), {black} (Black)"


def test_who_waited_plays_next_by_one_tap_and_others_are_seated_by_whoever_begins(
    open_table: OpenTable, pages: Pages
) -> None:
    """Clara and Ann have played, Ben and Dan watched: Dan wants to play next, and then Ann lets the two play."""
    table = open_table()
    table.new_game("tides-of-war")
    clara, ann, ben, dan = (pages() for _ in range(4))
    for page, name, seat in ((clara, "Clara", "White"), (ann, "Ann", "Black"), (ben, "Ben", ""), (dan, "Dan", "")):
        join(page, table.url, *([seat] if seat else []))
        say_name(page, name)
    ann.get_by_role("button", name="Menu").click()
    ann.get_by_role("button", name="Resign …").click()
    ann.get_by_role("button", name="Yes").click()
    dan.locator("#acts").get_by_role("button", name="I want to play next").click()
    expect(dan.locator("#acts").get_by_role("button", name="Do not play next after all")).to_be_visible()
    expect(ann.locator("#toast")).to_have_text("Dan wants to play next.")
    open_dialog(ann, "Tides of War")
    assert chosen(ann) == ["Clara", "Dan"]  # the winner stays
    ann.locator("[name=player]").nth(0).select_option(label="Ben")
    expect(ann.locator("#seating")).to_contain_text("Without a seat in that game: Clara and Ann.")
    assert complaints(ann) == []
    ann.get_by_role("button", name="Start", exact=True).click()
    for page in (ben, dan):
        expect(page.locator("#seated")).to_have_text("New seats: Ben (White), Dan (Black).")
    expect(ben.locator("#sentence")).to_have_text("Your turn")
    expect(clara.locator("#toast")).to_have_text(
        "Ann has begun this game without you: you can watch, or say that you want to play next."
    )
    expect(clara.locator("#joining").get_by_role("button", name="I want to play next")).to_be_visible()


def test_the_winner_stays_and_who_waited_plays_by_one_tap(open_table: OpenTable, pages: Pages) -> None:
    table = open_table()
    table.new_game("tides-of-war")
    clara, ann, dan = (pages() for _ in range(3))
    for page, name, seat in ((clara, "Clara", "White"), (ann, "Ann", "Black"), (dan, "Dan", "")):
        join(page, table.url, *([seat] if seat else []))
        say_name(page, name)
    ann.get_by_role("button", name="Menu").click()
    ann.get_by_role("button", name="Resign …").click()
    ann.get_by_role("button", name="Yes").click()
    dan.locator("#acts").get_by_role("button", name="I want to play next").click()
    expect(ann.locator("#acts").get_by_role("button", name="Play again without Dan")).to_be_visible()
    clara.locator("#acts").get_by_role("button", name="Play again with Dan").click()
    for page in (clara, ann, dan):
        expect(page.locator("#seated")).to_have_text("New seats: Clara (White), Dan (Black).")
    expect(ann.locator("#joining").get_by_role("button", name="I want to play next")).to_be_visible()


def test_after_a_game_the_other_one_begins_with_one_tap(open_table: OpenTable, pages: Pages) -> None:
    table, (ann, ben) = open_table(), (pages(), pages())
    table.new_game("tides-of-war")
    join(ann, table.url, "White")
    join(ben, table.url, "Black")
    say_name(ann, "Ann")
    say_name(ben, "Ben")
    for number, winner in ((1, ann), (2, ben)):
        winner.get_by_role("button", name="Menu").click()
        winner.get_by_role("button", name="Resign …").click()
        winner.get_by_role("button", name="Yes").click()
        next_one, begins = ("Ben", "you begin") if number == 1 else ("Ann", "Ann begins")
        for page in (ann, ben):
            expect(page.locator("#acts").get_by_role("button", name="Play again", exact=True)).to_be_visible()
        ben.locator("#acts").get_by_role("button", name=f"Play again: {begins}").click()
        expect(ann.locator("#seated")).to_contain_text(f"New seats: {next_one} (White)")
        expect(ann.locator("#sentence")).to_have_text("Ben to move." if number == 1 else "Your turn")
    ann.get_by_role("button", name="Menu").click()
    ann.locator("#sheet").get_by_role("button", name="This evening").click()
    expect(ann.locator("#evening .tonight li")).to_have_text(
        [re.compile(r"Ann\s*1 of 2 won"), re.compile(r"Ben\s*1 of 2 won")]
    )


def test_a_restart_between_the_lots_and_the_first_ply_changes_nothing(open_table: OpenTable, pages: Pages) -> None:
    table, (ann, ben) = open_table(), (pages(), pages())
    table.new_game("tides-of-war")
    join(ann, table.url, "White")
    join(ben, table.url, "Black")
    say_name(ann, "Ann")
    say_name(ben, "Ben")
    open_dialog(ann, "Tides of War")
    ann.get_by_role("checkbox", name="Random seats").check()
    ann.get_by_role("button", name="Start", exact=True).click()
    expect(ben.locator("#seated")).to_have_text(LOTS)
    told, port = ben.locator("#seated").text_content() or "", table.server.port
    table.close()
    expect(ben.locator("#banner")).to_be_visible()
    again = open_table(port=port)
    expect(ben.locator("#banner")).to_be_hidden(timeout=15_000)
    expect(ben.locator("#seated")).to_have_text(told)
    ann.goto(f"{again.url}join")
    assert [f"{name} ({seat})" for name, seat in zip(sat(ann, 2), ("White", "Black"), strict=True)] == (
        told.removeprefix("Drawn by lot: ").removesuffix(".").split(", ")
    )


def test_with_four_seats_two_people_share_a_phone_and_one_stays_free(open_table: OpenTable, pages: Pages) -> None:
    table, (ann, ben) = open_table(), (pages(), pages())
    table.new_game("circle", players=4)
    join(ann, table.url, "White")
    join(ben, table.url, "Black")
    say_name(ann, "Ann")
    say_name(ben, "Ben")
    ben.goto(f"{table.url}join")
    ben.get_by_role("button", name="Take Blue").click()
    expect(ben.locator("#chairs")).to_contain_text("BlueBen")
    ben.goto(table.url)
    open_dialog(ben, "Circle")
    assert chosen(ben) == ["Ann", "Ben · you"]  # the game is for two until it is said otherwise
    ben.locator("#options [name=players]").select_option(label="4")
    assert chosen(ben) == ["Ann", "Ben · you", "Anybody", "Anybody"]
    ben.locator("[name=player]").nth(2).select_option(label="Someone with me")
    ben.locator("[name=beside]").fill("Mamie")
    ben.get_by_role("button", name="Start", exact=True).click()
    expect(ben.locator("#dialog")).to_be_hidden()
    ben.goto(f"{table.url}join")
    expect(ben.locator("#chairs li").nth(2)).to_contain_text("Mamie")
    assert sat(ben, 4) == ["Ann", "Ben", "Mamie", "open"]
    ben.goto(table.url)
    open_dialog(ben, "Circle")
    ben.locator("#options [name=players]").select_option(label="4")
    ben.get_by_role("button", name="Rotate seats").click()
    assert chosen(ben) == ["Ben · you", "Mamie · you", "Ann", "Anybody"]


def test_where_no_phone_holds_a_seat_nobody_is_asked(open_table: OpenTable, pages: Pages) -> None:
    table, ann = open_table(), pages()
    join(ann, table.url)
    begin(ann, "Tides of War")
    open_dialog(ann, "Circle")
    expect(ann.locator("#begins")).to_contain_text("White begins")
    expect(ann.locator("#seating")).to_be_empty()
    ann.get_by_role("button", name="Cancel").click()
    ann.get_by_role("button", name="Menu").click()
    ann.get_by_role("button", name="White resigns …").click()
    ann.get_by_role("button", name="Yes").click()
    again = ann.locator("#acts").get_by_role("button", name="Play again")
    expect(again).to_have_count(1)
    again.click()
    expect(ann.locator("#sentence")).to_have_text("White to move.")  # no piece was moved
    expect(ann.locator("#seated")).to_be_empty()


def test_who_has_no_name_is_called_by_the_seat_in_all_that_is_said_of_a_game(
    open_table: OpenTable, pages: Pages
) -> None:
    """On the page of people, which is about phones, they are "Phone 1" and "Phone 2"."""
    table, (one, two) = open_table(), (pages(), pages())
    table.new_game("tides-of-war")
    join(one, table.url, "White")
    join(two, table.url, "Black")
    open_dialog(one, "Tides of War")
    one.get_by_role("button", name="Swap seats").click()
    expect(one.locator("#seating")).not_to_contain_text("Phone")
    one.get_by_role("button", name="Start", exact=True).click()
    expect(two.locator("#seated")).to_have_text("Each seat has passed to the next player.")
    one.get_by_role("button", name="Menu").click()
    one.get_by_role("button", name="Resign …").click()
    one.get_by_role("button", name="Yes").click()
    expect(two.locator("#acts").get_by_role("button", name="Play again: the other side begins")).to_be_visible()
    refused = two.evaluate("""async () => (await (await fetch("/api/seat", { method: "POST",
        headers: { "Content-Type": "application/json" }, body: '{"seat": 1}' })).json()).error""")
    assert refused == "Another phone holds this seat."
    said = " ".join(page.locator("main").text_content() or "" for page in (one, two))
    one.get_by_role("button", name="Menu").click()
    one.get_by_role("button", name="This evening").click()
    expect(one.locator("#evening .tally")).to_have_text("Won: White (1).")
    said += one.locator("#sheet").text_content() or ""
    two.goto(f"{table.url}history")
    expect(two.locator("main li").first).to_contain_text("White won")
    assert "Phone" not in said + (two.locator("main").text_content() or "")
    two.goto(f"{table.url}join")
    assert sat(two, 2) == ["Phone 2", "Phone 1"]
