"""Rules that do not come to an end are found, and the next start sets their game aside."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.app import supervisor
from controller.journal.database import Journal
from controller.orders import AnyOrder, NewGame, PlayPly, Resume
from controller.refused import Refused
from controller.rules.registry import all_games, game_named
from controller.service.heartbeat import HANG_S, SILENT_S, Heartbeat
from tests.journal.journals import copied
from tests.service.evenings import TIDES, WHEN, Evening, kept, recorded, with_function
from tests.waiting import until

PATIENCE_S = 20.0


class Spent:
    """The processor time that every thread is said to have spent."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self, thread: int) -> float:
        return self.seconds


class Hang:
    """Rules that do not come back until the test is over."""

    def __init__(self, patch: pytest.MonkeyPatch, name: str, field: str) -> None:
        self.met, self.over = threading.Event(), threading.Event()
        self._patch, self._name = patch, name
        game = game_named(name)
        sound = getattr(game, field)

        def hanging(*given: Any) -> Any:
            self.met.set()
            self.over.wait(PATIENCE_S)
            return sound(*given)

        patch.setitem(all_games(), name, with_function(game, field, hanging))
        self._game = game

    def mend(self) -> None:
        self._patch.setitem(all_games(), self._name, self._game)


@pytest.fixture
def held() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def given(evening: Evening, order: AnyOrder) -> threading.Thread:
    """Give an order that will not be answered."""

    def ask() -> None:
        with suppress(Refused):
            evening.service.submit(order)

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    return asking


def started_again(evening: Evening, folder: Path) -> Evening:
    """Start on what the service left behind, as one does that became the same program anew."""
    return Evening(copied(evening.path, folder)).start()


@pytest.mark.parametrize("field", ["moves", "after", "result", "shape"])
def test_a_game_that_hangs_is_found_and_set_aside_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: ExitStack, field: str
) -> None:
    evening = Evening(tmp_path / "games.sqlite3").start().laid_out().ply("c3-c4")
    spent = Spent()
    evening.service._keep.heart = Heartbeat(spent)
    hang = Hang(monkeypatch, TIDES, field)
    held.callback(hang.over.set)
    assert evening.service.heart.stuck() is None
    asking = given(evening, PlayPly(text="c6-b5"))
    assert hang.met.wait(PATIENCE_S)
    assert evening.service.heart.stuck() is None
    spent.seconds = HANG_S + 1
    work = evening.service.heart.stuck()
    assert work is not None
    assert (work.game, work.game_id) == (TIDES, 1)
    evening.service.give_up(work)
    evening.journal.close()  # as the program does with all that is open
    again = started_again(evening, tmp_path / "again")
    assert "c6-b5" in recorded(again.path, 1)  # which whoever mends the rules needs to meet the hang
    assert again.table.play is None
    assert "There is an error in the rules of Tides of War (it did not come to an end at " in again.seen.fault
    assert again.seen.fault.endswith("beaconboard record 1")
    again.laid_out("circle")
    assert again.table.phase == "play"
    hang.mend()
    again.order(Resume(game_id=1))
    assert again.plies == ["c3-c4"]
    again.stop()
    third = Evening(again.path).start()  # and then it is the last game again, as any
    assert third.plies == ["c3-c4"]
    third.stop()
    hang.over.set()
    asking.join(PATIENCE_S)
    evening.stop()


def test_a_game_that_hangs_as_it_is_begun_cannot_be_begun_after_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: ExitStack
) -> None:
    evening = Evening(tmp_path / "games.sqlite3").start().laid_out("circle")
    spent = Spent()
    evening.service._keep.heart = Heartbeat(spent)
    hang = Hang(monkeypatch, TIDES, "start")
    held.callback(hang.over.set)
    asking = given(evening, NewGame(game=TIDES))
    assert hang.met.wait(PATIENCE_S)
    spent.seconds = HANG_S + 1
    work = evening.service.heart.stuck()
    assert work is not None
    assert (work.game, work.game_id) == (TIDES, None)
    evening.service.give_up(work)
    again = started_again(evening, tmp_path / "again")
    assert again.table.play.session.name == "circle"
    assert "Tides of War (it did not come to an end at beginning it): it cannot be started" in again.seen.fault
    with pytest.raises(Refused, match="did not come to an end"):
        again.order(NewGame(game=TIDES))
    again.stop()
    hang.over.set()
    asking.join(PATIENCE_S)
    evening.stop()


def test_a_game_whose_taking_up_ends_the_program_three_times_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    Evening(path).start().laid_out().ply("c3-c4").stop()
    for number in range(3):  # killed while it is taken up, as what holds the interpreter itself is
        victim = Journal(path)
        assert not victim.taking_up(1)
        path = copied(path, tmp_path / f"killed{number}")
        victim.close()
    evening = Evening(path).start()
    assert evening.table.play is None
    assert re.search(rf"\(it could not be taken up\): the game of {WHEN} has been set aside", evening.seen.fault)
    evening.laid_out("circle").stop()
    assert kept(path, 1) == ("c3-c4",)


