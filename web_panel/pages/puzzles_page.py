"""The page from which puzzles are chosen, and how far the person of this phone has come."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Annotated, Any

from flask import Flask, Response, g, render_template

from web_panel.answers import ProgressTold, PuzzlesOfGame
from web_panel.backend import Finished, Learnt, TableAccess
from web_panel.people.phones import Visitor
from web_panel.people.progress import Progress, first_days, streak
from web_panel.pictures.diagram_svg import picture
from web_panel.serving.costly import OneAtATime
from web_panel.serving.http import as_json, as_svg

Greets = Callable[
    [Visitor, Sequence[Finished], Sequence[Learnt], list[dict[str, Any]], dict[str, Any] | None], list[dict[str, Any]]
]
"""What greets a visitor, by the games that are finished, what was learnt, what the visitor left, and today's puzzle."""


def add_puzzles(
    app: Flask, backend: TableAccess, come: Callable[[Visitor], Progress],
    left: Callable[[Visitor], list[dict[str, Any]]],
    finished: Callable[[str], Sequence[Finished]], learnt: Callable[[], Sequence[Learnt]], turns: OneAtATime,
    greets: Greets,
) -> None:  # fmt: skip
    """Add the page, the list and the progress to ``app``: how far a visitor has ``come``, which games were ``left``
    before their end or ``finished``, and what anybody has ``learnt`` is read from the journal, in ``turns``. Who comes
    back is told what ``greets`` says.
    """

    @app.get("/puzzles")
    def puzzles_page() -> str:
        """A page with the puzzles of each game."""
        return render_template("puzzles.html")

    @app.get("/api/puzzles")
    def puzzles() -> Annotated[Response, list[PuzzlesOfGame]]:
        """The puzzles of the games that can be played here, the easy ones first."""
        return as_json(backend.puzzles())

    @app.get("/puzzles/<game>/<number>.svg")
    @turns.costly
    def puzzle_picture(game: str, number: str) -> Response:
        """The position of a puzzle as a picture."""
        shown = backend.puzzle_picture(game, number)
        return as_svg(render_template("position.svg", board=shown, drawing=picture(shown, named=False), lines=[]))

    @app.get("/api/progress")
    @turns.costly
    def progress() -> Annotated[Response, ProgressTold]:
        """How far the person of this phone has come in each game, the puzzle of today, and the games that were left."""
        own, today = come(g.visitor), date.today()
        known = first_days(finished(""), learnt())
        backend.table_knows(*known)
        puzzle = backend.puzzle_of(today, *known)
        if puzzle:
            puzzle["solved"] = puzzle["number"] in own.solved.get(puzzle["game"], ())
        waiting = left(g.visitor)
        names = sorted(own.beaten.keys() | own.lessons | own.solved.keys())
        return as_json({
            "games": [{"name": name, **own.in_game(name)} for name in names],
            "streak": streak(own.days, today), "today": puzzle, "left": waiting,
            "welcome": greets(g.visitor, finished(""), learnt(), waiting, puzzle),
        })  # fmt: skip
