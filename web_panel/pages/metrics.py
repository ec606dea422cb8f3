"""`/metrics`: figures for programs of the house, where the owner has switched them on; and what a request takes."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable

from flask import Flask, Response, abort, g, request

from controller.measured import Measured
from controller.sentences import say
from web_panel.people.joining import handed_on

FORM = "text/plain; version=0.0.4; charset=utf-8"
ORIGIN = "werkzeug.proxy_fix.orig"  # in the environment of a request whose proxy is known to tell the truth


def add_metrics(app: Flask, measured: Measured, exposed: Callable[[], bytes | None]) -> None:
    """Add the address to ``app``, and time its requests; ``exposed`` are the figures, None while they are off."""

    @app.before_request
    def begin() -> None:
        g.begun_us = measured.now_us()

    @app.after_request
    def count(response: Response) -> Response:
        if "begun_us" in g:  # else it was refused before anything was done for it
            now_us = measured.now_us()
            measured.request.note(now_us - g.begun_us, now_us)
        if 400 <= response.status_code < 500:
            measured.count("refused_requests")
        return response

    @app.get("/metrics")
    def metrics() -> Response:
        """Figures of this board, in the format of Prometheus, for the house alone."""
        if not _from_the_house():
            abort(403, say("These figures are for programs in the house of the board."))
        told = exposed()
        if told is None:
            abort(404, say("These figures are switched off: the owner switches them on in the settings."))
        return Response(told, content_type=FORM)


def _from_the_house() -> bool:
    """Whether the request comes from a private address, and nobody unknown has handed it on from elsewhere."""
    if handed_on() and ORIGIN not in request.environ:
        return False
    try:
        address = ipaddress.ip_address((request.remote_addr or "").partition("%")[0])
    except ValueError:
        return False
    # One of IPv4 in the form of IPv6 counts as what it is; Python takes all of those for private.
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_private
