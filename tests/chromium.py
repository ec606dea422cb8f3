"""The browser of tests, measurements and pictures: Chromium without a window, from Debian's package of that name.

Its engine is that of the desktop's Chromium; without its windows a page opens in a third of the processor's time.
"""

from playwright.sync_api import Browser, BrowserContext, CDPSession, Error, Page, Playwright, sync_playwright

EXECUTABLE = "/usr/bin/chromium-headless-shell"

# A dialog that is open lies above the page, and is none of its parts then.
UNPAINTED = """(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("html, dialog { opacity: 0 !important }");
  document.adoptedStyleSheets.push(sheet);
})()"""


def chromium(playwright: Playwright) -> Browser:
    """Return a Chromium just started; the caller closes it."""
    return playwright.chromium.launch(executable_path=EXECUTABLE, args=["--no-sandbox"])


def unpainted(context: BrowserContext) -> BrowserContext:
    """Have pages of ``context`` laid out, read and touched as ever but not painted, which is most of their work.

    Whoever looks at colours or at a picture calls `painted` first.
    """
    context.add_init_script(UNPAINTED)
    return context


def painted(page: Page) -> None:
    """Have the page that is open painted, as its readers see it."""
    page.evaluate("() => { document.adoptedStyleSheets = []; }")


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
