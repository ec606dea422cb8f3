"""`beaconboard puzzles` keeps what it finds as it finds it: an hour that is broken off is not lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.app import engine_commands
from controller.engine import puzzles as finding
from controller.engine.puzzles import FoundPuzzle
from tests.app.commands import printed

FOUND = (
    FoundPuzzle(("a1-a2",), "b1-b2", 1, "win", 1, 7),
    FoundPuzzle(("a1-a2", "c1-c2"), "d1-d2", 0, "gain", 2),
    FoundPuzzle((), "e1-e2", 0, "save", 3),
)


def test_each_that_is_found_is_told_and_kept_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, kept = tmp_path / "puzzles.toml", list[int]()

    def found(*_: Any) -> Iterator[FoundPuzzle]:
        for each in FOUND:
            yield each
            kept.append(len(msgspec.toml.decode(file.read_text())["puzzle"]))

    monkeypatch.setattr(finding, "found", found)
    given = ("--games", "9", "--seed", "3", "--most", "2", "--into", file)
    lines = printed("puzzles", "tides-of-war", *given).splitlines()
    assert lines == [
        "1: after 1 moves b1-b2, win, hard 1",
        "2: after 2 moves d1-d2, gain, hard 2",
        "3: after 0 moves e1-e2, save, hard 3",
        f"{file}: 2 of 3 puzzles",
    ]
    assert kept == [1, 2, 2]
    assert file.read_text().startswith("# Made by: beaconboard puzzles tides-of-war --games 9 --seed 3\n\n[[puzzle]]\n")


def test_without_a_file_they_lie_in_the_games_folder_with_the_options_that_are_not_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_commands, "files_of", lambda name: tmp_path / name)
    monkeypatch.setattr(finding, "found", lambda *_: iter(FOUND[:1]))
    (tmp_path / "circle").mkdir()
    printed("puzzles", "circle", "--option", "players=4")
    written = msgspec.toml.decode((tmp_path / "circle/puzzles.toml").read_text())
    assert written["options"] == {"players": 4}
    assert [each["best"] for each in written["puzzle"]] == ["b1-b2"]
