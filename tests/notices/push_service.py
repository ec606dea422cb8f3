"""A push service on loopback, by https, with the browsers behind it: it checks who writes and opens what was sealed.

Written after the standards alone (RFC 8030, 8188, 8291, 8292), so that nothing in it is right only because the library
that sends does the same.
"""

from __future__ import annotations

import base64
import json
import os
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.house.mosquitto import program

DAY_S = 24 * 3600
HANGS_S = 120.0
CURVE = ec.SECP256R1()


def written(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def unwritten(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def derived(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(key)


class Browser:
    """A browser that subscribed: it alone can read what comes. Its push service answers with ``status``."""

    def __init__(self, origin: str, name: str, application_key: str) -> None:
        self._private = ec.generate_private_key(CURVE)
        self._auth = os.urandom(16)
        self.endpoint = f"{origin}/push/{name}"
        self.origin, self.application_key = origin, application_key
        self.status, self.headers, self.hangs = 201, dict[str, str](), False
        self.read: list[dict[str, Any]] = []
        self.sealed: list[bytes] = []
        self.asked: list[dict[str, str]] = []
        self.let_go = threading.Event()

    @property
    def point(self) -> bytes:
        return self._private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def subscription(self) -> dict[str, Any]:
        """What `PushSubscription.toJSON` gives the page."""
        keys = {"p256dh": written(self.point), "auth": written(self._auth)}
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": keys}

    def opened(self, body: bytes) -> bytes:
        """Open what came, by RFC 8291: one record of aes128gcm."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= size
        their = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender)
        secret = self._private.exchange(ec.ECDH(), their)
        key = derived(secret, self._auth, b"WebPush: info\0" + self.point + sender, 32)
        content = derived(key, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derived(key, salt, b"Content-Encoding: nonce\0", 12)
        plain = AESGCM(content).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert plain[-1:] == b"\2"  # the last record
        return plain[:-1]

    def comes(self, headers: dict[str, str], body: bytes) -> None:
        """Check and take what comes."""
        check_sender(headers["authorization"], self.application_key, self.origin)
        assert headers["content-encoding"] == "aes128gcm"
        assert int(headers["ttl"]) > DAY_S
        assert len(body) <= 4096
        self.asked.append(headers)
        self.sealed.append(body)
        self.read.append(json.loads(self.opened(body)))


def check_sender(authorization: str, application_key: str, origin: str) -> None:
    """Hold the sender to RFC 8292: signed with the key of the subscription, for this service, for a day at most."""
    scheme, _, parts = authorization.partition(" ")
    given = dict(part.strip().split("=", 1) for part in parts.split(","))
    assert scheme == "vapid"
    assert given["k"] == application_key
    head, claims, signature = given["t"].split(".")
    assert json.loads(unwritten(head))["alg"] == "ES256"
    raw = unwritten(signature)
    public = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, unwritten(application_key))
    r, s = (int.from_bytes(part, "big") for part in (raw[:32], raw[32:]))
    public.verify(encode_dss_signature(r, s), f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    told = json.loads(unwritten(claims))
    assert told["aud"] == origin
    assert time.time() < told["exp"] <= time.time() + DAY_S
    assert told["sub"].startswith(("https://", "mailto:"))


class PushService:
    """``origin`` is its address; ``faults`` has what was wrong with what came."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.browsers: dict[str, Browser] = {}
        self.faults: list[BaseException] = []

    def browser(self, application_key: str) -> Browser:
        """Return a browser that has just subscribed with the board's key."""
        name = f"b{len(self.browsers)}"
        made = self.browsers[f"/push/{name}"] = Browser(self.origin, name, application_key)
        return made


def handler_of(service: PushService) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            browser = service.browsers[self.path]
            try:
                browser.comes({name.lower(): value for name, value in self.headers.items()}, body)
            except (AssertionError, InvalidSignature, KeyError, ValueError) as wrong:
                service.faults.append(wrong)
            if browser.hangs:
                browser.let_go.wait(HANGS_S)
                return
            self.send_response(browser.status)
            for name, value in browser.headers.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler


@contextmanager
def push_service(folder: Path) -> Iterator[PushService]:
    """Run one, with a certificate that programs trust whose ``REQUESTS_CA_BUNDLE`` names ``folder / "cert.pem"``."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    command = [program("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
               "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out",
               str(cert)]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    service = PushService(f"https://localhost:{server.server_port}")
    server.RequestHandlerClass = handler_of(service)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        for browser in service.browsers.values():
            browser.let_go.set()
        server.shutdown()
        server.server_close()
        thread.join(timeout=10)
    assert service.faults == []
