"""The page in Chromium: what it draws, and how it tells it."""

from __future__ import annotations

import re

import msgspec
import pytest
from playwright.sync_api import Page, expect

from controller.rules.game import Piece
from controller.table.views.types import PlyView, SeatView
from tests.web_panel.fake_backend import FakeBackend, Serve, hex_backend, shell_backend, square_backend
from tests.web_panel.fake_board import drag, middle, site, stands, tap, token


@pytest.mark.parametrize(("backend", "sites", "corners"), [(square_backend(), 144, 4), (hex_backend(), 91, 6)])
def test_it_draws_a_square_and_a_hex_board_with_its_pieces(
    serve: Serve, page: Page, backend: FakeBackend, sites: int, corners: int
) -> None:
    page.goto(serve(backend))
    expect(page.locator(".site")).to_have_count(sites)
    expect(page.locator("#board .token")).to_have_count(4)
    outline = site(page, "f6").locator(".face").get_attribute("points")
    assert len(outline.split()) == corners


def test_vertices_and_shells_are_small_sites_on_top_of_the_cells(serve: Serve, page: Page) -> None:
    backend = shell_backend()
    page.goto(serve(backend))
    expect(page.locator("#board .token")).to_have_count(3)
    expect(page.locator(".site.cell")).to_have_count(19)
    expect(page.locator(".site.node")).to_have_count(19 * 6)
    expect(page.locator(".site.vertex")).to_have_count(36)
    sizes = {kind: page.locator(f".site.{kind} .face").first.bounding_box()["width"] for kind in ("cell", "vertex")}
    assert sizes["vertex"] < sizes["cell"] / 3
    small, large = (token(page, piece).locator(".body").bounding_box()["width"] for piece in ("p1", "p0"))
    assert large / 2 < small < large  # what is built on a corner counts most, and is seen over the stores around it
    drag(page, middle(page, "b3.b4.c3"), middle(page, "c3.c4.d3"))
    stands(page, "p1", "c3.c4.d3")
    drag(page, middle(page, "c3:2"), middle(page, "c3:4"))
    stands(page, "p2", "c3:4")
    drag(page, middle(page, "c3"), middle(page, "c4"))
    stands(page, "p0", "c4")


