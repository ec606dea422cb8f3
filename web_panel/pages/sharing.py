"""A game to show to others: a page for each, pictures of its positions, and one of the whole game that moves."""

from __future__ import annotations

import textwrap
from typing import Annotated, Any

from flask import Flask, Response, g, redirect, render_template
from werkzeug.wrappers import Response as AnyResponse

from controller.refused import Refused
from controller.sentences import Sentence, say
from controller.typed import decoder
from web_panel.answers_of_pages import GameSummedUp
from web_panel.pages.history import After, HistoryAccess
from web_panel.pictures.diagram_svg import picture
from web_panel.security import MOST_GAME_BYTES
from web_panel.serving.costly import OneAtATime
from web_panel.serving.http import as_json, as_svg, takes

DAY = 10  # letters of a date in front of a time
LINE = 52  # letters
SUMMED_UP = ("id", "started", "over", "sentence", "count", "minutes", "captured")


def add_sharing(app: Flask, past: HistoryAccess, turns: OneAtATime) -> None:
    """Add the pages of single games and their pictures to ``app``; games are read from the journal in ``turns``."""

    @app.get("/history/<int:game_id>")
    def page_of_game(game_id: int) -> str:
        """A page with one game; ``ply`` in its address is the position that it opens with."""
        return render_template("history.html", most_bytes=MOST_GAME_BYTES)

    @app.get("/history/last")
    @turns.costly
    def page_of_last() -> AnyResponse:
        """The page of the game that is on the table."""
        return redirect(f"/history/{_last(past)}")

    @app.get("/api/history/last")
    @turns.costly
    def last_game() -> Annotated[Response, GameSummedUp]:
        """The game that is on the table in figures: its number, moves, minutes and what was captured."""
        game = past.past(_last(past))
        return as_json({name: game[name] for name in SUMMED_UP})

    @app.get("/history/<int:game_id>/position.svg")
    @takes(decoder(After))
    @turns.costly
    def position_picture(which: After, game_id: int) -> Response:
        """A position as a picture, the last one where no ``ply`` is given."""
        found = past.position_picture(game_id, which.ply)
        drawing = picture(found, named=False)
        return as_svg(render_template("position.svg", board=found, drawing=drawing, lines=_lines(found["told"])))


def _last(past: HistoryAccess) -> int:
    game_id = past.last()
    if game_id is None:
        raise Refused(say("No game has been played on this board yet."))
    return game_id


def _lines(told: dict[str, Any]) -> list[str]:
    """Return what stands under a picture, in the client's language: the game, its people, its day, how it stands."""
    people = [say("{person} ({seat})", person=name, seat=seat) if name else seat for seat, name in told["people"]]
    game = " · ".join(filter(None, [_said(told["title"]), told["started"][:DAY]]))
    move = told.get("move")
    stands = told["sentence"]
    if move and told["ply"] < told["count"]:
        seat, words = told["seats"][move["seat"]], move["words"]
        stands = say("Move {n} of {count}, {seat}: {move}", n=told["ply"], count=told["count"], seat=seat, move=words)
    texts = (game, " – ".join(map(_said, people)), _said(stands))
    return [line for text in texts for line in textwrap.wrap(text, LINE)]


def _said(text: str) -> str:
    return str(g.spoken(text)) if isinstance(text, Sentence) else text
