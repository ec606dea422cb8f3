"""The workshop by the command line: a run, its report, one of its games, and how it is refused."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from controller.app import lab_commands
from controller.journal.recording import parse
from controller.lab import certificates, pools
from controller.lab import report as reports
from controller.lab import run as runs
from controller.lab.plan import Plan
from controller.lab.refused import LabRefused
from controller.rules.registry import game_named
from tests.app.commands import printed, refused

RUN = ("lab", "run", "--game", "tides-of-war", "--levels", "random", "--games", "3", "--workers", "0")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of three games."""
    folder = tmp_path_factory.mktemp("workshop") / "run"
    told = printed(*RUN, "--out", folder).splitlines()
    assert told[0] == "1 kinds of games, 3 of each at most"
    assert told[-1] == f"{folder}: all games are played; read them with 'beaconboard lab report {folder}'"
    assert not (folder / "report.html").exists()
    return folder


@pytest.mark.slow
def test_a_game_of_a_run_is_printed_or_becomes_a_recording(folder: Path, tmp_path: Path) -> None:
    plies = printed("lab", "show", folder, 0, 2).strip()
    assert plies != printed("lab", "show", folder, 0, 1).strip()
    file = tmp_path / "game.jsonl"
    assert printed("lab", "show", folder, 0, 2, "--into", file) == f"{file}\n"
    header = parse(file.read_text()).header
    assert (header.game, "; ".join(header.plies)) == ("tides-of-war", plies)
    assert "cannot be written (No such file or directory)" in refused(
        "lab", "show", folder, 0, 2, "--into", tmp_path / "gone" / "game.jsonl"
    )
    assert refused("lab", "show", tmp_path, 0, 2)


@pytest.mark.slow
def test_a_run_that_is_over_goes_on_with_nothing_and_has_its_report(folder: Path, tmp_path: Path) -> None:
    told = printed("lab", "go-on", folder, "--workers", "0", "--report").splitlines()
    assert told[-1] == str(folder / "report.html")
    page = (folder / "report.html").read_text()
    (folder / "report.html").unlink()
    assert printed("lab", "report", folder, "--into", tmp_path / "page.html").endswith(f"{tmp_path / 'page.html'}\n")
    assert (tmp_path / "page.html").read_text() == page
    assert not (folder / "report.html").exists()
    assert "cannot be written (No such file or directory)" in refused(
        "lab", "report", folder, "--into", tmp_path / "gone" / "page.html"
    )


@pytest.mark.slow
def test_what_is_played_is_said_by_a_game_or_a_variant(tmp_path: Path) -> None:
    few = ("--levels", "random", "--games", "1", "--workers", "0", "--most-plies", "4")
    printed("lab", "run", "--variant", "small-stores", *few, "--out", tmp_path / "small", "--report")
    assert (tmp_path / "small/report.html").exists()
    header = tmp_path / "header.jsonl"
    printed("lab", "show", tmp_path / "small", 0, 0, "--into", header)
    found = parse(header.read_text()).header
    assert (found.game, found.variant) == ("beacons", "Small stores")
    usual = game_named("beacons").options()
    assert found.options != {name: getattr(usual, name) for name in found.options}
    out = ("--out", tmp_path / "none")
    assert refused("lab", "run", *out) == "say what is played: --game NAME, or --variant NAME or FILE"
    assert refused("lab", "run", "--game", "circle", "--variant", "small-stores", *out).startswith(
        "small-stores is a variant of beacons, and this is circle"
    )
    assert refused("lab", "run", "--game", "ludo", *out).startswith("unknown game 'ludo'")
    assert not (tmp_path / "none").exists()


# ---- without a game that is played ------------------------------------------------------------------------


