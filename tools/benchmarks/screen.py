"""How long until a person sees what they did: in real Chromium, on a simulated board, a browser's drawing included.

    python -m tools.benchmarks.screen [--times 100] [--slower 4] [GAME…]

A *tap* lasts from a finger on the phone's board until the light that answers it is drawn; the board's own lights are
on before that. A *gesture* lasts from a piece lifted off the board until the phone has drawn it. ``--slower`` takes so
much of the processor away from the page, as on an old phone. Figures only.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import click
from playwright.sync_api import Browser, Page, sync_playwright

from tests.chromium import chromium
from tests.e2e.running import playing
from tests.web_panel.real_backend import board_site
from tools.benchmarks.idle import free_port

# By game: its options, and a piece that may be lifted at its start.
PIECES: dict[str, tuple[dict[str, Any], str]] = {
    "tides-of-war": ({}, "c3"),
    "giantslayer": ({}, "a5"),
    "tam-ruat-chess": ({}, "b2"),
    "circle": ({}, "c2"),
    "cyvasse": ({"setup": "standard"}, "f4"),
    "beacons": ({"template": "trial"}, "a3"),
}
WATCH = """() => {
  window.drawn = [];
  const board = document.getElementById("board");
  const now = () => performance.timeOrigin + performance.now();
  board.addEventListener("pointerdown", () => { window.tapped = now(); }, { capture: true });
  new MutationObserver((changes) => {
    if (changes.some(({ target }) => target.dataset?.site)) requestAnimationFrame(() => window.drawn.push(now()));
  }).observe(board, { attributes: true, attributeFilter: ["data-light"], subtree: true });
}"""


def drawn_ms(page: Page) -> float:
    """Return when the first light since the last call was drawn, and wait for it and for quiet."""
    page.wait_for_function("drawn.length")
    first: float = page.evaluate("drawn[0]")
    page.wait_for_timeout(400)  # whatever else comes of it
    page.evaluate("drawn.length = 0")
    return first


def report(what: str, game: str, found: list[float]) -> None:
    cut = statistics.quantiles(found, n=100)
    figures = [round(ms, 1) for ms in (cut[49], cut[94], max(found))]
    print(json.dumps({"what": what, "game": game, "times": len(found), "ms_p50_p95_max": figures}), flush=True)


def measured(browser: Browser, game: str, times: int, slower: float) -> None:
    """Print how long taps and gestures take in ``game``."""
    options, piece = PIECES[game]
    with (
        tempfile.TemporaryDirectory() as folder,
        playing(Path(folder) / "games.sqlite3", port=free_port()) as running,
    ):
        panel = running.panel
        panel.post("order", do="new_game", game=game, options=options)
        panel.post("set_up")
        context = browser.new_context(viewport={"width": 390, "height": 844}, bypass_csp=True)
        page = context.new_page()
        page.goto(panel.address)
        site = board_site(page, piece)
        cell = page.locator(f"#board [data-site='{site}'] .face")
        cell.wait_for()
        page.evaluate(WATCH)
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
        taps, gestures = [], []
        for _ in range(times):
            for _ in ("lifted", "put back"):
                cell.click(force=True)  # a piece lies over the cell
                seen = drawn_ms(page)
                taps.append(seen - page.evaluate("tapped"))
            page.keyboard.press("Escape")  # in Circle the second tap lists the classes that a unit may change to
        for _ in range(times):
            began = time.time() * 1000
            lifted = panel.post("lift", site=site)["id"]
            gestures.append(drawn_ms(page) - began)
            panel.post("place", piece=lifted, site=site)
            drawn_ms(page)
        report("tap", game, taps)
        report("gesture", game, gestures)
        context.close()


@click.command()
@click.option("--times", default=100)
@click.option("--slower", default=1.0)
@click.argument("games", nargs=-1, type=click.Choice(list(PIECES)))
def main(times: int, slower: float, games: tuple[str, ...]) -> None:
    """Print milliseconds from a tap, and from a gesture, until the phone has drawn the light."""
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        for game in games or PIECES:
            measured(browser, game, times, slower)
        browser.close()


if __name__ == "__main__":
    main()
