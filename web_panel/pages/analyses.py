"""What was found out about finished games: asked for, and shown when it is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Protocol

from flask import Flask, Response, g

from controller.orders import NewGame
from controller.typed import decoder
from web_panel.answers_of_pages import Analysed, OwnPuzzle
from web_panel.pages.history import After
from web_panel.people.phones import Visitor
from web_panel.serving.costly import OneAtATime
from web_panel.serving.http import as_json, takes


class AnalysisAccess(Protocol):
    """Who looks at finished games. Every method raises `controller.refused.Refused`."""

    def analysis(self, game_id: int) -> dict[str, Any]:
        """Return ``{"state": "none" | "waits" | "runs" | "failed" | "done", …}``; see docs/analysis.md."""

    def analyse(self, game_id: int) -> dict[str, Any]:
        """Have a game looked at, and return the same."""

    def puzzle(self, game_id: int, ply: int) -> dict[str, Any]:
        """Return the order that sets up the position before move ``ply`` as a puzzle."""

    def puzzles(self, wanted: Callable[[int], bool] = ...) -> list[dict[str, Any]]:
        """Return the puzzles in those games played here that are ``wanted``, in all of them without that:
        ``{"id", "ply", "title", "name"}`` each.
        """


def add_analyses(
    app: Flask, access: AnalysisAccess, others_play: Callable[[Visitor, int], bool], turns: OneAtATime
) -> None:
    """Add the addresses to ``app``; games are read from the journal in ``turns``. ``others_play`` says of a game
    whether people played it, and not a visitor.
    """

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

    @app.get("/api/history/<int:game_id>/puzzle")
    @takes(decoder(After))
    @turns.costly
    def puzzle_of_game(which: After, game_id: int) -> Annotated[Response, NewGame]:
        """The order that sets up the position before a move as a puzzle, where one other move is far better."""
        return as_json(access.puzzle(game_id, which.ply or 0))

    @app.get("/api/puzzles/own")
    @turns.costly
    def own_puzzles() -> Annotated[Response, list[OwnPuzzle]]:
        """The puzzles in games of this phone's person that were looked at, and of nobody known, the newest first."""
        visitor = g.visitor
        return as_json(access.puzzles(lambda game_id: not others_play(visitor, game_id)))
