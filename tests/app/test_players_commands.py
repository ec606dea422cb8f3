"""Programs that play, by the command line: how long they may think, when a ladder ends, what of each game is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.app import analyse_commands, engine_commands, ladder_command
from controller.app.engine_commands import stops_after
from controller.engine import ladder, matches, think, training
from controller.engine.cannot_think import CannotThink
from controller.engine.ladder import Met
from controller.engine.matches import MatchGame
from controller.game_setup import Lesson, LessonStep
from controller.orders import NewGame
from controller.rules.game import Result
from tests.app.commands import printed, refused, run
from tests.waiting import HandSeconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> HandSeconds:
    clock = HandSeconds()
    for module in (engine_commands, ladder_command):
        monkeypatch.setattr(module.time, "monotonic", clock)
    return clock


def test_a_player_that_may_think_so_long_is_stopped_then_and_begins_anew_with_each_move(clock: HandSeconds) -> None:
    begin = stops_after(250)
    for _ in range(2):
        stops = begin()
        clock.now_s += 0.249
        assert not stops()
        clock.now_s += 0.001
        assert stops()
    never = stops_after(None)()
    clock.now_s += 1e9
    assert not never()


def test_of_each_game_of_a_match_it_is_told_where_the_first_player_sat_and_how_it_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    games = [
        MatchGame(7, 0, Result(over=True, winner=0, why="town"), 31, 1.0),
        MatchGame(7, 1, Result(), 400, 0.5),
    ]
    given: list[tuple[Any, ...]] = []
    monkeypatch.setattr(matches, "match", lambda *words: given.append(words) or iter(games))
    words = ("match", "tides-of-war", "--a", "1", "--b", "random", "--games", "2", "--seed", "7")
    assert printed(*words, "--games-told").splitlines()[:2] == [
        "seed 7, seat 1: 1, town, 31 plies",
        "seed 7, seat 2: 0.5, unfinished, 400 plies",
    ]
    assert printed(*words).startswith("1 against random: 1 won, 1 drawn, 0 lost of 2; ")
    assert {words[-3:] for words in given} == {(2, 7, 2)}


# ---- ladders ----


MET = [Met("random", "1", number, 1.0, 30 + number) for number in range(4)]


@pytest.fixture
def climbed(monkeypatch: pytest.MonkeyPatch, clock: HandSeconds) -> list[Met]:
    """The games of a ladder, each of which takes ten seconds; what a file had comes first."""
    begun: list[Met] = []

    def play(*words: Any) -> Iterator[Met]:
        begun.extend(words[-1])
        for met in MET:
            clock.now_s += 10
            yield met

    monkeypatch.setattr(ladder, "fitter", lambda: None)
    monkeypatch.setattr(ladder, "play", play)
    monkeypatch.setattr(ladder, "fitted", lambda met: met)
    monkeypatch.setattr(ladder, "table", lambda met: [f"{len(met)} games"])
    return begun


def test_after_so_many_seconds_no_game_of_a_ladder_is_begun(climbed: list[Met]) -> None:
    assert printed("ladder", "tides-of-war") == "4 games\n"
    assert printed("ladder", "tides-of-war", "--seconds", "21") == "3 games\n"
    assert printed("ladder", "tides-of-war", "--seconds", "20") == "2 games\n"
    assert climbed == []


def test_each_game_of_a_ladder_is_kept_and_the_same_command_goes_on(tmp_path: Path, climbed: list[Met]) -> None:
    words = ("ladder", "tides-of-war", "--file", tmp_path / "tides.jsonl")
    assert printed(*words, "--seconds", "20") == "2 games\n"
    assert printed(*words) == "6 games\n"
    assert climbed == MET[:2]
    assert "is of another ladder" in refused(*words, "--seed", "2")


def test_a_ladder_for_more_than_two_or_into_no_folder_is_refused(tmp_path: Path, climbed: list[Met]) -> None:
    assert "a ladder is played by two" in refused("ladder", "circle", "--option", "players=4")
    file = tmp_path / "gone" / "tides.jsonl"
    assert refused("ladder", "tides-of-war", "--file", file) == f"{file}: No such file or directory"
    assert "unknown game" in refused("ladder", "ludo")


# ---- training, thinking, puzzles, looking at games ----


def test_a_game_that_nobody_has_taught_to_weigh_is_not_trained(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(engine_commands, "advice_of", lambda name: None)
    monkeypatch.setattr(training, "games", lambda *_: pytest.fail("it played"))
    told = refused("train", "circle", "--into", tmp_path / "weights.toml")
    assert told == "circle has no advice.py, so there is nothing to weigh"
    assert "unknown game" in refused("puzzles", "ludo")


def test_the_service_asks_a_program_that_thinks_within_so_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(think, "think", lambda answers, memory: asked.append(memory))
    printed("think", "--memory", "96")
    assert asked == [96]


def test_what_is_no_game_is_not_analysed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = run("analyse")
    assert (nothing.exit_code, "name the file of a game" in nothing.stderr) == (2, True)
    file = tmp_path / "game.txt"
    file.write_bytes(b"\xff\xfe\x00")
    assert refused("analyse", file) == f"{file} is not a text"
    file.write_text("once upon a time")
    assert refused("analyse", file)
    lesson = NewGame(game="tides-of-war", lesson=Lesson(steps=(LessonStep(say="Look."),)))
    monkeypatch.setattr(analyse_commands, "brought", lambda text: (lesson, ""))
    assert refused("analyse", file) == "a lesson is not analysed: it is no game"


def test_what_cannot_be_thought_about_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def cannot(*_: object) -> None:
        raise CannotThink("there is too little memory")

    (tmp_path / "game.txt").write_text("")
    monkeypatch.setattr(analyse_commands, "brought", cannot)
    assert refused("analyse", tmp_path / "game.txt") == "there is too little memory"
