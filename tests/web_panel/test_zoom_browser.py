"""The page in Chromium: the board cropped to its game, a closer look at it, and one board after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from controller.orders import NewGame, PlayPly
from controller.panel.table_backend import TableBackend
from controller.rules.registry import all_games
from tests.web_panel.real_backend import Real, real_panel
from tests.web_panel.real_table import RealTable

BOTH = frozenset({0, 1})  # seats for which the hand acts
PHONE: ViewportSize = {"width": 320, "height": 568}


@pytest.fixture
def fixed(tmp_path: Path) -> Iterator[RealTable]:
    table = RealTable(tmp_path, "square144")
    yield table
    table.close()


@pytest.fixture
def free(tmp_path: Path) -> Iterator[Real]:
    with real_panel("any", tmp_path) as served:
        yield served


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    with ExitStack() as held:
        context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
        held.callback(context.close)
        page = context.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        yield page
        assert errors == []


def cells(page: Page) -> int:
    return page.locator("#board .site.cell:not(.cropped)").count()


def width(page: Page, site: str) -> float:
    box = page.locator(f'[data-site="{site}"] .face').bounding_box()
    assert box is not None
    return box["width"]


def middle(page: Page, site: str) -> tuple[float, float]:
    box = page.locator(f'[data-site="{site}"] .face').bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_game_on_part_of_the_board_fills_the_picture_until_something_lies_beside_it(
    fixed: RealTable, phone: Page
) -> None:
    fixed.running.service.submit(NewGame(game="tides-of-war"))
    assert fixed.backend.hand is not None
    fixed.backend.hand.set_up(BOTH)
    phone.goto(fixed.url)
    expect(phone.locator('[data-site="l12"]')).to_be_hidden()
    assert cells(phone) == 36
    assert width(phone, "a1") > 36
    piece = fixed.backend.hand.lift("a2", BOTH)
    fixed.backend.hand.place(piece["id"], "l12", BOTH)
    expect(phone.locator('[data-site="l12"]')).to_be_visible()
    assert cells(phone) == 144
    fixed.backend.hand.lift("l12", BOTH)
    fixed.backend.hand.place(piece["id"], "a2", BOTH)
    expect(phone.locator('[data-site="l12"]')).to_be_hidden()


def test_two_fingers_and_ctrl_with_the_wheel_zoom_and_no_piece_is_moved(fixed: RealTable, phone: Page) -> None:
    fixed.running.service.submit(NewGame(game="tam-ruat-chess"))
    assert fixed.backend.hand is not None
    fixed.backend.hand.set_up(BOTH)
    before = fixed.backend.hand.pieces()
    phone.goto(fixed.url)
    expect(phone.locator(".token").first).to_be_visible()
    with phone.expect_response("**/zoom.js"):
        phone.locator("#told").tap()
    expect(phone.locator("#board.zooms")).to_have_count(1)
    small = width(phone, "f6")
    (x, y), session = middle(phone, "f6"), phone.context.new_cdp_session(phone)

    def fingers(kind: str, *away: float) -> None:
        points = [{"x": x + each, "y": y, "id": n} for n, each in enumerate(away)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", -20)
    expect(phone.locator(".lens")).to_be_visible()  # cells of 22 px are magnified
    fingers("touchStart", -20, 20)
    for span in (30, 40, 50):
        fingers("touchMove", -span, span)
    fingers("touchEnd")
    expect(phone.locator("#board.zoomed")).to_be_visible()
    expect(phone.locator(".lens")).to_have_count(0)
    assert width(phone, "f6") == pytest.approx(2.5 * small, rel=0.1)
    assert middle(phone, "f6") == pytest.approx((x, y), abs=3)
    phone.locator("#board").dispatch_event("wheel", {"ctrlKey": True, "deltaY": 2000})
    expect(phone.locator("#board.zoomed")).to_have_count(0)
    assert width(phone, "f6") == pytest.approx(small, rel=0.01)
    assert fixed.backend.hand.pieces() == before


def test_a_double_tap_on_a_free_cell_goes_nearer_and_back(fixed: RealTable, phone: Page) -> None:
    fixed.new_game("tam-ruat-chess")
    ready_to_zoom(phone, fixed.url)
    small = width(phone, "f6")
    for times in (2, 1):
        double_tap(phone, "f6")
        expect(phone.locator("#board.zoomed")).to_have_count(times - 1)
        assert width(phone, "f6") / small >= (1.98 if times == 2 else 0.99)
        phone.wait_for_timeout(400)
    assert width(phone, "f6") == pytest.approx(small, rel=0.02)


@pytest.mark.parametrize(
    ("board", "game", "free", "beside"),
    [
        ("square144", "tam-ruat-chess", "f6", "g6"),
        ("hex91", "cyvasse", "c6", "d6"),
    ],  # none of which a piece could go to: there a tap offers that
)
def test_a_double_tap_makes_the_smallest_cells_of_a_narrow_phone_as_wide_as_a_finger(
    open_table: Callable[..., RealTable], phone: Page, board: str, game: str, free: str, beside: str
) -> None:
    table = open_table(board, finishes=True, local=True)
    table.new_game(game)
    ready_to_zoom(phone, table.url)
    assert width(phone, free) < 24
    nearer = phone.locator("#board.zoomed")
    double_tap(phone, free)
    expect(nearer).to_have_count(1)
    assert middle(phone, beside)[0] - middle(phone, free)[0] >= 44


def double_tap(phone: Page, label: str) -> None:
    """Tap twice, as soon after each other as a finger does: the browser itself sees to that on a busy machine, too."""
    x, y = middle(phone, label)
    gesture = {"x": x, "y": y, "tapCount": 2, "duration": 30, "gestureSourceType": "touch"}
    phone.context.new_cdp_session(phone).send("Input.synthesizeTapGesture", gesture)


def ready_to_zoom(phone: Page, url: str) -> None:
    phone.goto(url)
    expect(phone.locator("#board .token").first).to_be_visible()
    phone.locator("#told").tap()
    expect(phone.locator("#board.zooms")).to_have_count(1)


@pytest.mark.parametrize("joined", [False, True])
def test_a_double_tap_on_a_piece_is_no_closer_look(
    open_table: Callable[..., RealTable], phone: Page, joined: bool
) -> None:
    table = open_table("first36", finishes=True, local=joined)
    table.new_game("tides-of-war")
    ready_to_zoom(phone, table.url)
    double_tap(phone, "c3")
    expect(phone.locator("#board.zoomed")).to_have_count(0)
    phone.wait_for_timeout(400)  # what follows is no second tap of these
    double_tap(phone, "d3")  # a free cell
    expect(phone.locator("#board.zoomed")).to_have_count(1)


def test_while_a_piece_is_in_the_hand_a_double_tap_is_no_closer_look(
    open_table: Callable[..., RealTable], phone: Page
) -> None:
    table = open_table("first36", finishes=True, local=True)
    table.new_game("tides-of-war")
    ready_to_zoom(phone, table.url)
    phone.touchscreen.tap(*middle(phone, "c3"))
    expect(phone.locator('#board .token[data-state="lifted"]')).to_have_count(1)
    double_tap(phone, "f6")  # it cannot go there, and stays in the hand
    expect(phone.locator("#toast")).to_contain_text("is not allowed")
    expect(phone.locator("#board.zoomed")).to_have_count(0)


def test_every_game_is_begun_in_the_dialog_of_one_page(free: Real, phone: Page) -> None:
    phone.goto(free.address)
    for name, game in sorted(all_games().items()):
        phone.get_by_role("button", name="New game").click()
        dialog = phone.locator("#dialog")
        expect(dialog).to_be_visible()
        card = dialog.locator(f'[name=game][value="{name}"]')
        expect(card).to_be_enabled()
        card.check(force=True)
        start = dialog.locator("#start").bounding_box()
        assert start is not None
        assert start["y"] + start["height"] <= PHONE["height"]
        dialog.locator("#start").click()
        expect(dialog).to_be_hidden()
        expect(phone.locator(".site.cell:not(.cropped)")).to_have_count(len(game.mesh(game.options()).cells))
        expect(phone.locator(".site.outside")).to_have_count(0)
        with phone.expect_response("**/api/set_up"):
            phone.locator("#set-up").evaluate("button => button.click()")


def test_a_game_that_is_played_is_left_only_when_asked_twice(free: Real, phone: Page) -> None:
    free.running.service.submit(NewGame(game="tides-of-war"))
    hand = TableBackend(free.running).hand
    assert hand is not None
    hand.set_up(BOTH)
    phone.goto(free.address)
    expect(phone.locator("#sentence")).to_have_text("White to move.")
    free.running.service.submit(PlayPly(text="b3-c4", seat=0))
    expect(phone.locator("#plies li")).to_have_count(1)
    phone.get_by_role("button", name="New game").click()
    dialog = phone.locator("#dialog")
    expect(dialog).to_be_visible()
    dialog.locator('[name=game][value="circle"]').check(force=True)
    dialog.locator("#start").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Tides of War is being played")
    dialog.get_by_role("button", name="Start anyway").click()
    expect(dialog).to_be_hidden()
    expect(phone.locator(".site.cell:not(.cropped)")).to_have_count(81)


def test_a_closed_board_shows_what_its_sides_are_joined_to(free: Real, phone: Page) -> None:
    phone.goto(free.address)
    phone.get_by_role("button", name="New game").click()
    dialog = phone.locator("#dialog")
    dialog.locator('[name=game][value="beacons"]').check(force=True)
    dialog.locator("[name=board]").select_option(label="Cube")
    dialog.locator("#start").click()
    expect(dialog).to_be_hidden()
    expect(phone.locator("#board .site.cell")).to_have_count(6)
    expect(phone.locator(".seam")).to_have_count(14)  # seven of the twelve edges are drawn twice
    table = free.running.service.look().table
    assert table.play is not None
    assert table.play.session.options["board"] == "cube"
    mesh = free.running.profile.cells
    joined = TableBackend(free.running).geometry()["joined"]
    for name in mesh.cells:
        phone.locator(f'[data-site="{name}"]').dispatch_event("focusin")
        beyond = {b for a, _, b, _ in joined if a == name} | {a for a, _, b, _ in joined if b == name}
        shown = phone.locator(".site.across").evaluate_all("sites => sites.map(site => site.dataset.site)")
        assert set(shown) == beyond <= {mesh.cells[there] for there in mesh.neighbours[mesh.index(name)]}
