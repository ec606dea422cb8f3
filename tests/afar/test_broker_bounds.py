"""A broker of somebody else's, to which a link may lead, fills no memory: whatever it sends, and whatever it leaves."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

import pytest

from controller.broker import MOST_QUEUED, MOST_QUEUED_BYTES, Broker, BrokerLine, BrokerMessage

CONNACK = bytes((0x20, 3, 0, 0, 0))
SUBACK = 0x90
MOST_BYTES = 100_000
TOPIC = b"bb/room/up"
PATIENCE_S = 20.0


class Hostile:
    """A broker that lets everybody in and does as a test says from then on."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(PATIENCE_S)
        self.port = int(self._listener.getsockname()[1])
        self.line: socket.socket | None = None

    def let_in(self) -> socket.socket:
        """Let in who comes, up to what it wants to hear."""
        line, _ = self._listener.accept()
        line.settimeout(PATIENCE_S)
        line.recv(1000)
        line.sendall(CONNACK)
        wanted = line.recv(1000)
        line.sendall(bytes((SUBACK, 4, *wanted[2:4], 0, 1)))
        return line

    def close(self) -> None:
        self._listener.close()


@contextmanager
def met() -> Iterator[tuple[socket.socket, BrokerLine, list[BrokerMessage], threading.Event]]:
    """A line to a hostile broker, with what is heard on it, and whether it has ended."""
    up, ended, heard = threading.Event(), threading.Event(), list[BrokerMessage]()

    def stands(is_up: bool, _: str) -> None:
        (up if is_up else ended).set()

    with closing(Hostile()) as broker:
        line = BrokerLine(Broker("127.0.0.1", broker.port), "", (TOPIC.decode(),), heard.append, stands,
                          most_bytes=MOST_BYTES)  # fmt: skip
        line.start()
        with closing(broker.let_in()) as there:
            assert up.wait(PATIENCE_S)
            yield there, line, heard, ended
        line.close()


def published(quality: int, number: int, payload: bytes) -> bytes:
    whole = len(TOPIC).to_bytes(2, "big") + TOPIC + (number.to_bytes(2, "big") if quality else b"") + b"\0" + payload
    assert len(whole) < 128
    return bytes((0x30 | quality << 1, len(whole))) + whole


def poured(there: socket.socket, data: bytes, most: int) -> int:
    """Send ``data`` again and again, ``most`` times, until nobody takes it; returns how many bytes were taken."""
    sent = 0
    with suppress(OSError):
        for _ in range(most):
            sent += there.send(data)
    return sent


def test_one_message_that_is_longer_than_was_agreed_is_not_awaited() -> None:
    with met() as (there, _, heard, ended):
        there.sendall(bytes((0x30, 0xFF, 0xFF, 0xFF, 0x7F)))  # 268 MB
        sent = poured(there, b"\0" * 65_536, 4000)
        assert ended.wait(PATIENCE_S)
    assert sent < 20_000_000  # what lies in the buffers of the system
    assert heard == []


def test_messages_of_a_quality_that_nobody_asked_for_are_not_kept() -> None:
    with met() as (there, _, heard, ended):
        for number in range(1, 3000):
            if not poured(there, published(2, number, b"x" * 50), 1):
                break
        assert ended.wait(PATIENCE_S)
    assert heard == []


def test_a_broker_that_sends_and_never_reads_is_left() -> None:
    with met() as (there, line, _, ended):
        assert line._up is not None
        line._up.socket().setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)  # else the system keeps many
        there.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        data = b"".join(published(1, number, b"") for number in range(1, 1000))
        poured(there, data, 100_000)
        assert ended.wait(PATIENCE_S)


def test_what_a_broker_does_not_take_is_bounded_and_goes_on_when_it_does() -> None:
    with met() as (_, line, _, _):
        sent = [line.send(BrokerMessage("bb/room/down", b"x" * 1_000_000)) for _ in range(100)]
        assert sent == [True] * (MOST_QUEUED_BYTES // 1_000_000) + [False] * (100 - MOST_QUEUED_BYTES // 1_000_000)
    with met() as (_, line, _, _):
        assert sum(line.send(BrokerMessage("bb/room/down")) for _ in range(1000)) == MOST_QUEUED


@pytest.mark.realtime
def test_a_broker_that_takes_them_gets_all_messages(port: int) -> None:
    up, come = threading.Event(), threading.Semaphore(0)
    hears = BrokerLine(Broker("127.0.0.1", port), "", ("x",), lambda _: come.release(), lambda *_: up.set(),
                       most_bytes=MOST_QUEUED_BYTES)  # fmt: skip
    hears.start()
    assert up.wait(PATIENCE_S)
    up.clear()
    says = BrokerLine(Broker("127.0.0.1", port), "", (), lambda _: None, lambda *_: up.set())
    says.start()
    assert up.wait(PATIENCE_S)
    for _ in range(3 * MOST_QUEUED_BYTES // 1_000_000):
        assert says.send(BrokerMessage("x", b"x" * 1_000_000))
        assert come.acquire(timeout=PATIENCE_S)
    for line in (says, hears):
        line.close()
