"""The way to others, tried with a real broker and a real relay, and with what is not one."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from controller.broker import Broker
from controller.service.afar import way_tried
from controller.service.afar.way_tried import try_broker, try_relay
from tests.afar.brokers import free_port, mosquitto
from tests.afar.relays import relay_at


@pytest.fixture(autouse=True)
def few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """What does not come is waited for no longer than a test likes."""
    monkeypatch.setattr(way_tried, "TIMES", 4)
    monkeypatch.setattr(way_tried, "PATIENCE_S", 4)


@contextmanager
def web_page(status: int = 200) -> Iterator[str]:
    """Some page of the web that is no relay."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(b"Hello")

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_a_broker_and_a_relay_that_work_say_so(port: int) -> None:
    broker = Broker("127.0.0.1", port)
    told = f"The broker 127.0.0.1:{port} carries the messages of this board."
    assert try_broker(broker) == way_tried.Tried(True, told)
    with relay_at(port) as relay:
        tried = try_relay(broker, relay)
    assert tried.told == f"The relay {relay} carries messages between phones and this board."
    assert tried.well


def test_nobody_at_the_address_of_the_broker() -> None:
    port = free_port()
    tried = try_broker(Broker("127.0.0.1", port))
    assert not tried.well
    assert tried.told == f"The MQTT broker 127.0.0.1:{port} cannot be reached (Connection refused)."


def test_something_else_at_the_address_of_the_broker() -> None:
    """It hangs up on whoever speaks MQTT."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def hang_up() -> None:
            with suppress(OSError):
                while True:
                    server.accept()[0].close()

        threading.Thread(target=hang_up, daemon=True).start()
        port = server.getsockname()[1]
        tried = try_broker(Broker("127.0.0.1", port))
    assert not tried.well
    assert tried.told == f"127.0.0.1:{port} does not answer as an MQTT broker does."


def test_a_broker_that_wants_another_password(tmp_path: Path) -> None:
    with mosquitto(tmp_path, passwords=True) as port:
        tried = try_broker(Broker("127.0.0.1", port, user="family", password="wrong"))
    assert not tried.well
    assert tried.told == f"The MQTT broker 127.0.0.1:{port} refuses the user name or the password."


def test_a_broker_that_carries_nothing(tmp_path: Path) -> None:
    with mosquitto(tmp_path, topics=("house/#",)) as port:
        tried = try_broker(Broker("127.0.0.1", port))
    assert not tried.well
    assert tried.told == (
        f"The broker 127.0.0.1:{port} lets this board in, but does not carry its messages: allow it all topics that "
        "begin with bb/."
    )


def test_a_relay_at_another_broker(tmp_path: Path, port: int) -> None:
    with mosquitto(tmp_path / "other") as other, relay_at(other) as relay:
        tried = try_relay(Broker("127.0.0.1", port), relay)
    assert not tried.well
    assert tried.told == (
        f"The relay {relay} is there, but goes by another broker than this board: name the same one for both."
    )


def test_a_relay_whose_broker_is_gone(port: int) -> None:
    with relay_at(free_port()) as relay:
        tried = try_relay(Broker("127.0.0.1", port), relay)
    assert tried == way_tried.Tried(False, "The relay is there, but has no connection to its broker.")


def test_a_page_of_the_web_that_is_no_relay(port: int) -> None:
    with web_page() as relay:
        tried = try_relay(Broker("127.0.0.1", port), relay)
    assert tried == way_tried.Tried(False, f"Something answers at {relay}, but it is no relay: look at the address.")


@pytest.mark.parametrize("relay", ["http://127.0.0.1:1", "http://127.0.0.1:99999", "https://127.0.0.1:1/relay/"])
def test_nobody_at_the_address_of_the_relay(port: int, relay: str) -> None:
    tried = try_relay(Broker("127.0.0.1", port), relay)
    assert not tried.well
    assert tried.told.startswith(f"The relay {relay} cannot be reached (")


def test_a_relay_that_never_answers(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(way_tried, "ANSWER_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        relay = f"http://127.0.0.1:{silent.getsockname()[1]}"
        tried = try_relay(Broker("127.0.0.1", port), relay)
    assert tried == way_tried.Tried(False, f"The relay {relay} cannot be reached (timed out).")


def test_to_a_relay_by_https_nothing_is_said_in_the_clear(port: int) -> None:
    first: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def listen() -> None:
            with suppress(OSError), server.accept()[0] as guest:
                first.append(guest.recv(3))

        hearing = threading.Thread(target=listen, daemon=True)
        hearing.start()
        tried = try_relay(Broker("127.0.0.1", port), f"https://127.0.0.1:{server.getsockname()[1]}")
        hearing.join(5)
    assert not tried.well
    assert first == [b"\x16\x03\x01"]  # a handshake of TLS


@pytest.mark.parametrize("status", way_tried.BUSY)
def test_a_relay_that_has_too_much_to_do_says_so(port: int, status: int) -> None:
    with web_page(status) as relay:
        tried = try_relay(Broker("127.0.0.1", port), relay)
    assert tried == way_tried.Tried(False, f"The relay {relay} has too much to do: try again later.")
