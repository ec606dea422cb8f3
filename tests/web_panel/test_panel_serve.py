"""The panel under its real server: streams and requests side by side, and an end."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar
from urllib.parse import urlsplit

import pytest

from tests.web_panel.fake_backend import STREAMS, FakeBackend, Serve, square_backend
from web_panel.app import create_app
from web_panel.security import MOST_BODY_BYTES
from web_panel.serve import listen


@pytest.fixture
def backend() -> FakeBackend:
    return square_backend()


@pytest.fixture
def where(serve: Serve, backend: FakeBackend) -> str:
    return urlsplit(serve(backend)).netloc


def opened(where: str) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(where, timeout=20)


def stream(where: str) -> http.client.HTTPResponse:
    connection = opened(where)
    connection.request("GET", "/api/watch")
    return connection.getresponse()


def events(answer: http.client.HTTPResponse) -> Iterator[tuple[str, dict[str, Any]]]:
    kind = ""
    for line in answer:
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if name == "event":
            kind = value
        if name == "data" and kind != "you":  # what a browser is told of itself: test_join.py
            yield kind, json.loads(value)


def post(where: str, path: str, body: bytes, **headers: str) -> tuple[int, bytes]:
    connection = opened(where)
    connection.request("POST", path, body, {"Content-Type": "application/json", **headers})
    answer = connection.getresponse()
    return answer.status, answer.read()


PATIENCE_S = 20.0
T = TypeVar("T")


def tries(ask: Callable[[], T]) -> Iterator[T]:
    """Yield what ``ask`` returns, again and again for `PATIENCE_S`."""
    end_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < end_s:
        yield ask()


def test_orders_and_touches_are_heard_while_every_stream_is_taken(where: str, backend: FakeBackend) -> None:
    streams = [stream(where) for _ in range(STREAMS)]
    watched = [events(answer) for answer in streams]
    for told in watched:
        assert [next(told)[0], next(told)[0]] == ["pieces", "view"]
    assert post(where, "/api/order", b'{"do":"take_back"}') == (200, b"{}")
    assert post(where, "/api/lift", b'{"site":"c3"}')[0] == 200
    for told in watched:
        held = next(value["held"] for kind, value in told if kind == "pieces")
        assert held == [{"id": "p1", "seat": 1, "kind": "stone"}]
    for answer in streams:
        answer.close()


def test_a_watcher_that_left_makes_room_for_another(where: str, backend: FakeBackend) -> None:
    backend.keep_alive_s = 0.02
    streams = [stream(where) for _ in range(STREAMS)]
    assert stream(where).status == 503
    for answer in streams:
        answer.close()
    found = next(answer for answer in tries(lambda: stream(where)) if answer.status == 200)
    assert next(events(found))[0] == "pieces"
    found.close()


def test_a_body_that_is_too_big_is_turned_away(where: str, backend: FakeBackend) -> None:
    status, _ = post(where, "/api/order", b" " * (2 * MOST_BODY_BYTES))
    assert status == 413
    assert backend.orders == []


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"])
def test_who_comes_through_a_proxy_on_this_machine_is_not_at_this_machine(
    where: str, backend: FakeBackend, header: str
) -> None:
    """The server itself once took these headers away before anybody could see that they were there."""
    status, _ = post(where, "/api/order", b'{"do":"take_back"}', **{header: "192.168.1.66"})
    assert (status, backend.orders) == (403, [])


def test_a_body_sent_in_chunks_is_read_like_any_other(where: str, backend: FakeBackend) -> None:
    connection = opened(where)
    chunks = iter([b'{"do":', b'"take_back"}'])
    connection.request("POST", "/api/order", chunks, {"Content-Type": "application/json"}, encode_chunked=True)
    assert connection.getresponse().status == 200
    assert len(backend.orders) == 1


def test_the_server_ends_with_streams_open_and_its_port_is_free_again(capfd: pytest.CaptureFixture[str]) -> None:
    backend = square_backend()
    server = listen(create_app(backend, streams=2), "127.0.0.1", 0, streams=2)
    running = threading.Thread(target=server.run, daemon=True)
    running.start()
    answer = stream(f"127.0.0.1:{server.port}")
    assert next(events(answer))[0] == "pieces"
    backend.close()
    server.close()
    running.join(timeout=20)
    assert not running.is_alive()
    server.close()
    again = listen(create_app(backend), "127.0.0.1", server.port, streams=2)
    again.close()
    again.run()
    assert capfd.readouterr() == ("", "")


def test_a_port_that_is_taken_is_an_os_error(where: str) -> None:
    with pytest.raises(OSError, match="in use"):
        listen(create_app(square_backend()), "127.0.0.1", int(where.rpartition(":")[2]), streams=1)
