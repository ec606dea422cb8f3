"""A run is played wherever it is asked for with the same games, once each, whatever is killed meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psutil
import pytest
from distributed import Client, Security

from controller.lab.certificates import make
from controller.lab.files import CasePart
from controller.lab.plan import Plan
from controller.lab.pools import OwnProcess, PlayedPart, files_of, pool
from controller.lab.refused import LabRefused
from controller.lab.run import FIRST, Playthrough, half_width
from controller.lab.store import Store
from controller.rules.registry import game_named
from tests.lab.runs import played, quick, rows


def everything(store: Store) -> list[object]:
    return [rows(store, "games"), rows(store, "plies")]


def test_the_same_run_has_the_same_games_in_parts_of_any_size(tmp_path: Path) -> None:
    plan = quick(games=9, levels=("random", "1"))
    one = played(plan, tmp_path / "one")
    other = Store(tmp_path / "other")
    with other.begun(plan):
        for first in (6, 0, 3):
            for case in range(3):
                for done in OwnProcess(plan).results(iter([CasePart(case, first, first + 2), None]).__next__):
                    other.add(done.part, done.games, done.plies)
    assert everything(one) == everything(other)
    assert len(rows(one, "games")) == 27


def test_a_game_of_a_run_is_one_by_the_rules(tmp_path: Path) -> None:
    store = played(quick(games=3, levels=("1",)), tmp_path)
    options, seed, plies = store.game(0, 2)
    game = game_named(store.run().plan.game)
    state = game.start(game.options(**options), seed)
    for text in plies:
        state = game.play_text(state, text)
    found = rows(store, "games")[2]
    assert (game.result(state).why, game.result(state).winner) == (found["ending"], found["winner"])
    with pytest.raises(LabRefused, match="no game 3 of case 0"):
        store.game(0, 3)


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    plan, store, ticks = quick(games=40), Store(tmp_path / "stopped"), count()
    with store.begun(plan):
        for progress in Playthrough(store, OwnProcess(plan), lambda: float(next(ticks))).run():
            if progress.games >= FIRST:
                break
    assert 0 < len(rows(store, "games")) < 40
    kept = {file: file.stat().st_mtime_ns for file in store.games.iterdir()}
    played(plan, tmp_path / "stopped")
    assert all(file.stat().st_mtime_ns == when for file, when in kept.items())
    assert everything(store) == everything(played(plan, tmp_path / "whole"))


def test_a_run_may_be_asked_for_more_games(tmp_path: Path) -> None:
    played(quick(games=5), tmp_path / "more")
    more = played(quick(games=11), tmp_path / "more")
    assert everything(more) == everything(played(quick(games=11), tmp_path / "at once"))


def test_a_case_that_is_known_well_enough_is_played_no_further(tmp_path: Path) -> None:
    store = played(quick(games=2_000, until=0.12), tmp_path / "early")
    found = rows(store, "games")
    assert len(found) == 100
    wins = [row["winner"] for row in found].count(0)
    assert half_width(wins, 100) <= 0.12
    assert len(rows(played(quick(games=150, until=0.001), tmp_path / "all"), "games")) == 150


@pytest.mark.night
def test_one_process_several_and_a_scheduler_whose_workers_are_killed_play_the_same(tmp_path: Path) -> None:
    plan = quick(games=80, levels=("random", "1"))
    here = played(plan, tmp_path / "here")
    cluster = Store(tmp_path / "cluster")
    with pool(plan, 2) as found, cluster.begun(plan):
        assert found.workers == 2
        for _ in Playthrough(cluster, found, time.monotonic).run():
            pass
    elsewhere = Store(tmp_path / "elsewhere")
    with scheduler(tmp_path) as address, pool(plan, 0, address) as found, elsewhere.begun(plan):
        killed = 0
        for _ in Playthrough(elsewhere, found, time.monotonic).run():
            if killed < 5 and (victims := playing()):
                os.kill(victims[killed % len(victims)], signal.SIGKILL)
                killed += 1
        assert killed == 5
    assert everything(here) == everything(cluster) == everything(elsewhere)


def playing() -> list[int]:
    """Return the processes that play for a worker: children of the nannies that this process began."""
    return [
        grandchild.pid
        for child in psutil.Process().children()
        for grandchild in child.children(recursive=True)
        if "multiprocessing.spawn" in " ".join(grandchild.cmdline()) or "spawn_main" in " ".join(grandchild.cmdline())
    ]


@contextmanager
def scheduler(folder: Path, *options: str, workers: int = 2) -> Iterator[str]:
    """Start a scheduler and a nanny with workers as a cluster has them, each in a process of its own."""
    file = str(folder / "scheduler.json")
    common = ["--no-dashboard", "--scheduler-file", file, *options]
    begun = [
        _begun("scheduler", "--host", "127.0.0.1", "--port", "0", *common),
        _begun("worker", "--nworkers", str(workers), "--nthreads", "1", "--local-directory", str(folder), *common),
    ]
    try:
        words = dict(zip(options[::2], options[1::2], strict=True))
        names = {"tls_ca_file": "--tls-ca-file", "tls_client_cert": "--tls-cert", "tls_client_key": "--tls-key"}
        files = {name: words[option] for name, option in names.items() if words}
        security = Security(require_encryption=True, **files) if files else None
        with Client(scheduler_file=file, timeout=60, set_as_default=False, security=security) as client:
            client.wait_for_workers(workers, timeout=60)
            address = client.scheduler.address
        yield str(address)
    finally:
        for process in begun:
            process.terminate()
        for process in begun:
            process.wait(30)


def _begun(*words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "dask", *words]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def test_a_scheduler_with_certificates_is_used_by_those_who_have_them_alone(tmp_path: Path) -> None:
    make(tmp_path / "ours")
    make(tmp_path / "theirs")
    names = files_of(tmp_path / "ours")
    options = [
        "--tls-ca-file",
        names["tls_ca_file"],
        "--tls-cert",
        names["tls_client_cert"],
        "--tls-key",
        names["tls_client_key"],
    ]
    plan, store = quick(games=6), Store(tmp_path / "run")
    with scheduler(tmp_path, *options, workers=1) as address:
        assert address.startswith("tls://")
        with pytest.raises(LabRefused, match="wants certificates"), pool(plan, 0, address):
            pass
        with pytest.raises(LabRefused, match="no scheduler answers"), pool(plan, 0, address, tmp_path / "theirs"):
            pass
        with pool(plan, 0, address, tmp_path / "ours") as found, store.begun(plan):
            for _ in Playthrough(store, found, time.monotonic).run():
                pass
    assert everything(store) == everything(played(plan, tmp_path / "here"))


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("127.0.0.1:8786", "no address of a scheduler"),
        ("http://127.0.0.1:8786", "no address of a scheduler"),
        ("tcp://192.0.2.7:8786", "would run whatever anybody in that network sends it"),
        ("tls://192.0.2.7:8786", "wants certificates"),
    ],
)
def test_a_scheduler_that_cannot_be_used_is_refused(address: str, told: str) -> None:
    with pytest.raises(LabRefused, match=told), pool(quick(), 0, address):
        pass


def test_where_nobody_answers_nothing_is_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.lab.pools.WAITS_S", 1)
    with pytest.raises(LabRefused, match="no scheduler answers"), pool(quick(), 0, "tcp://127.0.0.1:1"):
        pass


def test_certificates_are_never_written_over(tmp_path: Path) -> None:
    with pytest.raises(LabRefused, match="is there already"):
        make(tmp_path)
    with pytest.raises(LabRefused, match=r"there is no .*ca\.pem"):
        files_of(tmp_path)


def test_workers_with_other_rules_are_not_played_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.lab.store.PLAYED_BY", ("controller.rules",))  # here; workers have it all
    with pytest.raises(LabRefused, match="other rules or players"), pool(quick(), 1):
        pass


def test_a_part_says_what_was_played_and_for_how_long() -> None:
    plan: Plan = quick(games=2)
    done = next(iter(OwnProcess(plan).results(iter([CasePart(0, 0, 1), None]).__next__)))
    assert isinstance(done, PlayedPart)
    assert done.seconds > 0
