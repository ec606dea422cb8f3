"""The page on which people tell how a first evening went: a form, and what the journal adds if they want that.

The text is put together in the browser and shown there. Nothing of it is kept here, and nothing leaves the board.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import metadata
from typing import Annotated

from flask import Flask, Response, render_template

from web_panel.answers_of_pages import FirstEvening
from web_panel.pages.history import HistoryAccess
from web_panel.serving.costly import OneAtATime
from web_panel.serving.http import as_json

FORM = "4-first-evening.yml"  # in .github/ISSUE_TEMPLATE


def add_first_evening(app: Flask, past: HistoryAccess, turns: OneAtATime) -> None:
    """Add the page and what the journal tells to ``app``; games are read from the journal in ``turns``."""
    version, issues = _installed()
    issue = f"{issues}/new?template={FORM}" if issues else ""

    @app.get("/first-evening")
    def first_evening_page() -> str:
        """A page to tell how a first evening with the board went."""
        return render_template("first_evening.html", version=version, issue=issue)

    @app.get("/api/first-evening")
    @turns.costly
    def first_evening() -> Annotated[Response, FirstEvening]:
        """Where lessons were left, and what was begun and finished, of the newest games. It names nobody."""
        return as_json(past.first_evening())


def _installed() -> tuple[str, str]:
    """Return the version and where issues are kept, each "" where that is not known."""
    try:
        told = metadata.metadata("beaconboard")
    except metadata.PackageNotFoundError:
        return "", ""
    return told["Version"], issues_in(told.get_all("Project-URL") or ())


def issues_in(urls: Iterable[str]) -> str:
    """Return the address that the project's ``urls`` name as that of its issues on GitHub, "" where they name none.

    >>> issues_in(["Homepage, https://example.com", "Issues, https://github.com/somebody/board/issues/"])
    'https://github.com/somebody/board/issues'
    """
    known = dict(url.split(", ", 1) for url in urls if ", " in url)
    found = known.get("Issues", "").rstrip("/")
    return found if found.startswith("https://github.com/") else ""
