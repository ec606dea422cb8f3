"""The browser of tests, measurements and pictures: Chromium without a window, from Debian's package of that name.

Its engine is that of the desktop's Chromium; without its windows a page opens in a third of the processor's time.
"""

from playwright.sync_api import Browser, Playwright


def chromium(playwright: Playwright) -> Browser:
    """Return a Chromium just started; the caller closes it."""
    return playwright.chromium.launch(executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox"])
