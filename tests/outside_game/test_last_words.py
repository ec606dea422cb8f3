"""Rules of a package that hold the interpreter itself, or crash it, in play: the next start says so and plays on."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from controller.app.last_words import LastWords, blame
from controller.journal.database import Journal
from controller.rules import registry
from controller.service.faults import never_ended
from tests.afar.brokers import free_port
from tests.outside_game.packages import ROOT, TOY, put, untried
from tests.service.evenings import kept
from tests.service.test_hanging_rules import PATIENCE_S, asked
from tests.waiting import until

BEGUN = ("a2-a3", "a7-a6")
DEADLY = "h2-h3"
SOURCE = f"""
deadly = TOY.start(TOY.options(), 0)
for text in {(*BEGUN, DEADLY)}:
    deadly = TOY.play_text(deadly, text)

def moves(state):
    if state == deadly:
        DO
    return TOY.moves(state)

GAME = replace(facts(name="ludo"), moves=moves)
"""
HOLDS = SOURCE.replace("DO", "sum(range(10**13))")
CRASHES = SOURCE.replace("DO", "ctypes.string_at(0)")
PLAYED = """
import sys
from controller.app.last_words import LastWords
from pathlib import Path
LastWords(Path(sys.argv[1])).begin()
from holding import GAME, deadly
GAME.moves(deadly)
"""


@pytest.fixture
def held() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


class Systemd:
    """Hears of a service what systemd hears."""

    def __init__(self, address: Path, held: ExitStack) -> None:
        self.address = str(address)
        self._socket = held.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        self._socket.bind(self.address)

    def hears(self, for_s: float) -> bool:
        """Whether there is a word of the watchdog within so many seconds."""
        self._socket.settimeout(for_s)
        with suppress(TimeoutError):
            while b"WATCHDOG=1" not in self._socket.recv(100):
                pass
            return True
        return False


class Program:
    """The service, as systemd starts it: with packages that nobody has tried in this process."""

    def __init__(self, folder: Path, packages: Path, systemd: Systemd, held: ExitStack) -> None:
        self.port = free_port()
        command = [sys.executable, "-m", "controller", "play", "--port", f"{self.port}",
                   "--journal", str(folder / "games.sqlite3")]  # fmt: skip
        said = held.enter_context((folder / "said").open("ab"))
        env = {**untried(packages, TOY), "NOTIFY_SOCKET": systemd.address}
        self.process = subprocess.Popen(command, stdout=said, stderr=said, env=env, cwd=ROOT)
        held.callback(self.process.kill)
        until(lambda: asked(self.port, "/api/board"))

    def order(self, **what: Any) -> bytes | None:
        return asked(self.port, "/api/order", what)

    def plays(self, text: str) -> bool:
        return self.order(do="ply", text=text) == b"{}"

    def shows(self, *texts: bytes) -> bool:
        """Whether the panel shows all of ``texts``."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/watch", timeout=PATIENCE_S) as answer:
            view = next(line for line in answer if line.startswith(b"data: ") and b'"phase"' in line)
        return all(text in view for text in texts)


@pytest.mark.night
@pytest.mark.realtime
def test_rules_that_hold_the_interpreter_are_ended_by_systemd_once_and_set_aside(
    tmp_path: Path, held: ExitStack
) -> None:
    put(tmp_path, "holding", HOLDS)
    systemd = Systemd(tmp_path / "notify", held)
    program = Program(tmp_path, tmp_path, systemd, held)
    assert program.order(do="new_game", game="ludo") == b"{}"
    assert asked(program.port, "/api/set_up", {}) == b"{}"
    for text in BEGUN:
        until(partial(program.plays, text))
    asking = threading.Thread(target=program.order, kwargs={"do": "ply", "text": DEADLY}, daemon=True)
    assert systemd.hears(PATIENCE_S)
    asking.start()
    until(lambda: not systemd.hears(4.0))  # it is to hear of it each second
    assert program.process.poll() is None
    program.process.send_signal(signal.SIGABRT)  # as after the unit's WatchdogSec
    assert program.process.wait(PATIENCE_S) == -signal.SIGABRT

    again = Program(tmp_path, tmp_path, systemd, held)
    told = b"There is an error in the rules of Breakthrough (it ended the program at moves, line "
    assert again.shows(told, b" has been set aside; all other games can be played")
    assert systemd.hears(PATIENCE_S)
    assert kept(tmp_path / "games.sqlite3", 1) == BEGUN
    assert again.order(do="new_game", game="tides-of-war") == b"{}"
    assert again.order(do="resume", game_id=1) == b"{}"  # whoever wants to may try it again
    again.process.send_signal(signal.SIGTERM)
    assert again.process.wait(PATIENCE_S) == 0
    assert not (tmp_path / "games.sqlite3.last-words").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("games_found_again")
def test_a_game_that_crashes_the_program_is_found_by_what_python_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, "holding", CRASHES)
    words = tmp_path / "words"
    done = subprocess.run([sys.executable, "-c", PLAYED, str(words)], env=untried(tmp_path, TOY), cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGSEGV
    monkeypatch.syspath_prepend(str(TOY))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv(registry.VERDICTS, '{"ludo (holding)": ""}')
    monkeypatch.delitem(sys.modules, "holding", raising=False)
    journal, found = Journal(tmp_path / "games.sqlite3"), LastWords(words)
    blame(found.found, journal)
    hung = journal.found.hung
    assert hung is not None
    assert (hung.game, hung.game_id) == ("ludo", None)
    assert never_ended(hung).startswith("it ended the program at moves, line ")
    found.close()
    journal.close()


def test_nobody_is_blamed_for_what_no_package_did(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "games.sqlite3")
    for found in ("", "noise \x00", '  File "/x/y.py", line 3 in moves\n' * 3):
        blame(found, journal)
    assert journal.found.hung is None
    journal.close()


def test_who_ends_in_order_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "words"
    path.write_text("of the program before")
    words = LastWords(path)
    assert words.found == "of the program before"
    words.begin()
    assert path.read_text() == ""
    words.close()
    words.close()
    assert not path.exists()


def test_without_a_file_there_is_nothing_to_find(tmp_path: Path) -> None:
    words = LastWords(tmp_path / "no such folder" / "words")
    words.begin()
    words.close()
    assert words.found == ""
