"""Who opens many lines with TLS, or says nothing or nonsense on them, takes nothing from anybody else."""

from __future__ import annotations

import random
import socket
import ssl
import threading
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from tests.https.served import BOARD, Served
from tests.web_panel.fake_backend import STREAMS
from web_panel.serving import tls
from web_panel.serving.connections import SPARE_LINES, ByTls, Connections, doors
from web_panel.stream import slots_each

MOST_EACH = slots_each(STREAMS) + SPARE_LINES
HELLO = bytes.fromhex("16030100f1010000ed0303")


def lines(secured: Served, held: ExitStack, count: int, address: str, said: bytes = b"") -> list[socket.socket]:
    opened = [socket.create_connection(("127.0.0.1", secured.tls.port), 20, (address, 0)) for _ in range(count)]
    for line in opened:
        held.enter_context(line)
        with suppress(OSError):  # it was ended already for a newer one
            line.sendall(said)
    return opened


def greeted(secured: Served, held: ExitStack, address: str) -> ssl.SSLSocket:
    (line,) = lines(secured, held, 1, address)
    greeting = secured.trusting()
    return held.enter_context(greeting.wrap_socket(line, server_hostname="127.0.0.1"))


def answers(secured: Served, address: str = "127.0.1.1") -> bool:
    with ExitStack() as held:
        said = greeted(secured, held, address)
        said.sendall(b"GET /api/board HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return said.recv(12) == b"HTTP/1.1 200"


@pytest.mark.parametrize("said", [b"", HELLO])
def test_two_hundred_lines_on_which_nobody_greets_shut_nobody_out(secured: Served, said: bytes) -> None:
    before = threading.active_count()
    with ExitStack() as held:
        for number in range(2, 12):
            lines(secured, held, MOST_EACH, f"127.0.0.{number}", said)
            assert answers(secured)
        assert answers(secured, "127.0.0.2")
        assert secured.ask("/api/board", https=False).status == 200
        assert threading.active_count() == before  # a line is no thread


def test_who_opens_too_many_lines_loses_the_oldest_of_the_own(secured: Served) -> None:
    with ExitStack() as held:
        other = greeted(secured, held, "127.0.0.2")
        first, *_ = lines(secured, held, MOST_EACH + 1, "127.0.0.3")
        assert first.recv(1) == b""
        other.sendall(b"GET /api/board HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert other.recv(12) == b"HTTP/1.1 200"


@pytest.mark.slow
def test_lines_by_both_ways_of_one_address_count_together(secured: Served) -> None:
    with ExitStack() as held:
        (first,) = lines(secured, held, 1, "127.0.0.3")
        for _ in range(MOST_EACH):
            held.enter_context(socket.create_connection(("127.0.0.1", secured.server.port), 20, ("127.0.0.3", 0)))
        assert first.recv(1) == b""


@pytest.mark.parametrize("said", [b"", HELLO, HELLO[:3]])
def test_who_does_not_come_to_the_end_of_a_greeting_is_hung_up_on(
    secured: Served, said: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tls, "HANDSHAKE_S", 0.05)
    with ExitStack() as held:
        (line,) = lines(secured, held, 1, "127.0.0.3", said)
        assert line.recv(1) == b""


def test_half_a_request_after_the_greeting_holds_no_line_of_others(secured: Served) -> None:
    with ExitStack() as held:
        for _ in range(MOST_EACH + 2):
            greeted(secured, held, "127.0.0.3").sendall(b"GET / HTTP/1.1\r\nHost: loc")
        assert answers(secured, "127.0.0.3")


def nonsense(seed: int) -> bytes:
    """Return what is no TLS, or only begins like it."""
    dice = random.Random(seed)
    made = [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"\x00" * 70_000, dice.randbytes(dice.randrange(1, 40_000)),
        HELLO + dice.randbytes(dice.randrange(300)), b"\x16\x03\x01\xff\xff" + dice.randbytes(70_000),
        b"\x15\x03\x03\x00\x02\x02\x28", b"SSH-2.0-x\r\n", b"PROXY TCP4 10.0.0.1 10.0.0.1 1 1\r\n",
    ]  # fmt: skip
    return dice.choice(made)


def test_nonsense_ends_its_own_line_alone(secured: Served) -> None:
    with ExitStack() as held:
        stream = greeted(secured, held, "127.0.0.9")
        stream.sendall(b"GET /api/watch HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert stream.recv(12) == b"HTTP/1.1 200"
        for seed in range(120):
            with ExitStack() as own:
                (line,) = lines(secured, own, 1, f"127.0.0.{20 + seed % 40}", nonsense(seed))
                with suppress(OSError):  # it was hung up on
                    if seed % 3:
                        line.shutdown(socket.SHUT_WR)
                        while line.recv(4096):
                            pass
        assert answers(secured)
        secured.backend.poke()
        assert stream.recv(4096)


def test_nonsense_under_tls_is_answered_as_under_plain_http(secured: Served) -> None:
    with ExitStack() as held:
        for said in (
            b"nonsense\r\n\r\n",
            b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            b"\xff" * 9000 + b"\r\n\r\n",
        ):
            line = greeted(secured, held, "127.0.0.3")
            line.sendall(said)
            with suppress(OSError):
                while line.recv(4096):
                    pass
            assert answers(secured)


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1_1 is deprecated")
def test_old_tls_and_renegotiation_are_refused(secured: Served) -> None:
    old = secured.trusting()
    old.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
    old.maximum_version = ssl.TLSVersion.TLSv1_1
    old.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.raises((ssl.SSLError, ConnectionError)):
        secured.greeted(old)
    assert secured.secure._greeting(secured.folder / "https" / "board.pem").options & ssl.OP_NO_RENEGOTIATION


def test_no_program_of_this_machine_can_say_that_it_came_by_https(secured: Served) -> None:
    """Nothing but the front says so, of a line that it has opened itself; a line from elsewhere is what it is."""
    port = secured.server.port
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        secured.server._lines.hand_on(line.getsockname(), ("192.168.1.7", 5))
        line.connect(("127.0.0.1", port))
        line.sendall(b"GET /api/board HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        while part := line.recv(4096):
            assert part
    assert secured.server._lines.handed_on(("127.0.0.1", 1)) is None
    assert secured.server._lines._handed == {}
    forged = {"X-Forwarded-Proto": "https", "Forwarded": "proto=https"}
    over = secured.ask("/api/secure/here", https=False, Origin=f"http://{BOARD}", **forged)
    assert over.headers["Access-Control-Allow-Origin"] is None


def test_who_hangs_up_before_it_is_taken_in_comes_from_where_it_came(made: Path) -> None:
    """Else its request would be one of this very machine, whose word counts for more."""
    lines = Connections(9, lambda address: 9)
    (inner,) = doors(lines, "127.0.0.1", 0)
    inner.listen()
    front = tls.TlsFront(lines, inner)
    front.open("127.0.0.1", 0, tls.context(made / "board.pem"))
    greeting = ssl.create_default_context()
    greeting.check_hostname, greeting.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", front.port), 20, ("127.0.0.3", 0)) as line:
        peer = line.getsockname()
        with greeting.wrap_socket(line) as said:
            said.sendall(b"GET / HTTP/1.1\r\n\r\n")
    with ExitStack() as held:
        held.callback(front.close)
        held.enter_context(inner)
        for address in ("127.0.0.3", None):  # the second is somebody of this machine, by plain http
            if address is None:
                plain = held.enter_context(socket.create_connection(inner.getsockname(), 20))
                peer = plain.getsockname()
            came, told = inner.accept()
            held.enter_context(came)
            assert told == peer
            assert isinstance(told[0], ByTls) is (address is not None)


def test_a_large_answer_to_who_reads_slowly_arrives_whole_and_keeps_nobody_waiting(secured: Served) -> None:
    with ExitStack() as held:
        line = greeted(secured, held, "127.0.0.3")
        line.sendall(b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert answers(secured)
        got = b""
        while part := line.recv(512):
            got += part
    head, _, body = got.partition(b"\r\n\r\n")
    length = next(int(each.split(b":")[1]) for each in head.split(b"\r\n") if each.startswith(b"Content-Length"))
    assert len(body) == length > 50_000


def test_a_phone_that_hangs_up_frees_its_stream(secured: Served) -> None:
    secured.backend.keep_alive_s = 0.02
    for _ in range(3 * STREAMS):
        with ExitStack() as held:
            stream = greeted(secured, held, "127.0.0.3")
            stream.sendall(b"GET /api/watch HTTP/1.1\r\nHost: localhost\r\n\r\n")
            head = stream.recv(12)
            while head == b"HTTP/1.1 503":  # the one before is not yet gone
                stream = greeted(secured, held, "127.0.0.3")
                stream.sendall(b"GET /api/watch HTTP/1.1\r\nHost: localhost\r\n\r\n")
                head = stream.recv(12)
            assert head == b"HTTP/1.1 200"