def test_the_page_fits_into_eight_requests(serve: Serve, page: Page) -> None:
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    address = serve(square_backend())
    page.goto(address)
    expect(page.locator("#board .token")).to_have_count(4)
    assert len(asked) <= 8
    assert all(url.startswith(address) for url in asked)


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_sticks_out_at_the_side(square: FakeBackend, page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box = page.locator("#board").bounding_box()
    assert box["width"] >= min(width - 20, 600)


def test_lights_arrive_in_their_very_colours_and_go_out_again(square: FakeBackend, page: Page) -> None:
    square.light("d4", "#d55e00", "may_take", blink=True)
    light = site(page, "d4").locator(".light")
    expect(light).to_have_css("fill", "rgb(213, 94, 0)")
    expect(site(page, "d4")).to_have_class(re.compile("blink"))
    expect(site(page, "d4")).to_have_accessible_name("d4, empty, may take")
    square.light("d4", "#000000", "")
    expect(light).to_have_css("fill", "none")
    expect(site(page, "d4")).to_have_accessible_name("d4, empty")


def test_a_blinking_light_stands_still_for_who_asked_for_less_motion(square: FakeBackend, page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    square.light("d4", "#d55e00", "may_take", blink=True)
    expect(site(page, "d4")).to_have_class(re.compile("blink"))
    expect(site(page, "d4").locator(".light")).to_have_css("animation-name", "none")
    expect(site(page, "d4").locator(".ring")).to_have_css("stroke", "rgb(255, 255, 255)")


def test_it_tells_who_is_to_move_what_happened_and_what_to_do(square: FakeBackend, page: Page) -> None:
    square.change(
        sentence="Black to move.", advice="Put the stone back.", lines=("2 goes left",),
        seats=(SeatView("White", False, 3), SeatView("Black", True, 12, colour=1)),
        plies=(PlyView(0, "b3-b4"), PlyView(1, "c3-c4")),
    )  # fmt: skip
    expect(page.locator("#sentence")).to_have_text("Black to move.")
    expect(page.locator("#advice")).to_have_text("Put the stone back.")
    expect(page.locator("#lines li")).to_have_text(["2 goes left"])
    expect(page.locator(".seats li[aria-current]")).to_have_text("Black12")
    expect(page.locator("#plies li")).to_have_text(["b3-b4", "c3-c4"])


def test_a_long_game_scrolls_to_its_last_ply(square: FakeBackend, page: Page) -> None:
    square.change(plies=tuple(PlyView(n % 2, f"a{n}-b{n}") for n in range(300)))
    expect(page.locator("#plies li").last).to_be_in_viewport()


def test_names_are_shown_as_text_whatever_is_in_them(square: FakeBackend, page: Page) -> None:
    evil = "<img src=x onerror=alert(1)>"
    square.change(sentence=evil, seats=(SeatView(evil, True),), plies=(PlyView(0, evil),), lines=(evil,))
    expect(page.locator("#sentence")).to_have_text(evil)
    expect(page.locator("#plies li")).to_have_text(evil)
    expect(page.locator("img")).to_have_count(0)


def test_a_lost_sensor_board_is_a_banner(square: FakeBackend, page: Page) -> None:
    expect(page.locator("#banner")).to_be_hidden()
    square.change(link="The sensor board is unplugged; plug it in again.")
    expect(page.locator("#banner")).to_have_text("The sensor board is unplugged; plug it in again.")
    square.change(link="")
    expect(page.locator("#banner")).to_be_hidden()


def test_without_simulated_pieces_it_shows_what_should_stand_and_what_the_sensors_miss(
    serve: Serve, page: Page
) -> None:
    backend = square_backend(with_hand=False)
    page.goto(serve(backend))
    expect(page.locator('#board [data-state="set"]')).to_have_count(4)
    off = msgspec.structs.replace(backend.view.sites["b3"], on=False)
    stray = msgspec.structs.replace(backend.view.sites["h8"], on=True)
    backend.change(sites={**backend.view.sites, "b3": off, "h8": stray})
    expect(page.locator('#board [data-on="b3"]')).to_have_attribute("data-state", "ghost")
    expect(site(page, "h8")).to_have_class(re.compile("has-sensed"))
    expect(page.locator("#tray")).to_be_hidden()
    expect(page.get_by_role("button", name="Set up pieces")).to_be_hidden()
    tap(page, "c3")
    expect(page.locator('#board [data-on="c3"]')).to_have_attribute("data-state", "set")


def test_a_game_on_a_part_of_the_board_names_its_own_cells(square: FakeBackend, page: Page) -> None:
    sites = {
        name: msgspec.structs.replace(old, label=f"a{name[1:]}" if name[0] == "d" else "")
        for name, old in square.view.sites.items()
    }
    square.change(sites=sites)
    expect(site(page, "d4")).to_have_accessible_name("a4, empty")
    expect(site(page, "e4")).to_have_class(re.compile("outside"))


def test_the_board_turns_to_the_other_side(square: FakeBackend, page: Page) -> None:
    low = middle(page, "a1")
    page.get_by_role("button", name="Turn board").click()
    high = middle(page, "a1")
    assert high[1] < low[1]
    assert high[0] > low[0]
    drag(page, middle(page, "b3"), middle(page, "b5"))
    stands(page, "p0", "b5")


def test_pieces_of_four_seats_and_of_nobody_can_be_told_apart(serve: Serve, page: Page) -> None:
    pieces = {f"{file}1": Piece(seat, "K") for file, seat in zip("abcde", (0, 1, 2, 3, None), strict=True)}
    backend = FakeBackend(square_backend().mesh, pieces)
    page.goto(serve(backend))
    fills = [token(page, f"p{n}").locator(".body").get_attribute("fill") for n in range(5)]
    assert len(set(fills)) == 5
    expect(token(page, "p4").locator("text")).to_have_text("K")
