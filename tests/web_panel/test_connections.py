"""Who opens many lines, sends many requests or just vanishes takes nothing from anybody else."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from typing import Any, cast

import pytest

from tests.web_panel.fake_backend import square_backend
from web_panel.app import create_app
from web_panel.connections import AT_ONCE, READING, SPARE_LINES, STREAM, Waiting
from web_panel.serve import SPARE_THREADS, listen
from web_panel.stream import LOOKS, slots_each

STREAMS = 4
ORDER = "/api/order"
MOST = 4 * (STREAMS + SPARE_THREADS)
MOST_EACH = slots_each(STREAMS) + SPARE_LINES


@pytest.fixture
def where() -> Iterator[tuple[str, int]]:
    backend = square_backend()
    server = listen(create_app(backend, streams=STREAMS), "127.0.0.1", 0, streams=STREAMS)
    running = threading.Thread(target=server.run, daemon=True)
    running.start()
    yield "127.0.0.1", server.port
    backend.close()
    server.close()
    running.join(timeout=20)
    assert not running.is_alive()


def asked(where: tuple[str, int], address: str, path: str = "/api/board") -> int:
    line = http.client.HTTPConnection(*where, timeout=20, source_address=(address, 0))
    line.request("GET", path)
    answer = line.getresponse()
    answer.read()
    line.close()
    return answer.status


def idle_lines(
    where: tuple[str, int], held: ExitStack, count: int, address: str, said: bytes = b""
) -> list[socket.socket]:
    lines = [socket.create_connection(where, 20, (address, 0)) for _ in range(count)]
    for line in lines:
        held.enter_context(line)
        line.sendall(said)
    return lines


@pytest.mark.parametrize("said", [b"", b"POST /api/order HTTP/1.1\r\nContent-Length: 60000\r\n\r\n{"])
def test_idle_lines_never_shut_the_panel(where: tuple[str, int], said: bytes) -> None:
    """Two hundred lines on which nothing was said kept everybody out for two minutes."""
    with ExitStack() as held:
        for number in range(2, 12):
            idle_lines(where, held, MOST_EACH, f"127.0.0.{number}", said)
            assert asked(where, "127.0.1.1") == 200
        assert asked(where, "127.0.0.2") == 200


def test_who_opens_too_many_lines_loses_the_oldest_of_the_own(where: tuple[str, int]) -> None:
    with ExitStack() as held:
        (other,) = idle_lines(where, held, 1, "127.0.0.2")
        first, *_ = idle_lines(where, held, MOST_EACH + 1, "127.0.0.3")
        assert first.recv(1) == b""
        other.sendall(b"GET /api/board HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert other.recv(12) == b"HTTP/1.1 200"


def test_a_stream_whose_watcher_hung_up_makes_room_though_nothing_happens() -> None:
    """A place was held for 29 seconds: until the second time that something was sent into the void."""
    backend = square_backend()
    backend.keep_alive_s = 0.01
    app = create_app(backend, streams=1)
    there = [True]
    client = app.test_client()
    answer = client.get(STREAM, environ_overrides={"waitress.client_disconnected": lambda: not there[0]})
    told = iter(cast("Iterable[bytes]", answer.response))
    assert [next(told)[:6] for _ in range(3)] == [b"retry:", b"event:", b"event:"]
    assert client.get(STREAM).status_code == 503
    there[0] = False
    assert [part for part in told if part.startswith(b": ")] == []
    answer.close()
    again = client.get(STREAM)
    assert again.status_code == 200
    again.close()


def test_a_watcher_to_whom_there_is_nothing_to_tell_hears_so_only_now_and_then() -> None:
    backend, looked = square_backend(), list[int]()
    backend.keep_alive_s = 0.001
    answer = (
        create_app(backend)
        .test_client()
        .get(STREAM, environ_overrides={"waitress.client_disconnected": lambda: bool(looked.append(1))})
    )
    told = iter(cast("Iterable[bytes]", answer.response))
    while not next(told).startswith(b": "):
        pass
    before = len(looked)
    assert next(told).startswith(b": ")
    assert len(looked) - before == LOOKS
    answer.close()


# ---- whose turn it is ----


class Asking:
    """A line with a request, as the queue sees it."""

    def __init__(self, address: str, path: str = "/rules/cyvasse", served: Callable[[], Any] = lambda: None) -> None:
        command = "POST" if path == ORDER else "GET"
        request = type("Request", (), {"path": path, "command": command})()
        self.addr, self.requests, self.service = (address, 1), [request], served


def queue() -> Waiting:
    return Waiting(threading.Lock())


def test_a_guest_with_many_requests_waits_and_nobody_else() -> None:
    waiting, guest = queue(), [Asking("10.0.0.66") for _ in range(64)]
    for line in guest:
        waiting.append(line)
    turns = [waiting.popleft() for _ in range(AT_ONCE)]
    assert (len(waiting), bool(waiting)) == (64 - AT_ONCE, False)
    order = Asking("10.0.0.5", ORDER)
    waiting.append(order)
    assert waiting.popleft()._line is order
    assert not waiting
    turns[0].service()
    assert waiting.popleft()._line is guest[AT_ONCE]


def test_streams_are_no_short_requests_and_a_fault_frees_the_turn() -> None:
    waiting = queue()

    def fails() -> None:
        raise OSError("gone")

    for line in [Asking("10.0.0.5", STREAM) for _ in range(8)] + [Asking("10.0.0.5", served=fails)]:
        waiting.append(line)
    turns = [waiting.popleft() for _ in range(9)]
    with pytest.raises(OSError, match="gone"):
        turns[-1].service()
    for _ in range(AT_ONCE):
        waiting.append(Asking("10.0.0.5"))
        waiting.popleft()
    waiting.append(Asking("10.0.0.5"))
    assert not waiting


def test_orders_go_before_what_only_reads_and_never_wait_for_it() -> None:
    """Guests at many addresses read; each answer that is made beside an order makes that slower."""
    waiting = queue()
    for number in range(20):
        waiting.append(Asking(f"10.0.0.{number}"))
    reading = [waiting.popleft() for _ in range(READING)]
    assert not waiting
    waiting.append(Asking("10.0.1.1"))
    orders = [Asking(f"10.0.1.{number}", ORDER) for number in range(8)]
    for order in orders:
        waiting.append(order)
    assert [waiting.popleft()._line for _ in orders] == orders
    assert not waiting
    reading[0].service()
    assert waiting.popleft().address == f"10.0.0.{READING}"


def test_lines_of_one_address_are_answered_in_their_order_at_the_real_server(where: tuple[str, int]) -> None:
    lines = [http.client.HTTPConnection(*where, timeout=20, source_address=("127.0.0.9", 0)) for _ in range(12)]
    for line in lines:
        line.request("GET", "/api/games")
    assert [line.getresponse().status for line in lines] == [200] * 12
    for line in lines:
        line.close()
