"""A message of HTTP/1.1 as RFC 9112 writes it down, in pieces that each can be broken.

Knows RFC 9110 and 9112, RFC 6455 for upgrades and RFC 8446 for the first bytes of TLS; nothing of any server. What it
makes without `tests.malformed.breaking` is well-formed.
"""

from __future__ import annotations

from random import Random

import msgspec

METHODS = (
    b"GET",
    b"HEAD",
    b"POST",
    b"PUT",
    b"DELETE",
    b"OPTIONS",
    b"PATCH",
    b"TRACE",
    b"CONNECT",
    b"PROPFIND",
    b"M-SEARCH",
)
TCHAR = b"!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
PATHS = (
    b"/",
    b"/join",
    b"/api/board",
    b"/api/order",
    b"/api/watch",
    b"/line",
    b"/static/panel.css",
    b"/rules/cyvasse",
    b"/no/such/page",
)
QUERIES = (b"", b"", b"?", b"?seat=0", b"?room=" + b"0a" * 16, b"?a=%41&a=%zz", b"?%", b"?a[]=1&b==2&&")
CRLF = b"\r\n"


class Message(msgspec.Struct):
    """A request in its pieces: ``start`` is method, target and version, with the blanks between them."""

    start: list[bytes]
    headers: list[tuple[bytes, bytes, bytes]]  # name, what stands between, value
    body: list[bytes] = []
    ends: bytes = CRLF  # of each line
    after_headers: bytes = CRLF
    between: bytes = b""  # in front of it, where it follows another on a line

    def written(self) -> bytes:
        """Return it as it is sent."""
        lines = [b"".join(self.start), *(b"".join(header) for header in self.headers)]
        return self.between + b"".join(line + self.ends for line in lines) + self.after_headers + b"".join(self.body)

    def place(self, name: bytes) -> int | None:
        """Return where the header ``name`` stands."""
        return next((n for n, header in enumerate(self.headers) if header[0].lower() == name.lower()), None)

    def put(self, name: bytes, value: bytes) -> None:
        """Write the header anew, or add it."""
        where = self.place(name)
        if where is None:
            self.headers.append((name, b": ", value))
        else:
            self.headers[where] = (name, b": ", value)


def message(dice: Random, host: bytes) -> Message:
    """Return a well-formed request of any kind."""
    kind = dice.choice((plain, plain, with_body, with_body, chunked, upgrade, expecting))
    made = kind(dice, host)
    for _ in range(dice.choice((0, 0, 1, 3, 12))):
        made.headers.append((token(dice), dice.choice((b":", b": ", b":\t ")), field_value(dice)))
    if dice.random() < 0.3:
        made.put(b"Connection", dice.choice((b"close", b"keep-alive", b"keep-alive, close", b"TE")))
    return made


def plain(dice: Random, host: bytes) -> Message:
    """A request without a body."""
    return Message([dice.choice(METHODS), b" ", target(dice, host), b" ", version(dice)], [(b"Host", b": ", host)])


def with_body(dice: Random, host: bytes) -> Message:
    """A request whose length is told."""
    made = plain(dice, host)
    made.start[0] = dice.choice((b"POST", b"POST", b"PUT", b"GET"))
    made.body = [content(dice)]
    made.put(b"Content-Type", dice.choice((b"application/json", b"application/octet-stream", b"text/plain; charset=x")))
    made.put(b"Content-Length", b"%d" % len(made.body[0]))
    return made


def chunked(dice: Random, host: bytes) -> Message:
    """A request whose body comes in chunks, with extensions and a trailer now and then (section 7.1)."""
    made = with_body(dice, host)
    del made.headers[made.place(b"Content-Length") or 0]
    made.put(b"Transfer-Encoding", b"chunked")
    made.body = []
    for _ in range(dice.randrange(4)):
        part = content(dice) or b"x"
        extension = dice.choice((b"", b"", b";a=b", b';a="b;c"', b" ; a"))
        made.body += [dice.choice((b"%x", b"%X", b"0%x")) % len(part), extension, CRLF, part, CRLF]
    made.body += [dice.choice((b"0", b"000")), b"", CRLF]
    if dice.random() < 0.3:
        made.body += [token(dice), b": ", field_value(dice), CRLF]
    made.body.append(CRLF)
    return made


