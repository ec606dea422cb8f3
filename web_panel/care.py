"""Board care: what each sensor does, which magnets lie badly, the link, the log, and a recording of the last minutes.

Owns the addresses. Must not know how anything is counted.
"""

from __future__ import annotations

from typing import Annotated, Any, Protocol

import msgspec
from flask import Flask, Response, render_template
from msgspec import Meta
from msgspec.json import Decoder

from web_panel.answers import as_json, takes

Site = Annotated[str, Meta(min_length=1, max_length=64)]


class Walk(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A walk over the board: under each site that was touched, the sites at which the touch arrived, none or more."""

    heard: Annotated[dict[Site, Annotated[tuple[Site, ...], Meta(max_length=16)]], Meta(max_length=600)]


class Figures(Protocol):
    """Who knows how the board does. Every method raises `web_panel.desk.Refused`."""

    def report(self) -> dict[str, Any]:
        """Return ``{"sites", "weak", "recent", "link", "log", "board"}``."""

    def walked(self, heard: dict[str, tuple[str, ...]]) -> dict[str, Any]:
        """Return ``{"findings": [{"what", "advice"}, …]}`` of a walk."""

    def last_minutes(self) -> str:
        """Return a recording of the last minutes."""


def add_care(app: Flask, figures: Figures) -> None:
    """Add the page and the addresses of board care to ``app``."""

    @app.get("/care")
    def care_page() -> str:
        """A page with a live map of the sensors, the link and the log."""
        return render_template("care.html")

    @app.get("/api/care")
    def care() -> Response:
        """What each sensor did, which magnets lie badly, the link and the log."""
        return as_json(figures.report())

    @app.post("/api/care/walk")
    @takes(Decoder(Walk))
    def walk(what: Walk) -> Response:
        """Say what is wrong with the wires, from where the touches of a walk arrived."""
        return as_json(figures.walked(what.heard))

    @app.get("/api/care/recording")
    def last_minutes() -> Response:
        """A recording of the last minutes, every touch, to report a fault with."""
        headers = {"Content-Disposition": 'attachment; filename="last-minutes.jsonl"'}
        return Response(figures.last_minutes(), mimetype="application/x-ndjson", headers=headers)
