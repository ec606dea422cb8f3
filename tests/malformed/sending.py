"""Sends what `tests.malformed.breaking` makes: several on one line, cut at any place, the line closed at any moment.

Whoever sends is not choosy about the answer: it may be any of HTTP, or none.
"""

from __future__ import annotations

import socket
import struct
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Literal

import msgspec

from tests.malformed.breaking import broken
from tests.malformed.grammar import message

End = Literal["listen", "half", "close", "reset"]
ENDS: tuple[End, ...] = ("listen", "listen", "half", "close", "reset")
LISTEN_S = 0.05  # some requests wait for the rest of what they announce: then nobody answers


class Line(msgspec.Struct, frozen=True):
    """What is said on one line: in which parts, and how the line then ends."""

    parts: tuple[bytes, ...]
    end: End


def lines(seed: int, count: int, host: bytes = b"127.0.0.1") -> Iterator[Line]:
    """Yield ``count`` lines, the same ones for the same ``seed``."""
    dice = Random(seed)
    for _ in range(count):
        whole = broken(dice, host)
        while dice.random() < 0.25:  # several, one behind the other, without waiting for an answer
            whole += broken(dice, host) if dice.random() < 0.5 else message(dice, host).written()
        yield Line(tuple(parts(dice, whole)), dice.choice(ENDS))


def parts(dice: Random, whole: bytes) -> Iterator[bytes]:
    """Yield ``whole`` in as many parts as there are cuts; now and then in single bytes,
    at least its first hundred."""
    if dice.random() < 0.1:
        cuts = list(range(1, min(len(whole), 100)))
    else:
        cuts = sorted(dice.randrange(len(whole) + 1) for _ in range(dice.choice((0, 0, 1, 2, 7))))
    for begin, end in zip([0, *cuts], [*cuts, len(whole)], strict=True):
        if end > begin:
            yield whole[begin:end]


def say(line: Line, where: tuple[str, int], source: str = "", listen_s: float = LISTEN_S) -> bytes:
    """Say ``line`` on a line of its own; return what is answered, as far as it comes soon."""
    heard = b""
    with suppress(OSError), socket.create_connection(where, 5.0, (source, 0) if source else None) as wire:
        wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for part in line.parts:
            wire.sendall(part)
        if line.end == "reset":
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        elif line.end != "close":
            if line.end == "half":
                wire.shutdown(socket.SHUT_WR)
            wire.settimeout(listen_s)
            while len(heard) < 100_000 and (came := wire.recv(65_536)):
                heard += came
    return heard


def kind(heard: bytes) -> str:
    """Return what kind of answer this is: a status, none, or noise."""
    if not heard:
        return "none"
    return heard[9:12].decode("latin-1") if heard.startswith((b"HTTP/1.1 ", b"HTTP/1.0 ")) else "noise"


def say_all(said: Iterator[Line], where: tuple[str, int], sources: tuple[str, ...] = ("",)) -> Counter[str]:
    """Say all of them, each from the next of ``sources``; return how often which kind of answer came."""
    return Counter(kind(say(line, where, sources[n % len(sources)])) for n, line in enumerate(said))
