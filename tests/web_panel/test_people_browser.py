"""The household on phones in Chromium: chosen when joining, looked at, and two who are one person."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from controller.orders import PlayPly, Resign
from tests.waiting import until
from tests.web_panel.axe import complaints
from tests.web_panel.real_table import OpenTable, Pages, RealTable, join

NASTY = "<b>Änne-Marie</b> von und zu 小林 Überli"  # as wide as 40 letters


def finish(table: RealTable, loser: int) -> None:
    table.new_game("tides-of-war")
    table.running.service.submit(PlayPly(text="c3-d3"))
    table.running.service.submit(Resign(seat=loser))


def introduce(page: Page, name: str, unless: str = "nobody") -> None:
    """Say who holds this phone, somebody new."""
    page.locator("#joining").get_by_role("button", name="Enter your name").click()
    who = page.locator("#joining .who")
    if who.get_by_role("button", name="Somebody new").count():
        who.get_by_role("button", name="Somebody new").click()
    who.get_by_label("Your name").fill(name)
    expect(who).not_to_contain_text(unless)
    who.get_by_role("button", name="Save").click()
    expect(page.locator("#joining .who")).to_have_count(0)


def introduce_on_the_page_of_people(page: Page, url: str, name: str) -> None:
    """Say who holds this phone, which has no seat, where all people stand."""
    page.goto(f"{url}join")
    page.get_by_role("button", name="Enter your name").click()
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#phones")).to_contain_text(name)


def elsewhere(page: Page, url: str) -> dict[str, bool]:
    """Return of each person by name whether another phone than that of ``page`` is here as theirs."""
    return {person["name"]: person["elsewhere"] for person in page.request.get(f"{url}api/people").json()}


def test_the_household_is_chosen_from_counted_and_put_together(open_table: OpenTable, pages: Pages) -> None:
    table, (ann, ben, tablet) = open_table("first36"), (pages(), pages(), pages())
    table.new_game("tides-of-war")
    join(ann, table.url, "White")
    introduce(ann, NASTY)
    join(ben, table.url, "Black")
    introduce(ben, "Ben", unless=NASTY)  # who sits there already is not offered
    expect(ann.locator("#others b")).to_have_text("Ben")
    finish(table, loser=1)
    ben.get_by_role("button", name="Menu").click()
    ben.locator("#sheet").get_by_role("link", name="People").click()
    household = ben.locator("#household-list > li")
    expect(household).to_have_count(2)
    expect(household.nth(0)).to_contain_text(NASTY)
    expect(household.nth(1)).to_contain_text("this device, games: 1, won: 0, lost: 1")
    household.nth(1).locator("summary").click()
    expect(household.nth(1).get_by_role("row", name="Tides of War 1 0 1")).to_be_visible()
    expect(household.nth(1).get_by_role("row", name=f"{NASTY} 1 0 1")).to_be_visible()
    assert ben.evaluate("document.documentElement.scrollWidth") <= 390
    assert complaints(ben) == []

    # A tablet whose person is known: chosen from the list with one tap, once no other phone is here as that person.
    join(tablet, table.url)
    tablet.goto(f"{table.url}join")
    tablet.get_by_role("button", name="Enter your name").click()
    expect(tablet.locator(".who").get_by_label("Your name")).to_be_visible()
    expect(tablet.locator(".who").get_by_role("button", name="Ben")).to_have_count(0)
    ben.goto("about:blank")
    until(lambda: not elsewhere(tablet, table.url)["Ben"], "Ben's phone is still here")
    tablet.reload()
    tablet.get_by_role("button", name="Enter your name").click()
    expect(tablet.locator(".who")).to_contain_text("Who plays on this device?")
    tablet.locator(".who").get_by_role("button", name="Ben").click()
    expect(tablet.locator("#phones")).to_contain_text("Ben")
    tablet.wait_for_function("localStorage.beaconboard?.includes('Ben')")

    # Somebody by mistake has become two people.
    ben.goto(f"{table.url}settings")
    ben.get_by_role("button", name="Somebody new").click()
    ben.get_by_label("Your name").fill("Benjamin")
    ben.get_by_role("button", name="Save").click()
    expect(ben.get_by_role("button", name="Benjamin")).to_have_attribute("aria-pressed", "true")
    ann.goto(f"{table.url}join")
    expect(ann.locator("#household-list > li")).to_have_count(3)
    mistaken = ann.locator("#household-list > li", has_text="Benjamin")
    mistaken.locator("summary").click()
    mistaken.get_by_role("button", name="The same person as …").click()
    mistaken.get_by_role("button", name="Ben", exact=True).click()
    expect(ann.locator("#sure")).to_contain_text("This cannot be undone.")
    ann.locator("#sure").get_by_role("button", name="One person").click()
    expect(ann.locator("#household-list > li")).to_have_count(2)
    assert [person.name for person in table.people.all()] == [NASTY, "Ben"]


def test_who_watches_sees_the_people_and_no_button_that_changes_them(open_table: OpenTable, pages: Pages) -> None:
    table, (ann, watcher) = open_table("first36"), (pages(), pages())
    table.new_game("tides-of-war")
    join(ann, table.url, "White")
    introduce(ann, "Ann")
    watcher.goto(f"{table.url}join")
    row = watcher.locator("#household-list > li")
    expect(row).to_contain_text("Ann")
    row.locator("summary").click()
    expect(row.get_by_role("button")).to_have_count(0)


def test_a_game_of_a_phone_that_is_gone_is_claimed_on_its_page(open_table: OpenTable, pages: Pages) -> None:
    table, (once, ben) = open_table("first36"), (pages(), pages())
    table.new_game("tides-of-war")
    join(once, table.url, "Black")
    finish(table, loser=0)
    once.goto(table.url + "join")
    once.get_by_role("button", name="Leave the table").click()
    expect(once.get_by_role("dialog")).to_contain_text("Your seat is free then")
    once.get_by_role("button", name="Leave", exact=True).click()
    join(ben, table.url)
    introduce_on_the_page_of_people(ben, table.url, "Ben")
    ben.goto(table.url + "history/1")
    figures = ben.locator("#figures")
    figures.get_by_role("button", name="That was me").click()
    expect(figures).to_contain_text("Ben (Black)")
    figures.get_by_role("button", name="That was not me").click()
    expect(figures).not_to_contain_text("Ben")
    expect(figures.get_by_role("button", name="That was me")).to_be_visible()


def test_who_plays_on_without_a_name_says_it_on_the_page_of_people(open_table: OpenTable, pages: Pages) -> None:
    table, ann = open_table("first36"), pages()
    table.new_game("tides-of-war")
    join(ann, table.url, "White")
    ann.goto(f"{table.url}/join")
    ann.get_by_role("button", name="Enter your name").click()
    ann.get_by_label("Your name").fill("Ann")
    ann.get_by_role("button", name="Save").click()
    expect(ann.locator("#phones")).to_contain_text("Ann")
    expect(ann.get_by_role("button", name="Enter your name")).to_have_count(0)
    expect(ann.get_by_label("Your name")).to_have_count(0)
