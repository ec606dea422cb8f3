"""Who opens many lines, sends many requests or just vanishes takes nothing from anybody else."""

from __future__ import annotations

import errno
import http.client
import socket
import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Any, cast

import pytest

from tests.waiting import until
from tests.web_panel.fake_backend import square_backend
from web_panel.app import create_app
from web_panel.serve import listen
from web_panel.serving import connections
from web_panel.serving.connections import SOCKET_OPTIONS, SPARE_LINES, Connection, Connections, doors
from web_panel.serving.proxies import LocalProxy, NoProxy
from web_panel.serving.turns import AT_ONCE, READING, TURNED_AWAY, WAITING, Queue, RequestTurn, Turns
from web_panel.stream import LOOKS, slots_each

STREAMS = 4
STREAM = "/api/watch"
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


def test_a_phone_that_answers_nothing_any_more_is_let_go_without_a_word_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    options = [(*each[:2], 200 if each[1] == socket.TCP_USER_TIMEOUT else each[2]) for each in SOCKET_OPTIONS]
    monkeypatch.setattr(connections, "SOCKET_OPTIONS", options)
    backend = square_backend()
    server = listen(create_app(backend, streams=STREAMS), "127.0.0.1", 0, streams=STREAMS)
    running = threading.Thread(target=server.run, daemon=True)
    running.start()
    with socket.socket() as sleeper:
        sleeper.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        sleeper.connect(("127.0.0.1", server.port))
        sleeper.sendall(b"GET /static/vendor/noble.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 100)
        until(lambda: server._lines._lines)
        until(lambda: not server._lines._lines)
    backend.close()
    server.close()
    running.join(timeout=20)
    assert caplog.messages == []


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


def begun(turns: list[RequestTurn]) -> list[RequestTurn]:
    return [turn for turn in turns if turn.begun]


def test_a_guest_with_many_requests_waits_and_nobody_else() -> None:
    queue = Queue()
    guest = [queue.enter("10.0.0.66", True) for _ in range(WAITING)]
    assert begun(guest) == guest[:AT_ONCE]
    assert queue.enter("10.0.0.5", False).begun
    queue.done(guest[0])
    assert begun(guest) == guest[: AT_ONCE + 1]


def test_a_fault_frees_the_turn_and_a_stream_needs_none() -> None:
    def fails(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        if environ["PATH_INFO"] == STREAM and environ["REQUEST_METHOD"] == "GET":
            return [b"told"]
        raise OSError("gone")

    turns = Turns(cast("Any", fails), [STREAM])
    for _ in range(AT_ONCE + 1):
        with pytest.raises(OSError, match="gone"):
            turns(asking("10.0.0.5", "/"), cast("Any", None))
    assert [list(turns(asking("10.0.0.5", STREAM), cast("Any", None))) for _ in range(AT_ONCE + 5)][-1] == [b"told"]
    with pytest.raises(OSError, match="gone"):  # what is sent to a stream's address is no stream
        turns({**asking("10.0.0.5", STREAM), "REQUEST_METHOD": "POST"}, cast("Any", None))


def asking(address: str, path: str) -> dict[str, Any]:
    return {"REMOTE_ADDR": address, "REQUEST_METHOD": "GET", "PATH_INFO": path}


def test_orders_go_before_what_only_reads_and_never_wait_for_it() -> None:
    """Guests at many addresses read; each answer that is made beside an order makes that slower."""
    queue = Queue()
    reading = [queue.enter(f"10.0.0.{number}", True) for number in range(20)]
    assert begun(reading) == reading[:READING]
    assert queue.enter("10.0.1.1", False).begun
    assert len(begun([queue.enter(f"10.0.1.{number}", False) for number in range(8)])) == 8
    queue.done(reading[0])
    assert begun(reading) == reading[: READING + 1]


def test_when_too_many_wait_who_sends_most_is_turned_away_and_an_order_last() -> None:
    queue = Queue()
    crowd = [queue.enter("10.0.0.66", reads) for reads in [True] * (AT_ONCE + WAITING - 1) + [False]]
    alone = queue.enter("10.0.0.5", True)
    assert alone.begun  # one of its own
    others = [queue.enter(f"10.0.1.{number}", True) for number in range(3)]
    assert [turn.begun for turn in others] == [None] * 3
    refused = [turn for turn in crowd if turn.begun is False]
    assert refused == crowd[-1 - len(refused) : -1]
    assert len(refused) == 3
    assert crowd[-1].begun is None


def test_who_waits_is_turned_away_at_the_end_and_who_comes_after_it() -> None:
    queue = Queue()
    waiting = [queue.enter("10.0.0.66", True) for _ in range(AT_ONCE + 2)][AT_ONCE:]
    queue.end()
    assert [turn.begun for turn in waiting] == [False] * 2
    assert queue.enter("10.0.0.66", True).begun is False
    assert queue.enter("10.0.0.67", True).begun is False  # though there was room for it


def test_who_gives_up_waits_no_longer_and_holds_nothing() -> None:
    queue = Queue()
    turns = [queue.enter("10.0.0.66", True) for _ in range(AT_ONCE + 2)]
    queue.give_up(turns[0])  # its turn has come
    queue.give_up(turns[AT_ONCE])
    queue.done(turns[0])
    assert [turn.begun for turn in turns] == [True] * AT_ONCE + [False, True]


def test_who_waits_in_vain_is_told_so_before_the_phone_gives_up_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        return [b"turned away" if TURNED_AWAY in environ else b"answered"]

    waited_s: list[float] = []
    monkeypatch.setattr(threading.Event, "wait", lambda turn, s: turn.is_set() or waited_s.append(s))
    turns = Turns(cast("Any", app), [STREAM])
    answers = [turns(asking("10.0.0.5", "/"), cast("Any", None)) for _ in range(AT_ONCE + 1)]  # none is read
    assert [b"".join(answer) for answer in answers] == [b"answered"] * AT_ONCE + [b"turned away"]
    assert 10 <= waited_s[0] <= 30  # Safari waits for a minute


def test_who_is_turned_away_is_told_so_in_a_sentence(where: tuple[str, int]) -> None:
    answer = create_app(square_backend()).test_client().get("/api/board", environ_overrides={TURNED_AWAY: True})
    assert (answer.status_code, answer.headers["Cache-Control"]) == (429, "no-store")
    assert answer.get_json() == {"error": "Too many requests for this at the moment: try again shortly."}


# ---- from where ----


def seen_as(proxy: NoProxy, peer: str, **headers: str) -> str:
    seen: list[str] = []

    def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        seen.append(environ["REMOTE_ADDR"])
        return []

    proxy.behind(cast("Any", app))({"REMOTE_ADDR": peer, **headers}, cast("Any", None))
    return seen[0]


@pytest.mark.parametrize(
    ("peer", "said", "address"),
    [
        ("127.0.0.1", "203.0.113.5", "203.0.113.5"),
        ("::1", "203.0.113.5", "203.0.113.5"),
        ("127.0.0.1", "10.0.0.1, 203.0.113.5", "203.0.113.5"),  # what the stranger said stands before the proxy's word
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "unknown", "127.0.0.1"),
        ("127.0.0.1", "203.0.113.5, x" * 9, "127.0.0.1"),
        ("203.0.113.9", "203.0.113.5", "203.0.113.9"),  # a stranger on the internet is no proxy
        ("192.168.1.7", "203.0.113.5", "192.168.1.7"),
        ("127.0.0.1", "2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:9::9", "", "2001:db8:1:2::/64"),
    ],
)
def test_only_the_proxys_word_says_where_a_request_comes_from(peer: str, said: str, address: str) -> None:
    headers = {"HTTP_X_FORWARDED_FOR": said} if said else {}
    assert seen_as(LocalProxy(homes=True), peer, **headers) == address
    assert seen_as(NoProxy(), peer, **headers) == peer


def test_behind_a_proxy_each_address_has_its_own_limits() -> None:
    """All came from the proxy, so that one guest took the streams of everybody."""
    backend = square_backend()
    app = create_app(backend, streams=16)
    server = listen(app, "127.0.0.1", 0, streams=16, proxy=LocalProxy())
    running = threading.Thread(target=server.run, daemon=True)
    running.start()
    with ExitStack() as held:

        def watching(address: str) -> int:
            line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
            held.callback(line.close)
            line.request("GET", STREAM, headers={"X-Forwarded-For": f"10.9.9.9, {address}"})
            return held.enter_context(line.getresponse()).status

        assert [watching("203.0.113.66") for _ in range(slots_each(16) + 2)] == [200] * slots_each(16) + [503] * 2
        assert watching("203.0.113.5") == 200
        backend.close()
    server.close()
    running.join(timeout=20)
    assert not running.is_alive()


# ---- lines ----


def test_two_hundred_slow_heads_and_all_streams_leave_room_for_a_page(where: tuple[str, int]) -> None:
    with ExitStack() as held:
        for number in range(2, 6):
            idle_lines(where, held, 50, f"127.0.0.{number}", b"GET / HTTP/1.1\r\nHost: loc")
        (stream,) = idle_lines(where, held, 1, "127.0.0.9", b"GET /api/watch HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert stream.recv(12) == b"HTTP/1.1 200"
        assert [asked(where, f"127.0.0.{number}") for number in (2, 5, 77)] == [200] * 3


def test_a_crowd_that_says_nothing_holds_a_few_dozen_lines_and_no_more(where: tuple[str, int]) -> None:
    """Each line takes a file of the board, which has a thousand for all that it does."""
    with ExitStack() as held:
        lines = [idle_lines(where, held, 1, f"127.0.{n // 100}.{n % 100 + 2}")[0] for n in range(200)]
        assert asked(where, "127.0.9.1") == 200
        assert [line.recv(1) for line in lines[:100]] == [b""] * 100


def test_when_all_lines_are_taken_the_address_with_most_loses_one() -> None:
    lines = Connections(4, lambda address: 3)
    with ExitStack() as held:

        def line(address: str, port: int) -> Connection:
            near, far = socket.socketpair()
            held.enter_context(far)
            return held.enter_context(Connection(lines, (address, port), near.detach()))

        first, *crowd = [line("10.0.0.5", 1), *(line("10.0.0.66", port) for port in (1, 2, 3))]
        assert all(lines.enter(each) for each in (first, *crowd))
        crowd[0].send(b"an answer")  # not the longest idle any more
        assert lines.enter(line("10.0.0.7", 1))
        assert [each.shut for each in (first, *crowd)] == [False, False, True, False]


def test_a_line_that_is_answered_is_never_ended() -> None:
    lines = Connections(1, lambda address: 1)
    near, far = socket.socketpair()
    other, end = socket.socketpair()
    with far, end, Connection(lines, ("10.0.0.5", 1), near.detach()) as line:
        assert lines.enter(line)

        def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
            with Connection(lines, ("10.0.0.5", 2), other.detach()) as second:
                assert not lines.enter(second)
            return []

        answer = lines.noting(cast("Any", app))({"REMOTE_ADDR": "10.0.0.5", "REMOTE_PORT": "1"}, cast("Any", None))
        assert not line.shut
        cast("Any", answer).close()
        assert lines.end_one()
        assert line.shut


def test_without_files_left_the_longest_idle_line_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = Connections(4, lambda address: 4)
    (door,) = doors(lines, "127.0.0.1", 0)
    near, far = socket.socketpair()
    with door, far, Connection(lines, ("10.0.0.5", 1), near.detach()) as line:
        assert lines.enter(line)

        def full(door: socket.socket) -> Any:
            raise OSError(errno.EMFILE, "Too many open files")

        monkeypatch.setattr(socket.socket, "accept", full)
        with pytest.raises(BlockingIOError):
            door.accept()
        assert line.shut


def test_lines_of_one_address_are_answered_in_their_order_at_the_real_server(where: tuple[str, int]) -> None:
    lines = [http.client.HTTPConnection(*where, timeout=20, source_address=("127.0.0.9", 0)) for _ in range(12)]
    for line in lines:
        line.request("GET", "/api/games")
    assert [line.getresponse().status for line in lines] == [200] * 12
    for line in lines:
        line.close()
