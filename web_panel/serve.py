"""Runs the panel's app under waitress. Owns sockets and threads; must not know what is served. Prints nothing."""

from __future__ import annotations

import socket
import threading
from typing import Any

import waitress
from flask import Flask
from waitress import wasyncore
from waitress.server import BaseWSGIServer

from web_panel.connections import SPARE_LINES, FairThreads, Line
from web_panel.security import LARGER
from web_panel.stream import STREAMS, slots_each

OUTBUF_BYTES = 256 * 1024
SPARE_THREADS = 8  # for requests while every stream is taken
IDLE_S = 40  # after which a line on which nothing is said is closed
# A phone that went out of reach is found within some ten seconds, whether anything is sent to it or not.
SOCKET_OPTIONS = [
    (level, getattr(socket, name), value)
    for level, name, value in (
        (socket.IPPROTO_TCP, "TCP_NODELAY", 1),
        (socket.SOL_SOCKET, "SO_KEEPALIVE", 1),
        (socket.IPPROTO_TCP, "TCP_KEEPIDLE", 4),
        (socket.IPPROTO_TCP, "TCP_KEEPINTVL", 2),
        (socket.IPPROTO_TCP, "TCP_KEEPCNT", 3),
        (socket.IPPROTO_TCP, "TCP_USER_TIMEOUT", 10_000),
    )
    if hasattr(socket, name)
]


class Server:
    """A server with its sockets open; ``port`` is where it listens."""

    def __init__(self, app: Flask, listen: str, streams: int, behind_proxy: bool) -> None:
        self._sockets: dict[int, Any] = {}  # waitress keeps its listening sockets, its trigger and connections here
        threads, most_lines = FairThreads(), 4 * (streams + SPARE_THREADS)
        threads.set_thread_count(streams + SPARE_THREADS)
        self._server = waitress.create_server(
            app,
            map=self._sockets,
            listen=listen,
            _dispatcher=threads,
            # Our own bound comes first: at this one waitress serves nobody.
            connection_limit=2 * most_lines,
            channel_timeout=IDLE_S,
            cleanup_interval=IDLE_S // 4,
            # Nobody's is trusted; their presence shows that somebody is not on this machine (`web_panel.joining`).
            clear_untrusted_proxy_headers=False,
            # So that it is seen at once when somebody hangs up who is being answered.
            channel_request_lookahead=1,
            max_request_body_size=max(LARGER.values()),  # by address the app takes less
            asyncore_use_poll=True,
            # Waitress keeps what it has sent of a stream until this much was: its 16 MB for each phone are too many.
            outbuf_high_watermark=OUTBUF_BYTES,
            ident=None,
        )
        listeners = [s for s in self._sockets.values() if isinstance(s, BaseWSGIServer)]
        for listener in listeners:
            listener.channel_class = Line
            each = most_lines if behind_proxy else slots_each(streams) + SPARE_LINES
            listener.most_lines, listener.most_lines_each = most_lines, each
            listener.adj.socket_options = SOCKET_OPTIONS
        listener = listeners[0]
        self._trigger = listener.trigger
        self._open: dict[int, Any] = {}
        self._closing = threading.Lock()
        self._closed = False
        self.port: int = listener.effective_port

    def run(self) -> None:
        """Serve until `close` is called; returns when every connection is closed."""
        self._server.run()
        self._server.task_dispatcher.shutdown()
        with self._closing:
            self._closed = True
            wasyncore.close_all(self._open | self._sockets, ignore_all=True)

    def close(self) -> None:
        """End `run`, from any thread. End the streams first, or their threads are waited for for 5 s."""
        with self._closing:
            if not self._closed:
                self._trigger.pull_trigger(self._leave)

    def _leave(self) -> None:
        # In the thread of the loop, which ends when it has no sockets left. They are closed when no thread of a
        # request can write to them any more: the numbers of closed files are given out again at once.
        self._open = dict(self._sockets)
        self._sockets.clear()


def listen(app: Flask, host: str, port: int, streams: int = STREAMS, behind_proxy: bool = False) -> Server:
    """Return a server of ``app`` that listens on ``host`` (``*`` for all addresses); ``run`` it to serve.

    ``streams`` is what `create_app` was given; ``behind_proxy`` lets all lines come from one address. Raises
    OSError where the port is taken or may not be opened.
    """
    return Server(app, f"{host}:{port}", streams, behind_proxy)
