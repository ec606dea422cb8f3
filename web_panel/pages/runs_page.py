"""The page "Workshop": runs of many games, their reports, and a small run that the board plays in idle time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Protocol

import msgspec
from flask import Flask, Response, g, render_template, request
from msgspec import Meta

from controller.typed import decoder
from web_panel.answers_of_pages import RunBegun, RunsPage
from web_panel.pages.rules_pages import Diagrams
from web_panel.pages.workshop_page import VariantsAccess
from web_panel.security import POLICY, policy_of_one_file
from web_panel.serving.http import as_json, takes

RunName = Annotated[str, Meta(max_length=120)]
Word = Annotated[str, Meta(max_length=60)]


class BeginRun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Begin a run of ``game``, or of its ``variant``: so many ``games`` of each kind, between players of ``levels``.

    One ``option`` may be tried with several ``values``, as ``2, 3`` or ``2..5``. Without a ``name`` it gets one.
    """

    game: Word
    levels: Annotated[list[Word], Meta(max_length=8)]
    games: int
    variant: Word = ""
    option: Word = ""
    values: Annotated[str, Meta(max_length=20_000)] = ""
    name: RunName = ""


class OfRun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The run called ``name``."""

    name: RunName


class RunsAccess(Protocol):
    """Whoever keeps the runs and plays them. Every method but the first two raises `Refused`."""

    def players(self) -> list[dict[str, Any]]:
        """Return who can play in a run, from weak to strong: ``{"name", "title"}``."""

    def report(self) -> dict[str, Any]:
        """Return ``{"runs", "installed", "playing", "wrong"}``: all runs, the last one first, whether runs can be
        played here, the name of the one that is being played, and a sentence on the last one that failed.

        A run is ``{"name", "title", "players", "varied", "played", "of", "begun", "state", "seconds_left", "report"}``.
        """

    def begin(
        self, name: str, game: str, variant: str, levels: Sequence[str], games: int, option: str, values: str
    ) -> str:
        """Begin a run and return its name."""

    def go_on(self, name: str) -> None:
        """Play what a run lacks, and write its report."""

    def end(self, name: str) -> None:
        """Let the run that is being played end, with a report on what was played."""

    def remove(self, name: str) -> None:
        """Delete a run with its games."""

    def page(self, name: str) -> bytes:
        """Return the report on a run, as HTML."""


def add_runs_page(app: Flask, diagrams: Diagrams, variants: VariantsAccess, runs: RunsAccess) -> None:
    """Add to ``app`` the page, with the reports on runs."""

    @app.get("/workshop")
    def runs_page() -> str:
        """A page with all runs and their reports; with ``?play=game`` or ``game/variant`` as what is to be played."""
        games = [
            {**game, "variants": variants.listed(game["name"]), "all_options": variants.options(game["name"])}
            for game in diagrams.games()
        ]
        owner, chosen = g.visitor.role == "owner", request.args.get("play", "")
        return render_template("runs.html", each_game=games, players=runs.players(), owner=owner, chosen=chosen)

    @app.get("/workshop/runs/<name>/report.html")
    def run_report(name: str) -> Response:
        """The report on a run: one file that needs nothing else, and may do nothing else."""
        return Response(runs.page(name), mimetype="text/html", headers={POLICY: policy_of_one_file()})


def add_runs(app: Flask, runs: RunsAccess) -> None:
    """Add to ``app`` the addresses by which runs are asked about, begun, ended and removed."""

    @app.get("/api/runs")
    def all_runs() -> Annotated[Response, RunsPage]:
        """All runs of the workshop, how far each is, and whether one is being played."""
        return as_json({**runs.report(), "owner": g.visitor.role == "owner"})

    _add_acts(app, runs)


def _add_acts(app: Flask, runs: RunsAccess) -> None:
    @app.post("/api/runs/begin")
    @takes(decoder(BeginRun))
    def begin_run(what: BeginRun) -> Annotated[Response, RunBegun]:
        """Begin a run, which the board plays while nothing else wants it; one at a time. For owners."""
        name = runs.begin(what.name, what.game, what.variant, what.levels, what.games, what.option, what.values)
        return as_json({"name": name})

    @app.post("/api/runs/go-on")
    @takes(decoder(OfRun))
    def go_on(what: OfRun) -> None:
        """Play what a run lacks that was stopped, and write its report. For owners."""
        runs.go_on(what.name)

    @app.post("/api/runs/end")
    @takes(decoder(OfRun))
    def end_run(what: OfRun) -> None:
        """End the run that is being played, with a report on what was played. For owners."""
        runs.end(what.name)

    @app.post("/api/runs/remove")
    @takes(decoder(OfRun))
    def remove_run(what: OfRun) -> None:
        """Delete a run with all its games and its report. For owners."""
        runs.remove(what.name)