def upgrade(dice: Random, host: bytes) -> Message:
    """A request to go on as a web socket, with a frame already behind it, or as HTTP/2."""
    made = plain(dice, host)
    made.start[0] = b"GET"
    made.put(b"Connection", b"Upgrade")
    if dice.random() < 0.3:
        made.put(b"Connection", b"Upgrade, HTTP2-Settings")
        made.put(b"Upgrade", b"h2c")
        made.put(b"HTTP2-Settings", b"AAMAAABkAAQAAP__")
    else:
        made.put(b"Upgrade", b"websocket")
        made.put(b"Sec-WebSocket-Key", b"dGhlIHNhbXBsZSBub25jZQ==")
        made.put(b"Sec-WebSocket-Version", b"13")
    if dice.random() < 0.5:
        made.body = [b"\x81\x85" + dice.randbytes(9)]
    return made


def expecting(dice: Random, host: bytes) -> Message:
    """A request that asks whether to go on."""
    made = dice.choice((with_body, chunked))(dice, host)
    made.put(b"Expect", dice.choice((b"100-continue", b"100-Continue", b"200-ok")))
    return made


def target(dice: Random, host: bytes) -> bytes:
    """Return any of the four forms of a target (section 3.2)."""
    path = dice.choice(PATHS) + dice.choice(QUERIES)
    return dice.choice((path, path, path, path, b"http://" + host + path, host, b"*"))


def version(dice: Random) -> bytes:
    """Return a version; the newer one mostly."""
    return dice.choice((b"HTTP/1.1", b"HTTP/1.1", b"HTTP/1.1", b"HTTP/1.0"))


def token(dice: Random) -> bytes:
    """Return a name as a header may have it."""
    known = (
        b"Accept",
        b"Cookie",
        b"Range",
        b"If-None-Match",
        b"Origin",
        b"X-Forwarded-For",
        b"Forwarded",
        b"TE",
        b"Via",
        b"Accept-Encoding",
    )
    return dice.choice(known) if dice.random() < 0.5 else bytes(dice.choice(TCHAR) for _ in range(dice.randint(1, 20)))


def field_value(dice: Random) -> bytes:
    """Return what may stand behind a name: visible letters, blanks within, and bytes above 127 (section 5)."""
    letters = bytes(range(33, 127)) + b"  \t" + bytes(range(128, 256)) * (dice.random() < 0.2)
    return bytes(dice.choice(letters) for _ in range(dice.choice((0, 1, 8, 40)))).strip()


def content(dice: Random) -> bytes:
    """Return a body: JSON, form, noise or none."""
    return dice.choice(
        (b"", b"{}", b'{"do":"take_back"}', b"a=1&b=2", b"[" * 40, dice.randbytes(dice.choice((1, 64, 5000))))
    )


def tls_hello(dice: Random) -> bytes:
    """Return the first message of TLS, as a browser sends it that was told https."""
    name = b"board.example"
    sni = b"\x00\x00" + _sized(2, _sized(2, b"\x00" + _sized(2, name)))
    more = b"\x00\x2b" + _sized(2, b"\x04\x03\x04\x03\x03") + b"\x00\x10" + _sized(2, _sized(2, b"\x02h2\x08http/1.1"))
    suites = b"".join(dice.randbytes(2) for _ in range(dice.randint(1, 20)))
    hello = b"\x03\x03" + dice.randbytes(32) + _sized(1, dice.randbytes(32)) + _sized(2, suites) + b"\x01\x00"
    shake = b"\x01" + _sized(3, hello + _sized(2, sni + more))
    return b"\x16\x03\x01" + _sized(2, shake)


def _sized(width: int, what: bytes) -> bytes:
    return len(what).to_bytes(width, "big") + what
