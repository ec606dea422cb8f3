"""The page "Backups": copies of games, people and settings, made, kept elsewhere and put back. For owners alone.

A file is brought in parts, whose sum is said first: one that is too large is refused before any of it is sent, and no
address takes more at once than the others do.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Protocol

import msgspec
from flask import Flask, Response, g, render_template, send_file

from controller.sentences import say
from controller.typed import decoder
from web_panel.answers_of_pages import BackupShown, BackupsPage
from web_panel.security import check_owner
from web_panel.serving.bringing import MOST_PART_BYTES, Bring, BringPart, FileName
from web_panel.serving.costly import OneAtATime
from web_panel.serving.http import Nothing, as_json, takes


class OfBackup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The copy called ``name``, or "" for the file that was brought."""

    name: FileName = ""


class BackupsAccess(Protocol):
    """Whoever keeps the copies. Every method but the first raises `controller.refused.Refused`."""

    def report(self) -> dict[str, Any]:
        """Return ``{"copies", "here", "doing", "wrong", "changing"}``; a copy is ``{"name", "bytes", "kind", "holds",
        "wrong"}``, where ``holds`` is as in `show`, None where it is damaged.
        """

    def make(self) -> None:
        """Begin to make a copy."""

    def file(self, name: str) -> Path:
        """Return the file of a copy."""

    def bring(self, name: str, size: int) -> None:
        """Begin to take in a file of so many bytes."""

    def bring_part(self, at: int, data: bytes) -> None:
        """Take in what comes next of it."""

    def show(self, name: str) -> dict[str, Any]:
        """Return ``{"name", "holds", "here"}``: what a copy holds, or with "" the file that was brought.

        What it ``holds`` is ``{"made", "board", "games", "last", "people", "variants"}``, what is ``here`` ``{"games",
        "last"}``.
        """

    def put_back(self, name: str) -> None:
        """Begin to put that back; then the service starts again."""


def add_backups(app: Flask, backups: BackupsAccess, turns: OneAtATime) -> None:
    """Add the page and its addresses to ``app``; a file is looked through in ``turns``."""
    _add_page(app, backups)
    _add_acts(app, backups)
    _add_bringing(app, backups)

    @app.get("/api/backups/holds")
    @takes(decoder(OfBackup))
    @turns.costly
    def backup_holds(which: OfBackup) -> Annotated[Response, BackupShown]:
        """What a copy holds, or without a name the file that was brought; and what is here. For owners."""
        _check_owner()
        return as_json(backups.show(which.name))


def _check_owner() -> None:
    check_owner(g.visitor, say("Only the owner's phone sees backups: they have everybody's games and names."))


def _add_page(app: Flask, backups: BackupsAccess) -> None:
    @app.get("/backups")
    def backups_page() -> str:
        """A page with the copies of what this board keeps, to make one, take one along and put one back."""
        return render_template("backups.html", owner=g.visitor.role == "owner", part_bytes=MOST_PART_BYTES)

    @app.get("/api/backups")
    def all_backups() -> Annotated[Response, BackupsPage]:
        """The copies, and what is being done. For owners."""
        _check_owner()
        return as_json(backups.report())

    @app.get("/backups/<string:name>")
    def backup_file(name: str) -> Response:
        """A copy, to keep elsewhere. For owners."""
        _check_owner()
        path = backups.file(name)
        answer = send_file(path, "application/octet-stream", as_attachment=True, download_name=path.name)
        answer.headers["Cache-Control"] = "no-store"
        return answer


def _add_acts(app: Flask, backups: BackupsAccess) -> None:
    @app.post("/api/backups/make")
    @takes(decoder(Nothing))
    def make_backup(_: Nothing) -> None:
        """Begin to make a copy of what is there now. For owners."""
        backups.make()

    @app.post("/api/backups/put-back")
    @takes(decoder(OfBackup))
    def put_backup_back(what: OfBackup) -> None:
        """Begin to put a copy back, or the file that was brought: a copy of what is here is made, and the service
        starts again. Refused during a game. For owners.
        """
        backups.put_back(what.name)


def _add_bringing(app: Flask, backups: BackupsAccess) -> None:
    @app.post("/api/backups/bring")
    @takes(decoder(Bring))
    def bring_backup(what: Bring) -> None:
        """Say how large a file is that is about to be brought; refused where it is too large. For owners."""
        backups.bring(what.name, what.bytes)

    @app.post("/api/backups/bring-part")
    @takes(decoder(BringPart))
    def bring_backup_part(what: BringPart) -> None:
        """Bring what comes next of the file. For owners."""
        backups.bring_part(what.at, what.data)
