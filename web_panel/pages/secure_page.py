"""The page "Secure pages": https for the panel, which owners switch on, and how each phone comes to trust it.

Pages by http go on as before. A phone that trusts the board's certificate is led on from there with its place at the
table; one that no longer does finds itself back at http.
"""

from __future__ import annotations

import ipaddress
import plistlib
import uuid
from typing import Annotated, Any, Protocol
from urllib.parse import urlsplit

import msgspec
from flask import Flask, Response, abort, g, redirect, render_template, request
from msgspec import Meta
from werkzeug.wrappers import Response as AnyResponse

from controller.sentences import say
from controller.typed import decoder
from web_panel.answers import Done
from web_panel.answers_of_pages import SecureTold, WayOver
from web_panel.people.hand_over import HandOvers
from web_panel.people.joining import WaysIn, with_cookie
from web_panel.people.phones import new_secret
from web_panel.security import POLICY, host_name, page_policy
from web_panel.serving.http import Nothing, as_json, takes
from web_panel.serving.tls import by_own_tls

MOST_PEM_LETTERS = 48 * 1024  # a chain with its key has some eight
TRUSTS = "trusts-the-board"  # a cookie that says no more than that: this phone has found out that it trusts the board
ROOT = "com.apple.security.root"


class SwitchOn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Serve by https with the board's own certificate; ``anew``: of another authority than before."""

    anew: bool = False


class BringCertificate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Serve with this certificate, those that lead to its authority, and its key, all as PEM."""

    pem: Annotated[str, Meta(max_length=MOST_PEM_LETTERS)]


class Arrive(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Come over with this ``word``."""

    word: Annotated[str, Meta(max_length=64)]


class SecureAccess(Protocol):
    """Whoever serves the panel by https, too. Its methods raise `controller.refused.Refused`."""

    @property
    def port(self) -> int:
        """Where https is served at the moment, 0 where it is not."""

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names and addresses in the certificate that is served, none where none is."""

    def report(self) -> dict[str, Any]:
        """Return how it stands, as `SecureTold` has it, but for the address."""

    def switch_on(self, anew: bool = False) -> None:
        """Serve with a certificate of the board's own."""

    def switch_off(self, soon: bool = False) -> None:
        """Serve plain http alone, from now on or ``soon``: within a minute."""

    def give(self, pem: str) -> None:
        """Serve with what was brought."""

    def authority(self) -> bytes:
        """Return the certificate of the board's authority as DER."""


def add_secure(app: Flask, secure: SecureAccess, entry: WaysIn) -> None:
    """Add the page and its addresses to ``app``."""
    _add_pages(app, secure, entry)
    _add_acts(app, secure)
    _add_authority(app, secure)
    _add_way_over(app, secure, entry)


def own_host(secure: SecureAccess, name: str) -> bool:
    """Whether ``name`` is one of those in the certificate that is served; its ``*`` stands for one word."""
    return name in secure.hosts or f"*.{name.partition('.')[2]}" in secure.hosts


def address(secure: SecureAccess) -> str:
    """Return where this browser finds the panel by https, "" where it is not served: by the same name, where the
    certificate has that.
    """
    if not secure.port:
        return ""
    asked = host_name(request.headers.get("Host", ""))
    plain = [name for name in secure.hosts if "*" not in name]
    name = asked if own_host(secure, asked) else next(iter(plain), asked)
    return f"https://{f'[{name}]' if ':' in name else name}:{secure.port}"


def _add_pages(app: Flask, secure: SecureAccess, entry: WaysIn) -> None:
    def page(name: str, **more: Any) -> Response:
        found = address(secure)
        answer = Response(render_template(name, address=found, **more), mimetype="text/html")
        if found:  # the page asks there whether this phone trusts it
            answer.headers[POLICY] = page_policy(found).header_value
        return answer

    @app.get("/secure")
    def secure_page() -> Response:
        """A page that says how a phone comes to trust the board, and on which owners switch https on."""
        by_https, told = by_own_tls(request.environ), secure.report()
        print_ = " ".join(told["fingerprint"][at : at + 4] for at in range(0, len(told["fingerprint"]), 4))
        owner, by_http = g.visitor.role == "owner", next(iter(entry.addresses()), "")
        return page("secure.html", owner=owner, here=by_https, told=told, fingerprint=print_, by_http=by_http)

    @app.get("/secure/over")
    def secure_over() -> Response:
        """A page that leads a phone on to https if it trusts that, else back; by https it leads to the panel."""
        return page("secure_over.html", here=by_own_tls(request.environ))

    @app.before_request
    def led_on() -> AnyResponse | None:
        asks = request.path == "/" and request.cookies.get(TRUSTS)
        if not asks or by_own_tls(request.environ) or not secure.port:
            return None
        answer = redirect("/secure/over")
        answer.headers["Cache-Control"] = "no-store"
        return answer

    @app.get("/api/secure")
    def secure_now() -> Annotated[Response, SecureTold]:
        """Whether the panel is served by https, where, and with what certificate."""
        return as_json({**secure.report(), "address": address(secure)})


