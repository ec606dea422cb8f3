"""The page "Board care": what each sensor does, weak magnets, the link, the log, guided checks, the last minutes."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Protocol

import msgspec
from flask import Flask, Response, g, render_template
from flask_limiter import Limiter
from msgspec import Meta

from controller.typed import decoder
from web_panel.answers_of_pages import Care, Learned
from web_panel.serving.http import Nothing, as_json, takes

RECORDING_LIMIT = "6 per minute"  # of one address; each is cut from the recording of the whole game

Site = Annotated[str, Meta(min_length=1, max_length=64)]


class BeginCheck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Begin a check of all sensors, or of a ``few`` lights or all; ``again`` goes on with the lights seen before."""

    of: Literal["sensors", "lights"]
    few: bool = True
    again: bool = False


class CheckAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to the question with that ``number``: the ``site`` that glows, none where nothing glows or answers.

    ``back`` takes the last answer back.
    """

    number: Annotated[int, Meta(ge=0, le=10_000)]
    site: Site | None = None
    back: bool = False


class MeasureKinds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Begin to measure so many ``kinds`` of pieces."""

    kinds: Annotated[int, Meta(ge=2, le=3)]


class MeasureRests(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Measure the empty board; ``without_far`` leaves out cells that read as if something stood there."""

    without_far: bool = False


class DiagnosticsAccess(Protocol):
    """Whoever knows how the board does. Every method raises `controller.refused.Refused`."""

    def report(self, who: str = "") -> dict[str, Any]:
        """Return ``{"sites", "weak", "gap_ms", "flicker_ms", "recent", "link", "log", "board", "walk", "fields"}`` for
        ``who``.

        ``gap_ms`` is the longest for which a magnet that bounced was gone, None where none did; the table takes one
        that is back within ``flicker_ms`` for never gone.

        ``fields`` is None where sensors are no linear ones, else ``{"sites": {site: "+7.3"}, "findings": [{"what",
        "advice"}, …], "kinds", "rests"}``, in mT, above 0 where a north pole faces down.

        ``rests`` is where the sensors of the empty board rest: ``{"measuring", "kept", "count", "told", "far"}``. So
        many of ``count`` are kept; ``far`` says that cells read as if something stood there, and may be left out.

        ``kinds`` is the walk that measures kinds of pieces: ``{"asked", "kind", "number", "count", "unsaved", "known":
        [{"mean_mt", "spread_mt", "taken"}, …]}``. It has the cell that is asked for, or None; of each kind known
        ``taken`` says how often it would be taken for each.

        ``walk`` is None before the first one, else ``{"of", "running", "yours", "number", "count", "asked", "pressed",
        "told"}``, ``count`` None where nobody knows how many questions there will be. When it is over also ``{"ended",
        "done", "all", "findings": [{"what", "advice"}, …], "learn"}``: why it ended if nobody wished it, whether
        enough was seen, or even everything, what is wrong, and whether there is an order to learn.
        """

    def begin(self, who: str, of: str, few: bool, again: bool) -> None:
        """Begin a guided check from the phone ``who``."""

    def stay(self, who: str) -> None:
        """Let the check of ``who`` go on; without this the phone counts as lost after some seconds."""

    def answer(self, who: str, number: int, site: str | None, back: bool) -> None:
        """Answer the question with that ``number``, or take the last answer ``back``."""

    def end(self, who: str) -> None:
        """End the check of ``who``: it is judged by what it saw."""

    def measure_kinds(self, kinds: int) -> None:
        """Begin to measure so many kinds of pieces, 2 or 3, by the strength of their magnets."""

    def measure_rests(self, without_far: bool) -> None:
        """Begin to measure where the sensors of the empty board rest; `report` says how that went."""

    def measured_back(self) -> None:
        """Take the last measurement of a kind back."""

    def end_kinds(self) -> None:
        """Measure no more kinds; what was known before stays."""

    def learn(self) -> str:
        """Keep the board as the last check found it; returns what to do with it."""

    def last_minutes(self) -> str:
        """Return a recording of the last minutes."""


def add_diagnostics(app: Flask, diagnostics: DiagnosticsAccess, limiter: Limiter) -> None:
    """Add the page "Board care" and its addresses to ``app``."""

    @app.get("/care")
    def diagnostics_page() -> str:
        """A page with a live map of the sensors, the link and the log."""
        return render_template("diagnostics.html")

    @app.get("/api/care")
    def care() -> Annotated[Response, Care]:
        """What each sensor did, which magnets lie badly, the link and the log."""
        return as_json({**diagnostics.report(g.visitor.id), "role": g.visitor.role})

    _add_check(app, diagnostics)
    _add_kinds(app, diagnostics)
    _add_rests(app, diagnostics)

    @app.get("/api/care/recording")
    @limiter.limit(RECORDING_LIMIT)
    def last_minutes() -> Response:
        """A recording of the last minutes, every touch, to report a fault with."""
        headers = {"Content-Disposition": 'attachment; filename="last-minutes.jsonl"'}
        return Response(diagnostics.last_minutes(), mimetype="application/x-ndjson", headers=headers)


def _add_kinds(app: Flask, diagnostics: DiagnosticsAccess) -> None:
    @app.post("/api/care/kinds/begin")
    @takes(decoder(MeasureKinds))
    def measure_kinds(what: MeasureKinds) -> None:
        """Begin to measure kinds of pieces by the strength of their magnets; while no game is being played."""
        diagnostics.measure_kinds(what.kinds)

    @app.post("/api/care/kinds/back")
    @takes(decoder(Nothing))
    def measured_back(_: Nothing) -> None:
        """Take the last measurement back."""
        diagnostics.measured_back()

    @app.post("/api/care/kinds/end")
    @takes(decoder(Nothing))
    def end_kinds(_: Nothing) -> None:
        """Measure no more kinds; what was known before stays."""
        diagnostics.end_kinds()


def _add_rests(app: Flask, diagnostics: DiagnosticsAccess) -> None:
    @app.post("/api/care/rests/measure")
    @takes(decoder(MeasureRests))
    def measure_rests(what: MeasureRests) -> None:
        """Measure where the sensors of the empty board rest, and keep that; while no game is being played."""
        diagnostics.measure_rests(what.without_far)


def _add_check(app: Flask, diagnostics: DiagnosticsAccess) -> None:
    @app.post("/api/care/walk/begin")
    @takes(decoder(BeginCheck))
    def begin(what: BeginCheck) -> None:
        """Begin a check of the sensors or the lights; while no game is being played."""
        diagnostics.begin(g.visitor.id, what.of, what.few, what.again)

    @app.post("/api/care/walk/stay")
    @takes(decoder(Nothing))
    def stay(_: Nothing) -> None:
        """Say that the phone that runs the check is still there."""
        diagnostics.stay(g.visitor.id)

    @app.post("/api/care/walk/answer")
    @takes(decoder(CheckAnswer))
    def answer(what: CheckAnswer) -> None:
        """Say which cell glows, or that nothing does; a magnet put on that cell says it too."""
        diagnostics.answer(g.visitor.id, what.number, what.site, what.back)

    @app.post("/api/care/walk/end")
    @takes(decoder(Nothing))
    def end(_: Nothing) -> None:
        """End the check and learn what is wrong."""
        diagnostics.end(g.visitor.id)

    @app.post("/api/care/walk/learn")
    @takes(decoder(Nothing))
    def learn(_: Nothing) -> Annotated[Response, Learned]:
        """Write a board file with the order that the check found."""
        return as_json({"told": diagnostics.learn()})
