"""How to play: a page for each game, with diagrams made from the rules while the page is made.

The words are in a template that the game brings, or what it says of itself where it brings none; which moves a diagram
shows is the rules' word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Protocol

import msgspec
from flask import Flask, Response, abort, g, render_template, request
from jinja2 import ChoiceLoader, FunctionLoader
from markupsafe import Markup

from controller.sentences import say
from web_panel.answers import DrawingsOfGame
from web_panel.pictures.diagram_svg import picture, small_picture
from web_panel.pictures.ring_svg import drawn as drawn_ring
from web_panel.serving.costly import AnswerCache, OneAtATime
from web_panel.serving.http import as_json, as_svg

MOST_PAGES = 64
OWN = "game/"  # what the templates of games are called


class Diagrams(Protocol):
    """Who knows the rules."""

    def games(self) -> list[dict[str, Any]]:
        """Return the games, as `web_panel.backend.TableAccess.games` does."""

    def diagram(self, game: str, options: Mapping[str, Any], plies: Sequence[str] = (), at: str = "") -> dict[str, Any]:
        """Return a position, and where the piece at the site ``at`` may go, as plain data; raises `Refused`."""

    def page(self, game: str) -> str | None:
        """Return the template that ``game`` brings for its page; None where it has none."""

    def credit(self, game: str) -> dict[str, Any] | None:
        """Return whose game it is, as ``{"sentence", "links": {words: address}}``; None where that is not told."""

    def drawings(self, game: str) -> dict[str, Any]:
        """Return how the pieces of ``game`` are drawn: the outlines of seats and the drawing of each kind."""

    def movable(self, game: str) -> list[tuple[str, str]]:
        """Return a site for each kind of piece that can move at the start of ``game``, with the kind's name."""


class Figures:
    """What the pages of games ask for to be drawn."""

    def __init__(self, diagrams: Diagrams) -> None:
        self._diagrams = diagrams

    def figure(self, game: str, caption: str, at: str = "", plies: str = "", **options: Any) -> Markup:
        """Return a board of ``game`` after ``plies``, with what can be done ``at`` a cell."""
        texts = [text.strip() for text in plies.split(";") if text.strip()]
        drawing = picture(self._diagrams.diagram(game, options, texts, at))
        asked = msgspec.json.encode({"game": game, "options": options, "plies": texts, "at": at}).decode()
        return Markup(render_template("rules_figure.html", drawing=drawing, caption=caption, asked=asked))

    def ring(self, game: str, caption: str, beats: str) -> Markup:
        """Return which kinds of pieces beat which, as a ring."""
        drawn = drawn_ring(beats, self._diagrams.drawings(game))
        return Markup(render_template("ring.html", ring=drawn, caption=caption))

    def piece(self, game: str, kind: str, *cells: str | int) -> Markup:
        """Return a row about a kind of piece, with its drawing."""
        look = self._diagrams.drawings(game)
        drawing = {"body": look["seats"][0], "drawing": look["kinds"].get(kind, "")}
        return Markup(render_template("rules_piece.html", **drawing, kind=kind, cells=cells))


def add_rules(app: Flask, diagrams: Diagrams, turns: OneAtATime) -> None:
    """Add the pages about the rules to ``app``; they are drawn in ``turns``, once in each language."""
    pages, figures = AnswerCache(turns, MOST_PAGES), Figures(diagrams)
    app.jinja_loader = ChoiceLoader([*filter(None, [app.jinja_loader]), FunctionLoader(partial(_own, diagrams))])

    @app.get("/rules")
    def rules() -> str:
        """A page with the games and where their rules are."""
        return render_template("rules.html", games=diagrams.games(), name="", credit=diagrams.credit)

    @app.get("/rules/<name>")
    def rules_of(name: str) -> str:
        """How a game is played, with diagrams."""
        games = diagrams.games()
        game = next((game for game in games if game["name"] == name), None)
        if game is None:
            abort(404, say("There is no game '{name}'.", name=name))

        def drawn() -> str:
            told = {"games": games, "game": game, "name": name, "credit": diagrams.credit}
            told |= {"figure": figures.figure, "ring": figures.ring, "piece": partial(figures.piece, name)}
            if diagrams.page(name) is not None:
                return render_template(f"{OWN}{name}.html", **told)
            return render_template("rules_by_itself.html", movable=diagrams.movable(name), **told)

        return pages.get(("page", name, g.language), drawn)

    @app.get("/api/drawings/<name>")
    def drawings_of(name: str) -> Annotated[Response, DrawingsOfGame]:
        """How the pieces of a game are drawn: outlines of the seats, the drawing of each kind, as paths of SVG."""
        if name not in {game["name"] for game in diagrams.games()}:
            abort(404, say("There is no game '{name}'.", name=name))
        response = as_json(diagrams.drawings(name))
        response.cache_control.no_cache = True  # it is asked for with its mark, and comes again only where it changed
        response.add_etag()
        response.make_conditional(request)
        return response

    @app.get("/pictures/<name>.svg")
    def picture_of_game(name: str) -> Response:
        """How a game begins, as a small picture."""
        if name not in {game["name"] for game in diagrams.games()}:
            abort(404, say("There is no game '{name}'.", name=name))

        def drawn() -> str:
            return str(small_picture(diagrams.diagram(name, {})))

        response = as_svg(pages.get(("picture", name, g.language), drawn))
        response.cache_control.max_age = 3600
        return response


def _own(diagrams: Diagrams, template: str) -> str | None:
    """Return the source of a game's ``template``, None where it is another one."""
    own = template.startswith(OWN) and template.endswith(".html")
    return diagrams.page(template.removeprefix(OWN).removesuffix(".html")) if own else None
