"""The hands of a simulated board: pieces to lift, to put down and to set aside.

Only there where the board has no real sensors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any

import msgspec
from flask import Flask, Response, g
from msgspec import Meta

from controller.orders import PlayPly
from controller.refused import Refused
from controller.sentences import say
from controller.typed import decoder
from web_panel.answers import Lifted, Pieces, PiecesThere, Tapped
from web_panel.backend import HandAccess, Standing
from web_panel.people.allowed import checked, moved_by, open_to, sight
from web_panel.people.phones import Phones
from web_panel.serving.http import as_json, takes

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


class PutBack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Put the piece with the id ``piece`` back where it was lifted."""

    piece: Name


class Tap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Tap ``site`` with ``piece`` in the hand, or none; ``ply`` is the one chosen where several fit."""

    site: Name
    piece: Annotated[str, Meta(max_length=64)] = ""
    ply: Annotated[str, Meta(max_length=200)] = ""


class Finish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether moves are finished by the board's own hand."""

    on: bool


class SetUp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Make the board stand as the table expects it."""


def add_hand(
    app: Flask, hand: HandAccess, standing: Callable[[], Standing], phones: Phones, away: Callable[[], Iterable[int]]
) -> None:
    """Add the addresses of ``hand`` to ``app``; ``standing`` says who is to move, ``away`` whose phones are away."""

    def now_there() -> dict[str, Any]:
        """Return where all pieces are by now: others may have moved them since, so no answer tells of one alone."""
        return {"pieces": hand.pieces()}

    def acts() -> frozenset[int]:
        """Return the seats whose pieces the visitor moves; refuse a phone far away while others are to move."""
        now = standing()
        if g.visitor.afar and now.to_move not in g.visitor.seats:
            raise Refused(say("It is not your turn."))
        return moved_by(g.visitor, phones, now)

    @app.get("/api/pieces")
    def pieces() -> Annotated[Response, Pieces]:
        """Where the pieces of a simulated board are: on it, in the hands, beside it."""
        return as_json(hand.pieces())

    @app.post("/api/lift")
    @takes(decoder(Lift))
    def lift(what: Lift) -> Annotated[Response, Lifted]:
        """Take a piece of a simulated board into the hand."""
        open = open_to(g.visitor, phones, standing())
        return as_json({**hand.lift(what.site, acts(), open), **now_there()})

    @app.post("/api/place")
    @takes(decoder(PutDown))
    def place(what: PutDown) -> Annotated[Response, PiecesThere]:
        """Put a piece of a simulated board down on a site."""
        hand.place(what.piece, what.site, acts())
        return as_json(now_there())

    @app.post("/api/set_aside")
    @takes(decoder(SetAside))
    def set_aside(what: SetAside) -> Annotated[Response, PiecesThere]:
        """Put a piece of a simulated board beside it."""
        hand.set_aside(what.piece, acts())
        return as_json(now_there())

    @app.post("/api/tap")
    @takes(decoder(Tap))
    def tap(what: Tap) -> Annotated[Response, Tapped]:
        """Tap a cell of a simulated board: choose a piece or make a whole move.

        Answers ``choices`` if several fit; as a ``look`` the landings by which several ways lead there, or what a piece
        could do that another phone moves.
        """
        visitor, now, own = g.visitor, standing(), acts()

        def order(text: str, seat: int | None) -> PlayPly:
            ply = checked(PlayPly(text=text, seat=seat), visitor, phones, now)
            assert isinstance(ply, PlayPly)
            return ply

        hidden = now.secret and sight(visitor, None, now) != now.to_move
        done = hand.tap(what.site, what.piece, what.ply, order, hidden, own, open_to(visitor, phones, now))
        return as_json({**now_there(), **{name: done[name] for name in ("choices", "look") if name in done}})

    @app.post("/api/put_back")
    @takes(decoder(PutBack))
    def put_back(what: PutBack) -> Annotated[Response, PiecesThere]:
        """Put a piece of a simulated board back where it was lifted, also one in the hand of a phone that is away."""
        hand.put_back(what.piece, acts() | {*away()})
        return as_json(now_there())

    @app.post("/api/finish")
    @takes(decoder(Finish))
    def finish(what: Finish) -> None:
        """Let a simulated board finish moves, or leave every touch to people."""
        hand.finish(what.on, acts())

    @app.post("/api/set_up")
    @takes(decoder(SetUp))
    def set_up(what: SetUp) -> None:
        """Make a simulated board stand as the table expects it."""
        hand.set_up(moved_by(g.visitor, phones, standing()))
