"""A game of a package, tried and held to what it tells: each fault has its sentence, told in this process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import pytest

from controller.app import package_faults, package_trial
from controller.app.package_trial import LONGEST, MOST_PRINTED_BYTES, found_wrong, tried, try_packages
from controller.lessons import lesson_files
from controller.limited_process import Limits, ProcessEnd
from controller.rules import registry
from tests.outside_game.packages import TOY, put

LIMITS = Limits(seconds=20, processor_seconds=10, megabytes=256, file_megabytes=1)
SOUND = b'""'


# ---- how a trial ended ----


def told_of(
    monkeypatch: pytest.MonkeyPatch, answer: bytes = SOUND, status: int = 0,
    ran_out: Literal["", "time", "memory"] = "", printed: int = 0,
) -> str:  # fmt: skip
    """Return what is told of a game whose trial ended so."""
    monkeypatch.setattr(package_trial, "run", lambda *_: ProcessEnd(answer, status, ran_out, b"", printed))
    (told,) = tried(["ludo:GAME"], LIMITS)
    return told


def test_of_a_game_whose_trial_went_well_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told_of(monkeypatch) == ""
    assert told_of(monkeypatch, printed=MOST_PRINTED_BYTES) == ""
    assert tried([], LIMITS) == []


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"answer": b'"it is no Game"'}, "it is no Game"),
        ({"printed": MOST_PRINTED_BYTES + 1},
         "it prints more than 10,000 letters in a short game: let it print nothing"),
        ({"ran_out": "memory", "status": 7}, "it takes more than 256 MB of memory in a short game"),
        ({"ran_out": "time", "status": -9}, "a short game comes to an end; this one was still at it after 10 seconds "
         "of the processor, or 20 of the clock"),
        ({"answer": b"", "status": -11}, "it crashes in a short game (Segmentation fault)"),
        ({"answer": b"", "status": -34}, "it crashes in a short game (Real-time signal 0)"),
        ({"answer": b"", "status": 0}, "it ends the program in a short game (status 0)"),
        ({"answer": b"", "status": 3}, "it ends the program in a short game (status 3)"),
    ],
)  # fmt: skip
def test_each_end_of_a_trial_has_its_sentence(monkeypatch: pytest.MonkeyPatch, how: Any, told: str) -> None:
    assert told_of(monkeypatch, **how).startswith(told.partition(" (Real")[0])


def test_what_a_game_says_of_itself_is_one_short_line(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told_of(monkeypatch, json.dumps("no\x1b[2J\ngame").encode()) == "no [2J game"
    assert told_of(monkeypatch, json.dumps("é" * 1000).encode()) == "é" * LONGEST


def test_where_no_process_can_be_started_the_game_is_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> ProcessEnd:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(package_trial, "run", full)
    assert tried(["ludo:GAME"], LIMITS) == ["the system has no room for trying it (Cannot allocate memory)"]


def test_what_is_found_of_each_package_is_left_for_all_that_this_process_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entries = {f"{name} (of {name})": metadata.EntryPoint(name, f"{name}:GAME", "x") for name in ("go", "ludo")}
    ended = {"go:GAME": SOUND, "ludo:GAME": b'"it loops"'}
    monkeypatch.delenv(registry.VERDICTS)
    monkeypatch.setattr(package_trial, "packages", dict)
    try_packages()
    assert registry.VERDICTS not in os.environ  # where there are none, there is nothing to leave
    monkeypatch.setattr(package_trial, "packages", lambda: entries)
    monkeypatch.setattr(package_trial, "run", lambda _, words, *__: ProcessEnd(ended[words[0]], 0, "", b"", 0))
    monkeypatch.setenv(registry.VERDICTS, "")  # so that it is put back after the test
    monkeypatch.delenv(registry.VERDICTS)
    try_packages()
    assert json.loads(os.environ[registry.VERDICTS]) == {"go (of go)": "", "ludo (of ludo)": "it loops"}


# ---- within a trial ----


def found(folder: Path, patch: pytest.MonkeyPatch, source: str) -> str:
    put(folder, "tried_here", source)
    patch.syspath_prepend(str(TOY))
    patch.syspath_prepend(str(folder))
    patch.delitem(sys.modules, "tried_here", raising=False)
    return found_wrong("tried_here:GAME")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("GAME = TOY", ""),
        ("GAME = 'ludo'", "tried_here:GAME is not a Game: let the entry point name one"),
        ("raise ValueError('no')", "ValueError: no"),
        ("sys.exit(1)", "SystemExit: 1"),
        ("GAME = replace(TOY, moves=lambda state: [][0])",
         "it breaks a promise of games: nothing fails in a short game: IndexError: list index out of range"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_game_is_told_of_that_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, told: str
) -> None:
    assert found(tmp_path, monkeypatch, source) == told


@pytest.mark.slow
def test_what_is_found_in_a_process_of_its_own_is_told_here() -> None:
    assert tried(["no_such_package:GAME"], LIMITS) == ["ModuleNotFoundError: No module named 'no_such_package'"]


def test_a_game_that_takes_all_memory_is_ended_and_not_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MemoryError):
        found(tmp_path, monkeypatch, "raise MemoryError")


# ---- what it tells people ----

SOUND_LESSON = """
[[lesson.steps]]
say = "Look."
light = ["d2", "d7"]

