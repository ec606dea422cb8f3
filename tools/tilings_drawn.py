"""Draws the tilings on which a game can lie, for the docs: `python -m tools.tilings_drawn`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from controller.rules.mesh import Mesh
from controller.rules.tilings import FORMS, build

PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "tilings.svg"
IN_A_ROW, WIDE, HIGH, RIM = 5, 150, 160, 10
NAME_HIGH = 20
TONES = ("#8a6a4c", "#a98a68", "#c9b08f")  # by how many sides a cell has, the fewest first


def drawn(texts: Sequence[str]) -> str:
    """Return a picture of the boards that are called ``texts``."""
    rows = -(-len(texts) // IN_A_ROW)
    size = f'width="{IN_A_ROW * WIDE}" height="{rows * HIGH}" viewBox="0 0 {IN_A_ROW * WIDE} {rows * HIGH}"'
    boards = (_board(text, n % IN_A_ROW * WIDE, n // IN_A_ROW * HIGH) for n, text in enumerate(texts))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="13">',
            '<rect width="100%" height="100%" fill="#fff"/>',
            *boards,
            "</svg>\n",
        ]
    )


def _board(text: str, left: int, top: int) -> str:
    mesh = build(text)
    points = [point for outline in mesh.outlines for point in outline]
    low, high = (tuple(choose(point[axis] for point in points) for axis in (0, 1)) for choose in (min, max))
    room = WIDE - 2 * RIM, HIGH - 2 * RIM - NAME_HIGH
    scale = min(room[axis] / (high[axis] - low[axis]) for axis in (0, 1))
    x0 = left + (WIDE - scale * (high[0] - low[0])) / 2
    y0 = top + RIM + (room[1] + scale * (high[1] - low[1])) / 2
    cells = (
        f'<polygon fill="{_tone(mesh, cell)}" points="'
        + " ".join(f"{x0 + scale * (x - low[0]):.1f},{y0 - scale * (y - low[1]):.1f}" for x, y in outline)
        + '"/>'
        for cell, outline in enumerate(mesh.outlines)
    )
    name = f'<text x="{left + WIDE / 2:g}" y="{top + HIGH - RIM}" text-anchor="middle">{text}</text>'
    return "\n".join([f'<g stroke="#fff" stroke-width="1">{"".join(cells)}</g>', name])


def _tone(mesh: Mesh, cell: int) -> str:
    kinds = sorted({len(outline) for outline in mesh.outlines})
    return TONES[kinds.index(len(mesh.outlines[cell]))]


if __name__ == "__main__":
    PICTURE.write_text(drawn(FORMS.split(", ")), encoding="utf-8")
