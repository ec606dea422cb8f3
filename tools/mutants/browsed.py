"""Which line of which script each test in Chromium runs: Chromium's own count, taken before a page goes away."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, CDPSession, Error, Page

from web_panel.serving.script_bundle import LATER, joined, scripts_of

STATIC = Path("web_panel/static")
Lines = dict[str, set[int]]


class Browsed:
    """What the pages of one process run. ``lines[test][file]`` are numbers from 1."""

    def __init__(self, root: Path) -> None:
        self.lines: dict[str, Lines] = defaultdict(lambda: defaultdict(set))
        self.test = ""
        self._root, self._open = root, dict[Page, CDPSession]()
        first, later = joined(root / STATIC)
        self._bundles = {"/panel.js": first, LATER: later}
        self._paths = {path.name: path for path in scripts_of(root / STATIC).values()}
        self._sources = {path.name: path.read_text() for path in self._paths.values()}

    def listen(self) -> None:
        """Follow every page that Playwright opens from now on in this process."""
        opens: list[tuple[type, str]] = [(Browser, "new_page"), (BrowserContext, "new_page")]
        for owner, name in opens:
            setattr(owner, name, self._opening(getattr(owner, name)))
        leaves: list[tuple[type, str]] = [(Page, "goto"), (Page, "reload"), (Page, "close"), (BrowserContext, "close")]
        for owner, name in leaves:
            setattr(owner, name, self._before(getattr(owner, name)))

    def _opening(self, plain: Callable[..., Page]) -> Callable[..., Page]:
        def new_page(owner: object, **options: Any) -> Page:
            page = plain(owner, **options)
            session = page.context.new_cdp_session(page)
            session.send("Profiler.enable")
            session.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": True})
            self._open[page] = session
            return page

        return new_page

    def _before(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        def call(owner: Page | BrowserContext, *given: Any, **options: Any) -> Any:
            for page in [page for page in self._open if owner in (page, page.context)]:
                self._take(self._open[page])
                if plain.__name__ == "close":
                    del self._open[page]
            return plain(owner, *given, **options)

        call.__name__ = plain.__name__
        return call

    def _take(self, session: CDPSession) -> None:
        try:
            scripts = session.send("Profiler.takePreciseCoverage")["result"]
        except Error:
            return  # a page that a test has ended by itself
        for script in scripts:
            for file, line in self._ran(urlsplit(script["url"]).path, script["functions"]):
                self.lines[self.test][file].add(line)

    def _ran(self, address: str, functions: list[dict[str, Any]]) -> list[tuple[str, int]]:
        name = address.rpartition("/")[2]
        if address in self._bundles:
            text, places = self._bundles[address], self._places(self._bundles[address])
        elif name in self._sources:
            text = self._sources[name]
            places = {number: (name, number) for number in range(1, text.count("\n") + 2)}
        else:
            return []
        ran = bytearray(len(text))
        for function in functions:
            for part in function["ranges"]:
                start, end = part["startOffset"], min(part["endOffset"], len(text))
                ran[start:end] = (b"\1" if part["count"] else b"\0") * max(0, end - start)
        found, at = [], 0
        for number, line in enumerate(text.split("\n"), 1):
            begin = at + len(line) - len(line.lstrip())
            if number in places and begin < len(ran) and ran[begin]:
                file, own = places[number]
                found.append((self._paths[file].relative_to(self._root).as_posix(), own))
            at += len(line) + 1
        return found

    def _places(self, bundle: str) -> dict[int, tuple[str, int]]:
        """Return where each line of a bundle comes from: a module's lines keep their order, some are left out."""
        found: dict[int, tuple[str, int]] = {}
        name, rest = "", list[tuple[int, str]]()
        for number, line in enumerate(bundle.split("\n"), 1):
            if line.startswith("const ") and line.endswith("_js = once(() => {"):
                name = line.removeprefix("const ").partition("_js")[0] + ".js"
                rest = list(enumerate(self._sources[name].split("\n"), 1))
                continue
            key = _key(line)
            for place, (own, text) in enumerate(rest):
                if key and _key(text).startswith(key):
                    found[number] = (name, own)
                    rest = rest[place + 1 :]
                    break
        return found


def _key(line: str) -> str:
    """Return what is the same in a module and in the bundle."""
    return line.strip().removeprefix("export ").partition("import(")[0].strip()
