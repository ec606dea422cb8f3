"""The page "Which board": which one is wired to the Pi, for owners. The service starts again with it."""

from __future__ import annotations

from typing import Annotated, Any, Protocol

import msgspec
from flask import Flask, Response, g, render_template
from msgspec import Meta

from controller.typed import decoder
from web_panel.answers import Done
from web_panel.answers_of_pages import WiredTold
from web_panel.security import check_owner
from web_panel.serving.http import as_json, takes


class ChooseBoard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ``board`` of that name is wired; ``screen``: none yet."""

    board: Annotated[str, Meta(max_length=64)]


class WiredAccess(Protocol):
    """Whoever knows which board is wired, and can have the service start with another."""

    @property
    def changeable(self) -> bool:
        """Whether there is a board of wood, so that it matters which."""

    def report(self) -> dict[str, Any]:
        """Return how it stands, as `WiredTold` has it."""

    def choose(self, board: str) -> None:
        """Keep for the next start that this one is wired; raises `controller.refused.Refused`."""

    def start_again(self) -> None:
        """Start the service again soon: then what was chosen counts."""


def add_wired(app: Flask, wired: WiredAccess) -> None:
    """Add the page and its addresses to ``app``."""

    @app.get("/wired")
    def which_board() -> str:
        """A page with the boards, to choose the one that is wired."""
        return render_template("wired.html", owner=g.visitor.role == "owner")

    @app.get("/api/wired")
    def wired_now() -> Annotated[Response, WiredTold]:
        """Which board is wired, and which there are. For owners."""
        check_owner(g.visitor)
        return as_json(wired.report())

    @app.post("/api/wired/choose")
    @takes(decoder(ChooseBoard))
    def choose_board(what: ChooseBoard) -> Done:
        """Say which board is wired; the service starts again with it. For owners."""
        wired.choose(what.board)
        answer = as_json({})
        answer.call_on_close(wired.start_again)  # once it is sent
        return answer
