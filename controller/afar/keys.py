"""The private link: where two boards meet, and the one key of 256 bits from which every secret between them comes."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from typing import Literal

import msgspec

from controller.sentences import say

KEY_BYTES = 32
PORT, TLS_PORT = 1883, 8883
WATCHES = -1  # in place of a seat: the link shows the game and plays nothing of it
PERSON = b"beaconboard key"
WRITTEN = re.compile(
    r"^(?:beaconboard://|https?://[^#]+/board(?:\?[^#]*)?#)"
    r"(\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]{1,253})(?::(\d{1,5}))?/(tls/)?(watch|[1-9]\d?)/?[#/]k=(.*)$"
)
FOR_PHONE = re.compile(r"^https?://[^#]+/#k=")
BRACKETS = (("[", "%5B"), ("]", "%5D"))  # of an IPv6 address, which may not stand in what follows ``#``

Way = Literal["down", "up"]  # from home to the far board, and back


class BadLink(ValueError):
    """A text that is no link; one sentence."""


class GameLink(msgspec.Struct, frozen=True):
    """Leads to a game at another board, by the broker at ``host``, for ``seat`` (from 0), or to look on: `WATCHES`."""

    host: str
    port: int
    tls: bool
    seat: int
    key: bytes

    @property
    def room(self) -> str:
        """The name under which both boards meet at the broker; it tells nothing."""
        return self._derived("room").hex()[:32]

    def way(self, way: Way) -> bytes:
        """Return the key of all messages that go one way."""
        return self._derived(f"{way} {self.seat}")

    def _derived(self, name: str) -> bytes:
        return hashlib.blake2b(name.encode(), key=self.key, digest_size=KEY_BYTES, person=PERSON).digest()

    def __repr__(self) -> str:
        return f"Link({self.host}, seat {self.seat})"  # never the key: what is shown may end up in a log


def written(link: GameLink, relay: str = "") -> str:
    """Return ``link`` as text, at the address of a ``relay`` as one that any browser opens.

    Nobody on the way, and no relay, gets what follows ``#``: the key, and with a relay all that the link says.
    """
    key = base64.urlsafe_b64encode(link.key).decode().rstrip("=")
    place = "watch" if link.seat == WATCHES else link.seat + 1
    where = f"{link.host}:{link.port}/{'tls/' if link.tls else ''}{place}"
    if not relay:
        return f"beaconboard://{where}#k={key}"
    for mark, coded in BRACKETS:
        where = where.replace(mark, coded)
    return f"{relay.rstrip('/')}/board#{where}/k={key}"


def read(text: str) -> GameLink:
    """Return the link that ``text`` is, in either form and with line breaks anywhere; raises `BadLink`.

    >>> link = Link("broker.example", 8883, True, 1, bytes(range(32)))
    >>> read(written(link)) == link
    True
    """
    text = "".join(text.split())
    if FOR_PHONE.match(text):
        raise BadLink(say("This link is for somebody without a board: open it in a browser."))
    for mark, coded in BRACKETS:
        text = text.replace(coded, mark)
    found = WRITTEN.match(text)
    if found is None:
        raise BadLink(
            say("This is not a link to a game at another board: copy the whole link, with the key at its end.")
        )
    host, port, tls, seat, key = found.groups()
    try:
        secret = base64.b64decode(key + "=" * (-len(key) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        secret = b""
    if len(secret) != KEY_BYTES:
        raise BadLink(say("The key of this link is incomplete: copy the whole link."))
    number = int(port) if port else TLS_PORT if tls else PORT
    if not 1 <= number <= 65535:
        raise BadLink(say("The port of this link is not between 1 and 65535: copy the whole link."))
    return GameLink(host, number, bool(tls), WATCHES if seat == "watch" else int(seat) - 1, secret)
