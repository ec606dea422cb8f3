"""Board care: what each sensor does, weak magnets, the link, the log, walks over the board, and the last minutes.

Owns the addresses. Must not know how anything is counted.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Protocol

import msgspec
from flask import Flask, Response, g, render_template
from flask_limiter import Limiter
from msgspec import Meta
from msgspec.json import Decoder

from web_panel.http import as_json, takes

RECORDING_LIMIT = "6 per minute"  # of one address; each is cut from the recording of the whole game

Site = Annotated[str, Meta(min_length=1, max_length=64)]


class Begin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Begin a walk over all sensors, or over a ``few`` lights or all; ``again`` goes on with the lights seen before."""

    of: Literal["sensors", "lights"]
    few: bool = True
    again: bool = False


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to the question with that ``number``: the ``site`` that glows, none where nothing glows or answers.

    ``back`` takes the last answer back.
    """

    number: Annotated[int, Meta(ge=0, le=10_000)]
    site: Site | None = None
    back: bool = False


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An empty request."""


class DiagnosticsAccess(Protocol):
    """Who knows how the board does. Every method raises `web_panel.backend.Refused`."""

    def report(self, who: str = "") -> dict[str, Any]:
        """Return ``{"sites", "weak", "gap_ms", "flicker_ms", "recent", "link", "log", "board", "walk"}`` for ``who``.

        ``gap_ms`` is the longest for which a magnet that bounced was gone, None where none did; the table takes one
        that is back within ``flicker_ms`` for never gone.

        ``walk`` is None before the first one, else ``{"of", "running", "yours", "number", "count", "asked", "pressed",
        "told"}``, ``count`` None where nobody knows how many questions there will be. When it is over also ``{"ended",
        "done", "all", "findings": [{"what", "advice"}, …], "learn"}``: why it ended if nobody wished it, whether
        enough was seen, or even everything, what is wrong, and whether there is an order to learn.
        """

    def begin(self, who: str, of: str, few: bool, again: bool) -> None:
        """Begin a walk of the phone ``who``."""

    def stay(self, who: str) -> None:
        """Let the walk of ``who`` go on, which else takes the phone for lost after some seconds."""

    def answer(self, who: str, number: int, site: str | None, back: bool) -> None:
        """Answer the question with that ``number``, or take the last answer ``back``."""

    def end(self, who: str) -> None:
        """End the walk of ``who``: it is judged by what it saw."""

    def learn(self) -> str:
        """Keep the board as the last walk found it; returns what to do with it."""

    def last_minutes(self) -> str:
        """Return a recording of the last minutes."""


def add_care(app: Flask, figures: DiagnosticsAccess, limiter: Limiter) -> None:
    """Add the page and the addresses of board care to ``app``."""

    @app.get("/care")
    def care_page() -> str:
        """A page with a live map of the sensors, the link and the log."""
        return render_template("care.html")

    @app.get("/api/care")
    def care() -> Response:
        """What each sensor did, which magnets lie badly, the link and the log."""
        return as_json({**figures.report(g.visitor.id), "role": g.visitor.role})

    _add_walk(app, figures)

    @app.get("/api/care/recording")
    @limiter.limit(RECORDING_LIMIT)
    def last_minutes() -> Response:
        """A recording of the last minutes, every touch, to report a fault with."""
        headers = {"Content-Disposition": 'attachment; filename="last-minutes.jsonl"'}
        return Response(figures.last_minutes(), mimetype="application/x-ndjson", headers=headers)


def _add_walk(app: Flask, figures: DiagnosticsAccess) -> None:
    @app.post("/api/care/walk/begin")
    @takes(Decoder(Begin))
    def begin(what: Begin) -> Response:
        """Begin to walk over the sensors or the lights; while no game is being played."""
        figures.begin(g.visitor.id, what.of, what.few, what.again)
        return as_json({})

    @app.post("/api/care/walk/stay")
    @takes(Decoder(Nothing))
    def stay(_: Nothing) -> Response:
        """Say that the phone that walks is still there."""
        figures.stay(g.visitor.id)
        return as_json({})

    @app.post("/api/care/walk/answer")
    @takes(Decoder(Answer))
    def answer(what: Answer) -> Response:
        """Say which cell glows, or that nothing does; a magnet put on that cell says it too."""
        figures.answer(g.visitor.id, what.number, what.site, what.back)
        return as_json({})

    @app.post("/api/care/walk/end")
    @takes(Decoder(Nothing))
    def end(_: Nothing) -> Response:
        """End the walk and be told what is wrong."""
        figures.end(g.visitor.id)
        return as_json({})

    @app.post("/api/care/walk/learn")
    @takes(Decoder(Nothing))
    def learn(_: Nothing) -> Response:
        """Write a board file with the order that the walk found."""
        return as_json({"told": figures.learn()})
