"""`beaconboard play` from its first line to its last, here in this process: what systemd hears, and why it ends."""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result
from flask import Flask

from controller.app import play_command
from controller.app import run as service
from controller.app.cli import cli
from controller.app.reach import Reach
from controller.app.run import CannotServe
from controller.app.supervisor import SILENT, StartAgain
from controller.service.heartbeat import Work
from controller.settings import Settings
from tests.afar.brokers import free_port
from tests.waiting import PATIENCE_S, Pauses, until

WORK = Work("ludo", 3, "moves", 0.0, 20.0)


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a service changes of its process is put back; what ran many tests before may be larger than a service."""
    monkeypatch.setattr(service, "limited_data", nullcontext)
    handled = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    switched = sys.getswitchinterval()
    yield
    for number, handler in handled.items():
        signal.signal(number, handler)
    sys.setswitchinterval(switched)


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """What systemd listens at."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "notify"))
        line.settimeout(PATIENCE_S)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield line


def played(folder: Path, port: int) -> Result:
    (folder / "settings.toml").write_text("")
    words = ("--settings", folder / "settings.toml", "--journal", folder / "games.sqlite3", "--port", port)
    return CliRunner().invoke(cli, ["play", *map(str, words)])


def test_it_is_ready_alive_and_leaves_nothing_behind(
    tmp_path: Path, systemd: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "LOOK_S", 0.01)
    monkeypatch.setattr(play_command, "write_log", lambda: None)
    port, heard, beside = free_port(), list[bytes](), set[str]()

    def from_outside() -> None:
        try:
            beside.update(thread.name for thread in threading.enumerate())
            heard.extend(systemd.recv(100) for _ in range(3))
            heard.append(urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE_S).read(15))
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    def announced(lines: list[str]) -> None:
        assert lines == [f"Beaconboard is at http://127.0.0.1:{port} (stop it with Ctrl+C)"]
        threading.Thread(target=from_outside).start()

    monkeypatch.setattr(play_command, "announce", announced)
    threads, handlers = set(threading.enumerate()), list(logging.getLogger().handlers)
    done = played(tmp_path, port)
    assert (done.exit_code, done.output) == (0, "")
    assert heard == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1", b"<!doctype html>"]
    assert beside >= {"analyst", "backups", "panel", "updates"}
    until(lambda: set(threading.enumerate()) <= threads, threading.enumerate())
    assert logging.getLogger().handlers == handlers
    assert not (tmp_path / "games.sqlite3.last-words").exists()
    gc.collect()
    with socket.create_server(("127.0.0.1", port)):
        pass  # nobody listens there any more


def test_what_starts_again_says_why_and_does_so_once_everything_is_let_go_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    did: list[str] = []

    def run(settings: Any, held: Any, *_: Any) -> None:
        held.callback(did.append, "let go")
        raise StartAgain("the service has grown to 400 MB of memory: starting again")

    monkeypatch.setattr(play_command, "run", run)
    monkeypatch.setattr(play_command, "start_again", lambda: did.append("again"))
    done = played(tmp_path, 1)
    assert done.stderr == "beaconboard: the service has grown to 400 MB of memory: starting again\n"
    assert done.stdout == ""
    assert did == ["let go", "again"]


# ---- until it ends ----


class Service:
    """A service that looks well, until a test says otherwise."""

    def __init__(self) -> None:
        self.running, self.given_up = True, list[Work]()
        self.stuck: Work | None = None
        self.heart = SimpleNamespace(stuck=lambda: self.stuck, beats=True)

    def give_up(self, work: Work) -> None:
        self.given_up.append(work)


