"""Pieces stand out from the cells of the drawn board: three to one, by their body or by its edge (WCAG 2, 1.4.11)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import web_panel
from web_panel.pictures.diagram_svg import BODIES as BODIES_IN_PICTURES
from web_panel.pictures.diagram_svg import TONES, token

STATIC = Path(web_panel.__file__).parent / "static"
LEAST = 3.0
BODIES = re.compile(r'body: \["(#\w{6})", "(#\w{6})"\], edge: "(#\w{6})"')
CELLS = re.findall(r"\.face { fill: (#\w{6});", (STATIC / "panel.css").read_text(encoding="utf-8"))
PIECES = BODIES.findall((STATIC / "board/board.js").read_text(encoding="utf-8"))
GRAIN = 0.1  # of white lies over the lightest part of a cell


def channels(colour: str) -> list[float]:
    return [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]


def luminance(parts: list[float]) -> float:
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: list[float], other: list[float]) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_the_board_has_one_appearance_with_its_tones_and_a_piece_of_each_colour() -> None:
    """In the dark the page changes, and the board does not: each tone is said once, that of vertices and nodes too."""
    assert len(PIECES) == 8
    assert len(CELLS) == (STATIC / "panel.css").read_text(encoding="utf-8").count(".face {") == 4


@pytest.mark.parametrize("piece", PIECES)
def test_a_piece_stands_out_from_each_cell(piece: tuple[str, str, str]) -> None:
    lit, shade, edge = map(channels, piece)
    for cell in CELLS:
        for grain in (0, GRAIN):
            ground = [part * (1 - grain) + grain for part in channels(cell)]
            body = min(contrast(lit, ground), contrast(shade, ground))
            assert max(body, contrast(edge, ground)) >= LEAST, (piece, cell)


@pytest.mark.parametrize("colour", [*range(len(BODIES_IN_PICTURES)), None])
def test_so_does_a_piece_in_a_picture(colour: int | None) -> None:
    drawn = token({"colour": colour, "sign": "", "body": "", "drawing": ""})
    for tone in TONES:
        cell = channels(tone)
        assert max(contrast(channels(drawn[part]), cell) for part in ("body", "edge")) >= LEAST, (colour, tone)
