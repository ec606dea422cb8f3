"""The broker that a relay runs by itself: what it serves, and that nothing of it is left when the relay is gone."""

from __future__ import annotations

import os
import queue
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.app import own_broker as module
from controller.app.addresses import Address
from controller.app.cli import cli
from controller.app.own_broker import BrokerPlace, board_lines, is_own, own_broker
from controller.app.run import CannotServe
from controller.broker import Broker, BrokerLine, BrokerMessage
from tests.afar.brokers import free_port
from tests.house.mosquitto import self_signed
from tests.waiting import PATIENCE_S, until

READY = b"ready"
UP, DOWN = f"bb/{32 * 'a'}/up", f"bb/{32 * 'a'}/down"


class Client:
    """Somebody at a broker, who hears ``topics``."""

    def __init__(self, broker: Broker, *topics: str) -> None:
        self.heard: queue.Queue[BrokerMessage] = queue.Queue()
        self.stands, self.told = threading.Event(), list[str]()
        self.line = BrokerLine(broker, "", topics, self.heard.put, self._stands, most_bytes=3_000_000)
        self.line.start()

    def _stands(self, up: bool, why: str) -> None:
        self.told.append(why)
        if up:
            self.stands.set()

    def say(self, topic: str, payload: bytes) -> None:
        assert self.stands.wait(PATIENCE_S)
        assert self.line.send(BrokerMessage(topic, payload))

    def next(self) -> BrokerMessage:
        while (message := self.heard.get(timeout=PATIENCE_S)).payload == READY:
            pass
        return message


def meet(speaker: Client, topic: str, *listeners: Client) -> None:
    """Let ``speaker`` speak until all ``listeners`` hear it: a broker lets one in before it has noted the topics."""

    def heard() -> bool:
        speaker.say(topic, READY)
        return all(not each.heard.empty() for each in listeners)

    until(heard)


@contextmanager
def clients(*made: Client) -> Iterator[None]:
    try:
        yield
    finally:
        for each in made:
            each.line.close()


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def kept(folder: Path) -> list[Path]:
    """Return what brokers have left in the folder for what is kept for a while."""
    return list(folder.glob("beaconboard-broker-*"))


# ---- what it serves ----


@pytest.mark.realtime
def test_boards_and_phones_are_heard_and_nothing_else_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with own_broker(BrokerPlace("127.0.0.1", free_port())) as own:
        assert kept(tmp_path) == []
        assert own.why_again() == ""
        board = Client(Broker("127.0.0.1", own.place.port), DOWN)
        curious = Client(Broker("127.0.0.1", own.place.port), "#", "$SYS/#")
        relay = Client(own.inner, UP)
        with clients(board, curious, relay):
            meet(board, UP, curious, relay)
            meet(relay, DOWN, board)
            for topic in ("homeassistant/light", "bb", f"{UP}/more", UP):
                board.say(topic, topic.encode() * 20_000)
            assert curious.next() == relay.next() == BrokerMessage(UP, UP.encode() * 20_000)
            relay.say(DOWN, b"sealed")
            assert board.next() == BrokerMessage(DOWN, b"sealed")
    assert not listens(own.place.port)