class Watched:
    """What `run` watches: the service, play from afar, the panel's pulse, the pages."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.service, self.taken, self.told = Service(), 0, list[str]()
        self.pulse, self.asked, self.grown_mb = SimpleNamespace(answers=True), "", list[int | None]()
        monkeypatch.setattr(service, "notify", self.told.append)
        growth = SimpleNamespace(too_much_mb=lambda: self.grown_mb.pop() if self.grown_mb else None)
        monkeypatch.setattr(service, "Growth", lambda: growth)

    def take_handed(self) -> None:
        self.taken += 1

    def why(self, looks: int = 3) -> str:
        stopping: Any = Pauses(looks)
        given: Any = self
        return service._watch(given.service, stopping, given, given.pulse, lambda: self.asked)


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    return Watched(monkeypatch)


def test_while_all_is_well_systemd_hears_of_it_at_each_look_and_links_are_taken(watched: Watched) -> None:
    assert watched.why(looks=3) == ""
    assert (watched.told, watched.taken) == (["WATCHDOG=1"] * 3, 3)


def test_of_a_loop_that_stands_still_systemd_hears_nothing(watched: Watched) -> None:
    watched.service.heart.beats = False
    assert watched.why() == ""
    assert (watched.told, watched.taken) == ([], 3)


def test_rules_that_come_to_no_end_are_given_up_and_the_service_starts_again(watched: Watched) -> None:
    watched.service.stuck = WORK
    with pytest.raises(StartAgain, match=r"^ludo does not come to an end at moves: starting again$"):
        watched.why()
    assert watched.service.given_up == [WORK]


def test_work_of_no_game_is_the_services_own(watched: Watched) -> None:
    watched.service.stuck = Work("", None, "the table", 0.0, 20.0)
    with pytest.raises(StartAgain, match=r"^the service does not come to an end at the table: "):
        watched.why()


def test_it_ends_at_once_where_a_page_asks_for_it_or_it_has_grown_too_much(watched: Watched) -> None:
    watched.grown_mb = [400, None]
    assert watched.why() == "the service has grown to 400 MB of memory: starting again"
    assert watched.taken == 2
    watched.asked = "a backup is put back: starting again"
    assert watched.why() == watched.asked
    assert watched.taken == 3


def test_it_is_watched_no_longer_once_it_has_ended_or_its_panel_is_silent(watched: Watched) -> None:
    watched.service.running = False
    assert (watched.why(), watched.taken) == ("", 0)
    watched.service.running, watched.pulse.answers = True, False
    assert (watched.why(), watched.taken) == ("", 0)


@pytest.mark.parametrize(
    ("reach", "wired", "backups", "told"),
    [
        (False, False, False, ""),
        (True, False, False, "who can open the panel was changed on its page: starting again"),
        (False, True, False, "another board was chosen on its page: starting again"),
        (False, False, True, "a backup is put back: starting again"),
    ],
)
def test_three_pages_make_it_start_again(reach: bool, wired: bool, backups: bool, told: str) -> None:
    asked: tuple[Any, Any, Any] = (
        SimpleNamespace(again=reach), SimpleNamespace(again=wired), SimpleNamespace(changing=backups),
    )  # fmt: skip
    assert service._asked_for(*asked) == told


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "127.0.0.1", "192.168.1.20"])
def test_doors_that_systemd_has_opened_are_used_where_every_network_is_let_in(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, host: str
) -> None:
    """They are open to all, so that a panel of one network would be reached past its bound."""
    door, opened = object(), list[Any]()
    monkeypatch.setattr(service, "passed", lambda: [door])
    monkeypatch.setattr(service, "listen", lambda *_, **how: opened.append(how))
    settings = Settings(host=host)
    service._listen(Flask("panel"), settings, Reach(settings, tmp_path / "reach.json"))
    ((how),) = opened
    assert how["passed"] == ([door] if host in ("0.0.0.0", "::") else [])
    assert how["proxy"] is None  # nobody else's word counts for where others come from


def test_a_panel_that_cannot_be_opened_to_phones_opens_without_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def taken(*_: Any, **__: Any) -> None:
        raise OSError(98, "Address already in use")

    monkeypatch.setattr(service, "listen", taken)
    file, settings = tmp_path / "reach.json", Settings(port=free_port())
    Reach(settings, file).choose(open=True)
    reach = Reach(settings, file)
    settings = Settings(host=reach.host, port=settings.port)
    with pytest.raises(StartAgain, match=r"the panel cannot be opened to phones .*: starting again without"):
        service._listen(Flask("panel"), settings, reach)
    settings = Settings(port=settings.port)
    with pytest.raises(CannotServe, match=f"cannot listen on 127.0.0.1:{settings.port} .*another --host or --port"):
        service._listen(Flask("panel"), settings, Reach(settings, file))


class Ending:
    """Everything that ends with the service; ``did`` has the order in which it does."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, why: str = "") -> None:
        self.did, self.where = list[str](), ("127.0.0.1", 1)
        self.pulse, self.stopping, self.service = SimpleNamespace(answers=True), threading.Event(), None
        monkeypatch.setattr(service, "felt", lambda where, stopping: self.pulse)
        monkeypatch.setattr(service, "_watch", lambda *_: self._why(why))

    def _why(self, why: str) -> str:
        if why == WORK.doing:
            raise StartAgain(why)
        return why

    def end(self) -> None:
        def noted(what: str) -> Any:
            return SimpleNamespace(**{
                name: lambda name=name: self.did.append(f"{what} {name}") for name in ("close", "stop", "join")
            })  # fmt: skip

        board, server = noted("board"), noted("server")
        server.where = self.where
        board.service = None
        helpers = (noted("helper"), noted("other helper"))
        service._until_it_ends(
            board, noted("afar"), server, noted("thread"), self.stopping, lambda: "", helpers
        )  # fmt: skip


IN_ORDER = ["helper close", "other helper close", "board stop", "afar stop", "server close", "thread join"]


def test_who_is_told_to_stop_ends_one_after_the_other_the_panel_last(monkeypatch: pytest.MonkeyPatch) -> None:
    ending = Ending(monkeypatch)
    ending.stopping.set()
    ending.end()
    assert ending.did == IN_ORDER


def test_what_ends_unasked_ends_as_well_and_the_next_start_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    ending = Ending(monkeypatch)
    with pytest.raises(CannotServe, match=r"the service crashed .* the game is saved: restart it"):
        ending.end()
    assert ending.did == IN_ORDER
    ending = Ending(monkeypatch, "another board was chosen on its page: starting again")
    with pytest.raises(StartAgain, match="another board was chosen"):
        ending.end()
    assert ending.did == IN_ORDER


def test_a_panel_that_answers_no_page_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    ending = Ending(monkeypatch)
    ending.pulse.answers = False
    with pytest.raises(StartAgain, match=SILENT):
        ending.end()
    assert ending.did == IN_ORDER[:4]
    ending.stopping.set()  # somebody ends it by hand: then it is closed as ever
    ending.did.clear()
    ending.end()
    assert ending.did == IN_ORDER


def test_where_the_rules_hang_its_helpers_end_and_nothing_else_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    ending = Ending(monkeypatch, WORK.doing)
    with pytest.raises(StartAgain, match=WORK.doing):
        ending.end()
    assert ending.did == IN_ORDER[:2]
