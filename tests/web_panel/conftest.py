"""Serves fake desks and opens Chromium on them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from fake_desk import STREAMS, FakeDesk
from playwright.sync_api import Browser, Page, sync_playwright

from web_panel.app import create_app
from web_panel.serve import Server, listen


@pytest.fixture
def serve() -> Iterator[Callable[[FakeDesk], str]]:
    """Return a function that serves a desk and returns its address."""
    running: list[tuple[FakeDesk, Server, threading.Thread]] = []

    def start(desk: FakeDesk) -> str:
        server = listen(create_app(desk, streams=STREAMS), "127.0.0.1", 0, streams=STREAMS)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        running.append((desk, server, thread))
        return f"http://127.0.0.1:{server.port}/"

    yield start
    for desk, server, thread in running:
        desk.close()
        server.close()
        thread.join(timeout=20)
        assert not thread.is_alive()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Return an empty page; a script error or anything the content policy stopped fails the test."""
    context = browser.new_context(viewport={"width": 1000, "height": 900}, has_touch=True)
    opened = context.new_page()
    faults: list[str] = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("console", lambda message: faults.append(message.text) if "Content Security" in message.text else None)
    yield opened
    context.close()
    assert faults == []