def test_a_start_that_is_killed_once_or_twice_loses_no_game(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    Evening(path).start().laid_out().ply("c3-c4").stop()
    for _ in range(2):
        for number in range(2):
            victim = Journal(path)
            victim.taking_up(1)
            path = copied(path, path.parent / f"killed{number}")
            victim.close()
        evening = Evening(path).start()
        assert evening.plies == ["c3-c4"]
        evening.stop()


def test_a_board_whose_power_goes_again_and_again_as_it_starts_loses_no_game(tmp_path: Path) -> None:
    """No rules do that: each time the machine has started anew."""
    path = tmp_path / "games.sqlite3"
    Evening(path).start().laid_out().ply("c3-c4").stop()
    for number in range(12):
        victim = Journal(path, boot=f"start {number}")
        assert not victim.taking_up(1)
        path = copied(path, tmp_path / f"cut{number}")
        victim.close()
    evening = Evening(path).start()
    assert evening.plies == ["c3-c4"]
    evening.stop()


def test_a_game_whose_taking_up_ends_each_start_of_the_machine_is_set_aside_in_the_end(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    Evening(path).start().laid_out().ply("c3-c4").stop()
    gave_up = []
    for number in range(25):
        victim = Journal(path, boot=f"start {number}")
        gave_up.append(victim.taking_up(1))
        path = copied(path, tmp_path / f"ended{number}")
        victim.close()
    assert gave_up == [False] * 20 + [True] * 5


# ---- the pulse ------------------------------------------------------------------------------------------------


def test_waiting_is_no_hang_and_work_within_work_ends_with_it() -> None:
    spent, now = Spent(), [0.0]
    heart = Heartbeat(spent, lambda: now[0])
    with heart.at("circle", 3, "outer"):
        now[0] += 10 * HANG_S
        assert heart.stuck() is None
        spent.seconds = HANG_S / 2
        with heart.at("circle", 3, "inner"):
            spent.seconds += HANG_S - 1
            assert heart.stuck() is None
            spent.seconds += 2
            found = heart.stuck()
            assert found is not None
            assert found.doing == "inner"
        found = heart.stuck()
        assert found is not None
        assert found.doing == "outer"
    assert heart.stuck() is None


def test_a_thread_that_computes_spends_what_one_that_waits_does_not() -> None:
    heart, over = Heartbeat(), threading.Event()
    at_work = threading.Barrier(3)

    def wait() -> None:
        with heart.at("", None, "waiting", 0.05):
            at_work.wait(PATIENCE_S)
            over.wait(PATIENCE_S)

    def compute() -> None:
        with heart.at("", None, "computing", 0.05):
            at_work.wait(PATIENCE_S)
            while not over.is_set():
                sum(range(1000))

    threads = [threading.Thread(target=each, daemon=True) for each in (wait, compute)]
    for thread in threads:
        thread.start()
    at_work.wait(PATIENCE_S)
    while (found := heart.stuck()) is None:
        pass
    assert found.doing == "computing"
    over.set()
    for thread in threads:
        thread.join(PATIENCE_S)


def test_a_loop_beats_until_it_is_silent() -> None:
    now = [0.0]
    heart = Heartbeat(Spent(), lambda: now[0])
    assert heart.beats
    now[0] = SILENT_S + 1
    assert not heart.beats
    heart.beat()
    assert heart.beats


def test_systemd_hears_what_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    supervisor.notify("READY=1")  # nobody listens
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(PATIENCE_S)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        supervisor.notify("READY=1")
        assert systemd.recv(100) == b"READY=1"
    supervisor.notify("WATCHDOG=1")  # nobody listens any more
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(f"\0{tmp_path}")
        systemd.settimeout(PATIENCE_S)
        monkeypatch.setenv("NOTIFY_SOCKET", f"@{tmp_path}")
        supervisor.notify("WATCHDOG=1")
        assert systemd.recv(100) == b"WATCHDOG=1"


# ---- the program itself ---------------------------------------------------------------------------------------

HANGING = """
import sys
from dataclasses import replace
from controller.service import heartbeat
from controller.app.cli import cli
from controller.rules.registry import all_games

def endless(*_):
    while True:
        pass

work = heartbeat.Heartbeat.at
heartbeat.Heartbeat.at = lambda self, game, number, doing, most_s=0.3: work(self, game, number, doing, most_s)
all_games()["circle"] = replace(all_games()["circle"], start=endless)
cli(sys.argv[1:])
"""


def asked(port: int, path: str, order: Any = None) -> Any:
    """Return what the panel answers, None while it does not."""
    body = None if order is None else msgspec.json.encode(order)
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return answer.read() if path != "/api/watch" else b"".join(answer.readline() for _ in range(12))
    except urllib.error.HTTPError as refused:
        return refused.read()
    except OSError:
        return None


@pytest.mark.realtime
@pytest.mark.long
def test_the_program_starts_again_by_itself_and_plays_the_other_games(tmp_path: Path, held: ExitStack) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    journal = tmp_path / "games.sqlite3"
    program = [sys.executable, "-c", HANGING, "play", "--port", str(port), "--journal", str(journal)]
    with (tmp_path / "said").open("wb") as said:
        process = subprocess.Popen(program, stdout=said, stderr=said)
        held.callback(process.kill)
        until(lambda: asked(port, "/api/board"))
        assert asked(port, "/api/order", {"do": "new_game", "game": "circle"}) != b"{}"
        until(lambda: b"it did not come to an end at beginning it" in (asked(port, "/api/watch") or b""))
        assert asked(port, "/api/order", {"do": "new_game", "game": TIDES}) == b"{}"
        refused = asked(port, "/api/order", {"do": "new_game", "game": "circle"})
        assert b"it cannot be started; all other games can" in refused
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0
    assert "starting again" in (tmp_path / "said").read_text()
