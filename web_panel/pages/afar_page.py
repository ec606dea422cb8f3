"""Play with people at another board: the page, the invitations, and the way to join one.

A link opens a seat to whoever has it, and joining lets the board dial where a link says, so both are for owners.
"""

from __future__ import annotations

import io
from typing import Annotated, Any, Protocol

import msgspec
import segno
from flask import Flask, Response, abort, g, render_template
from msgspec import Meta

from controller.game_setup import Seat
from controller.sentences import say
from controller.typed import decoder
from web_panel.answers_of_pages import AfarTold, LinkMade, WayToOthers
from web_panel.people.far_phones import FarPanel
from web_panel.people.phones_file import PhoneName
from web_panel.serving.costly import OneAtATime
from web_panel.serving.http import Nothing, as_json, as_svg, takes


class Invite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Let another board play ``seat``, or without one look on."""

    seat: Seat | None = None


class InvitePhone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Let a phone far away play ``seat`` under ``name``, or without a seat look on."""

    seat: Seat | None = None
    name: PhoneName | None = None


class JoinGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Play the game to which ``link`` leads."""

    link: Annotated[str, Meta(max_length=1000)]


class LinkRoom(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """End the link with that ``room``, or hand the game over by it."""

    room: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]


class AfarAccess(Protocol):
    """Who knows the links. Every method may raise `controller.refused.Refused`."""

    def stands(self, owner: bool) -> dict[str, Any]:
        """Return ``{"invites", "follows", "seats": [{"seat", "name", "afar"}], "links": [{"room", "invited", "home",
        "hands", "seat", "title", "text", "state", "said", "there", "on_table"}]}``; without the ``text`` of a link for
        who is no ``owner``. Where the board ``follows`` another one is home to the game on the table. Seat -1 only
        looks on. This board ``invited`` by the link, it is ``home`` now, and ``hands`` says that it can hand that over.

        With ``"relay"``, whether phones can be invited, and ``"phones": [{"room", "seats", "name", "text", "state",
        "said", "there"}]``, where one without seats looks on. ``"owner"`` is given back.
        """

    def try_out(self) -> list[dict[str, Any]]:
        """Return ``[{"well", "told"}]``: how the broker did, and where one is named, the relay. Takes seconds."""

    def invite(self, seat: int | None) -> str:
        """Return a new link to play ``seat``, or with None to look on."""

    def invite_phone(self, seat: int | None, name: str) -> str:
        """Return a new link by which a phone far away called ``name`` plays a seat, or with None looks on."""

    def answered_by(self, panel: FarPanel) -> None:
        """Take the panel that answers phones far away."""

    def join(self, link: str) -> None:
        """Play by a link."""

    def end(self, room: str) -> None:
        """End a link."""

    def hand_over(self, room: str) -> None:
        """Make the board at the other end of a link home."""

    def link(self, room: str) -> str:
        """Return the text of a link."""


def add_afar(app: Flask, access: AfarAccess) -> None:
    """Add the page and its addresses to ``app``."""
    trying = OneAtATime(1)

    @app.get("/afar")
    def afar_page() -> str:
        """A page to invite another board, or to join one."""
        return render_template("afar.html")

    @app.get("/api/afar")
    def afar() -> Annotated[Response, AfarTold]:
        """The links to other boards, and the seats to which one can be invited."""
        return as_json(access.stands(g.visitor.role == "owner"))

    @app.get("/afar/<string:room>.svg")
    def link_picture(room: str) -> Response:
        """An invitation as a QR code, for owners."""
        if g.visitor.role != "owner":
            abort(403, say("Only the owner's phone sees invitations to other boards."))
        drawn = io.BytesIO()
        code = segno.make(access.link(room), error="m", micro=False)
        code.save(drawn, kind="svg", scale=5, dark="#000", light="#fff")
        response = as_svg(drawn.getvalue())
        response.headers["Cache-Control"] = "no-store"
        return response

    @app.post("/api/afar/try")
    @takes(decoder(Nothing))
    def try_afar(_: Nothing) -> Annotated[Response, WayToOthers]:
        """Try whether others are reached by the broker and the relay that the settings name."""
        return as_json({"tried": trying.make(access.try_out)})

    @app.post("/api/afar/invite")
    @takes(decoder(Invite))
    def invite_afar(what: Invite) -> Annotated[Response, LinkMade]:
        """Make a link by which another board plays a seat of the game on the table, or without one shows that game."""
        return as_json({"link": access.invite(what.seat)})

    @app.post("/api/afar/phone")
    @takes(decoder(InvitePhone))
    def invite_phone(what: InvitePhone) -> Annotated[Response, LinkMade]:
        """Make a link by which a phone without a board plays a seat of this table, or without one looks on."""
        return as_json({"link": access.invite_phone(what.seat, what.name or "")})

    @app.post("/api/afar/join")
    @takes(decoder(JoinGame))
    def join_afar(what: JoinGame) -> None:
        """Play the game of another board; it takes the place of the one on the table once that board has answered."""
        access.join(what.link)

    @app.post("/api/afar/hand")
    @takes(decoder(LinkRoom))
    def hand_afar(what: LinkRoom) -> None:
        """Make the board at the other end of a link home: from then on it has the last word on the game."""
        access.hand_over(what.room)

    @app.post("/api/afar/end")
    @takes(decoder(LinkRoom))
    def end_afar(what: LinkRoom) -> None:
        """End a link; both boards keep the game as it is."""
        access.end(what.room)
