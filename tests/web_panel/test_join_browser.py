"""An evening's phones in Chromium, on the real service: joining, two seats and a watcher, secrets, a restart."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from controller.orders import PlayPly
from tests.web_panel.axe import complaints
from tests.web_panel.real_table import CODE, OpenTable, Pages, history_of, join, stream_of, view
from web_panel.people.joining import COOKIE


def asks_alone(page: Page) -> None:
    """Let the page ask, and each touch of its own fail."""
    page.route("**/api/pair/touch", lambda route: route.abort())
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("button", name="Touch")).to_be_visible()
    page.unroute("**/api/pair/touch")


def test_a_simulated_board_is_joined_by_one_press(open_table: OpenTable, pages: Pages) -> None:
    table, page = open_table(), pages()
    page.goto(table.url)
    page.get_by_role("button", name="Join").click()
    expect(page.locator("#joining")).to_contain_text("You are in.")
    expect(page.locator("#board .site.blink")).to_have_count(0)
    expect(page.get_by_role("button", name="New game")).to_be_visible()


@pytest.mark.parametrize("both", [False, True])
def test_a_link_that_was_opened_twice_is_in_with_both_tabs(open_table: OpenTable, pages: Pages, both: bool) -> None:
    table, first = open_table(), pages()
    second = first.context.new_page()
    for tab in (first, second):
        tab.goto(table.url)
        expect(tab.get_by_role("button", name="Join")).to_be_visible()
    for tab in (first, second)[: 1 + both]:
        tab.get_by_role("button", name="Join").click(no_wait_after=True)
    for tab in (first, second):
        expect(tab.get_by_role("button", name="New game")).to_be_visible()
        expect(tab.locator("#joining")).not_to_contain_text("removed")
    assert len(table.phones.all()) == 1


def test_a_tab_that_has_missed_the_other_one_joining_sees_it_when_it_asks(open_table: OpenTable, pages: Pages) -> None:
    table, first = open_table(), pages()
    second = first.context.new_page()
    second.add_init_script("addEventListener('storage', (event) => event.stopImmediatePropagation())")
    second.goto(table.url)
    expect(second.get_by_role("button", name="Join")).to_be_visible()
    join(first, table.url)
    second.get_by_role("button", name="Join").click()
    expect(second.get_by_role("button", name="New game")).to_be_visible()


def test_a_phone_joins_by_tapping_the_cell_that_glows(open_table: OpenTable, pages: Pages) -> None:
    table, page = open_table(), pages()
    page.goto(table.url)
    expect(page.get_by_role("button", name="New game")).to_be_hidden()
    asks_alone(page)
    cell = page.locator("#board .site.blink")
    expect(cell).to_have_count(1)
    name = cell.get_attribute("data-site")
    expect(page.locator("#joining").get_by_role("status")).to_contain_text(f"Tap the glowing cell {name}")
    face = page.locator(f"#board .site[data-site='{name}'] .face")  # whether it is lit just now or not
    expect(face).to_be_visible()
    box = face.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator("#joining")).to_contain_text("You are in.")
    expect(page.locator("#board .site.blink")).to_have_count(0)
    expect(page.get_by_role("button", name="New game")).to_be_visible()


def test_a_page_that_comes_back_keeps_the_board_that_it_drew(open_table: OpenTable, pages: Pages) -> None:
    table, page = open_table(), pages()
    page.goto(table.url)
    cell = page.locator("#board [data-site=a1]").element_handle()
    with page.expect_response("**/api/board"):
        asks_alone(page)  # which watches anew
    expect(page.locator("#board .site.blink")).to_have_count(1)
    assert cell.evaluate("cell => cell.isConnected")


@pytest.mark.long
def test_a_phone_that_asked_and_was_closed_lets_its_cell_go_dark(open_table: OpenTable, pages: Pages) -> None:
    table, page = open_table(), pages()
    page.goto(table.url)
    with page.expect_response("**/api/board"):
        asks_alone(page)  # it watches anew, as a phone that asks
    expect(page.locator("#board .site.blink")).to_have_count(1)
    began = table.running.service.look().table.t_us
    page.close()
    ended = next(seen for seen in table.running.service.watch(30) if seen is None or not seen.joining.requests)
    assert ended is not None
    assert ended.table.t_us - began < 30_000_000


def test_a_phone_that_loads_anew_is_asked_for_the_same_cell_still(open_table: OpenTable, pages: Pages) -> None:
    table, page = open_table(), pages()
    page.goto(table.url)
    asks_alone(page)
    touch = page.get_by_role("button", name="Touch")
    asked = touch.inner_text()
    for _ in range(2):
        page.reload()
        expect(touch).to_have_text(asked)
    touch.click()
    expect(page.locator("#joining")).to_contain_text("You are in.")


def test_joining_works_with_the_keyboard_alone(open_table: OpenTable, pages: Pages) -> None:
    table, page = open_table(), pages()
    page.goto(table.url)
    table.new_game("tides-of-war")
    page.get_by_role("button", name="Join").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#joining")).to_contain_text("Which side are you playing?")
    expect(page.get_by_role("button", name="White", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#mine .seat")).to_contain_text("you")
    expect(page.locator("#joining :focus, #told:focus")).to_have_count(1)  # on what comes next, never nowhere


def test_whoever_scans_the_console_is_in_and_the_code_leaves_the_address(open_table: OpenTable, pages: Pages) -> None:
    table, page = open_table(), pages()
    page.goto(f"{table.url}#{CODE}")
    expect(page.locator("#joining")).to_contain_text("You are in.")
    assert page.url == table.url


def test_the_code_can_be_typed_and_a_wrong_one_is_told(open_table: OpenTable, pages: Pages) -> None:
    table, page = open_table(), pages()
    page.goto(table.url)
    asks_alone(page)
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Use a code").click()
    page.get_by_label("Code shown on the console").fill("1111 1111")
    page.keyboard.press("Enter")
    expect(page.locator("#toast")).to_contain_text("not the code")
    page.get_by_label("Code shown on the console").fill("1234 5678")
    page.keyboard.press("Enter")
    expect(page.locator("#joining")).to_contain_text("You are in.")


def test_two_players_and_a_watcher_each_see_and_do_what_is_theirs(open_table: OpenTable, pages: Pages) -> None:
    table, (white, black, watcher) = open_table(), (pages(), pages(), pages())
    table.new_game("tam-ruat-chess")
    join(white, table.url, "White")
    join(black, table.url, "Black")
    watcher.goto(table.url)
    session = table.table.play.session
    ply = session.game.text(session.state, session.game.plies(session.state)[0])
    order = """async body => (await fetch("/api/order", { method: "POST",
        headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) })).json()"""
    assert "only that phone" in black.evaluate(order, {"do": "ply", "text": ply})["error"]
    assert "Join first" in watcher.evaluate(order, {"do": "ply", "text": ply})["error"]
    assert white.evaluate(order, {"do": "ply", "text": ply}) == {}
    for page, sentence in ((white, "Black to move."), (black, "Your turn"), (watcher, "Black to move.")):
        expect(page.locator("#sentence")).to_have_text(sentence)
    expect(black).to_have_title("● Your turn – Chess of Tam Ruat")
    assert black.evaluate("document.querySelector('#mine .seat').dataset.seat") == "1"
    expect(black.get_by_role("button", name="Turn board")).to_have_attribute("aria-pressed", "true")
    assert "only that phone" in white.evaluate(order, {"do": "resign", "seat": 1})["error"]


def test_a_secret_array_is_in_its_own_phones_stream_alone(open_table: OpenTable, pages: Pages) -> None:
    table, (white, black, watcher) = open_table("hex91"), (pages(), pages(), pages())
    table.new_game("cyvasse", setup="secret")
    names = table.table.play.session.game.facts.seats
    join(white, table.url, names[0])
    join(black, table.url, names[1])
    watcher.goto(table.url)
    session = table.table.play.session
    ply = session.game.text(session.state, session.game.plies(session.state)[0])
    order = """async body => (await fetch("/api/order", { method: "POST",
        headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) })).json()"""
    assert white.evaluate(order, {"do": "ply", "text": ply}) == {}
    mine, theirs, nobodys = view(white), view(black), view(watcher)
    assert [each["text"] for each in mine["plies"]] == [ply]
    cell = next(name for name, site in mine["sites"].items() if site.get("piece"))
    for other, page in ((theirs, black), (nobodys, watcher)):
        assert ply not in stream_of(page)
        assert ply not in history_of(page)
        assert [each["text"] for each in other["plies"]] != [ply]
        assert other["sites"][cell].get("piece") is None
    for page, seat in ((black, 0), (watcher, 0), (watcher, 1), (white, 1)):
        assert stream_of(page, 1, f"?seat={seat}") == "403"


def test_a_bid_is_in_its_own_phones_stream_alone(open_table: OpenTable, pages: Pages) -> None:
    table, (first, second, watcher) = open_table("shell19"), (pages(), pages(), pages())
    table.new_game("beacons")
    names = table.table.play.session.game.facts.seats
    join(first, table.url, names[0])
    join(second, table.url, names[1])
    watcher.goto(table.url)
    play = table.table.play
    game, state = play.session.game, play.session.state
    bid = max((game.text(state, ply) for ply in game.plies(state)), key=len)
    assert game.glimpse(state, game.read(state, bid), 1) != bid
    order = """async body => (await fetch("/api/order", { method: "POST",
        headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) })).json()"""
    assert first.evaluate(order, {"do": "ply", "text": bid}) == {}
    assert view(first)["plies"][0]["text"] == bid
    assert view(first)["data"]["bid"] is not None
    for page in (second, watcher):
        assert view(page)["plies"][0]["text"] != bid
        assert view(page)["data"]["bid"] is None
    assert bid not in stream_of(watcher)
    for page in (second, watcher):
        assert bid not in history_of(page)


def test_phones_come_in_one_after_the_other_while_moves_may_need_every_cell(
    open_table: OpenTable, pages: Pages
) -> None:
    table, everybody = open_table("shell19"), [pages() for _ in range(3)]
    table.new_game("beacons")
    for _ in range(2):
        session = table.table.play.session
        bid = session.game.text(session.state, session.game.plies(session.state)[0])
        table.running.service.submit(PlayPly(text=bid))
    assert not table.backend.cell_free()
    first, second, third = everybody
    join(first, table.url, "Player 1")
    join(second, table.url, "Player 2")
    join(third, table.url)


def test_a_phone_that_is_sent_away_watches_on(open_table: OpenTable, pages: Pages) -> None:
    table, (owner, guest) = open_table(), (pages(), pages())
    table.new_game("tam-ruat-chess")
    join(owner, table.url)
    join(guest, table.url, "Black")
    owner.goto(f"{table.url}join")
    owner.get_by_role("button", name="Remove Phone 2").click()
    owner.locator("dialog[open]").get_by_role("button", name="Remove", exact=True).click()
    expect(guest.get_by_text("This phone was removed from the table.")).to_be_visible()
    expect(owner.locator("#chairs")).to_contain_text("Blackopen")


def test_a_restart_keeps_who_is_at_the_table_and_the_page_comes_back_by_itself(
    open_table: OpenTable, pages: Pages
) -> None:
    table, page = open_table(), pages()
    table.new_game("tam-ruat-chess")
    join(page, table.url, "White")
    port = table.server.port
    table.close()
    expect(page.locator("#banner")).to_contain_text("Connection to the board lost")
    again = open_table(port=port)
    expect(page.locator("#banner")).to_be_hidden(timeout=15_000)
    page.reload()
    page.goto(f"{again.url}join")
    expect(page.locator("#role")).to_have_text("You own this table.")
    expect(page.locator("#chairs")).to_contain_text("WhitePhone 1")


def test_scripts_cannot_read_the_cookie(open_table: OpenTable, pages: Pages) -> None:
    table, page = open_table(), pages()
    join(page, table.url)
    assert page.evaluate("document.cookie") == ""
    kept = next(cookie for cookie in page.context.cookies() if cookie["name"] == COOKIE)
    assert (kept["httpOnly"], kept["sameSite"]) == (True, "Strict")


# ---- for everybody ----


CONTRAST = ("color-contrast",)  # all that the other colours can break


@pytest.mark.long
@pytest.mark.parametrize("path", ["", "join", "settings"])
def test_a_page_breaks_no_rule_of_accessibility(open_table: OpenTable, pages: Pages, path: str) -> None:
    table, page = open_table(), pages(color_scheme="dark")
    table.new_game("tam-ruat-chess")
    join(page, table.url)
    page.goto(table.url + path)
    expect(page.locator("main")).to_be_visible()
    expect(page.locator(".seats li, #chairs li, #lights .setting").first).to_be_visible()
    assert complaints(page) == []
    page.emulate_media(color_scheme="light")
    assert complaints(page, CONTRAST) == []


@pytest.mark.parametrize("path", ["", "join", "settings"])
def test_no_page_sticks_out_at_the_side(open_table: OpenTable, pages: Pages, path: str) -> None:
    table, page = open_table(), pages()
    table.new_game("circle")
    join(page, table.url)
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(table.url + path)
        expect(page.locator("main")).to_be_visible()
        expect(page.locator(".seats li, #chairs li, #lights .setting").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_it_can_be_put_on_the_home_screen(open_table: OpenTable, pages: Pages) -> None:
    table, page = open_table(), pages()
    page.goto(table.url)
    manifest = page.evaluate("async () => (await fetch(document.querySelector('link[rel=manifest]').href)).json()")
    assert manifest["start_url"] == "/"
    for icon in manifest["icons"]:
        answer = page.request.get(f"{table.url}static/{icon['src']}")
        assert (answer.status, answer.headers["content-type"].split(";")[0]) == (200, icon["type"])


@pytest.mark.parametrize(
    ("board", "locale", "join"),
    [
        ("square144", "en", "Join"),
        ("hex91", "en", "Join"),
        ("shell19", "en", "Join"),
        ("shell19", "de", "Mitmachen"),
        ("shell19", "fr", "Participer"),
    ],
)
def test_a_cold_phone_loads_little(open_table: OpenTable, pages: Pages, board: str, locale: str, join: str) -> None:
    """At most 8 requests and 60 kB over the wire, compressed, until the board can be seen and joined."""
    table, page = open_table(board), pages(locale=locale)
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    came: dict[str, float] = {}  # by request: bytes with their headers when it ended, without until then

    def more(told: dict[str, Any]) -> None:
        came[told["requestId"]] = came.get(told["requestId"], 0) + told["encodedDataLength"]

    session.on("Network.dataReceived", more)
    session.on("Network.loadingFinished", lambda told: came.update({told["requestId"]: told["encodedDataLength"]}))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(table.url)
    expect(page.get_by_role("button", name=join)).to_be_visible()
    page.wait_for_load_state("load")
    assert len(asked) <= 8, asked
    assert 20_000 < sum(came.values()) < 60_000, came
