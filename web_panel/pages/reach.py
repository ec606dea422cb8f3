"""Who can reach the panel: this computer alone, or every phone of the room, and the page on which an owner says so."""

from __future__ import annotations

import io
from typing import Annotated, Any, Protocol

import msgspec
import segno
from flask import Flask, Response, abort, g, redirect, render_template, url_for

from controller.refused import Refused
from controller.sentences import say
from controller.typed import decoder
from web_panel.answers import Done
from web_panel.answers_of_pages import ReachTold
from web_panel.backend import TableAccess
from web_panel.people.joining import WaysIn, addresses, from_this_machine, with_cookie
from web_panel.people.phones import LOCAL, new_secret
from web_panel.serving.http import as_json, as_svg, takes


class LetIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Let phones in, where ``open``, else only this computer."""

    open: bool


class ReachAccess(Protocol):
    """Whoever knows where the panel listens, and can have it listen elsewhere."""

    @property
    def open(self) -> bool:
        """Whether other devices can reach the panel directly."""

    @property
    def changeable(self) -> bool:
        """Whether that is decided on the page."""

    @property
    def changing(self) -> bool:
        """Whether the service is about to start again."""

    def told(self) -> str:
        """Return who else decides it, or what kept phones out, in one sentence; "" where there is nothing to say."""

    def cause(self) -> str:
        """Return for experts what is behind that sentence; "" where it says it all."""

    def choose(self, open: bool) -> None:
        """Keep for the next start whether the panel is ``open``; raises `Refused`."""

    def start_again(self) -> None:
        """Start the service again soon: then what was chosen counts."""


class FixedReach:
    """A `ReachAccess` of a panel that stays as it is."""

    open = changeable = changing = False

    def told(self) -> str:
        """Return nothing."""
        return ""

    cause = told

    def choose(self, open: bool) -> None:
        """Refuse: it stays as it is."""
        raise Refused(say("Who can open this panel cannot be changed here."))

    def start_again(self) -> None:
        """Do nothing."""


def add_reach(app: Flask, backend: TableAccess, entry: WaysIn, reach: ReachAccess) -> None:
    """Add the page of who is at the table, and the addresses by which phones are let in."""
    _add_page(app, entry, reach)

    @app.get("/api/reach")
    def reached() -> Annotated[Response, ReachTold]:
        """Whether phones can open the panel and where, and whether one has; to anybody."""
        found = next(iter(addresses(entry)), "")
        return as_json({"open": reach.open, "changing": reach.changing, "seen": entry.others.seen, "address": found})

    @app.post("/api/reach")
    @takes(decoder(LetIn))
    def let_in(what: LetIn) -> Done:
        """Let phones in, or only this computer. The service starts again; the browser that asked stays the owner's."""
        if not reach.changeable:
            raise Refused(reach.told() or say("Who can open this panel cannot be changed here."))
        if not from_this_machine():
            raise Refused(say("Do this on the computer on which the board runs: there the page comes back."))
        unasked = g.visitor.id == LOCAL.id  # after the start nobody is let in so
        known = entry.own_secret()
        if unasked and not known:
            entry.phones.check_room()
        reach.choose(what.open)
        answer = as_json({})
        if unasked:
            secret = known or new_secret()
            entry.phones.keep_local(secret)
            with_cookie(answer, secret)
        else:
            entry.phones.stay_here(g.visitor.id)
        entry.closing = not what.open
        backend.poke()  # so that phones hear of it as long as they are reached
        answer.call_on_close(reach.start_again)  # once it is sent
        return answer


def _add_page(app: Flask, entry: WaysIn, reach: ReachAccess) -> None:
    @app.get("/join")
    def join() -> str:
        """Who is at the table, and the way in for others."""
        known = addresses(entry)
        return render_template("join.html", addresses=known, way=_way(reach, bool(known)))

    @app.get("/somebody-else")
    def somebody_else() -> Any:
        """The page that makes a phone of its own of a second browser on this computer; others join at the board."""
        return render_template("somebody_else.html") if g.visitor.id == LOCAL.id else redirect("/")

    @app.get("/join.svg")
    def picture() -> Response:
        """The panel's address as a QR code, whose page asks to join at once; it contains no joining code, since anybody
        may see it.
        """
        known = addresses(entry)
        if not known:
            abort(404, say("Only this computer can open the panel at the moment: there is no address to show."))
        code, drawn = segno.make(f"{known[0]}/#join", error="m", micro=False), io.BytesIO()
        code.save(drawn, kind="svg", scale=8, dark="#000", light="#fff")
        return as_svg(drawn.getvalue())


def _way(reach: ReachAccess, found: bool) -> dict[str, Any]:
    """Return what the page says of the way in; ``found`` says that there is an address to show.

    ``second`` is the address for a second browser on this computer, "" where each joins by itself.
    ``steps`` are shown to an owner who can let phones in, or has; ``here`` says that this browser may change it.
    """
    owner = g.visitor.role == "owner"
    here = owner and reach.changeable and from_this_machine()
    return {
        "steps": owner and (found or here),
        "here": here,
        "changeable": reach.changeable,
        "told": reach.told(),
        "cause": reach.cause(),
        "second": url_for("somebody_else", _external=True) if g.visitor.id == LOCAL.id else "",
    }