@pytest.mark.realtime
def test_with_a_certificate_it_speaks_tls_and_leaves_no_key_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, key = self_signed(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    place = BrokerPlace("127.0.0.1", free_port(), certificate, key)
    with own_broker(place) as own:
        board = Client(Broker("127.0.0.1", place.port, True, authority=str(certificate)), DOWN)
        stranger = Client(Broker("127.0.0.1", place.port, True))
        with clients(board, stranger):
            assert board.stands.wait(PATIENCE_S)
            until(lambda: stranger.told)
            assert "is not trusted" in stranger.told[0]
        assert kept(tmp_path) == []
        os.utime(certificate, (1, 1))
        assert own.why_again() == "the broker's certificate was renewed: starting again"
        certificate.unlink()  # as just before another one is put there
        assert own.why_again() == ""


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.realtime
def test_a_relay_of_root_lets_its_broker_be_nobody_of_importance() -> None:
    with own_broker(BrokerPlace("127.0.0.1", free_port())):
        (broker,) = children(os.getpid())
        assert Path(f"/proc/{broker}").stat().st_uid != 0


# ---- as a program ----


def children(of: int) -> list[int]:
    """Return the brokers that the process started."""
    found = Path(f"/proc/{of}/task/{of}/children").read_text().split()
    return [int(each) for each in found if b"mosquitto" in Path(f"/proc/{each}/cmdline").read_bytes()]


@contextmanager
def relay(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    (folder / "none.toml").write_text("")
    command = [sys.executable, "-m", "controller", "relay", "--settings", str(folder / "none.toml"), *words]
    world = {**os.environ, "TMPDIR": str(folder)}
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=world)
    try:
        yield running
    finally:
        running.kill()
        running.communicate()


@pytest.mark.realtime
def test_the_broker_is_started_again_and_ends_with_its_relay(tmp_path: Path) -> None:
    ports = [free_port(), free_port()]
    also = ["--port", str(free_port())], ["--port", str(free_port())]
    with (
        relay(tmp_path, *also[0], "--broker-port", str(ports[0])) as ended,
        relay(tmp_path, *also[1], "--broker-port", str(ports[1])) as killed,
    ):
        assert ended.stdout.readline() == f"The relay is at http://127.0.0.1:{also[0][1]}/\n"
        assert "two lines" in ended.stdout.readline()
        assert ended.stdout.readline() == f'  afar_broker = "mqtt://127.0.0.1:{ports[0]}"\n'
        assert ended.stdout.readline() == f'  afar_relay = "http://127.0.0.1:{also[0][1]}"\n'
        assert "--host 0.0.0.0" in ended.stdout.readline()
        (first,) = children(ended.pid)
        os.kill(first, signal.SIGKILL)
        assert ended.stderr.readline() == "beaconboard: the broker has ended by itself (status -9): starting again\n"
        assert ended.stdout.readline().startswith("The relay is at ")
        assert children(ended.pid) not in ([], [first])
        ended.send_signal(signal.SIGTERM)
        assert ended.wait(PATIENCE_S) == 0
        assert not listens(ports[0])

        assert killed.stdout.readline().startswith("The relay is at ")
        assert listens(ports[1])
        killed.kill()
        killed.wait(PATIENCE_S)
        if sys.platform == "linux":
            until(lambda: not listens(ports[1]))
    assert kept(tmp_path) == []


# ---- what is refused ----


def said(tmp_path: Path, *words: str) -> str:
    (tmp_path / "none.toml").write_text("")
    done = CliRunner().invoke(cli, ["relay", "--settings", str(tmp_path / "none.toml"), "--port", "1", *words])
    assert done.exit_code == 2
    return done.output


def test_without_mosquitto_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PLACES", ())
    monkeypatch.setenv("PATH", str(tmp_path))
    assert said(tmp_path) == (
        "beaconboard: no broker is named, and mosquitto is not installed: sudo apt install mosquitto, or name one by "
        "--broker\n"
    )


@pytest.mark.realtime
def test_what_is_no_certificate_ends_it_in_a_sentence(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text("")
    with (
        pytest.raises(CannotServe, match=r'cannot begin \(Error: Unable to load server certificate "certificate"'),
        own_broker(BrokerPlace("127.0.0.1", free_port(), wrong, wrong)),
    ):
        pass


# ---- what a board is told ----


def test_the_lines_for_a_board_have_the_address_that_it_reaches() -> None:
    home = Address("http://127.0.0.1:8080", ("http://192.168.1.20:8080", "http://pi.local:8080"))
    assert board_lines(BrokerPlace("192.168.1.20", 1884), home, None)[1:] == [
        '  afar_broker = "mqtt://192.168.1.20:1884"',
        '  afar_relay = "http://192.168.1.20:8080"',
    ]
    assert board_lines(BrokerPlace("0.0.0.0", 1884), home, "pi.local")[1:] == [
        '  afar_broker = "mqtt://pi.local:1884"',
        '  afar_relay = "http://pi.local:8080"',
    ]
    server = BrokerPlace("0.0.0.0", 8883, Path("certificate"), Path("key"))
    assert board_lines(server, Address("http://127.0.0.1:8080"), "relay.example")[1:] == [
        '  afar_broker = "mqtts://relay.example:8883"',
        '  afar_relay = "https://relay.example"',
        "A web server with the certificate has to hand on what comes to https://relay.example.",
    ]
    assert board_lines(BrokerPlace("::1", 1884), Address("http://[::1]:8080"), None)[1:3] == [
        '  afar_broker = "mqtt://[::1]:1884"',
        '  afar_relay = "http://[::1]:8080"',
    ]


def test_a_board_on_the_same_machine_may_name_the_broker_of_the_relay_that_reads_its_settings() -> None:
    port = free_port()
    place = BrokerPlace("0.0.0.0", port)
    assert is_own(Broker("127.0.0.1", port), place)
    assert not is_own(Broker("127.0.0.1", port, True), place)
    assert not is_own(Broker("192.0.2.1", port), place)
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        assert not is_own(Broker("127.0.0.1", taken), BrokerPlace("0.0.0.0", taken))
