"""The page "The house": every board that shares a broker with this one, and how the connection stands."""

from __future__ import annotations

from typing import Annotated, Any, Protocol

import msgspec
from flask import Flask, Response, g, render_template
from msgspec import Meta

from controller.refused import Refused
from controller.sentences import say
from controller.typed import decoder
from web_panel.answers_of_pages import HousePage
from web_panel.people.names import cleaned
from web_panel.serving.http import as_json, takes


class ForgetBoard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Forget the board with that ``id``."""

    id: Annotated[str, Meta(pattern="^[0-9a-f]{8}$")]


class HouseAccess(Protocol):
    """Whoever knows the house."""

    def report(self) -> dict[str, Any]:
        """Return ``{"on", "connected", "told", "boards"}``: whether the house is told of this board, how the connection
        stands in one sentence, and every board.

        A board is ``{"id", "name", "address", "game", "phase", "turn", "told", "on", "here"}``; ``address`` is "" where
        only its own machine opens its panel, ``here`` marks this board.
        """

    def forget(self, id: str) -> None:
        """Forget a board that is gone; raises `controller.refused.Refused`."""


class NoHouse:
    """A `HouseAccess` of a board that belongs to none."""

    def report(self) -> dict[str, Any]:
        """Return that nothing is told."""
        return {"on": False, "connected": False, "told": "", "boards": []}

    def forget(self, id: str) -> None:
        """Refuse: there is none."""
        raise Refused(say("This board is not connected to the house."))


def add_house(app: Flask, house: HouseAccess) -> None:
    """Add the page and its address to ``app``."""

    @app.get("/house")
    def house_page() -> str:
        """The boards of the house, each with a link to its panel."""
        return render_template("house.html")

    @app.get("/api/house")
    def boards() -> Annotated[Response, HousePage]:
        """How the connection to the house stands, and its boards."""
        report = house.report()
        owner = g.visitor.role == "owner"
        return as_json({**report, "boards": [_shown(board) for board in report["boards"]], "forgets": owner})

    @app.post("/api/house/forget")
    @takes(decoder(ForgetBoard))
    def forget(what: ForgetBoard) -> None:
        """Forget a board of the house that is gone; one that is switched on again comes back by itself."""
        house.forget(what.id)


def _shown(board: dict[str, Any]) -> dict[str, Any]:
    """Return ``board`` with the texts of others without what cannot be seen or turns the writing round."""
    texts = {name: cleaned(board[name]) for name in ("name", "game", "turn", "told") if board[name]}
    return {**board, **texts}
