"""How long until a person sees what they did: in real Chromium, on a simulated board, a browser's drawing included.

    python -m tools.benchmarks.screen [TIMES]

A *tap* lasts from a finger on the phone's board until the light that answers it is drawn; the board's own lights are
on before that. A *gesture* lasts from a piece lifted off the board until the phone has drawn it. Figures only.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.chromium import chromium
from tests.e2e.running import playing
from tools.benchmarks.idle import free_port

STONE = "c3"
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


def report(what: str, found: list[float]) -> None:
    cut = statistics.quantiles(found, n=100)
    figures = [round(ms, 1) for ms in (cut[49], cut[94], max(found))]
    print(json.dumps({"what": what, "times": len(found), "ms_p50_p95_max": figures}), flush=True)


def main(times: int) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        playing(Path(folder) / "games.sqlite3", port=free_port()) as running,
        sync_playwright() as playwright,
    ):
        panel = running.panel
        panel.post("order", do="new_game", game="tides-of-war")
        panel.post("set_up")
        browser = chromium(playwright)
        page = browser.new_context(viewport={"width": 390, "height": 844}, bypass_csp=True).new_page()
        page.goto(panel.address)
        cell = page.locator(f"#board [data-site={STONE}] .face")
        cell.wait_for()
        page.evaluate(WATCH)
        taps, gestures = [], []
        for _ in range(times):
            for _ in ("lifted", "put back"):
                cell.click(force=True)  # a piece lies over the cell
                seen = drawn_ms(page)
                taps.append(seen - page.evaluate("tapped"))
        for _ in range(times):
            began = time.time() * 1000
            piece = panel.post("lift", site=STONE)["id"]
            gestures.append(drawn_ms(page) - began)
            panel.post("place", piece=piece, site=STONE)
            drawn_ms(page)
        report("tap", taps)
        report("gesture", gestures)
        browser.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
