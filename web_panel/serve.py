"""Runs the panel's app under waitress. Owns sockets and threads; must not know what is served. Prints nothing."""

from __future__ import annotations

import threading
from typing import Any

import waitress
from flask import Flask
from waitress import wasyncore
from waitress.server import BaseWSGIServer

from web_panel.app import STREAMS
from web_panel.guard import LARGER

OUTBUF_BYTES = 256 * 1024
SPARE_THREADS = 8  # for requests while every stream is taken


class Server:
    """A server with its sockets open; ``port`` is where it listens."""

    def __init__(self, app: Flask, listen: str, streams: int) -> None:
        self._sockets: dict[int, Any] = {}  # waitress keeps its listening sockets, its trigger and connections here
        self._server = waitress.create_server(
            app,
            map=self._sockets,
            listen=listen,
            threads=streams + SPARE_THREADS,
            connection_limit=4 * (streams + SPARE_THREADS),
            max_request_body_size=max(LARGER.values()),  # by address the app takes less
            asyncore_use_poll=True,
            # Waitress keeps what it has sent of a stream until this much was: its 16 MB for each phone are too many.
            outbuf_high_watermark=OUTBUF_BYTES,
            ident=None,
        )
        listener = next(s for s in self._sockets.values() if isinstance(s, BaseWSGIServer))
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
        """End `run`, from any thread. End the streams first, or their threads are waited for in vain for 5 s."""
        with self._closing:
            if not self._closed:
                self._trigger.pull_trigger(self._leave)

    def _leave(self) -> None:
        # In the thread of the loop, which ends when it has no sockets left. They are closed when no thread of a
        # request can write to them any more: the numbers of closed files are given out again at once.
        self._open = dict(self._sockets)
        self._sockets.clear()


def listen(app: Flask, host: str, port: int, streams: int = STREAMS) -> Server:
    """Return a server of ``app`` that listens on ``host`` (``*`` for all addresses); ``run`` it to serve.

    ``streams`` is what `create_app` was given. Raises OSError where the port is taken or may not be opened.
    """
    return Server(app, f"{host}:{port}", streams)
