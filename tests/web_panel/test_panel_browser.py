"""The page in Chromium: what it draws, and what fingers, taps and keys do to the pieces of a simulated board."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from fake_desk import FakeDesk, hex_desk, shell_desk, square_desk
from playwright.sync_api import Page, expect

from controller.events import NewGame, PlayPly, SetBrightness, TakeBack
from controller.rules.game import Piece
from controller.table.views import Choice, PlyView, SeatView

HERE = Path(__file__).parent


@pytest.fixture
def square(serve, page: Page) -> FakeDesk:
    desk = square_desk()
    page.goto(serve(desk))
    expect(token(page, "p0")).to_have_count(1)
    return desk


def token(page: Page, piece: str) -> Any:
    return page.locator(f'#board [data-piece="{piece}"]')


def site(page: Page, name: str) -> Any:
    return page.locator(f'#board [data-site="{name}"]')


def middle(page: Page, name: str) -> tuple[float, float]:
    box = site(page, name).locator(".face").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def tap(page: Page, name: str) -> None:
    page.mouse.click(*middle(page, name))


def drag(page: Page, start: tuple[float, float], *stops: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    for x, y in stops:
        page.mouse.move(x, y, steps=4)
    page.mouse.up()


def stands(page: Page, piece: str, name: str) -> None:
    """Wait until the service has the piece there, and the page shows it."""
    expect(page.locator(f'#board [data-piece="{piece}"][data-state="set"][data-on="{name}"]')).to_have_count(1)
    page.wait_for_function(
        "async ([piece, site]) => (await (await fetch('/api/pieces')).json()).on[site]?.id === piece", arg=[piece, name]
    )


def is_beside(page: Page, piece: str) -> None:
    expect(page.locator(f'#off [data-piece="{piece}"]')).to_have_count(1)
    expect(token(page, piece)).to_have_count(0)


# ---- what it draws ----


@pytest.mark.parametrize(("desk", "sites", "corners"), [(square_desk(), 144, 4), (hex_desk(), 91, 6)])
def test_it_draws_a_square_and_a_hex_board_with_its_pieces(serve, page, desk, sites, corners):
    page.goto(serve(desk))
    expect(page.locator(".site")).to_have_count(sites)
    expect(page.locator("#board .token")).to_have_count(4)
    outline = site(page, "f6").locator(".face").get_attribute("points")
    assert len(outline.split()) == corners


def test_vertices_and_shells_are_small_sites_on_top_of_the_cells(serve, page):
    desk = shell_desk()
    page.goto(serve(desk))
    expect(page.locator("#board .token")).to_have_count(3)
    expect(page.locator(".site.cell")).to_have_count(19)
    expect(page.locator(".site.node")).to_have_count(19 * 6)
    expect(page.locator(".site.vertex")).to_have_count(36)
    sizes = {kind: page.locator(f".site.{kind} .face").first.bounding_box()["width"] for kind in ("cell", "vertex")}
    assert sizes["vertex"] < sizes["cell"] / 3
    small, large = (token(page, piece).locator(".body").bounding_box()["width"] for piece in ("p1", "p0"))
    assert small < large / 2
    drag(page, middle(page, "b3.b4.c3"), middle(page, "c3.c4.d3"))
    stands(page, "p1", "c3.c4.d3")
    drag(page, middle(page, "c3:2"), middle(page, "c3:4"))
    stands(page, "p2", "c3:4")
    drag(page, middle(page, "c3"), middle(page, "c4"))
    stands(page, "p0", "c4")


def test_the_page_fits_into_eight_requests(serve, page):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    address = serve(square_desk())
    page.goto(address)
    expect(page.locator("#board .token")).to_have_count(4)
    assert len(asked) <= 8
    assert all(url.startswith(address) for url in asked)


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_sticks_out_at_the_side(square, page, width):
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box = page.locator("#board").bounding_box()
    assert box["width"] >= min(width - 20, 600)


def test_lights_arrive_in_their_very_colours_and_go_out_again(square, page):
    square.light("d4", "#d55e00", "may_take", blink=True)
    light = site(page, "d4").locator(".light")
    expect(light).to_have_css("fill", "rgb(213, 94, 0)")
    expect(site(page, "d4")).to_have_class(re.compile("blink"))
    expect(site(page, "d4")).to_have_accessible_name("d4, empty, may take")
    square.light("d4", "#000000", "")
    expect(light).to_have_css("fill", "none")
    expect(site(page, "d4")).to_have_accessible_name("d4, empty")


def test_a_blinking_light_stands_still_for_who_asked_for_less_motion(square, page):
    page.emulate_media(reduced_motion="reduce")
    square.light("d4", "#d55e00", "may_take", blink=True)
    expect(site(page, "d4")).to_have_class(re.compile("blink"))
    expect(site(page, "d4").locator(".light")).to_have_css("animation-name", "none")
    expect(site(page, "d4").locator(".ring")).to_have_css("stroke", "rgb(255, 255, 255)")


def test_it_tells_who_is_to_move_what_happened_and_what_to_do(square, page):
    square.change(
        sentence="Black to move.", advice="Put the stone back.", lines=("2 goes left",),
        seats=(SeatView("White", False, 3), SeatView("Black", True, 12)),
        plies=(PlyView(0, "b3-b4"), PlyView(1, "c3-c4")),
    )  # fmt: skip
    expect(page.locator("#sentence")).to_have_text("Black to move.")
    expect(page.locator("#advice")).to_have_text("Put the stone back.")
    expect(page.locator("#lines li")).to_have_text(["2 goes left"])
    expect(page.locator("#seats li[aria-current]")).to_have_text("Black12")
    expect(page.locator("#plies li")).to_have_text(["b3-b4", "c3-c4"])


def test_a_long_game_scrolls_to_its_last_ply(square, page):
    square.change(plies=tuple(PlyView(n % 2, f"a{n}-b{n}") for n in range(300)))
    expect(page.locator("#plies li").last).to_be_in_viewport()


def test_names_are_shown_as_text_whatever_is_in_them(square, page):
    evil = "<img src=x onerror=alert(1)>"
    square.change(sentence=evil, seats=(SeatView(evil, True),), plies=(PlyView(0, evil),), lines=(evil,))
    expect(page.locator("#sentence")).to_have_text(evil)
    expect(page.locator("#plies li")).to_have_text(evil)
    expect(page.locator("img")).to_have_count(0)


def test_a_lost_sensor_board_is_a_banner(square, page):
    expect(page.locator("#banner")).to_be_hidden()
    square.change(link="The sensor board is unplugged; plug it in again.")
    expect(page.locator("#banner")).to_have_text("The sensor board is unplugged; plug it in again.")
    square.change(link="")
    expect(page.locator("#banner")).to_be_hidden()


def test_without_simulated_pieces_it_shows_what_should_stand_and_what_the_sensors_miss(serve, page):
    desk = square_desk(with_hand=False)
    page.goto(serve(desk))
    expect(page.locator('#board [data-state="set"]')).to_have_count(4)
    off = msgspec.structs.replace(desk.view.sites["b3"], on=False)
    stray = msgspec.structs.replace(desk.view.sites["h8"], on=True)
    desk.change(sites={**desk.view.sites, "b3": off, "h8": stray})
    expect(page.locator('#board [data-on="b3"]')).to_have_attribute("data-state", "ghost")
    expect(site(page, "h8")).to_have_class(re.compile("has-sensed"))
    expect(page.locator("#tray")).to_be_hidden()
    expect(page.get_by_role("button", name="Set up pieces")).to_be_hidden()
    tap(page, "c3")
    expect(page.locator('#board [data-on="c3"]')).to_have_attribute("data-state", "set")


def test_a_game_on_a_part_of_the_board_names_its_own_cells(square, page):
    sites = {
        name: msgspec.structs.replace(old, label=f"a{name[1:]}" if name[0] == "d" else "")
        for name, old in square.view.sites.items()
    }
    square.change(sites=sites)
    expect(site(page, "d4")).to_have_accessible_name("a4, empty")
    expect(site(page, "e4")).to_have_class(re.compile("outside"))


def test_the_board_turns_to_the_other_side(square, page):
    low = middle(page, "a1")
    page.get_by_role("button", name="Turn board").click()
    high = middle(page, "a1")
    assert high[1] < low[1]
    assert high[0] > low[0]
    drag(page, middle(page, "b3"), middle(page, "b5"))
    stands(page, "p0", "b5")


# ---- fingers ----


def test_dragging_lifts_at_once_and_puts_down_where_it_is_dropped(square, page):
    page.mouse.move(*middle(page, "b3"))
    page.mouse.down()
    expect(site(page, "b4")).to_have_attribute("data-light", "#0072b2")
    page.mouse.move(*middle(page, "e4"), steps=5)
    expect(site(page, "e4")).to_have_class(re.compile("target"))
    page.mouse.move(*middle(page, "b4"), steps=5)
    page.mouse.up()
    stands(page, "p0", "b4")
    assert square.hand.log == [("lift", "b3"), ("place", "p0", "b4")]


def test_a_piece_dropped_beside_the_board_is_set_aside_and_comes_back_from_the_tray(square, page):
    x, y = middle(page, "a3")
    drag(page, middle(page, "b3"), (x - 60, y))
    is_beside(page, "p0")
    box = page.locator('#off [data-piece="p0"]').bounding_box()
    drag(page, (box["x"] + 10, box["y"] + 10), middle(page, "d4"))
    stands(page, "p0", "d4")
    assert square.hand.log == [("lift", "b3"), ("set_aside", "p0"), ("place", "p0", "d4")]


def test_dropping_on_a_piece_takes_it_off_as_a_hand_does(square, page):
    drag(page, middle(page, "b3"), middle(page, "c3"))
    stands(page, "p0", "c3")
    is_beside(page, "p1")


def test_tapping_lifts_and_tapping_a_cell_puts_down(square, page):
    tap(page, "b3")
    expect(token(page, "p0")).to_have_attribute("data-state", "lifted")
    expect(site(page, "b4")).to_have_attribute("data-light", "#0072b2")
    tap(page, "b4")
    stands(page, "p0", "b4")


def test_tapping_its_own_cell_puts_a_piece_back(square, page):
    tap(page, "b3")
    expect(token(page, "p0")).to_have_attribute("data-state", "lifted")
    tap(page, "b3")
    stands(page, "p0", "b3")
    assert square.hand.log == [("lift", "b3"), ("place", "p0", "b3")]


@pytest.mark.parametrize("order", [("b3", "c3"), ("c3", "b3")])
def test_a_capture_by_taps_works_whichever_piece_is_lifted_first(square, page, order):
    for name in order:
        tap(page, name)
    expect(page.locator("#held button")).to_have_count(2)
    tap(page, "c3")
    stands(page, "p0", "c3")
    is_beside(page, "p1")


def test_a_piece_chosen_in_the_tray_is_put_down_next(square, page):
    tap(page, "b3")
    tap(page, "c3")
    chosen = page.locator('#held [data-piece="p0"]')
    chosen.click()
    expect(chosen).to_have_attribute("aria-pressed", "true")
    tap(page, "g9")
    stands(page, "p0", "g9")
    tap(page, "g10")
    stands(page, "p1", "g10")


def test_a_piece_in_hand_is_put_aside_by_the_button(square, page):
    aside = page.get_by_role("button", name="Put aside")
    expect(aside).to_be_disabled()
    tap(page, "b3")
    aside.click()
    is_beside(page, "p0")


def test_two_fingers_swap_two_pieces(square, page):
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
    assert [entry[0] for entry in square.hand.log] == ["lift", "lift", "place", "place"]


def test_sliding_touches_every_free_cell_on_the_way_only_when_asked(square, page):
    ways = [middle(page, name) for name in ("h2", "i2", "j2")]
    drag(page, middle(page, "b3"), ways[0])
    drag(page, ways[0], *ways)
    stands(page, "p0", "j2")
    assert len(square.hand.log) == 4
    page.get_by_label("Slide over cells").check()
    drag(page, ways[2], ways[1], ways[0])
    stands(page, "p0", "h2")
    assert square.hand.log[4:] == [
        ("lift", "j2"), ("place", "p0", "j2"), ("lift", "j2"), ("place", "p0", "i2"), ("lift", "i2"),
        ("place", "p0", "h2"),
    ]  # fmt: skip


def test_a_refused_touch_is_told_and_the_piece_stays_in_hand(square, page):
    tap(page, "b3")
    expect(token(page, "p0")).to_have_attribute("data-state", "lifted")
    square.hand.refusal = "Somebody else was faster on b9."
    tap(page, "b9")
    expect(page.get_by_role("alert").filter(has_text=square.hand.refusal)).to_be_visible()
    expect(page.locator('#held [data-piece="p0"]')).to_have_count(1)


def test_every_browser_sees_the_pieces_move(square, page):
    other = page.context.new_page()
    other.goto(page.url)
    expect(token(other, "p0")).to_have_count(1)
    drag(page, middle(page, "b3"), middle(page, "k9"))
    stands(other, "p0", "k9")
    tap(page, "k9")
    expect(other.locator('#held [data-piece="p0"]')).to_have_count(1)


def test_set_up_puts_every_piece_where_the_table_wants_it(square, page):
    drag(page, middle(page, "b3"), middle(page, "k9"))
    stands(page, "p0", "k9")
    page.get_by_role("button", name="Set up pieces").click()
    stands(page, "p0", "b3")


# ---- keys ----


def test_a_piece_is_moved_with_the_keyboard_alone(square, page):
    first = page.locator('.site[tabindex="0"]')
    expect(first).to_have_count(1)
    for _ in range(20):
        page.keyboard.press("Tab")
        if first.evaluate("element => element === document.activeElement"):
            break
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


def test_escape_puts_back_and_delete_puts_aside(square, page):
    site(page, "b3").focus()
    page.keyboard.press("Enter")
    expect(token(page, "p0")).to_have_attribute("data-state", "lifted")
    page.keyboard.press("Escape")
    stands(page, "p0", "b3")
    page.keyboard.press("Enter")
    page.keyboard.press("Delete")
    is_beside(page, "p0")


def test_the_arrows_reach_every_hex(serve, page):
    page.goto(serve(hex_desk()))
    expect(page.locator("#board .token")).to_have_count(4)
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


# ---- orders ----


def test_a_new_game_is_started_with_its_options(square, page):
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("radio", name="Tides of War")).to_be_checked()
    expect(dialog).to_contain_text("Cells a side. 4 to 12")
    dialog.get_by_label("Side").fill("8")
    dialog.get_by_label("Swap").uncheck()
    dialog.locator("[name=start]").select_option(label="3")
    dialog.get_by_label("Toast").fill("mead")
    dialog.get_by_role("button", name="Start").click()
    expect(dialog).to_be_hidden()
    assert square.orders == [
        NewGame(game="tides-of-war", options={"side": 8, "swap": False, "start": 3, "toast": "mead"})
    ]


def test_another_game_is_chosen_and_a_bound_is_kept(square, page):
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Side").fill("13")
    dialog.get_by_role("button", name="Start").click()
    assert dialog.locator(":invalid[name=side]").count() == 1
    dialog.get_by_role("radio", name="Circle").check()
    expect(dialog).to_contain_text("Round and round. About 45 minutes")
    dialog.get_by_role("button", name="Start").click()
    expect(dialog).to_be_hidden()
    assert square.orders == [NewGame(game="circle", options={})]


def test_a_refused_new_game_keeps_the_form_and_shows_why(square, page):
    square.refusal = "There are not enough pieces for this game."
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Start").click()
    expect(dialog.get_by_role("alert")).to_have_text(square.refusal)
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_be_hidden()


def test_a_question_is_answered_by_a_button(square, page):
    choices = (Choice("b11-b12=Q", "a Queen"), Choice("b11-b12=k", "a Knight"))
    square.change(question="Into which piece?", choices=choices)
    group = page.locator("#question")
    expect(group).to_contain_text("Into which piece?")
    with page.expect_response("**/api/order"):
        group.get_by_role("button", name="a Knight").click()
    assert square.orders == [PlayPly(text="b11-b12=k", seat=0)]
    square.change(question="", choices=())
    expect(group).to_be_hidden()


def test_a_ply_is_taken_back_and_a_refusal_is_told(square, page):
    button = page.get_by_role("button", name="Take back")
    expect(button).to_be_disabled()
    square.change(plies=(PlyView(0, "b3-b4"),))
    with page.expect_response("**/api/order"):
        button.click()
    assert square.orders == [TakeBack()]
    square.refusal = "The other player has to agree first."
    button.click()
    expect(page.locator("#toast")).to_have_text(square.refusal)
    expect(page.locator("#toast")).to_have_role("alert")


def test_the_lights_are_dimmed_with_the_slider(square, page):
    slider = page.get_by_label("Lights")
    expect(slider).to_have_value("60")
    slider.focus()
    with page.expect_response("**/api/order"):
        page.keyboard.press("ArrowLeft")
    assert square.orders == [SetBrightness(percent=55)]
    square.change(brightness=20)
    expect(slider).to_have_value("20")


# ---- when the service goes ----


@contextmanager
def panel_in_a_process(port: int, *more: str) -> Iterator[None]:
    """Serve a fake desk from a process of its own; leaving kills it."""
    process = subprocess.Popen([sys.executable, str(HERE / "fake_desk.py"), str(port), *more])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def goto_when_served(page: Page, port: int) -> None:
    for _ in range(2000):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        page.wait_for_function("true")
    page.goto(f"http://127.0.0.1:{port}/")


def test_it_comes_back_by_itself_when_the_service_was_restarted(page):
    port = free_port()
    with panel_in_a_process(port):
        goto_when_served(page, port)
        expect(page.locator(".site")).to_have_count(144)
        expect(page.locator("#banner")).to_be_hidden()
    expect(page.locator("#banner")).to_contain_text("The connection to the board is lost")
    with panel_in_a_process(port, "hex"):
        expect(page.locator(".site")).to_have_count(91, timeout=15_000)
        expect(page.locator("#banner")).to_be_hidden()
        drag(page, middle(page, "f6"), middle(page, "f8"))
        stands(page, "p1", "f8")


def test_a_page_that_is_not_seen_lets_its_stream_go_and_takes_it_up_again(square, page):
    hide = """hidden => {
        Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/api/watch")):
        page.evaluate(hide, True)
    square.change(sentence="Something happened meanwhile.")
    with page.expect_request("**/api/watch"):
        page.evaluate(hide, False)
    expect(page.locator("#sentence")).to_have_text("Something happened meanwhile.")
    expect(page.locator("#banner")).to_be_hidden()


def test_a_piece_that_disappears_while_it_is_dragged_is_let_go(square, page):
    page.mouse.move(*middle(page, "b3"))
    page.mouse.down()
    page.mouse.move(*middle(page, "d6"), steps=3)
    expect(page.locator('[data-state="dragged"]')).to_have_count(1)
    with square.hand.lock:
        del square.hand.where["p0"]
    square.tell()
    expect(token(page, "p0")).to_have_count(0)
    page.mouse.move(*middle(page, "d8"), steps=3)
    page.mouse.up()
    drag(page, middle(page, "c3"), middle(page, "d8"))
    stands(page, "p1", "d8")


def test_the_board_stays_under_the_finger_whatever_is_told_meanwhile(serve, page):
    page.set_viewport_size({"width": 390, "height": 844})
    desk = square_desk()
    page.goto(serve(desk))
    expect(page.locator("#board .token")).to_have_count(4)
    before = page.locator("#board").bounding_box()
    desk.change(advice="Put it back. " * 20, link="The sensor board is unplugged.", question="Which?", lines=("a",) * 9)
    expect(page.locator("#banner")).to_be_visible()
    expect(page.locator("#lines li")).to_have_count(9)
    assert page.locator("#board").bounding_box() == before


def test_an_order_while_the_service_is_away_is_told(page):
    port = free_port()
    with panel_in_a_process(port):
        goto_when_served(page, port)
        expect(token(page, "p0")).to_have_count(1)
    expect(page.locator("#banner")).to_be_visible()
    tap(page, "b3")
    expect(page.locator("#toast")).to_contain_text("The board did not answer")
    expect(page.locator('#board [data-piece="p0"][data-on="b3"]')).to_have_attribute("data-state", "set")


def another_web_site(page: Page) -> None:
    page.context.route("http://localhost:9/", lambda route: route.fulfill(body="<p>", content_type="text/html"))
    page.goto("http://localhost:9/")


def test_a_script_of_another_web_site_moves_no_piece_and_reads_nothing(square, page):
    address = page.url
    another_web_site(page)
    for method, path in (("POST", "api/lift"), ("GET", "api/pieces")):
        answer = page.evaluate(
            """([address, method]) => fetch(address, { method, body: method === "POST" ? '{"site":"b3"}' : undefined })
                .then(() => "answered", () => "kept out")""",
            [address + path, method],
        )
        assert answer == "kept out"
    assert square.hand.log == []


def test_a_form_of_another_web_site_moves_no_piece(square, page):
    address = page.url
    another_web_site(page)
    with page.expect_response("**/api/lift") as answer:
        page.evaluate(
            """address => {
                document.body.innerHTML = `<form method="post" enctype="text/plain" action="${address}api/lift">
                    <input name='{"site":"b3","x":"' value='"}'></form>`;
                document.forms[0].submit();
            }""",
            address,
        )
    assert answer.value.status == 403
    assert square.hand.log == []


def test_pieces_of_four_seats_and_of_nobody_can_be_told_apart(serve, page):
    pieces = {f"{file}1": Piece(seat, "K") for file, seat in zip("abcde", (0, 1, 2, 3, None), strict=True)}
    desk = FakeDesk(square_desk().mesh, pieces)
    page.goto(serve(desk))
    fills = [token(page, f"p{n}").locator(".body").get_attribute("fill") for n in range(5)]
    assert len(set(fills)) == 5
    expect(token(page, "p4").locator("text")).to_have_text("K")