class Times:
    """The clock of a run, and how far each of its looks finds it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *at_s: float) -> None:
        self.now_s, self._at_s, self.workers = 100.0, at_s, list[int]()
        monkeypatch.setattr(time, "monotonic", lambda: self.now_s)
        monkeypatch.setattr(runs, "Playthrough", lambda *_: self)
        monkeypatch.setattr(runs, "told", lambda progress: f"{progress.games} of {progress.of}")
        monkeypatch.setattr(pools, "pool", self._pool)

    def _pool(self, plan: object, workers: int, *_: object) -> Any:
        self.workers.append(workers)
        return nullcontext()

    def run(self) -> Iterator[Any]:
        for games, at_s in enumerate(self._at_s, 1):
            self.now_s = 100.0 + at_s
            yield SimpleNamespace(games=games, of=len(self._at_s))


def test_what_is_asked_for_is_what_is_planned_and_unasked_all_games_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Plan, int]] = []
    monkeypatch.setattr(lab_commands, "play", lambda plan, out, workers, *_: asked.append((plan, workers)))
    words = ("lab", "run", "--game", "circle", "--workers", "0", "--out", tmp_path / "run")
    printed(*words)
    printed(*words, "--option", "players=4", "--games", "9", "--until", "2%", "--most-plies", "70", "--seed", "5",
            "--levels", "2,1", "--report")  # fmt: skip
    (usual, workers), (other, _) = asked
    assert (usual.until, usual.games, usual.most_plies, usual.seed, workers) == (0, 200, 600, 1, 0)
    assert (other.until, other.games, other.most_plies, other.seed) == (0.02, 9, 70, 5)
    assert (usual.base, other.base) == ({}, {"players": "4"})
    assert (tuple(usual.levels), tuple(other.levels)) == (("2",), ("1", "2"))
    assert not (tmp_path / "run" / "report.html").exists()  # nothing was played that it could tell of


def test_it_is_told_every_two_seconds_and_at_the_end_how_far_a_run_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Times(monkeypatch, 0.5, 1.9, 2.0, 2.5, 3.9, 4.0, 4.1)
    told = printed(*RUN, "--out", tmp_path / "run").splitlines()
    assert told[1:-1] == ["3 of 7", "6 of 7", "7 of 7"]


def test_without_a_word_each_core_that_it_may_use_has_a_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = Times(monkeypatch)
    words = RUN[: RUN.index("--workers")]
    for cores, workers in (({0, 2, 3}, 3), ({1}, 1), (set[int](), 1)):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _, cores=cores: cores)
        printed(*words, "--out", tmp_path / str(len(times.workers)))
        assert times.workers[-1] == workers


def test_who_stops_a_run_is_told_how_to_go_on_and_has_no_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = Times(monkeypatch)

    def stopped() -> Iterator[Any]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(times, "run", stopped)
    told = printed(*RUN, "--out", tmp_path / "run", "--report").splitlines()
    assert told[1:] == ["Stopped. What was played is kept: give the same command to go on."]


def test_what_the_workshop_cannot_do_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    three = [tmp_path / name for name in ("one", "two", "three")]
    assert refused("lab", "report", *three) == "a report is about one run or about two side by side, not 3"
    assert refused("lab", "report", *three[:2])
    assert refused("lab", "go-on", tmp_path)
    monkeypatch.setattr(lab_commands, "is_missing", lambda: True)
    assert refused("lab", "go-on", tmp_path).startswith("the workshop needs packages that are not installed here: ")


def test_a_report_prints_its_answers_and_what_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [SimpleNamespace(key="length", colour="green"), SimpleNamespace(key="seats", colour="red")]
    first = SimpleNamespace(
        settings=[SimpleNamespace(told="levels 1 and 2", answers=answers)],
        changed=[SimpleNamespace(sentences=("White wins more often.", "Games are longer."))],
    )
    monkeypatch.setattr(reports, "judged", lambda store: first)
    monkeypatch.setattr(reports, "page", lambda judged: f"{len(judged)} runs")
    told = printed("lab", "report", tmp_path, tmp_path)
    assert told.splitlines() == [
        "levels 1 and 2: length green, seats red",
        "  White wins more often.",
        "  Games are longer.",
        str(tmp_path / "report.html"),
    ]
    assert (tmp_path / "report.html").read_text() == "2 runs"


def test_certificates_are_made_in_a_folder_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Path] = []
    monkeypatch.setattr(certificates, "make", made.append)
    told = printed("lab", "certificates", tmp_path / "new")
    assert made == [tmp_path / "new"]
    assert told == f"{tmp_path / 'new'}: copy it to every machine of the cluster, and to nobody else\n"

    def refuses(_: Path) -> None:
        raise LabRefused("they are there already")

    monkeypatch.setattr(certificates, "make", refuses)
    assert refused("lab", "certificates", tmp_path / "new") == "they are there already"
