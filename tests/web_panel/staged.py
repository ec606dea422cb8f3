"""A page of the panel on a stage: the test is the service. It says what there is to see, and hears what is asked.

One Chromium page serves all tests of a file, and its clock stands until a test moves it, so that a story takes
milliseconds. Pages and scripts are those that the panel serves.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
from flask import Flask
from playwright.sync_api import Browser, Route, ViewportSize

from controller.rules.mesh import Mesh
from controller.table.views.types import PanelView, PlyView, SeatView, SiteView
from tests.chromium import unpainted
from tests.web_panel.fake_backend import FakeAfar, FakeBackend, FakeDiagnostics, square_backend
from web_panel.app import create_app

HOME = "http://panel.test"
SIZE: ViewportSize = {"width": 1000, "height": 900}
SCRIPT = Path(__file__).with_name("staged.js").read_text(encoding="utf-8")
NEWS: dict[str, Any] = {
    "number": 0,
    "who": "",
    "what": "",
    "mine": False,
    "made": 0,
    "left": 0,
    "words": "",
    "part": "",
    "asks": "",
}
GUEST: dict[str, Any] = {
    "role": "guest", "name": "", "seats": [], "held": {}, "people": {}, "told": [NEWS], "afar": False, "named": False,
    "barred": False, "lying": None,
    "away": [], "profile": "", "shut": False, "asked": None, "knock": None, "knocking": "",
    "again": [],
    "lent": {},
    "wants_next": "",
    "ready": [],
    "last_here": {},
    "releases": [],
    "owner_here": "",
    "here": [],
    "elsewhere": [],
    "panel": {"sounds": False, "turned": False}, "phones": [], "line": [], "cheers": [],
}  # fmt: skip


@cache
def panel() -> Flask:
    """Return the panel whose pages and scripts are served; what it would answer itself is never asked."""
    afar: Any = FakeAfar()
    past: Any = SimpleNamespace(finished=lambda game="": (), learnt=lambda: (), left=list, games=lambda: ())
    return create_app(square_backend(), history=past, diagnostics=FakeDiagnostics(), afar=afar)


@cache
def answer(path: str) -> tuple[int, str, bytes]:
    """Return status, kind and body of a page or a script."""
    got = panel().test_client().get(path)
    return got.status_code, got.content_type, got.get_data()


def you(role: str = "player", *seats: int, **more: Any) -> dict[str, Any]:
    """Return what a phone knows of itself; who holds ``seats`` is called Ann, or as ``held`` says."""
    return {**GUEST, "role": role, "seats": list(seats), "held": {str(seat): "Ann" for seat in seats}, **more}


def view(**fields: Any) -> dict[str, Any]:
    """Return a view of a game of two on the square board, as it is sent: with ``fields`` of a `PanelView`."""
    return msgspec.to_builtins(msgspec.structs.replace(PLAIN, **fields))


PLAIN: PanelView = msgspec.structs.replace(square_backend().view, lines=(), game_id=1, board="fake")


def geometry(mesh: Mesh, **more: Any) -> dict[str, Any]:
    """Return a board for drawing: its cells are 40 mm apart."""
    return {**FakeBackend(mesh, {}, **more).geometry(), "joined": []}


def seats(*given: SeatView) -> tuple[SeatView, ...]:
    return given


def site(label: str, **more: Any) -> SiteView:
    return SiteView(label, **more)


def plies(*texts: str) -> tuple[PlyView, ...]:
    """Return moves of two players in turn."""
    return tuple(PlyView(n % 2, text, n % 2) for n, text in enumerate(texts))


class Stage:
    """The one page, what it has asked, and how it is shown what."""

    def __init__(self, browser: Browser, **context: Any) -> None:
        self.context = unpainted(browser.new_context(viewport=SIZE, has_touch=True, **context))
        self.faults: list[str] = []
        self.pages = {"/blank": "<!doctype html><body></body>"}
        self.context.add_init_script(SCRIPT)
        self.context.clock.install(time=0)
        self.context.route("**/*", self._route)
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.context.clock.pause_at(1000)
        self.leave()

    def _route(self, route: Route) -> None:
        path = route.request.url.removeprefix(HOME)
        if path.partition("?")[0] in self.pages:
            route.fulfill(body=self.pages[path.partition("?")[0]], content_type="text/html")
            return
        status, kind, body = answer(path.partition("?")[0])
        route.fulfill(status=status, content_type=kind, body=body)

    def open(
        self, path: str = "/blank", answers: dict[str, Any] | None = None, kept: dict[str, Any] | None = None
    ) -> None:
        """Open a page anew, with what the service ``answers`` and what the phone has ``kept``."""
        if not self.page.url.endswith("/blank"):
            self.leave()
        self.js(
            "([kept, answers]) => { localStorage.clear(); sessionStorage.clear();"
            " if (kept) localStorage.beaconboard = JSON.stringify(kept); window.name = JSON.stringify(answers); }",
            kept,
            answers or {},
        )
        self.faults.clear()
        self.page.goto(HOME + path)

    def leave(self) -> None:
        """Leave the page that is open: what one story has run is noted as its own."""
        self.page.goto(HOME + "/blank")

    def js(self, script: str, *given: Any) -> Any:
        """Run a function of the page's language, which gets ``given`` as one list; returns what it returns."""
        return self.page.evaluate(script, list(given))

    def answers(self, **given: Any) -> None:
        """Answer from now on so; a path of the service has ``__`` for a slash."""
        self.js("([given]) => Object.assign(stage.answers, given)", {k.replace("__", "/"): v for k, v in given.items()})

    def send(self, kind: str, data: Any = None) -> None:
        """Let the stream bring something, and what follows from it come about.

        It goes there as text, as the service sends it: Playwright hands anything else over field by field.
        """
        text = data if data is None or isinstance(data, str) else msgspec.json.encode(data).decode()
        self.js("async ([kind, text]) => { stage.send(kind, text ?? undefined); await stage.settled(); }", kind, text)

    def at_table(self, now: dict[str, Any], *others: str) -> None:
        """Let the board answer what is on its table, to Ann's phone beside those of ``others``."""
        here = {"owner": False, "away": False, "seats": []}
        phones = [{"id": name, "name": name, "you": name == "Ann", **here} for name in ("Ann", *others)]
        self.send("you", you("player", 0, phones=phones))
        self.send("view", now)

    def asked(self) -> list[Any]:
        """Return what was asked since the last time: pairs of path and body."""
        return list(self.js("async () => { await stage.settled(); return stage.asked.splice(0); }"))

    def passes(self, ms: int) -> None:
        """Let time go by."""
        self.context.clock.run_for(ms)
        self.js("() => stage.settled()")

    def texts(self, selector: str) -> list[str]:
        """Return the text of each element."""
        return list(self.js("([s]) => [...document.querySelectorAll(s)].map((e) => e.textContent)", selector))

    def text(self, selector: str) -> str:
        """Return the text of the one element; "" where it is hidden or not there."""
        return str(
            self.js(
                "([s]) => { const e = document.querySelector(s); "
                "return e && !e.closest('[hidden]') ? e.textContent : ''; }",
                selector,
            )
        )

    def close(self) -> None:
        self.context.close()
