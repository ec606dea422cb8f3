"""How to play: a page for each game, with diagrams made from the rules while the page is made.

Owns the addresses of the pages and of the small pictures. The words are in the templates; which moves a diagram shows
is the rules' word. Must not know any game beyond the name of its page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec
from flask import Flask, Response, abort, g, render_template
from jinja2 import TemplateNotFound
from markupsafe import Markup

from controller.sentences import say
from web_panel.costly import Kept, OneAtATime
from web_panel.diagram_svg import picture

MOST_PAGES = 64


class Diagrams(Protocol):
    """Who knows the rules."""

    def games(self) -> list[dict[str, Any]]:
        """Return the games, as `web_panel.backend.TableAccess.games` does."""

    def diagram(self, game: str, options: Mapping[str, Any], plies: Sequence[str] = (), at: str = "") -> dict[str, Any]:
        """Return a position, and where the piece at the site ``at`` may go, as plain data; raises `Refused`."""


def add_rules(app: Flask, diagrams: Diagrams, turns: OneAtATime) -> None:
    """Add the pages about the rules to ``app``; they are drawn in ``turns``, once in each language."""
    pages = Kept(turns, MOST_PAGES)

    def figure(game: str, caption: str, at: str = "", plies: str = "", **options: Any) -> Markup:
        texts = [text.strip() for text in plies.split(";") if text.strip()]
        drawing = picture(diagrams.diagram(game, options, texts, at))
        asked = msgspec.json.encode({"game": game, "options": options, "plies": texts, "at": at}).decode()
        return Markup(render_template("rules_figure.html", drawing=drawing, caption=caption, asked=asked))

    @app.get("/rules")
    def rules() -> str:
        """A page with the games and where their rules are."""
        return render_template("rules.html", games=diagrams.games(), name="")

    @app.get("/rules/<name>")
    def rules_of(name: str) -> str:
        """How a game is played, with diagrams."""
        games = diagrams.games()
        game = next((game for game in games if game["name"] == name), None)
        if game is None:
            abort(404, say("There is no game '{name}'.", name=name))

        def drawn() -> str:
            return render_template(f"rules_{name}.html", games=games, game=game, name=name, figure=figure)

        try:
            return pages.get(("page", name, g.language), drawn)
        except TemplateNotFound:
            abort(404, say("There is no page about '{name}'.", name=name))

    @app.get("/pictures/<name>.svg")
    def small_picture(name: str) -> Response:
        """How a game begins, as a small picture."""
        if name not in {game["name"] for game in diagrams.games()}:
            abort(404, say("There is no game '{name}'.", name=name))

        def drawn() -> str:
            return str(picture(diagrams.diagram(name, {}), named=False))

        response = Response(pages.get(("picture", name, g.language), drawn), mimetype="image/svg+xml")
        response.cache_control.max_age = 3600
        return response
