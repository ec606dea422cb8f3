"""Pages to look at from afar: the board for a television, and the clocks alone. They show what anybody may see."""

from __future__ import annotations

from flask import Flask, render_template

from web_panel.people.joining import WaysIn, addresses


def add_screens(app: Flask, entry: WaysIn) -> None:
    """Add the pages for screens to ``app``."""

    @app.get("/tv")
    def television() -> str:
        """The board, large, with names, clocks, the last move and the way in."""
        return render_template("tv.html", address=next(iter(addresses(entry)), ""))

    @app.get("/clock")
    def clocks() -> str:
        """The clocks alone, as large as the screen."""
        return render_template("clock.html")
