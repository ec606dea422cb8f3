"""Phones far away: the panel answers them as it answers a phone that holds their seat, and nothing else of it.

A request comes sealed and leaves so, and in between it is one like all others: what a phone may see and do has one
place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import msgspec
from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.test import EnvironBuilder, run_wsgi_app

from controller.refused import Refused
from controller.sentences import Sentence, in_language, say
from web_panel.backend import TableAccess
from web_panel.language import COOKIE as LANGUAGE
from web_panel.language import read
from web_panel.people.joining import COOKIE, WaysIn
from web_panel.people.phones import new_secret

ADDRESS = "afar"  # of all phones far away, where an address has so many requests
STILL = frozenset({"/api/board", "/api/drawings/<name>"})  # routes that tell nothing of how a game stands
SETTINGS = "/api/settings"
READS = STILL | {"/api/plies", "/api/card", "/api/aloud", "/api/position", "/api/facing", SETTINGS, "/api/notices"}
CHANGES = frozenset({"/api/order", "/api/notices", "/api/notices/seen", "/api/notices/stop"} | {
    f"/api/{gesture}" for gesture in ("tap", "put_back", "lift", "place", "set_aside", "set_up")
})  # fmt: skip
WATCH = "/api/watch"
EVENT = re.compile(rb"event: (\w+)\ndata: (.*)\n")


class PanelRequest(Protocol):
    """A request of the panel."""

    @property
    def method(self) -> Any: ...
    @property
    def path(self) -> str: ...
    @property
    def body(self) -> str: ...
    @property
    def language(self) -> str: ...


class FarPanel:
    """Every method may be called from any thread."""

    def __init__(self, app: Flask, backend: TableAccess, entry: WaysIn) -> None:
        self._app, self._backend, self._phones = app, backend, entry.phones

    def invite(self, seat: int | None, name: str) -> str:
        """Let a phone called ``name`` hold ``seat``; returns its secret, "" for one that looks on. Raises `Refused`."""
        standing = self._backend.standing()
        if not standing.seats:
            raise Refused(say("Begin a game first: then others can be invited to it."))
        if seat is None:
            return ""
        if seat >= len(standing.seats):
            raise Refused(say("there is no seat {seat} in this game", seat=seat + 1))
        if seat in standing.board:
            raise Refused(say("The board plays this seat: choose who plays it in a new game."))
        if seat in standing.afar:
            raise Refused(say("People at another board play this seat."))
        if standing.unsealed:
            raise Refused(
                say("Secret moves have been made here already: begin a new game and invite the others first.")
            )
        secret = new_secret()
        id = self._phones.ask(secret, name or None, afar=True)
        self._phones.admit(id)
        try:
            self._phones.take(id, seat)
        except Refused:
            self._phones.revoke(id)
            raise
        return secret

    def seats(self, secret: str) -> tuple[int, ...] | None:
        """Return the seats of the phone; None where it is no longer at the table."""
        visitor = self._phones.who(secret)
        return visitor.seats if visitor.id else None

    def leave(self, secret: str) -> None:
        """Send the phone away."""
        if visitor := self._phones.who(secret).id:
            self._phones.revoke(visitor)

    def answer(self, secret: str, call: PanelRequest) -> tuple[int, bytes]:
        """Return the status and the JSON of the panel's answer."""
        environ = self._environ(secret, call.method, call)
        route = self._route(environ)
        if route not in (READS if call.method == "GET" else CHANGES):
            return 403, _error_body(say("This can be done only at the board or on a phone there."), call.language)
        chunks, status, _ = run_wsgi_app(self._app.wsgi_app, environ, buffered=True)
        body = b"".join(chunks)
        try:
            answered = msgspec.json.decode(body)
        except msgspec.DecodeError:
            return 500, _error_body(say("There is no page at this address."), call.language)
        if route == SETTINGS and status.startswith("200"):  # its page has no others
            body = msgspec.json.encode({"colours": answered.get("colours", {})})
        return int(status[:3]), body

    def watch(self, secret: str, watch: Any, gone: Callable[[], bool]) -> Iterator[tuple[str, bytes]]:
        """Yield what the phone sees, each an event with its JSON, until it is ``gone``."""
        environ = self._environ(secret, "GET", watch, WATCH)
        environ["waitress.client_disconnected"] = gone
        chunks, status, _ = run_wsgi_app(self._app.wsgi_app, environ)
        try:
            if status.startswith("200"):
                for chunk in chunks:
                    if found := EVENT.search(chunk):
                        yield found[1].decode(), found[2]
        finally:
            if close := getattr(chunks, "close", None):
                close()

    def tells_nothing(self, call: PanelRequest) -> bool:
        """Whether the answer to ``call`` tells nothing of how a game stands."""
        return call.method == "GET" and self._route(self._environ("", "GET", call)) in STILL

    def _route(self, environ: dict[str, Any]) -> str:
        """Return the route that answers a request, as the panel finds it, however it is written; "" where none does."""
        try:
            rule, _ = self._app.url_map.bind_to_environ(environ).match(return_rule=True)
        except HTTPException:
            return ""
        return str(rule.rule)

    def _environ(self, secret: str, method: str, asked: Any, path: str = "") -> dict[str, Any]:
        cookies: Sequence[str] = [f"{COOKIE}={secret}"] if secret else []
        if asked.language:
            cookies = [*cookies, f"{LANGUAGE}={asked.language}"]
        builder = EnvironBuilder(
            path=path or asked.path, method=method, base_url="http://localhost/",
            headers=[("Cookie", "; ".join(cookies))] if cookies else [],
            data=asked.body if method == "POST" else None,
            content_type="application/json" if method == "POST" else None,
            environ_overrides={"REMOTE_ADDR": ADDRESS},
        )  # fmt: skip
        return builder.get_environ()


def _error_body(sentence: Sentence, language: str) -> bytes:
    texts = read().get(language)
    return msgspec.json.encode({"error": in_language(sentence, texts.said) if texts else sentence[:]})
