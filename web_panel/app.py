"""The panel over HTTP: all its parts as one Flask app."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Protocol

import msgspec
from flask import Flask, Response, g, render_template, request
from flask_limiter import Limiter
from msgspec import Meta
from msgspec.json import Decoder

from controller.game_setup import Seat
from controller.orders import AnyOrder
from controller.refused import Refused
from controller.table.views.types import Card, Choice, EarlierPosition
from controller.typed import decoder
from web_panel.answers import GameOffered, Geometry, LevelTold, Ordered
from web_panel.backend import Eyes, TableAccess
from web_panel.language import speak
from web_panel.openapi import add_openapi
from web_panel.ordering import KeepsGames, Ordering
from web_panel.pages.afar_page import AfarAccess, add_afar
from web_panel.pages.analyses import AnalysisAccess, add_analyses
from web_panel.pages.backups_page import BackupsAccess, add_backups
from web_panel.pages.claims import add_claims
from web_panel.pages.costs_page import Costs, add_costs, add_facing
from web_panel.pages.diagnostics import DiagnosticsAccess, add_diagnostics
from web_panel.pages.first_evening import add_first_evening
from web_panel.pages.health_page import HealthAccess, add_health
from web_panel.pages.history import add_history
from web_panel.pages.house_page import HouseAccess, NoHouse, add_house
from web_panel.pages.network_page import NetworkAccess, Portal, add_network
from web_panel.pages.notices import NoNotices, NoticesAccess, add_notices
from web_panel.pages.puzzles_page import add_puzzles
from web_panel.pages.reach import FixedReach, ReachAccess, add_reach
from web_panel.pages.rules_pages import Diagrams, add_rules
from web_panel.pages.runs_page import RunsAccess, add_runs, add_runs_page
from web_panel.pages.screens import add_screens
from web_panel.pages.secure_page import SecureAccess, add_secure, own_host
from web_panel.pages.settings_page import add_settings
from web_panel.pages.sharing import add_sharing
from web_panel.pages.updates_page import FirmwareAccess, UpdatesAccess, add_updates
from web_panel.pages.wired_page import WiredAccess, add_wired
from web_panel.pages.workshop_page import VariantsAccess, add_variants, add_workshop
from web_panel.people.allowed import sight
from web_panel.people.by_name import call_by_name
from web_panel.people.far_phones import FarPanel
from web_panel.people.joining import WaysIn, add_joining
from web_panel.people.people import People, add_people, no_games, nothing_learnt
from web_panel.people.phones import Phones, Visitor
from web_panel.people.virtual_hand import add_hand
from web_panel.security import guard, who_asks
from web_panel.serving.costly import AnswerCache, OneAtATime
from web_panel.serving.counting import STEADY
from web_panel.serving.http import as_json, compress, takes, tell_errors
from web_panel.serving.offline import add_offline
from web_panel.serving.script_bundle import add_script
from web_panel.stream import STREAMS, StreamSlots, add_stream, connected, own_seat

CHANGES_LIMIT = "60 per second; 1200 per minute"  # of one who asks; a piece that slides over cells makes many
MOST_LANGUAGES = 32
MOST_LEFT = 2  # games that were left, offered to go on with


class PliesOf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which plies: those at ``site``, or without one those that have none, as far as ``seat`` may know them.

    Or which card: that of the piece at ``site``.
    """

    site: Annotated[str, Meta(max_length=64)] = ""
    seat: Seat | None = None


