"""The first load of the panel on a phone that has nothing of it yet: few requests and few bytes, whatever goes on."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from controller.orders import NewGame, Resign
from tests.web_panel.real_table import RealTable, join, phone, stream_of
from web_panel.serving.script_bundle import joined

LATER = "THE_LATER_SCRIPT"
REQUESTS, BYTES = 6, 60_000
WITH_PICTURES = 120_000  # bytes, with drawings of pieces and pictures of games: they come after all else
LATER_FILE = "/panel-later.js"  # on a page that was just opened it is asked for where it has the form of a bid to make,
FORM_STYLE = "/share.css"  # and then asks for the form's style, which comes before all else is there, or after that
PICTURES = ("/api/drawings/", "/pictures/", "/puzzles/")
GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    "first36": ("tides-of-war", {}),
    "square144": ("tam-ruat-chess", {}),
    "hex91": ("cyvasse", {}),
    "shell19": ("beacons", {}),
    "shellsquare16": ("beacons", {"board": "square 4 4"}),
}


@pytest.fixture(params=GAMES)
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RealTable]:
    opened = RealTable(tmp_path, request.param)
    yield opened
    opened.close()


def cold(browser: Browser, table: RealTable, cookies: list[Any]) -> Page:
    """Open the panel with nothing in the cache, hold what it asks for to the limits, and return the page."""
    over = table.table.phase == "over"
    bids = bool(cookies) and table.table.phase == "play" and table.running.profile.name.startswith("shell")
    page = phone(browser, locale="de-DE")
    page.add_cookies(cookies)
    opened = page.new_page()
    session = page.new_cdp_session(opened)
    session.send("Network.enable")
    session.send("Page.enable")
    asked: dict[str, str] = {}
    first: set[str] = set()
    session.on("Page.loadEventFired", lambda _: first.update(asked))
    came: dict[str, float] = {}
    session.on("Network.requestWillBeSent", lambda told: asked.update({told["requestId"]: told["request"]["url"]}))
    session.on("Network.loadingFinished", lambda told: came.update({told["requestId"]: told["encodedDataLength"]}))
    opened.goto(table.url)
    expect(opened.locator("body")).to_have_attribute("data-phase", table.table.phase)
    expect(opened.locator("body")).to_have_attribute("data-role", "owner" if cookies else "guest")
    opened.wait_for_load_state("load")
    loaded = dict(asked)  # what is asked for from now on is this test's, and no part of the load
    stream = len(stream_of(opened).encode())
    loaded = {
        number: url for number, url in loaded.items() if not bids or (LATER_FILE not in url and FORM_STYLE not in url)
    }
    if over:  # the card of a game that is over is asked for as soon as the page has loaded, and never before
        later = (n for n, (number, url) in enumerate(loaded.items()) if LATER_FILE in url and number not in first)
        loaded = dict(islice(loaded.items(), next(later, None)))
    pictured = {number for number, url in loaded.items() if any(path in url for path in PICTURES)}
    urls = [url for number, url in loaded.items() if number not in pictured]
    came = {number: size for number, size in came.items() if number in loaded}
    assert not any(LATER_FILE in url for url in urls), urls
    assert len(urls) <= REQUESTS, urls
    assert len(came) >= 3, urls  # page, style and script; the stream never ends
    pictures = sum(size for number, size in came.items() if number in pictured)
    assert sum(came.values()) - pictures + stream <= BYTES, (urls, came, stream)
    assert sum(came.values()) + stream <= WITH_PICTURES, (urls, came, stream)
    return opened


def test_a_cold_phone_asks_for_little_in_every_phase(browser: Browser, table: RealTable) -> None:
    """On every board, before a game, while it is set up, in play and when it is over, as a guest and let in."""
    inside = phone(browser)
    join(inside.new_page(), table.url)
    table.backend.choose({"sounds": True})
    next(seen for seen in table.running.service.watch(5) if seen and not seen.display.over)  # the lights' sample
    name, options = GAMES[table.running.profile.name]

    def both(phase: str) -> None:
        assert table.table.phase == phase
        for cookies in ([], inside.cookies()):
            cold(browser, table, cookies).context.close()

    both("idle")
    table.running.service.submit(NewGame(game=name, options=options, seed=1))
    both("setup")
    table.new_game(name, **options)
    both("play")
    for seat in range(len(table.table.play.session.game.facts.seats)):
        if table.table.phase == "play":
            table.running.service.submit(Resign(seat=seat))
    both("over")
    inside.close()


def test_what_is_loaded_once_is_asked_for_with_its_mark_and_not_sent_again(table: RealTable, page: Page) -> None:
    first = page.request.get(table.url + "panel.js")
    again = page.request.get(table.url + "panel.js", headers={"If-None-Match": first.headers["etag"]})
    assert (first.status, again.status, again.body()) == (200, 304, b"")


@pytest.mark.parametrize(
    "line", ['import "./b.js";', "export default 3;", 'import * as b from "./b.js";', "const b = await import(name);"]
)
def test_a_script_that_cannot_be_joined_is_named_at_the_start(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.js").write_text(f"// A script.\n{line}\n")
    with pytest.raises(ValueError, match=r"a\.js: '"):
        joined(tmp_path, "a")


def write(folder: Path, scripts: dict[str, str]) -> None:
    for name, text in scripts.items():
        (folder / f"{name}.js").write_text(text)


def test_what_tells_of_types_is_not_sent_and_loads_nothing(tmp_path: Path) -> None:
    """It may stand over lines, within one, and name scripts that are loaded by nobody."""
    with_types = (
        '// A script.\n\nimport { b } from "./b.js";\n\n/** @import { Told } from "./types.js" */\n\n'
        '/**\n * A kept one.\n * @typedef {import("./later.js").Kept} Kept\n */\n\n'
        "/** @param {Told} told */\nexport function a(told) {\n  return /** @type {Kept} */ (b(told));\n}\n"
    )
    without = '// A script.\nimport { b } from "./b.js";\nexport function a(told) {\n  return (b(told));\n}\n'
    write(tmp_path, {"a": with_types, "b": "export const b = (told) => told;\n"})
    first, more = joined(tmp_path, "a")
    write(tmp_path, {"a": without})
    assert (first, more) == joined(tmp_path, "a")


def test_a_module_runs_once_and_only_when_it_is_wanted(tmp_path: Path, page: Page) -> None:
    texts = {
        "a": 'import { b } from "./b.js";\nimport { c } from "./c.js";\nwindow.ran = ["a", b, c];\n'
        'window.later = () => import("./d.js").then(({ d }) => d());\n',
        "b": 'import { c } from "./c.js";\nexport const b = `b after ${c}`;\n',
        "c": "window.times = (window.times ?? 0) + 1;\nexport const c = `c ${window.times}`;\n",
        "d": "window.times += 1;\nconst b = 1;\nexport async function d() { return window.times + b; }\n",
    }
    write(tmp_path, texts)
    first, more = joined(tmp_path, "a", f"data:text/javascript;base64,{LATER}")
    assert "times += 1" in more
    assert "times += 1" not in first
    page.evaluate(first.replace(LATER, b64encode(more.encode()).decode()))
    assert page.evaluate("ran") == ["a", "b after c 1", "c 1"]
    assert page.evaluate("times") == 1
    assert page.evaluate("later()") == 3
