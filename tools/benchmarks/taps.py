"""What people need: taps and seconds to a first move, taps for what comes up in play; and how much the page jumps.

    python -m tools.benchmarks.taps

Prints tables. A tap is a finger put down once. Seconds count from the page being asked for, each tap 0.4 s after the
last. Layout shift is what Chromium reports of a short game at two sizes of phones, summed, pieces lifted and answers to
that included; 0.1 is held to be good. Figures only.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from controller.orders import NewGame, PlayPly, TakeBack
from controller.table.session import Session
from tests.chromium import chromium
from tests.web_panel.real_backend import Real, board_site, real_panel
from tests.web_panel.tapper_truths import standing_right

FINGER_MS = 400  # from one tap to the next
SIZES = ((390, 844), (320, 568))
PLIES = 12
# For each game what is touched for its first move, after its picture: cells, or buttons by their words.
FIRST_MOVES: dict[str, tuple[str, tuple[str, ...]]] = {
    "tides-of-war": ("Tides of War", ("c3", "d3")),
    "giantslayer": ("Giantslayer", ("c3", "g3")),
    "tam-ruat-chess": ("Chess of Tam Ruat", ("b2", "b4")),
    "circle": ("Circle", ("c2", "b1")),
    "cyvasse": ("Cyvasse", ("i3", "g7")),
    "beacons": ("Beacons", ("All alike", "Confirm")),
}
SHIFTS = """(() => {
  window.shifted = [];
  const name = ({ node }) => node && (node.id || node.parentElement?.id || node.nodeName);
  const note = ({ value, sources }) => window.shifted.push({ value, what: sources.map(name).join(" ") });
  new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type: "layout-shift", buffered: true });
})()"""
TAP = """(site) => {
  const board = document.querySelector("#board");
  const { x, y, width, height } = board.querySelector(`[data-site="${site}"] .face`).getBoundingClientRect();
  const more = { bubbles: true, pointerId: 1, isPrimary: true, clientX: x + width / 2, clientY: y + height / 2 };
  for (const type of ["pointerdown", "pointerup"]) board.dispatchEvent(new PointerEvent(type, more));
}"""
HOME_CELLS = """() => [...document.querySelectorAll("#board .site.lit")].map(({ dataset }) => dataset.site)"""
# Plies of both sides up to a Barbarian of White that may take on the last rank, with pieces of White lost.
TO_A_PROMOTION = (
    "c2-e4; c11-c9; i2-g4; d11-f9; b2-b4; h11-j9; k2-i4; b11-d9; h2-h4; g11-g9; f2-f4; k11-k9; e2-c4; j11-h9; j2-j4;"
    " i11-i9; d2-d4; e11-e9; i4-j5; j9-k8; g2-i4; l11-k10; b4-b5; f11-e10; h4-h5; h9-i8; l2-k3; k10-j9; a2-a3; c9-c8;"
    " g4-f5; i8-h7; a3-a4; j9-i8; h5-h6; h7-g6; b5-b6; c8-c7; b6xc7; i8-h7; c7-c8; h7xh5; f5-e6; h5xj3; e4-f5; g6-h5;"
    " c8xd9; a11-b10; c4-b5; l12xl1; d9xe10; k8-j7; e10-e11; i9-i8"
)


class Finger:
    """Taps on a page, counted."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0

    def on(self, place: Locator) -> None:
        place.wait_for()
        place.scroll_into_view_if_needed()
        box = place.bounding_box()
        assert box is not None
        self.page.wait_for_timeout(FINGER_MS)
        self.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.taps += 1

    def cell(self, label: str) -> None:
        expect(self.page.locator("body")).to_have_attribute("data-phase", "play", timeout=15_000)
        self.page.locator("#board .token, #board .site.lit").first.wait_for()  # it stands, and is seen
        self.on(self.page.locator(f'#board [data-site="{board_site(self.page, label)}"] .face'))

    def button(self, words: str) -> None:
        self.on(self.page.get_by_role("button", name=words, exact=True))


@contextmanager
def opened(browser: Browser, size: tuple[int, int] = SIZES[0]) -> Iterator[tuple[Real, Page]]:
    """Open a fresh panel on a phone of that size."""
    with tempfile.TemporaryDirectory() as folder, real_panel("any", Path(folder), finishes=True) as real:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=True)
        page = context.new_page()
        page.add_init_script(SHIFTS)
        yield real, page
        context.close()


def begun(browser: Browser, game: str, size: tuple[int, int] = SIZES[0], **options: Any) -> Any:
    """As `opened`, with a game that stands ready."""

    @contextmanager
    def ready() -> Iterator[tuple[Real, Page]]:
        with opened(browser, size) as (real, page):
            real.running.service.submit(NewGame(game=game, options=options, seed=5))
            page.goto(real.address)
            expect(page.locator("body")).to_have_attribute("data-phase", "play", timeout=15_000)
            yield real, page

    return ready()


def made(page: Page, count: int) -> None:
    expect(page.locator("#plies [data-ply]")).to_have_count(count, timeout=15_000)


def first_move(browser: Browser, game: str) -> tuple[int, float]:
    """Return taps and seconds from a page that is opened on an empty table to a first move."""
    title, steps = FIRST_MOVES[game]
    with opened(browser) as (real, page):
        began = time.monotonic()
        page.goto(real.address)
        finger = Finger(page)
        finger.on(page.locator("#lobby").get_by_role("button", name=title))
        for step in steps:
            (finger.cell if step[-1].isdigit() else finger.button)(step)
        expect(page.locator("#plies li")).not_to_have_count(0, timeout=15_000)
        return finger.taps, time.monotonic() - began


