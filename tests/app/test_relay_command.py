"""`beaconboard relay` and `beaconboard join` as they are typed: whose broker is used, what is said, what is refused."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from controller.afar.keys import written
from controller.app import afar_commands, own_broker, relay
from controller.app.own_broker import PORT, SECURE_PORT, BrokerPlace, is_own
from controller.app.run import CannotServe
from controller.app.supervisor import SILENT, StartAgain
from controller.broker import Broker
from tests.afar.brokers import free_port
from tests.afar.wire import LINK
from tests.app.commands import printed, refused, run

HERE = "http://127.0.0.1:8080"


class Relays:
    """What a relay would be run with: its ``broker``, and its ``own`` one at a place."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.broker: Broker | None = None
        self.own: BrokerPlace | None = None
        self.fails: Exception | None = None
        self.settings = folder / "settings.toml"
        self.settings.write_text("")
        monkeypatch.setattr(afar_commands, "own_broker", self._own_broker)
        monkeypatch.setattr(relay, "run", self._run)
        monkeypatch.setattr(afar_commands, "write_log", lambda: None)

    @contextmanager
    def _own_broker(self, place: BrokerPlace) -> Iterator[Any]:
        self.own = place
        yield SimpleNamespace(inner=Broker("127.0.0.1", 4000), why_again=lambda: "the broker has ended")

    def _run(self, broker: Broker, host: str, port: int, ready: Any, why_again: Any = lambda: "") -> None:
        self.broker = broker
        ready(f"http://{host}:{port}/")
        assert why_again() == ("the broker has ended" if self.own else "")
        if self.fails:
            raise self.fails

    def words(self, *more: object) -> tuple[object, ...]:
        return ("relay", "--settings", self.settings, *more)


@pytest.fixture
def relays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Relays:
    return Relays(monkeypatch, tmp_path)


# ---- whose broker it is ----


def test_the_broker_that_is_named_is_used_with_the_password_of_the_settings(relays: Relays) -> None:
    relays.settings.write_text('afar_broker = "other.example"\nafar_user = "ada"\nafar_password = "xyzzy"\n')
    assert printed(*relays.words("--broker", "mqtts://broker.example")) == f"The relay is at {HERE}/\n"
    assert (relays.broker, relays.own) == (Broker("broker.example", 8883, True, "ada", "xyzzy"), None)
    printed(*relays.words())
    assert (relays.broker, relays.own) == (Broker("other.example", 1883, False, "ada", "xyzzy"), None)


def test_where_none_is_named_it_has_its_own_and_says_what_a_board_needs(relays: Relays) -> None:
    told = printed(*relays.words()).splitlines()
    assert told == [
        f"The relay is at {HERE}/",
        "A board needs these two lines, in its settings or on its page Another board:",
        f'  afar_broker = "mqtt://127.0.0.1:{PORT}"',
        f'  afar_relay = "{HERE}"',
        "Only this computer can reach them: with --host 0.0.0.0 its network can, too.",
    ]
    assert (relays.broker, relays.own) == (Broker("127.0.0.1", 4000), BrokerPlace("127.0.0.1", PORT))
    printed(*relays.words("--broker-port", "5000"))
    assert relays.own == BrokerPlace("127.0.0.1", 5000)


def test_with_a_certificate_its_own_is_for_every_network_whoever_stands_before_the_relay(relays: Relays) -> None:
    files = ("--broker-certificate", "fullchain.pem", "--broker-key", "privkey.pem")
    told = printed(*relays.words(*files, "--name", "relay.example")).splitlines()
    assert told[2:4] == [f'  afar_broker = "mqtts://relay.example:{SECURE_PORT}"',
                         '  afar_relay = "https://relay.example"']  # fmt: skip
    assert relays.own == BrokerPlace("0.0.0.0", SECURE_PORT, Path("fullchain.pem"), Path("privkey.pem"))
    printed(*relays.words(*files, "--broker-port", "5000"))
    assert relays.own == BrokerPlace("0.0.0.0", 5000, Path("fullchain.pem"), Path("privkey.pem"))


def test_a_board_here_may_have_named_the_relays_own_in_its_settings(relays: Relays) -> None:
    """One file is for both: what the relay said a board needs does not keep it from running that broker."""
    port = free_port()
    relays.settings.write_text(f'afar_broker = "127.0.0.1:{port}"\n')
    printed(*relays.words("--broker-port", port))
    assert relays.own == BrokerPlace("127.0.0.1", port)
    relays.own = None
    printed(*relays.words("--broker-port", port, "--broker", f"127.0.0.1:{port}"))  # said here, it is another one's
    assert (relays.own, relays.broker) == (None, Broker("127.0.0.1", port))
    with socket.create_server(("127.0.0.1", port)):  # somebody runs it already
        printed(*relays.words("--broker-port", port))
        assert not is_own(Broker("127.0.0.1", port), BrokerPlace("127.0.0.1", port))
    assert relays.own is None


