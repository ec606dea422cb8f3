"""Notices for phones whose page is not open: a browser says where it can be written to, and what its person has seen.

A phone acts for itself alone.
"""

from __future__ import annotations

from typing import Annotated, Protocol

import msgspec
from flask import Flask, Response, abort, g
from msgspec import Meta

from controller.sentences import say
from controller.typed import decoder
from web_panel.answers_of_pages import NoticesOffered, Subscribed
from web_panel.serving.http import as_json, takes

# By https alone, whose certificate keeps out what only listens in the board's own network.
Endpoint = Annotated[str, Meta(max_length=1000, pattern=r"^https://[A-Za-z0-9.-]+(:\d{1,5})?/[!-~]*\Z")]


class BrowserKeys(msgspec.Struct, frozen=True):
    """What only this browser can read is sealed for: a point of P-256 and 16 random bytes, in base64url."""

    p256dh: Annotated[str, Meta(pattern=r"^B[\w-]{86}=?\Z")]
    auth: Annotated[str, Meta(pattern=r"^[\w-]{22}(==)?\Z")]


class Subscribe(msgspec.Struct, frozen=True):
    """Let this browser have notices, as its `PushSubscription` tells; what else that has does not matter."""

    endpoint: Endpoint
    keys: BrowserKeys


class Stop(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Let the browser at ``endpoint`` have none any more."""

    endpoint: Annotated[str, Meta(max_length=1000)]


class PageLooked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody looks at the page of this phone, which shows that ``version`` of the table."""

    version: Annotated[int, Meta(ge=0, lt=1 << 53)]


class NoticesAccess(Protocol):
    """Who sends notices. Every method may raise `controller.refused.Refused`."""

    def offer(self) -> tuple[str, str]:
        """Return the key with which a browser subscribes, and where there is none a sentence that says why."""

    def subscribe(self, phone: str, language: str, endpoint: str, p256dh: str, auth: str) -> bool:
        """Let a browser of ``phone`` have notices in ``language``; returns False where that phone holds no seat."""

    def forget(self, phone: str, endpoint: str) -> None:
        """Let that browser of ``phone`` have none any more."""

    def seen(self, phone: str, version: int) -> None:
        """Note that somebody looks at a page of ``phone`` that shows that version of the table."""


class NoNotices:
    """A `NoticesAccess` where none can be sent."""

    def offer(self) -> tuple[str, str]:
        """Say so."""
        return "", say("This board sends no notices.")

    def subscribe(self, phone: str, language: str, endpoint: str, p256dh: str, auth: str) -> bool:
        """Keep nothing."""
        return False

    def forget(self, phone: str, endpoint: str) -> None:
        """Do nothing."""

    def seen(self, phone: str, version: int) -> None:
        """Do nothing."""


def add_notices(app: Flask, access: NoticesAccess) -> None:
    """Add the addresses to ``app``."""

    @app.get("/api/notices")
    def notices() -> Annotated[Response, NoticesOffered]:
        """The key with which a browser subscribes to notices; without one, why there are none."""
        if not g.visitor.id:
            abort(403, say("Notices are for phones at the table: join first."))
        key, why = access.offer()
        return as_json({"key": key, "why": why})

    @app.post("/api/notices")
    @takes(decoder(Subscribe))
    def subscribe(what: Subscribe) -> Annotated[Response, Subscribed]:
        """Let this browser have a notice when it is the turn of its seat; ``kept`` says whether it holds one."""
        kept = access.subscribe(g.visitor.id, g.language, what.endpoint, what.keys.p256dh, what.keys.auth)
        return as_json({"kept": kept})

    @app.post("/api/notices/stop")
    @takes(decoder(Stop))
    def stop_notices(what: Stop) -> None:
        """Let this browser have no notices any more."""
        access.forget(g.visitor.id, what.endpoint)

    @app.post("/api/notices/seen")
    @takes(decoder(PageLooked))
    def seen_turn(what: PageLooked) -> None:
        """Say that somebody looks at this page, so that no notice is needed."""
        access.seen(g.visitor.id, what.version)
