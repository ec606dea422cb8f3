"""Runs the panel's app under waitress. Owns sockets and threads; must not know what is served. Prints nothing."""

from __future__ import annotations

from typing import Protocol

import waitress
from flask import Flask

from web_panel.app import STREAMS
from web_panel.guard import MOST_BODY_BYTES

SPARE_THREADS = 8  # for requests while every stream is taken


class Listening(Protocol):
    """A server with its socket open."""

    def run(self) -> None:
        """Serve until closed."""

    def close(self) -> None:
        """Stop listening."""


def listen(app: Flask, host: str, port: int, streams: int = STREAMS) -> Listening:
    """Return a server of ``app`` that listens on ``host`` (``*`` for all addresses); ``run`` it to serve.

    ``streams`` is what `create_app` was given. Raises OSError where the port is taken or may not be opened.
    """
    server: Listening = waitress.create_server(
        app,
        listen=f"{host}:{port}",
        threads=streams + SPARE_THREADS,
        connection_limit=4 * (streams + SPARE_THREADS),
        max_request_body_size=MOST_BODY_BYTES,
        ident=None,
    )
    return server
