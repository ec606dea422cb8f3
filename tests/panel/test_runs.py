"""Runs on the panel: what the folders say, one child at a time, ended in order, and gone with the service."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.lab.extra import is_missing
from controller.lab.plan import Plan
from controller.limited_process import run_idle
from controller.own_variants import OwnVariants
from controller.panel.run_folders import RunFolders, in_all
from controller.panel.run_process import RunProcess
from controller.panel.runs_backend import RunsBackend
from controller.refused import Later, Refused
from controller.rules.variants import checked
from tests.panel import stand_in_run

pytestmark = pytest.mark.realtime  # a run is a process of its own

Opened = Callable[..., RunsBackend]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    """Opens the runs in one folder, with a child that plays so many parts so slowly, and ends in some way."""
    found: list[RunsBackend] = []

    def opened_with(parts: int = 1, seconds: float = 0.0, ending: str = "well", **more: Any) -> RunsBackend:
        child = (sys.executable, stand_in_run.__file__, str(parts), str(seconds), ending)
        own = OwnVariants(tmp_path / "variants")
        found.append(RunsBackend(RunFolders(tmp_path / "runs"), own, RunProcess(child), **more))
        return found[-1]

    yield opened_with
    for each in found:
        each.close()


def begun(runs: RunsBackend, name: str = "", **other: Any) -> str:
    asked = {"game": "circle", "variant": "", "levels": ["1"], "games": 30, "option": "", "values": "", **other}
    return runs.begin(name, **asked)


def until(what: Callable[[], Any]) -> Any:
    end = time.monotonic() + 30
    while not (found := what()):
        assert time.monotonic() < end, "it never comes to that"
        time.sleep(0.05)
    return found


def only(runs: RunsBackend) -> dict[str, Any]:
    (found,) = runs.report()["runs"]
    return dict(found)


def started(folder: Path, name: str) -> dict[str, Any]:
    file = folder / "runs" / name / "started"
    until(lambda: file.exists() and file.read_text())
    return dict(json.loads(file.read_text()))


def lives(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def test_a_run_is_listed_while_it_is_played_and_has_its_report_afterwards(opened: Opened, tmp_path: Path) -> None:
    runs = opened(parts=3, seconds=0.6)
    assert begun(runs, "First try") == "First-try"
    told = only(runs)  # before the child has written anything
    assert (told["name"], told["state"], told["of"], told["played"]) == ("First-try", "plays", 30, 0)
    until(lambda: only(runs)["seconds_left"] is not None)
    until(lambda: not runs.report()["playing"])
    told = only(runs)
    assert (told["title"], told["players"], told["played"], told["report"]) == ("Circle", ["Level 1"], 30, True)
    assert runs.page("First-try") == b"<h1>Report</h1>"
    assert runs.report()["wrong"] == ""


def test_a_report_of_which_a_page_would_run_out_of_memory_is_not_shown(opened: Opened, tmp_path: Path) -> None:
    runs = opened()
    begun(runs, "large")
    until(lambda: not runs.report()["playing"])
    report = tmp_path / "runs" / "large" / "report.html"
    os.truncate(report, 32 << 20)
    assert len(runs.page("large")) == 32 << 20
    os.truncate(report, (32 << 20) + 1)
    with pytest.raises(Refused, match=r"^The report on 'large' is too large to be shown here\.$"):
        runs.page("large")


def test_the_child_has_what_nobody_else_wants(opened: Opened, tmp_path: Path) -> None:
    begun(opened(), "idle", levels=["random", "2"], games=10)
    told = started(tmp_path, "idle")
    assert (told["nice"], told["policy"]) == (19, os.SCHED_IDLE)
    assert told["arguments"] == [
        "lab", "run", "--game", "circle", "--levels", "random,2", "--games", "10", "--workers", "0", "--report",
        "--out", str(tmp_path / "runs" / "idle"),
    ]  # fmt: skip


def test_one_at_a_time_and_it_ends_in_order(opened: Opened, tmp_path: Path) -> None:
    runs = opened(parts=100, seconds=0.3)
    begun(runs, "long", games=2000)
    with pytest.raises(Later, match=r"^The run 'long' is being played: end it first, or wait for it\.$"):
        begun(runs, "other")
    with pytest.raises(Refused, match="is being played"):
        runs.remove("long")
    with pytest.raises(Refused, match="is not being played here"):
        runs.end("other")
    started(tmp_path, "long")
    time.sleep(0.5)  # until the stand-in hears of an interrupt
    runs.end("long")
    assert only(runs)["state"] == "ends"
    until(lambda: not runs.report()["playing"])
    assert (only(runs)["report"], runs.report()["wrong"]) == (True, "")
    assert 0 < only(runs)["played"] < 1000
    # It goes on where it was, and then it can be deleted.
    runs.go_on("long")
    again = until(lambda: json.loads((tmp_path / "runs/long/started").read_text())["arguments"][1] == "go-on")
    assert again
    runs.end("long")
    until(lambda: not runs.report()["playing"])
    runs.remove("long")
    assert runs.report()["runs"] == []


def test_it_ends_with_the_service_and_nothing_goes_on_by_itself(opened: Opened, tmp_path: Path) -> None:
    first = opened(parts=100, seconds=0.3)
    begun(first, "long")
    pid = started(tmp_path, "long")["pid"]
    first.close()
    assert not lives(pid)
    later = opened()
    assert (only(later)["state"], later.report()["playing"]) == ("rests", "")
    with pytest.raises(Later):
        begun(first, "another")


def test_it_dies_with_a_service_that_is_killed(tmp_path: Path) -> None:
    program = "from controller.limited_process import run_idle; run_idle(['/bin/sleep', '300'], 64, lambda: 'go on')"
    service = subprocess.Popen([sys.executable, "-c", program])
    children = Path(f"/proc/{service.pid}/task/{service.pid}/children")
    child = int(until(lambda: children.read_text().split())[0])
    until(lambda: b"sleep" in Path(f"/proc/{child}/cmdline").read_bytes())
    service.kill()
    service.wait()
    until(lambda: not lives(child))


def test_it_is_stopped_also_where_who_starts_it_ignores_interrupts() -> None:
    program = (
        "import signal; from controller.limited_process import run_idle; signal.signal(signal.SIGINT, signal.SIG_IGN);"
        "looks = iter(['go on'] * 4); print(run_idle(['/bin/sleep', '20'], 64, lambda: next(looks, 'stop')).status)"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(ended.stdout) == -signal.SIGINT


def test_it_has_no_more_memory_than_it_may() -> None:
    ended = run_idle([sys.executable, "-c", "bytearray(400 << 20)"], 200, lambda: "go on")
    assert (ended.status, ended.printed.strip().rpartition(b"\n")[2]) == (1, b"MemoryError")


@pytest.mark.parametrize(
    ("ending", "said"),
    [
        ("badly", "The run 'odd' has ended: the card is full: make room."),
        ("memory", "The run 'odd' has ended: it needs more memory than there is for it; what was played is kept."),
    ],
)
def test_what_goes_wrong_is_one_sentence(opened: Opened, ending: str, said: str) -> None:
    runs = opened(ending=ending)
    begun(runs, "odd")
    until(lambda: not runs.report()["playing"])
    assert runs.report()["wrong"] == said
    begun(runs, "next")
    assert runs.report()["wrong"] == ""


def test_a_program_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    process = RunProcess((str(tmp_path / "nothing"),))
    runs = RunsBackend(RunFolders(tmp_path / "runs"), OwnVariants(tmp_path / "variants"), process)
    begun(runs, "none")
    until(lambda: not runs.report()["playing"])
    assert runs.report()["wrong"].startswith("The run 'none' has ended: an error ends it (")


def test_a_variant_of_people_is_played_from_its_file_and_values_are_spread(opened: Opened, tmp_path: Path) -> None:
    OwnVariants(tmp_path / "variants").save(checked("low", "Low", "beacons", "Low.", {"limit": 4}))
    runs = opened()
    name = begun(runs, game="beacons", variant="low", option="bid", values="1..3, 8", games=10)
    arguments = started(tmp_path, name)["arguments"]
    assert name == "low"
    assert arguments[arguments.index("--variant") + 1] == str(tmp_path / "variants" / "low.toml")
    assert arguments[arguments.index("--alone") + 1] == "bid=1|2|3|8"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"name": "../../etc"}, "'../../etc' cannot be the name of a run: "),
        ({"name": "a" * 41}, "cannot be the name of a run: take at most 40 letters, digits and hyphens."),
        ({"name": "-rf"}, "'-rf' cannot be the name of a run: "),
        ({"name": "a\0b"}, "cannot be the name of a run"),
        ({"name": ".hidden"}, "'.hidden' cannot be the name of a run: "),
        ({"games": 2001}, "Play 10 to 2000 games of each kind."),
        ({"games": 9}, "Play 10 to 2000 games of each kind."),
        ({"levels": []}, "Choose one to 3 levels, each once."),
        ({"levels": ["1", "2", "3", "4"]}, "Choose one to 3 levels, each once."),
        ({"levels": ["1", "1"]}, "Choose one to 3 levels, each once."),
        ({"levels": ["9"]}, "There is no level '9'."),
        ({"levels": ["1,2"]}, "There is no level '1,2'."),
        ({"game": "chess"}, "Unknown game 'chess'"),
        ({"variant": "small-stores"}, "'small-stores' is no variant of Circle."),
        ({"variant": "/etc/passwd.toml"}, "There is no variant '/etc/passwd.toml'"),
        ({"option": "colour", "values": "1, 2"}, "Circle has no option 'colour'."),
        ({"option": "repeats", "values": "3"}, "Give two to 12 values to try, each once, as 2, 3 or 2..5."),
        ({"option": "repeats", "values": "3, 3"}, "Give two to 12 values to try"),
        ({"option": "repeats", "values": "1..999999"}, "Give two to 12 values to try"),
        ({"option": "repeats", "values": "4, many"}, "Option repeats=many is not allowed"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(
    opened: Opened, tmp_path: Path, given: dict[str, Any], said: str
) -> None:
    runs = opened()
    with pytest.raises(Refused) as refused:
        begun(runs, **given)
    assert said in str(refused.value)
    assert not (tmp_path / "runs").exists()


def test_too_many_games_in_all_are_refused(opened: Opened) -> None:
    with pytest.raises(Refused, match="That makes 30000 games, and 20000 are the most here"):
        begun(opened(), levels=["1", "2", "3"], games=2000, option="repeats", values="3, 4, 5")


def test_a_name_that_is_taken_is_refused_and_a_free_one_found(opened: Opened) -> None:
    runs = opened()
    assert begun(runs) == "circle"
    until(lambda: not runs.report()["playing"])
    with pytest.raises(Refused, match="There is a run 'circle' already"):
        begun(runs, "circle")
    assert begun(runs) == "circle-2"


def test_only_what_is_listed_is_read_or_deleted(opened: Opened, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "games").mkdir(parents=True)
    (outside / "run.json").write_text('{"plan": {"game": "circle"}, "code": ""}')
    (outside / "report.html").write_text("secret")
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "link").symlink_to(outside)
    (tmp_path / "runs" / "damaged").mkdir()
    (tmp_path / "runs" / "damaged" / "run.json").write_text("{")
    runs = opened()
    assert runs.report()["runs"] == []
    for name in ("link", "damaged", "../outside", "..", "", "/etc"):
        for act in (runs.remove, runs.page, runs.go_on):
            with pytest.raises(Refused, match="There is no run"):
                act(name)
    assert (outside / "report.html").exists()


def test_where_the_extra_is_not_installed_reports_are_there_still(opened: Opened, tmp_path: Path) -> None:
    runs = opened()
    begun(runs, "kept")
    until(lambda: not runs.report()["playing"])
    bare = opened(lacks=lambda: True)
    assert (bare.report()["installed"], only(bare)["report"]) == (False, True)
    for act in (lambda: begun(bare), lambda: bare.go_on("kept")):
        with pytest.raises(Refused, match="What plays runs is not installed"):
            act()
    assert bare.page("kept") == b"<h1>Report</h1>"


def test_the_service_looks_for_the_extra_without_importing_it() -> None:
    program = (
        "import sys\nfrom controller.app import run\nfrom controller.lab.extra import is_missing\nis_missing()\n"
        "print([name for name in ('pyarrow', 'duckdb', 'distributed', 'scipy', 'controller.lab.store')"
        " if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert said.stdout.strip() == "[]"
    assert is_missing() is False


def test_the_games_of_a_plan_are_reckoned_as_many_as_are_played() -> None:
    for more in ({}, {"levels": ("1", "2", "3")}, {"vary": {"repeats": ("3", "4")}}, {"without": ("stone",)},
                 {"alone": {"goes": ("1", "3"), "takes": ("2",)}}):  # fmt: skip
        whole: Any = {"game": "circle", "levels": ("1", "2"), "games": 7, **more}
        assert in_all(Plan(**whole)) == 7 * len(Plan(**whole).cases()), more
