"""Messages under seal: XChaCha20-Poly1305, and nothing is heard twice or out of order.

Each end gives itself a fresh name when it starts, and believes only what was written to that name, with a higher number
than all before. So neither clocks nor files are needed to recognize an old message. An end that does not know the
other's name yet says hello. That alone is heard without a name, since it changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from controller.afar.keys import GameLink, Way
from controller.afar.messages import MOST_BYTES, VERSION, Count, End, LogHello, Message, SomeEnd
from controller.sentences import say
from controller.typed import ready

T = TypeVar("T")
NAME_BYTES, NONCE_BYTES, TAG_BYTES = 8, 24, 16
MOST_ENDS = 64  # that are remembered, each with the number of its last message


class Unsealed(ValueError):
    """A message that is not heard; one sentence. ``from_`` is who wrote it, where it was written with the key."""

    def __init__(self, why: str, from_: str = "") -> None:
        super().__init__(why)
        self.from_ = from_


class Version(msgspec.Struct, frozen=True):
    """The part of an envelope that no version changes."""

    v: Annotated[int, Meta(ge=0, lt=1 << 31)]


class Envelope(msgspec.Struct, frozen=True):
    """``what`` as message number ``n`` from one end to the other; to nobody yet where ``to`` is empty."""

    v: int
    from_: End
    to: SomeEnd
    n: Count
    what: Message


class OpenedMessage(msgspec.Struct, frozen=True):
    """A message, ``known`` where it was written to this very end, and who wrote it; ``first`` where nobody knew."""

    what: Message
    from_: str
    known: bool
    first: bool = False


class Sealing:
    """One end of a link. ``random`` returns so many random bytes; ``shape`` is the envelope that is read and written,
    and has that ``version``. With ``many`` there are several others at once.
    """

    def __init__(
        self, link: GameLink, out: Way, random: Callable[[int], bytes], shape: type[Any] = Envelope,
        version: int = VERSION, many: bool = False,
    ) -> None:  # fmt: skip
        # Only who plays from afar has the library in memory.
        from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_decrypt as decrypt
        from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_encrypt as encrypt
        from nacl.exceptions import CryptoError

        back: Way = "up" if out == "down" else "down"
        self._encrypt, self._decrypt, self._error = encrypt, decrypt, CryptoError
        self._out, self._in = link.way(out), link.way(back)
        self._about = link.room.encode()
        self._random, self._shape, self._version, self._many = random, shape, version, many
        self.name = random(NAME_BYTES).hex()
        self.peer = ""  # the other end as it is called now, "" until it has answered
        self._n = 0
        self._heard: dict[str, int] = {}  # by name of the other end: the number of its last message

    def seal(self, what: msgspec.Struct, to: str | None = None) -> bytes:
        """Return ``what`` for the other end, or for the one called ``to``."""
        self._n += 1
        whole = self._shape(self._version, self.name, self.peer if to is None else to, self._n, what)
        nonce = self._random(NONCE_BYTES)
        return nonce + self._encrypt(msgspec.json.encode(whole), self._about, nonce, self._out)

    def open(self, data: bytes) -> OpenedMessage:
        """Return the message in ``data``; raises `Unsealed`.

        Then nothing is changed but, at most, this end's name: it takes another one where it has met as many ends as it
        remembers, and where one speaks again that had been followed by another, since either may be the one of before.
        Nothing that was written until then is heard, and whoever is there now greets again.
        """
        envelope = self._opened(data)
        known = envelope.to == self.name
        if not known:
            if isinstance(envelope.what, LogHello):
                return OpenedMessage(envelope.what, envelope.from_, False)
            raise Unsealed(say("A message was written to this board before its last start: it is not heard."),
                           envelope.from_)  # fmt: skip
        before = self._heard.get(envelope.from_)
        if before is not None and envelope.n <= before:
            raise Unsealed(say("A message came a second time, or after a later one: it is not heard."))
        if len(self._heard) >= MOST_ENDS if before is None else not (self._many or envelope.from_ == self.peer):
            self.name = self._random(NAME_BYTES).hex()
            self._heard.clear()
            told = say("It is not certain which board is at the other end now: both greet each other anew.")
            raise Unsealed(told, envelope.from_)
        self._heard[envelope.from_] = envelope.n
        first, self.peer = envelope.from_ != self.peer, envelope.from_
        return OpenedMessage(envelope.what, envelope.from_, True, first)

    def _opened(self, data: bytes) -> Envelope:
        if not NONCE_BYTES + TAG_BYTES < len(data) <= MOST_BYTES:
            raise Unsealed(say("A message is too short or too long: it is not heard."))
        try:
            plain = self._decrypt(data[NONCE_BYTES:], self._about, data[:NONCE_BYTES], self._in)
        except self._error:
            raise Unsealed(say("A message was not sealed with the key of this link: it is not heard.")) from None
        version = _read(plain, Version).v
        if version != self._version:
            told = say("The other board speaks version {other} of play from afar, this one {own}: update both.",
                       other=version, own=self._version)  # fmt: skip
            raise Unsealed(told)
        opened: Envelope = _read(plain, self._shape)
        return opened


def _read(plain: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(plain, type=ready(kind))
    except (ValueError, RecursionError):  # as msgspec raises for what is no UTF-8, too, and for what is nested deep
        raise Unsealed(say("A message of the other board cannot be read: update both boards.")) from None
