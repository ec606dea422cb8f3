"""The panel over HTTP: a page, the board and the games to read, a stream to watch, orders and touches to send.

Owns the addresses, how bodies are read and which status a refusal has. Must not know rules, devices or who
implements the desk.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec
from flask import Flask, Response, abort, render_template
from msgspec import Meta
from msgspec.json import Decoder

from controller.events import AnyOrder, Seat
from web_panel.answers import as_json, compress, takes, tell_errors
from web_panel.desk import Desk, Hand
from web_panel.guard import guard

STREAMS = 64  # event streams at once; each holds a thread of the server
RETRY_MS = 1000  # how long a browser waits before it asks for the stream again

Name = Annotated[str, Meta(min_length=1, max_length=64)]


class PliesOf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which plies: those at ``site``, or without one those that have none, as far as ``seat`` may know them."""

    site: Annotated[str, Meta(max_length=64)] = ""
    seat: Seat | None = None


class Lift(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Take up the piece at ``site``."""

    site: Name


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Put the piece with the id ``piece`` on ``site``."""

    piece: Name
    site: Name


class SetAside(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Put the piece with the id ``piece`` beside the board."""

    piece: Name


class SetUp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Make the board stand as the table expects it."""


def create_app(desk: Desk, allowed_hosts: Iterable[str] = (), streams: int = STREAMS) -> Flask:
    """Return the panel of ``desk``.

    It answers under this machine's names, private addresses and ``allowed_hosts``. At most ``streams`` browsers
    watch at once; the server needs a thread for each and a few more.
    """
    app = Flask(__name__)
    guard(app, allowed_hosts)
    tell_errors(app)
    compress(app)
    _add_views(app, desk, threading.BoundedSemaphore(streams))
    if desk.hand is not None:
        _add_hand(app, desk.hand)
    return app


def _add_views(app: Flask, desk: Desk, free: threading.BoundedSemaphore) -> None:
    orders: Decoder[AnyOrder] = Decoder(AnyOrder)  # a union, whose type has to be said

    @app.get("/")
    def panel() -> str:
        """The panel itself."""
        return render_template("panel.html", board=desk.geometry())

    @app.get("/api/board")
    def board() -> Response:
        """The board for drawing, in millimetres."""
        return as_json(desk.geometry())

    @app.get("/api/games")
    def games() -> Response:
        """The games, with their options."""
        return as_json(desk.games())

    @app.get("/api/plies")
    @takes(Decoder(PliesOf))
    def plies(which: PliesOf) -> Response:
        """The legal plies that begin at or concern a site."""
        return as_json(desk.plies(which.site, which.seat))

    @app.get("/api/watch")
    def watch() -> Response:
        """What there is to see, now and after each change, as server-sent events."""
        if not free.acquire(blocking=False):
            abort(503, "Too many browsers watch this panel; close one and try again.")
        response = Response(_events(desk), mimetype="text/event-stream")
        response.call_on_close(free.release)
        return response

    @app.post("/api/order")
    @takes(orders)
    def order(what: AnyOrder) -> Response:
        """Carry out an order; answers when it is on disk."""
        desk.submit(what)
        return as_json({})


def _add_hand(app: Flask, hand: Hand) -> None:
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
    @takes(Decoder(Place))
    def place(what: Place) -> Response:
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


def _events(desk: Desk) -> Iterator[bytes]:
    """Yield the desk's changes as server-sent events; a comment when there are none finds a dead connection."""
    yield b"retry: %d\n\n" % RETRY_MS
    for change in desk.watch():
        if change is None:
            yield b": nothing new\n\n"
        else:
            kind, data = change
            yield b"event: %s\ndata: %s\n\n" % (kind.encode(), data)
