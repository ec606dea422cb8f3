"""Whatever is no request ends its own line, and never what answers everybody else."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from controller.panel.history_backend import HistoryBackend
from tests.malformed.evening import EveningRequest, evening
from tests.malformed.proxies import caddy, nginx
from tests.malformed.sending import Line, kind, lines, say
from tests.web_panel.fake_backend import FakeBackend, Serve, square_backend
from web_panel.app import create_app
from web_panel.relay import create_relay
from web_panel.serve import Server, listen
from web_panel.serving.proxies import LocalProxy

SEED, COUNT = 9112, 240
ORDER = EveningRequest("POST", "/api/order", b'{"do":"take_back"}')
PANEL = (EveningRequest("GET", "/"), EveningRequest("GET", "/api/board"), ORDER)
ROOM = "ab" * 16
RELAY = (
    EveningRequest("GET", "/"),
    EveningRequest("GET", "/rules/circle"),
    EveningRequest("POST", f"/line?room={ROOM}", b"sealed", "application/octet-stream"),
)
# What ended a panel, word by word, and a relay with it.
ENDED_IT = (
    b"x\r\n\r\n", b"GET\r\n\r\n", b"get / HTTP/1.1\r\nHost: x\r\n\r\n", bytes(range(256)) + b"\r\n\r\n",
    b"OPTIONS / RTSP/1.0\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\r\n\r\n", b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost : x\r\n\r\n", b"GET / HTTP/1.1\r\nA: b\rc\r\n\r\n",
    b"GET / HTTP/1.1\r\n folded: x\r\n\r\n",
    b"GET / HTTP/1.1\r\n: x\r\n\r\n",
)  # fmt: skip


class Deaf:
    """A bridge that leads nowhere: what comes is taken."""

    def listen(self, room: str, address: str, most: int) -> Deaf:
        return self

    def send(self, room: str, message: bytes) -> bool:
        return True

    def close(self) -> None:
        return

    messages: queue.Queue[bytes | bool] = queue.Queue()


@contextmanager
def panel() -> Iterator[tuple[str, int]]:
    """A panel behind a proxy, by its settings."""
    backend = square_backend()
    server = listen(create_app(backend), "127.0.0.1", 0, streams=4, proxy=LocalProxy())
    with running(server):
        yield "127.0.0.1", server.port
        backend.close()


@contextmanager
def relay() -> Iterator[tuple[str, int]]:
    """A relay without a broker."""
    app = create_relay(Deaf(), HistoryBackend(None, Path("no-games.sqlite3")))
    server = listen(app, "127.0.0.1", 0, streams=4, proxy=LocalProxy())
    with running(server):
        yield "127.0.0.1", server.port


@contextmanager
def running(server: Server) -> Iterator[None]:
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield
    server.close()
    thread.join(timeout=20)
    assert not thread.is_alive()


@pytest.fixture
def backend() -> FakeBackend:
    return square_backend()


@pytest.fixture
def where(serve: Serve, backend: FakeBackend) -> tuple[str, int]:
    return "127.0.0.1", int(serve(backend).rpartition(":")[2].strip("/"))


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what was logged as an error, but for the lines that the server ended because of one of its own."""
    told = [record for record in caplog.records if record.levelno >= logging.ERROR and record.name != "waitress"]
    return [record.getMessage() for record in told]


@pytest.mark.parametrize("said", ENDED_IT)
def test_what_once_ended_the_panel_ends_its_own_line(where: tuple[str, int], said: bytes) -> None:
    for _ in range(2):
        heard = say(Line((said,), "half"), where, listen_s=20.0)
        assert kind(heard) in ("none", "400", "501", "404", "405", "421")
    page = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert kind(say(Line((page,), "listen"), where, listen_s=20.0)) == "200"


def test_a_request_cut_at_every_place_is_read_like_a_whole_one(where: tuple[str, int]) -> None:
    whole = b"GET /api/board HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    for place in range(1, len(whole)):
        heard = say(Line((whole[:place], whole[place:]), "listen"), where, listen_s=20.0)
        assert kind(heard) == "200", place


def test_people_play_while_others_send_what_is_no_request(
    where: tuple[str, int], caplog: pytest.LogCaptureFixture
) -> None:
    before = threading.active_count()
    told = evening(where, PANEL, SEED, COUNT)
    assert set(told.answered) == {f"{asked.path} 200" for asked in PANEL}, told
    assert told.kinds["400"] > COUNT // 10
    assert threading.active_count() == before
    assert errors(caplog) == []


def test_a_relay_answers_while_others_send_what_is_no_request(caplog: pytest.LogCaptureFixture) -> None:
    with relay() as where:
        told = evening(where, RELAY, SEED + 1, COUNT)
    assert set(told.answered) == {f"{asked.path} 200" for asked in RELAY}, told
    assert errors(caplog) == []


def test_the_same_seed_makes_the_same_lines() -> None:
    first, again, other = (list(lines(seed, 50)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_most_lines_are_no_requests_and_some_are() -> None:
    """A generator of requests that are all refused at the first byte tries nothing behind it."""
    whole = [b"".join(line.parts) for line in lines(3, 500)]
    begun_well = [said for said in whole if said.startswith((b"GET /", b"POST /", b"PUT /"))]
    assert 0.2 < len(begun_well) / len(whole) < 0.9


MANY = 10_000
GUEST = (
    EveningRequest("GET", "/"),
    EveningRequest("GET", "/api/board"),
    EveningRequest("POST", "/api/pair/stop", b"{}"),
)
SERVED = {"panel": (panel, GUEST), "relay": (relay, RELAY)}


@pytest.mark.night
@pytest.mark.parametrize("front", ["", "caddy", "nginx"])
@pytest.mark.parametrize("what", SERVED)
def test_ten_thousand_of_them_with_and_without_a_proxy(
    what: str, front: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    served, played = SERVED[what]
    with ExitStack() as held:
        where = held.enter_context(served())
        if front:
            where = where[0], held.enter_context({"caddy": caddy, "nginx": nginx}[front](tmp_path, where[1]))
        before = threading.active_count()
        told = evening(where, played, SEED + len(front), MANY)
        assert set(told.answered) == {f"{asked.path} 200" for asked in played}, told
        assert told.kinds["400"] > MANY // 10
        assert threading.active_count() == before
    assert errors(caplog) == []
