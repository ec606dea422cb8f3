"""What a phone shows where the board does not answer."""

from __future__ import annotations

from flask import Flask, Response, render_template


def add_offline(app: Flask) -> None:
    """Add both to ``app``. The script lies at the root, since it may only care for pages beneath its own address."""

    @app.get("/offline")
    def offline() -> str:
        """The page that says that the board does not answer."""
        return render_template("offline.html")

    @app.get("/offline.js")
    def offline_worker() -> Response:
        """The service worker."""
        return app.send_static_file("offline_worker.js")
