"""The panel over HTTP: a page, the board and the games to read, a stream to watch, orders and touches to send.

Owns the addresses, how bodies are read and which status a refusal has. Must not know rules, devices or who
implements the desk.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any, Protocol

import msgspec
from flask import Flask, Response, abort, g, render_template, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from limits import parse
from msgspec import Meta
from msgspec.json import Decoder, Encoder

from controller.events import AnyOrder, NewGame, PlayAgain, Resume, Seat, StartLesson
from controller.sentences import say
from web_panel.backend import Hand, TableAccess
from web_panel.costly import Kept, OneAtATime
from web_panel.counting import STEADY
from web_panel.diagnostics import DiagnosticsAccess, add_care
from web_panel.history import HistoryAccess, add_history
from web_panel.http import as_json, compress, takes, tell_errors
from web_panel.joining import Entry, add_pairing, you
from web_panel.language import speak
from web_panel.openapi import add_openapi
from web_panel.phones import Phones, checked, sight
from web_panel.rules_pages import Diagrams, add_rules
from web_panel.script_bundle import add_script
from web_panel.security import guard
from web_panel.settings_page import add_settings

STREAMS = 64  # event streams at once; each holds a thread of the server
CHANGES_LIMIT = "60 per second; 1200 per minute"  # of one address; a piece that slides over cells makes many
BEGINNINGS_LIMIT = "30 per minute"  # games that one address begins or takes up: each is laid out and written
MOST_LANGUAGES = 32
LEAST_EACH = 8  # streams of one address, whatever the number of all
LOOK_S = 2.0  # after which it is seen to that a watcher to whom there is nothing to tell is still there
LOOKS = 7  # after so many something is sent; to a page that asks to join, whose cell glows, each time
RETRY_MS = 1000  # how long a browser waits before it asks for the stream again

BEGINNING = NewGame | PlayAgain | Resume | StartLesson
Name = Annotated[str, Meta(min_length=1, max_length=64)]


class PliesOf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which plies: those at ``site``, or without one those that have none, as far as ``seat`` may know them."""

    site: Annotated[str, Meta(max_length=64)] = ""
    seat: Seat | None = None


