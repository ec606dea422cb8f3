"""The page "The house": every board that shares a broker with this one, and how the connection stands.

Owns its addresses, and how names that other boards give are cleaned. Must not know MQTT.
"""

from __future__ import annotations

from typing import Any, Protocol

from flask import Flask, Response, render_template

from web_panel.http import as_json
from web_panel.names import cleaned


class HouseAccess(Protocol):
    """Whoever knows the house."""

    def report(self) -> dict[str, Any]:
        """Return ``{"on", "connected", "told", "boards"}``: whether the house is told of this board, how the connection
        stands in one sentence, and every board.

        A board is ``{"name", "address", "game", "phase", "turn", "told", "on", "here"}``; ``address`` is "" where only
        its own machine opens its panel, ``here`` marks this board.
        """


class NoHouse:
    """A `HouseAccess` of a board that belongs to none."""

    def report(self) -> dict[str, Any]:
        """Return that nothing is told."""
        return {"on": False, "connected": False, "told": "", "boards": []}


def add_house(app: Flask, house: HouseAccess) -> None:
    """Add the page and its address to ``app``."""

    @app.get("/house")
    def house_page() -> str:
        """The boards of the house, each with a link to its panel."""
        return render_template("house.html")

    @app.get("/api/house")
    def boards() -> Response:
        """How the connection to the house stands, and its boards."""
        report = house.report()
        return as_json({**report, "boards": [_shown(board) for board in report["boards"]]})


def _shown(board: dict[str, Any]) -> dict[str, Any]:
    """Return ``board`` with the texts of others without what cannot be seen or turns the writing round."""
    texts = {name: cleaned(board[name]) for name in ("name", "game", "turn", "told") if board[name]}
    return {**board, **texts}
