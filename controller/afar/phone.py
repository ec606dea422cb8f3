"""A phone far away: its link, and what its page and the board at home say to each other.

A page asks what the panel's own pages ask; the board answers as it answers a phone that holds the seat, so that nothing
here knows rules, seats or secrets. Sealed as between boards, with keys of their own.
"""

from __future__ import annotations

import base64
import re
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from controller.afar.keys import GameLink
from controller.afar.messages import Closed, Count, End, LogHello, SomeEnd

PHONE_VERSION = 1
PHONE = -2  # in place of a seat: the keys of a phone's link
ROOM = re.compile(r"[0-9a-f]{32}")
MOST_LETTERS = 64 * 1024  # of a request: as the panel takes

Id = End  # sixteen random digits, so that no other request has it
Language = Annotated[str, Meta(pattern="^[A-Za-z-]{0,20}$")]


class Call(msgspec.Struct, frozen=True, tag="call"):
    """Page: answer this request of the panel. Sent until it is answered; the same ``id`` is carried out once."""

    id: Id
    method: Literal["GET", "POST"]
    path: Annotated[str, Meta(max_length=2000, pattern="^/api/")]
    body: Annotated[str, Meta(max_length=MOST_LETTERS)] = ""
    language: Language = ""


class WatchTable(msgspec.Struct, frozen=True, tag="watch"):
    """Page: tell what there is to see, from now on; it takes the place of what this page watched before."""

    id: Id
    language: Language = ""


class Here(msgspec.Struct, frozen=True, tag="here"):
    """Page: I am there, and watch as ``id``; "" where I do not."""

    id: SomeEnd = ""


class HomeAnswer(msgspec.Struct, frozen=True, tag="answer"):
    """Home: the answer to the call ``id``, as HTTP has it."""

    id: Id
    status: int
    body: msgspec.Raw


class PageNews(msgspec.Struct, frozen=True, tag="news"):
    """Home: event number ``n``, from 1, of what the page watches as ``id``. Each tells the whole of its kind."""

    id: Id
    n: int
    event: str
    data: msgspec.Raw


class Still(msgspec.Struct, frozen=True, tag="still"):
    """Home: what you watch as ``id`` has come to event ``n``; a page that has not heard that one watches again."""

    id: str
    n: int


FromPage = LogHello | Call | WatchTable | Here
FromHome = LogHello | HomeAnswer | PageNews | Still | Closed


class PhoneEnvelope(msgspec.Struct, frozen=True):
    """``what`` as message number ``n``, as in `controller.afar.sealing.Envelope`."""

    v: int
    from_: End
    to: SomeEnd
    n: Count
    what: Any


class PageEnvelope(PhoneEnvelope, frozen=True):
    """One that a page has written."""

    what: FromPage


def phone_link(key: bytes) -> GameLink:
    """Return the link of a phone, for its room and its keys; which broker it is at, the relay knows."""
    return GameLink("", 0, False, PHONE, key)


def phone_text(relay: str, key: bytes) -> str:
    """Return the address that opens the page at ``relay``; a browser keeps what follows ``#`` to itself."""
    return f"{relay.rstrip('/')}/#k={base64.urlsafe_b64encode(key).decode().rstrip('=')}"