class WatchAs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Watch as the one who plays ``seat``, which the phone must hold."""

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


class GamesAccess(Diagrams, HistoryAccess, Protocol):
    """Who knows the rules and keeps the games."""


def create_app(
    desk: TableAccess,
    allowed_hosts: Iterable[str] = (),
    streams: int = STREAMS,
    entry: Entry | None = None,
    library: GamesAccess | None = None,
    care: DiagnosticsAccess | None = None,
) -> Flask:
    """Return the panel of ``desk``, which people enter by ``entry``; without it any browser of this machine owns it.

    It answers under this machine's names, private addresses and ``allowed_hosts``. At most ``streams`` browsers
    watch at once; the server needs a thread for each and a few more. Without ``library`` and ``care`` it has no pages
    about rules, games played and the board's health.
    """
    app = Flask(__name__)
    # The board in the page reads as /api/board has it, so that a page that comes back draws nothing anew.
    app.jinja_env.policies["json.dumps_kwargs"] = {"sort_keys": False}
    entry = entry or Entry(Phones(), local=True)
    speak(app, lambda: str(desk.settings().get("language", "auto")))
    guard(app, allowed_hosts, lambda: entry.teller()())
    limiter = Limiter(
        get_remote_address, app=app, storage_uri=f"{STEADY}://", default_limits=[CHANGES_LIMIT],
        default_limits_exempt_when=lambda: request.method in ("GET", "HEAD"),
    )  # fmt: skip
    tell_errors(app)
    compress(app)
    _add_board(app, desk)
    _add_views(app, desk, Places(streams), entry, library, limiter)
    add_script(app)
    add_pairing(app, desk, entry, limiter)
    add_settings(app, desk)
    if library is not None:
        turns = OneAtATime()
        add_rules(app, library, turns)
        add_history(app, library, turns)
    if care is not None:
        add_care(app, care, limiter)
    add_openapi(app)
    if desk.hand is not None:
        _add_hand(app, desk.hand)
    return app


def places_each(most: int) -> int:
    """Return how many streams of ``most`` one address may have."""
    return max(LEAST_EACH, most // 4)


class Places:
    """The places for event streams: ``most`` in all, of which one address never has so many that others find none."""

    def __init__(self, most: int) -> None:
        self._most, self._each = most, places_each(most)
        self._lock = threading.Lock()
        self._taken: Counter[str] = Counter()

    def acquire(self, address: str) -> bool:
        """Take a place, if there is one."""
        with self._lock:
            if self._taken.total() >= self._most or self._taken[address] >= self._each:
                return False
            self._taken[address] += 1
            return True

    def release(self, address: str) -> None:
        """Give the place back."""
        with self._lock:
            self._taken[address] -= 1
            self._taken = +self._taken  # whoever has none is forgotten


def _add_board(app: Flask, desk: TableAccess) -> None:
    pages = Kept(OneAtATime(STREAMS), MOST_LANGUAGES)

    @app.context_processor
    def drawn() -> dict[str, object]:
        # With it a page keeps the board's place free from the start, so that nothing moves when it is drawn.
        return {"board_view": lambda: " ".join(map(str, desk.geometry()["view"]))}

    @app.get("/")
    def panel() -> str:
        """The panel itself."""

        def drawn() -> str:
            return render_template("panel.html", board=desk.geometry(), hand=desk.hand is not None)

        return pages.get(g.language, drawn)

    @app.get("/api/board")
    def board() -> Response:
        """The board for drawing, in millimetres."""
        return as_json(desk.geometry())


def _add_views(
    app: Flask, desk: TableAccess, free: Places, entry: Entry, library: GamesAccess | None, limiter: Limiter
) -> None:
    beginnings = parse(BEGINNINGS_LIMIT)
    orders: Decoder[AnyOrder] = Decoder(AnyOrder)  # a union, whose type has to be said

    @app.get("/api/games")
    def games() -> Response:
        """The games, with their options."""
        return as_json((library or desk).games())

    @app.get("/api/plies")
    @takes(Decoder(PliesOf))
    def plies(which: PliesOf) -> Response:
        """The legal plies that begin at or concern a site."""
        visitor, wanted = g.visitor, _held(which.seat)
        return as_json(desk.plies(which.site, lambda standing: sight(visitor, wanted, standing)))

    @app.get("/api/watch")
    @takes(Decoder(WatchAs))
    def watch(which: WatchAs) -> Response:
        """What there is to see, now and after each change, as server-sent events."""
        visitor, asking, wanted = entry.teller(), entry.asking(), _held(which.seat)
        if not free.acquire(address := request.remote_addr or ""):
            abort(503, say("Too many browsers watch this panel; close one and try again."))
        changes = desk.watch(lambda now: sight(visitor(), wanted, now), LOOK_S)
        gone = request.environ.get("waitress.client_disconnected", lambda: False)
        told = _events(
            _heard(changes, gone, 1 if asking else LOOKS),
            lambda: you(desk, entry.phones, visitor(), asking),
            Encoder(enc_hook=g.spoken),
        )
        response = Response(told, mimetype="text/event-stream")
        response.call_on_close(lambda: free.release(address))
        response.call_on_close(entry.pages.opened(asking, desk.watched))
        return response

    @app.post("/api/order")
    @takes(orders)
    def order(what: AnyOrder) -> Response:
        """Carry out an order; answers when it is on disk, with a ``warning`` where the disk does not take it."""
        if isinstance(what, BEGINNING) and not limiter.limiter.hit(beginnings, "games", get_remote_address()):
            abort(429, say("Many games were begun from here just now: try again in a minute."))
        warning = desk.submit(checked(what, g.visitor, entry.phones, desk.standing()))
        if isinstance(what, NewGame | PlayAgain):  # only now that it has begun: a refused one moves nobody
            entry.phones.reseat(what.seats, len(desk.standing().seats))
        return as_json({"warning": warning} if warning else {})


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


def _held(seat: int | None) -> int | None:
    """Return ``seat``; ends the request where another phone's is asked for."""
    if seat is not None and seat not in g.visitor.seats:
        abort(403, say("Only the phone that holds this seat sees what it knows: take the seat first."))
    return seat


def _heard(
    changes: Iterator[tuple[str, Any] | None], gone: Callable[[], bool], looks: int
) -> Iterator[tuple[str, Any] | None]:
    """Yield ``changes``, of those that say that nothing changed only each one that is number ``looks`` in a row.

    Ends when the watcher is ``gone``, so that the place is free for another at once.
    """
    quiet = 0
    for change in changes:
        if gone():
            return
        quiet = quiet + 1 if change is None else 0
        if change is not None or quiet % looks == 0:
            yield change


def _events(
    changes: Iterator[tuple[str, Any] | None], you: Callable[[], dict[str, Any]], encoder: Encoder
) -> Iterator[bytes]:
    """Yield ``changes`` as server-sent events, and ``you`` whenever that is something else.

    ``encoder`` has the language that the phone had when it began to watch. A comment when there are no changes finds a
    dead connection.
    """
    yield b"retry: %d\n\n" % RETRY_MS
    said = b""
    for change in changes:
        if (now := encoder.encode(you())) != said:
            said = now
            yield b"event: you\ndata: %s\n\n" % now
        if change is None:
            yield b": nothing new\n\n"
        else:
            yield b"event: %s\ndata: %s\n\n" % (change[0].encode(), encoder.encode(change[1]))