[[lesson.steps]]
say = "Step."
ply = "d2-e3"
"""
FIGURE = "how_to_play.html of ludo: the figure of {} shows no move: nothing that stands there can make one"
SOUND_PAGE = """{% extends "rules.html" %}
{% block text %}<p>A stone goes forward.</p>{{ figure("ludo", "A stone may go.", at="d2") }}{% endblock %}"""


@pytest.fixture
def ludo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, games_found_again: None) -> Path:
    """The folder of a game from a package, which is found; its lesson and its page are sound."""
    put(tmp_path, "ludo_here", "GAME = facts(name='ludo')")
    monkeypatch.syspath_prepend(str(TOY))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv(registry.VERDICTS, '{"ludo (ludo_here)": ""}')
    monkeypatch.delitem(sys.modules, "ludo_here", raising=False)
    lesson_files._read.cache_clear()
    folder = tmp_path / "ludo_here"
    (folder / "lesson.toml").write_text(SOUND_LESSON)
    (folder / "how_to_play.html").write_text(SOUND_PAGE)
    return folder


@pytest.fixture(autouse=True)
def lessons_read_again() -> Any:
    """Lessons are looked for again after the test."""
    yield
    lesson_files._read.cache_clear()


def faults() -> list[str]:
    return list(package_faults._of_the_package())


def test_of_a_game_that_tells_the_truth_nothing_is_said(ludo: Path) -> None:
    assert faults() == []


@pytest.mark.parametrize(
    ("lesson", "told"),
    [
        (SOUND_LESSON.replace("d2-e3", "d2-d9"), "the lesson of ludo, step 2, 'Step.': "),
        (SOUND_LESSON.replace("d7", "z9"), "the lesson of ludo, step 1, 'Look.': there is no cell z9"),
        (SOUND_LESSON.replace("d2-e3", "d2-e3\"\nlight = [\"k1\", \"k2\"]\ntap = \"Step"),
         "the lesson of ludo, step 2, 'Step.': there is no cell k1, k2"),
        ("[[lesson.steps]]\nsays = 'Go.'\n", "ludo/lesson.toml: "),
        (SOUND_LESSON + "\n[[lesson.steps]]\nsay = \"Again.\"\nply = \"d2-e3\"\n",
         "the lesson of ludo, step 3, 'Again.': "),
    ],
)  # fmt: skip
def test_a_lesson_is_told_at_its_first_step_that_the_rules_do_not_allow(ludo: Path, lesson: str, told: str) -> None:
    (ludo / "lesson.toml").write_text(lesson)
    (said,) = faults()
    assert said.startswith(told)
    assert len(said) > len("the lesson of ludo, step 2, 'Step.': ") or not told.startswith("the")


def test_a_lesson_of_another_game_is_not_this_ones(ludo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (ludo / "lesson.toml").write_text(SOUND_LESSON.replace("d7", "z9"))
    assert list(package_faults.faults_of("tides-of-war")) == []


@pytest.mark.parametrize(
    ("page", "told"),
    [
        (SOUND_PAGE.replace("d2", "d5"), FIGURE.format("d5")),
        (SOUND_PAGE.replace("d2", "d1"), FIGURE.format("d1")),
        (SOUND_PAGE.replace(', at="d2"', ""), ""),
        (SOUND_PAGE.replace("figure(", "drawing("), "how_to_play.html of ludo: "),
        (SOUND_PAGE.replace("stone", "pawn"), "how_to_play.html of ludo names none of its pieces: "),
    ],
)
def test_a_page_that_cannot_be_drawn_or_is_of_another_game_is_told(ludo: Path, page: str, told: str) -> None:
    (ludo / "how_to_play.html").write_text(page)
    said = faults()
    assert len(said) == bool(told)
    assert "".join(said).startswith(told)


def test_a_game_without_a_page_of_its_own_needs_to_name_no_piece(ludo: Path) -> None:
    (ludo / "how_to_play.html").unlink()
    assert faults() == []


def test_rules_that_were_found_wrong_are_told_and_nothing_more_of_them(
    ludo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(registry.VERDICTS, '{"ludo (ludo_here)": "it loops"}')
    (ludo / "lesson.toml").write_text("nothing of this is read")
    assert faults() == ["it loops"]


def test_the_games_test_has_its_game_looked_at_as_though_it_were_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a process of its own, for which a package is put on Python's path; relative places stay what they are."""
    monkeypatch.setattr(sys, "path", ["", "/somewhere"])
    asked: list[Any] = []

    def looked(command: list[str], env: dict[str, str], **_: Any) -> Any:
        folder, *others = env["PYTHONPATH"].split(os.pathsep)
        (package,) = metadata.distributions(path=[folder])
        (entry,) = package.entry_points
        asked.append((command[1:], others, entry.group, entry.value, json.loads(env[registry.VERDICTS])))
        return SimpleNamespace(returncode=status, stdout="one\ntwo\n", stderr="Traceback: it failed")

    monkeypatch.setattr(subprocess, "run", looked)
    status = 0
    assert package_faults.faults("ludo.game:GAME") == ["one", "two"]
    ((command, others, group, value, verdicts),) = asked
    assert (command, others) == (["-m", "controller.app.package_faults"], [os.getcwd(), "/somewhere"])
    assert (group, value) == (registry.GROUP, "ludo.game:GAME")
    assert list(verdicts.values()) == [""]
    status = 1
    assert package_faults.faults("ludo.game:GAME") == ["Traceback: it failed"]
