"""Runs the panel's app under waitress. Prints nothing.

Of waitress it uses what its documentation names: arguments, and that SystemExit ends it. How many lines there are is
`web_panel.serving.connections`, whose request comes next `web_panel.serving.turns`.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Sequence

import waitress
from flask import Flask

from web_panel.security import LARGER
from web_panel.serving.connections import SPARE_LINES, Connections, Door, doors
from web_panel.serving.proxies import NoProxy
from web_panel.serving.tls import TlsFront, noting
from web_panel.serving.turns import THREADS, Turns
from web_panel.stream import STREAMS, slots_each

OUTBUF_BYTES = 256 * 1024
HEAD_BYTES = 64 * 1024
IDLE_S = 40  # after which a line on which nothing is said is closed
STREAM_PATHS = frozenset({"/api/watch", "/line"})  # the panel's, and a relay's


class Server:
    """A server with its sockets open; ``port`` is where it listens, ``where`` how this machine reaches it.

    ``shown_port`` is the one that people are told: the first of those that were passed, else the same. ``tls`` takes
    lines for the same panel at a port of its own, once it is opened with a certificate.
    """

    def __init__(
        self, app: Flask, host: str, port: int, streams: int, proxy: NoProxy, most_body_bytes: int,
        passed: Sequence[socket.socket],
    ) -> None:  # fmt: skip
        most, each = most_lines(streams), slots_each(streams) + SPARE_LINES
        self._lines = Connections(most, lambda address: most if proxy.trusts(address) else each)
        self._turns = Turns(app, STREAM_PATHS)
        self._doors = doors(self._lines, host, port)
        self._doors += [Door(self._lines, each.family, None, each.detach()) for each in passed]
        self.tls = TlsFront(self._lines, self._doors[0])
        self._server = waitress.create_server(
            noting(self._lines.noting(proxy.behind(self._turns))),
            sockets=self._doors,
            threads=streams + THREADS,
            # Our own bound comes first: at this one waitress serves nobody.
            connection_limit=2 * most,
            channel_timeout=IDLE_S,
            cleanup_interval=IDLE_S // 4,
            # Their presence shows that somebody is not on this machine (`web_panel.people.joining`).
            clear_untrusted_proxy_headers=False,
            # So that it is seen at once when somebody hangs up who is being answered.
            channel_request_lookahead=1,
            max_request_header_size=HEAD_BYTES,
            max_request_body_size=most_body_bytes,  # by address the app takes less
            asyncore_use_poll=True,
            # Waitress keeps what it has sent of a stream until this much was: its 16 MB for each phone are too many.
            outbuf_high_watermark=OUTBUF_BYTES,
            # A phone that went out of reach is no fault of the program.
            log_socket_errors=False,
            ident=None,
        )
        self._closing = threading.Lock()
        self._closed = False
        self.where: tuple[str, int] = self._doors[0].getsockname()[:2]
        self.port = self.where[1]
        self.shown_port: int = self._doors[-1].getsockname()[1] if passed else self.port

    def run(self) -> None:
        """Serve until `close` is called; returns when every connection is closed."""
        self._server.run()
        with self._closing:
            self._closed = True
            self.tls.close()
            self._server.close()
            for door in self._doors:
                door.close()
        self._lines.end()

    def close(self) -> None:
        """End `run`, from any thread. End the streams first, or their threads are waited for for 5 s."""
        with self._closing:
            if not self._closed:
                self.tls.close()
                self._lines.ending = True
                self._turns.end()
                self._doors[0].wake()


def most_lines(streams: int) -> int:
    """Return how many lines there may be beside ``streams``: two for each, and as many again for newcomers."""
    return 4 * (streams + 8)


def listen(
    app: Flask,
    host: str,
    port: int,
    streams: int = STREAMS,
    proxy: NoProxy | None = None,
    most_body_bytes: int = max(LARGER.values()),
    passed: Sequence[socket.socket] = (),
) -> Server:
    """Return a server of ``app`` that listens on ``host`` (``*`` for all addresses); ``run`` it to serve.

    ``streams`` is what `create_app` was given; ``proxy`` says whose word counts for where requests come from. Sockets
    in ``passed`` listen already, and are served, too. Raises OSError where the port is taken or may not be opened.
    """
    return Server(app, host, port, streams, proxy or NoProxy(), most_body_bytes, passed)
