"""What all tests share: how long an example may take, and one Chromium for the whole run."""

from collections.abc import Iterator

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, sync_playwright

# A slow machine is no failure: how long an example takes is measured elsewhere, never asserted.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium. Playwright can be started only once in a process, so that every folder takes this one."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        yield chromium
        chromium.close()
