"""The settings page: a form made from the settings' own schema. What it changes acts at once."""

from __future__ import annotations

from typing import Annotated

import msgspec
from flask import Flask, Response, render_template
from msgspec import Meta

from controller.typed import decoder
from web_panel.answers_of_pages import SettingsForm
from web_panel.backend import TableAccess
from web_panel.serving.http import as_json, takes

Setting = Annotated[str, Meta(min_length=1, max_length=64)]
Text = Annotated[str, Meta(max_length=1000)]


class Choose(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Set each of ``values``; null sets one back to its default."""

    values: Annotated[dict[Setting, bool | int | Text | None], Meta(max_length=64)]


def add_settings(app: Flask, backend: TableAccess) -> None:
    """Add the page and its addresses."""

    @app.get("/settings")
    def settings_page() -> str:
        """The settings, each with what it does."""
        return render_template("settings.html")

    @app.get("/api/settings")
    def settings() -> Annotated[Response, SettingsForm]:
        """What can be set, for a form."""
        return as_json(backend.form())

    @app.post("/api/settings")
    @takes(decoder(Choose))
    def choose(what: Choose) -> Annotated[Response, SettingsForm]:
        """Set something, on the table and on every phone at once; answers when it is saved."""
        backend.choose(what.values)
        return as_json(backend.form())
