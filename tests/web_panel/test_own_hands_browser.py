"""Two phones at a simulated board: each lifts its own pieces, and looks at the other's."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from controller.orders import NextStep, PlayPly, StartLesson
from tests.waiting import until
from tests.web_panel.fake_board import token
from tests.web_panel.real_backend import board_site, made, tap
from tests.web_panel.real_table import OpenTable, Pages, RealTable, join

LIFTED = '#board .token[data-state="lifted"]'


def seat_two(table: RealTable, pages: Pages) -> tuple[Page, Page]:
    """Return the phones of White and of Black in a game of Tides of War."""
    table.new_game("tides-of-war")
    ann, ben = pages(), pages()
    join(ann, table.url, "White")
    join(ben, table.url, "Black")
    return ann, ben


def lit(page: Page) -> set[str]:
    """Return the cells that are lit as goals, by their names for a screen reader."""
    names = page.locator("#board .site.lit").evaluate_all("all => all.map(e => e.getAttribute('aria-label'))")
    return {name.split(", ")[0] for name in names if name.endswith(("may go", "may take"))}


def test_a_tap_on_the_others_piece_shows_there_alone_where_it_could_go(open_table: OpenTable, pages: Pages) -> None:
    table = open_table("first36", finishes=True)
    ann, ben = seat_two(table, pages)
    tap(ben, "c3")
    expect(ben.locator("#toast")).to_have_text("Where White's stone could go. It is not yours to move.")
    expect(ben.locator("#toast")).not_to_have_class("refusal")
    expect(ben.locator("#card")).to_contain_text("Stone")
    assert lit(ben) == {"c4", "d3"}
    assert lit(ann) == set()
    for page in (ann, ben):
        expect(page.locator(LIFTED)).to_have_count(0)
    tap(ben, "c4")  # a goal is no goal for this phone
    expect(ben.locator("#toast")).to_have_text("White to move.")
    expect(ben.locator("#toast")).to_have_class("refusal")
    assert lit(ben) == set()
    expect(ben.locator("#card")).to_be_hidden()
    tap(ann, "c3")
    expect(ann.locator(LIFTED)).to_have_count(1)
    expect(ben.locator(LIFTED)).to_have_count(1)  # the other phone sees it in the hand
    tap(ben, "c4")
    tap(ben, "c3")
    expect(ann.locator(LIFTED)).to_have_count(1)
    tap(ann, "c4")
    made(ben, 1)
    tap(ann, "f2")  # Ann is the owner, and looks as well
    expect(ann.locator("#toast")).to_contain_text("Where Black's stone could go")
    assert lit(ann) == {"e2", "f1"}
    tap(ben, "f2")
    expect(ben.locator(LIFTED)).to_have_count(1)
    tap(ben, "f1")
    made(ann, 2)
    assert lit(ann) == set()  # the look is over with the position
    assert table.table.play.session.plies == ("c3-c4", "f2-f1")


def test_by_keys_n_leads_to_what_a_look_shows_and_where_nothing_is_lit_it_says_so(
    open_table: OpenTable, pages: Pages
) -> None:
    _, ben = seat_two(open_table("first36", finishes=True), pages)
    ben.locator("#board [data-site=f6]").focus()
    until(lambda: (ben.keyboard.press("n"), ben.locator("#toast").inner_text())[1])
    expect(ben.locator("#toast")).to_have_text("No cell is lit now.")
    ben.locator("#board [data-site=c3]").focus()
    ben.keyboard.press("Enter")
    expect(ben.locator("#toast")).to_contain_text("Where White's stone could go")
    met = set()
    for _ in range(2):
        ben.keyboard.press("n")
        met.add(ben.evaluate("document.activeElement.dataset.site"))
    assert met == {"c4", "d3"}


def test_in_turn_a_tap_on_the_others_piece_is_a_look_and_never_a_lift(open_table: OpenTable, pages: Pages) -> None:
    ann, ben = seat_two(open_table("first36", finishes=True), pages)
    tap(ann, "c6")
    expect(ann.locator("#toast")).to_contain_text("Where Black's stone could go")
    expect(ann.locator(LIFTED)).to_have_count(0)
    assert lit(ben) == set()


def test_with_every_piece_by_hand_the_others_pieces_stay_too(open_table: OpenTable, pages: Pages) -> None:
    table = open_table("first36", finishes=True)
    ann, ben = seat_two(table, pages)
    ann.get_by_role("checkbox", name="Move every piece by hand").check()
    expect(ben.get_by_role("checkbox", name="Move every piece by hand")).to_be_checked()
    tap(ben, "c3")
    expect(ben.locator("#toast")).to_contain_text("Where White's stone could go")
    assert lit(ben) == {"c4", "d3"}
    ben.locator(f'#board [data-site="{board_site(ben, "c3")}"]').focus()
    ben.keyboard.press("Enter")
    tap(ann, "c3")
    expect(ann.locator(LIFTED)).to_have_count(1)
    tap(ben, "c4")
    tap(ann, "c4")
    made(ben, 1)
    assert table.table.play.session.plies == ("c3-c4",)


def test_a_drag_of_the_others_piece_moves_nothing(open_table: OpenTable, pages: Pages) -> None:
    table = open_table("first36", finishes=True)
    _, ben = seat_two(table, pages)
    site = table.running.hand.pieces()["on"]["c3"]["id"]
    stands = token(ben, site).bounding_box()
    assert stands is not None
    x, y = stands["x"] + stands["width"] / 2, stands["y"] + stands["height"] / 2
    ben.mouse.move(x, y)
    ben.mouse.down()
    ben.mouse.move(x + 60, y + 60, steps=5)
    assert token(ben, site).get_attribute("data-state") == "set"
    ben.mouse.up()
    assert table.running.hand.pieces()["held"] == []
    expect(token(ben, site)).to_have_attribute("data-on", "c3")


def test_where_several_ways_lead_their_first_landings_alone_are_lit_and_one_tap_makes_the_rest(
    open_table: OpenTable, pages: Pages
) -> None:
    table = open_table("square144", finishes=True)
    table.new_game("tides-of-war")
    page = pages()
    join(page, table.url, "White")
    before = ("c2-d3", "d4-c4", "b4xd4")
    for number, ply in enumerate(before, 1):
        table.running.service.submit(PlayPly(text=ply))
        made(page, number)
    expect(page.locator(f'#board .token[data-on="{board_site(page, "d4")}"]')).to_have_count(1)
    tap(page, "e4")
    expect(page.locator(LIFTED)).to_have_count(1)
    tap(page, "e2")  # by c2, by c4, or by both
    expect(page.locator("#advice")).to_have_text("Several ways lead to e2. Tap where the piece lands first: c2, c4.")
    names = page.locator("#board .site.lit").evaluate_all("all => all.map(e => e.getAttribute('aria-label'))")
    assert {name.split(", ")[0] for name in names} == {"e2", "c2", "c4"}
    tap(page, "e4")  # thought better of it
    expect(page.locator("#advice")).to_have_text("")
    expect(page.locator(LIFTED)).to_have_count(0)
    tap(page, "e4")
    tap(page, "e2")
    tap(page, "c2")
    made(page, 4)
    assert table.table.play.session.plies == (*before, "e4xc2xe2")
    expect(page.locator("#advice")).to_have_text("")


def test_in_a_lesson_a_piece_is_drawn_where_its_chain_has_got_to(open_table: OpenTable, pages: Pages) -> None:
    """The lesson says "jump to c6, on to c4, and on to e2": over b6, c5 and d3."""
    table, page = open_table("first36", finishes=True, local=True), pages()
    service = table.running.service
    service.submit(StartLesson("tides-of-war"))
    until(lambda: table.table.phase == "play")
    while (expected := table.table.play.session.expected) != "a6xc6xc4xe2":
        service.submit(PlayPly(text=expected) if expected else NextStep())
        until(lambda: table.table.phase == "play")
    page.goto(table.url)
    tap(page, "a6")
    lifted, gone = page.locator(LIFTED), page.locator('#board .token[data-state="ghost"]')
    expect(lifted).to_have_attribute("data-on", "a6")
    expect(gone).to_have_count(0)
    for landing, taken in (("c6", ["b6"]), ("c4", ["b6", "c5"])):
        tap(page, landing)
        expect(lifted).to_have_attribute("data-on", landing)
        assert sorted(gone.evaluate_all("all => all.map(e => e.dataset.on)")) == taken
    tap(page, "f6")  # no landing: the piece stays in the hand, and begins anew
    expect(lifted).to_have_attribute("data-on", "a6")
    expect(gone).to_have_count(0)
    tap(page, "c6")
    tap(page, "c4")
    tap(page, "e2")
    expect(lifted).to_have_count(0)
    expect(page.locator('#board .token[data-on="e2"]')).to_have_count(1)
    until(lambda: table.table.play.session.plies[-1] == "a6xc6xc4xe2")
