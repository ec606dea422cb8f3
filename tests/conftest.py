"""What all tests share: how long an example may take, one Chromium for the whole run, and which tests are in real time.

A test that needs the browser, the emulator or the whole program is marked ``realtime``: it waits for other processes,
so that a busy machine can make it late. It alone may be repeated, once, and the summary lists each repeat.
"""

from collections.abc import Iterator

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, sync_playwright

from controller.rules import registry
from tests.chromium import chromium

# A slow machine is no failure: how long an example takes is measured elsewhere, never asserted.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

# Stories that several files tell lie outside of them; their asserts are to say what they found, too.
pytest.register_assert_rewrite("tests.devices.board_contract")

REALTIME_FOLDERS = ("tests/e2e/", "tests/firmware/")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is in real time."""
    for item in items:
        needs = getattr(item, "fixturenames", ())
        if "browser" in needs or item.nodeid.startswith(REALTIME_FOLDERS) or item.get_closest_marker("realtime"):
            item.add_marker("realtime")
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium. Playwright can be started only once in a process, so that every folder takes this one."""
    with sync_playwright() as playwright:
        started = chromium(playwright)
        yield started
        started.close()


@pytest.fixture
def games_found_again() -> Iterator[None]:
    """Let the games be looked for again in the test, and once more after it."""

    def forget() -> None:
        for cached in (registry.all_games, registry._loaded):
            cached.cache_clear()

    forget()
    yield
    forget()
