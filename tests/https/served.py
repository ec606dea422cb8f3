"""A panel that is served by http and, once somebody asks for it, by https; and phones that trust it, or do not."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import threading
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from cryptography import x509

from controller.https.papers import PapersApart
from controller.https.secure_pages import NETWORKS, SecurePages, ServedAt
from tests.https.papers_brought import NOW
from tests.web_panel.fake_backend import STREAMS, FakeBackend, square_backend
from web_panel.app import create_app
from web_panel.people.joining import WaysIn
from web_panel.people.phones import Phones
from web_panel.serve import listen
from web_panel.serving.tls import context

CODE = "12345678"
BOARD = "beaconboard.local"


class Answer(NamedTuple):
    """What a phone was answered."""

    status: int
    body: bytes
    headers: http.client.HTTPMessage

    def json(self) -> Any:
        return json.loads(self.body)


class Served:
    """The panel of a board called `BOARD`. ``clock`` and ``addresses`` are what the board takes for true."""

    def __init__(self, folder: Path, hindrance: str = "") -> None:
        self.folder = folder
        self.clock: datetime = NOW
        self.addresses: tuple[str, ...] = ("127.0.0.1",)
        self.told: list[str] = []
        self.backend: FakeBackend = square_backend()
        self.phones = Phones(folder / "phones.json")
        place = ServedAt("127.0.0.1", 0, (BOARD,), lambda: self.addresses, hindrance, (*NETWORKS, "127.0.0.0/8"))
        self.secure = SecurePages(folder / "https", place, PapersApart(), context, self.told.append, lambda: self.clock)
        entry = WaysIn(self.phones, CODE, addresses=lambda: (self.url,))
        self.app = create_app(self.backend, (BOARD,), streams=STREAMS, entry=entry, secure=self.secure)
        self.server = listen(self.app, "127.0.0.1", 0, streams=STREAMS)
        self.tls = self.server.tls
        self.url = f"http://127.0.0.1:{self.server.port}"
        self.secure._front = self.tls
        self.secure._watching = threading.current_thread()  # the test itself looks by the clock
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()

    def close(self) -> None:
        self.secure.close()
        self.backend.close()
        self.server.close()
        self.thread.join(timeout=20)
        assert not self.thread.is_alive()

    def trusting(self) -> ssl.SSLContext:
        """Return how a phone greets that trusts the board's authority and nothing else."""
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        made.load_verify_locations(cadata=self.secure.authority())
        made.verify_flags |= ssl.VERIFY_X509_STRICT  # as Python does by itself from 3.13 on
        return made

    def greeted(self, greeting: ssl.SSLContext, name: str = BOARD) -> dict[str, Any]:
        """Return the certificate that a phone is shown which looks for ``name``; raises `ssl.SSLError`."""
        with (
            socket.create_connection(("127.0.0.1", self.tls.port), 20) as line,
            greeting.wrap_socket(line, server_hostname=name) as said,
        ):
            return said.getpeercert() or {}

    def shown(self) -> x509.Certificate:
        """Return the certificate that is served, whatever a phone would think of it."""
        return x509.load_pem_x509_certificate(ssl.get_server_certificate(("127.0.0.1", self.tls.port)).encode())

    def ask(
        self,
        path: str,
        body: Any = None,
        *,
        https: bool = True,
        cookie: str = "",
        host: str = BOARD,
        site: str = "",
        **headers: str,
    ) -> Answer:
        """Send a request, whether the board is trusted or not; a POST where there is a ``body``."""
        line: http.client.HTTPConnection
        if https:
            any_ = ssl._create_unverified_context()
            line = http.client.HTTPSConnection("127.0.0.1", self.tls.port, timeout=20, context=any_)
        else:
            line = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        port = self.tls.port if https else self.server.port
        sent = {"Host": f"{host}:{port}", **({"Cookie": cookie} if cookie else {}), **headers}
        sent |= {"Sec-Fetch-Site": site} if site else {}
        try:
            if body is None:
                line.request("GET", path, headers=sent)
            else:
                line.request("POST", path, json.dumps(body), {**sent, "Content-Type": "application/json"})
            answer = line.getresponse()
            return Answer(answer.status, answer.read(), answer.headers)
        finally:
            with suppress(OSError):
                line.close()

    def joined(self, *, https: bool = False) -> str:
        """Return the cookie of a phone that has joined as an owner."""
        answer = self.ask("/api/pair/code", {"code": CODE}, https=https)
        assert answer.status == 200, answer.body
        return answer.headers["Set-Cookie"].partition(";")[0]