# ---- what is refused ----


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--broker", "http://x"), "'http://x' is no address of a broker"),
        (("--broker-key", "x"),
         "a certificate needs its key: give --broker-certificate and --broker-key, or neither"),
        (("--broker-certificate", "x"),
         "a certificate needs its key: give --broker-certificate and --broker-key, or neither"),
    ],
)  # fmt: skip
def test_what_does_not_go_together_is_refused_in_a_sentence(relays: Relays, words: tuple[str, ...], told: str) -> None:
    assert refused(*relays.words(*words)) == told
    assert (relays.broker, relays.own) == (None, None)


def test_a_relay_that_cannot_listen_says_where(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        told = refused("relay", "--broker", "127.0.0.1:1", "--port", port)
    assert told.startswith(f"the relay cannot listen on 127.0.0.1:{port} (")
    assert told.endswith("choose another --host or --port")


def test_what_ends_unasked_is_said_and_starts_again(relays: Relays, monkeypatch: pytest.MonkeyPatch) -> None:
    again: list[str] = []
    monkeypatch.setattr(afar_commands, "start_again", lambda: again.append("again"))
    relays.fails = StartAgain(SILENT)
    assert run(*relays.words()).stderr == f"beaconboard: {SILENT}\n"
    assert again == ["again"]


# ---- a link that is handed over ----


def test_a_link_that_cannot_be_handed_over_is_told_and_what_is_none_leaves_nothing(tmp_path: Path) -> None:
    journal, link = tmp_path / "games.sqlite3", written(LINK)
    folder = journal.with_name("games.sqlite3.afar")
    told = "The link is handed over: the board joins the game in a moment, or when it is started.\n"
    assert printed("join", link, "--journal", journal) == told
    assert [file.name for file in folder.iterdir()] == ["join"]
    assert (folder / "join").read_text() == link
    assert [oct(path.stat().st_mode)[-3:] for path in (folder, folder / "join")] == ["700", "600"]
    settings = tmp_path / "settings.toml"
    settings.write_text(f'journal = "{tmp_path / "text" / "games.sqlite3"}"')
    (tmp_path / "text").write_text("a file, where the folder would be")
    assert refused("join", link, "--settings", settings) == "the link cannot be handed over: Not a directory"
    settings.write_text("prot = 1")
    assert "unknown setting 'prot'" in refused("join", link, "--settings", settings)


# ---- the relay itself ----


@pytest.fixture
def as_before() -> Iterator[None]:
    """Who is told of interrupts is told of them again."""
    handled = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in handled.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("as_before")
@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_a_relay_serves_its_page_until_it_is_interrupted(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setattr(relay, "LOOK_S", 0.01)
    port, seen = free_port(), list[object]()

    def ready(where: str) -> None:
        seen.append(where)

    def look() -> str:
        with urllib.request.urlopen(str(seen[0])) as answer:
            seen.append(answer.status)
        os.kill(os.getpid(), signal.SIGINT)
        return ""

    relay.run(Broker("127.0.0.1", 1), host, port, ready, look)
    shown = "localhost" if host == "0.0.0.0" else host
    assert seen == [f"http://{shown}:{port}/", 200]
    with socket.create_server(("127.0.0.1", port)):
        pass  # nobody listens there any more


@pytest.mark.usefixtures("as_before")
def test_a_relay_whose_broker_is_gone_or_that_is_silent_starts_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server is not waited for: the process is replaced, and nobody knows whether it ends."""
    server = SimpleNamespace(run=lambda: None, port=8080, where=("127.0.0.1", 8080), close=pytest.fail)
    monkeypatch.setattr(relay, "serve", lambda *_: server)
    monkeypatch.setattr(relay, "LOOK_S", 0.01)
    found = iter(["", "the broker has ended"])  # and it is asked no more then
    with pytest.raises(StartAgain, match="the broker has ended"):
        relay.run(Broker("127.0.0.1", 1), "127.0.0.1", 8080, lambda where: None, lambda: next(found))
    monkeypatch.setattr(relay, "felt", lambda where, ended: SimpleNamespace(answers=False))
    with pytest.raises(StartAgain, match=SILENT):
        relay.run(Broker("127.0.0.1", 1), "127.0.0.1", 8080, lambda where: None)


# ---- its own broker ----


class Mosquitto:
    """A broker that a test lets run, end, or hang: a `subprocess.Popen`."""

    def __init__(self, ends: bool = True) -> None:
        self.returncode: int | None = None
        self.did, self._ends = list[str](), ends
        self.stderr = open(os.devnull, "rb")  # noqa: SIM115  closed by who reads it

    def poll(self) -> int | None:
        return self.returncode

    def terminate(self) -> None:
        self.did.append("terminate")

    def kill(self) -> None:
        self.did.append("kill")
        self._ends = True

    def wait(self, timeout: float | None = None) -> int:
        if not self._ends:
            raise subprocess.TimeoutExpired("mosquitto", timeout or 0)
        return 0


@pytest.mark.parametrize(("ends", "did"), [(True, ["terminate"]), (False, ["terminate", "kill"])])
def test_a_broker_that_does_not_answer_is_ended_by_force_where_it_must(
    monkeypatch: pytest.MonkeyPatch, ends: bool, did: list[str]
) -> None:
    process = Mosquitto(ends)
    monkeypatch.setattr(own_broker, "START_S", 0.05)
    monkeypatch.setattr(shutil, "which", lambda *_, **__: "mosquitto")
    monkeypatch.setattr(own_broker, "_started", lambda *_: process)
    with (
        pytest.raises(CannotServe, match=r"the broker does not answer within .* seconds: name another one by --broker"),
        own_broker.own_broker(BrokerPlace("127.0.0.1", free_port())),
    ):
        pytest.fail("it went on")
    assert process.did == did


@pytest.mark.parametrize("host", ["127.0.0.1", "192.168.1.20", "0.0.0.0", "*"])
@pytest.mark.parametrize("secure", [False, True])
def test_mosquitto_listens_for_boards_where_it_is_to_and_for_its_relay_on_this_machine_alone(
    tmp_path: Path, host: str, secure: bool
) -> None:
    """As mosquitto.conf(5) has it: what follows a listener is of that one, and without an address it is for all."""
    certificate, key = tmp_path / "fullchain.pem", tmp_path / "privkey.pem"
    for file in (certificate, key):
        file.write_text(file.name)
    place = BrokerPlace(host, 8883, certificate, key) if secure else BrokerPlace(host, 8883)
    folder = tmp_path / "broker"
    folder.mkdir()
    own_broker._configure(place, 4000, folder)
    lines = (folder / "mosquitto.conf").read_text().splitlines()
    first, second = [at for at, line in enumerate(lines) if line.startswith("listener ")]
    assert lines[first] == ("listener 8883" if host in ("0.0.0.0", "*") else f"listener 8883 {host}")
    assert lines[second:] == ["listener 4000 127.0.0.1"]
    own = dict(line.split() for line in lines[first + 1 : second])
    assert own.keys() == ({"max_connections", "certfile", "keyfile"} if secure else {"max_connections"})
    held = {name: (folder / own[name]).read_text() for name in own.keys() - {"max_connections"}}
    assert held == ({"certfile": "fullchain.pem", "keyfile": "privkey.pem"} if secure else {})
    assert {oct(file.stat().st_mode)[-3:] for file in folder.iterdir()} == {"600"}
    (tmp_path / "privkey.pem").unlink()
    if secure:
        with pytest.raises(CannotServe, match=r"certificate cannot be read: .*privkey\.pem: No such file or directory"):
            own_broker._configure(place, 4000, folder)


def test_a_broker_that_cannot_be_started_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "mosquitto").write_text("no program")
    (tmp_path / "mosquitto").chmod(0o755)
    monkeypatch.setattr(own_broker, "PLACES", (str(tmp_path),))
    monkeypatch.setenv("PATH", "")
    with (
        pytest.raises(CannotServe, match=r"the broker cannot be started \(.*: name another one by --broker"),
        own_broker.own_broker(BrokerPlace("127.0.0.1", free_port())),
    ):
        pytest.fail("it went on")


def test_a_place_that_is_not_this_machines_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: "mosquitto")
    place = BrokerPlace("no.such.host.invalid", 1884)
    with (
        pytest.raises(CannotServe, match=r"cannot listen on no\.such\.host\.invalid:1884 \(.*another --host or --bro"),
        own_broker.own_broker(place),
    ):
        pytest.fail("it went on")
    assert not is_own(Broker("no.such.host.invalid", 1884), place)


@pytest.mark.parametrize("host", ["0.0.0.0", "*", "::1", "127.0.0.1"])
def test_a_port_is_taken_wherever_the_broker_would_listen_there(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: "mosquitto")
    here = "::1" if ":" in host else "127.0.0.1"
    with socket.create_server((here, 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET) as taken:
        place = BrokerPlace(host, taken.getsockname()[1])
        assert not is_own(Broker(here, place.port), place)
        with (
            pytest.raises(CannotServe, match=f"port {place.port} is taken already: choose another --broker-port"),
            own_broker.own_broker(place),
        ):
            pytest.fail("it went on")
    assert is_own(Broker(here, place.port), place)


@pytest.mark.skipif(sys.platform != "linux", reason="no other system knows such a thing")
def test_the_system_is_told_that_it_ends_with_its_relay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked of the system itself, for this process: PR_GET_PDEATHSIG of prctl(2)."""
    system, found = ctypes.CDLL(None), ctypes.c_int()
    bind = own_broker._bound_to(os.getppid())
    assert bind is not None
    try:
        bind()
        system.prctl(2, ctypes.byref(found))
        assert found.value == signal.SIGKILL
    finally:
        system.prctl(1, 0)
    ended: list[int] = []
    monkeypatch.setattr(os, "_exit", ended.append)
    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace(prctl=lambda *_: 0))
    gone = own_broker._bound_to(os.getppid() + 1)  # the relay ended before the broker could be bound to it
    assert gone is not None
    gone()
    assert len(ended) == 1
