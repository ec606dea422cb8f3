"""Who may talk to the panel: host names, other web sites, and what a page of ours may load."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Callable, Iterable
from typing import NoReturn

from flask import Flask, Response, abort, g, request
from secure import (
    ContentSecurityPolicy,
    CrossOriginOpenerPolicy,
    CrossOriginResourcePolicy,
    ReferrerPolicy,
    Secure,
    XContentTypeOptions,
    XFrameOptions,
)

from controller.sentences import say
from web_panel.people.phones import Visitor
from web_panel.serving.script_bundle import LATER
from web_panel.serving.tls import by_own_tls

HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+(?:%\w+)?)\]|([A-Za-z0-9._-]+))(?::\d{1,5})?")
MOST_BODY_BYTES = 64 * 1024
MOST_GAME_BYTES = 4 * 1024 * 1024  # of a game that is brought in: a recording of a long evening
# Written as JSON a game is larger, and so is a part of a backup or an update.
LARGER = dict.fromkeys(("/api/import", "/api/backups/bring-part", "/api/updates/bring-part"), 2 * MOST_GAME_BYTES)
# What says nothing of a style, nor of the script of a page, which has that page's policy: they frame nothing, are never
# saved or fetched in parts, and have an ETag. A phone waits for every byte of them.
PARTS = frozenset({"/panel.js", LATER})
NOT_OF_PARTS = (
    "Content-Security-Policy", "Cross-Origin-Opener-Policy", "X-Frame-Options", "Content-Disposition", "Accept-Ranges",
    "Last-Modified",
)  # fmt: skip
POLICY = "Content-Security-Policy"
FOR_ALL = frozenset({"/api/pair", "/api/pair/code", "/api/pair/stop", "/api/pair/touch", "/api/secure/arrive"})
# These see to it themselves: in the board's own Wi-Fi a guest may, elsewhere owners alone.
FOR_OWN_WIFI = frozenset(f"/api/network/{act}" for act in ("search", "join", "forget", "stay"))
FOR_OWNERS = frozenset({
    "/api/revoke", "/api/settings", "/api/house/forget", "/api/reach", "/api/variants/save", "/api/variants/remove",
    "/api/health/bundle", "/api/wired/choose", "/api/care/rests/measure",
} | {
    f"/api/afar/{act}" for act in ("invite", "phone", "join", "end", "hand", "try")
} | {
    f"/api/runs/{act}" for act in ("begin", "go-on", "end", "remove")
} | {
    f"/api/backups/{act}" for act in ("make", "put-back", "bring", "bring-part")
} | {
    f"/api/secure/{act}" for act in ("on", "off", "bring")
} | {
    f"/api/updates/{act}" for act in ("put-on", "go-back", "bring", "bring-part", "fetch", "firmware")
} | {
    f"/api/care/walk/{step}" for step in ("begin", "stay", "answer", "end", "learn")
} | {
    f"/api/care/kinds/{step}" for step in ("begin", "back", "end")
})  # fmt: skip


def own_names() -> frozenset[str]:
    """Return the names under which this machine is found by default: its own, alone and as mDNS has it."""
    name = socket.gethostname().lower()
    return frozenset({"localhost", name, f"{name.split('.')[0]}.local"})


def guard(
    app: Flask, allowed_hosts: Iterable[str], visitor: Callable[[], Visitor],
    elsewhere: Callable[[], Response | None] = lambda: None, certified: Callable[[str], bool] = lambda name: False,
) -> None:  # fmt: skip
    """Hold every request of ``app`` to the rules of this module; ``visitor`` says who makes it. What is meant for
    another host is answered by ``elsewhere``, or refused. By https the panel has also the names that are ``certified``.
    """
    headers = page_headers()
    # Where the panel listens on every address, that is no name under which anybody finds it.
    names = own_names() | {host.lower() for host in allowed_hosts if not _is_unspecified(host)}

    @app.before_request
    def check() -> Response | None:
        if not (_is_ours(names) or (by_own_tls(request.environ) and certified(_asked_host()))):
            return elsewhere() or _not_ours()
        g.visitor = visitor()
        rule = request.url_rule.rule if request.url_rule else ""
        request.max_content_length = LARGER.get(rule, MOST_BODY_BYTES)
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            _check_same_origin()
            _check_json()
            if rule:
                _check_role(rule, g.visitor)
        return None

    @app.after_request
    def add_headers(response: Response) -> Response:
        stricter = response.headers.get(POLICY)  # as the answer has it itself
        headers.set_headers(response)
        if stricter:
            response.headers[POLICY] = stricter
        if not _trusted():
            response.headers.pop("Cross-Origin-Opener-Policy", None)  # else browsers complain on every page
        if response.mimetype == "text/css" or request.path in PARTS:
            for name in NOT_OF_PARTS:
                response.headers.pop(name, None)
        if request.path.startswith("/api/"):
            response.headers["Cache-Control"] = "no-store"
        return response


def who_asks() -> str:
    """Return whose request this is, for limits: each phone at the table has its own, guests have that of their address.

    At one address, behind a proxy or a router, there may be many phones.
    """
    visitor: Visitor = g.visitor
    return f"phone {visitor.phone_id}" if visitor.phone_id else f"address {request.remote_addr}"


def page_headers() -> Secure:
    """Return the headers of every answer: what a page of ours may load, and that no other may hold it."""
    return Secure(
        csp=page_policy(),
        xcto=XContentTypeOptions().nosniff(),
        xfo=XFrameOptions().deny(),
        referrer=ReferrerPolicy().same_origin(),
        corp=CrossOriginResourcePolicy().same_origin(),
        coop=CrossOriginOpenerPolicy().same_origin(),
    )


def page_policy(*asked: str) -> ContentSecurityPolicy:
    """Return what a page may load: what is ours alone. It may also ask the addresses that are ``asked``."""
    own, no = "'self'", "'none'"
    policy = ContentSecurityPolicy().default_src(no).script_src(own).style_src(own).img_src(own)
    return policy.connect_src(own, *asked).manifest_src(own).base_uri(no).form_action(no).frame_ancestors(no)


def policy_of_one_file() -> str:
    """Return what a page may do that has its styles and drawings within itself: show them, and nothing else."""
    no = "'none'"
    policy = ContentSecurityPolicy().default_src(no).style_src("'unsafe-inline'").base_uri(no).form_action(no)
    return policy.frame_ancestors(no).sandbox().header_value


def _trusted() -> bool:
    """Whether browsers trust that nobody has changed the page on its way: it comes by https, or from this machine."""
    name = _asked_host()
    return request.is_secure or name in ("localhost", "::1") or name.startswith("127.")


def _check_role(path: str, visitor: Visitor) -> None:
    """Refuse a change by who may not make it. An address that nobody thought of here needs a phone at the table."""
    if path in FOR_ALL | FOR_OWN_WIFI or visitor.role == "owner":
        return
    if visitor.role == "guest":
        abort(403, say("Join first: press Join and touch the glowing cell."))
    if path in FOR_OWNERS:
        check_owner(visitor)


def check_owner(visitor: Visitor, why: str = "") -> None:
    """Refuse ``visitor`` what only an owner may do or see, for the reason ``why`` where it has one of its own."""
    if visitor.role != "owner":
        abort(
            403,
            why
            or say(
                "Only the owner's phone can do this: the phone that joined first, or one that joined with "
                "the console's code."
            ),
        )


def _is_ours(names: frozenset[str]) -> bool:
    """Whether this is meant for us: not for a name that another site could have pointed at us (DNS rebinding), which it
    cannot do with a literal address.
    """
    name = _asked_host()
    return name in names or _is_private(name)


def _not_ours() -> NoReturn:
    abort(
        421, say("The panel does not answer to this name; open it by its address, or allow the name in the settings.")
    )


def _asked_host() -> str:
    return host_name(request.headers.get("Host", ""))


def host_name(host: str) -> str:
    """Return the name in a Host header; "" for anything but a name or an address with a port, as ``evil@127.0.0.1``."""
    read = HOST.fullmatch(host)
    return (read[1] or read[2]).lower().rstrip(".") if read else ""


def _is_private(name: str) -> bool:
    try:
        return ipaddress.ip_address(name.partition("%")[0]).is_private and not _is_unspecified(name)
    except ValueError:
        return False


def _is_unspecified(name: str) -> bool:
    """Whether ``name`` is the address of no machine, 0.0.0.0 or ::, by which browsers let other sites in."""
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_unspecified


def _check_same_origin() -> None:
    """Refuse what a browser sends for another site. A program other than a browser sends neither header."""
    origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site", "same-origin")
    # What came by http may have been changed on its way: it has no say in what came by https.
    schemes = ("https",) if by_own_tls(request.environ) else ("http", "https")
    ours = {f"{scheme}://{request.headers['Host']}" for scheme in schemes}
    if site != "same-origin" or (origin is not None and origin not in ours):
        abort(403, say("Only this panel's own pages may do that; the request came from another web site."))


def _check_json() -> None:
    if request.mimetype != "application/json":
        abort(415, say("Send this as application/json."))
