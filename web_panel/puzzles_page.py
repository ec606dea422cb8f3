"""The page from which puzzles are chosen."""

from __future__ import annotations

from typing import Annotated

from flask import Flask, Response, render_template

from web_panel.answers import PuzzlesOfGame
from web_panel.backend import TableAccess
from web_panel.http import as_json


def add_puzzles(app: Flask, backend: TableAccess) -> None:
    """Add the page and the list to ``app``."""

    @app.get("/puzzles")
    def puzzles_page() -> str:
        """A page with the puzzles of each game."""
        return render_template("puzzles.html")

    @app.get("/api/puzzles")
    def puzzles() -> Annotated[Response, list[PuzzlesOfGame]]:
        """The puzzles of the games that can be played here, the easy ones first."""
        return as_json(backend.puzzles())
