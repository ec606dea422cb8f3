"""The hands of a simulated board: pieces to lift, to put down and to set aside.

Owns the addresses. Only there where the board has no real sensors. Must not know what a move means.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from flask import Flask, Response
from msgspec import Meta
from msgspec.json import Decoder

from web_panel.backend import HandAccess
from web_panel.http import as_json, takes

Name = Annotated[str, Meta(min_length=1, max_length=64)]


class Lift(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Take up the piece at ``site``."""

    site: Name


class PutDown(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Put the piece with the id ``piece`` on ``site``."""

    piece: Name
    site: Name


class SetAside(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Put the piece with the id ``piece`` beside the board."""

    piece: Name


class SetUp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Make the board stand as the table expects it."""


def add_hand(app: Flask, hand: HandAccess) -> None:
    """Add the addresses of ``hand`` to ``app``."""

    @app.get("/api/pieces")
    def pieces() -> Response:
        """Where the pieces of a simulated board are: on it, in the hands, beside it."""
        return as_json(hand.pieces())

    @app.post("/api/lift")
    @takes(Decoder(Lift))
    def lift(what: Lift) -> Response:
        """Take a piece of a simulated board into the hand."""
        return as_json(hand.lift(what.site))

    @app.post("/api/place")
    @takes(Decoder(PutDown))
    def place(what: PutDown) -> Response:
        """Put a piece of a simulated board down on a site."""
        hand.place(what.piece, what.site)
        return as_json({})

    @app.post("/api/set_aside")
    @takes(Decoder(SetAside))
    def set_aside(what: SetAside) -> Response:
        """Put a piece of a simulated board beside it."""
        hand.set_aside(what.piece)
        return as_json({})

    @app.post("/api/set_up")
    @takes(Decoder(SetUp))
    def set_up(what: SetUp) -> Response:
        """Make a simulated board stand as the table expects it."""
        hand.set_up()
        return as_json({})
