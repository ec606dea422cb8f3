"""The browser of tests, measurements and pictures: Chromium without a window, from Debian's package of that name.

Its engine is that of the desktop's Chromium; without its windows a page opens in a third of the processor's time.
"""

from playwright.sync_api import Browser, CDPSession, Error, Playwright, sync_playwright

EXECUTABLE = "/usr/bin/chromium-headless-shell"


def chromium(playwright: Playwright) -> Browser:
    """Return a Chromium just started; the caller closes it."""
    return playwright.chromium.launch(executable_path=EXECUTABLE, args=["--no-sandbox"])


class KeptChromium:
    """One Chromium for many tests, since Playwright can be started only once in a process at a time.

    Its driver may end, as any process: then it is started anew, and no more than one test has lost it.
    """

    def __init__(self) -> None:
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._line: CDPSession | None = None

    def browser(self) -> Browser:
        """Return the browser that runs, or a fresh one; that of before has ended then."""
        if self._line:
            try:
                self._line.send("Browser.getVersion")
            except Error:
                self._stop()
        if self._browser is None:
            self._playwright = sync_playwright().start()
            self._browser = chromium(self._playwright)
            self._line = self._browser.new_browser_cdp_session()
        return self._browser

    def close(self) -> None:
        if self._browser:
            self._browser.close()
        self._stop()

    def _stop(self) -> None:
        self._browser = self._line = None
        if self._playwright:
            self._playwright.stop()
