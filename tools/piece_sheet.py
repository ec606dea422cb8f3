"""All pieces on one sheet, to look at, in three sizes and six looks: ``python -m tools.piece_sheet FILE.png``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import sync_playwright

from controller.rules.drawings import RIM, SEATS, drawings_of, outline
from controller.rules.registry import all_games
from tests.chromium import chromium
from web_panel.pictures.diagram_svg import BODIES, INKS

SIZES = (80, 44, 28)
GROUNDS = ("#f7f3ea", "#1c1612", "#79593f")  # a light page, a dark one, the board


def piece(path: str, seat: int, pixels: int) -> str:
    """Return a piece as SVG."""
    edge, ink = outline(seat), INKS[seat]
    return (
        f'<svg width="{pixels}" height="{pixels}" viewBox="-108 -108 216 216">'
        f'<path d="{edge}" fill="{BODIES[seat]}" stroke="#8b8b86" stroke-width="6"/>'
        f'<path d="{edge}" transform="scale({RIM})" fill="none" stroke="{ink}" stroke-width="5" opacity=".5"/>'
        f'<path d="{path}" fill="{ink}" fill-rule="evenodd"/></svg>'
    )


def rows() -> Iterator[str]:
    """Yield a row for each kind of each game."""
    for game in all_games().values():
        yield f"<tr><th colspan=4>{game.facts.title}"
        for kind, path in drawings_of(game.facts.name).items():
            looks = "".join(piece(path, seat, pixels) for pixels in SIZES for seat in range(SEATS))
            grounds = "".join(f'<td style="background:{ground}">{looks}' for ground in GROUNDS)
            yield f"<tr><td>{game.facts.kinds[kind]}{grounds}"


def main(file: Path) -> None:
    """Write the sheet to ``file``."""
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        page = browser.new_page(viewport={"width": 3000, "height": 800})
        page.set_content(f"<table>{''.join(rows())}</table>")
        page.locator("table").screenshot(path=file)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