def capture(browser: Browser) -> int:
    with begun(browser, "tides-of-war") as (real, page):
        real.running.service.submit(PlayPly(text="c3-d3"))
        rests(real)
        finger = Finger(page)
        finger.cell("e3")
        finger.cell("c3")
        made(page, 2)
        assert real.plies[-1].startswith("e3xc3")
        return finger.taps


def promotion(browser: Browser) -> int:
    with begun(browser, "tam-ruat-chess") as (real, page):
        for text in TO_A_PROMOTION.split("; "):
            real.running.service.submit(PlayPly(text=text))
            rests(real)
        finger = Finger(page)
        finger.cell("e11")
        finger.cell("d12")
        if len([ply for ply in legal(session(real)) if ply.startswith("e11xd12=")]) > 1:
            finger.on(page.locator("#sheet .plies button").first)
        made(page, len(TO_A_PROMOTION.split("; ")) + 1)
        return finger.taps


def setup(browser: Browser, array: str) -> int:
    """Return the taps for the pieces of one side in secret: from the tray one by one, or from a ready ``array``."""
    with begun(browser, "cyvasse", setup="secret") as (real, page):
        page.get_by_role("button", name="Play White").tap()
        finger = Finger(page)
        if array:
            finger.button(array)
        else:
            page.locator("#arrange").wait_for()
            cells = iter(page.evaluate(HOME_CELLS))
            while not page.get_by_role("button", name="Ready").is_enabled():
                finger.on(page.locator(f'#board [data-site="{next(cells)}"] .face'))
        page.get_by_role("button", name="Ready").tap()  # that it is done; no piece is put down by it
        expect(page.locator("#lines")).to_contain_text("White is ready", timeout=15_000)
        assert len(real.plies) >= 25
        return finger.taps


def transfer(browser: Browser) -> int:
    with begun(browser, "beacons", template="trial") as (real, page):
        _, begin, end, _ = next(ply for ply in legal(session(real)) if ply.startswith("t ")).split()
        finger = Finger(page)
        finger.cell(begin)
        finger.cell(end)
        page.locator("#sheet .confirm").wait_for()
        if page.locator("#sheet .chips").count():
            finger.on(page.locator("#sheet .chips button").first)
        finger.on(page.locator("#sheet .confirm"))
        made(page, 1)
        assert real.plies[0].startswith(f"t {begin} {end} ")
        return finger.taps


def session(real: Real) -> Session:
    play = real.running.service.look().table.play
    assert play is not None
    return play.session


def legal(session: Session) -> list[str]:
    return [session.game.text(session.state, ply) for ply in session.game.plies(session.state)]


def rests(real: Real) -> None:
    """Wait until the pieces stand as they should and nothing waits."""
    for seen in real.running.service.watch(0.5):
        table, hand = (seen or real.running.service.look()).table, real.running.hand
        if hand is not None and table.due_us is None and standing_right(table, hand.pieces()):
            return


def shifts(browser: Browser, game: str, size: tuple[int, int]) -> tuple[float, str]:
    """Return how much the page jumped in a short game, and what jumped most."""
    options = {"template": "trial"} if game == "beacons" else {}
    with begun(browser, game, size, **options) as (real, page):
        page.wait_for_timeout(4000)  # until all that is loaded later is there
        page.evaluate("shifted.length = 0")
        dice = random.Random(1)
        for _ in range(PLIES):
            now = session(real)
            plies = [text for text in legal(now) if text != "end"] or legal(now)
            site = dice.choice(list(now.game.shape(now.state)))
            page.evaluate(TAP, board_site(page, site))  # lifted or refused: both are said
            page.wait_for_timeout(150)
            page.keyboard.press("Escape")
            real.running.service.submit(PlayPly(text=dice.choice(plies)))
            rests(real)
            page.wait_for_timeout(150)
        real.running.service.submit(TakeBack())
        rests(real)
        page.wait_for_timeout(600)
        found = page.evaluate("shifted")
        most = max(found, key=lambda each: float(each["value"]), default={"what": ""})
        return sum(each["value"] for each in found), most["what"]


def table(rows: list[tuple[str, ...]]) -> None:
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    for row in rows:
        print("  ".join(words.ljust(width) for words, width in zip(row, widths, strict=True)).rstrip(), flush=True)
    print()


def main() -> None:
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        rows: list[tuple[str, ...]] = [("first move", "taps (3)", "seconds (15)")]
        for game in FIRST_MOVES:
            taps, seconds = first_move(browser, game)
            rows.append((game, str(taps), f"{seconds:.1f}"))
        table(rows)
        table(
            [
                ("in play", "taps", "goal"),
                ("a capture", str(capture(browser)), "2"),
                ("a promotion", str(promotion(browser)), "3"),
                ("a secret setup by hand", str(setup(browser, "")), "30"),
                ("a secret setup from an array", str(setup(browser, "Standard")), "1"),
                ("a transfer of units", str(transfer(browser)), "4"),
            ]
        )
        rows = [("layout shift", *(f"{width} × {height}" for width, height in SIZES), "what moved most")]
        for game in FIRST_MOVES:
            found = [shifts(browser, game, size) for size in SIZES]
            rows.append((game, *(f"{value:.3f}" for value, _ in found), " / ".join(what for _, what in found)))
        table(rows)
        browser.close()


if __name__ == "__main__":
    main()
