"""What was found out about finished games: asked for, and shown when it is there."""

from __future__ import annotations

from typing import Annotated, Any, Protocol

from flask import Flask, Response

from web_panel.answers_of_pages import Analysed
from web_panel.costly import OneAtATime
from web_panel.http import as_json


class AnalysisAccess(Protocol):
    """Who looks at finished games. Every method raises `controller.refused.Refused`."""

    def analysis(self, game_id: int) -> dict[str, Any]:
        """Return ``{"state": "none" | "waits" | "runs" | "failed" | "done", …}``; see docs/analysis.md."""

    def analyse(self, game_id: int) -> dict[str, Any]:
        """Have a game looked at, and return the same."""


def add_analyses(app: Flask, access: AnalysisAccess, turns: OneAtATime) -> None:
    """Add the addresses to ``app``; games are read from the journal in ``turns``."""

    @app.get("/api/history/<int:game_id>/analysis")
    @turns.costly
    def analysis(game_id: int) -> Annotated[Response, Analysed]:
        """Who stood better after each move of a game, and its turning points, as far as that is known."""
        return as_json(access.analysis(game_id))

    @app.post("/api/history/<int:game_id>/analysis")
    @turns.costly
    def analyse(game_id: int) -> Annotated[Response, Analysed]:
        """Ask for a game to be analysed; it takes a while, in the background."""
        return as_json(access.analyse(game_id))
