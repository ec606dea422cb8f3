"""The page in Chromium when the service goes or what is touched does."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.afar.brokers import free_port
from tests.web_panel.fake_backend import FakeBackend, Serve, square_backend
from tests.web_panel.fake_board import drag, middle, stands, tap, token

ROOT = Path(__file__).parents[2]


@contextmanager
def panel_in_a_process(port: int, *more: str) -> Iterator[None]:
    """Serve a fake backend from a process of its own; leaving kills it."""
    command = [sys.executable, "-m", "tests.web_panel.fake_backend", str(port), *more]
    process = subprocess.Popen(command, cwd=ROOT)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def goto_when_served(page: Page, port: int) -> None:
    for _ in range(2000):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        page.wait_for_timeout(25)
    page.goto(f"http://127.0.0.1:{port}/")


def test_a_page_that_was_opened_while_the_board_was_away_comes_by_itself(page: Page) -> None:
    port, here = free_port(), "navigator.serviceWorker.controller !== null"
    with panel_in_a_process(port):
        goto_when_served(page, port)
        page.evaluate("async () => { await navigator.serviceWorker.register('/offline.js'); "
                      "await navigator.serviceWorker.ready; }")  # fmt: skip
        page.goto(f"http://127.0.0.1:{port}/puzzles")
        expect(page.locator("h1")).to_have_text("Puzzles")
        assert page.evaluate(here)
    page.reload()
    expect(page.locator("h1")).to_have_text("The board cannot be reached.")
    with panel_in_a_process(port):
        expect(page.locator("h1")).to_have_text("Puzzles", timeout=20_000)
    assert page.url.endswith("/puzzles")


def test_it_comes_back_by_itself_when_the_service_was_restarted(page: Page) -> None:
    port = free_port()
    with panel_in_a_process(port):
        goto_when_served(page, port)
        expect(page.locator(".site")).to_have_count(144)
        expect(page.locator("#banner")).to_be_hidden()
    expect(page.locator("#banner")).to_contain_text("Connection to the board lost")
    with panel_in_a_process(port, "hex"):
        expect(page.locator(".site")).to_have_count(91, timeout=15_000)
        expect(page.locator("#banner")).to_be_hidden()
        drag(page, middle(page, "f6"), middle(page, "f8"))
        stands(page, "p1", "f8")


def test_a_page_that_is_not_seen_lets_its_stream_go_and_takes_it_up_again(square: FakeBackend, page: Page) -> None:
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


def test_a_piece_that_disappears_while_it_is_dragged_is_let_go(square: FakeBackend, page: Page) -> None:
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


def test_the_board_stays_under_the_finger_whatever_is_told_meanwhile(serve: Serve, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    backend = square_backend()
    page.goto(serve(backend))
    expect(page.locator("#board .token")).to_have_count(4)
    before = page.locator("#board").bounding_box()
    gone = "The sensor board is unplugged."
    backend.change(advice="Put it back. " * 20, link=gone, question="Which?", lines=("a",) * 9)
    expect(page.locator("#banner")).to_be_visible()
    expect(page.locator("#lines li")).to_have_count(9)
    assert page.locator("#board").bounding_box() == before


def test_an_order_while_the_service_is_away_is_told(page: Page) -> None:
    port = free_port()
    with panel_in_a_process(port):
        goto_when_served(page, port)
        expect(token(page, "p0")).to_have_count(1)
    expect(page.locator("#banner")).to_be_visible()
    tap(page, "b3")
    expect(page.locator("#toast")).to_contain_text("The board did not answer")
    expect(page.locator('#board [data-piece="p0"][data-on="b3"]')).to_have_attribute("data-state", "set")