def _add_acts(app: Flask, secure: SecureAccess) -> None:
    @app.post("/api/secure/on")
    @takes(decoder(SwitchOn))
    def secure_on(what: SwitchOn) -> None:
        """Serve the panel by https, too, with the board's own certificate. For owners."""
        secure.switch_on(what.anew)

    @app.post("/api/secure/off")
    @takes(decoder(Nothing))
    def secure_off(_: Nothing) -> None:
        """Serve the panel by http alone. For owners."""
        secure.switch_off(soon=by_own_tls(request.environ))  # the answer is still to arrive

    @app.post("/api/secure/bring")
    @takes(decoder(BringCertificate))
    def secure_bring(what: BringCertificate) -> None:
        """Serve the panel by https with a certificate of one's own. For owners."""
        secure.give(what.pem)


def _add_authority(app: Flask, secure: SecureAccess) -> None:
    @app.get("/secure/beaconboard.crt")
    def secure_authority() -> Response:
        """The certificate of the board's authority, which a phone is to trust; as DER."""
        answer = _file(secure.authority(), "application/x-x509-ca-cert")
        answer.headers["Content-Disposition"] = "attachment; filename=beaconboard.crt"
        return answer

    @app.get("/secure/beaconboard.mobileconfig")
    def secure_profile() -> Response:
        """The same as a profile for an iPhone or iPad, which asks for it where it is shown and not saved."""
        return _file(_profile(secure.authority()), "application/x-apple-aspen-config")


def _file(content: bytes, kind: str) -> Response:
    answer = Response(content, mimetype=kind)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _profile(der: bytes) -> bytes:
    """Return a profile with the certificate in it; the same for the same one, so that it is never there twice."""

    def part(kind: str, name: str) -> dict[str, Any]:
        id = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{name}:{der.hex()}")).upper()
        return {"PayloadType": kind, "PayloadVersion": 1, "PayloadIdentifier": f"beaconboard.{id}", "PayloadUUID": id}

    root = {**part(ROOT, "root"), "PayloadDisplayName": "Beaconboard", "PayloadContent": der,
            "PayloadCertificateFileName": "beaconboard.crt"}  # fmt: skip
    told = {"PayloadDisplayName": "Beaconboard", "PayloadContent": [root],
            "PayloadDescription": str(say("Lets this phone open the board's pages by https."))}  # fmt: skip
    return plistlib.dumps({**part("Configuration", "profile"), **told})


def _add_way_over(app: Flask, secure: SecureAccess, entry: WaysIn) -> None:
    ways = HandOvers()

    phones = entry.phones

    @app.get("/api/secure/here")
    def secure_here() -> Done:
        """Whoever gets this answer by https trusts the certificate; pages of the board by http may read it, too."""
        answer = as_json({})
        origin = request.headers.get("Origin", "")
        if by_own_tls(request.environ) and _of_the_board(secure, origin):
            answer.headers["Access-Control-Allow-Origin"] = origin
            answer.headers["Vary"] = "Origin"
        return answer

    @app.post("/api/secure/over")
    @takes(decoder(Nothing))
    def way_over(_: Nothing) -> Annotated[Response, WayOver]:
        """A word with which this phone goes on by https within a minute; "" for this machine, which needs none."""
        id = g.visitor.phone_id
        return as_json({"word": ways.give(id, request.remote_addr or "") if id else ""})

    @app.post("/api/secure/arrive")
    @takes(decoder(Arrive))
    def arrive(what: Arrive) -> Done:
        """Go on by https as the phone that was given this word. Its way by http stays open: nobody is ever shut out."""
        if not by_own_tls(request.environ):
            abort(409, say("This way over leads to secure pages alone."))
        id = ways.take(what.word, request.remote_addr or "")
        if g.visitor.phone_id not in ("", id):
            return as_json({})  # here it has a place already
        secret = new_secret()
        phones.by_https(id, secret)
        return with_cookie(as_json({}), secret)


def _of_the_board(secure: SecureAccess, origin: str) -> bool:
    """Whether ``origin`` may be this board by http: the name that was asked, one of the certificate, or an address."""
    try:
        name = (urlsplit(origin).hostname or "").lower()
    except ValueError:
        return False
    if name == host_name(request.headers.get("Host", "")) or own_host(secure, name):
        return bool(name)
    try:
        return ipaddress.ip_address(name).is_private
    except ValueError:
        return False
