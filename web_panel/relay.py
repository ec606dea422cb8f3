"""The relay: the panel and the rules for phones without a board, and their way to the broker and back; and a page that
leads people with a board to theirs.

What it carries is sealed and it has no key: it sees the names of rooms, which tell nothing, and noise.
"""

from __future__ import annotations

import base64
import logging
import queue
import re
from collections.abc import Callable, Iterator
from typing import Protocol

from flask import Flask, Response, abort, g, render_template, request
from limits import parse, parse_many
from limits.strategies import FixedWindowRateLimiter

from controller.refused import Later
from controller.sentences import say
from web_panel.language import speak
from web_panel.pages.rules_pages import Diagrams, add_rules
from web_panel.security import page_headers
from web_panel.serving.costly import AnswerCache, OneAtATime
from web_panel.serving.counting import SteadyCounts
from web_panel.serving.http import as_json, compress, tell_errors
from web_panel.serving.script_bundle import add_script

log = logging.getLogger(__name__)

ROOM = re.compile(r"[0-9a-f]{32}")
MOST_BYTES = 256 * 1024  # of a message from a page
QUIET_S = 15.0  # after which a stream says that it is there still
MOST_WAITING = 256  # messages for a page that reads too slowly; then it begins anew
MOST_LANGUAGES = 32
# Of one address: a page says a dozen things as it opens, and two or three at a tap.
MESSAGES_LIMIT = parse_many("40 per second; 900 per minute")
BYTES_LIMIT = parse(f"{4 * 1024 * 1024} per minute")


class Listening(Protocol):
    """A page's ear in a room."""

    messages: queue.Queue[bytes | bool]
    """What came: a message, or whether the line to the broker stands."""

    def close(self) -> None:
        """Listen no longer."""


class Bridge(Protocol):
    """The way to the broker. Every method may be called from any thread."""

    def listen(self, room: str, address: str, most: int) -> Listening | None:
        """Listen from ``address`` to what is said to the pages of ``room``; None where too many listen already."""

    def send(self, room: str, message: bytes) -> bool:
        """Send what a page says to its board; returns whether the line stands and somebody listens."""


def create_relay(bridge: Bridge, diagrams: Diagrams) -> Flask:
    """Return the relay over ``bridge``, with the pages about the rules that ``diagrams`` draws."""
    app = Flask(__name__)
    headers = page_headers()
    languages = speak(app, lambda: "auto")
    tell_errors(app)
    compress(app)
    add_script(app, languages)
    add_rules(app, diagrams, OneAtATime())
    _add_pages(app)
    _add_line(app, bridge)

    @app.before_request
    def limit() -> None:
        request.max_content_length = MOST_BYTES

    @app.after_request
    def add_headers(response: Response) -> Response:
        headers.set_headers(response)
        response.headers["Referrer-Policy"] = "no-referrer"
        return response

    @app.context_processor
    def drawn() -> dict[str, object]:
        return {"far": True, "board_view": lambda: "0 0 480 480"}  # until the board has told its own

    return app


def _add_pages(app: Flask) -> None:
    pages = AnswerCache(OneAtATime(4), MOST_LANGUAGES)

    @app.get("/")
    def page() -> str:
        """The panel, which talks to its board by the line below; without a manifest, whose app would begin without the
        key of the link.
        """
        return pages.get(g.language, lambda: render_template("panel.html", hand=False, board=None))

    @app.get("/board")
    def invited() -> str:
        """What a link to another board opens: the ways to the reader's own board. The link stays in the browser."""
        return pages.get(f"board {g.language}", lambda: render_template("invited.html"))

    @app.get("/notices.js")
    def notices_worker() -> Response:
        """The service worker that shows notices; at the root, since each link has one with a scope of its own."""
        return app.send_static_file("notice_worker.js")


def _add_line(app: Flask, bridge: Bridge) -> None:
    counts = FixedWindowRateLimiter(SteadyCounts())

    @app.get("/line")
    def listen() -> Response:
        """What is said to the pages of a room, as server-sent events: each a sealed message, in base64."""
        listening = bridge.listen(_room(), request.remote_addr or "", MOST_WAITING)
        if listening is None:
            abort(503, say("Too many pages are open at this relay: try again later."))
        gone = request.environ.get("waitress.client_disconnected", lambda: False)
        response = Response(_events(listening, gone), mimetype="text/event-stream")
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Accel-Buffering"] = "no"  # so that no proxy keeps it back
        response.call_on_close(listening.close)
        return response

    @app.post("/line")
    def send() -> Response:
        """Send a sealed message to the board of a room."""
        if request.mimetype != "application/octet-stream":
            abort(415, say("Send this as application/octet-stream."))
        room, message, address = _room(), request.get_data(), request.remote_addr or ""
        within = all(counts.hit(limit, "messages", address) for limit in MESSAGES_LIMIT)
        if not within or not counts.hit(BYTES_LIMIT, "bytes", address, cost=max(1, len(message))):
            raise Later(say("Too many requests for this at the moment: try again shortly."))
        if not bridge.send(room, message):
            abort(503, say("The relay has no connection to its broker at the moment."))
        return as_json({})


def _room() -> str:
    room = request.args.get("room", "")
    if not ROOM.fullmatch(room):
        abort(400, say("This is no room."))
    return room


def _events(listening: Listening, gone: Callable[[], bool]) -> Iterator[bytes]:
    yield b"retry: 1000\n\n"
    while not gone():
        try:
            came = listening.messages.get(timeout=QUIET_S)
        except queue.Empty:
            yield b": nothing new\n\n"
            continue
        if isinstance(came, bool):
            yield b"event: stands\ndata: %s\n\n" % (b"true" if came else b"false")
        elif not came:  # it was too slow
            return
        else:
            yield b"data: %s\n\n" % base64.b64encode(came)
