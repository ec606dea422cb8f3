"""The way to others, tried: does the broker carry this board's messages, and the relay those of phones?

What is sent is noise, in a room that nobody else knows.
"""

from __future__ import annotations

import base64
import secrets
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from urllib.parse import urlsplit

import msgspec

from controller.broker import ANSWER_S, Broker, BrokerLine, BrokerMessage
from controller.sentences import say

PATIENCE_S = ANSWER_S + 2  # a broker that does not answer says so after `ANSWER_S`
AGAIN_S, TIMES = 0.5, 10  # a message is sent again, as it may come before somebody listens
LINE_BYTES = 4096  # of a line that a relay sends
BUSY = (429, 503)


class Tried(msgspec.Struct, frozen=True):
    """Whether a part of the way did ``well``, ``told`` in one sentence."""

    well: bool
    told: str


class NotThere(Exception):
    """A part of the way is not as it should be; one sentence."""


def try_broker(broker: Broker) -> Tried:
    """Let two guests of ``broker`` meet; takes seconds where it does not answer."""
    room, word = secrets.token_hex(16), secrets.token_bytes(16)
    try:
        with _guest(broker, f"bb/{room}/up") as here, _guest(broker, f"bb/{room}/down") as there:
            here.is_let_in()
            there.is_let_in()
            if not there.gets(word, lambda: here.line.send(BrokerMessage(f"bb/{room}/down", word))):
                raise NotThere(say("The broker {address} lets this board in, but does not carry its messages: allow it "
                                   "all topics that begin with bb/.", address=broker.address))  # fmt: skip
    except NotThere as why:
        return Tried(False, str(why))
    return Tried(True, say("The broker {address} carries the messages of this board.", address=broker.address))


def try_relay(broker: Broker, relay: str) -> Tried:
    """Go by ``relay`` as a page far away does, and meet this board at its ``broker``; takes seconds."""
    room, word = secrets.token_hex(16), secrets.token_bytes(16)
    try:
        with _guest(broker, f"bb/{room}/up") as here, _page(relay, room) as page:
            here.is_let_in()
            page.is_let_in()
            if not page.gets(word, lambda: here.line.send(BrokerMessage(f"bb/{room}/down", word))):
                raise NotThere(say("The relay {relay} is there, but goes by another broker than this board: name the "
                                   "same one for both.", relay=relay))  # fmt: skip
            if not here.gets(word, lambda: _post(relay, room, word)):
                raise NotThere(say("The relay {relay} carries messages to phones, but none back.", relay=relay))
    except NotThere as why:
        return Tried(False, str(why))
    except (OSError, HTTPException, ValueError) as error:  # ValueError: of an address that cannot be one
        reason = str(getattr(error, "strerror", "") or error)
        return Tried(False, say("The relay {relay} cannot be reached ({why}).", relay=relay, why=reason))
    return Tried(True, say("The relay {relay} carries messages between phones and this board.", relay=relay))


class Ear:
    """Waits to be let in, then for one message. ``silent`` is told where nobody says either."""

    silent: str = say("There is no answer.")

    def __init__(self) -> None:
        self._answered, self._came = threading.Event(), threading.Event()
        self._why, self._word = "", b""

    def stands(self, _: bool, why: str) -> None:
        """Hear that we are let in, or ``why`` not."""
        self._why = why
        self._answered.set()

    def heard(self, word: bytes) -> None:
        """Hear a message."""
        if word == self._word:
            self._came.set()

    def is_let_in(self) -> None:
        """Wait until we are; raises `NotThere`."""
        if not self._answered.wait(PATIENCE_S) or self._why:
            raise NotThere(self._why or self.silent)

    def gets(self, word: bytes, send: Callable[[], object]) -> bool:
        """Return whether ``word`` comes when others ``send`` it."""
        self._word = word
        for _ in range(TIMES):
            send()
            if self._came.wait(AGAIN_S):
                return True
        return False


class Guest(Ear):
    """A guest of ``broker`` who listens to ``topic``."""

    def __init__(self, broker: Broker, topic: str) -> None:
        super().__init__()
        self.line = BrokerLine(broker, "", (topic,), lambda message: self.heard(message.payload), self.stands)


class PageAfar(Ear):
    """A page far away that reads what a relay sends, until that ends."""

    silent = say("The relay is there, but has no connection to its broker.")

    def read(self, stream: HTTPResponse) -> None:
        """Read ``stream`` line by line."""
        event = b""
        with suppress(OSError, HTTPException, ValueError):  # it ends when all is said, or is no relay's: nothing comes
            while line := stream.readline(LINE_BYTES):
                name, _, value = line.strip().partition(b": ")
                if name == b"data" and event == b"stands" and value == b"true":
                    self.stands(True, "")
                elif name == b"data" and not event:
                    self.heard(base64.b64decode(value))
                event = value if name == b"event" else b""


@contextmanager
def _guest(broker: Broker, topic: str) -> Iterator[Guest]:
    guest = Guest(broker, topic)
    guest.line.start()
    try:
        yield guest
    finally:
        guest.line.close()


@contextmanager
def _page(relay: str, room: str) -> Iterator[PageAfar]:
    with _connection(relay) as connection:
        line = connection.sock  # which the connection forgets as soon as the answer begins
        connection.request("GET", _line_path(relay, room))
        answer = connection.getresponse()
        if answer.status in BUSY:
            raise NotThere(say("The relay {relay} has too much to do: try again later.", relay=relay))
        if answer.status != 200 or answer.headers.get_content_type() != "text/event-stream":
            raise NotThere(say("Something answers at {relay}, but it is no relay: look at the address.", relay=relay))
        page = PageAfar()
        reading = threading.Thread(target=page.read, args=(answer,), name="relay tried", daemon=True)
        reading.start()
        try:
            yield page
        finally:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)  # that ends the reading
            reading.join(ANSWER_S)
            answer.close()


def _post(relay: str, room: str, word: bytes) -> None:
    with _connection(relay) as connection:
        connection.request("POST", _line_path(relay, room), word, {"Content-Type": "application/octet-stream"})
        connection.getresponse().close()


@contextmanager
def _connection(relay: str) -> Iterator[HTTPConnection]:
    """Connect to ``relay``; what does not answer raises OSError after `ANSWER_S`."""
    where = urlsplit(relay)
    kind = HTTPSConnection if where.scheme == "https" else HTTPConnection
    connection = kind(where.hostname or "", where.port, timeout=ANSWER_S)
    try:
        connection.connect()
        yield connection
    finally:
        connection.close()


def _line_path(relay: str, room: str) -> str:
    return f"{urlsplit(relay).path.rstrip('/')}/line?room={room}"
