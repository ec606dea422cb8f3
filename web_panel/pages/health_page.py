"""The page of how the board does: sentences for people, and a support bundle that is read before it is saved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Protocol

import msgspec
from flask import Flask, Response, g, render_template
from flask_limiter import Limiter
from msgspec import Meta

from controller.measured import Measured
from controller.typed import decoder
from web_panel.answers_of_pages import BundleTold, HealthTold
from web_panel.backend import Connected
from web_panel.pages.metrics import add_metrics
from web_panel.people.joining import WaysIn
from web_panel.security import check_owner
from web_panel.serving.http import as_json, takes

BUNDLE_LIMIT = "6 per minute"


class MakeBundle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Make a support bundle, with a ``recording`` of the last minutes, which says who played, or without."""

    recording: bool = False


class SavedBundle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The bundle with that ``number``."""

    number: Annotated[int, Meta(ge=0, le=1_000_000_000)]


class HealthAccess(Protocol):
    """Whoever knows how the board does."""

    @property
    def measured(self) -> Measured:
        """What is timed and counted."""

    def report(self, connected: Connected, owner: bool) -> dict[str, Any]:
        """Return how the board does, as `HealthTold` has it, who is ``connected`` among it."""

    def metrics(self, connected: Connected) -> bytes | None:
        """Return the figures for programs of the house, in Prometheus's format; None where they are switched off."""

    def bundle(self, connected: Connected, recording: bool, people: tuple[str, ...]) -> dict[str, Any]:
        """Make a bundle without the names of ``people``; returns what is in it, as `BundleTold` has it."""

    def saved(self, number: int) -> bytes:
        """Return the bundle as a zip archive; raises `controller.refused.Refused` where another was made since."""


def add_health(
    app: Flask, health: HealthAccess, entry: WaysIn, limiter: Limiter, connected: Callable[[], Connected]
) -> None:  # fmt: skip
    """Add the page and its addresses to ``app``, and `/metrics`; ``connected`` says whose page is open."""
    add_metrics(app, health.measured, lambda: health.metrics(connected()))

    @app.get("/health")
    def health_page() -> str:
        """How the board does."""
        return render_template("health.html")

    @app.get("/api/health")
    def report() -> Annotated[Response, HealthTold]:
        """How the board does: one sentence for everybody, all of them for an owner."""
        return as_json(health.report(connected(), g.visitor.role == "owner"))

    @app.post("/api/health/bundle")
    @limiter.limit(BUNDLE_LIMIT)
    @takes(decoder(MakeBundle))
    def bundle(what: MakeBundle) -> Annotated[Response, BundleTold]:
        """Make a support bundle and show what is in it; nothing leaves the board."""
        people = {phone.name for phone in entry.phones.everybody() if phone.named}
        people |= {person.name for person in entry.people.profiles.all()}
        return as_json(health.bundle(connected(), what.recording, tuple(people)))

    @app.get("/api/health/saved")
    @takes(decoder(SavedBundle))
    def saved(which: SavedBundle) -> Response:
        """The support bundle that was shown, as a zip archive."""
        check_owner(g.visitor)
        headers = {"Content-Disposition": 'attachment; filename="beaconboard-support.zip"'}
        return Response(health.saved(which.number), mimetype="application/zip", headers=headers)
