"""What the process makes of a game that somebody brings, and what is said where it comes to nothing."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from controller.journal.recording import parse
from controller.limited_process import Limits
from controller.panel import import_process
from controller.panel.import_process import Apart, Report, packed, unpacked
from controller.panel.import_worker import report
from controller.refused import Later, Refused
from controller.sentences import capital, say

GAME = "game: tides-of-war\n\n1. c3-c4 c5xc3\n"


def recording(*touches_s: int) -> str:
    lines = ['{"game": "tides-of-war"}']
    lines += [f'{{"t_us": {second * 1_000_000}, "site": "c3", "on": {on}}}'
              for second, on in zip(touches_s, ("false", "true") * len(touches_s), strict=False)]  # fmt: skip
    return "\n".join([*lines, f'{{"t_us": {(touches_s[-1] + 2) * 1_000_000}, "end": true}}'])


def test_a_recording_is_read_as_the_game_that_was_played() -> None:
    told = report("import", "  " + recording(1, 2))
    assert told.refused is None
    assert (told.found.game, told.found.plies) == ("tides-of-war", ())
    assert unpacked(told.words) == "Tides of War, 0 moves"


def test_what_cannot_be_read_is_refused_with_a_sentence() -> None:
    for work, text in (("import", "{"), ("import", "game: ludo"), ("last-minutes", "nothing")):
        told = report(work, text)
        assert told.found is None
        assert unpacked(told.refused)


@pytest.mark.parametrize("work", ["import", "last-minutes"])
def test_a_recording_that_is_brought_opens_no_file_of_the_board(work: str, tmp_path: Path) -> None:
    """Any phone read so which files the machine has, and what stands in those that are TOML."""
    there = tmp_path / "settings.toml"
    there.write_text('password = "hunter2"\n', encoding="utf-8")
    for path in (str(there), str(tmp_path / "nothing"), str(tmp_path), "/etc/passwd"):
        told = report(work, json.dumps({"game": "tides-of-war", "board": path}))
        assert str(unpacked(told.refused)).startswith(f"line 1: there is no board '{path}': name one of cell36, ")


def test_the_last_five_minutes_are_cut_from_a_recording() -> None:
    text = recording(1, 2, 50, 51, 400, 401)
    kept = parse(report("last-minutes", text).found)
    assert len(parse(text).lines) == 7
    assert [line.t_us // 1_000_000 for line in kept.lines] == [0, 1, 350, 351, 353]  # from the last quiet moment on
    assert kept.header.occupied is not None
    assert "c3" in kept.header.occupied


def test_a_sentence_with_its_parts_comes_through_the_pipe() -> None:
    sentence = capital(say("{cells} are of {seat}", cells=(say("no cell"), "a1"), seat=say("White")))
    assert unpacked(packed(sentence)) == sentence == "No cell, a1 are of White"
    assert unpacked(packed("plain")) == "plain"


# ---- the work apart ---------------------------------------------------------------------------------------


def apart(monkeypatch: pytest.MonkeyPatch, ended: Any) -> Apart:
    def run(module: str, work: list[str], text: bytes, limits: Limits, gone: Any) -> Any:
        if isinstance(ended, Exception):
            raise ended
        return ended(gone) if callable(ended) else ended

    monkeypatch.setattr(import_process, "run", run)
    return Apart(Limits(seconds=7))


def answer(report: Report) -> Any:

    return SimpleNamespace(ran_out="", status=0, printed=b"", answer=msgspec.json.encode(report))


@pytest.mark.parametrize(
    ("ended", "why"),
    [
        (SimpleNamespace(ran_out="memory"), "reading it takes more memory than is available"),
        (SimpleNamespace(ran_out="waits"), "nobody is waiting for it any more"),
        (SimpleNamespace(ran_out="time"), "it takes longer than 7 seconds to read"),
        (SimpleNamespace(ran_out="", status=1, printed=b"Traceback"), "an internal error; see the log"),
        (OSError(12, "Cannot allocate memory"), r"the system has no room for it \(Cannot allocate memory\)"),
        (answer(Report(refused=packed(say("it is empty")))), "^it is empty$"),
    ],
)
def test_work_that_came_to_nothing_says_why(monkeypatch: pytest.MonkeyPatch, ended: Any, why: str) -> None:
    work = apart(monkeypatch, ended)
    with pytest.raises(Refused, match=why):
        work.do("import", GAME)
    with pytest.raises(Refused, match=why):  # and it can be asked again
        work.do("import", GAME)


def test_work_that_is_done_says_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert apart(monkeypatch, answer(Report([1], packed(say("one"))))).do("import", GAME) == ([1], "one")


def test_one_game_is_read_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    refused: list[str] = []

    def meanwhile(gone: Any) -> Any:
        with pytest.raises(Later) as busy:
            work.do("import", GAME)
        refused.append(str(busy.value))
        return answer(Report([1], "one"))

    work = apart(monkeypatch, meanwhile)
    work.do("import", GAME)
    assert refused == ["The board is reading another game: try again in a moment."]


def test_work_ends_when_nobody_waits_or_the_board_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def looks(gone: Any) -> Any:
        asked.append(gone())
        return answer(Report([1], "one"))

    work = apart(monkeypatch, looks)
    work.do("import", GAME)
    work.do("import", GAME, lambda: True)
    work.close()
    work.do("import", GAME)
    assert asked == [False, True, True]