class Aloud(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be said: the piece at ``site``, or without a site the ``move`` with that number, from 1."""

    site: Annotated[str, Meta(max_length=64)] = ""
    move: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    seat: Seat | None = None


class PositionOf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which position of the game on the table: that after ``ply`` plies, as far as ``seat`` may know it."""

    ply: Annotated[int, Meta(ge=0, lt=1 << 53)]
    seat: Seat | None = None


class GamesAccess(Diagrams, Costs, KeepsGames, Protocol):
    """Who knows the rules and keeps the games."""


def create_app(
    backend: TableAccess,
    allowed_hosts: Iterable[str] = (),
    streams: int = STREAMS,
    entry: WaysIn | None = None,
    history: GamesAccess | None = None,
    diagnostics: DiagnosticsAccess | None = None,
    analyses: AnalysisAccess | None = None,
    house: HouseAccess | None = None,
    afar: AfarAccess | None = None,
    notices: NoticesAccess | None = None,
    reach: ReachAccess | None = None,
    variants: VariantsAccess | None = None,
    runs: RunsAccess | None = None,
    health: HealthAccess | None = None,
    backups: BackupsAccess | None = None,
    updates: UpdatesAccess | None = None,
    firmware: FirmwareAccess | None = None,
    network: NetworkAccess | None = None,
    wired: WiredAccess | None = None,
    secure: SecureAccess | None = None,
) -> Flask:
    """Return the panel of ``backend``, which people enter by ``entry``; without it any browser of this machine owns it.

    It answers under this machine's names, private addresses and ``allowed_hosts``. At most ``streams`` browsers
    watch at once; the server needs a thread for each and a few more. Without ``history``, ``diagnostics`` and
    ``health`` it has no pages about rules, games played and how the board does.
    """
    app = Flask(__name__)
    # The board in the page reads as /api/board has it, so that a page that comes back redraws nothing.
    app.jinja_env.policies["json.dumps_kwargs"] = {"sort_keys": False, "separators": (",", ":"), "ensure_ascii": False}
    entry = entry or WaysIn(Phones(), local=True)
    languages = speak(app, lambda: str(backend.settings().get("language", "auto")))
    tell_errors(app)
    portal = Portal(network)
    certified = partial(own_host, secure) if secure is not None else lambda name: False
    guard(app, allowed_hosts, lambda: entry.visitor_getter()(), portal.elsewhere, certified)
    limiter = Limiter(
        who_asks, app=app, storage_uri=f"{STEADY}://", default_limits=[CHANGES_LIMIT],
        default_limits_exempt_when=lambda: request.method in ("GET", "HEAD"),
    )  # fmt: skip
    compress(app)
    _add_board(app, backend)
    _add_views(app, backend, history, variants)
    _add_orders(app, backend, entry, history, limiter)
    add_facing(app, backend)
    slots = StreamSlots(streams)
    add_stream(app, backend, entry, slots)
    add_script(app, languages)
    add_offline(app)
    add_joining(app, backend, entry, limiter)
    add_reach(app, backend, entry, reach or FixedReach())
    turns = OneAtATime()
    finished, learnt = (history.finished, history.learnt) if history else (no_games, nothing_learnt)
    add_people(app, entry.people, finished, learnt, turns)
    add_screens(app, entry)
    add_settings(app, backend)
    add_house(app, house or NoHouse())
    add_notices(app, notices or NoNotices())
    add_puzzles(
        app, backend, lambda visitor: entry.people.come(visitor, finished(""), learnt()),
        partial(_left, history, entry.people), finished, learnt, turns,
        partial(entry.people.welcomes, analyses.puzzles if analyses else list),
    )  # fmt: skip
    if history is not None:
        entry.named.sat = partial(_sat, history)
        _add_games(app, history, entry.people, analyses, variants, runs, turns)
    _add_lab(app, variants, runs, turns)
    if diagnostics is not None:
        add_diagnostics(app, diagnostics, limiter)
    if health is not None:
        add_health(app, health, entry, limiter, partial(connected, entry, slots))
    _add_upkeep(app, backups, updates, firmware, turns)
    _add_pi(app, network, portal, wired)
    _add_secure(app, secure, entry)
    _add_afar(app, afar, backend, entry)
    add_openapi(app)
    if backend.hand is not None:
        away = lambda: entry.presence.away(entry.phones.all())  # noqa: E731
        add_hand(app, backend.hand, backend.standing, entry.phones, away)
    return app


def _sat(history: GamesAccess) -> Sequence[str]:
    """Return who sat in the last game, nobody where the journal cannot say: then players are called by their seats."""
    try:
        return history.sat()
    except Refused:
        return ()


def _left(history: GamesAccess | None, people: People, visitor: Visitor) -> list[dict[str, Any]]:
    """Return the newest games that were left, those of ``visitor`` first, each with whether ``others`` play it."""
    if history is None:
        return []
    left = [{**game, "others": _others_play(history, people, visitor, game["id"])} for game in history.left()]
    return sorted(left, key=lambda game: bool(game["others"]))[:MOST_LEFT]


def _others_play(history: GamesAccess, people: People, visitor: Visitor, game_id: int) -> bool:
    return people.others_play(visitor, history.people_of(game_id))


def _add_lab(app: Flask, variants: VariantsAccess | None, runs: RunsAccess | None, turns: OneAtATime) -> None:
    """Add what is made and tried of games."""
    if runs is not None:
        add_runs(app, runs)
    if variants is not None:
        add_variants(app, variants, turns)


def _add_secure(app: Flask, secure: SecureAccess | None, entry: WaysIn) -> None:
    app.jinja_env.globals.update(has_https=secure is not None)
    if secure is not None:
        add_secure(app, secure, entry)


def _add_afar(app: Flask, afar: AfarAccess | None, backend: TableAccess, entry: WaysIn) -> None:
    if afar is not None:
        add_afar(app, afar)
        afar.answered_by(FarPanel(app, backend, entry))


def _add_upkeep(
    app: Flask, backups: BackupsAccess | None, updates: UpdatesAccess | None, firmware: FirmwareAccess | None,
    turns: OneAtATime,
) -> None:  # fmt: skip
    """Add the pages of what keeps a board going over the years."""
    if backups is not None:
        add_backups(app, backups, turns)
    if updates is not None:
        add_updates(app, updates, turns, firmware)


def _add_pi(app: Flask, network: NetworkAccess | None, portal: Portal, wired: WiredAccess | None) -> None:
    """Add the pages about the Pi on which this runs, as far as there is something to set."""
    app.jinja_env.globals.update(has_network=network is not None, is_wired=wired is not None and wired.changeable)
    if network is not None:
        add_network(app, network, portal)
    if wired is not None and wired.changeable:
        add_wired(app, wired)


def _add_games(
    app: Flask, history: GamesAccess, people: People, analyses: AnalysisAccess | None,
    variants: VariantsAccess | None, runs: RunsAccess | None, turns: OneAtATime,
) -> None:  # fmt: skip
    """Add the pages about rules, games played and what they say of each other."""
    add_rules(app, history, turns)
    add_costs(app, history)
    add_history(app, history, turns)
    add_claims(app, history, people, turns)
    add_sharing(app, history, turns)
    add_first_evening(app, history, turns)
    if variants is not None:
        add_workshop(app, history, variants, turns)
        if runs is not None:
            add_runs_page(app, history, variants, runs)
    if analyses is not None:
        add_analyses(app, analyses, partial(_others_play, history, people), turns)


def _add_board(app: Flask, backend: TableAccess) -> None:
    pages = AnswerCache(OneAtATime(STREAMS), MOST_LANGUAGES)

    @app.context_processor
    def drawn() -> dict[str, object]:
        # With it a page keeps the board's place free from the start, so that nothing moves when it is drawn.
        return {"board_view": lambda: " ".join(map(str, backend.geometry()["view"]))}

    @app.get("/")
    def panel() -> str:
        """The panel itself."""

        def drawn() -> str:
            return render_template("panel.html", board=short(backend.geometry()), hand=backend.hand is not None)

        return pages.get((g.language, backend.geometry()["name"]), drawn)

    @app.get("/api/board")
    def board() -> Annotated[Response, Geometry]:
        """The board for drawing, in millimetres."""
        return as_json(backend.geometry())


def _add_views(
    app: Flask, backend: TableAccess, history: GamesAccess | None, variants: VariantsAccess | None
) -> None:  # fmt: skip
    @app.get("/api/games")
    def games() -> Annotated[Response, list[GameOffered]]:
        """The games, with their options, and their variants where rules can be changed here."""
        found = (history or backend).games()
        if variants is not None:
            found = [{**game, "variants": variants.listed(game["name"])} for game in found]
        return as_json(found)

    @app.get("/api/levels")
    def levels() -> Annotated[Response, list[LevelTold]]:
        """The levels at which the board can play."""
        return as_json(backend.levels())

    @app.get("/api/plies")
    @takes(decoder(PliesOf))
    def plies(which: PliesOf) -> Annotated[Response, list[Choice]]:
        """The legal plies that begin at or concern a site."""
        return as_json(backend.plies(which.site, _eyes(which.seat)))

    @app.get("/api/card")
    @takes(decoder(PliesOf))
    def card(which: PliesOf) -> Annotated[Response, Card | None]:
        """What there is to know of the piece at a site: its name, how it moves, facts; null where there is none."""
        return as_json(backend.card(which.site, _eyes(which.seat)))

    @app.get("/api/aloud")
    @takes(decoder(Aloud))
    def aloud(what: Aloud) -> Annotated[Response, str]:
        """A move, or what stands on a site and what attacks it, in words for a voice; "" where there is none."""
        return as_json(backend.aloud(what.site, what.move, _eyes(what.seat)))

    @app.get("/api/position")
    @takes(decoder(PositionOf))
    def position(which: PositionOf) -> Annotated[Response, EarlierPosition]:
        """How the game on the table stood some moves ago; the game itself goes on."""
        return as_json(backend.look_back(which.ply, _eyes(which.seat)))


def _eyes(seat: int | None) -> Eyes:
    """Return with which eyes the visitor sees the game, as ``seat``; ends the request where that is not its own."""
    return partial(sight, g.visitor, own_seat(seat))


def _add_orders(app: Flask, backend: TableAccess, entry: WaysIn, history: GamesAccess | None, limiter: Limiter) -> None:
    ordering = Ordering(backend, entry, history, limiter)
    union: Any = AnyOrder
    orders: Decoder[AnyOrder] = decoder(union)
    call_by_name(app, backend, entry.named)

    @app.post("/api/order")
    @takes(orders)
    def order(what: AnyOrder) -> Annotated[Response, Ordered]:
        """Carry out an order; answers when it is on disk, with a ``warning`` where the disk does not take it."""
        return as_json(ordering.take(what))


def short(geometry: Mapping[str, Any]) -> dict[str, Any]:
    """Return a board for drawing with each shape of a site told once: a phone that opens the page gets half as much.

    ``sites`` are ``{name: [kind, x, y, number of its shape]}``, ``shapes`` outlines about (0, 0). See geometry.js.
    """
    shapes: list[list[list[float]]] = []
    sites = {}
    for name, site in geometry["sites"].items():
        x, y = site["x"], site["y"]
        shape = [[round(px - x, 2), round(py - y, 2)] for px, py in site["outline"]]
        if shape not in shapes:
            shapes.append(shape)
        sites[name] = [site["kind"], x, y, shapes.index(shape)]
    return {**geometry, "sites": sites, "shapes": shapes}
