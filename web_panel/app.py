"""The panel over HTTP: a page, the board and the games to read, a stream to watch, orders and touches to send.

Owns the addresses, how bodies are read and which status a refusal has. Must not know rules, devices or who
implements the desk.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, TypeVar

import msgspec
from flask import Flask, Response, abort, render_template, request
from msgspec import Meta
from msgspec.json import Decoder
from werkzeug.exceptions import HTTPException

from controller.events import AnyOrder
from web_panel.desk import Desk, Hand, Refused
from web_panel.guard import guard

STREAMS = 64  # event streams at once; each holds a thread of the server
RETRY_MS = 1000  # how long a browser waits before it asks for the stream again

Name = Annotated[str, Meta(min_length=1, max_length=64)]
T = TypeVar("T")


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
    app.register_error_handler(HTTPException, _as_sentence)
    app.register_error_handler(Refused, lambda refused: _error(str(refused), 409))
    _add_views(app, desk, threading.BoundedSemaphore(streams))
    if desk.hand is not None:
        _add_hand(app, desk.hand)
    return app


def _add_views(app: Flask, desk: Desk, free: threading.BoundedSemaphore) -> None:
    orders: Decoder[AnyOrder] = Decoder(AnyOrder)

    @app.get("/")
    def panel() -> str:
        return render_template("panel.html")

    @app.get("/api/board")
    def board() -> Response:
        return _json(desk.geometry())

    @app.get("/api/games")
    def games() -> Response:
        return _json(desk.games())

    @app.get("/api/watch")
    def watch() -> Response:
        if not free.acquire(blocking=False):
            abort(503, "Too many browsers watch this panel; close one and try again.")
        response = Response(_events(desk), mimetype="text/event-stream")
        response.call_on_close(free.release)
        return response

    @app.post("/api/order")
    def order() -> Response:
        desk.submit(_body(orders))
        return _json({})


def _add_hand(app: Flask, hand: Hand) -> None:
    lifts, places, set_asides, set_ups = Decoder(Lift), Decoder(Place), Decoder(SetAside), Decoder(SetUp)

    @app.get("/api/pieces")
    def pieces() -> Response:
        return _json(hand.pieces())

    @app.post("/api/lift")
    def lift() -> Response:
        return _json(hand.lift(_body(lifts).site))

    @app.post("/api/place")
    def place() -> Response:
        body = _body(places)
        hand.place(body.piece, body.site)
        return _json({})

    @app.post("/api/set_aside")
    def set_aside() -> Response:
        hand.set_aside(_body(set_asides).piece)
        return _json({})

    @app.post("/api/set_up")
    def set_up() -> Response:
        _body(set_ups)
        hand.set_up()
        return _json({})


def _events(desk: Desk) -> Iterator[bytes]:
    """Yield the desk's changes as server-sent events; a comment when there are none finds a dead connection."""
    yield b"retry: %d\n\n" % RETRY_MS
    for change in desk.watch():
        if change is None:
            yield b": nothing new\n\n"
        else:
            kind, data = change
            yield b"event: %s\ndata: %s\n\n" % (kind.encode(), data)


def _body(decoder: Decoder[T]) -> T:
    """Return the request's body as ``decoder`` reads it; ends it with 400 and one sentence where it is none."""
    try:
        return decoder.decode(request.get_data())
    except RecursionError:
        abort(400, "The request cannot be read: it is nested too deeply.")
    except ValueError as error:  # of msgspec, or text that is no UTF-8
        abort(400, f"The request cannot be read: {error}.")


def _json(value: Any) -> Response:
    return Response(msgspec.json.encode(value), mimetype="application/json")


def _error(sentence: str, status: int) -> Response:
    response = _json({"error": sentence})
    response.status_code = status
    return response


def _as_sentence(error: HTTPException) -> Response:
    return _error(error.description or error.name, error.code or 500)
