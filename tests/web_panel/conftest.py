"""Serves fake desks and real tables, and opens pages on them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.chromium import unpainted
from tests.web_panel.fake_backend import STREAMS, FakeBackend, square_backend
from tests.web_panel.fake_board import token
from tests.web_panel.real_table import RealTable, phone
from tests.web_panel.staged import SIZE, Stage
from tests.web_panel.staged_panel import Panel
from web_panel.app import create_app
from web_panel.serve import Server, listen


@pytest.fixture
def serve() -> Iterator[Callable[[FakeBackend], str]]:
    """Return a function that serves a backend and returns its address."""
    running: list[tuple[FakeBackend, Server, threading.Thread]] = []

    def start(backend: FakeBackend) -> str:
        server = listen(create_app(backend, streams=STREAMS), "127.0.0.1", 0, streams=STREAMS)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        running.append((backend, server, thread))
        return f"http://127.0.0.1:{server.port}/"

    yield start
    for backend, server, thread in running:
        backend.close()
        server.close()
        thread.join(timeout=20)
        assert not thread.is_alive()


@pytest.fixture
def square(serve: Callable[[FakeBackend], str], page: Page) -> FakeBackend:
    """Return the fake backend with a square board whose page is open."""
    backend = square_backend()
    page.goto(serve(backend))
    expect(token(page, "p0")).to_have_count(1)
    return backend


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Return an empty page; a script error or anything the content policy stopped fails the test."""
    context = unpainted(browser.new_context(viewport={"width": 1000, "height": 900}, has_touch=True))
    opened = context.new_page()
    faults: list[str] = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("console", lambda message: faults.append(message.text) if "Content Security" in message.text else None)
    yield opened
    context.close()
    assert faults == []


@pytest.fixture(scope="module")
def stages() -> Iterator[list[Stage]]:
    """Keep the page that all stories of a file are told on; there is a second one only where the browser had ended."""
    kept: list[Stage] = []
    yield kept
    if kept:
        kept[-1].close()


@pytest.fixture
def stage(browser: Browser, stages: list[Stage]) -> Iterator[Stage]:
    """Return that page for one story; a script error fails it."""
    if not stages or stages[-1].context.browser is not browser:
        stages.append(Stage(browser))
    stages[-1].faults.clear()
    if stages[-1].page.viewport_size != SIZE:  # another story's phone
        stages[-1].page.set_viewport_size(SIZE)
    yield stages[-1]
    stages[-1].leave()
    assert stages[-1].faults == []


@pytest.fixture
def open_table(tmp_path: Path) -> Iterator[Callable[..., RealTable]]:
    """Return a function that starts the real service, with what an earlier one of the same test has left."""
    tables: list[RealTable] = []

    def start(board: str = "square144", port: int = 0, **more: Any) -> RealTable:
        tables.append(RealTable(tmp_path, board, port, **more))
        return tables[-1]

    yield start
    for table in tables:
        if table.running.service.running:
            table.close()


@pytest.fixture
def pages(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Return a function that opens a page on a phone of its own; a script error fails the test."""
    contexts = []

    def opened(**more: Any) -> Page:
        contexts.append(phone(browser, **more))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture
def panel(stage: Stage) -> Panel:
    """Return the page at the table, to be opened on the stage."""
    return Panel(stage)
